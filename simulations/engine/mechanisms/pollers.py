"""Threads that fetch messages themselves: how many poll, who waits inside receive(), and who gives its thread back.

EAGER (non-ASF): every session holds a thread from the start. TOKEN (WebLogic 10.3+): one poller stays; a received
message may wake one more, so the number grows by at most one per message. LEGACY (8.1): one more poller per cycle while
messages wait, and they stay. The poller that has waited longest gets the next message (assumed).
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import waits
from simulations.engine.measures.observe import accrue_member
from simulations.engine.network.model import PollerKind
from simulations.engine.records.layout import NONE, State, member_at, port_at, queue_at, stream_at, thread_at

_TOKEN = int(PollerKind.TOKEN)
_LEGACY = int(PollerKind.LEGACY)
_HELD = int(State.HELD)


@inline
def call_poller(model: Any, p: int) -> None:
    """Ask the pool for one more thread for port ``p``."""
    port = port_at(model, p)
    port.wanted += 1
    model.ticket += 1
    port.ticket = model.ticket


@inline
def received(model: Any, p: int) -> None:
    """Apply the token rule after a poller of port ``p`` has received a message: wake one more if the token is free."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    free = port.waiters_head == NONE and port.wanted == 0
    if stream.poller_kind == _TOKEN and free and port.pollers + port.wanted < port.sessions:
        call_poller(model, p)


@inline
def wait_in_receive(model: Any, t: int, p: int) -> None:
    """Let thread ``t``, which is in no state, wait inside receive() for port ``p``; its transaction begins now."""
    thread = thread_at(model, t)
    port = port_at(model, p)
    accrue_member(model, thread.member)
    member_at(model, thread.member).held += 1
    thread.state = _HELD
    thread.message = NONE
    thread.port = p
    thread.began = model.now
    thread.next = NONE
    if port.waiters_head == NONE:
        port.waiters_head = t
    else:
        thread_at(model, port.waiters_tail).next = t
    port.waiters_tail = t


@inline
def take_waiter(model: Any, p: int) -> int:
    """Return the thread of port ``p`` that has waited longest, its transaction aged by the wait.

    receive() gives up after the receive timeout and begins a new, empty transaction, so the age at the message's
    arrival is the wait modulo the timeout.
    """
    port = port_at(model, p)
    t = port.waiters_head
    thread = thread_at(model, t)
    port.waiters_head = thread.next
    accrue_member(model, thread.member)
    member_at(model, thread.member).held -= 1
    timeout = stream_at(model, port.stream).receive_timeout
    if timeout > 0.0:
        thread.began = model.now - (model.now - thread.began) % timeout
    return int(t)


@inline
def stays(model: Any, p: int) -> bool:
    """Say whether a poller of port ``p`` that found nothing keeps its thread: with TOKEN only if the token is free."""
    port = port_at(model, p)
    if stream_at(model, port.stream).poller_kind == _TOKEN:
        return bool(port.waiters_head == NONE and port.wanted == 0)
    return True


@compiled
def poll_cycle(model: Any, p: int) -> None:
    """Add a poller to port ``p`` if messages wait (LEGACY), once per polling interval."""
    port = port_at(model, p)
    enough = port.pollers + port.wanted >= port.sessions
    if not enough and waits(model, port.stream, port.destination):
        call_poller(model, p)
    schedule(model, port.poll_slot, model.now + port.poll_interval)


@compiled
def start_pollers(model: Any, p: int) -> None:
    """Ask for the pollers that port ``p`` has from the start."""
    port = port_at(model, p)
    kind = stream_at(model, port.stream).poller_kind
    first = 1 if kind in (_TOKEN, _LEGACY) else port.sessions
    for _ in range(first):
        call_poller(model, p)
    if kind == _LEGACY:
        schedule(model, port.poll_slot, model.now + port.poll_interval)


@inline
def has_message(model: Any, p: int) -> bool:
    """Say whether a message is there for a poller of port ``p``; a saturated stream without slots asks for them."""
    port = port_at(model, p)
    if queue_at(model, port.destination).count > 0:
        return True
    if stream_at(model, port.stream).saturated == 0:
        return False
    if model.free_count == 0:
        model.starved = 1
        return False
    return True


@compiled
def unlink_waiter(model: Any, t: int) -> None:
    """Take thread ``t`` out of the line of pollers that wait inside receive()."""
    thread = thread_at(model, t)
    port = port_at(model, thread.port)
    before = NONE
    at = port.waiters_head
    while at != t:
        before = at
        at = thread_at(model, at).next
    if before == NONE:
        port.waiters_head = thread.next
    else:
        thread_at(model, before).next = thread.next
    if port.waiters_tail == t:
        port.waiters_tail = before
    member_at(model, thread.member).held -= 1
