"""WebSphere Application Server for z/OS: who listens, and the in-flight limit of an activation specification."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.platforms.shared.queues import MAX_INT
from simulations.platforms.websphere_zos.sources import IN_FLIGHT


class InFlight(PlatformParameters):
    """Who listens to a destination, and how an activation specification bounds its messages in flight."""

    endpoint: Annotated[
        Literal["listener_port", "activation_spec"],
        setting("1", IN_FLIGHT, "", "Endpoint", place="listener ports and activation specifications"),
    ] = "listener_port"
    """Listener port: the MDB throttle with its two thresholds. Activation specification: one limit of messages in
    flight, and the WLM dispatch timeout instead of the MDB request timeout."""
    in_flight_scale_factor: Annotated[
        float,
        Field(ge=0, le=1e6, allow_inf_nan=False),
        setting(
            "1",
            IN_FLIGHT,
            "MaxInFlightMessagesScaleFactor",
            "In-flight scale factor",
            (0, 10),
            place="MaxInFlightMessagesScaleFactor; where it is set was not confirmed",
            trust="unverified",
        ),
    ] = 1.0
    """Factor of the in-flight limit: active servants × Maximum server sessions × this, plus the constant."""
    in_flight_constant: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "messages",
            IN_FLIGHT,
            "MaxInFlightMessagesConstant",
            "In-flight constant",
            (0, 200),
            place="MaxInFlightMessagesConstant; where it is set was not confirmed",
            trust="unverified",
        ),
    ] = 0
    """Messages added to the in-flight limit. The simulated limit counts all servants that may run; while fewer have
    started the real one is lower, and 0 as long as none runs."""


SPEC_ONLY = ("in_flight_scale_factor", "in_flight_constant")
"""Names of the settings that only an activation specification reads, on z/OS."""
