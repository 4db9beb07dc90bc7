"""Suspensions, reconnecting, members, stuck threads and overload: read from files, simulated or derived, written."""

from typing import Any

from simulations.engine.network.results import Count, Sum
from simulations.engine.replicate import replicate
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.consoles import Wlst
from tests.simulations.platforms.samples import formula_value, scenario_body

DESCRIPTOR = b"""<weblogic-ejb-jar xmlns="http://xmlns.oracle.com/weblogic/weblogic-ejb-jar">
  <weblogic-enterprise-bean>
    <ejb-name>Orders</ejb-name>
    <message-driven-descriptor>
      <pool>
        <max-beans-in-free-pool>12</max-beans-in-free-pool>
        <initial-beans-in-free-pool>4</initial-beans-in-free-pool>
      </pool>
      <jms-polling-interval-seconds>20</jms-polling-interval-seconds>
      <distributed-destination-connection>EveryMember</distributed-destination-connection>
      <init-suspend-seconds>2</init-suspend-seconds>
    </message-driven-descriptor>
  </weblogic-enterprise-bean>
</weblogic-ejb-jar>
"""
CONFIG = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
  <server>
    <name>server</name>
    <stuck-thread-max-time>900</stuck-thread-max-time>
    <overload-protection>
      <shared-capacity-for-work-managers>5000</shared-capacity-for-work-managers>
    </overload-protection>
  </server>
</domain>
"""
MODEL = b"""topology:
    Server:
        server:
            StuckThreadMaxTime: 900
            OverloadProtection:
                SharedCapacityForWorkManagers: 5000
