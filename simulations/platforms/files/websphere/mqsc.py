"""MQSC commands in a shell script: the backout threshold is an attribute of the IBM MQ queue, not of the server."""

from simulations.declarations.system import Queue, System
from simulations.declarations.tables import part
from simulations.platforms.files.patching.shell import Value, shell_script
from simulations.platforms.shared.family import Change, Script

MQSC = part(__file__, "mqsc.sh")


def backout_script(system: System, changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the script for the backout thresholds among the changes; a listener port does not name its MQ queue."""
    variables = {queue.name: f"QUEUE{number or ''}" for number, queue in enumerate(system.queues)}
    names = {
        variables[queue.name]: queue.name if queue.identity is None else queue.identity.part("mq_queue").name
        for queue in system.queues
    }

    def values(mine: tuple[Change, ...]) -> list[Value]:
        return [
            (change.path, f'"${variables[change.entity.name]}"', "BOTHRESH", str(change.after))
            for change in mine
            if change.setting == "backout_threshold" and isinstance(change.entity, Queue)
        ]

    return shell_script("mqsc", changes, values, MQSC, scenario_hash, names)
