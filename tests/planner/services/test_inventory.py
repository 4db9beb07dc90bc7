"""Stored servers and queues obey the platform's declarations."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner import selectors, services
from planner.errors import Conflict
from planner.models import Server
from planner.services.inventory import queue_read, server_body, server_read
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse, revised

SERVER = {"name": "payments", "cpus": 2, "settings": {"min_servants": 1, "max_servants": 3}}
QUEUE = {
    "name": "orders",
    "arrivals": {"kind": "poisson", "rate": "81/s"},
    "service": {"kind": "exponential", "mean": "200ms"},
    "settings": {"maximum_sessions": 36},
}
OTHER = {
    "sluice": 1,
    "name": "Jobs",
    "platform": "openmq",
    "servers": [{"name": "payments", "cpus": 2}],
    "queues": [
        {
            "name": "jobs",
            "server": "payments",
            "arrivals": {"kind": "saturated"},
            "service": {"kind": "constant", "mean": 1},
        }
    ],
}


@pytest.fixture
def server(owner: User) -> Server:
    """A stored z/OS server."""
    return services.server_store(owner=owner, platform="websphere-zos", read=server_read("websphere-zos", SERVER))


def pointers(error: pytest.ExceptionInfo[InvalidInput]) -> set[str]:
    return {item.pointer for item in error.value.problems}


def test_shared_values_become_columns(server: Server) -> None:
    assert (server.cpus, server.servants_min, server.servants_max, server.workload_profile) == (2, 1, 3, "IOBOUND")


def test_empty_columns_leave_the_settings_to_their_defaults(server: Server) -> None:
    server.workload_profile, server.servants_min = "", None
    settings = server_body(server)["settings"]
    assert "workload_profile" not in settings
    assert "min_servants" not in settings
    assert settings["max_servants"] == server.servants_max


def test_a_platform_without_servants_leaves_the_columns_empty(owner: User) -> None:
    server = services.server_store(owner=owner, platform="openmq", read=server_read("openmq", {"name": "gf"}))
    assert (server.servants_min, server.servants_max, server.workload_profile) == (None, None, "")


def test_all_wrong_values_of_a_server_are_named_from_its_own_root(owner: User) -> None:
    with pytest.raises(InvalidInput) as error:
        services.server_store(
            owner=owner,
            platform="websphere-zos",
            read=server_read("websphere-zos", {"name": "x", "cpus": 0, "settings": {"max_servant": 3}}),
        )
    assert pointers(error) == {"/cpus", "/settings/max_servant"}
    assert {item.path for item in error.value.problems} == {"cpus", "settings.max_servant"}


def test_all_wrong_values_of_a_queue_are_named_from_its_own_root(owner: User, server: Server) -> None:
    wrong: dict[str, Any] = {**QUEUE, "producers": 0, "arrivals": {"kind": "poisson", "rate": "-1/s"}}
    with pytest.raises(InvalidInput) as error:
        services.queue_store(owner=owner, server=server, read=queue_read(server, wrong))
    assert pointers(error) == {"/producers", "/arrivals/rate"}


def test_a_name_is_taken_once(owner: User, stranger: User, server: Server) -> None:
    with pytest.raises(Conflict, match="'payments'"):
        services.server_store(owner=owner, platform="websphere-zos", read=server_read("websphere-zos", SERVER))
    services.server_store(owner=stranger, platform="websphere-zos", read=server_read("websphere-zos", SERVER))
    services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))
    with pytest.raises(Conflict, match="'orders'"):
        services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))


def test_archiving_a_server_hides_its_queues_until_it_is_back(owner: User, server: Server) -> None:
    queue = services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))
    services.row_archive(row=server)
    assert not selectors.servers_list(user=owner)
    assert not selectors.queues_list(user=owner)
    services.row_archive(row=server, archived=False)
    assert list(selectors.queues_list(user=owner)) == [queue]


def test_an_archived_name_is_free_and_its_first_owner_cannot_come_back_to_it(owner: User, server: Server) -> None:
    services.row_archive(row=server)
    services.server_store(owner=owner, platform="websphere-zos", read=server_read("websphere-zos", SERVER))
    with pytest.raises(Conflict, match="'payments'"):
        services.row_archive(row=server, archived=False)


def test_an_archived_queue_comes_back(owner: User, server: Server) -> None:
    queue = services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))
    services.row_archive(row=queue)
    assert list(selectors.queues_list(user=owner, archived=True)) == [queue]
    services.row_archive(row=queue, archived=False)
    assert list(selectors.queues_list(user=owner)) == [queue]


@pytest.mark.parametrize("change", [{"cpus": 0}, {"instances": 0}, {"servants_min": 4}])
def test_the_database_refuses_what_makes_no_sense(server: Server, change: dict[str, int]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Server.objects.filter(pk=server.pk).update(**change)


def test_a_queue_keeps_a_size_or_its_distribution(server: Server) -> None:
    plain = services.queue_store(
        owner=server.owner, server=server, read=queue_read(server, {**QUEUE, "message_size": "2kB"})
    )
    law = {"kind": "lognormal", "mean": "2kB", "cv": 2}
    events = {**QUEUE, "name": "events", "message_size": law}
    drawn = services.queue_store(owner=server.owner, server=server, read=queue_read(server, events))
    for queue in (plain, drawn):
        queue.refresh_from_db()
    assert plain.message_size == 2000.0
    assert drawn.message_size == {
        "kind": "lognormal",
        "mean": 2000.0,
        "cv": 2.0,
        "p50": None,
        "p95": None,
        "p99": None,
    }
    with pytest.raises(InvalidInput) as error:
        services.queue_update(queue=drawn, body={**events, "message_size": {**law, "mean": "2ms"}})
    assert pointers(error) == {"/message_size/mean"}


def test_a_queue_of_a_chain_is_checked_without_the_others(server: Server) -> None:
    sends = [{"name": "ledger", "messages": 2}, {"name": "mail"}]
    middle = {**QUEUE, "arrivals": {"kind": "none"}, "sends": sends}
    queue = services.queue_store(owner=server.owner, server=server, read=queue_read(server, middle))
    queue.refresh_from_db()
    assert queue.sends == [{"name": "ledger", "messages": 2.0}, {"name": "mail", "messages": 1.0}]
    assert queue.arrivals == {"kind": "none"}


@pytest.mark.parametrize(
    ("sends", "pointer"),
    [
        ([{"name": "orders"}], "/sends/0/name"),
        ([{"name": "x" * 300}], "/sends/0/name"),
        ([{"name": "ledger"}, {"name": "ledger"}], "/sends/1/name"),
        ([{"name": "ledger", "messages": -1}], "/sends/0/messages"),
        ([{"name": ["ledger"]}], "/sends/0/name"),
        ([{"messages": 1}], "/sends/0/name"),
        (["ledger"], "/sends/0"),
        (7, "/sends"),
    ],
)
def test_what_a_stored_queue_sends_is_checked_like_that_of_a_scenario(
    server: Server, sends: object, pointer: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        queue_read(server, {**QUEUE, "sends": sends})
    assert pointers(error) == {pointer}


def test_storing_a_scenario_leaves_servers_of_other_platforms_as_they_are(server: Server, owner: User) -> None:
    queue = services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))
    other = parse(OTHER)
    with pytest.raises(Conflict, match=r"server 'payments' belongs to another platform; rename"):
        services.inventory_save(owner=owner, spec=other)
    assert list(Server.objects.values_list("platform", flat=True)) == ["websphere-zos"]
    assert services.scenario_composed(name="x", queues=[queue]).platform == "websphere-zos"
    renamed = revised(other, [(("servers", 0, "name"), "jobs"), (("queues", 0, "server"), "jobs")])
    assert [stored.platform for stored in services.inventory_save(owner=owner, spec=renamed)] == ["openmq"]
