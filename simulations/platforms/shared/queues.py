"""What every platform family shares: settings of each queue, typed access to settings, formula answers, resources."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field

from simulations.analysis.estimates.formula_answers import FormulaAnswer, formula_answer
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Derived, Source, Trust
from simulations.analysis.theory.laws import arrival_rate, law_mean
from simulations.declarations.parameters import Model, PlatformParameters, assumed
from simulations.declarations.system import Background, Name, Outage, Queue, Server, System, has_outage
from simulations.declarations.units import Share
from simulations.declarations.workload import Arrivals, Distribution, Exponential, Saturated
from simulations.engine.network.model import ArrivalKind, Copies, Law, LawKind, NetworkSpec
from simulations.platforms.shared.laws import arrivals_of, law_of

MAX_INT = 2**31 - 1
"""Largest 32-bit number, the upper limit of many vendor settings."""
AtLeastOne = Annotated[int, Field(ge=1, le=MAX_INT)]
AtLeastZero = Annotated[int, Field(ge=0, le=MAX_INT)]
CountOrAny = Annotated[int, Field(ge=-1, le=MAX_INT)]
"""A count; -1 = any number."""
OWN_MODEL = "Sluice, model of failures and downstream resources"
OWN_FORMULAS = "Sluice, closed forms of queueing theory"
_ONE = re.compile(
    r"(?<![\d.,])\b1 ((?:prepared |slow |parallel |reserved |worker )?)"
    r"(thread|session|message|bean|servant|instance|server|consumer|producer|CPU|request|connection|conversation|step)s"
    r"(?:\b( are| were| have)?)\b"
)
_VERBS = {None: "", " are": " is", " were": " was", " have": " has"}
Settings = TypeVar("Settings", bound=PlatformParameters)


def _percent(value: object) -> object:
    return float(value.strip().removesuffix("%")) if isinstance(value, str) and value.strip().endswith("%") else value


Percent = Annotated[float, BeforeValidator(_percent), Field(ge=0, le=100, allow_inf_nan=False)]
"""A percentage as the vendor counts it, from 0 to 100; ``"99%"`` and ``99`` mean the same."""


class DownstreamResource(Model):
    """Something of limited size that the end of ``onMessage`` must hold, for example a JDBC connection."""

    name: Annotated[Name, assumed("1", OWN_MODEL, title="Resource name", sweep=False)]
    """Queues that name the same resource share it."""
    limit: Annotated[int, Field(ge=1, le=1_000_000), assumed("1", OWN_MODEL, (1, 200), "Downstream limit", start=20)]
    """How many may hold it at once, per instance."""
    share: Annotated[Share, Field(gt=0), assumed("1", OWN_MODEL, title="Downstream share")] = 1.0
    """Share of the service time, at its end, during which it is held."""


class QueueParameters(PlatformParameters):
    """Settings that every queue has, whatever the platform."""

    failure_rate: Annotated[Share, assumed("1", OWN_MODEL, place="failure rate")] = 0.0
    """Share of deliveries whose ``onMessage`` fails at its end, each independently of the others."""
    poison_rate: Annotated[Share, assumed("1", OWN_MODEL, place="poison messages")] = 0.0
    """Share of messages that fail at every delivery."""
    urgent_share: Annotated[
        Share, assumed("1", OWN_MODEL, title="Urgent messages (JMS priority)", place="message priorities")
    ] = 0.0
    """Share of messages with a higher priority than the others, which their destination gives out first. 0 where it
    keeps the order of arrival: WebLogic without a destination key, IBM MQ with MSGDLVSQ(FIFO)."""
    downstream: Annotated[
        DownstreamResource | None, assumed("1", OWN_MODEL, title="Downstream resource", place="downstream", sweep=False)
    ] = None
    """A resource of limited size that the end of ``onMessage`` must hold; none when empty."""
    downstream_outage: Annotated[
        Outage | None, assumed("1", OWN_MODEL, title="Outage downstream", place="outage downstream", sweep=False)
    ] = None
    """A time in which a database or a service that ``onMessage`` needs is away: every delivery fails at the end of
    ``onMessage``, and the settings of redelivery say what becomes of its message. Never when empty."""


class NoSettings(PlatformParameters):
    """Background work without settings of its own: it competes first come, first served."""


def settings_of(entity: Server | Queue | Background, kind: type[Settings]) -> Settings:
    """Return the entity's settings as ``kind``; raises TypeError when they belong to another platform."""
    settings = entity.settings
    if not isinstance(settings, kind):
        raise TypeError(f"{entity.name!r} has settings of {type(settings).__name__}, {kind.__name__} was expected")
    return settings


def defaults_again(settings: PlatformParameters, *names: str) -> dict[str, object]:
    """Return the fix that gives the settings ``names`` their defaults; empty when all of them have these already."""
    defaults = {name: type(settings).model_fields[name].default for name in names}
    if all(getattr(settings, name) == value for name, value in defaults.items()):
        return {}
    return {f"settings.{name}": value for name, value in defaults.items()}


def sample_system(
    platform: str,
    server: PlatformParameters,
    queue: PlatformParameters,
    service: Distribution | None = None,
    arrivals: Arrivals | None = None,
    cpus: int = 1,
) -> System:
    """Return one server with one queue to ask formulas about; by default 1 s in ``onMessage``, and never empty."""
    destination = Queue(
        name="queue",
        server="server",
        arrivals=arrivals or Saturated(),
        service=service or Exponential(mean=1.0),
        settings=queue,
    )
    only = Server(name="server", cpus=cpus, settings=server)
    return System(platform=platform, servers=(only,), queues=(destination,))


