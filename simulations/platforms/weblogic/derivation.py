"""Formula answers of WebLogic, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator
from dataclasses import replace

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Horizon
from simulations.platforms.shared.queues import about, derived, expectations, mean_service, number, settings_of
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.mapping import build_network
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings
from simulations.platforms.weblogic.sources import BATCHING, BEANS, DEPLOYMENT, FLOW, JMS, OWN_MODEL, TUNING, WORK

TABLE = Source(TUNING, "Table 10-1, concurrency")
THREADS = Source(TUNING, "thread utilization by destination and transaction")
SHARE = Source(WORK, "fair share request class")
SHARED = Source(WORK, "constraints shared by work managers")
GOAL = Source(WORK, "response time request class")
BATCH = Source(BATCHING, "messages in one transaction")
PIPELINE = Source(JMS, "messages-maximum")
OUTAGE = Source(DEPLOYMENT, "jms-polling-interval-seconds, init-suspend-seconds, max-suspend-seconds", "unverified")
STUCK = Source(BEANS, "stuck-thread-max-time and stuck-thread-timer-interval")
STEPS = Source(FLOW, "Flow Steps")
CAPACITY = Source(OWN_MODEL, "concurrency divided by service and commit time", "assumed")
SHOWN_STEPS = 50
"""Steps of a flow table that are listed one by one."""


def answers(system: System) -> Iterator[Derived]:
    """Yield all formula answers: of queues, of servers, then what closed forms expect."""
    for queue in system.queues:
        yield from about(queue.name, _of_queue(system, queue))
    for server in system.servers:
        yield from about(server.name, _of_server(system, server))
    yield from expectations(build_network(system, Horizon()), system)


def _of_server(system: System, server: Server) -> Iterator[Derived]:
    settings, shares = settings_of(server, ServerSettings), formulas.weights(system, server)
    total = sum(shares.values())
    for name, weight in shares.items():
        share = weight / total
        formula = f"{number(weight)} / {number(total)} = {number(100 * share)} % while all have work"
        yield derived(f"share.{name}", f"Thread share of {name}", share, "1", formula, SHARE)
        goal = formulas.manager_of(server, name).response_time_goal
        if goal is not None:
            formula = f"{number(goal)} s minus the mean thread time"
            yield derived(f"goal.{name}", f"Response time goal of {name}", goal, "s", formula, GOAL)
    longest, interval = settings.stuck_thread_max_time, settings.stuck_thread_timer_interval
    formula = f"{number(longest)} s + {number(interval)} s = {number(longest + interval)} s"
    yield derived("stuck_noticed", "A stuck thread is noticed within", longest + interval, "s", formula, STUCK)
    for constraint in settings.constraints:
        users = [item.name for item in settings.work_managers if constraint.name in vars(item).values()]
        every = constraint.count * server.instances
        formula = f"{server.instances} × {constraint.count} for {', '.join(users) or 'nobody'} together = {every}"
        title = f"Shared constraint {constraint.name}"
        yield derived(f"constraint.{constraint.name}", title, every, "threads", formula, SHARED)


def _of_queue(system: System, queue: Queue) -> Iterator[Derived]:
    server, mdb = system.server_of(queue), formulas.mdb_of(queue)
    yield from _of_concurrency(server, queue, mdb)
    if mdb.transactional:
        yield from _of_batch(queue, mdb)
    yield from _of_outage(system, queue, mdb)
    most = formulas.carried(system, queue)
    if most is not None:
        mean, size = mean_service(queue), formulas.batch_size(queue)
        commit = number(mdb.commit_time if mdb.transactional else 0.0)
        parallel = formulas.concurrency(server, queue).maximum
        batch = f"{size} / ({commit} s + {size} × {number(mean)} s)"
        formula = f"{server.instances} × {parallel} × {batch} = {number(most)}/s"
        yield derived("carried_rate", "Largest throughput", most, "/s", formula, CAPACITY)
    if formulas.is_armed_ever(mdb):
        yield from _of_flow(queue, mdb)


def _of_concurrency(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    concurrency = formulas.concurrency(server, queue)
    table = replace(TABLE, trust=concurrency.trust)
    formula = f"{concurrency.row} = {concurrency.maximum}"
    yield derived("max_concurrency", "Most parallel onMessage per server", concurrency.maximum, "beans", formula, table)
    own, held = formulas.own_threads(server, queue), 1 if formulas.polls(queue) else 0
    reserved = 0 if own else concurrency.minimum
    formula = f"{concurrency.row}, reserved {reserved}"
    yield derived("min_concurrency", "Reserved threads per server", reserved, "threads", formula, table)
    total = concurrency.maximum * server.instances
    formula = f"{server.instances} × {concurrency.maximum} = {total}"
    yield derived("cluster_concurrency", "Most parallel onMessage", total, "beans", formula, table)
    manager = formulas.work_of(server, queue)
    most = formulas.count_of(server, manager, "max_threads")
    if most is not None:
        formula = f"max-threads-constraint of {manager.name} = {most}"
        yield derived("max_threads", "Threads of the work manager", most, "threads", formula, SHARED)
    if own:
        formula = f"{server.instances} × {own} = {own * server.instances}"
        yield derived("own_threads", "Threads beside the pool", own * server.instances, "threads", formula, THREADS)
    formula = "a poller stays" if held else "none of the pool without messages"
    yield derived("threads_held", "Threads held while idle", held, "threads", formula, THREADS)
    ahead = concurrency.maximum * mdb.messages_maximum if formulas.is_asynchronous(queue) else 0
    formula = f"{concurrency.maximum} × {mdb.messages_maximum} = {ahead}" if ahead else "none is sent ahead"
    yield derived("pipeline", "Messages waiting behind instances", ahead, "messages", formula, PIPELINE)


def _of_outage(system: System, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    polling, suspended = mdb.jms_polling_interval, mdb.max_suspend
    longest, steps = max(polling, suspended), formulas.suspensions(mdb)
    formula = f"one try every {number(polling)} s"
    yield derived("reconnected_within", "Connected again within", polling, "s", formula, OUTAGE)
    formula = f"the longer of {number(polling)} s and {number(suspended)} s = {number(longest)} s"
    yield derived("back_after", "Works again after an outage within", longest, "s", formula, OUTAGE)
    rate = formulas.offered(system, queue)
    if rate is not None:
        formula = f"{number(rate)}/s × {number(longest)} s = {number(rate * longest)}"
        title = "Messages that wait until the bean works again"
        yield derived("outage_backlog", title, rate * longest, "messages", formula, OUTAGE)
    if steps is not None:
        formula = f"{number(mdb.init_suspend)} s doubled until {number(suspended)} s: {steps}"
        title = "Failures in a row until the longest suspension"
        yield derived("suspensions", title, steps, "attempts", formula, OUTAGE)


def _of_batch(queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    size, mean, longest = formulas.batch_size(queue), mean_service(queue), formulas.transaction_time(queue)
    formula = f"{number(mdb.commit_time)} s + 99 % quantile of {size} × onMessage = {number(longest)} s"
    yield derived("transaction_time", "Time of a slow full batch", longest, "s", formula, BATCH)
    each = mean + mdb.commit_time / size
    formula = f"{number(mean)} s + {number(mdb.commit_time)} s / {size} = {number(each)} s"
    yield derived("time_per_message", "Thread time per message", each, "s", formula, BATCH)
    formula = f"{size} / ({number(mdb.commit_time)} s + {size} × {number(mean)} s) = {number(1 / each)}/s"
    yield derived("thread_capacity", "Ceiling of one thread", 1 / each, "/s", formula, BATCH)


def _of_flow(queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    table = formulas.table_of(mdb)
    formula = f"{number(mdb.flow_interval)} s / {mdb.flow_steps} = {number(table.step_s)} s"
    yield derived("flow.step", "Flow evaluation interval", table.step_s, "s", formula, STEPS)
    formula = f"({number(mdb.flow_minimum)} / {mdb.flow_maximum})^(1/{mdb.flow_steps}) = {number(table.ratio)}"
    yield derived("flow.ratio", "Decay per step", table.ratio, "1", formula, STEPS)
    for index, limit in enumerate(table.down[: SHOWN_STEPS + 1]):
        formula = f"{mdb.flow_maximum} × {number(table.ratio)}^{index} = {number(limit)}/s"
        yield derived(f"flow.down.{index}", f"Limit after {index} steps", limit, "/s", formula, STEPS)
    formula = f"sum of the limits × {number(table.step_s)} s = {number(table.admitted_down)}"
    title = "Messages of one producer in the first interval"
    yield derived("flow.admitted", title, table.admitted_down, "messages", formula, STEPS)
    floor = queue.producers * mdb.flow_minimum
    formula = f"{queue.producers} × {number(mdb.flow_minimum)}/s = {number(floor)}/s"
    yield derived("flow.floor", "Rate that remains when all are slowed down", floor, "/s", formula, STEPS)
