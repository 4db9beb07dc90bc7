"""WebLogic Server: the self-tuning thread pool, work managers and shared constraints of a server."""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from simulations.declarations.identity import Identified
from simulations.declarations.parameters import Model, PlatformParameters, assumed, held_by, setting
from simulations.declarations.texts import ONE_LINE
from simulations.declarations.units import PositiveDuration
from simulations.platforms.shared.outages import ServerOutage
from simulations.platforms.weblogic.sources import BEANS, OWN_MODEL, TUNING, WORK

at_server, at_pool_size = held_by(BEANS, "server"), held_by(BEANS, "server", doubt="the range")
at_execute_queue = held_by(TUNING, "", doubt="that half of it is rounded down")
at_overload = held_by(WORK, "server/overload-protection", sweep=False)
at_constraint = held_by(WORK, "", names="constraints")
at_goal = held_by(WORK, "response-time-request-class", factor=1000)
DEFAULT_WORK_MANAGER = "default"
DEFAULT_FAIR_SHARE = 50
MANAGERS = "work_managers"
MANAGED = ({"name": "orders", "fair_share": DEFAULT_FAIR_SHARE, "max_threads": 16},)
"""What a new scenario begins with: a work manager that does what ``default`` does, with limits that can be moved."""
ManagerName = Annotated[str, Field(min_length=1, max_length=200, pattern=ONE_LINE)]
"""A vendor's name: any text of one line."""
Kind = Literal["min_threads", "max_threads", "capacity"]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Limit = Count | ManagerName | None
"""A number, or the name of a shared constraint that has it."""
PoolSize = Annotated[int, Field(ge=1, le=65534)]


class SharedConstraint(Model):
    """A constraint with a name of its own: all work managers that name it share one count."""

    name: Annotated[ManagerName, setting("1", WORK, "name", title="Constraint name", sweep=False)]
    """Name by which work managers refer to it."""
    kind: Annotated[Kind, setting("1", WORK, "", title="Constraint kind", sweep=False)]
    """What it bounds: the fewest threads, the most threads, or the queued and running requests."""
    count: Annotated[Count, setting("1", WORK, "count", (1, 200), costs=True, start=16)]
    """The number that all of them share."""
    identity: Identified = None
    """Where the vendor's configuration declares it."""


class WorkManager(Model):
    """A work manager: at most one request class, and constraints given as a number or by name."""

    name: Annotated[ManagerName, setting("1", WORK, "name", title="Work manager name", sweep=False)]
    """Name by which beans and other work refer to it."""
    fair_share: Annotated[
        int | None,
        Field(ge=1, le=1000),
        setting("weight", WORK, "fair-share", (1, 100), where="fair-share-request-class", start=DEFAULT_FAIR_SHARE),
    ] = None
    """Relative weight of its thread-use time; 50 without a request class."""
    response_time_goal: Annotated[PositiveDuration | None, at_goal("s", "goal-ms", (0.01, 60))] = None
    """Goal of the response-time request class."""
    min_threads: Annotated[
        Limit, at_constraint("threads", "min-threads-constraint", (1, 200), "Min threads constraint", costs=True)
    ] = None
    """Threads guaranteed while its requests wait."""
    max_threads: Annotated[
        Limit, at_constraint("threads", "max-threads-constraint", (1, 200), "Max threads constraint", costs=True)
    ] = None
    """Most threads at once; the only setting that lifts the limit of 16."""
    capacity: Annotated[Limit, at_constraint("1", "capacity", (1, 100_000))] = None
    """Queued and running requests beyond which requests are rejected."""
    identity: Identified = None
    """Where the vendor's configuration declares it, and what it calls its request class."""

    @model_validator(mode="after")
    def _one_class(self) -> Self:
        if self.fair_share is not None and self.response_time_goal is not None:
            raise ValueError("a work manager has one request class; give fair_share or response_time_goal")
        return self


