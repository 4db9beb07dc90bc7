"""What a simulated point of WebSphere for z/OS says about its throttle."""

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from tests.simulations.platforms.samples import empty_summary, surge


def test_what_the_throttle_costs_is_stated_with_the_verdict() -> None:
    system = surge(maximum_sessions=18).system
    findings = {item.rule: item for item in WEBSPHERE_ZOS.judge(system, empty_summary())}
    for rule in ("websphere-zos.low-covers-threads", "websphere-zos.2xwt"):
        assert findings[rule].status == "violated"
        assert findings[rule].cost["throughput_loss_pct"].value == pytest.approx(24.9, abs=0.05)
        assert findings[rule].fix == {"queues.orders.settings.maximum_sessions": 36}


@pytest.mark.parametrize(("share", "mean"), [(1.0, "4.5"), (0.5, "9")])
def test_idle_threads_are_explained_in_numbers(share: float, mean: str) -> None:
    """Job J2's sentence: the mean given blocked, not over the whole run."""
    idle = Estimate(4.49, 4.4, 4.6, "threads")
    closed = {"orders": {"gate.blocked_fraction": Estimate(share, share, share, "1")}}
    summary = empty_summary(queues=closed, servers={"payments": {"threads.idle_blocked": idle}})
    claims = {claim.id: claim for claim in WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)}
    assert claims["orders.idle_while_blocked"].sentence == (
        f"While blocked, on average {mean} of 18 threads had nothing to do. The low threshold 9 is below the 18 "
        "threads. Raise Maximum sessions to at least 36, or set LOW.EQUALS.HIGH."
    )
    assert claims["orders.no_throttle"].proof["queues.orders.settings.maximum_sessions"] == 36
    assert "67.6" in claims["orders.no_throttle"].sentence


def test_timeouts_and_an_unstable_point_are_explained() -> None:
    queues = {"orders": {"timeouts.queue": Estimate(357.0, 300.0, 400.0, "messages")}}
    summary = empty_summary(status="unstable", queues=queues, growth={"orders": 12.0})
    sentences = [claim.sentence for claim in WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)]
    assert any("357 deliveries" in sentence and "118.8 s" in sentence for sentence in sentences)
    assert any("carry 67.6 messages per second" in sentence for sentence in sentences)
