"""WebSphere Application Server for z/OS: settings of a server and of a listener port with its destination."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.common import MAX_INT, Percent, cited
from simulations.platforms.listener_port import PORT, PortParameters
from simulations.units import Duration

THROTTLE = "MDB throttle settings for message-driven beans on z/OS"
ORB = "ORB services advanced settings on z/OS"
THREADS = "Managing worker threads"
INSTANCES = "Server instance settings"
TIMEOUTS = "Timeout properties summary on z/OS"
ABEND = "APAR PM86657"
OWN_MODEL = "Sluice, model of WebSphere for z/OS"

Profile = Literal["ISOLATE", "IOBOUND", "CPUBOUND", "LONGWAIT", "CUSTOM"]


class ServerSettings(PlatformParameters):
    """One server: a controller and its servants."""

    min_servants: Annotated[
        int,
        Field(ge=1, le=20),
        Quantity(
            "servants",
            source=cited(INSTANCES, "Minimum number of instances"),
            native="minimumNumOfInstances",
            title="Minimum number of instances",
            sweep=True,
        ),
    ] = 1
    """Servants that run from the start; workload management keeps at least this many."""
    max_servants: Annotated[
        int,
        Field(ge=1, le=1000),
        Quantity(
            "servants",
            source=cited(INSTANCES, "Maximum number of instances"),
            native="maximumNumberOfInstances",
            title="Maximum number of instances",
            sweep=True,
        ),
    ] = 1
    """Most servants that workload management may start. The vendor's 0, no limit, must be given as a number here."""
    workload_profile: Annotated[
        Profile,
        Quantity(
            "1",
            source=cited(ORB, "Workload profile; the name of its variable was not confirmed"),
            native="server_region_workload_profile",
            title="Workload profile",
            sweep=True,
            trust="unverified",
        ),
    ] = "IOBOUND"
    """Decides how many worker threads each servant has, for all kinds of work together."""
    custom_threads: Annotated[
        int,
        Field(ge=1, le=100),
        Quantity(
            "threads",
            source=cited(ORB, "Workload profile, CUSTOM; range and name of its variable were not confirmed"),
            native="servant_region_custom_thread_count",
            title="Custom thread count",
            sweep=True,
            trust="unverified",
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
    mdb_request_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(TIMEOUTS, "control_region_mdb_request_timeout; that 0 means none was not confirmed"),
            native="control_region_mdb_request_timeout",
            title="MDB request timeout",
            sweep=True,
            trust="unverified",
        ),
    ] = 120.0
    """Longest time from queueing the work record to the end of ``onMessage``; 0 = none."""
    mdb_queue_timeout_percent: Annotated[
        Percent,
        Quantity(
            "%",
            source=cited(TIMEOUTS, "control_region_mdb_queue_timeout_percent"),
            native="control_region_mdb_queue_timeout_percent",
            title="MDB queue timeout percent",
            sweep=True,
        ),
    ] = 99.0
    """Share of the MDB request timeout after which a record that still waits on the WLM queue is rejected."""
    dispatch_timeout_action: Annotated[
        Literal["interrupt", "restart_servant"],
        Quantity("1", source=cited(ABEND, "hung thread recovery"), title="Dispatch timeout action", sweep=True),
    ] = "interrupt"
    """What happens when ``onMessage`` still runs at the timeout: the request is interrupted, or the servant ends with
    everything that runs in it and is started again."""
    servant_start_time: Annotated[
        Duration,
        Quantity(
            "s", source=cited(OWN_MODEL, "servant start"), title="Servant start time", sweep=True, trust="assumed"
        ),
    ] = 60.0
    """Time from the decision to start a servant until its threads take work. No official figure exists."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max_servants < self.min_servants:
            msg = f"max_servants {self.max_servants} is below min_servants {self.min_servants}; raise it"
            raise ValueError(msg)
        return self


class ListenerPort(PortParameters):
    """A listener port of the message listener service, and the backout of its IBM MQ queue."""

    maximum_sessions: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "messages",
            source=f"{cited(THROTTLE, 'high threshold')}; {cited(PORT, 'Maximum sessions')}",
            native="maxSessions",
            title="Maximum sessions",
            sweep=True,
        ),
    ] = 1
    """High threshold of the MDB throttle: messages in flight (prepared or dispatched) that block the queue agent."""
    low_equals_high: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(THROTTLE, "MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH"),
            native="MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH",
            title="Low threshold equals high",
            sweep=True,
        ),
    ] = False
    """True: the throttle opens after every completion. False: only when half of Maximum sessions has completed.
    A custom property of the whole message listener service."""
    queue_agent_time: Annotated[
        Duration,
        Quantity("s", source=cited(OWN_MODEL, "queue agent"), title="Queue agent time", sweep=True, trust="assumed"),
    ] = 0.002
    """Time the one queue agent thread of the port needs to prepare a message. Nobody documents it."""
