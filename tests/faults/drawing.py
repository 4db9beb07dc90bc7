"""What the campaign does to an installation, and in which order."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

SIGNALS = ("SIGKILL", "SIGTERM", "SIGSTOP")
STAYS_STOPPED, STARTING, BOTH = "stopped for good", "SIGKILL while starting", "SIGKILL at once"
FLUSH, SECOND, FULL = "FLUSHALL", "second start", "full disk"
SILENT, CUT = "no answer from", "connections cut to"
AHEAD, BACK = "clock an hour ahead for a while", "clock an hour back for a while"
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


@dataclass(frozen=True)
class Profile:
    """An installation: how it is started, and what can befall it."""

    command: str
    supervised: tuple[str, ...]
    """Parts that the supervisor starts and must keep running."""
    below: tuple[str, ...] = ()
    """Processes that they start."""
    lines: tuple[str, ...] = ()
    """Parts that it does not start, behind a socket that can lose the network."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What gets signals."""
        return () if self.lines else (*self.supervised, *self.below, "supervisor", "watchdog")


BELOW = ("web process", "worker process")
PROFILES = {
    "up": Profile("up", ("web", "worker", "Spark", "broker"), (*BELOW, "Python of Spark")),
    "cluster": Profile(
        "cluster",
        ("web", "worker", "Spark", "Spark master", "Spark worker", "postgres", "broker"),
        (*BELOW, "executor"),
    ),
    "apart": Profile("up", ("web", "worker"), lines=("broker", "database", "Spark")),
}


def kinds(profile: Profile, *, disk: bool = False, clock: bool = False) -> list[Kind]:
    """Return the kinds that an installation can suffer; ``disk``, ``clock``: it has a small one, or one, of its own."""
    clocks = [Kind(AHEAD), Kind(BACK)] if clock else []
    if profile.lines:
        return [*(Kind(action, part) for action in (SILENT, CUT) for part in profile.lines), *clocks]
    return [
        *(Kind(signal, part) for signal in SIGNALS for part in profile.parts),
        *(Kind(STAYS_STOPPED, part) for part in (*profile.supervised, *profile.below)),
        Kind(STARTING, "any part"),
        Kind(BOTH, "supervisor and watchdog"),
        Kind(FLUSH, "broker"),
        Kind(SECOND, "same folder"),
        *([Kind(FULL)] if disk else []),
        *clocks,
    ]


def draw(number: int, *, seed: int, among: Sequence[Kind]) -> Fault:
    """Return the fault of that number. Every kind comes once before any comes again, in a random order."""
    turn, place = divmod(number, len(among))
    order = Random(f"order {seed} {turn}").sample(among, len(among))
    own = Random(f"fault {seed} {number}")
    wait, hold = own.uniform(0, LONGEST_WAIT), own.uniform(SHORTEST_HOLD, LONGEST_HOLD)
    return Fault(number, order[place], wait, hold, own.random())