def service_of(queue: Queue) -> Law:
    """Return the law of the time inside ``onMessage``."""
    return law_of(queue.service)


def mean_service(queue: Queue) -> float:
    """Return the mean seconds inside ``onMessage``."""
    return law_mean(service_of(queue))


def size_of(queue: Queue) -> Law:
    """Return the law of the bytes of a message; a trace may give every message its own instead."""
    size = queue.message_size
    return Law(LawKind.CONSTANT, size) if isinstance(size, float) else law_of(size)


def is_topic(queue: Queue) -> bool:
    """True for topics: every member gets each message."""
    return queue.kind == "topic"


def offered_rate(
    system: System,
    queue: Queue,
    carried: Callable[[System, Queue], float | None],
    copied: Callable[[Queue], bool] = is_topic,
) -> float | None:
    """Return the messages per second for all members together, with what other queues send on; None if not known.

    ``carried``: the largest throughput of a queue. One that may not complete what arrives sends on nobody knows how
    much. ``copied``: whether every member gets each message, so that as many times more are to be processed.
    """
    rate = arrival_rate(arrivals_of(queue.arrivals))
    for sender, messages in system.senders(queue):
        given, most = offered_rate(system, sender, carried, copied), carried(system, sender)
        if rate is None or given is None or most is None or given >= most:
            return None
        rate += given * messages
    return rate * system.server_of(queue).instances if rate is not None and copied(queue) else rate


def quiet_time(system: System, queue: Queue) -> float | None:
    """Return the mean seconds between two messages of one member of a cluster whose members each get those of a topic.
    None without a long-run rate, and where other queues send messages here."""
    rate = None if system.senders(queue) else arrival_rate(arrivals_of(queue.arrivals))
    members = 1 if queue.kind == "topic" else system.server_of(queue).instances
    return members / rate if rate else None


def is_saturated(queue: Queue) -> bool:
    """True when the destination is never empty."""
    return arrivals_of(queue.arrivals).kind is ArrivalKind.SATURATED


def derived(name: str, title: str, value: float, unit: str, formula: str, source: Source) -> Derived:
    """Return one formula answer."""
    return Derived(name, title, float(value), unit, in_number(formula), source)


def answers_by(table: Iterable[Mapping[str, Any]], documents: Mapping[str, Any]) -> Callable[..., Derived]:
    """Return what makes the formula answers of a family by their key in its ``answers.yaml``.

    It takes key, value and formula; ``of`` fills the gap in key and title, ``trust`` is put for that of the source.
    """
    known = {
        key: (title, unit, Source(documents[group["document"]], group["place"], group.get("trust", "source")))
        for group in table
        for key, (title, unit) in group["answers"].items()
    }

    def answer(key: str, value: float, formula: str, of: object = "", trust: Trust | None = None) -> Derived:
        title, unit, source = known[key]
        source = replace(source, trust=trust or source.trust)
        return derived(key.format(of), title.format(of), value, unit, formula, source)

    return answer


def about(entity: str, answers: Iterable[Derived]) -> Iterator[Derived]:
    """Yield the answers as those of a server or queue."""
    return (replace(answer, entity=entity) for answer in answers)


def number(value: float) -> str:
    """Write a number for a sentence: four significant digits, or all before the point; no exponent below 1e15."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    magnitude = int(f"{abs(value):e}".split("e")[1])
    text = f"{value:.{max(0, 3 - magnitude)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def in_number(text: str) -> str:
    """Return a sentence with noun and verb in the singular after a count of 1: ``1 threads are`` -> ``1 thread is``."""
    return _ONE.sub(lambda match: f"1 {match[1]}{match[2]}{_VERBS[match[3]]}", text)


def _with_unit(value: float, unit: str) -> str:
    if unit == "1":
        return f"{number(100 * value)} %"
    return f"{number(value)}{unit}" if unit.startswith("/") else f"{number(value)} {unit}"


def copies_of(queue: Queue, *, each_instance: bool) -> Copies:
    """Return who gets a message; a queue that is never empty has no arrivals to copy."""
    return Copies.PER_INSTANCE if each_instance and not is_saturated(queue) else Copies.ONE


def is_simple(system: System, queue: Queue, *, own_threads: bool = False) -> bool:
    """True when closed forms of one queue apply: alone on its server or threads, no failures, outages or resource."""
    server, settings = system.server_of(queue), settings_of(queue, QueueParameters)
    alone = own_threads or len(system.queues_of(server)) == 1
    undisturbed = alone and not (server.background or has_outage(server) or has_outage(queue))
    return undisturbed and settings.failure_rate == settings.poison_rate == 0 and settings.downstream is None


def expectations(network: NetworkSpec, system: System) -> Iterator[Derived]:
    """Yield what closed forms say about each queue's metrics, named ``expected.`` and the metric; exact ones only."""
    for index, queue in enumerate(system.queues):
        answer = formula_answer(network, index)
        if answer is not None and answer.exact and answer.stable:
            yield from about(queue.name, _expected(answer))


def _expected(answer: FormulaAnswer) -> Iterator[Derived]:
    source = Source(OWN_FORMULAS, answer.formula, "assumed")
    for metric, estimate in answer.metrics.items():
        formula = f"{answer.formula}: {_with_unit(estimate.value, estimate.unit)}"
        yield derived(f"expected.{metric}", BY_NAME[metric].title, estimate.value, estimate.unit, formula, source)
