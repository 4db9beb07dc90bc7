"""Open MQ: what the broker says, of itself and of one physical destination."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.openmq.sources import ADMIN, CONTAINER
from simulations.platforms.shared.queues import MAX_INT, cited
from simulations.units import Duration, Size

Behaviour = Literal["REJECT_NEWEST", "REMOVE_OLDEST", "REMOVE_LOW_PRIORITY", "FLOW_CONTROL"]
Unlimited = Annotated[int, BeforeValidator(lambda value: -1 if value == 0 else value), Field(ge=-1, le=MAX_INT)]
"""A count; -1 and 0 both mean unlimited and are kept as -1."""


class Broker(PlatformParameters):
    """The broker's own limits, and how an instance comes back to it."""

    broker_max_count: Annotated[
        Unlimited,
        Quantity(
            "messages",
            source=cited(ADMIN, "imq.system.max_count"),
            native="imq.system.max_count",
            title="Most messages of the broker",
            sweep=True,
        ),
    ] = -1
    """Messages that the broker holds on all its destinations together; -1 = unlimited. Beyond, persistent messages are
    refused and others vanish. Simulated where the scenario has one destination; several are only compared by a rule."""
    broker_max_size: Annotated[
        Size,
        Quantity(
            "B",
            source=cited(ADMIN, "imq.system.max_size"),
            native="imq.system.max_size",
            title="Most bytes of the broker",
            sweep=True,
        ),
    ] = 0.0
    """The same limit in bytes; 0 = unlimited."""
    reconnect_enabled: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(CONTAINER, "properties for reconnecting MDBs"),
            native="reconnect-enabled",
            title="Reconnect enabled",
            sweep=True,
        ),
    ] = False
    """Whether the container connects MDBs again after the broker was away. Outages are not simulated."""
    reconnect_delay: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(CONTAINER, "properties for reconnecting MDBs, delay"),
            native="reconnect-delay-in-seconds",
            title="Reconnect delay",
            sweep=True,
        ),
    ] = 60.0
    """Wait before each such try. With their number it gives the longest outage that the MDBs survive."""
    reconnect_retries: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "attempts",
            source=cited(CONTAINER, "properties for reconnecting MDBs, retries"),
            native="reconnect-max-retries",
            title="Reconnect retries",
            sweep=True,
        ),
    ] = 60
    """Tries to connect again before the container gives up."""


class Destination(PlatformParameters):
    """The limits of a physical destination, and what becomes of messages beyond them."""

    max_num_msgs: Annotated[
        Unlimited,
        Quantity(
            "messages",
            source=cited(ADMIN, "maxNumMsgs"),
            native="maxNumMsgs",
            title="Maximum number of messages",
            sweep=True,
        ),
    ] = -1
    """Unconsumed messages that the destination holds; -1 = unlimited (auto-created destinations: 100000)."""
    max_total_msg_bytes: Annotated[
        Size,
        Quantity(
            "B",
            source=cited(ADMIN, "maxTotalMsgBytes"),
            native="maxTotalMsgBytes",
            title="Maximum total message bytes",
            sweep=True,
        ),
    ] = 0.0
    """Bytes of unconsumed messages that the destination holds; 0 = unlimited (auto-created destinations: 10 MB)."""
    limit_behavior: Annotated[
        Behaviour,
        Quantity("1", source=cited(ADMIN, "limitBehavior"), native="limitBehavior", title="Limit behavior", sweep=True),
    ] = "REJECT_NEWEST"
    """What a full destination does: refuse the newest, drop the oldest or the least important message, or slow the
    producers down."""
    max_num_producers: Annotated[
        int,
        Field(ge=-1, le=MAX_INT),
        Quantity(
            "producers",
            source=cited(ADMIN, "maxNumProducers"),
            native="maxNumProducers",
            title="Maximum number of producers",
            sweep=True,
        ),
    ] = 100
    """Producers that may be connected, -1 = any number; it also divides the room among them when producers are slowed
    down."""


class Consumers(PlatformParameters):
    """Who may take messages of a destination, how large they may be, and where dropped ones go."""

    max_bytes_per_msg: Annotated[
        Size,
        Quantity(
            "B",
            source=cited(ADMIN, "maxBytesPerMsg"),
            native="maxBytesPerMsg",
            title="Maximum bytes per message",
            sweep=True,
        ),
    ] = 0.0
    """Size above which one message is refused; 0 = unlimited (auto-created destinations: 10 kB). A rule compares it
    with the declared sizes; the simulation lets every message in."""
    max_active_consumers: Annotated[
        Unlimited,
        Quantity(
            "consumers",
            source=cited(ADMIN, "maxNumActiveConsumers"),
            native="maxNumActiveConsumers",
            title="Maximum active consumers",
            sweep=True,
        ),
    ] = -1
    """Instances of the cluster that get messages of a queue, one consumer each; -1 = all. Simulated where the MDB is
    alone on its server."""
    max_backup_consumers: Annotated[
        int,
        Field(ge=-1, le=MAX_INT),
        Quantity(
            "consumers",
            source=cited(ADMIN, "maxNumBackupConsumers"),
            native="maxNumBackupConsumers",
            title="Maximum backup consumers",
            sweep=True,
        ),
    ] = 0
    """Further instances that may wait to replace an active one; -1 = any number. All others are refused."""
    use_dmq: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(ADMIN, "useDMQ; the default was not confirmed"),
            native="useDMQ",
            title="Use dead message queue",
            trust="unverified",
        ),
    ] = True
    """Whether messages that are dropped are kept on the dead message queue. Off, they are lost; a rule says so, the
    simulated counts are the same."""
