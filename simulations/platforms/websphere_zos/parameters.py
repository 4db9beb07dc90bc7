"""WebSphere for z/OS: settings of a server with its servants, and of a listener port or an activation specification."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import PlatformParameters, assumed, held_by, labeled, setting
from simulations.declarations.units import Duration, PositiveDuration
from simulations.platforms.shared.activation import SPEC
from simulations.platforms.shared.listener_port import PortParameters, ServiceParameters, at_service, at_transactions
from simulations.platforms.shared.queues import AtLeastOne, AtLeastZero, Percent
from simulations.platforms.websphere_zos import sources

at_instances = held_by(sources.INSTANCES, "ServerInstance", labeled, costs=True)
at_switch = held_by(sources.INSTANCES, "ServerInstance", labeled, doubt="the name of its attribute")
at_variables, at_limit = held_by(sources.TIMEOUTS, "VariableMap"), held_by(sources.TIMEOUTS, "VariableMap", unlimited=0)
at_profile = held_by(f"{sources.ORB}, Workload profile", "VariableMap", doubt="the name of its variable")
at_count = held_by(
    f"{sources.ORB}, Workload profile", "VariableMap", doubt="range and name of its variable", costs=True
)
Factor = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Profile = Literal["ISOLATE", "IOBOUND", "CPUBOUND", "LONGWAIT", "CUSTOM"]


class Servants(PlatformParameters):
    """The servants of a server, their worker threads and time limits, and how a servant ends."""

    min_servants: Annotated[
        int,
        Field(ge=1, le=20),
        at_instances("servants", "minimumNumOfInstances", title="Minimum number of instances"),
    ] = 1
    """Servants that run from the start; workload management keeps at least this many."""
    max_servants: Annotated[
        int,
        Field(ge=1, le=1000),
        at_instances("servants", "maximumNumberOfInstances", (1, 20), "Maximum number of instances", no_limit=0),
    ] = 1
    """Most servants that workload management may start. The vendor's 0, no limit, must be given as a number here."""
    workload_profile: Annotated[Profile, at_profile("1", "server_region_workload_profile")] = "IOBOUND"
    """Decides how many worker threads each servant has, for all kinds of work together."""
    custom_threads: Annotated[
        int, Field(ge=1, le=100), at_count("threads", "servant_region_custom_thread_count", title="Custom thread count")
    ] = 1
    """Worker threads per servant with the profile CUSTOM; without effect in every other profile."""
    thread_rule: Annotated[
        Literal["capped", "plain"],
        setting("1", sources.ORB, "", place=f"Workload profile; {sources.THREADS}: number of worker threads"),
    ] = "capped"
    """Which of the vendor's two tables counts: capped = min(30, max(5, 3×CPUs)) for IOBOUND and max(CPUs - 1, 3) for
    CPUBOUND; plain = 3×CPUs and CPUs."""
    mdb_request_timeout: Annotated[
        Duration,
        at_limit("s", "control_region_mdb_request_timeout", (1, 600), "MDB request timeout", doubt="that 0 means none"),
    ] = 120.0
    """Longest time from queueing the work record to the end of ``onMessage``; 0 = none."""
    mdb_queue_timeout_percent: Annotated[
        Percent, at_variables("%", "control_region_mdb_queue_timeout_percent", title="MDB queue timeout percent")
    ] = 99.0
    """Share of the MDB request timeout after which a record that still waits on the WLM queue is rejected."""
    dispatch_timeout_action: Annotated[
        Literal["interrupt", "restart_servant"], setting("1", sources.ABEND, "", place="hung thread recovery")
    ] = "interrupt"
    """What happens when ``onMessage`` still runs at the timeout: the request is interrupted, or the servant ends with
    everything that runs in it and is started again."""
    servant_start_time: Annotated[Duration, assumed("s", sources.OWN_MODEL, (0, 300), place="servant start")] = 60.0
    """Time from the decision to start a servant until its threads take work. No official figure exists."""
    wlm_dispatch_timeout: Annotated[
        Duration,
        at_limit(
            "s",
            "control_region_wlm_dispatch_timeout",
            (1, 1200),
            "WLM dispatch timeout",
            place="control_region_wlm_dispatch_timeout; a sample script of the vendor says 1200",
        ),
    ] = 300.0
    """The same limit for activation specifications, and for topics without a durable subscription; 0 = none."""
    iiop_queue_timeout_percent: Annotated[
        Percent, at_variables("%", "control_region_iiop_queue_timeout_percent", title="IIOP queue timeout percent")
    ] = 99.0
    """Share of the WLM dispatch timeout after which such a record that still waits is rejected."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        at_transactions("s", "totalTranLifetimeTimeout", (1, 600), "Total transaction lifetime timeout", sweep=False),
    ] = 120.0
    """Age at which a transaction is marked for rollback. Rules compare it with onMessage and with the other limits; the
    simulation ends long calls by the MDB request timeout only."""
    stalled_thread_threshold: Annotated[
        Percent, at_variables("%", "server_region_stalled_thread_threshold_percent")
    ] = 0.0
    """Share of a servant's threads that may hang before the servant is ended. The simulated servant ends at the first
    one, which is what 0 means."""
    timeout_delay: Annotated[Duration, at_variables("s", "control_region_timeout_delay", (0, 60))] = 0.0
    """Time that the other messages of a servant get before it is ended. The simulation ends them at once."""
    save_last_servant: Annotated[bool, at_variables("1", "control_region_timeout_save_last_servant", sweep=False)] = (
        False
    )
    """Whether the last running servant is spared when all should end. A rule reads it; the simulation ends any."""
    pause_without_servant: Annotated[bool, at_variables("1", "control_region_dreg_on_no_srs", sweep=False)] = False
    """Whether listeners pause while no servant runs. A rule reads it; simulated listeners go on up to the throttle."""
    zos_recovery: Annotated[
        bool, at_service("1", "ENABLE.ZOS.LP.RECOVERY", title="Listener port recovery", doubt="the default")
    ] = False
    """Whether ports connect again after the queue manager was started again; off, they stay down."""
    multiple_instances: Annotated[
        bool, at_switch("1", "enableMultipleServerInstances", title="Multiple instances enabled")
    ] = True
    """Off: the server has exactly one servant, whatever minimum and maximum say."""
    service_classes: Annotated[
        int,
        Field(ge=1, le=100),
        setting("1", sources.SERVANTS, "", (1, 20), place="one service class at a time", doubt="that limit"),
    ] = 1
    """Service classes of the work on this server, the default class counted. A servant serves one at a time, so each
    needs a servant; the simulation knows one class only."""
    wlm_queue_capacity: Annotated[
        AtLeastOne | None,
        assumed("messages", sources.OWN_MODEL, (10, 100_000), "WLM queue capacity", place="overload of the WLM queue"),
    ] = None
    """Records on the WLM queue that one member bears; with more it fails, all its work goes back to the destinations,
    and it starts again. Empty = it bears any number. The vendor names no number."""
    restart_time: Annotated[Duration, assumed("s", sources.OWN_MODEL, (0, 600), place="restart after an overload")] = (
        120.0
    )
    """Time from such a failure until the member works again. No official figure exists."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max_servants < self.min_servants:
            raise ValueError(f"max_servants {self.max_servants} is below min_servants {self.min_servants}; raise it")
        return self


