"""A queue that moves to the next one is told, and nothing else is."""

from dataclasses import replace

from planner.answers.claims import moved_text
from planner.presets.files import presets
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.scenario.spec import revised
from tests.planner.conftest import summary_of

CHAIN = next(item.spec for item in presets() if item.key == "chain")
PATH = "queues.orders.settings.maximum_sessions"


def point(sessions: int, **means: float) -> PointSummary:
    """A point of the sweep with the mean latency of its queues, each known to ± 0.25 s."""
    known = {name: Estimate(mean, mean - 0.25, mean + 0.25, "s") for name, mean in means.items()}
    queues = {name: {"latency.mean": item} for name, item in known.items()}
    return replace(summary_of(0), overrides={PATH: sessions}, queues=queues)


def test_the_point_that_moves_most_is_told_against_the_settings_of_now() -> None:
    points = [point(2, orders=50, ledger=0.5), point(5, orders=20, ledger=0.5), point(20, orders=5, ledger=3.5)]
    points.append(point(40, orders=2.5, ledger=6))
    assert moved_text(CHAIN, points) == (
        "Maximum sessions of orders 40 moves the queue from orders to ledger: a message spends 2.50 ± 0.25 s at orders "
        "(now 20.00 s) and 6.00 ± 0.25 s at ledger (now 0.50 s), on average."
    )


def test_without_the_settings_of_now_the_first_point_is_what_it_is_told_against() -> None:
    points = [point(2, orders=50, ledger=0.5), point(40, orders=2.5, ledger=6)]
    assert "(with Maximum sessions of orders 2: 50.00 s)" in moved_text(CHAIN, points)


def test_a_queue_that_only_gets_shorter_has_not_moved() -> None:
    now = point(5, orders=20, ledger=0.2)
    assert not moved_text(CHAIN, [now, point(10, orders=10, ledger=0.3)]), "the intervals overlap"
    assert not moved_text(CHAIN, [now, point(10, orders=10, ledger=1.2)]), "a tenth of what is gained"
    assert moved_text(CHAIN, [now, point(10, orders=10, ledger=1.3)])
    assert not moved_text(CHAIN, [now, point(10, orders=20.1, ledger=6)]), "the first queue is as it was"


def test_without_a_chain_or_without_latencies_there_is_nothing_to_tell() -> None:
    points = [point(5, orders=20, ledger=0.2), point(40, orders=2.5, ledger=6)]
    alone = revised(
        CHAIN,
        [(("queues", 0, "sends"), []), (("queues", 1, "arrivals"), {"kind": "surge", "count": 10})],
    )
    assert not moved_text(alone, points)
    assert not moved_text(CHAIN, [points[0], replace(points[1], queues={}, status="unstable")])
