"""Domains with several clusters: targets tell which servers run the beans; where they do not, the account says so."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import parse

WEBLOGIC = PLATFORMS["weblogic"]
SERVER = b"""<server><name>%s</name>
<self-tuning-thread-pool-size-min>%d</self-tuning-thread-pool-size-min><cluster>%s</cluster></server>"""
SERVERS = SERVER % (b"a1", 3, b"a") + SERVER % (b"b1", 7, b"b") + SERVER % (b"b2", 7, b"b")
APPLICATION = b"<app-deployment><name>%s</name><target>%s</target></app-deployment>"
OPEN = "the files leave open whether the beans run on %s: the former counts; another can be chosen"


def read(parts: bytes, start: bytes = SERVERS) -> tuple[int, int, list[tuple[str, int]]]:
    """Instances, smallest size of the pool, and what is open about the server with its line."""
    reading = WEBLOGIC.read({"config.xml": b'<domain xmlns="weblogic">\n%s%s</domain>' % (start, parts)})
    server = parse(reading.scenario).servers[0]
    return server.instances, server.settings.model_dump()["thread_pool_minimum"], opened(reading)


def opened(reading: Reading) -> list[tuple[str, int]]:
    assert not [item for item in reading.account if item.status == "contradictory"]
    open_lines = [item for item in reading.account if item.status == "unresolved"]
    return [(item.message, item.line) for item in open_lines if item.path == "servers.server.instances"]


def test_without_targets_the_first_cluster_counts_and_the_account_says_so() -> None:
    assert read(b"") == (1, 3, [(OPEN % "a/a1 or on b/b1, b/b2", 3)])


def test_a_server_with_an_empty_cluster_is_no_member() -> None:
    admin = b'<server><name>admin</name><cluster xsi:nil="true" xmlns:xsi="i"></cluster></server>'
    assert read(b"", admin + SERVER % (b"a1", 3, b"a")) == (1, 3, [])


MANAGER = b"<self-tuning><work-manager><name>w</name><target>%s</target></work-manager></self-tuning>"
MODULE = b"<jms-system-resource><name>M</name><target>%s</target></jms-system-resource>"


@pytest.mark.parametrize("named", [APPLICATION % (b"shop", b"b"), MANAGER % b"b", MODULE % b"b", MODULE % b"b2"])
def test_the_cluster_that_targets_name_counts(named: bytes) -> None:
    assert read(named) == (2, 7, [])


def test_an_application_comes_before_other_targets_and_runs_on_all_of_its_own() -> None:
    assert read(APPLICATION % (b"shop", b"b") + MANAGER % b"a") == (2, 7, [])
    assert read(APPLICATION % (b"shop", b"b1")) == (1, 7, [])
    same = SERVERS.replace(b">3<", b">7<")
    assert read(APPLICATION % (b"shop", b"a,b"), same) == (3, 7, [])


def test_applications_on_different_clusters_leave_it_open() -> None:
    parts = APPLICATION % (b"console", b"admin") + APPLICATION % (b"shop", b"b") + APPLICATION % (b"other", b"a")
    assert read(parts) == (2, 7, [(OPEN % "b/b1, b/b2 or on a/a1", 4)])


FIRST = b"""topology:
  Server:
    a1: {Cluster: a, SelfTuningThreadPoolSizeMin: 3}
    b1: {Cluster: b, SelfTuningThreadPoolSizeMin: 7}
    b2: {Cluster: b, SelfTuningThreadPoolSizeMin: 7}
appDeployments:
  Application:
    shop: {Target: a}
"""
LATER = b"""topology:
  Server:
    b1: {Cluster: b, SelfTuningThreadPoolSizeMin: 9}
    b2: {SelfTuningThreadPoolSizeMin: 9}
appDeployments:
  Application:
    shop: {Target: [b]}
"""


def test_a_server_that_a_later_model_states_again_is_one_server() -> None:
    reading = WEBLOGIC.read({"model.10.yaml": FIRST, "model.20.yaml": LATER})
    server = parse(reading.scenario).servers[0]
    assert (server.instances, server.settings.model_dump()["thread_pool_minimum"]) == (2, 9)
    assert not opened(reading)
