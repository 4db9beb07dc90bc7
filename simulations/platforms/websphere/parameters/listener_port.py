"""WebSphere Application Server: the state of a listener port, and properties of the service that act on ports."""

from typing import Annotated, Literal

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.declarations.units import Duration
from simulations.platforms.shared.listener_port import PORT, SERVICE


class PortProperties(PlatformParameters):
    """What is said of a port besides its sessions and messages."""

    initial_state: Annotated[
        Literal["START", "STOP"],
        setting("1", PORT, "initialState", "Initial state", place="Initial state", sweep=False),
    ] = "START"
    """Whether the port takes messages when its server has started. A stopped port is flagged by a rule; the simulation
    shows it as started."""
    session_reap_time: Annotated[
        Duration,
        setting(
            "s",
            SERVICE,
            "SERVER.SESSION.POOL.REAP.TIME",
            "Session pool reap time",
            (1, 1800),
            place="SERVER.SESSION.POOL.REAP.TIME; the default was not confirmed",
            trust="unverified",
        ),
    ] = 240.0
    """Time between two looks at the port's idle server sessions. ASF mode only."""
    session_unused_timeout: Annotated[
        Duration,
        setting(
            "s",
            SERVICE,
            "SERVER.SESSION.POOL.UNUSED.TIMEOUT",
            "Session pool unused timeout",
            (1, 1800),
            place="SERVER.SESSION.POOL.UNUSED.TIMEOUT; default and 0 were not confirmed",
            trust="unverified",
            unlimited=0,
        ),
    ] = 240.0
    """Idle time after which the next look gives a server session back; 0 = it is kept. ASF mode only. Making a session
    takes no time in the simulation."""
    bmt_rollback: Annotated[
        bool,
        setting(
            "1",
            SERVICE,
            "NON.ASF.BMT.ROLLBACK.ENABLED",
            "Rollback for bean-managed transactions",
            place="NON.ASF.BMT.ROLLBACK.ENABLED; the default was not confirmed",
            sweep=False,
            trust="unverified",
        ),
    ] = False
    """Whether a message comes back when a bean that manages its own transactions fails. Non-ASF mode only; a simulated
    message that fails always comes back."""
