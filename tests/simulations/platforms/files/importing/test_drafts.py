"""What a command printed is not the place of a setting; another file may be."""

from collections.abc import Mapping
from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing.drafts import CHOICE, OUTPUT, chosen_in, unpatched, without_choice
from simulations.platforms.shared.spots import Addition, New, Place, Spot
from simulations.scenario.spec import ScenarioSpec, parse


def test_only_the_places_in_outputs_go() -> None:
    here, there = Addition("a.txt", 0, New("x")), Addition("domain.xml", 0, New("x"))
    stated = Spot((Place("domain.xml", 1, 2),))
    spots = {"both": Spot((), (here, there)), "output": Spot((), (here,)), "none": stated}
    found = unpatched(spots, {"a.txt"})
    assert found == {"both": Spot((), (there,)), "output": Spot(), "none": stated}
    assert (found["output"].refusal, found["none"].refusal) == (OUTPUT, "")


DOMAIN = b"""<domain><clusters><cluster name="shop" config-ref="s-config"/><cluster name="bank" config-ref="b-config">
<server-ref ref="1"/><server-ref ref="2"/></cluster></clusters>
<servers><server name="alone" config-ref="a-config"/></servers>
<configs><config name="s-config"><mdb-container max-pool-size="11"/></config>
<config name="b-config"><mdb-container max-pool-size="12"/></config>
<config name="a-config"><mdb-container max-pool-size="13"/></config></configs></domain>"""
CONFIG = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><server><name>admin</name>
<self-tuning-thread-pool-size-max>13</self-tuning-thread-pool-size-max></server>
<server><name>s1</name><cluster>shop</cluster><self-tuning-thread-pool-size-max>11</self-tuning-thread-pool-size-max></server>
<server><name>b1</name><cluster>bank</cluster><self-tuning-thread-pool-size-max>12</self-tuning-thread-pool-size-max></server>
<server><name>b2</name><cluster>bank</cluster><self-tuning-thread-pool-size-max>12</self-tuning-thread-pool-size-max></server>
</domain>"""
SERVERS = b"""<xmi:XMI xmlns:xmi="x" xmlns:process="p"><process:Server name="shop">%s</process:Server>
<process:Server name="bank">%s</process:Server></xmi:XMI>"""
PORTS = b'<services xmi:type="m:MessageListenerService"><listenerPorts name="p" maxSessions="%d"/></services>'
WAS = SERVERS % (PORTS % 11, PORTS % 12)
DOTTED = b"""clusters.cluster.shop.config-ref=s-config
clusters.cluster.bank.config-ref=b-config
configs.config.s-config.mdb-container.max-pool-size=11
configs.config.b-config.mdb-container.max-pool-size=12
"""
CASES = [
    ("openmq", {"domain.xml": DOMAIN}, "max_pool_size"),
    ("openmq", {"get.txt": DOTTED}, "max_pool_size"),
    ("weblogic", {"config.xml": CONFIG}, "thread_pool_maximum"),
    ("websphere", {"server.xml": WAS}, "maximum_sessions"),
    ("websphere-zos", {"server.xml": WAS}, "maximum_sessions"),
]


def read(platform: str, files: Mapping[str, bytes], choice: str = "") -> ScenarioSpec:
    chosen = {CHOICE: choice.encode()} if choice else {}
    return parse(PLATFORMS[platform].read({**files, **chosen}).scenario)


def held(spec: ScenarioSpec, setting: str) -> list[Any]:
    settings = [*(server.settings for server in spec.servers), *(queue.settings for queue in spec.queues)]
    return [getattr(item, setting) for item in settings if hasattr(item, setting)]


@pytest.mark.parametrize(("platform", "files", "setting"), CASES)
@pytest.mark.parametrize(("choice", "value"), [("shop", 11), ("bank", 12)])
def test_what_was_chosen_counts(
    platform: str, files: Mapping[str, bytes], setting: str, choice: str, value: int
) -> None:
    assert held(read(platform, files, choice), setting) == [value]


@pytest.mark.parametrize(("platform", "files", "setting"), CASES)
def test_what_is_not_there_is_refused_with_what_is(platform: str, files: Mapping[str, bytes], setting: str) -> None:
    with pytest.raises(InvalidInput, match=r"no cluster and no server of this name; .*shop"):
        read(platform, files, "shoq")


def test_a_single_server_may_be_chosen_too() -> None:
    assert held(read("openmq", {"domain.xml": DOMAIN}, "alone"), "max_pool_size") == [13]
    assert held(read("weblogic", {"config.xml": CONFIG}, "admin"), "thread_pool_maximum") == [13]


@pytest.mark.parametrize(
    ("platform", "files", "members"),
    [("openmq", {"domain.xml": DOMAIN}, 2), ("weblogic", {"config.xml": CONFIG}, 2)],
)
def test_the_members_of_the_cluster_are_counted_and_nothing_is_open(
    platform: str, files: Mapping[str, bytes], members: int
) -> None:
    assert read(platform, files, "bank").servers[0].instances == members
    reading = PLATFORMS[platform].read({**files, CHOICE: b"bank"})
    assert not [line for line in reading.account if line.status == "unresolved" and line.path.startswith("servers.")]


@pytest.mark.parametrize(
    ("platform", "files", "path", "old", "new"),
    [
        ("openmq", {"domain.xml": DOMAIN}, "servers.server.settings.max_pool_size", b'"12"', b'"40"'),
        ("weblogic", {"config.xml": CONFIG}, "servers.server.settings.thread_pool_maximum", b">12<", b">40<"),
        ("websphere", {"server.xml": WAS}, "queues.p.settings.maximum_sessions", b'"12"', b'"40"'),
    ],
)
def test_a_change_goes_to_what_was_chosen(
    platform: str, files: Mapping[str, bytes], path: str, old: bytes, new: bytes
) -> None:
    family, chosen = PLATFORMS[platform], {**files, CHOICE: b"bank"}
    assert family.patch
    (script,) = family.patch(chosen, read(platform, files, "bank").system, {path: 40}, "cafe").scripts
    (content,) = files.values()
    assert script.apply.replace("\n<!-- Patched by Sluice for the scenario cafe -->", "").encode() == content.replace(
        old, new
    )
    assert (chosen_in(chosen), without_choice(chosen)) == ("bank", dict(files))
