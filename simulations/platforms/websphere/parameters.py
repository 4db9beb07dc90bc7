"""WebSphere Application Server: settings of a server and of a listener port, in ASF and in non-ASF mode."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.common import MAX_INT, cited
from simulations.platforms.listener_port import PORT, PortParameters
from simulations.units import Duration, PositiveDuration

LISTENER_POOL = "Message listener service thread pool"
MODES = "Message processing in ASF mode and non-ASF mode"
AVOIDING = "Avoiding transaction timeouts in non-ASF mode"
TRANSACTIONS = "Transaction service settings"
CONNECTIONS = "Determining the number of TCP/IP connections created from WebSphere to IBM MQ"
OWN_MODEL = "Sluice, model of WebSphere listener ports"


class ServerSettings(PlatformParameters):
    """One application server."""

    listener_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        Quantity(
            "threads",
            source=cited(LISTENER_POOL, "Maximum size"),
            native="maximumSize",
            title="Listener pool maximum",
            sweep=True,
        ),
    ] = 50
    """Most threads of the message listener service; all listener ports of the server share them."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        Quantity(
            "s",
            source=cited(TRANSACTIONS, "Total transaction lifetime timeout"),
            native="totalTranLifetimeTimeout",
            title="Total transaction lifetime timeout",
            sweep=True,
        ),
    ] = 120.0
    """Age at which a transaction is marked for rollback; in non-ASF mode the wait inside receive() counts."""
    sharing_conversations: Annotated[
        int,
        Field(ge=1, le=999_999_999),
        Quantity(
            "conversations",
            source=cited(CONNECTIONS, "SHARECNV of the server connection channel"),
            native="SHARECNV",
            title="Sharing conversations",
            sweep=True,
        ),
    ] = 10
    """Conversations that share one TCP connection to IBM MQ 7 or later; 1 = each has its own, as before version 7."""


class ListenerPort(PortParameters):
    """A listener port of the message listener service."""

    mode: Annotated[
        Literal["asf", "non_asf"],
        Quantity("1", source=cited(MODES, "switch by NON.ASF.RECEIVE.TIMEOUT"), title="Mode", sweep=True),
    ] = "asf"
    """ASF: a thread is taken only when a message is there. Non-ASF: every session holds a thread that waits in
    receive() inside a transaction."""
    maximum_sessions: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "sessions",
            source=cited(PORT, "Maximum sessions"),
            native="maxSessions",
            title="Maximum sessions",
            sweep=True,
        ),
    ] = 1
    """Messages that the port works on in parallel; a topic in non-ASF mode always has one session."""
    maximum_messages: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "messages",
            source=cited(PORT, "Maximum messages"),
            native="maxMessages",
            title="Maximum messages",
            sweep=True,
        ),
    ] = 1
    """Messages loaded into one session at once; with IBM MQ all of them run in one transaction. ASF mode only."""
    receive_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(MODES, "NON.ASF.RECEIVE.TIMEOUT"),
            native="NON.ASF.RECEIVE.TIMEOUT",
            title="Non-ASF receive timeout",
            sweep=True,
        ),
    ] = 0.0
    """Longest wait inside receive() before the empty transaction is rolled back and started again. Non-ASF mode only,
    and above 0 there; the vendor writes milliseconds."""

    @model_validator(mode="after")
    def _waits(self) -> Self:
        if self.mode == "non_asf" and self.receive_timeout == 0:
            msg = "non-ASF mode needs a receive_timeout above 0; set one, for example 100s, or choose mode asf"
            raise ValueError(msg)
        return self