class ServerSettings(PlatformParameters):
    """One managed server."""

    self_tuning: Annotated[
        bool, setting("1", TUNING, "use81-style-execute-queues", title="Self-tuning", place="Table 10-1, self-tuning")
    ] = True
    """One pool that sizes itself serves all work managers. Off: the default execute queue of release 8.1."""
    thread_pool_minimum: Annotated[
        PoolSize, at_pool_size("threads", "self-tuning-thread-pool-size-min", (1, 400), sweep=False)
    ] = 1
    """Fewest threads of the self-tuning pool; it has no influence on capacity."""
    thread_pool_maximum: Annotated[
        PoolSize, at_pool_size("threads", "self-tuning-thread-pool-size-max", (1, 400), costs=True)
    ] = 400
    """Most threads of the self-tuning pool, for all work of the server together."""
    default_thread_pool_size: Annotated[
        PoolSize, at_execute_queue("threads", "default-thread-pool-size", (1, 400), costs=True)
    ] = 15
    """Threads of the default execute queue; counts only without self-tuning."""
    thread_growth: Annotated[
        Literal["instant", "history"], assumed("1", OWN_MODEL, place="growth of the self-tuning pool")
    ] = "instant"
    """How the pool grows: at once when threads are needed, or by trying every 2 s whether more threads help. The
    vendor documents only that throughput is compared every 2 s."""
    share_rule: Annotated[
        Literal["thread_time", "next_thread"], setting("1", WORK, "", place="fair share request class")
    ] = "thread_time"
    """What a fair share divides: the time on threads, or the chance of the next free thread."""
    work_managers: Annotated[
        tuple[WorkManager, ...], Field(max_length=200), setting("1", WORK, "work-manager", sweep=False, start=MANAGED)
    ] = ()
    """Work managers of the server; ``default`` exists without being declared."""
    constraints: Annotated[
        tuple[SharedConstraint, ...],
        Field(max_length=500),
        setting("1", WORK, "max-threads-constraint", title="Shared constraints", sweep=False),
    ] = ()
    """Constraints that several work managers share by naming them."""
    shared_capacity: Annotated[
        int, Field(ge=1, le=2**30), at_overload("1", "shared-capacity-for-work-managers", (100, 1_000_000))
    ] = 65536
    """Queued and running requests of all work managers together beyond which the server rejects some. A rule compares
    it with the capacities of work managers; the simulation bounds each work manager only."""
    stuck_thread_max_time: Annotated[PositiveDuration, at_server("s", "stuck-thread-max-time", (1, 1800))] = 600.0
    """Time on one request after which a thread counts as stuck. A rule compares it with onMessage; a simulated thread
    goes on working."""
    stuck_thread_timer_interval: Annotated[
        PositiveDuration, at_server("s", "stuck-thread-timer-interval", (1, 600))
    ] = 60.0
    """Time between two looks for stuck threads."""
    outage: Annotated[ServerOutage | None, assumed("1", OWN_MODEL, place="outages", sweep=False)] = None
    """A time in which members or their broker are away: what runs is rolled back, and what is held goes back to the
    destinations, where other members take it. Never when empty."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.thread_pool_maximum < self.thread_pool_minimum:
            msg = f"thread_pool_maximum {self.thread_pool_maximum} is below the minimum {self.thread_pool_minimum}"
            raise ValueError(msg)
        for names in ([item.name for item in self.work_managers], [item.name for item in self.constraints]):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise ValueError(f"the name {min(twice)!r} is used twice; rename one")
        kinds = {item.name: item.kind for item in self.constraints}
        for manager in self.work_managers:
            for kind in get_args(Kind):
                name = getattr(manager, kind)
                if isinstance(name, str) and kinds.get(name) != kind:
                    msg = f"work manager {manager.name!r} names the {kind} constraint {name!r}, which is not declared"
                    raise ValueError(msg)
        return self


class WorkSettings(PlatformParameters):
    """Background work of a server, for example HTTP requests."""

    work_manager: Annotated[ManagerName, setting("1", WORK, "wl-dispatch-policy", sweep=False, names=MANAGERS)] = (
        DEFAULT_WORK_MANAGER
    )
    """Work manager that the requests use."""
