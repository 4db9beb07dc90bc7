"""WLST and Deploy Tooling: a domain's work managers are made, changed, removed and taken back."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.consoles import Wlst
from tests.simulations.platforms.samples import scenario_body

MANY = examples(20, nightly=1_000)

managers = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["first", "second", "third"])},
        optional={
            "fair_share": st.integers(1, 1000),
            "max_threads": st.integers(1, 99) | st.just("both"),
            "min_threads": st.integers(1, 9),
            "capacity": st.integers(1, 999),
        },
    ),
    max_size=3,
    unique_by=lambda item: item["name"],
)


@MANY
@given(old=managers, new=managers, counts=st.tuples(st.integers(1, 99), st.integers(1, 99)))
def test_work_managers_are_made_changed_and_removed(
    old: list[dict[str, Any]], new: list[dict[str, Any]], counts: tuple[int, int]
) -> None:
    """WLST and Deploy Tooling: the domain holds what the scenario says, before, after, and before again."""
    shared = [[{"name": "both", "kind": "max_threads", "count": count}] for count in counts]
    empty = parse(scenario_body("weblogic"))
    start = parse(scenario_body("weblogic", server={"work_managers": old, "constraints": shared[0]}))
    path = "servers.payments.settings"
    console = Wlst(servers=["payments"], destinations=[])
    first = PLATFORMS["weblogic"].write(
        empty.system, {f"{path}.work_managers": old, f"{path}.constraints": shared[0]}, "cafe"
    )
    console.run(next(item.apply for item in first if item.format == "wlst"))
    assert _managers_of(console) == _expected(old)
    before = console.snapshot()
    scripts = PLATFORMS["weblogic"].write(
        start.system, {f"{path}.work_managers": new, f"{path}.constraints": shared[1]}, "cafe"
    )
    script = {item.format: item for item in scripts}["wlst"] if old != new or counts[0] != counts[1] else None
    if script is None:
        return
    console.run(script.apply)
    assert _managers_of(console) == _expected(new)
    console.run(script.undo)
    assert _managers_of(console) == _expected(old)
    assert _named(console.snapshot()) == _named(before)


ATTRIBUTES = {
    "fair_share": ("FairShareRequestClass", "FairShare"),
    "min_threads": ("MinThreadsConstraint", "Count"),
    "max_threads": ("MaxThreadsConstraint", "Count"),
    "capacity": ("Capacity", "Count"),
}


def _managers_of(console: Wlst) -> dict[str, dict[str, Any]]:
    """What the domain's work managers say, as the scenario writes it."""
    tuning = console.domain.getSelfTuning()
    found: dict[str, dict[str, Any]] = {}
    for (kind, name), bean in tuning.held.items():
        if kind != "WorkManager":
            continue
        found[name] = {}
        for key, (part, attribute) in ATTRIBUTES.items():
            target = bean.values.get(part)
            if target is not None:
                found[name][key] = "both" if target.name == "both" else target.values[attribute]
    return found


def _expected(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["name"]: {key: value for key, value in item.items() if key != "name"} for item in items}


def _named(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Without references that were set and unset again: None is what an unset one says."""
    return {
        key: _named(value) if isinstance(value, dict) else value for key, value in snapshot.items() if value is not None
    }