"""
BEAN = {
    "initial_beans_in_free_pool": 4,
    "jms_polling_interval": 20,
    "init_suspend": 2,
    "max_suspend": 60,
    "distributed_destination_connection": "EveryMember",
}
SERVER = {"stuck_thread_max_time": 900, "stuck_thread_timer_interval": 60, "shared_capacity": 5000}


def spec_of(**files: bytes) -> ScenarioSpec:
    return parse(WEBLOGIC.read({name.replace("_", "."): content for name, content in files.items()}).scenario)


def read(settings: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    return {key: settings.model_dump()[key] for key in wanted}


def patched(file: str, content: bytes, chosen: dict[str, Any]) -> str:
    assert WEBLOGIC.patch
    system = parse(WEBLOGIC.read({file: content}).scenario).system
    result = WEBLOGIC.patch({file: content}, system, chosen, "0123abcd")
    assert not result.refused
    return result.scripts[0].apply


def test_a_descriptor_states_suspensions_members_and_beans() -> None:
    assert read(spec_of(bean_xml=DESCRIPTOR).queues[0].settings, BEAN) == BEAN


def test_a_domain_and_a_model_state_stuck_threads_and_overload() -> None:
    assert read(spec_of(config_xml=CONFIG).servers[0].settings, SERVER) == SERVER
    assert read(spec_of(model_yaml=MODEL).servers[0].settings, SERVER) == SERVER


def test_a_descriptor_is_patched_and_gets_what_it_lacks() -> None:
    new = {"jms_polling_interval": 15.0, "init_suspend": 1.0, "max_suspend": 30.0, "initial_beans_in_free_pool": 6}
    text = patched("bean.xml", DESCRIPTOR, {f"queues.Orders.settings.{key}": value for key, value in new.items()})
    assert "<max-suspend-seconds>30</max-suspend-seconds>" in text
    assert read(spec_of(bean_xml=text.encode()).queues[0].settings, new) == new
    order = [text.index(name) for name in ("<jms-polling-int", "<distributed-dest", "<init-suspend", "<max-suspend")]
    assert order == sorted(order), "the schema's order"


def test_a_domain_and_a_model_are_patched_and_get_what_they_lack() -> None:
    new = {"stuck_thread_max_time": 700.0, "stuck_thread_timer_interval": 30.0, "shared_capacity": 800}
    chosen = {f"servers.server.settings.{key}": value for key, value in new.items()}
    text = patched("config.xml", CONFIG, chosen)
    assert read(spec_of(config_xml=text.encode()).servers[0].settings, new) == new
    text = patched("model.yaml", MODEL, chosen)
    assert read(spec_of(model_yaml=text.encode()).servers[0].settings, new) == new


def test_overload_protection_is_added_where_a_server_has_none() -> None:
    bare = (
        b"<domain xmlns='http://xmlns.oracle.com/weblogic/domain'>\n <server>\n  <name>s</name>\n </server>\n</domain>"
    )
    text = patched("config.xml", bare, {"servers.server.settings.shared_capacity": 900})
    assert "<shared-capacity-for-work-managers>900</shared-capacity-for-work-managers>" in text
    assert read(spec_of(config_xml=text.encode()).servers[0].settings, {"shared_capacity": 0}) == {
        "shared_capacity": 900
    }


def test_scripts_write_stuck_threads_and_overload() -> None:
    new = {"stuck_thread_max_time": 700.0, "stuck_thread_timer_interval": 30.0, "shared_capacity": 800}
    chosen = {f"servers.payments.settings.{key}": value for key, value in new.items()}
    scripts = {
        item.format: item for item in WEBLOGIC.write(parse(scenario_body("weblogic")).system, chosen, "0123abcd")
    }
    console = Wlst(servers=["payments"], destinations=[])
    console.run(scripts["wlst"].apply, anyway=True)
    server = console.snapshot()["Server.payments"]
    assert server == {
        "StuckThreadMaxTime": 700,
        "StuckThreadTimerInterval": 30,
        "OverloadProtection.": {"SharedCapacityForWorkManagers": 800},
    }
    assert read(spec_of(model_yaml=scripts["wdt"].apply.encode()).servers[0].settings, new) == new
    console.run(scripts["wlst"].undo)
    assert console.snapshot()["Server.payments"]["StuckThreadMaxTime"] == 600


def test_every_member_has_a_pool_of_its_own() -> None:
    members = {"distributed_destination_connection": "EveryMember"}
    for kind, instances, concurrency in (("queue", 3, 48), ("queue", 1, 16), ("topic", 3, 1)):
        spec = parse(scenario_body("weblogic", queue=members, kind=kind, instances=instances))
        assert spec.network().streams[0].concurrency == concurrency
    assert (
        formula_value(
            WEBLOGIC.derive(parse(scenario_body("weblogic", queue=members, instances=3)).system), "cluster_concurrency"
        )
        == 144
    )


def _assumed(**changes: Any) -> list[str]:
    findings = WEBLOGIC.derive(parse(scenario_body("weblogic", **changes)).system).findings
    return [item.message for item in findings if item.rule == "weblogic.one-queue-for-all"]


def test_a_cluster_says_that_its_members_share_one_queue() -> None:
    (local,) = _assumed(instances=3)
    assert "all 3 servers take from one queue. LocalOnly" in local
    assert "1/3 of the arrivals" in local
    (every,) = _assumed(instances=3, queue={"distributed_destination_connection": "EveryMember"})
    assert "LocalOnly" not in every
    assert _assumed() == _assumed(instances=3, kind="topic") == []
    assert _assumed(instances=3, queue={"destination": "foreign"}) == []


def test_a_member_with_its_own_messages_is_slower_than_one_that_shares() -> None:
    def latency(instances: int, rate: float) -> float:
        arrivals, service = {"kind": "poisson", "rate": rate}, {"kind": "exponential", "mean": 0.2}
        settings = {"messages_maximum": 1}
        body = scenario_body("weblogic", queue=settings, instances=instances, arrivals=arrivals, service=service)
        result = replicate(parse(body).network(), seed=1, replication=0)
        return float(result.sums[:, 0, Sum.LATENCY].sum() / result.counts[:, 0, Count.COMPLETED].sum())

    assert latency(1, 72.0) > 1.1 * latency(3, 3 * 72.0)


def test_what_waits_after_an_outage() -> None:
    settings = {"jms_polling_interval": 15.0, "init_suspend": 5.0, "max_suspend": 60.0}
    derivation = WEBLOGIC.derive(parse(scenario_body("weblogic", queue=settings)).system)
    assert formula_value(derivation, "reconnected_within") == 15
    assert formula_value(derivation, "back_after") == 60
    assert formula_value(derivation, "outage_backlog") == 20 * 60
    assert formula_value(derivation, "suspensions") == 5, "5, 10, 20, 40 and then 60 s"
