"""Producer flow control as tables: the limit of one producer while armed, and on its way back."""

from dataclasses import dataclass

from simulations.analysis.theory.mechanisms import admitted, ascent, descent
from simulations.platforms.weblogic.parameters.mdb import MdbSettings


@dataclass(frozen=True)
class FlowTable:
    """Limits in messages per second after each step, and what one producer may send on the way."""

    step_s: float
    ratio: float
    down: tuple[float, ...]
    up: tuple[float, ...]
    admitted_down: float
    admitted_up: float


def flow_table(maximum: float, minimum: float, interval: float, steps: int) -> FlowTable:
    """Return the table; with an interval of 0 the limit jumps, so nothing is sent on the way."""
    down, up = descent(maximum, minimum, steps), ascent(maximum, minimum, steps)
    return FlowTable(
        step_s=interval / steps,
        ratio=(minimum / maximum) ** (1 / steps),
        down=down,
        up=up,
        admitted_down=admitted(down, interval) if interval > 0 else 0.0,
        admitted_up=admitted(up, interval) if interval > 0 else 0.0,
    )


def table_of(mdb: MdbSettings) -> FlowTable:
    """Return the table of the queue's connection factory."""
    return flow_table(mdb.flow_maximum, mdb.flow_minimum, mdb.flow_interval, mdb.flow_steps)


def is_armed_ever(mdb: MdbSettings) -> bool:
    """True when flow control is on and a threshold can trigger it."""
    return mdb.flow_control_enabled and max(mdb.messages_threshold_high, mdb.bytes_threshold_high) >= 0
