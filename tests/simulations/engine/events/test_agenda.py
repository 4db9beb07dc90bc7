"""The agenda against a plain dictionary: the same timers go off in the same order, whatever was set and cleared."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.compiled import cached
from simulations.engine.events.agenda import cancel, is_set, reschedule, schedule, take_first
from simulations.engine.loop.kernel import BUILD
from simulations.engine.packing.numbering import timer_table
from simulations.engine.packing.tables import Tables
from simulations.engine.records.codes import FOREVER, NONE
from simulations.engine.records.layout import Model, Slot, open_model
from simulations.engine.records.record import records
from simulations.engine.records.references import INTERPRETED

OPERATIONS = 500 if INTERPRETED else 20_000
SIZES = (1, 31, 32, 33, 1024, 1025, 3000)
"""Timers: one block and its edges, two levels and three."""


def _entry(build: int) -> Callable[[int, Any, Any, Any, Any], None]:
    """Compile as the kernel is: an entry of plain njit crashes once the helpers were compiled for the kernel.

    ``build`` is part of the key in Numba's cache, so that changed sources are compiled again.
    """

    def play(address: int, steps: Any, slots: Any, times: Any, taken: Any) -> None:
        model = open_model(address, None)
        model.build = build
        for i in range(steps.size):
            if steps[i] == 0:
                taken[i] = take_first(model) if model.first_time < FOREVER else NONE
            elif steps[i] == 1:
                if not is_set(model, slots[i]):
                    schedule(model, slots[i], times[i])
            elif steps[i] == 2:
                reschedule(model, slots[i], times[i])
            else:
                cancel(model, slots[i])

    return cached(play)


play = _entry(BUILD)
"""Takes the first timer where the step is 0, else sets, sets again or clears one; ``taken`` are those that went off."""


def agenda(orders: NDArray[np.int64]) -> Tables:
    """As many timers as there are ``orders``, none of them set."""
    leaves, timers = timer_table(orders.size)
    slots = records(Slot, orders.size)
    slots.order = orders
    tables = Tables(records(Model, 1), {"slots": slots, "timers": timers})
    tables.head.leaves, tables.head.slot_count, tables.head.first_time = leaves, orders.size, FOREVER
    return tables


@pytest.mark.parametrize("instants", [5, 10**9], ids=["many at one instant", "hardly any at one instant"])
@pytest.mark.parametrize("size", SIZES)
def test_timers_go_off_in_order(size: int, instants: int) -> None:
    random = np.random.default_rng(size)
    orders = random.permutation(size)
    steps = random.choice(4, OPERATIONS, p=[0.3, 0.5, 0.1, 0.1])
    slots, times = random.integers(size, size=OPERATIONS), random.integers(instants, size=OPERATIONS).astype(float)
    taken = np.full(OPERATIONS, NONE)
    tables = agenda(orders)
    play(tables.address, steps, slots, times, taken)
    assert tables.head.build == BUILD
    known: dict[int, float] = {}
    expected = np.full(OPERATIONS, NONE)
    for i, (step, slot) in enumerate(zip(steps, slots, strict=True)):
        if step == 0 and known:
            expected[i] = min(known, key=lambda each: (known[each], orders[each]))
            del known[int(expected[i])]
        elif step == 1:
            known.setdefault(int(slot), times[i])
        elif step == 2:
            known[int(slot)] = times[i]
        elif step == 3:
            known.pop(int(slot), None)
    assert (expected != NONE).sum() > OPERATIONS / 10
    np.testing.assert_array_equal(taken, expected)
