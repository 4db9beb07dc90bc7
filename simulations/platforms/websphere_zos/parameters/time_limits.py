"""WebSphere Application Server for z/OS: the time limits of a server, and what happens when one is reached."""

from typing import Annotated, Literal

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.declarations.units import Duration, PositiveDuration
from simulations.platforms.shared.listener_port import SERVICE, TRANSACTIONS
from simulations.platforms.shared.queues import Percent
from simulations.platforms.websphere_zos.sources import ABEND, OWN_MODEL, TIMEOUTS


class TimeLimits(PlatformParameters):
    """Time limits of messages and transactions, and how a servant ends."""

    mdb_request_timeout: Annotated[
        Duration,
        setting(
            "s",
            TIMEOUTS,
            "control_region_mdb_request_timeout",
            "MDB request timeout",
            (1, 600),
            place="control_region_mdb_request_timeout; that 0 means none was not confirmed",
            trust="unverified",
            unlimited=0,
        ),
    ] = 120.0
    """Longest time from queueing the work record to the end of ``onMessage``; 0 = none."""
    mdb_queue_timeout_percent: Annotated[
        Percent, setting("%", TIMEOUTS, "control_region_mdb_queue_timeout_percent", "MDB queue timeout percent")
    ] = 99.0
    """Share of the MDB request timeout after which a record that still waits on the WLM queue is rejected."""
    dispatch_timeout_action: Annotated[
        Literal["interrupt", "restart_servant"],
        setting("1", ABEND, "", "Dispatch timeout action", place="hung thread recovery"),
    ] = "interrupt"
    """What happens when ``onMessage`` still runs at the timeout: the request is interrupted, or the servant ends with
    everything that runs in it and is started again."""
    servant_start_time: Annotated[
        Duration, setting("s", OWN_MODEL, "", "Servant start time", (0, 300), place="servant start", trust="assumed")
    ] = 60.0
    """Time from the decision to start a servant until its threads take work. No official figure exists."""

    wlm_dispatch_timeout: Annotated[
        Duration,
        setting(
            "s",
            TIMEOUTS,
            "control_region_wlm_dispatch_timeout",
            "WLM dispatch timeout",
            (1, 1200),
            place="control_region_wlm_dispatch_timeout; a sample script of the vendor says 1200",
            unlimited=0,
        ),
    ] = 300.0
    """The same limit for activation specifications, and for topics without a durable subscription; 0 = none."""
    iiop_queue_timeout_percent: Annotated[
        Percent, setting("%", TIMEOUTS, "control_region_iiop_queue_timeout_percent", "IIOP queue timeout percent")
    ] = 99.0
    """Share of the WLM dispatch timeout after which such a record that still waits is rejected."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        setting(
            "s",
            TRANSACTIONS,
            "totalTranLifetimeTimeout",
            "Total transaction lifetime timeout",
            (1, 600),
            place="Total transaction lifetime timeout",
            sweep=False,
        ),
    ] = 120.0
    """Age at which a transaction is marked for rollback. Rules compare it with onMessage and with the other limits; the
    simulation ends long calls by the MDB request timeout only."""
    stalled_thread_threshold: Annotated[
        Percent, setting("%", TIMEOUTS, "server_region_stalled_thread_threshold_percent", "Stalled thread threshold")
    ] = 0.0
    """Share of a servant's threads that may hang before the servant is ended. The simulated servant ends at the first
    one, which is what 0 means."""
    timeout_delay: Annotated[
        Duration, setting("s", TIMEOUTS, "control_region_timeout_delay", "Timeout delay", (0, 60))
    ] = 0.0
    """Time that the other messages of a servant get before it is ended. The simulation ends them at once."""
    save_last_servant: Annotated[
        bool, setting("1", TIMEOUTS, "control_region_timeout_save_last_servant", "Save last servant", sweep=False)
    ] = False
    """Whether the last running servant is spared when all should end. A rule reads it; the simulation ends any."""
    pause_without_servant: Annotated[
        bool, setting("1", TIMEOUTS, "control_region_dreg_on_no_srs", "Pause without servant", sweep=False)
    ] = False
    """Whether listeners pause while no servant runs. A rule reads it; simulated listeners go on up to the throttle."""
    zos_recovery: Annotated[
        bool,
        setting(
            "1",
            SERVICE,
            "ENABLE.ZOS.LP.RECOVERY",
            "Listener port recovery",
            place="ENABLE.ZOS.LP.RECOVERY; the default was not confirmed",
            trust="unverified",
        ),
    ] = False
    """Whether ports connect again after the queue manager was started again; off, they stay down."""
