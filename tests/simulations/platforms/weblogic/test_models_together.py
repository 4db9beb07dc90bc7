"""Deploy Tooling models are laid one over the other: the later one counts, and may take objects away."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import ScenarioSpec, parse

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


MODULES = b"""resources:
  JMSServer:
    j: {MessagesMaximum: 10}
  JMSSystemResource:
    M:
      SubDeployment: {S: {Target: j}}
      JmsResource:
        Quota: {small: {MessagesMaximum: 5}}
        ConnectionFactory: {F: {JNDIName: jms/f, ClientParams: {MessagesMaximum: 3}}}
        Queue: {q: {JNDIName: jms/q, Quota: missing, DeliveryFailureParams: {RedeliveryLimit: 2}}}
        DistributedQueue: {d: {DistributedQueueMember: {q: {Weight: 1}}}}
    kept:
      JmsResource:
        Queue: {stays: {}}
"""
WITHOUT = b"""resources:
  JMSSystemResource:
    %s
"""


@pytest.mark.parametrize("module", [b"'!M':", b"!M:"])
def test_a_module_is_taken_away_with_all_that_is_in_it(module: bytes) -> None:
    reading = WEBLOGIC.read({"model.10.yaml": MODULES, "model.20.yaml": WITHOUT % module})
    queues = parse(reading.scenario).queues
    assert [queue.name for queue in queues] == ["stays"]
    assert queues[0].settings.model_dump()["messages_maximum"] == 10
    said = [item for item in reading.account if item.file == "model.20.yaml"]
    assert [(item.status, item.line) for item in said] == [("understood", 3)]
    assert said[0].message == "taken away by this model, with all that is in it"
    assert not [item for item in reading.account if item.status == "unresolved"]


def test_a_module_that_is_replaced_has_only_what_is_new() -> None:
    later = WITHOUT % b"'!M':\n    M: {JmsResource: {Queue: {q: {DeliveryFailureParams: {RedeliveryLimit: 7}}}}}"
    reading = WEBLOGIC.read({"model.10.yaml": MODULES, "model.20.yaml": later})
    queues = {queue.name: queue.settings.model_dump() for queue in parse(reading.scenario).queues}
    assert (sorted(queues), queues["q"]["redelivery_limit"]) == (["q", "stays"], 7)
    assert not [item for item in reading.account if item.status in ("unresolved", "contradictory")]


def test_a_distributed_queue_is_taken_away_and_its_member_stays() -> None:
    later = WITHOUT % b"M: {JmsResource: {DistributedQueue: {'!d': }}}"
    reading = WEBLOGIC.read({"model.10.yaml": MODULES, "model.20.yaml": later})
    assert [queue.name for queue in parse(reading.scenario).queues] == ["q", "stays"]
