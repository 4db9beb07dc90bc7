"""Deploy Tooling models are laid one over the other: the later one counts, and may take objects away."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.base import Reading
from simulations.scenario import ScenarioSpec, parse

WEBLOGIC = PLATFORMS["weblogic"]
FIRST = b"""resources:
  SelfTuning:
    MaxThreadsConstraint: {most: {Count: 10}}
    WorkManager:
      wm: {MaxThreadsConstraint: most}
      old: {MaxThreadsConstraint: most}
  JMSServer:
    j: {MessagesMaximum: 10}
    gone: {MessagesMaximum: 99}
  JMSSystemResource:
    M:
      JmsResource:
        Queue:
          q: {DeliveryFailureParams: {RedeliveryLimit: 2}}
          unwanted: {}
"""
LATER = b"""resources:
  SelfTuning:
    MaxThreadsConstraint: {most: {Count: 20}}
    WorkManager:
      %s
  JMSServer:
    '!gone':
  JMSSystemResource:
    M:
      JmsResource:
        Queue:
          '!unwanted':
          q: {DeliveryFailureParams: {RedeliveryLimit: 7}}
"""


def read(old: bytes) -> tuple[Reading, ScenarioSpec]:
    reading = WEBLOGIC.read({"model.10.yaml": FIRST, "model.20.yaml": LATER % old})
    return reading, parse(reading.scenario)


@pytest.mark.parametrize("old", [b"'!old':", b"!old:"])
def test_the_later_model_counts(old: bytes) -> None:
    reading, spec = read(old)
    server = spec.servers[0].settings.model_dump()
    assert [item["name"] for item in server["work_managers"]] == ["wm"]
    assert [item["count"] for item in server["constraints"]] == [20]
    assert [queue.name for queue in spec.queues] == ["q"]
    queue = spec.queues[0].settings.model_dump()
    assert (queue["redelivery_limit"], queue["messages_quota"]) == (7, 10)
    said = [item for item in reading.account if item.file == "model.20.yaml"]
    assert [item.line for item in said if "taken away" in item.message] == [5, 7, 12]
    assert [item.line for item in said if "in place of 2 of model.10.yaml:14" in item.message] == [13]
    assert [item.line for item in said if item.message.startswith("20 counts, in place of 10")] == [3]
    assert not [item for item in said if item.status in ("contradictory", "ignored")]


def test_the_later_model_is_the_one_that_is_patched() -> None:
    files = {"model.10.yaml": FIRST, "model.20.yaml": LATER % b"'!old':"}
    assert WEBLOGIC.patch
    system = parse(WEBLOGIC.read(files).scenario).system
    done = WEBLOGIC.patch(files, system, {"queues.q.settings.redelivery_limit": 4}, "cafe")
    assert [script.filename for script in done.scripts] == ["model.20.yaml"]
    after = {**files, "model.20.yaml": done.scripts[0].apply.encode()}
    assert parse(WEBLOGIC.read(after).scenario).queues[0].settings.model_dump()["redelivery_limit"] == 4
