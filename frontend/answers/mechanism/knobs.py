"""Which settings are limits on the path, and at which station each of them acts."""

from collections.abc import Iterable, Mapping

from frontend.answers.mechanism.lane import Kind, Knob
from frontend.wording.numbers import setting_text
from simulations.declarations.declared import Setting
from simulations.declarations.path_text import keys_in
from simulations.declarations.problems import InvalidInput
from simulations.declarations.system import Background, Queue, Server
from simulations.engine.network.model import NetworkSpec
from simulations.experiment import with_overrides
from simulations.experiment.names import settings_in
from simulations.scenario.spec import ScenarioSpec

MOST_KNOBS = 2
"""Knobs of one station, its first ones; the form has the others."""
SETTINGS: Mapping[Kind, str] = {
    "producers": "flow_maximum flow_minimum",
    "destination": "messages_threshold_high messages_threshold_low messages_quota max_num_msgs",
    "limit": "maximum_sessions receive_timeout consumer_flow_limit shared_consumer_flow_limit consumer_flow_threshold",
    "prepared": "messages_maximum",
    "threads": "fair_share max_threads max_servants custom_threads listener_pool_maximum adapter_pool_maximum "
    "bean_pool_maximum max_pool_size thread_pool_maximum max_messages_in_transaction",
    "cpu": "cpus instances",
}


def knobs_of(spec: ScenarioSpec, network: NetworkSpec) -> Mapping[str, Mapping[Kind, tuple[Knob, ...]]]:
    """Return the knobs by lane and station: numbers that are given and that the simulation sees move."""
    kinds = {name: kind for kind, names in SETTINGS.items() for name in names.split()}
    order = list(kinds)
    given = [item for item in settings_in(spec) if item.declaration.name in kinds and _limits(item)]
    lanes: dict[str, dict[Kind, tuple[Knob, ...]]] = {}
    for item in sorted(given, key=lambda item: order.index(item.declaration.name)):
        kind = kinds[item.declaration.name]
        here = lanes.setdefault(_lane(spec, item) or "", {})
        if len(here.get(kind, ())) < MOST_KNOBS and _acts(spec, network, item):
            knob = Knob(item.path, item.declaration.title, setting_text(item.value, item.declaration.unit))
            here[kind] = (*here.get(kind, ()), knob)
    return lanes


def works_of(queues: Iterable[Queue], servers: Iterable[Server]) -> list[Queue | Background]:
    """Return what uses the threads, in the engine's order: queues, then other work."""
    return [*queues, *(work for server in servers for work in server.background)]


def _limits(setting: Setting) -> bool:
    """Whether a number is given that is no word for unlimited; a single server is no cluster."""
    value, declared = setting.value, setting.declaration
    given = isinstance(value, int | float) and declared.is_number and value != declared.quantity.unlimited
    return given and (declared.name, value) != ("instances", 1)


def _lane(spec: ScenarioSpec, setting: Setting) -> str | None:
    """The queue or work that a setting belongs to; what all lanes of a server share stands at the first of them."""
    part, owner, *keys = keys_in(setting.path)
    if part == "queues":
        return owner
    server = next(item for item in spec.system.servers if item.name == owner)
    users = {item.name: item.settings for item in works_of(spec.system.queues_of(server), [server])}
    if keys[:2] != ["settings", "work_managers"]:
        return next(iter(users), None)
    if setting.declaration.name == "fair_share" and len(users) == 1:
        return None  # nobody to share with
    return next((name for name, own in users.items() if getattr(own, "work_manager", "") == keys[2]), None)


def _acts(spec: ScenarioSpec, network: NetworkSpec, setting: Setting) -> bool:
    """Whether either end of the typical range is simulated differently."""
    for value in setting.declaration.typical or ():
        try:
            if with_overrides(spec, {setting.path: value}).network() != network:
                return True
        except InvalidInput:
            continue
    return False
