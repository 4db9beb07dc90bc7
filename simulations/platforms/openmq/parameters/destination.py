"""Open MQ: what the broker says, of itself and of one physical destination."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.declarations.units import Duration, Size
from simulations.platforms.openmq.sources import ADMIN, CONTAINER
from simulations.platforms.shared.queues import MAX_INT

Behaviour = Literal["REJECT_NEWEST", "REMOVE_OLDEST", "REMOVE_LOW_PRIORITY", "FLOW_CONTROL"]
Unlimited = Annotated[int, BeforeValidator(lambda value: -1 if value == 0 else value), Field(ge=-1, le=MAX_INT)]
"""A count; -1 and 0 both mean unlimited and are kept as -1."""


class Broker(PlatformParameters):
    """The broker's own limits, and how an instance comes back to it."""

    broker_max_count: Annotated[
        Unlimited,
        setting(
            "messages",
            ADMIN,
            "imq.system.max_count",
            "Most messages of the broker",
            (100, 10_000_000),
            unlimited=-1,
            where="broker",
        ),
    ] = -1
    """Messages that the broker holds on all its destinations together; -1 = unlimited. Beyond, persistent messages are
    refused and others vanish. Simulated where the scenario has one destination; several are only compared by a rule."""
    broker_max_size: Annotated[
        Size,
        setting(
            "B",
            ADMIN,
            "imq.system.max_size",
            "Most bytes of the broker",
            (100_000, 100_000_000_000),
            unlimited=0,
            where="broker",
        ),
    ] = 0.0
    """The same limit in bytes; 0 = unlimited."""
    reconnect_enabled: Annotated[
        bool,
        setting(
            "1",
            CONTAINER,
            "reconnect-enabled",
            "Reconnect enabled",
            place="properties for reconnecting MDBs",
            where="mdb-container.property",
        ),
    ] = False
    """Whether the container connects MDBs again after the broker was away. Outages are not simulated."""
    reconnect_delay: Annotated[
        Duration,
        setting(
            "s",
            CONTAINER,
            "reconnect-delay-in-seconds",
            "Reconnect delay",
            (0, 300),
            place="properties for reconnecting MDBs, delay",
            where="mdb-container.property",
        ),
    ] = 60.0
    """Wait before each such try. With their number it gives the longest outage that the MDBs survive."""
    reconnect_retries: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "attempts",
            CONTAINER,
            "reconnect-max-retries",
            "Reconnect retries",
            (0, 100),
            place="properties for reconnecting MDBs, retries",
            where="mdb-container.property",
        ),
    ] = 60
    """Tries to connect again before the container gives up."""


class Destination(PlatformParameters):
    """The limits of a physical destination, and what becomes of messages beyond them."""

    max_num_msgs: Annotated[
        Unlimited,
        setting(
            "messages",
            ADMIN,
            "maxNumMsgs",
            "Maximum number of messages",
            (100, 10_000_000),
            unlimited=-1,
            where="destination",
        ),
    ] = -1
    """Unconsumed messages that the destination holds; -1 = unlimited (auto-created destinations: 100000)."""
    max_total_msg_bytes: Annotated[
        Size,
        setting(
            "B",
            ADMIN,
            "maxTotalMsgBytes",
            "Maximum total message bytes",
            (100_000, 100_000_000_000),
            unlimited=0,
            where="destination",
        ),
    ] = 0.0
    """Bytes of unconsumed messages that the destination holds; 0 = unlimited (auto-created destinations: 10 MB)."""
    limit_behavior: Annotated[
        Behaviour, setting("1", ADMIN, "limitBehavior", "Limit behavior", where="destination")
    ] = "REJECT_NEWEST"
    """What a full destination does: refuse the newest, drop the oldest or the least important message, or slow the
    producers down."""
    max_num_producers: Annotated[
        int,
        Field(ge=-1, le=MAX_INT),
        setting(
            "producers",
            ADMIN,
            "maxNumProducers",
            "Maximum number of producers",
            (1, 1000),
            unlimited=-1,
            where="destination",
        ),
    ] = 100
    """Producers that may be connected, -1 = any number; it also divides the room among them when producers are slowed
    down."""


class Consumers(PlatformParameters):
    """Who may take messages of a destination, how large they may be, and where dropped ones go."""

    max_bytes_per_msg: Annotated[
        Size,
        setting(
            "B",
            ADMIN,
            "maxBytesPerMsg",
            "Maximum bytes per message",
            (1000, 100_000_000),
            unlimited=0,
            where="destination",
        ),
    ] = 0.0
    """Size above which one message is refused; 0 = unlimited (auto-created destinations: 10 kB). A rule compares it
    with the declared sizes; the simulation lets every message in."""
    max_active_consumers: Annotated[
        Unlimited,
        setting(
            "consumers",
            ADMIN,
            "maxNumActiveConsumers",
            "Maximum active consumers",
            (1, 100),
            unlimited=-1,
            where="destination",
        ),
    ] = -1
    """Instances of the cluster that get messages of a queue, one consumer each; -1 = all. Simulated where the MDB is
    alone on its server."""
    max_backup_consumers: Annotated[
        int,
        Field(ge=-1, le=MAX_INT),
        setting(
            "consumers",
            ADMIN,
            "maxNumBackupConsumers",
            "Maximum backup consumers",
            (0, 100),
            unlimited=-1,
            where="destination",
        ),
    ] = 0
    """Further instances that may wait to replace an active one; -1 = any number. All others are refused."""
    use_dmq: Annotated[
        bool,
        setting(
            "1",
            ADMIN,
            "useDMQ",
            "Use dead message queue",
            place="useDMQ; the default was not confirmed",
            sweep=False,
            trust="unverified",
            where="destination",
        ),
    ] = True
    """Whether messages that are dropped are kept on the dead message queue. Off, they are lost; a rule says so, the
    simulated counts are the same."""
