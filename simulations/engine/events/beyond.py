"""Which work uses mechanisms beyond gates and windows: nothing else pays for them."""

from typing import Any

from simulations.engine.compiled import inline


@inline
def beyond(ext: Any, record: Any) -> bool:
    """Say whether the pool of ``record``, a stream or member, or any stream of the pool uses such a mechanism.

    Where ``ext`` is None the compiler knows that it does not, and leaves out what only concerns them.
    """
    return ext is not None and bool(record.beyond == 1)
