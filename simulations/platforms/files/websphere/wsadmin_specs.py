"""wsadmin statements about activation specifications: changed where they are, made in place of a listener port."""

from collections.abc import Collection

from simulations.declarations.parameters import addresses_of
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.files.patching.shell import plain
from simulations.platforms.files.websphere.wsadmin import OF_SIB, Found, Writer, flag_of, vendor_name
from simulations.platforms.shared.activation import SPEC, is_spec
from simulations.platforms.shared.family import Change

NO_EFFECT = "without effect in this mode"
NO_PORT = "no script makes the listener port that would take the place of the activation specification"
CUSTOM = "MaxInFlight"
"""How custom properties begin; the others have flags of their own."""
BY_HAND = "done by hand for an activation specification of the default messaging provider"


def spec_switch(after: System) -> Writer:
    """Return the writer that makes the activation specification of a port as it is in ``after``, or removes it. What
    the specification has is said here alone: one that is removed has nothing left to take back."""
    queues = {queue.name: queue for queue in after.queues}

    def found_by(server: str, entity: Server | Queue) -> Found:
        queue = queues[entity.name]
        kind = "javax.jms.Topic" if queue.kind == "topic" else "javax.jms.Queue"
        said, given = ["-destinationType", kind], []
        for (key,), item in addresses_of(type(queue.settings), SPEC).items():
            value = plain(getattr(queue.settings, item.name), item.quantity.factor)
            if key.startswith(CUSTOM):
                given.append((key, value))
            elif key not in OF_SIB:
                said += [f"-{flag_of(key)}", value]
        return "NewSpec", (server, vendor_name(queue), tuple(said), tuple(given))

    return Writer(found_by, lambda value, name: name if value == "activation_spec" else None)


def becoming(before: System, after: System) -> frozenset[str]:
    """Return the names of the queues whose listener port gives way to an activation specification."""
    new = {queue.name for queue in after.queues if is_spec(queue)}
    return frozenset(queue.name for queue in before.queues if not is_spec(queue) and queue.name in new)


def refusals(
    changes: tuple[Change, ...], before: System, after: System, of_ports: Collection[str], of_specs: Collection[str]
) -> dict[str, str]:
    """Return the paths of changes that no script writes, as they belong to the endpoint that is not there, and why."""
    specs, gone = {queue.name for queue in after.queues if is_spec(queue)}, becoming(after, before)
    found = {}
    for change in changes:
        name = change.entity.name
        if name in gone and change.setting in (*of_ports, "mode", "endpoint"):
            found[change.path] = NO_PORT
        elif change.setting in (of_ports if name in specs else of_specs):
            found[change.path] = NO_EFFECT
    return found


def ports_alone(system: System) -> System:
    """Return the system with its listener ports only: a property of their service says nothing about others."""
    queues = tuple(queue for queue in system.queues if not is_spec(queue))
    return System.model_construct(platform=system.platform, servers=system.servers, queues=queues)
