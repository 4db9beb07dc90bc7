"""What beans send on to other streams, written a second time."""

import math
from typing import TYPE_CHECKING

from simulations.engine.draws.numbers import Purpose, uniform
from simulations.engine.network.model import LimitBehaviour
from simulations.engine.network.results import Sum
from tests.simulations.engine.twin_producers import Producer

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Message

REMOVING = (LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY)


class Chains:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        self.reached = {send.stream for spec in twin.network.streams for send in spec.sends}

    def _counts(self, message: "Message") -> list[tuple[int, int]]:
        """Return how many messages go on with the message, by stream."""
        sends = self.twin.network.streams[message.stream].sends
        keys = [self.twin.key(Purpose.SEND, message.stream * 2**20 + i) for i in range(len(sends))]
        return [
            (send.stream, math.floor(send.messages) + (uniform(key, message.index) < send.messages % 1))
            for send, key in zip(sends, keys, strict=True)
        ]

    def refused(self, message: "Message") -> bool:
        """Whether a destination has no room for what the message sends."""
        return any(number and not self._takes(q, number) for q, number in self._counts(message))

    def _takes(self, q: int, number: int) -> bool:
        if self.twin.outages.absent[q] or self.twin.choice.full(q):
            return False
        producers = self.twin.producers.get(q)
        if producers is None or producers.quota.behaviour in REMOVING:
            return True
        quota, size = producers.quota, self.twin.network.streams[q].message_size
        room = not quota.messages or self.twin.inside[q] + number <= quota.messages
        return room and (not quota.bytes or producers.bytes + number * size <= quota.bytes)

    def go_on(self, message: "Message") -> None:
        """Send what the committed message sends."""
        if message.stream in self.reached:
            self.twin.counts.places[message.stream, Sum.END_TO_END] += self.twin.now - message.began  # type: ignore[assignment]
        for q, number in self._counts(message):
            for _ in range(number):
                self._arrive(q, message.began)

    def _arrive(self, q: int, began: float) -> None:
        producers, size = self.twin.producers.get(q), 0
        if producers:
            sender = Producer(-1)
            sender.size = producers.size_of(2**40 + self.twin.next_index[q])
            size = int(sender.size)
            while producers.quota.behaviour in REMOVING and not producers.fits(sender):
                if not producers.remove_oldest():
                    break
        for copy in range(len(self.twin.destination[q])):
            message = self.twin.create(q)
            message.began, message.copy, message.length = began, copy, size
            self.twin.put(message)
        if producers:
            producers.bytes += size
            producers.watch()

    def feed(self, q: int) -> None:
        """Move on what a stream has sent."""
        for send in self.twin.network.streams[q].sends:
            self.twin.staging.feed(send.stream)
