"""How messages move on: from the destination through gates, credit and buffers, and from there to the threads."""

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.mechanisms.gates import admit, note_release
from simulations.engine.mechanisms.pipelines import prefetch
from simulations.engine.mechanisms.producers import notice_outcome
from simulations.engine.mechanisms.windows import deliver
from simulations.engine.records.codes import NONE, Staging
from simulations.engine.records.extensions import beyond
from simulations.engine.records.layout import Model
from simulations.engine.threads.pools import dispatch, offer, wake_pollers


@inline
def _dispatch_all(model: Model, ext: int | None, q: int) -> None:
    stream = model.streams[q]
    for i in range(stream.instances):
        dispatch(model, ext, model.ports[stream.first_port + i * stream.stride].member)


@inline
def _stage(model: Model, ext: int | None, q: int) -> bool:
    """Move messages of stream ``q`` on as far as gates, credit and room allow; say whether a thread may now be due."""
    staging = model.streams[q].staging
    if staging == Staging.GATED:
        return admit(model, q)
    if staging == Staging.WINDOW:
        return deliver(model, q)
    if ext is not None:
        if staging == Staging.PIPELINE:
            return prefetch(model, q)
        wake_pollers(model, ext, q)
    return True


@compiled
def feed(model: Model, ext: int | None, q: int) -> None:
    """Move messages of stream ``q`` on from its destination as far as gates, credit, room and threads allow."""
    if model.streams[q].staging == Staging.DIRECT:
        offer(model, ext, q)
    else:
        _stage(model, ext, q)
        _dispatch_all(model, ext, q)


@inline
def feed_on(model: Model, ext: int | None, q: int) -> None:
    """Do what ``feed`` does, when no idle thread has a prepared message to take yet."""
    if model.streams[q].staging == Staging.DIRECT:
        offer(model, ext, q)
    elif _stage(model, ext, q):
        _dispatch_all(model, ext, q)


@inline
def go_on(model: Model, ext: int | None, p: int) -> int:
    """Give the threads of the instance of port ``p``, which lost a message, their next ones.

    Returns the stream whose messages may now move on from their destination, or NONE.
    """
    port = model.ports[p]
    dispatch(model, ext, port.member)
    note_release(model, p)
    stream = model.streams[port.stream]
    if beyond(ext, stream) and stream.controlled == 1:
        notice_outcome(model, port.stream)
        feed(model, ext, port.stream)
    if stream.returned == 1:
        stream.returned = 0
        feed(model, ext, port.stream)
    elif stream.staging != Staging.DIRECT and port.closed == 0:
        return port.stream
    return NONE


@apart
def settle(model: Model, ext: int | None, p: int) -> None:
    """Let the instance of port ``p``, which lost a message, go on: threads first, then new admissions."""
    q = go_on(model, ext, p)
    if q != NONE:
        feed_on(model, ext, q)
