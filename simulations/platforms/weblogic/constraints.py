"""Constraints of one server as the engine numbers them: a shared one once, an inline one per work manager."""

from simulations.engine.network.model import Constraint
from simulations.platforms.shared.queues import settings_of
from simulations.platforms.weblogic.parameters.server import Kind, ServerSettings, WorkManager
from simulations.system import Server

KINDS: tuple[Kind, ...] = ("min_threads", "max_threads", "capacity")
FIELDS = {"min_threads": "minimum", "max_threads": "maximum", "capacity": "capacity"}


class Constraints:
    """Collects the constraints of one server while its streams are made."""

    def __init__(self, server: Server) -> None:
        shared = settings_of(server, ServerSettings).constraints
        self._counts = {item.name: item.count for item in shared}
        self._all: list[Constraint] = []
        self._index: dict[tuple[str, str], int] = {}

    @property
    def all(self) -> tuple[Constraint, ...]:
        """All constraints that were asked for, in the order of their numbers."""
        return tuple(self._all)

    def of_manager(self, manager: WorkManager) -> tuple[int, ...]:
        """Return the numbers of the constraints of a work manager."""
        found = []
        for kind in KINDS:
            value = getattr(manager, kind)
            if isinstance(value, str):
                found.append(self._number(("shared", value), kind, self._counts[value]))
            elif value is not None:
                found.append(self._number((kind, manager.name), kind, value))
        return tuple(found)

    def of_queue(self, manager: WorkManager, execute_queue_size: int | None) -> tuple[int, ...]:
        """Return the numbers for an MDB; an execute queue of its own reserves its threads instead."""
        if execute_queue_size is None:
            return self.of_manager(manager)
        self._all.append(Constraint(minimum=execute_queue_size, maximum=execute_queue_size))
        return (len(self._all) - 1,)

    def _number(self, key: tuple[str, str], kind: Kind, count: int) -> int:
        if key not in self._index:
            self._index[key] = len(self._all)
            self._all.append(Constraint(**{FIELDS[kind]: count}))
        return self._index[key]
