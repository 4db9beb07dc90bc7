"""What a simulated point of WebSphere for z/OS says about its throttle."""

from simulations.analysis.estimates.summary import Estimate
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from tests.simulations.platforms.samples import empty_summary, surge


def test_what_the_throttle_costs_is_said_by_the_run_of_its_cure_alone() -> None:
    system = surge(maximum_sessions=18).system
    told = WEBSPHERE_ZOS.derive(system).findings
    findings = {item.rule: WEBSPHERE_ZOS.with_cost(item, empty_summary()) for item in told}
    for rule in ("websphere-zos.low-covers-threads", "websphere-zos.2xwt"):
        assert (findings[rule].status, findings[rule].cost) == ("violated", {})
        assert findings[rule].fix == {"queues.orders.settings.maximum_sessions": 36}
        assert "Raise" not in findings[rule].message


def test_idle_threads_are_explained_in_numbers() -> None:
    """Job J2's sentence: the mean given blocked, not over the whole run."""
    idle = {"threads.idle_given_blocked": Estimate(4.49, 4.4, 4.6, "threads")}
    closed = {"orders": {"gate.blocked_fraction": Estimate(0.5, 0.5, 0.5, "1")}}
    summary = empty_summary(queues=closed, servers={"payments": idle})
    (claim,) = WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)
    assert claim.sentence == (
        "While a throttle is closed and messages wait, on average 4.49 ± 0.11 of 18 threads have nothing to do. "
        "The low threshold 9 is below the 18 threads."
    )
    assert (claim.about, claim.condition) == ({"server": "payments"}, "gate blocked")


def test_timeouts_and_an_unstable_point_are_explained() -> None:
    queues = {"orders": {"timeouts.queue": Estimate(357.0, 300.0, 400.0, "messages")}}
    summary = empty_summary(status="unstable", queues=queues, growth={"orders": 12.0})
    sentences = [claim.sentence for claim in WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)]
    assert any("357 ± 57 deliveries" in sentence and "118.8 s" in sentence for sentence in sentences)
    assert any("carry 67.6 messages per second" in sentence for sentence in sentences)
