"""One setting on its way from the form to the page, through the functions that docs/architecture.md names."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from frontend.answers.throttle_closeup import closeup
from frontend.charts.throttle import Thresholds
from frontend.workbench.form import form_read
from planner.celery import app
from planner.settings.environment import BASE_DIR
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.rows import compact
from simulations.engine.network.results import Extreme
from simulations.experiment import with_overrides
from simulations.scenario.spec import ScenarioSpec
from tests.scenarios import listener_port

FAMILY = "websphere_zos"
WANTED, THREADS, MESSAGE = 36, 18, 1000.0
ROW = re.compile(r"^\| (\d) \| (.+?) \| (.+) \|$", re.MULTILINE)
MAKER = re.compile(r"`(\w+)` in `([\w/<>]+)\.py`")


def table() -> dict[int, list[Callable[..., Any]]]:
    """The functions and classes that the table names, by hop."""
    page = (BASE_DIR / "docs" / "architecture.md").read_text()
    return {int(hop): [named(*maker) for maker in MAKER.findall(cell)] for hop, _, cell in ROW.findall(page)}


def named(name: str, path: str) -> Callable[..., Any]:
    module = import_module(path.replace("<family>", FAMILY).replace("/", "."))
    found: Callable[..., Any] = getattr(module, name)
    assert found.__module__ == module.__name__, f"{path} only passes {name} on"
    assert Path(str(module.__file__)).is_file()
    return found


def sessions(spec: ScenarioSpec) -> int:
    return int(spec.body()["queues"][0]["settings"]["maximum_sessions"])


def test_maximum_sessions_travels_through_the_nine_hops(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "CELERY_BROKER_URL", "memory://")
    made = table()
    assert list(made) == list(range(1, 10))
    assert all(1 <= len(makers) <= 2 for makers in made.values())
    owner = User.objects.create_user("ada")
    run = {"horizon": {"messages": 4000}}
    body = listener_port("On its way", rate="81/s", settings={"maximum_sessions": 20}, run=run)

    typed = form_read(made[1][0](body).body(), {"queues.0.settings.maximum_sessions": str(WANTED)})
    spec = made[1][0](typed)
    assert sessions(spec) == WANTED

    version = made[2][0](owner=owner, spec=spec).version
    assert (version.parsed, version.content_hash) == (spec, spec.content_hash())

    stored = made[3][0](version=version, owner=owner).run
    stored.refresh_from_db()
    assert stored.spec["queues"][0]["settings"]["maximum_sessions"] == WANTED

    (point,) = made[4][0](stored.parsed).points
    assert sessions(point.spec) == WANTED

    row = made[5][0].of(point, first=0, count=2, cost=1.0)  # type: ignore[attr-defined]
    sent = json.loads(row.spec)
    assert (sent["queues"][0]["settings"]["maximum_sessions"], row.seed) == (WANTED, stored.seed)

    asked = made[1][0](sent)
    network = made[6][0](asked.system, asked.run.horizon.for_engine())
    (stream,) = network.streams
    assert (stream.gate.high, network.pools[0].threads) == (WANTED, THREADS)

    results = [made[7][0](network, seed=row.seed, replication=number) for number in (0, 1)]
    waiting = MESSAGE * (WANTED - THREADS)
    assert [result.extremes[0, Extreme.BUFFER_BYTES_MAX] for result in results] == [waiting, waiting]

    summary = made[8][0](point).answer([compact(result) for result in results])
    assert summary.metrics["buffer.bytes_max"].value == waiting
    (finding,) = [item for item in summary.findings if item.rule == "websphere-zos.2xwt"]
    assert finding.message == f"Maximum sessions {WANTED} is at least 2 × {THREADS}."

    draw, explain = made[9]
    chart = draw(closeup(point.spec).throttle["orders"], Thresholds(high=stream.gate.high, low=stream.gate.low))
    assert f"high threshold {WANTED}" in json.dumps(chart.figure)
    idle = Estimate(4.5, 4.4, 4.6, "threads")
    blocked = {"orders": {**summary.queues["orders"], "gate.blocked_fraction": Estimate(1.0, 1.0, 1.0, "1")}}
    held = replace(summary, queues=blocked, servers={"payments": {"threads.idle_given_blocked": idle}})
    narrow = with_overrides(point.spec, {"queues.orders.settings.maximum_sessions": THREADS}).system
    (sentence,) = (claim.sentence for claim in explain(narrow, held) if claim.id == "orders.idle_while_blocked")
    assert sentence.startswith(
        "While a throttle is closed and messages wait, on average 4.500 ± 0.100 of 18 threads have nothing to do"
    )
