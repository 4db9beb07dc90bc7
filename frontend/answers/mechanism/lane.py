"""One queue's way from its producers to its end, or that of other work: what is simulated and what the answer says.

Settings that are limits on the path stand at the stations where each of them acts.

The same for every platform; the templates in ``answers/mechanism`` have one file for the words of each station.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from frontend.wording.numbers import TEXTS, setting_text
from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.declared import Setting
from simulations.declarations.system import Background, Queue, Server
from simulations.declarations.texts import keys_in
from simulations.engine.network.model import ArrivalKind, PollerKind, Pool, Stream
from simulations.experiment.names import settings_in
from simulations.experiment.sensitivities import acts
from simulations.scenario.spec import ScenarioSpec

Kind = Literal["producers", "destination", "limit", "prepared", "threads", "cpu", "outcomes"]
"""The stations in the order in which a message passes them."""
Fill = tuple[float, Literal["busy", "waiting", "blocked", "held", "done"]]
"""A share of a station's width, and how it looks."""
MOST_CELLS = 40
"""Threads, or members of a cluster, that are drawn one by one."""
LOSSES = ("timeouts.queue", "timeouts.dispatch", "rollbacks", "dead_letters", "rejected", "dropped")
"""Ways to end or to come back, each a number per replication."""
MOST_KNOBS = 3
"""Knobs of one station, its first ones; the form has the others."""
SETTINGS: Mapping[Any, str] = TEXTS["knobs"]
"""Station -> the settings that have a knob there, the leading ones first."""


@dataclass(frozen=True)
class Knob:
    """A setting where it acts; ``path`` is the scenario's, as at the field of the form."""

    path: str
    title: str
    text: str


@dataclass(frozen=True)
class Station:
    """A place on the path; ``bars`` (start, width, look), ``marks`` of thresholds and ``cells`` in percent of it."""

    kind: Kind
    bars: tuple[tuple[float, float, str], ...]
    marks: tuple[float, ...]
    cells: tuple[float, ...]
    knobs: tuple[Knob, ...]
    bottleneck: bool
    full: float = 0.0
    """Messages, or threads, that fill it; 0 where no number does."""


@dataclass(frozen=True)
class Lane:
    """``metrics``: the queue's, and its server's where the queue has none; empty before there is an answer.

    ``arrivals``: in words; ``onward``: the queues its bean sends to; ``done``: messages completed by each member of a
    cluster; ``flow``: 1 to 8, by the rate relative to the fastest lane; ``first``: of its server; ``held``: bottleneck.
    """

    stream: Stream
    pool: Pool
    server: str
    platform: str
    arrivals: str
    metrics: Mapping[str, Estimate]
    done: tuple[Estimate, ...]
    onward: tuple[str, ...] = ()
    flow: float = 8.0
    first: bool = True
    held: Kind | None = None
    knobs: Mapping[Kind, tuple[Knob, ...]] = field(default_factory=dict)

    @property
    def capacity(self) -> int:
        """Most threads that the lane can have at once, all members together."""
        bounds = [self.pool.constraints[index].maximum for index in self.stream.constraint]
        most = min(bound for bound in (self.pool.threads, self.stream.concurrency, *bounds) if bound)
        return most * self.pool.instances

    @property
    def saturated(self) -> bool:
        """Whether its destination is never empty."""
        return self.stream.arrivals.kind is ArrivalKind.SATURATED

    @property
    def throttled(self) -> bool:
        """Whether the gate is the vendor's throttle, and not the sessions of a port."""
        return self.stream.gate is not None and self.platform == "websphere-zos"

    @property
    def losses(self) -> list[str]:
        """The ways in which messages are lost or come back."""
        return [name for name in LOSSES if self.value(name) > 0]

    @property
    def growth_words(self) -> str:
        """What stands before the growth of the backlog, of which senders may hold the most."""
        return "with its senders, grows by" if self.value("producer.blocked_time") else "grows by"

    @property
    def waiting(self) -> float:
        """Seconds that a message waits before its onMessage."""
        return sum(map(self.value, ("wait.destination", "wait.prepared", "wait.thread")))

    def value(self, name: str) -> float:
        """Return a number of the lane, 0 where there is none."""
        return self.metrics[name].value if name in self.metrics else 0.0

    def stations(self) -> Iterator[Station]:
        """Yield the stations in their order with what fills them."""
        for kind, fills in self._fills().items():
            bars, start = [], 0.0
            for share, look in fills:
                width = min(100 * share, 100 - start)
                bars.append((start, width, look))
                start += width
            cells = self._cells() if kind == "threads" else ()
            drawn = self._members() if kind == "threads" and self.done else tuple(bar for bar in bars if bar[1] > 0)
            marks = self._marks() if kind == "limit" else ()
            yield Station(kind, drawn, marks, cells, self.knobs.get(kind, ()), kind == self.held, self._full(kind))

    def _full(self, kind: Kind) -> float:
        """What a box holds when it is drawn full."""
        gate, window, members = self.stream.gate, self.stream.window, self.pool.instances
        if kind == "limit" and (window or (gate and self.throttled)):
            return members * (window.limit if window else gate.high if gate else 0)
        most = {"limit": self.capacity, "threads": self.capacity, "destination": self.value("backlog.max")}
        return most.get(kind, 0.0)

    def _fills(self) -> Mapping[Kind, tuple[Fill, ...]]:
        """What fills each station; stations that the lane does not have are left out."""
        stream, waiting = self.stream, self.value("wait.prepared") * self.value("throughput")
        full = self.saturated or "backlog.growth" in self.metrics
        fills: dict[Kind, tuple[Fill, ...]] = {"producers": ((self.value("producer.limited_fraction"), "blocked"),)}
        if not stream.background:
            backlog = 1.0 if full else self.value("backlog.mean") / (self.value("backlog.max") or 1)
            fills["destination"] = ((backlog, "waiting"),)
        if stream.gate or stream.window or stream.poller:
            fills["limit"] = self._limit(waiting)
        if stream.gate or stream.window or stream.pipeline or stream.background:
            room = max(waiting, self.capacity * (stream.pipeline or 1))
            fills["prepared"] = ((waiting / room, "waiting"),)
        busy, idle = (self.value(f"threads.{name}") / self.capacity for name in ("busy", "idle_blocked"))
        fills["threads"] = ((busy, "busy"), (idle, "blocked"))
        fills["cpu"] = ((self.value("cpu.utilisation") * self.first, "busy"),)
        return fills | {"outcomes": ((float(bool(self.metrics)), "blocked" if self.losses else "done"),)}

    def _limit(self, waiting: float) -> tuple[Fill, ...]:
        window, gate, poller, members = self.stream.window, self.stream.gate, self.stream.poller, self.pool.instances
        if window:
            return ((waiting / (window.limit * members), "waiting"),)
        if gate and self.throttled:
            return ((self.value("gate.in_flight") / (gate.high * members), "waiting"),)
        held = self.value("threads.held") if poller and poller.kind is PollerKind.EAGER else 0.0
        return ((self.value("threads.busy") / self.capacity, "busy"), (held / self.capacity, "held"))

    def _marks(self) -> tuple[float, ...]:
        gate, window = self.stream.gate, self.stream.window
        if window:
            return (100 * window.threshold / window.limit,)
        return (100 * gate.low / gate.high,) if gate and self.throttled else ()

    def _members(self) -> tuple[tuple[float, float, str], ...]:
        """A part for each member of the cluster, filled by what it completed."""
        each, most = 100 / len(self.done), max(item.value for item in self.done) or 1
        return tuple((place * each, each * item.value / most, "busy") for place, item in enumerate(self.done))

    def _cells(self) -> tuple[float, ...]:
        count = len(self.done) or self.capacity
        return tuple(100 * cell / count for cell in range(1, count)) if count <= MOST_CELLS else ()


