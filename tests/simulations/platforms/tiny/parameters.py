"""Settings of the tiny family."""

from typing import Annotated

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, Quantity
from simulations.platforms.shared.queues import QueueParameters


class ServerSettings(PlatformParameters):
    """A server of the tiny family."""

    threads: Annotated[
        int, Field(ge=1, le=100), Quantity("threads", source="Tiny manual: threads", native="Threads", sweep=True)
    ] = 2
    """Threads of the server, all of them equal."""


class QueueSettings(QueueParameters):
    """A queue of the tiny family: what every queue has."""
