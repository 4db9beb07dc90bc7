"""One of a thing is said as one, and of several queues the sentence names its own."""

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.platforms.shared.claims import explained
from simulations.platforms.shared.queues import in_number
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 servants × 1 threads = 1", "1 servant × 1 thread = 1"),
        ("below the 1 threads: 0.1 threads idled", "below the 1 thread: 0.1 threads idled"),
        ("1 prepared messages are ready", "1 prepared message is ready"),
        ("window 1..1 over 11 threads and 2,1 threads", "window 1..1 over 11 threads and 2,1 threads"),
        ("21 threads are reserved", "21 threads are reserved"),
    ],
)
def test_one_of_a_thing(text: str, said: str) -> None:
    assert in_number(text) == said


def test_a_server_of_one_thread_is_described_in_the_singular() -> None:
    body = listener_port("One")
    body["servers"][0]["settings"] = {"workload_profile": "ISOLATE"}
    spec = parse(body)
    found = spec.family.derive(spec.system)
    told = [item.formula for item in found.values] + [item.message for item in found.findings]
    assert not [text for text in told if " 1 threads" in text or text.startswith("1 servants")]
    assert any("1 thread" in text for text in told)


def test_of_several_queues_each_sentence_names_its_own() -> None:
    body = listener_port("Two", settings={"maximum_sessions": 18})
    body["queues"].append({**body["queues"][0], "name": "bills"})
    spec = parse(body)
    summary = summary_of(0)
    released = {"gate.block_time": Estimate(2, 1, 3, "s")}
    two = type(summary)(**{**vars(summary), "queues": {"orders": released, "bills": released}})
    told = [claim.sentence for claim in explained(spec.family, spec.system, two)]
    assert [text.split(":")[0] for text in told if "the throttle closes" in text] == ["orders", "bills"]
