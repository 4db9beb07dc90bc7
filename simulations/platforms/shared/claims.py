"""Sentences and costs that every family states the same way, taken from a summary."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from simulations.analysis.estimates.metrics import HELD, LOST
from simulations.analysis.estimates.summary import Estimate, PointSummary, Scale, estimate_quantity, estimate_text
from simulations.declarations.system import Queue, Server, System, has_outage
from simulations.declarations.tables import table_beside
from simulations.declarations.workload import Nothing
from simulations.platforms.shared.family import Claim, Platform
from simulations.platforms.shared.queues import QueueParameters, is_saturated, settings_of

NOTABLE_WAIT = 0.01
"""Share of the mean latency that messages wait where a claim says that something held them up."""
NOTABLE_IDLE = 0.05
"""Mean number of idle threads that is worth a sentence."""
AS_TOLD = 0.9
"""Share of what a formula says that a full queue carries which a run must complete for it to be told."""
FULL = 0.95
"""Share of the CPUs in use from which on they are the limit."""
LARGE = 0.1
"""Share of the mean latency, or of the work of onMessage, from which on a wait is worth a sentence."""
FEW_IDLE = 0.005
"""Idle threads per busy one while messages are held back, up to which fewer would save little (10 % at 95 % load)."""
WAITED_FOR: Mapping[str, str] = table_beside(__file__, "waits.yaml")
"""Waits by cause, ``.busy`` where all threads were, ``.open`` where the gate was open; what remains of the latency is
onMessage's work and the commit."""
WAITS = ("wait.destination", "wait.prepared", "wait.thread")


