"""What the campaign does to an installation, and in which order."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

SERVICES = ("web", "web process", "worker", "worker process", "Spark", "Python of Spark", "broker")
PARTS = (*SERVICES, "supervisor", "watchdog")
SUPERVISED = ("web", "worker", "Spark", "broker")
SIGNALS = ("SIGKILL", "SIGTERM", "SIGSTOP")
STAYS_STOPPED, STARTING, BOTH = "stopped for good", "SIGKILL while starting", "SIGKILL at once"
FLUSH, SECOND, FULL = "FLUSHALL", "second start", "full disk"
LONGEST_WAIT, SHORTEST_HOLD, LONGEST_HOLD = 6.0, 1.0, 20.0


@dataclass(frozen=True)
class Kind:
    """A kind of fault: what is done, and to which part."""

    action: str
    part: str = ""

    def __str__(self) -> str:
        return f"{self.action}, {self.part}" if self.part else self.action


@dataclass(frozen=True)
class Fault:
    """One fault of the campaign."""

    number: int
    kind: Kind
    wait: float
    """Seconds from the start of the runs under way until it happens."""
    hold: float
    """Seconds that it lasts, or that a start has had, where the kind has such a time."""
    pick: float
    """Which of several processes it meets, as a share of their list."""


def kinds(*, disk: bool = False) -> list[Kind]:
    """Return the kinds that an installation can suffer; ``disk``: it has a small disk of its own."""
    return [
        *(Kind(signal, part) for signal in SIGNALS for part in PARTS),
        *(Kind(STAYS_STOPPED, part) for part in SUPERVISED),
        Kind(STARTING, "any part"),
        Kind(BOTH, "supervisor and watchdog"),
        Kind(FLUSH, "broker"),
        Kind(SECOND, "same folder"),
        *([Kind(FULL)] if disk else []),
    ]


def draw(number: int, *, seed: int, among: Sequence[Kind]) -> Fault:
    """Return the fault of that number. Every kind comes once before any comes again, in a random order."""
    turn, place = divmod(number, len(among))
    order = Random(f"order {seed} {turn}").sample(among, len(among))
    own = Random(f"fault {seed} {number}")
    wait, hold = own.uniform(0, LONGEST_WAIT), own.uniform(SHORTEST_HOLD, LONGEST_HOLD)
    return Fault(number, order[place], wait, hold, own.random())
