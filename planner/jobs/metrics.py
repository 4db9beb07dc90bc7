"""What operators measure: the state of runs, workers, Spark and requests. It names no person, scenario or address.

Web processes and workers are separate, so nothing is kept in one of them: runs are counted in the database and requests
in the broker's Redis, whenever somebody asks.
"""

import socket
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Min, Q, Sum
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from planner.jobs.leases import WORKED_ON
from planner.models import Calibration, Job, Run, RunKind, RunStatus
from planner.web.request_counts import requests_counted
from simulations import ENGINE_VERSION

BUCKETS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0)
"""Upper ends in seconds."""
SPARK_PORT = 15_002
SPARK_SECONDS = 0.5
JOBS: tuple[type[Job], ...] = (Run, Calibration)


def metrics_text() -> bytes:
    """Return the metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Measured())
    return generate_latest(registry)


class _Measured(Collector):
    def collect(self) -> Iterable[Metric]:
        """Return every metric as it is now."""
        yield _build()
        yield _jobs()
        yield from _durations()
        yield from _workers()
        yield _failures()
        yield _spark()
        yield _requests()


def _build() -> Metric:
    found = GaugeMetricFamily("sluice_build_info", "Always 1; the version of the engine.", labels=["engine"])
    found.add_metric([ENGINE_VERSION], 1)
    return found


def _jobs() -> Metric:
    found = GaugeMetricFamily("sluice_jobs", "Runs, experiments and calibrations by state.", labels=["kind", "status"])
    counted = dict(_grouped(Run, "kind", "status"))
    counted |= {("calibration", status): number for (status,), number in _grouped(Calibration, "status")}
    for kind in (*RunKind.values, "calibration"):
        for status in RunStatus.values:
            found.add_metric([kind, status], counted.get((kind, status), 0))
    return found


def _grouped(kind: type[Job], *columns: str) -> Iterator[tuple[tuple[str, ...], int]]:
    for *values, number in kind._default_manager.order_by().values_list(*columns).annotate(Count("pk")):
        yield tuple(values), number


def _durations() -> Iterator[Metric]:
    """Of runs and experiments that succeeded; a forced one counts, a cached answer is none."""
    done = Run.objects.filter(status=RunStatus.SUCCEEDED, started_at__isnull=False, finished_at__isnull=False)
    yield _histogram(
        "sluice_run_queue_wait_seconds",
        "From the start of a run to its first worker.",
        done,
        "started_at",
        "created_at",
    )
    yield _histogram(
        "sluice_run_duration_seconds", "From the first worker to the answer.", done, "finished_at", "started_at"
    )
    waiting = Run.objects.filter(status=RunStatus.QUEUED).aggregate(oldest=Min("created_at"))["oldest"]
    age = (timezone.now() - waiting).total_seconds() if waiting else 0.0
    yield GaugeMetricFamily("sluice_oldest_queued_run_seconds", "Age of the oldest run that waits; 0: none.", age)


def _histogram(name: str, meaning: str, rows: Any, end: str, begin: str) -> Metric:
    took = rows.annotate(took=ExpressionWrapper(F(end) - F(begin), DurationField()))
    below = {
        f"le{place}": Count("pk", filter=Q(took__lte=timedelta(seconds=most))) for place, most in enumerate(BUCKETS)
    }
    found = took.aggregate(every=Count("pk"), total=Sum("took"), **below)
    buckets = [(str(most), float(found[f"le{place}"])) for place, most in enumerate(BUCKETS)]
    total = found["total"].total_seconds() if found["total"] else 0.0
    return HistogramMetricFamily(name, meaning, buckets=[*buckets, ("+Inf", float(found["every"]))], sum_value=total)


def _workers() -> Iterator[Metric]:
    """The oldest sign of life of a worker that computes; above the lease somebody takes its job up."""
    ages, sessions, attempts = [0.0], set(), [0]
    for kind in JOBS:
        held = kind._default_manager.filter(status__in=WORKED_ON).exclude(claim_token="")
        found = held.aggregate(oldest=Min("heartbeat_at"), attempt=Max("attempt"))
        if found["oldest"]:
            ages.append((timezone.now() - found["oldest"]).total_seconds())
        attempts.append(found["attempt"] or 0)
        sessions |= set(held.exclude(spark_session="").values_list("spark_session", flat=True))
    yield GaugeMetricFamily("sluice_heartbeat_age_seconds", "Oldest heartbeat of a job under way; 0: none.", max(ages))
    yield GaugeMetricFamily(
        "sluice_job_attempts", "Most attempts of a job under way; above 1 a worker died.", max(attempts)
    )
    yield GaugeMetricFamily("sluice_spark_sessions", "Spark sessions that compute a job.", len(sessions))


def _failures() -> Metric:
    found = GaugeMetricFamily("sluice_failed_jobs", "Failed jobs that nobody tried again, by error.", labels=["code"])
    numbers: dict[str, int] = {}
    for kind in JOBS:
        failed = kind._default_manager.filter(status=RunStatus.FAILED).order_by()
        for code, number in failed.values_list("error__code").annotate(Count("pk")):
            numbers[str(code)] = numbers.get(str(code), 0) + number
    for code, number in numbers.items():
        found.add_metric([code], number)
    return found


def _spark() -> Metric:
    return GaugeMetricFamily("sluice_spark_up", "Whether the Spark Connect server takes connections.", _spark_answers())


def _spark_answers() -> int:
    address = urlsplit(settings.ENVIRONMENT.spark_remote or "")
    if not address.hostname:
        return 0
    try:
        socket.create_connection((address.hostname, address.port or SPARK_PORT), SPARK_SECONDS).close()
    except OSError:
        return 0
    return 1


def _requests() -> Metric:
    found = CounterMetricFamily("sluice_requests", "Answers of all web processes.", labels=["area", "status"])
    for area, status, number in requests_counted():
        found.add_metric([area, str(status)], number)
    return found
