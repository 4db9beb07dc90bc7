"""Kinds of values in forms: what another kind keeps and what it starts with."""

from frontend.workbench.kinds import as_variant, declared, members, started_over, with_kinds
from simulations.declarations.system import Queue

SERVICE = {"kind": "exponential", "mean": 0.2}
BODY = {"queues": [{"arrivals": {"kind": "poisson", "rate": 10.0}, "service": SERVICE, "message_size": 2000}]}


def test_only_values_told_by_their_kind_have_members() -> None:
    assert len(members(Queue, "service")) > 1
    assert members(Queue, "name") == ()
    assert "name" in declared(Queue)


def test_one_size_for_all_is_a_constant() -> None:
    assert as_variant(2000) == {"kind": "constant", "mean": 2000}
    assert as_variant(SERVICE) is SERVICE


def test_another_kind_keeps_what_both_have_and_starts_the_rest() -> None:
    variants, place = members(Queue, "service"), "queues.0.service"
    assert with_kinds(place, variants, SERVICE, {}) == SERVICE
    changed = with_kinds(place, variants, SERVICE, {f"{place}.kind": "lognormal"})
    assert (changed["kind"], changed["mean"]) == ("lognormal", 0.2)
    assert changed["cv"] is not None
    assert with_kinds(place, variants, SERVICE, {f"{place}.kind": "weird"}) == {**SERVICE, "kind": "weird"}


def test_fields_of_a_changed_kind_start_over() -> None:
    values = {"queues.0.service.kind": "lognormal", "queues.0.arrivals.kind": "poisson", "queues.0.name": "orders"}
    assert started_over(BODY, values) == ("queues.0.service.",)
    assert started_over(BODY, {"queues.0.message_size.kind": "exponential"}) == ("queues.0.message_size.",)
    assert started_over(BODY, {"queues.7.service.kind": "lognormal", "queues.x.kind": "a"}) == ()
