"""Threads that fetch messages themselves: how many poll, which wait inside receive(), and which go back to the pool.

EAGER (non-ASF): every session holds a thread from the start. TOKEN (WebLogic 10.3+): one poller stays; a received
message may wake one more, so the number grows by at most one per message. LEGACY (8.1): one more poller per cycle while
messages wait, and they stay. The poller that has waited longest gets the next message (assumed).
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import next_line, waits
from simulations.engine.events.queues import append, pop, remove
from simulations.engine.measures.observe import accrue_member
from simulations.engine.network.model import PollerKind
from simulations.engine.records.codes import NONE, State
from simulations.engine.records.layout import Model


@inline
def call_poller(model: Model, p: int) -> None:
    """Ask the pool for one more thread for port ``p``."""
    port = model.ports[p]
    port.wanted += 1
    model.ticket += 1
    port.ticket = model.ticket


@inline
def received(model: Model, p: int) -> None:
    """Apply the token rule after a poller of port ``p`` has received a message: wake one more if the token is free."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    free = model.queues[port.waiters].count == 0 and port.wanted == 0
    if stream.poller_kind == PollerKind.TOKEN and free and port.pollers + port.wanted < port.sessions:
        call_poller(model, p)


@inline
def wait_in_receive(model: Model, t: int, p: int) -> None:
    """Let the freed thread ``t`` wait inside receive() for port ``p``."""
    thread = model.threads[t]
    port = model.ports[p]
    accrue_member(model, thread.member)
    model.members[thread.member].held += 1
    thread.state = State.HELD
    thread.message = NONE
    thread.port = p
    thread.began = model.now
    append(model.threads, model.queues[port.waiters], t)


@inline
def take_waiter(model: Model, p: int) -> int:
    """Return the thread of port ``p`` that has waited longest, with the age of its transaction.

    receive() gives up after the receive timeout and begins a new, empty transaction, so the age at the message's
    arrival is the wait modulo the timeout. Without a timeout the transaction begins with the message.
    """
    port = model.ports[p]
    t = pop(model.threads, model.queues[port.waiters])
    thread = model.threads[t]
    accrue_member(model, thread.member)
    model.members[thread.member].held -= 1
    timeout = model.streams[port.stream].receive_timeout
    thread.began = model.now - ((model.now - thread.began) % timeout if timeout > 0.0 else 0.0)
    return t


@inline
def keeps_thread(model: Model, p: int) -> bool:
    """Say whether a poller of port ``p`` that found nothing keeps its thread: with TOKEN only if the token is free."""
    port = model.ports[p]
    if model.streams[port.stream].poller_kind == PollerKind.TOKEN:
        return model.queues[port.waiters].count == 0 and port.wanted == 0
    return True


@compiled
def poll_cycle(model: Model, p: int) -> None:
    """Add a poller to port ``p`` if messages wait (LEGACY), once per polling interval."""
    port = model.ports[p]
    enough = port.pollers + port.wanted >= port.sessions
    if not enough and waits(model, port.stream, port.destination):
        call_poller(model, p)
    schedule(model, port.poll_slot, model.now + port.poll_interval)


@compiled
def start_pollers(model: Model, p: int) -> None:
    """Ask for the pollers that port ``p`` has from the start, or when it takes messages again."""
    port = model.ports[p]
    port.pollers = port.wanted = 0
    kind = model.streams[port.stream].poller_kind
    first = 1 if kind in (PollerKind.TOKEN, PollerKind.LEGACY) else port.sessions
    for _ in range(first):
        call_poller(model, p)
    if kind == PollerKind.LEGACY:
        schedule(model, port.poll_slot, model.now + port.poll_interval)


@inline
def has_message(model: Model, p: int) -> bool:
    """Say whether a message is there for a poller of port ``p``; a saturated stream without slots asks for them."""
    port = model.ports[p]
    if next_line(model, port.stream, port.destination).count > 0:
        return True
    if model.streams[port.stream].saturated == 0:
        return False
    if model.free_count == 0:
        model.starved = 1
        return False
    return True


@compiled
def others_wait(model: Model, p: int) -> bool:
    """Say whether a message that was just rolled back on port ``p`` goes to a poller already inside receive(). The
    thread that rolled it back has yet to call receive() again; ``returned`` is set until such messages move on."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    if stream.returned == 0:
        return False
    for i in range(stream.instances):
        other = model.ports[stream.first_port + i * stream.stride]
        if other.destination == port.destination and model.queues[other.waiters].count > 0:
            return True
    return False


@compiled
def unlink_waiter(model: Model, t: int) -> None:
    """Take thread ``t`` out of the line of pollers that wait inside receive()."""
    thread = model.threads[t]
    remove(model.threads, model.queues[model.ports[thread.port].waiters], t)
    model.members[thread.member].held -= 1
