"""The twin's end of a delivery: commit, failure, rollback, redelivery, and threads that are lost."""

import itertools
from typing import TYPE_CHECKING

from simulations.engine.draws.numbers import Purpose
from simulations.engine.network.model import ArrivalKind, Exhausted, Stream, TimeoutAction
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from tests.simulations.engine.twin_state import RETRY, SERVICE_END, Message, Port, Thread

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Endings:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin

    def _fails(self, message: Message) -> bool:
        spec, q = self.twin.network.streams[message.stream], message.stream
        if self.twin.outages.broken[q] or self.twin.chains.refused(message):
            return True
        if spec.poison_rate > 0 and self.twin.mark(Purpose.POISON, q, message.index) < spec.poison_rate:
            return True
        address = message.index + message.deliveries * 2**40
        return spec.failure_rate > 0 and self.twin.mark(Purpose.FAILURE, q, address) < spec.failure_rate

    def end_message(self, thread: Thread, order: int) -> bool:
        """End ``onMessage``; False when nothing else can move because of it."""
        port, message = thread.port, thread.message
        assert port
        assert message
        spec = self.twin.network.streams[port.stream]
        if spec.downstream:
            self.twin.service.give_back(thread)
        transaction = spec.transaction
        if transaction and transaction.lifetime > 0 and self.twin.now - thread.began > transaction.lifetime:
            self.twin.note(Step.OVERRUN, message, port.inflight)
            self.twin.counts.add(port.stream, Count.TRANSACTION_TIMEOUTS)
            self._roll_back(thread, alone=False)
            port.batch = max(port.batch // 2, 1)
            return True
        if self._fails(message):
            return self._fail(thread, message, order)
        if transaction is None:
            self._finish(thread, [message])
            return True
        thread.batch.append(message)
        message.done = self.twin.now
        thread.message = None
        if self._batch_goes_on(thread, port, spec):
            self.twin.dispatcher.begin(thread, port, thread.session)
            return True
        if transaction.commit_time == 0:
            self.commit(thread)
            return True
        thread.stage = "commit"
        thread.event = self.twin.at(
            self.twin.now + transaction.commit_time,
            SERVICE_END,
            order,
            lambda: self.twin.service.end_part(thread, order),
        )
        return False

    def _batch_goes_on(self, thread: Thread, port: Port, spec: Stream) -> bool:
        if self.twin.stopped[port.stream] or len(thread.batch) >= port.batch or thread.alone:
            return False
        line = self._line_of(thread, port, spec)
        if line:
            return not line[0].alone
        staged = spec.gate or spec.window or spec.pipeline
        return not staged and spec.arrivals.kind == ArrivalKind.SATURATED

    def _line_of(self, thread: Thread, port: Port, spec: Stream) -> list[Message]:
        if thread.session is not None:
            return port.sessions[thread.session]
        return port.prepared if spec.gate or spec.window else self.twin.source(port)

    def _fail(self, thread: Thread, message: Message, order: int) -> bool:
        port = thread.port
        assert port
        spec = self.twin.network.streams[port.stream]
        self.twin.note(Step.FAIL, message, port.inflight)
        again = spec.redelivery
        last = again.limit > 0 and message.deliveries + 1 >= again.limit
        address = message.index + message.deliveries * 2**40
        if spec.loss_rate > 0 and self.twin.mark(Purpose.LOSS, port.stream, address) < spec.loss_rate:
            self.twin.staging.left(port)
            self.twin.entry.drop(message)
            self._release(thread)
            return True
        if again.in_place and not thread.batch and not last:
            message.deliveries += 1
            self.twin.counts.add(port.stream, Count.REDELIVERIES)
            thread.resuming = True
            thread.event = self.twin.at(
                self.twin.now + again.delay, SERVICE_END, order, lambda: self.twin.service.end_part(thread, order)
            )
            return False
        alone = not again.in_place or bool(thread.batch)
        alone = alone and spec.transaction is not None and spec.transaction.batch > 1
        if alone and not thread.alone:
            left = max(port.batch - len(thread.batch) - 1, 0)  # it may have become smaller since the batch began
            line = self._line_of(thread, port, spec)
            alike = line if line is not self.twin.source(port) else [one for one in line if self._goes_with(one, line)]
            for other in itertools.takewhile(lambda one: not one.alone, alike[:left]):
                other.alone = True
        self._roll_back(thread, alone=alone)
        return True

    def _goes_with(self, message: Message, line: list[Message]) -> bool:
        """Whether the message has the priority of the first one of the line."""
        return self.twin.urgent(message) == self.twin.urgent(line[0])

    def commit(self, thread: Thread) -> None:
        port = thread.port
        assert port
        transaction = self.twin.network.streams[port.stream].transaction
        assert transaction
        port.batch = min(2 * port.batch, transaction.batch)
        done, thread.batch = thread.batch, []
        self.twin.counts.add(port.stream, Count.BATCHES)
        self.twin.counts.add(port.stream, Count.BATCHED, len(done))
        self._finish(thread, done)

    def _finish(self, thread: Thread, done: list[Message]) -> None:
        port = thread.port
        assert port
        transaction = self.twin.network.streams[port.stream].transaction
        for message in done:
            ending = self.twin.now - message.done - transaction.commit_time if transaction else 0.0
            self.twin.counts.end(message, ending)
            self.twin.staging.left(port)
            self.twin.end(message)
            self.twin.threads.crews[port.member].finished += 1
            self.twin.note(Step.COMPLETE, message, port.inflight)
            self.twin.chains.go_on(message)
            self.twin.sent[port.stream] = True
        self._release(thread)

    def _roll_back(self, thread: Thread, *, alone: bool, lost: bool = False) -> None:
        port = thread.port
        assert port
        batch = thread.batch + ([thread.message] if thread.message else [])
        thread.batch = []
        self.twin.counts.add(port.stream, Count.ROLLBACKS)
        delayed = self.twin.network.streams[port.stream].redelivery.delay > 0
        for message in batch if delayed else reversed(batch):
            message.alone = alone
            self.twin.staging.left(port)
            self.bring_back(message, delivered=True)
        self._release(thread, lost=lost)

    def bring_back(self, message: Message, *, delivered: bool) -> None:
        again, q = self.twin.network.streams[message.stream].redelivery, message.stream
        message.mark = self.twin.now
        if delivered:
            message.deliveries += 1
            if again.limit > 0 and message.deliveries >= again.limit:
                self._exhaust(message, again.exhausted)
                return
        self.twin.counts.add(q, Count.REDELIVERIES)
        if again.delay > 0:
            due = self.twin.now + again.delay
            self.twin.delayed[q].append((due, message))
            self.twin.at(due, RETRY, q, lambda: self._retry(q))
        else:
            self.twin.put(message, back=True)
            self.twin.returned[q] = True

    def _exhaust(self, message: Message, exhausted: Exhausted) -> None:
        if exhausted == Exhausted.STOP_STREAM:
            self.twin.stopped[message.stream] = True
            self.twin.put(message, back=True)
        else:
            dead = exhausted == Exhausted.DEAD_LETTER
            self.twin.counts.add(message.stream, Count.DROPPED, int(not dead))
            self.twin.end(message)
            self.twin.note(Step.DEAD if dead else Step.DROP, message, 0)

    def _retry(self, q: int) -> None:
        """Bring all messages back whose delay ends now, in the order in which they left; one timer does it for all."""
        due = [message for time, message in self.twin.delayed[q] if time <= self.twin.now]
        self.twin.delayed[q] = self.twin.delayed[q][len(due) :]
        for message in reversed(due):
            self.twin.put(message, back=True)
        for message in due:
            message.mark = self.twin.now
        if due:
            self.twin.staging.feed(q)

    def _release(self, thread: Thread, *, lost: bool = False) -> None:
        port = thread.port
        assert port
        thread.port = thread.message = None
        self.twin.choice.charge(port, -1)
        port.threads -= 1
        if thread.session is not None:
            port.busy.discard(thread.session)
            if port.sessions[thread.session]:
                port.ready.append(thread.session)
        if lost:
            self.twin.polling.lose_poller(port)
        elif not self.twin.polling.poll_on(thread, port):
            self.twin.threads.give(thread)

    def overrun(self, port: Port) -> None:
        """End all deliveries of the port that are due, the longest queued first, before anything else moves."""
        late = [entry for entry in port.watched if entry[0] <= self.twin.now]
        due = [(thread, start) for _, thread, start, _ in sorted(late, key=lambda entry: entry[3])]
        port.watched = [entry for entry in port.watched if entry[0] > self.twin.now]
        timeouts = self.twin.network.streams[port.stream].timeouts
        assert timeouts
        moved = False
        for thread, start in due:
            if thread.message is not None and thread.start == start:
                moved = True
                self.twin.counts.add(port.stream, Count.DISPATCH_TIMEOUTS)
                self.twin.note(Step.OVERRUN, thread.message, port.inflight)
                if timeouts.action == TimeoutAction.RESTART_SERVANT:
                    self.twin.threads.lose_servant(thread)
                else:
                    self._halt(thread)
        if moved:
            for other in self.twin.ports_of(port.member):
                self.twin.staging.settle(other)

    def lose(self, thread: Thread) -> None:
        """End what a thread that is not idle does, for good: it waits for a message, or works."""
        for port in self.twin.ports_of(thread.member):
            if thread in port.waiters:
                port.waiters.remove(thread)
                self.twin.polling.lose_poller(port)
                return
        self._halt(thread, lost=True)

    def _halt(self, thread: Thread, *, lost: bool = False) -> None:
        self._abandon(thread)
        if thread in self.twin.cpu[thread.machine]:
            self.twin.service.share_cpus(thread.machine)
            self.twin.service.leave_cpus(thread)
        elif thread.event is not None and len(thread.event) > 2:
            thread.event[4] = None
        thread.resuming = False
        self._roll_back(thread, alone=False, lost=lost)

    def _abandon(self, thread: Thread) -> None:
        if not thread.resuming:
            for _, line in self.twin.resource.values():
                if thread in line:
                    line.remove(thread)
            self.twin.service.give_back(thread)
