"""Packs what streams send to each other, and says how many messages come of it."""

import math
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import chain

import numpy as np

from simulations.engine.network import model
from simulations.engine.network.results import BINS
from simulations.engine.packing.numbering import UNLIMITED, Builder
from simulations.engine.records.layout import Send
from simulations.engine.records.record import Table, records
from simulations.engine.records.stream import Stream as StreamRecord

_MOST_ROWS = 2**20
"""Beyond the rows of any stream: keeps the addresses of their random numbers apart."""


def chained(network: model.NetworkSpec) -> list[int]:
    """Return the streams that send to others or are sent to."""
    return [q for q, spec in enumerate(network.streams) if spec.sends or network.senders(q)]


def finite_messages(network: model.NetworkSpec, q: int) -> int:
    """Return the most messages that stream ``q`` can ever have, all copies counted; 0 = without end."""
    most = _most_messages(network, q)
    return min(int(most), UNLIMITED) if math.isfinite(most) else 0


def _most_messages(network: model.NetworkSpec, q: int) -> float:
    arrivals = network.streams[q].arrivals
    ends = {model.ArrivalKind.NONE: 0, model.ArrivalKind.TRACE: len(arrivals.instants)}
    once = arrivals.kind == model.ArrivalKind.SURGE and arrivals.rate == 0.0
    own = arrivals.count if once else ends.get(arrivals.kind, math.inf)
    sent = sum(math.ceil(send.messages) * _most_messages(network, sender) for sender, send in network.senders(q))
    return (own + sent) * network.receivers(network.streams[q])


def most_sent(network: model.NetworkSpec) -> int:
    """Return the most message slots that one commit of any stream needs for what it sends."""

    def slots(spec: model.Stream) -> int:
        batch = spec.transaction.batch if spec.transaction is not None else 1
        targets = ((send, network.streams[send.stream]) for send in spec.sends)
        return batch * sum(math.ceil(send.messages) * network.receivers(target) for send, target in targets)

    return max(map(slots, network.streams))


def pack_sends(builder: Builder, streams: Table[StreamRecord]) -> Table[Send]:
    """Return what the streams send; a histogram of each that is sent to follows those of all streams."""
    network = builder.network
    rows = [(q, i, send) for q, spec in enumerate(network.streams) for i, send in enumerate(spec.sends)]
    table = records(Send, len(rows))
    streams.sends = [len(spec.sends) for spec in network.streams]
    streams.first_send = np.cumsum(streams.sends) - streams.sends
    streams.chained[chained(network)] = 1
    for record, (q, i, send) in zip(table, rows, strict=True):
        record.stream, record.whole = send.stream, math.floor(send.messages)
        record.fraction = send.messages - record.whole
        record.send_key = q * _MOST_ROWS + i
    for place, q in enumerate(streams_sent_to(network)):
        streams[q].path = (len(network.streams) + place - q) * BINS
    return table


def streams_sent_to(network: model.NetworkSpec) -> list[int]:
    """Return the streams that others send to, in their order."""
    return [q for q in range(len(network.streams)) if network.senders(q)]


def problems_of_chains(network: model.NetworkSpec) -> Iterator[str]:
    """Yield what is wrong with what streams send to each other."""
    targets = {q: [send.stream for send in spec.sends] for q, spec in enumerate(network.streams)}
    numbers = [send.messages for spec in network.streams for send in spec.sends]
    if not {*chain(*targets.values())} <= {*targets} or not all(0.0 <= number < math.inf for number in numbers):
        yield "messages go on to streams that exist, and not fewer than 0"
    try:
        TopologicalSorter(targets).prepare()
    except CycleError:
        yield "messages must not go in a circle"
