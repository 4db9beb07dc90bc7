"""Every list of one team with 10,000 scenarios and 100,000 runs, on a PostgreSQL server of its own, as HTTP answers.

Run it with `python -m benchmarks.lists [--scenarios 10000] [--runs 100000] [--asked 40]`. The answers come from this
process, without a network: what is measured is the product and its database. Each line is one address, asked by a
member of the team and by somebody who is in no team and has one scenario; it ends with 1 where an answer takes longer
than the bar at the 95th percentile.
"""

import argparse
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

import psutil

from planner.runtime.cluster import database_service
from planner.runtime.database import plan_database
from planner.runtime.services import broker_service, broker_url
from simulations.pipeline.spark.server import free_port
from tests.services import running

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

BAR = 0.200
"""Seconds of an answer (95th percentile)."""
MEMBER, OTHER, TEAM = "member", "other", "Payments"
PAGES = (
    "/?q=",
    "/?q=scenario+0420",
    "/?q=no-such-thing",
    "/?tag=tag+7",
    "/?tag=no-such-tag",
    "/?slo=missed",
    "/?slo=none",
    "/?archived=1",
    "/?team={team_id}",
    "/?platform=weblogic",
    "/?group=tags",
    "/?group=verdict",
    "/?awaiting=1",
    "/?q=&page=150",
    "/questions/",
    "/runs/",
    "/runs/?page=1500",
    "drawer",
    "/experiments/",
    "/reports/",
    "/telemetry/",
    "/inventory/",
    "/compare/",
    "/teams/",
    "/teams/{team_id}/",
    "/teams/{team_id}/activity/",
    "/teams/{team_id}/activity/?page=2000",
    "/teams/{team_id}/activity/?action=team.&person=member",
    "/teams/{team_id}/activity/?action=no-such-action",
    "/account/activity/",
    "/account/tokens/",
    "/account/webhooks/",
    "/scenarios/{scenario_id}/versions/",
    "/status/",
)
LISTS = (
    "scenarios",
    "scenarios?limit=100",
    "scenarios?search=no-such-thing",
    "scenarios?sort=name",
    "scenarios?team={team_id}",
    "scenarios?archived=true",
    "scenarios?platform=weblogic",
    "scenarios/{scenario_id}/versions",
    "scenarios/{scenario_id}/runs",
    "scenarios/{scenario_id}/reports",
    "runs",
    "runs?limit=200",
    "runs?status=failed",
    "runs?status=queued",
    "runs?sort=created_at",
    "experiments",
    "experiments?type=headroom",
    "experiments?type=optimize",
    "experiments?status=failed",
    "reports",
    "baselines",
    "baselines?application=no-such-thing",
    "servers",
    "queues",
    "calibrations",
    "events",
    "events?action=no-such-action",
    "teams",
    "teams/{team_id}/members",
    "teams/{team_id}/invitations",
    "teams/{team_id}/events",
    "teams/{team_id}/events?action=report.",
    "teams/{team_id}/events?person=nobody",
    "teams/{team_id}/events?since=2999-01-01",
    "tokens",
    "webhooks",
    "webhooks/{webhook_id}/deliveries",
)


