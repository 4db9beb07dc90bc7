"""How messages move on: from the destination through gates, credit and buffers, and from there to the threads."""

from typing import Any

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.events.beyond import beyond
from simulations.engine.mechanisms.gates import admit, note_release
from simulations.engine.mechanisms.pipelines import prefetch
from simulations.engine.mechanisms.producers import notice_outcome
from simulations.engine.mechanisms.windows import deliver
from simulations.engine.records.layout import NONE, Staging, port_at, stream_at
from simulations.engine.threads.pools import dispatch, offer, wake_pollers

_DIRECT = int(Staging.DIRECT)
_GATED = int(Staging.GATED)
_WINDOW = int(Staging.WINDOW)
_PIPELINE = int(Staging.PIPELINE)


@inline
def _dispatch_all(model: Any, ext: Any, q: int) -> None:
    stream = stream_at(model, q)
    for i in range(stream.instances):
        dispatch(model, ext, port_at(model, stream.first_port + i * stream.stride).member)


@inline
def _stage(model: Any, ext: Any, q: int) -> bool:
    """Move messages of stream ``q`` on as far as gates, credit and room allow; say whether a thread may now be due."""
    staging = stream_at(model, q).staging
    if staging == _GATED:
        return admit(model, q)
    if staging == _WINDOW:
        return deliver(model, q)
    if ext is not None:
        if staging == _PIPELINE:
            return prefetch(model, q)
        wake_pollers(model, ext, q)
    return True


@compiled
def feed(model: Any, ext: Any, q: int) -> None:
    """Move messages of stream ``q`` on from its destination as far as gates, credit, room and threads allow."""
    if stream_at(model, q).staging == _DIRECT:
        offer(model, ext, q)
    else:
        _stage(model, ext, q)
        _dispatch_all(model, ext, q)


@inline
def feed_on(model: Any, ext: Any, q: int) -> None:
    """Do what ``feed`` does, given that no prepared message stands beside an idle thread as yet."""
    if stream_at(model, q).staging == _DIRECT:
        offer(model, ext, q)
    elif _stage(model, ext, q):
        _dispatch_all(model, ext, q)


@inline
def go_on(model: Any, ext: Any, p: int) -> int:
    """Give the threads of the instance of port ``p``, which lost a message, their next ones.

    Returns the stream whose messages may now move on from their destination, or NONE.
    """
    port = port_at(model, p)
    dispatch(model, ext, port.member)
    note_release(model, p)
    stream = stream_at(model, port.stream)
    if beyond(ext, stream) and stream.controlled == 1:
        notice_outcome(model, port.stream)
        feed(model, ext, port.stream)
    if stream.returned == 1:
        stream.returned = 0
        feed(model, ext, port.stream)
    elif stream.staging != _DIRECT and port.closed == 0:
        return int(port.stream)
    return NONE


@apart
def settle(model: Any, ext: Any, p: int) -> None:
    """Let the instance of port ``p``, which lost a message, go on: threads first, then new admissions."""
    q = go_on(model, ext, p)
    if q != NONE:
        feed_on(model, ext, q)
