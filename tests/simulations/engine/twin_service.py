"""The twin's service: CPUs that are shared, waiting, and resources downstream."""

from typing import TYPE_CHECKING

from simulations.engine.draws.numbers import Purpose
from tests.simulations.engine.twin_state import CPU_END, SERVICE_END, Thread

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Service:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        self.clock = [0.0] * len(twin.members)
        """By machine, in an exact twin: the CPU-seconds that each thread on its CPUs has had since they were idle.

        What ``twin.cpu`` has of a thread is what this clock will show when it is done; otherwise, what is left of it.
        """

    def serve(self, thread: Thread) -> None:
        assert thread.message
        spec = self.twin.network.streams[thread.message.stream]
        demand = self.twin.draw(
            Purpose.SERVICE,
            thread.message.stream,
            thread.message.index + thread.message.deliveries * 2**40,
            spec.service,
        )
        if spec.search is not None:
            demand += self.twin.draw(
                Purpose.SEARCH,
                thread.message.stream,
                thread.message.index + thread.message.deliveries * 2**40,
                spec.search,
            )
        order = next(self.twin.order)
        thread.message.crowding = 0.0
        on_cpu = demand * spec.cpu_share
        thread.stage = "last"
        if spec.downstream is None:
            self._work(thread, on_cpu, demand - on_cpu, order)
            return
        before = demand * (1.0 - spec.downstream.share)
        first_cpu = min(on_cpu, before)
        later_cpu = on_cpu - first_cpu
        thread.later = (later_cpu, demand - before - later_cpu)
        thread.stage = "before"
        if before > 0:
            self._work(thread, first_cpu, before - first_cpu, order)
        else:
            self._acquire(thread, order)

    def _work(self, thread: Thread, on_cpu: float, waiting: float, order: int) -> None:
        if on_cpu > 0:
            self.share_cpus(thread.machine)
            self.twin.cpu[thread.machine][thread] = self.clock[thread.machine] + on_cpu
            thread.event = [waiting, order]
            assert thread.message
            thread.message.crowding -= on_cpu
            thread.entered = self.twin.now
            self.plan_cpu(thread.machine)
        else:
            thread.event = self.twin.at(
                self.twin.now + waiting, SERVICE_END, order, lambda: self.end_part(thread, order)
            )

    def share_cpus(self, m: int) -> None:
        """Let every thread on the CPUs of member ``m`` progress to the present."""
        cpus, passed = self.twin.network.pools[self.twin.pool_of[m]].cpus, self.twin.now - self.twin.cpu_since[m]
        rate = min(1.0, cpus / max(len(self.twin.cpu[m]), 1))
        if self.twin.exact:
            self.clock[m] += passed * rate
        else:
            self.twin.cpu[m] = {thread: left - rate * passed for thread, left in self.twin.cpu[m].items()}
        self.twin.cpu_since[m] = self.twin.now

    def leave_cpus(self, thread: Thread) -> None:
        """Take a thread from the CPUs, at the present."""
        m = thread.machine
        del self.twin.cpu[m][thread]
        if not self.twin.cpu[m]:
            self.clock[m] = 0.0
        self.plan_cpu(m)

    def plan_cpu(self, m: int) -> None:
        event = self.twin.cpu_event[m]
        if event is not None:
            event[4] = None
        if self.twin.cpu[m]:
            cpus = self.twin.network.pools[self.twin.pool_of[m]].cpus
            slow = max(1.0, len(self.twin.cpu[m]) / cpus)
            left = max(min(self.twin.cpu[m].values()) - self.clock[m], 0.0)
            self.twin.cpu_event[m] = self.twin.at(self.twin.now + left * slow, CPU_END, m, lambda: self._end_cpu(m))

    def _end_cpu(self, m: int) -> None:
        self.share_cpus(m)
        thread = min(self.twin.cpu[m], key=lambda t: self.twin.cpu[m][t])
        if self.twin.exact:
            self.clock[m] = self.twin.cpu[m][thread]
        self.leave_cpus(thread)
        assert thread.event
        assert thread.message
        thread.message.crowding += self.twin.now - thread.entered
        waiting, order = thread.event
        if waiting > 0:
            thread.event = self.twin.at(
                self.twin.now + waiting, SERVICE_END, order, lambda: self.end_part(thread, order)
            )
        else:
            self.end_part(thread, order)

    def _acquire(self, thread: Thread, order: int) -> None:
        assert thread.message
        spec = self.twin.network.streams[thread.message.stream]
        assert spec.downstream
        key = (thread.machine, spec.downstream.resource)
        holders, line = self.twin.resource.setdefault(key, ([], []))
        if len(holders) < self.twin.network.resources[key[1]]:
            holders.append(thread)
            thread.stage = "last"
            self._work(thread, *thread.later, order)
        else:
            thread.stage = "queued"
            thread.event = [0.0, order]
            line.append(thread)

    def give_back(self, thread: Thread) -> None:
        for holders, line in self.twin.resource.values():
            if thread in holders:
                holders.remove(thread)
                if line:
                    following = line.pop(0)
                    holders.append(following)
                    following.stage = "last"
                    assert following.event
                    self._work(following, *following.later, following.event[1])

    def end_part(self, thread: Thread, order: int) -> None:
        port = thread.port
        assert port
        if thread.resuming:
            thread.resuming = False
            self.serve(thread)
        elif thread.stage == "before":
            self._acquire(thread, order)
        elif thread.stage == "commit":
            self.twin.endings.commit(thread)
            self.twin.staging.settle(port)
        elif self.twin.endings.end_message(thread, order):
            self.twin.staging.settle(port)
