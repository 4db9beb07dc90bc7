"""WebSphere Application Server for z/OS: settings of a server and of a listener port with its destination."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import PlatformParameters, Quantity, setting
from simulations.declarations.units import Duration
from simulations.platforms.shared.listener_port import PORT, PortParameters, ServiceParameters
from simulations.platforms.shared.queues import MAX_INT, cited
from simulations.platforms.websphere_zos.parameters.activation import InFlight
from simulations.platforms.websphere_zos.parameters.time_limits import TimeLimits
from simulations.platforms.websphere_zos.sources import (
    INSTANCES,
    LISTENING,
    ORB,
    OWN_MODEL,
    SERVANTS,
    THREADS,
    THROTTLE,
)

Profile = Literal["ISOLATE", "IOBOUND", "CPUBOUND", "LONGWAIT", "CUSTOM"]


class Servants(PlatformParameters):
    """The servants of a server and their worker threads."""

    min_servants: Annotated[
        int,
        Field(ge=1, le=20),
        setting(
            "servants",
            INSTANCES,
            "minimumNumOfInstances",
            "Minimum number of instances",
            place="Minimum number of instances",
            costs=True,
        ),
    ] = 1
    """Servants that run from the start; workload management keeps at least this many."""
    max_servants: Annotated[
        int,
        Field(ge=1, le=1000),
        setting(
            "servants",
            INSTANCES,
            "maximumNumberOfInstances",
            "Maximum number of instances",
            (1, 20),
            place="Maximum number of instances",
            costs=True,
        ),
    ] = 1
    """Most servants that workload management may start. The vendor's 0, no limit, must be given as a number here."""
    workload_profile: Annotated[
        Profile,
        setting(
            "1",
            ORB,
            "server_region_workload_profile",
            "Workload profile",
            place="Workload profile; the name of its variable was not confirmed",
            trust="unverified",
        ),
    ] = "IOBOUND"
    """Decides how many worker threads each servant has, for all kinds of work together."""
    custom_threads: Annotated[
        int,
        Field(ge=1, le=100),
        setting(
            "threads",
            ORB,
            "servant_region_custom_thread_count",
            "Custom thread count",
            place="Workload profile, CUSTOM; range and name of its variable were not confirmed",
            trust="unverified",
            costs=True,
        ),
    ] = 1
    """Worker threads per servant with the profile CUSTOM; without effect in every other profile."""
    thread_rule: Annotated[
        Literal["capped", "plain"],
        Quantity(
            "1",
            source=f"{cited(ORB, 'Workload profile')}; {cited(THREADS, 'number of worker threads')}",
            title="Thread rule",
            sweep=True,
        ),
    ] = "capped"
    """Which of the vendor's two tables counts: capped = min(30, max(5, 3×CPUs)) for IOBOUND and max(CPUs - 1, 3) for
    CPUBOUND; plain = 3×CPUs and CPUs."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max_servants < self.min_servants:
            msg = f"max_servants {self.max_servants} is below min_servants {self.min_servants}; raise it"
            raise ValueError(msg)
        return self


class Instances(PlatformParameters):
    """Whether servants may be several, and what they have to serve."""

    multiple_instances: Annotated[
        bool,
        setting(
            "1",
            INSTANCES,
            "enableMultipleServerInstances",
            "Multiple instances enabled",
            place="Multiple instances enabled; the name of its attribute was not confirmed",
            trust="unverified",
        ),
    ] = True
    """Off: the server has exactly one servant, whatever minimum and maximum say."""
    service_classes: Annotated[
        int,
        Field(ge=1, le=100),
        setting(
            "1",
            SERVANTS,
            "",
            "Service classes",
            (1, 20),
            place="one service class at a time; that limit was not confirmed",
            trust="unverified",
        ),
    ] = 1
    """Service classes of the work on this server, the default class counted. A servant serves one at a time, so each
    needs a servant; the simulation knows one class only."""


class ServerSettings(ServiceParameters, Instances, TimeLimits, Servants):
    """One server: a controller and its servants, with their time limits and listener service."""


class Subscription(PlatformParameters):
    """How a port of a topic is subscribed."""

    durable_subscription: Annotated[
        bool, setting("1", LISTENING, "", "Durable subscription", place="non-durable subscriptions")
    ] = True
    """Off, at a topic: a servant listens instead of the controller and the WLM dispatch timeout counts instead of the
    MDB request timeout. The throttle is simulated in both cases."""


class ListenerPort(InFlight, Subscription, PortParameters):
    """A listener port or the activation specification in its place, and the backout of its IBM MQ queue."""

    maximum_sessions: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "messages",
            source=f"{cited(THROTTLE, 'high threshold')}; {cited(PORT, 'Maximum sessions')}",
            native="maxSessions",
            title="Maximum sessions",
            sweep=True,
            typical=(1, 200),
        ),
    ] = 1
    """High threshold of the MDB throttle: messages in flight (prepared or dispatched) that block the queue agent."""
    low_equals_high: Annotated[
        bool, setting("1", THROTTLE, "MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH", "Low threshold equals high")
    ] = False
    """True: the throttle opens after every completion. False: only when half of Maximum sessions has completed.
    A custom property of the whole message listener service."""
    queue_agent_time: Annotated[
        Duration, setting("s", OWN_MODEL, "", "Queue agent time", (0, 0.05), place="queue agent", trust="assumed")
    ] = 0.002
    """Time the one queue agent thread of the port needs to prepare a message. Nobody documents it."""

    @property
    def activated(self) -> bool:
        """Whether an activation specification listens, and not a listener port."""
        return self.endpoint == "activation_spec"
