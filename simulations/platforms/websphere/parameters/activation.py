"""WebSphere Application Server: what an activation specification says besides its sessions, and its thread pool."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.shared.activation import COMMAND
from simulations.platforms.shared.queues import MAX_INT, cited
from simulations.units import Duration

ADAPTER_POOL = "Tuning the WMQJCAResourceAdapter thread pool"
THROTTLING = "Throttling messages for message-driven beans on the default messaging provider"


class AdapterPool(PlatformParameters):
    """The threads of the resource adapter, which activation specifications of IBM MQ share."""

    adapter_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        Quantity(
            "threads",
            source=cited(ADAPTER_POOL, "maximum; the default was not confirmed"),
            native="WMQJCAResourceAdapter/maximumSize",
            title="WMQJCAResourceAdapter pool maximum",
            sweep=True,
            trust="unverified",
        ),
    ] = 50
    """Most threads of the resource adapter of IBM MQ; all activation specifications of the server share them."""


class Endpoints(PlatformParameters):
    """Settings of an activation specification that exist only off z/OS."""

    provider: Annotated[
        Literal["ibm_mq", "default_messaging"],
        Quantity("1", source=cited(THROTTLING, "messaging providers"), title="Messaging provider", sweep=True),
    ] = "ibm_mq"
    """Who delivers the messages of an activation specification: IBM MQ with its server sessions, or the default
    messaging provider with its endpoints. Every endpoint of the default messaging provider has a thread here."""
    start_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(COMMAND, "startTimeout"),
            native="startTimeout",
            title="Start timeout",
            sweep=True,
        ),
    ] = 10.0
    """Longest wait of a scheduled message for a thread of the resource adapter; then it returns to its queue. It can
    only act where the adapter has fewer threads than sessions; 0 = none. The vendor writes milliseconds."""
    maximum_concurrent_endpoints: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "sessions",
            source=cited(THROTTLING, "Maximum concurrent endpoints"),
            native="maxConcurrency",
            title="Maximum concurrent endpoints",
            sweep=True,
        ),
    ] = 10
    """Messages in work at once with the default messaging provider."""
    mdb_pool_maximum: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "beans",
            source=cited(THROTTLING, "size of the message-driven bean pool"),
            title="Message-driven bean pool maximum",
            sweep=True,
        ),
    ] = 500
    """Instances of the bean that the container keeps. With the default messaging provider fewer of them than endpoints
    bound the work; IBM MQ bounds it by its server sessions."""


SPEC_ONLY = tuple(Endpoints.model_fields)
"""Names of the settings that only an activation specification reads, off z/OS."""
