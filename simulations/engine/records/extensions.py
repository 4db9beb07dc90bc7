"""Which work uses mechanisms beyond gates and windows: nothing else pays for them."""

from simulations.engine.compiled import inline
from simulations.engine.records.server import Member
from simulations.engine.records.stream import Stream


@inline
def beyond(ext: int | None, record: Stream | Member) -> bool:
    """Say whether the pool of ``record``, a stream or member, or any stream of the pool uses such a mechanism.

    Where ``ext`` is None the compiler knows that it does not, and leaves out what only concerns them.
    """
    return ext is not None and record.beyond == 1
