"""Which settings are limits on the path, and at which station each of them acts."""

from collections.abc import Iterator, Mapping

from frontend.answers.mechanism.model import Kind, Knob
from frontend.wording.numbers import plain, setting_text
from simulations.declarations.declared import Setting
from simulations.declarations.path_text import keys_in
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import NetworkSpec
from simulations.experiment import with_overrides
from simulations.experiment.names import settings_in
from simulations.scenario.spec import ScenarioSpec

MOST_KNOBS = 3
"""Knobs of one station; the form has the others."""
STATIONS: Mapping[str, Kind] = {
    "flow_maximum": "producers",
    "flow_minimum": "producers",
    "flow_interval": "producers",
    "messages_threshold_high": "destination",
    "messages_threshold_low": "destination",
    "messages_quota": "destination",
    "max_num_msgs": "destination",
    "maximum_sessions": "limit",
    "receive_timeout": "limit",
    "consumer_flow_limit": "limit",
    "destination_consumer_flow_limit": "limit",
    "shared_consumer_flow_limit": "limit",
    "consumer_flow_threshold": "limit",
    "messages_maximum": "prepared",
    "fair_share": "threads",
    "max_threads": "threads",
    "max_servants": "threads",
    "custom_threads": "threads",
    "listener_pool_maximum": "threads",
    "adapter_pool_maximum": "threads",
    "bean_pool_maximum": "threads",
    "max_pool_size": "threads",
    "thread_pool_maximum": "threads",
    "max_messages_in_transaction": "threads",
    "cpus": "cpu",
    "instances": "cpu",
}
"""Name of a setting -> where it acts, the first ones first."""
_ORDER = list(STATIONS)


def knobs_of(spec: ScenarioSpec, network: NetworkSpec) -> dict[tuple[str, Kind], tuple[Knob, ...]]:
    """Return the knobs by lane and station: numbers that are given and that the simulation sees move."""
    places: dict[tuple[str, Kind], list[tuple[int, Knob]]] = {}
    for setting in settings_in(spec):
        name = setting.declaration.name
        lane = _lane(spec, setting) if name in STATIONS and _is_limit(setting) else None
        if lane is None or not _acts(spec, network, setting):
            continue
        knob = Knob(setting.path, setting.declaration.title, _text(setting))
        places.setdefault((lane, STATIONS[name]), []).append((_ORDER.index(name), knob))
    ordered = {place: sorted(found, key=lambda item: item[0]) for place, found in places.items()}
    return {place: tuple(knob for _, knob in found[:MOST_KNOBS]) for place, found in ordered.items()}


def _is_limit(setting: Setting) -> bool:
    """Whether a number is given and limits anything; a single server is no cluster."""
    value, single = setting.value, setting.declaration.name == "instances" and setting.value == 1
    return isinstance(value, int | float) and value != setting.declaration.quantity.unlimited and not single


def _text(setting: Setting) -> str:
    """The value; counts stand bare, as their name says what is counted."""
    unit = setting.declaration.unit
    return setting_text(setting.value, unit) if unit in ("s", "B", "/s", "%") else plain(setting.value)


def _lane(spec: ScenarioSpec, setting: Setting) -> str | None:
    """The queue or the work that a setting belongs to; what all of a server's share stands at the first of them."""
    part, owner, *keys = keys_in(setting.path)
    if part == "queues":
        return owner
    manager = keys[2] if keys[:2] == ["settings", "work_managers"] else None
    users = list(_users(spec, owner))
    if setting.declaration.name == "fair_share" and len(users) == 1:
        return None  # nobody to share with
    return next((name for name, used in users if manager is None or used == manager), None)


def _users(spec: ScenarioSpec, server: str) -> Iterator[tuple[str, str]]:
    """Queues and other work of a server, each with its work manager where the platform has such."""
    works = [work for item in spec.system.servers if item.name == server for work in item.background]
    for user in (*(queue for queue in spec.queues if queue.server == server), *works):
        yield user.name, getattr(user.settings, "work_manager", "")


def _acts(spec: ScenarioSpec, network: NetworkSpec, setting: Setting) -> bool:
    return any(_changes(spec, network, setting.path, value) for value in setting.declaration.typical or ())


def _changes(spec: ScenarioSpec, network: NetworkSpec, path: str, value: float) -> bool:
    try:
        return with_overrides(spec, {path: value}).network() != network
    except InvalidInput:
        return False
