"""WebSphere Application Server: what an activation specification says besides its sessions, and its thread pool."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.declarations.units import Duration
from simulations.platforms.shared.activation import COMMAND
from simulations.platforms.shared.queues import MAX_INT

ADAPTER_POOL = "Tuning the WMQJCAResourceAdapter thread pool"
THROTTLING = "Throttling messages for message-driven beans on the default messaging provider"


class AdapterPool(PlatformParameters):
    """The threads of the resource adapter, which activation specifications of IBM MQ share."""

    adapter_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        setting(
            "threads",
            ADAPTER_POOL,
            "WMQJCAResourceAdapter/maximumSize",
            "WMQJCAResourceAdapter pool maximum",
            (1, 200),
            place="maximum; the default was not confirmed",
            trust="unverified",
            costs=True,
        ),
    ] = 50
    """Most threads of the resource adapter of IBM MQ; all activation specifications of the server share them."""


class Endpoints(PlatformParameters):
    """Settings of an activation specification that exist only off z/OS."""

    provider: Annotated[
        Literal["ibm_mq", "default_messaging"],
        setting("1", THROTTLING, "", "Messaging provider", place="messaging providers"),
    ] = "ibm_mq"
    """Who delivers the messages of an activation specification: IBM MQ with its server sessions, or the default
    messaging provider with its endpoints. Every endpoint of the default messaging provider has a thread here."""
    start_timeout: Annotated[
        Duration, setting("s", COMMAND, "startTimeout", "Start timeout", (0.1, 60), unlimited=0)
    ] = 10.0
    """Longest wait of a scheduled message for a thread of the resource adapter; then it returns to its queue. It can
    only act where the adapter has fewer threads than sessions; 0 = none. The vendor writes milliseconds."""
    maximum_concurrent_endpoints: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting(
            "sessions",
            THROTTLING,
            "maxConcurrency",
            "Maximum concurrent endpoints",
            (1, 200),
            place="Maximum concurrent endpoints",
        ),
    ] = 10
    """Messages in work at once with the default messaging provider."""
    mdb_pool_maximum: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting(
            "beans",
            THROTTLING,
            "",
            "Message-driven bean pool maximum",
            (1, 1000),
            place="size of the message-driven bean pool",
        ),
    ] = 500
    """Instances of the bean that the container keeps. With the default messaging provider fewer of them than endpoints
    bound the work; IBM MQ bounds it by its server sessions."""


SPEC_ONLY = tuple(Endpoints.model_fields)
"""Names of the settings that only an activation specification reads, off z/OS."""