@lru_cache(maxsize=64)
def knobs_of(spec: ScenarioSpec) -> Mapping[str, Mapping[Kind, tuple[Knob, ...]]]:
    """Return the knobs by lane and station: numbers and names that are given and that the simulation sees move.
    Kept: the formulas, a glance and the whole answer are about the same values."""
    now, kinds = spec.network(), {name: kind for kind, names in SETTINGS.items() for name in names.split()}
    given = [item for item in settings_in(spec) if item.declaration.name in kinds and _limits(item)]
    lanes: dict[str, dict[Kind, tuple[Knob, ...]]] = {}
    for item in sorted(given, key=lambda item: list(kinds).index(item.declaration.name)):
        kind, ends = kinds[item.declaration.name], item.declaration.typical or _names(spec, item)
        here = lanes.setdefault(_lane(spec, item) or "", {})
        if len(here.get(kind, ())) < MOST_KNOBS and any(acts(spec, now, item.path, end) for end in ends):
            knob = Knob(item.path, item.declaration.title, setting_text(item.value, item.declaration.unit))
            here[kind] = (*here.get(kind, ()), knob)
    return lanes


def works_of(queues: Iterable[Queue], servers: Iterable[Server]) -> list[Queue | Background]:
    """Return what uses the threads, in the engine's order: queues, then other work."""
    return [*queues, *(work for server in servers for work in server.background)]


def _limits(setting: Setting) -> bool:
    """Whether a name is given, or a number that is no word for unlimited; a single server is no cluster."""
    value, declared = setting.value, setting.declaration
    if not declared.is_number:
        return bool(declared.quantity.names)
    given = isinstance(value, int | float) and value != declared.quantity.unlimited
    return given and (declared.name, value) != ("instances", 1)


def _names(spec: ScenarioSpec, setting: Setting) -> tuple[str, ...]:
    """The names that a queue's setting may have: those of a list of its server."""
    refers, owner = setting.declaration.quantity.names, keys_in(setting.path)[1]
    server = next((spec.system.server_of(queue) for queue in spec.queues if queue.name == owner), None)
    return tuple(item.name for item in getattr(server and server.settings, refers, ()))


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
