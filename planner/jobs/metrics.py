"""Metrics for operators: runs, workers, Spark, requests and whether parts answer. They name no person or scenario.

Web processes and workers are separate, so nothing is kept in one of them: runs are counted in the database and requests
in the broker's Redis, at each scrape. A part that hangs is asked for a second or two, then it counts as away.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Q, QuerySet, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from planner.celery import app
from planner.jobs.leases import WORKED_ON
from planner.jobs.transitions import JOBS
from planner.models import Calibration, Run, RunKind, RunStatus
from planner.web.counters import requests_counted
from simulations import ENGINE_VERSION
from simulations.pipeline.spark.server import answers

BUCKETS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0)
"""Upper ends in seconds."""
OK = "ok"
NEEDED = ("database", "broker")
"""Without Spark, pages answer and runs wait."""
_away_since: dict[str, float] = {}


def metrics_text() -> bytes:
    """Return the metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Measured())
    return generate_latest(registry)


class _Measured(Collector):
    def collect(self) -> Iterable[Metric]:
        yield _labelled("sluice_build_info", "Always 1; the version of the engine.", ["engine"], {(ENGINE_VERSION,): 1})
        yield _jobs()
        yield from _durations()
        yield from _workers()
        failed: Counter[tuple[str, ...]] = Counter()
        for kind in JOBS:
            failed.update(_grouped(kind._default_manager.filter(status=RunStatus.FAILED).order_by(), "error__code"))
        yield _labelled("sluice_failed_jobs", "Failed jobs that were not tried again, by error.", ["code"], failed)
        yield GaugeMetricFamily(
            "sluice_spark_up", "Whether the Spark Connect server answers.", int(spark_state() == OK)
        )
        seen: dict[tuple[str, ...], int] = {(area, str(status)): number for area, status, number in requests_counted()}
        labels = ["area", "status"]
        yield _labelled("sluice_requests", "Answers of all web processes.", labels, seen, CounterMetricFamily)


def _labelled(
    name: str, meaning: str, labels: Sequence[str], values: Mapping[tuple[str, ...], int], kind: Any = GaugeMetricFamily
) -> Metric:
    family: GaugeMetricFamily | CounterMetricFamily = kind(name, meaning, labels=labels)
    for place, value in values.items():
        family.add_metric(place, value)
    return family


def _jobs() -> Metric:
    kinds = (*RunKind.values, "calibration")
    numbers: dict[tuple[str, ...], int] = {(kind, status): 0 for kind in kinds for status in RunStatus.values}
    numbers |= _grouped(Run.objects.order_by(), "kind", "status")
    numbers |= _grouped(Calibration.objects.annotate(kind=Value("calibration")).order_by(), "kind", "status")
    return _labelled("sluice_jobs", "Runs, experiments and calibrations by state.", ["kind", "status"], numbers)


def _grouped(rows: QuerySet[Any], *columns: str) -> dict[tuple[str, ...], int]:
    counts = rows.values_list(*columns).annotate(Count("pk"))
    return {tuple(map(str, values)): number for *values, number in counts}


def _durations() -> Iterator[Metric]:
    """Of runs and experiments that succeeded; a forced one counts, a cached answer does not."""
    done = Run.objects.filter(status=RunStatus.SUCCEEDED, started_at__isnull=False, finished_at__isnull=False)
    wait, took = F("started_at") - F("created_at"), F("finished_at") - F("started_at")
    yield _histogram("sluice_run_queue_wait_seconds", "From the start of a run to its first worker.", done, wait)
    yield _histogram("sluice_run_duration_seconds", "From the first worker to the answer.", done, took)
    waiting = Run.objects.filter(status=RunStatus.QUEUED).aggregate(oldest=Min("created_at"))["oldest"]
    age = (timezone.now() - waiting).total_seconds() if waiting else 0.0
    yield GaugeMetricFamily("sluice_oldest_queued_run_seconds", "Age of the oldest run that waits; 0: none.", age)


def _histogram(name: str, meaning: str, rows: QuerySet[Run], duration: CombinedExpression) -> Metric:
    took = rows.annotate(took=ExpressionWrapper(duration, DurationField()))
    below = {
        f"le{place}": Count("pk", filter=Q(took__lte=timedelta(seconds=most))) for place, most in enumerate(BUCKETS)
    }
    sums = took.aggregate(every=Count("pk"), total=Sum("took"), **below)
    buckets = [(str(most), float(sums[f"le{place}"])) for place, most in enumerate(BUCKETS)]
    total = sums["total"].total_seconds() if sums["total"] else 0.0
    return HistogramMetricFamily(name, meaning, buckets=[*buckets, ("+Inf", float(sums["every"]))], sum_value=total)


def _workers() -> Iterator[Metric]:
    """The oldest sign of life of a worker that computes; above the lease another worker takes its job up."""
    held = [
        row
        for kind in JOBS
        for row in kind._default_manager.filter(status__in=WORKED_ON)
        .exclude(claim_token="")
        .values_list("heartbeat_at", "attempt", "spark_session")
    ]
    ages = [(timezone.now() - beat).total_seconds() for beat, _, _ in held if beat]
    attempts = [attempt for _, attempt, _ in held]
    sessions = {session for _, _, session in held if session}
    age = max(ages, default=0.0)
    yield GaugeMetricFamily("sluice_heartbeat_age_seconds", "Oldest heartbeat of a job under way; 0: none.", age)
    most = max(attempts, default=0)
    yield GaugeMetricFamily("sluice_job_attempts", "Most attempts of a job under way; above 1 a worker died.", most)
    yield GaugeMetricFamily("sluice_spark_sessions", "Spark sessions that compute a job.", len(sessions))


def parts_states() -> Mapping[str, str]:
    """Return part -> ``ok``, or what is wrong with it and how long this process has seen it so."""
    states = {"database": database_state(), "broker": broker_state(), "spark": spark_state()}
    states["worker"] = worker_state() if states["broker"] == OK else "no answer"
    return {part: _with_duration(part, state) for part, state in states.items()}


def database_state() -> str:
    """Return ``ok``, or why the database does not answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return type(error).__name__
    return OK


def broker_state() -> str:
    """Return ``ok``, or why the broker does not answer."""
    try:
        with app.connection_for_write(connect_timeout=1) as link:
            link.ensure_connection(max_retries=1, timeout=1)
    except (OperationalError, OSError) as error:
        return type(error).__name__
    return OK


def worker_state() -> str:
    """Return ``ok``, or that no worker answers within a second."""
    try:
        return OK if app.control.ping(timeout=1, limit=1) else "no answer"
    except (OperationalError, OSError) as error:
        return type(error).__name__


def spark_state() -> str:
    """Return ``ok``, or why the Spark Connect server does not answer."""
    remote = settings.ENVIRONMENT.spark_remote
    if remote is None:
        return "not started"
    return OK if answers(remote) else "no answer"


def _with_duration(part: str, state: str) -> str:
    if state == OK:
        _away_since.pop(part, None)
        return state
    since = _away_since.setdefault(part, time.monotonic())
    return f"{state} for {time.monotonic() - since:.0f} s"
