"""Formula answers of WebLogic, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import table_beside
from simulations.engine.network.model import Horizon
from simulations.platforms.shared.queues import about, answers_by, expectations, mean_service, number, settings_of
from simulations.platforms.weblogic import formulas, sources
from simulations.platforms.weblogic.mapping import build_network
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings

SHOWN_STEPS = 50
"""Steps of a flow table that are listed one by one."""

answer = answers_by(table_beside(__file__, "answers.yaml"), vars(sources))


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
        yield answer("share.{}", share, formula, of=name)
        goal = formulas.manager_of(server, name).response_time_goal
        if goal is not None:
            formula = f"{number(goal)} s minus the mean thread time"
            yield answer("goal.{}", goal, formula, of=name)
    longest, interval = settings.stuck_thread_max_time, settings.stuck_thread_timer_interval
    formula = f"{number(longest)} s + {number(interval)} s = {number(longest + interval)} s"
    yield answer("stuck_noticed", longest + interval, formula)
    for constraint in settings.constraints:
        users = [item.name for item in settings.work_managers if constraint.name in vars(item).values()]
        every = constraint.count * server.instances
        formula = f"{server.instances} × {constraint.count} for {', '.join(users) or 'nobody'} together = {every}"
        yield answer("constraint.{}", every, formula, of=constraint.name)


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
        yield answer("carried_rate", most, f"{server.instances} × {parallel} × {batch} = {number(most)}/s")
    if formulas.is_armed_ever(mdb):
        yield from _of_flow(queue, mdb)


def _of_concurrency(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    concurrency = formulas.concurrency(server, queue)
    trust = concurrency.trust
    formula = f"{concurrency.row} = {concurrency.maximum}"
    yield answer("max_concurrency", concurrency.maximum, formula, trust=trust)
    own, held = formulas.own_threads(server, queue), 1 if formulas.polls(queue) else 0
    reserved = 0 if own else concurrency.minimum
    formula = f"{concurrency.row}, reserved {reserved}"
    yield answer("min_concurrency", reserved, formula, trust=trust)
    total = concurrency.maximum * server.instances
    formula = f"{server.instances} × {concurrency.maximum} = {total}"
    yield answer("cluster_concurrency", total, formula, trust=trust)
    manager = formulas.work_of(server, queue)
    most = formulas.count_of(server, manager, "max_threads")
    if most is not None:
        yield answer("max_threads", most, f"max-threads-constraint of {manager.name} = {most}")
    if own:
        yield answer("own_threads", own * server.instances, f"{server.instances} × {own} = {own * server.instances}")
    yield answer("threads_held", held, "a poller stays" if held else "none of the pool without messages")
    ahead = concurrency.maximum * mdb.messages_maximum if formulas.is_asynchronous(queue) else 0
    formula = f"{concurrency.maximum} × {mdb.messages_maximum} = {ahead}" if ahead else "none is sent ahead"
    yield answer("pipeline", ahead, formula)


def _of_outage(system: System, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    polling, suspended = mdb.jms_polling_interval, mdb.max_suspend
    longest, steps = max(polling, suspended), formulas.suspensions(mdb)
    yield answer("reconnected_within", polling, f"one try every {number(polling)} s")
    formula = f"the longer of {number(polling)} s and {number(suspended)} s = {number(longest)} s"
    yield answer("back_after", longest, formula)
    rate = formulas.offered(system, queue)
    if rate is not None:
        formula = f"{number(rate)}/s × {number(longest)} s = {number(rate * longest)}"
        yield answer("outage_backlog", rate * longest, formula)
    if steps is not None:
        yield answer("suspensions", steps, f"{number(mdb.init_suspend)} s doubled until {number(suspended)} s: {steps}")


def _of_batch(queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    size, mean, longest = formulas.batch_size(queue), mean_service(queue), formulas.transaction_time(queue)
    formula = f"{number(mdb.commit_time)} s + 99 % quantile of {size} × onMessage = {number(longest)} s"
    yield answer("transaction_time", longest, formula)
    each = mean + mdb.commit_time / size
    formula = f"{number(mean)} s + {number(mdb.commit_time)} s / {size} = {number(each)} s"
    yield answer("time_per_message", each, formula)
    formula = f"{size} / ({number(mdb.commit_time)} s + {size} × {number(mean)} s) = {number(1 / each)}/s"
    yield answer("thread_capacity", 1 / each, formula)


def _of_flow(queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    table = formulas.table_of(mdb)
    formula = f"{number(mdb.flow_interval)} s / {mdb.flow_steps} = {number(table.step_s)} s"
    yield answer("flow.step", table.step_s, formula)
    formula = f"({number(mdb.flow_minimum)} / {mdb.flow_maximum})^(1/{mdb.flow_steps}) = {number(table.ratio)}"
    yield answer("flow.ratio", table.ratio, formula)
    for index, limit in enumerate(table.down[: SHOWN_STEPS + 1]):
        formula = f"{mdb.flow_maximum} × {number(table.ratio)}^{index} = {number(limit)}/s"
        yield answer("flow.down.{}", limit, formula, of=index)
    formula = f"sum of the limits × {number(table.step_s)} s = {number(table.admitted_down)}"
    yield answer("flow.admitted", table.admitted_down, formula)
    floor = queue.producers * mdb.flow_minimum
    yield answer("flow.floor", floor, f"{queue.producers} × {number(mdb.flow_minimum)}/s = {number(floor)}/s")
