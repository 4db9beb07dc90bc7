"""Mechanisms beyond gates and windows: work that uses none of them pays nothing for them."""

from simulations.engine.compiled import inline
from simulations.engine.records.server import Member
from simulations.engine.records.stream import Stream


@inline
def beyond(ext: int | None, record: Stream | Member) -> bool:
    """Say whether the pool of the stream or member ``record``, or any stream of that pool, uses one of them.

    Where ``ext`` is None the answer is no at compile time, and the branch is left out.
    """
    return ext is not None and record.beyond == 1