@dataclass(frozen=True)
class Sizes:
    """How many rows of each kind the team has."""

    scenarios: int
    runs: int

    @property
    def some(self) -> int:
        """Of what a team has fewer of than scenarios."""
        return max(1, self.scenarios // 10)


@contextmanager
def database() -> Iterator[None]:
    """Run a PostgreSQL server with the product's tables in it; Django uses it until the block ends."""
    with tempfile.TemporaryDirectory(prefix="sluice-lists-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        plan = plan_database(folder, port=free_port(), password=token_urlsafe(16))
        socket = folder / "broker.sock"
        with running(database_service(plan), folder), running(broker_service(socket, folder / "data"), folder):
            os.environ |= {"DATABASE_URL": plan.url, "STATE_DIR": str(folder), "BROKER_URL": broker_url(socket)}
            os.environ |= {"DJANGO_SETTINGS_MODULE": "planner.settings.django", "ALLOWED_HOSTS": "testserver"}
            os.environ["LOG_LEVEL"] = "ERROR"
            import django

            django.setup()
            from django.core.management import call_command
            from django.db import connections

            call_command("migrate", verbosity=0)
            call_command("collectstatic", verbosity=0, interactive=False)
            try:
                yield
            finally:
                connections.close_all()


def copied(row: "Model", count: int, **different: str) -> None:
    """Store copies of a row; ``different`` are SQL expressions of columns in which ``n`` is the copy's number."""
    from django.db import connection

    fields = row._meta.concrete_fields
    names = [str(item.column) for item in fields if not item.primary_key or isinstance(row.pk, str)]
    key = str(row._meta.pk.column)
    values = {key: f"'{row.pk[:4]}' || lpad(n::text, 16, '0')"} if isinstance(row.pk, str) else {}
    values |= different
    columns = ", ".join(f'"{name}"' for name in names)
    chosen = ", ".join(values.get(name, f'"{name}"') for name in names)
    table = row._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({columns}) SELECT {chosen} FROM "{table}", generate_series(1, %s) AS n '  # noqa: S608
            f'WHERE "{key}" = %s',
            [count, row.pk],
        )


def filled(sizes: Sizes) -> dict[str, str]:
    """Store one row of each kind by the product's own services and copy it; return the ids that addresses name."""
    from django.contrib.auth.models import User
    from django.db import connection

    from planner import models, services
    from planner.jobs import execute
    from planner.presets.files import presets
    from simulations.pipeline.spark.executors import InlineExecutor
    from simulations.scenario.spec import parse

    member, other = User.objects.create_user(MEMBER), User.objects.create_user(OTHER)
    spec = next(preset.spec for preset in presets() if preset.key == "surge-backlog")
    short = {"horizon": {"messages": 4000}, "replications": {"min": 2, "max": 4}, "precision": {"relative": "50%"}}
    body = {**spec.body(), "run": short}
    team = services.team_create(actor=member, name=TEAM)
    scenario = services.scenario_store(owner=member, spec=parse(body))
    services.scenario_store(owner=other, spec=parse(body))
    services.hand_over(row=scenario, actor=member, team=team)
    run = services.run_start(version=scenario.version, owner=member).run
    execute.run_compute(run_id=run.pk, worker="benchmark", executor_of=lambda run: InlineExecutor())
    run.refresh_from_db()
    asked = services.experiment_prepare(version=scenario.version, owner=member, question={"type": "headroom"})().run
    report = services.report_create(run=run, owner=member)
    server = services.inventory_save(owner=member, spec=scenario.version.parsed)[0]
    services.hand_over(row=server, actor=member, team=team)
    webhook = models.Webhook.objects.create(owner=member, team=team, url="https://example.org", events=[], nonce="n")
    baseline = services.baseline_pin(owner=member, version=scenario.version)
    calibration = models.Calibration.objects.create(owner=member, name="log", location="log.csv")
    token = services.token_create(owner=member, name="token", scopes=["read"]).row
    invited = services.member_invite(team=team, actor=member, name="guest", role="viewer").row

    numbered, day = "lpad(n::text, 5, '0')", "interval '1 second' * n"
    verdicts = "(array['met', 'missed', '', 'unresolved'])[1 + n %% 4]"
    tags = """jsonb_build_array('tag ' || n %% 40, 'prod')"""
    platforms = "(array['websphere-zos', 'weblogic', 'openmq'])[1 + n %% 3]"
    version = scenario.version
    copied(
        scenario,
        sizes.scenarios,
        name=f"'Scenario ' || {numbered}",
        tags=tags,
        platform=platforms,
        verdict=verdicts,
        current_id="NULL",
        updated_at=f"now() - {day}",
        archived_at="CASE WHEN n %% 20 = 0 THEN now() END",
        created_at=f"now() - {day}",
    )
    copied(version, sizes.scenarios, scenario_id="'scn_' || lpad(n::text, 16, '0')", content_hash="md5(n::text)")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE planner_scenario SET current_id = 'ver_' || substr(id, 5) "
            "WHERE current_id IS NULL AND id LIKE 'scn_0000%%'"
        )
    of_version = f"'ver_' || lpad((1 + n %% {sizes.scenarios})::text, 16, '0')"
    past = f"now() - {day}"
    copied(
        run,
        sizes.runs,
        version_id=of_version,
        content_hash="md5(n::text)",
        created_at=past,
        started_at=past,
        status="CASE WHEN n %% 50 = 0 THEN 'failed' ELSE 'succeeded' END",
    )
    copied(
        asked,
        sizes.some,
        version_id=of_version,
        content_hash="md5('e' || n)",
        created_at=past,
        status="'succeeded'",
        result_hash="'h'",
        id="'exp_' || lpad(n::text, 16, '0')",
        finished_at=past,
    )
    for point in run.points.all():
        copied(point, sizes.runs // 10, run_id="'run_' || lpad(n::text, 16, '0')")
    states = "(array['draft', 'in_review', 'signed', 'reviewed'])[1 + n %% 4]"
    of_run = "'run_' || lpad(n::text, 16, '0')"
    copied(report, sizes.some, run_id=of_run, title=f"'Report ' || {numbered}", state=states, created_at=past)
    copied(server, 100, name=f"'server ' || {numbered}")
    copied(server.queues.get(), 100, server_id="'srv_' || lpad(n::text, 16, '0')")
    copied(webhook, 100, url="'https://example.org/' || n")
    copied(
        models.Delivery.objects.create(webhook=webhook, event="run.succeeded", status="delivered", target="r"),
        sizes.runs,
        target=of_run,
        created_at=past,
    )
    copied(baseline, sizes.some, application=f"'Application ' || {numbered}", version_id=of_version)
    copied(calibration, sizes.some, created_at=past)
    copied(token, 100, digest="md5(n::text)")
    copied(invited, 100, invited="'guest ' || n", digest="md5(n::text)")
    actions = "(array['run.start', 'scenario.update', 'report.read', 'download'])[1 + n %% 4]"
    event = models.AuditEvent.objects.filter(team=team)[0]
    copied(event, 3 * sizes.runs, action=actions, target=of_run, at=past)
    copied(member, 100, username="'person ' || n")
    people = list(User.objects.filter(username__startswith="person ").values_list("pk", flat=True))
    models.Membership.objects.bulk_create(models.Membership(team=team, user_id=pk, role="viewer") for pk in people)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    rows = {"team": team, "scenario": scenario, "webhook": webhook, "run": run}
    return {f"{name}_id": row.pk for name, row in rows.items()}


@dataclass(frozen=True)
class Taken:
    """How long each answer took, the first one left out, and the mean work of product and database for one."""

    seconds: list[float]
    cpu_s: float


def _worked(backend: psutil.Process) -> float:
    helpers = backend.parent()  # the server, which knows what its parallel workers took
    parallel = sum(helpers.cpu_times()[2:4]) if helpers else 0.0
    return time.process_time() + sum(backend.cpu_times()[:2]) + parallel


def taken(client: "Client", backend: psutil.Process, address: str, count: int) -> Taken | None:
    """Ask an address ``count`` times; None where the answer is that it is not for who asks."""
    headers = {"HX-Request": "true"} if address == "drawer" else {}
    where = "/runs/" if address == "drawer" else address
    times, before = [], 0.0
    for number in range(count + 1):
        before = _worked(backend) if number == 1 else before
        began = time.perf_counter()
        answer = client.get(where, headers=headers)
        b"".join(answer)
        times.append(time.perf_counter() - began)
    if answer.status_code in (403, 404):
        return None
    if answer.status_code != 200:
        sys.exit(f"{where} answered {answer.status_code}")
    return Taken(times[1:], (_worked(backend) - before) / count)


def measured(names: dict[str, str], count: int) -> Iterator[tuple[str, str, Taken]]:
    """Yield address, who asked and how long it took; nothing for what they may not see."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client

    backend = psutil.Process(connection.connection.info.backend_pid)
    addresses = [*PAGES, *(f"/api/v1/{path}" for path in LISTS)]
    for name in (MEMBER, OTHER):
        client = Client(raise_request_exception=False)
        client.force_login(User.objects.get(username=name), backend="django.contrib.auth.backends.ModelBackend")
        for address in addresses:
            found = taken(client, backend, address.format(**names), count)
            if found:
                yield address, name, found


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scenarios", type=int, default=10_000)
    options.add_argument("--runs", type=int, default=100_000)
    options.add_argument("--asked", type=int, default=40)
    asked = options.parse_args()
    above = 0
    with database():
        began = time.perf_counter()
        names = filled(Sizes(asked.scenarios, asked.runs))
        gc.freeze()  # as a web process does at its start
        print(f"filled in {time.perf_counter() - began:.0f} s; load {os.getloadavg()[0]:.1f}", flush=True)
        print(f"{'':7} {'':60} {'median':>7} {'95 %':>7} {'work':>7}  ms", flush=True)
        for address, name, found in measured(names, asked.asked):
            high = statistics.quantiles(found.seconds, n=20)[-1]
            above += high > BAR
            values = (statistics.median(found.seconds), high, found.cpu_s)
            numbers = " ".join(f"{1e3 * value:7.0f}" for value in values)
            print(f"{name:7} {address:60} {numbers} {'ABOVE' if high > BAR else ''}", flush=True)
    sys.exit(above > 0)


if __name__ == "__main__":
    main()