def explained(family: Platform, system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return the family's explanation; of several queues each sentence begins with the one that it is about."""
    waits = (claim for queue in system.queues for claim in largest_wait(system, queue, summary))
    outages = (claim for queue in system.queues for claim in after_outage(system, queue, summary))
    claims = (*outages, *limits(system, summary), *family.explain(system, summary), *waits)
    names = {queue.name for queue in system.queues} if len(system.queues) > 1 else set()
    # Nothing is said of an effect that may be none, but lost messages are no chance.
    sure = (item for item in claims if not item.estimate or item.estimate.leaves_zero_out or item.metric in LOST)
    return tuple(_named(claim, names) for claim in sure)


def _named(claim: Claim, names: Set[str]) -> Claim:
    queue = max((name for name in names if claim.id.startswith(f"{name}.")), key=len, default="")
    silent = queue and repr(queue) not in claim.sentence
    return replace(claim, sentence=f"{queue}: {claim.sentence}") if silent else claim


def estimate_of(summary: PointSummary, entity: str, name: str) -> Estimate | None:
    """Return the metric of a queue or server, else that of the whole system, or None."""
    return summary.queues.get(entity, {}).get(name) or summary.metrics.get(name)


def of_server(system: System, server: Server, name: str, summary: PointSummary) -> Estimate | None:
    """Return the metric of a server, or None; that of the whole system is one server's only where there is no other."""
    estimate = summary.servers.get(server.name, {}).get(name)
    return summary.metrics.get(name) if estimate is None and len(system.servers) == 1 else estimate


def value_of(summary: PointSummary, entity: str, name: str) -> float:
    """Return the metric's value of a queue or server; 0 where there is none."""
    estimate = summary.queues.get(entity, {}).get(name)
    return 0.0 if estimate is None else estimate.value


def waited(queue: Queue, summary: PointSummary) -> bool:
    """True when messages of the queue noticeably waited for their onMessage: measured, without end, or never none."""
    if queue.name in summary.growth:
        return True
    if is_saturated(queue):
        return value_of(summary, queue.name, "throughput") > 0
    wait = sum(value_of(summary, queue.name, name) for name in WAITS)
    return wait > NOTABLE_WAIT * value_of(summary, queue.name, "latency.mean")


def reached(names: Iterable[str], count: int, summary: PointSummary) -> bool:
    """True when ``count`` threads ran at once for these queues and other work, as far as the course over time shows.
    True too where no course was drawn."""
    drawn = [curve for name in names if (curve := summary.timeline.get(name, {}).get("running"))]
    together = [sum(value or 0.0 for value in instant) for instant in zip(*drawn, strict=True)]
    return not together or max(together) >= count


def members_text(server: Server) -> str:
    """Return where a limit of one member holds, as the end of a phrase; empty where there is one member."""
    return f" on each of {server.instances} members" if server.instances > 1 else ""


def exact(value: float, unit: str) -> Estimate:
    """Return a number of a formula as an estimate without interval."""
    return Estimate(value, value, value, unit, "formula")


def stated(
    identity: str,
    sentence: str,
    metric: str,
    estimate: Estimate,
    *,
    about: Mapping[str, str],
    condition: str = "",
    proof: Mapping[str, object] | None = None,
    beside: float | Scale = 0.0,
) -> Claim:
    """Return the claim that a metric has this value: ``{}`` in the sentence, ``{n}`` without unit; ``beside`` one."""
    value = estimate_quantity(estimate, beside)
    text = sentence.replace("{}", str(value)).replace("{n}", str(value._replace(unit="")))
    return Claim(identity, text, proof or {}, about, metric, condition, estimate)


def unstable_claim(queue: Queue, most: float | None, summary: PointSummary) -> Iterator[Claim]:
    """Say what a queue carries that grows without end; its proof is the same queue never empty. Where the run completes
    clearly less than that, something the formula leaves out is the limit, and it is not said."""
    done = estimate_of(summary, queue.name, "throughput")
    if queue.name in summary.growth and most is not None and (done is None or done.high >= AS_TOLD * most):
        sentence = f"Unstable: by formula, these settings carry {{n}} messages per second of {queue.name!r}."
        full = {f"{queue.path}.arrivals": {"kind": "saturated"}}
        limit = exact(float(f"{most:.3g}"), "/s")
        yield stated(f"{queue.name}.unstable", sentence, "throughput", limit, about={"queue": queue.name}, proof=full)


def measured_claim(queue: Queue, summary: PointSummary, metric: str, sentence: str) -> Iterator[Claim]:
    """Say ``sentence`` with the queue's value of the metric, where that is above 0."""
    estimate = summary.queues.get(queue.name, {}).get(metric)
    if estimate is not None and estimate.value > 0:
        yield stated(f"{queue.name}.{metric}", sentence, metric, estimate, about={"queue": queue.name})


def idle_claim(identity: str, server: Server, idle: Estimate | None, sentence: str, condition: str) -> Iterator[Claim]:
    """Say how many threads of an instance have nothing to do while messages are held back, where it is notable."""
    if idle is not None and idle.value >= NOTABLE_IDLE:
        about = {"server": server.name}
        yield stated(identity, sentence, "threads.idle_given_blocked", idle, about=about, condition=condition)


def limits(system: System, summary: PointSummary) -> Iterator[Claim]:
    """Name full CPUs, downstream resources that threads wait for, and messages that die or are urgent."""
    for server in system.servers:
        busy = of_server(system, server, "cpu.utilisation", summary)
        if busy is not None and busy.low >= FULL:
            sentence = f"The CPUs of server {server.name!r} are {{}} busy: they are the limit."
            yield stated(f"{server.name}.cpu_full", sentence, "cpu.utilisation", busy, about={"server": server.name})
    for queue in system.queues:
        resource = settings_of(queue, QueueParameters).downstream
        own = summary.queues.get(queue.name, {})
        work = sum(own[name].value for name in ("service.cpu", "service.wait") if name in own)
        other = max((own[name].value for name in WAITED_FOR if name in own), default=0.0)
        if "cause.cpu" in own and own["cause.cpu"].low > LARGE * work and own["cause.cpu"].value < other:
            what = "With its thread in hand a message waits {} for CPUs which other threads use."
            yield from measured_claim(queue, summary, "cause.cpu", what)
        if resource is not None and "cause.downstream" in own and own["cause.downstream"].low > LARGE * work > 0:
            what = f"With its thread in hand a message waits {{}} for the {resource.limit} of {resource.name!r}."
            yield from measured_claim(queue, summary, "cause.downstream", what)
        dead = "{n} messages per replication are given up after their last delivery: they are dead letters."
        yield from measured_claim(queue, summary, "dead_letters", dead)
        yield from measured_claim(queue, summary, "latency.urgent", "Urgent messages take {} on average.")
        if HELD in own and "latency.mean" in own and own[HELD].low > LARGE * own["latency.mean"].value:
            held = "A send waits {} on average until its message is on the destination; latencies begin after that."
            yield from measured_claim(queue, summary, HELD, held)


def after_outage(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """Say how long an outage is felt, and what it costs in messages."""
    if not (has_outage(queue) or has_outage(system.server_of(queue))):
        return
    sentence = "After the outage it takes {} until no more messages are inside than before it."
    yield from measured_claim(queue, summary, "recovery_time", sentence)
    if summary.status != "unstable" and "recovery_time" not in summary.queues[queue.name]:
        text = "At least one replication ends before no more messages are inside than before the outage."
        yield Claim(f"{queue.name}.unrecovered", text, about={"queue": queue.name})
    lost = "{n} transactions per replication are rolled back: what was in process, and what failed."
    yield from measured_claim(queue, summary, "rollbacks", lost)


def end_to_end(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """Say how long messages take from the begin of their chain to its end at ``queue``."""
    if queue.sends or not system.senders(queue):
        return
    first = _sources(system, queue)
    start = f"the arrival at {first.pop()!r}" if len(first) == 1 else "the first arrival of their chain"
    sentence = f"From {start} to the end at {queue.name!r}, 95 % of the messages take at most {{}}."
    yield from measured_claim(queue, summary, "end_to_end.p95", sentence)


def _sources(system: System, queue: Queue) -> set[str]:
    """The queues where the chains that reach ``queue`` begin."""
    own = set() if isinstance(queue.arrivals, Nothing) else {queue.name}
    return own.union(*(_sources(system, sender) for sender, _ in system.senders(queue)))


def largest_wait(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """Name what a message waits for longest, where that is a large part of its latency: no gate where threads lack."""
    own = summary.queues.get(queue.name, {})
    waits = {name: own[name] for name in WAITED_FOR if name in own}
    if "latency.mean" not in own or not waits:
        return
    name, mean = max(waits, key=lambda item: waits[item].value), own["latency.mean"]
    if waits[name].low > LARGE * mean.value:
        server = system.server_of(queue)
        names = ("threads.idle_blocked", "threads.busy", "away_fraction")
        idle, busy, away = (of_server(system, server, item, summary) for item in names)
        full = idle is not None and busy is not None and idle.value <= FEW_IDLE * busy.value
        # What waits behind a closed gate is no more than the largest backlog; the rest waits for the agent.
        behind = value_of(summary, queue.name, "gate.blocked_fraction") * value_of(summary, queue.name, "backlog.max")
        waiting = waits[name].value * value_of(summary, queue.name, "throughput")
        of_agent = away is None and 2 * behind < waiting and WAITED_FOR.get(f"{name}.open")
        reason = of_agent or (full and WAITED_FOR.get(f"{name}.busy")) or WAITED_FOR[name]
        sentence = f"Messages wait longest {reason}: {{}} of the mean latency of {estimate_text(mean)}."
        about = {"queue": queue.name}
        yield stated(f"{queue.name}.longest_wait", sentence, name, waits[name], about=about, beside=mean.value)