class ServerSettings(ServiceParameters, Servants):
    """One server: a controller and its servants, with their time limits and listener service."""


at_spec = held_by(sources.IN_FLIGHT, SPEC, doubt="where it is set")
at_sessions = held_by(f"{sources.THROTTLE}, high threshold", "ListenerPort")
at_throttle = held_by(sources.THROTTLE, "MessageListenerService")


class _Endpoint(PortParameters):
    """What kind of endpoint it is, and the limit of an activation specification. Forms show these last."""

    durable_subscription: Annotated[bool, setting("1", sources.LISTENING, "", place="non-durable subscriptions")] = True
    """Off, at a topic: a servant listens instead of the controller and the WLM dispatch timeout counts instead of the
    MDB request timeout. The throttle is simulated in both cases."""
    endpoint: Annotated[
        Literal["listener_port", "activation_spec"],
        setting("1", sources.IN_FLIGHT, "", place="listener ports and activation specifications"),
    ] = "listener_port"
    """Listener port: the MDB throttle with its two thresholds. Activation specification: one limit of messages in
    flight, and the WLM dispatch timeout instead of the MDB request timeout."""
    in_flight_scale_factor: Annotated[
        Factor, at_spec("1", "MaxInFlightMessagesScaleFactor", (0, 10), "In-flight scale factor")
    ] = 1.0
    """Factor of the in-flight limit: active servants × Maximum server sessions × this, plus the constant."""
    in_flight_constant: Annotated[
        AtLeastZero, at_spec("messages", "MaxInFlightMessagesConstant", (0, 200), "In-flight constant")
    ] = 0
    """Messages added to the in-flight limit. The simulated limit counts all servants that may run; while fewer have
    started the real one is lower, and 0 as long as none runs."""


class ListenerPort(_Endpoint):
    """A listener port or the activation specification in its place, and the backout of its IBM MQ queue."""

    switch = "endpoint"
    maximum_sessions: Annotated[AtLeastOne, at_sessions("messages", "maxSessions", (1, 200))] = 1
    """High threshold of the MDB throttle: messages in flight (prepared or dispatched) that block the queue agent."""
    low_equals_high: Annotated[
        bool, at_throttle("1", "MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH", title="Low threshold equals high")
    ] = False
    """True: the throttle opens after every completion. False: only when half of Maximum sessions has completed.
    A custom property of the whole message listener service."""
    queue_agent_time: Annotated[Duration, assumed("s", sources.OWN_MODEL, (0, 0.05), place="queue agent")] = 0.002
    """Time the one queue agent thread of the port needs to prepare a message. Nobody documents it."""
    in_flight_from: Annotated[
        Literal["queued", "taken"],
        assumed("1", sources.OWN_MODEL, title="In flight from", place="when a record is counted"),
    ] = "queued"
    """When a message counts as in flight: when its record is put on the WLM queue, or when the queue agent takes it.
    The vendor's page does not say."""


SPEC_ONLY = ("in_flight_scale_factor", "in_flight_constant")
"""Names of the settings that only an activation specification reads, on z/OS."""
