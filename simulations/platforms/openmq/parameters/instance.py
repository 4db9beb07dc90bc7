"""Open MQ with GlassFish: settings of an instance with its connection, and of the broker behind it."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from simulations.declarations.parameters import PlatformParameters, assumed, held_by
from simulations.declarations.units import Duration, Size
from simulations.platforms.openmq.sources import ADMIN, CONTAINER, FLOW
from simulations.platforms.shared.outages import ServerOutage
from simulations.platforms.shared.queues import MAX_INT, OWN_MODEL, AtLeastOne, AtLeastZero

at_factory, at_broker = held_by(ADMIN, "factory"), held_by(ADMIN, "broker")
at_container = held_by(CONTAINER, "mdb-container")
at_reconnect = held_by(f"{CONTAINER}, properties for reconnecting MDBs", "mdb-container.property")
at_thread_pool = held_by("GlassFish default domain.xml, thread-pool-1", "thread-pools.thread-pool.thread-pool-1")
Unlimited = Annotated[int, BeforeValidator(lambda value: -1 if value == 0 else value), Field(ge=-1, le=MAX_INT)]
"""A count; -1 and 0 both mean unlimited and are kept as -1."""


class InstanceSettings(PlatformParameters):
    """One GlassFish instance and the broker that it is connected to."""

    max_pool_size: Annotated[
        AtLeastOne,
        at_container(
            "beans", "max-pool-size", (1, 200), "Maximum pool size", place=f"max-pool-size; {FLOW}: pool of 32"
        ),
    ] = 32
    """Most instances of one MDB that run in parallel. Old guides print 60 or 64 as the default; the source has 32."""
    steady_pool_size: Annotated[AtLeastZero, at_container("beans", "steady-pool-size", (0, 200), sweep=False)] = 1
    """Instances kept ready in the pool. It has no influence on capacity: the pool grows at once."""
    connection_flow_limit_enabled: Annotated[bool, at_factory("1", "imqConnectionFlowLimitEnabled")] = False
    """Whether the connection has a limit of its own, beside that of each consumer."""
    connection_flow_limit: Annotated[AtLeastOne, at_factory("messages", "imqConnectionFlowLimit", (1, 1000))] = 1000
    """Unconsumed messages on the connection at which delivery stops; it goes on below. Only when enabled."""
    connection_flow_count: Annotated[AtLeastZero, at_factory("messages", "imqConnectionFlowCount", (0, 1000))] = 100
    """Messages after which the broker waits for an answer of the client; 0 = it never waits."""
    thread_pool_maximum: Annotated[
        int, Field(ge=1, le=100_000), at_thread_pool("threads", "max-thread-pool-size", (1, 400), costs=True)
    ] = 200
    """Most threads of the pool that runs all MDBs of the instance."""
    pool_resize_quantity: Annotated[
        AtLeastZero,
        at_container(
            "beans", "pool-resize-quantity", (0, 200), place="pool-resize-quantity; old guides print 2", sweep=False
        ),
    ] = 8
    """Beans by which a container makes a pool smaller. The pool of the message adapter grows one by one and never gets
    smaller, so a rule says that this does nothing for MDBs."""
    pool_idle_timeout: Annotated[
        Duration, at_container("s", "idle-timeout-in-seconds", (1, 1800), sweep=False, unlimited=0)
    ] = 600.0
    """Idle time after which a container takes a bean out of a pool; 0 = never. It does nothing for MDBs either."""
    broker_max_count: Annotated[
        Unlimited,
        at_broker("messages", "imq.system.max_count", (100, 10_000_000), "Most messages of the broker", unlimited=-1),
    ] = -1
    """Messages that the broker holds on all its destinations together; -1 = unlimited. Beyond, persistent messages are
    refused and others vanish. Simulated where the scenario has one destination; several are only compared by a rule."""
    broker_max_size: Annotated[
        Size, at_broker("B", "imq.system.max_size", (100_000, 100_000_000_000), "Most bytes of the broker", unlimited=0)
    ] = 0.0
    """The same limit in bytes; 0 = unlimited."""
    reconnect_enabled: Annotated[bool, at_reconnect("1", "reconnect-enabled")] = False
    """Whether the container connects MDBs again after the broker was away."""
    reconnect_delay: Annotated[Duration, at_reconnect("s", "reconnect-delay-in-seconds", (0, 300))] = 60.0
    """Wait before each such try; an outage of the broker lasts for MDBs until one. With their number it gives the
    longest outage that they survive."""
    reconnect_retries: Annotated[AtLeastZero, at_reconnect("attempts", "reconnect-max-retries", (0, 100))] = 60
    """Tries to connect again before the container gives up."""
    outage: Annotated[ServerOutage | None, assumed("1", OWN_MODEL, place="outages", sweep=False)] = None
    """A time in which instances or their broker are away: what runs is rolled back, and what is held goes back to the
    destinations, where other instances take it. Never when empty."""
