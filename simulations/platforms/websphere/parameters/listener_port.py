"""WebSphere Application Server: the state of a listener port, and properties of the service that act on ports."""

from typing import Annotated, Literal

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.shared.listener_port import PORT, SERVICE
from simulations.platforms.shared.queues import cited
from simulations.units import Duration


class PortProperties(PlatformParameters):
    """What is said of a port besides its sessions and messages."""

    initial_state: Annotated[
        Literal["START", "STOP"],
        Quantity("1", source=cited(PORT, "Initial state"), native="initialState", title="Initial state"),
    ] = "START"
    """Whether the port takes messages when its server has started. A stopped port is flagged by a rule; the simulation
    shows it as started."""
    session_reap_time: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(SERVICE, "SERVER.SESSION.POOL.REAP.TIME; the default was not confirmed"),
            native="SERVER.SESSION.POOL.REAP.TIME",
            title="Session pool reap time",
            sweep=True,
            trust="unverified",
        ),
    ] = 240.0
    """Time between two looks at the port's idle server sessions. ASF mode only."""
    session_unused_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(SERVICE, "SERVER.SESSION.POOL.UNUSED.TIMEOUT; default and 0 were not confirmed"),
            native="SERVER.SESSION.POOL.UNUSED.TIMEOUT",
            title="Session pool unused timeout",
            sweep=True,
            trust="unverified",
        ),
    ] = 240.0
    """Idle time after which the next look gives a server session back; 0 = it is kept. ASF mode only. Making a session
    takes no time in the simulation."""
    bmt_rollback: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(SERVICE, "NON.ASF.BMT.ROLLBACK.ENABLED; the default was not confirmed"),
            native="NON.ASF.BMT.ROLLBACK.ENABLED",
            title="Rollback for bean-managed transactions",
            trust="unverified",
        ),
    ] = False
    """Whether a message comes back when a bean that manages its own transactions fails. Non-ASF mode only; a simulated
    message that fails always comes back."""
