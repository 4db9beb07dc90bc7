"""Rules: one small function each that looks at a server or a queue, declared with an id, a severity and a source."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import get_annotations
from types import ModuleType
from typing import Literal

from simulations.analysis.estimates.summary import Finding, Source
from simulations.declarations.parameters import PlatformParameters, Verification, in_vendor_units
from simulations.declarations.system import MAX_MEMBERS, Outage, Queue, Server, System
from simulations.declarations.texts import is_below, keys_in
from simulations.platforms.shared.queues import defaults_again, in_number, is_topic, number, offered_rate

Fix = Mapping[str, object]
Details = Mapping[str, float]


@dataclass(frozen=True)
class Verdict:
    """What a rule says of one entity. ``fix`` maps keys of the queue's (or server's) body to the values that cure it. A
    key of another entity is written as a full path, for example ``servers.payments.settings.max_servants``."""

    status: Literal["ok", "violated", "ignored"]
    message: str
    fix: Fix = field(default_factory=dict)
    details: Details = field(default_factory=dict)


ONE_AT_A_TIME: Details = {"ordered_concurrency": 1.0}
"""Details of a verdict that says: one message at a time, in the order of arrival."""

Verdicts = Iterator[tuple[str, Verdict | None]]
"""Path prefix of the entity (``queues.orders``) and the verdict about it; None where the rule does not apply."""
Severity = Literal["info", "warning", "error"]
Check = Callable[..., Verdict | None]
"""Looks at what its parameters ask for by their types: the system, the server, the queue, or the settings of one."""
Kind = Callable[[Queue], bool]
Cure = Callable[[float, float], Fix]
Carried = Callable[[System, Queue], float | None]


@dataclass(frozen=True)
class Rule:
    """One recommendation or limit. ``title`` says in a plain sentence what must hold."""

    id: str
    severity: Severity
    title: str
    source: Source
    check: Callable[[System], Verdicts]


def per_queue(
    identity: str, severity: Severity, document: str, place: str, kind: Kind = bool, *, trust: Verification = "source"
) -> Callable[[Check], Rule]:
    """Make a rule of a function that looks at one queue and its server; its docstring is the rule's title.

    It returns None where the rule does not apply, and is asked only about queues of the given ``kind``. ``document``
    and ``place`` are its source.
    """
    return _over(lambda system: filter(kind, system.queues), identity, severity, Source(document, place, trust))


def per_server(
    identity: str, severity: Severity, document: str, place: str, *, trust: Verification = "source"
) -> Callable[[Check], Rule]:
    """Make a rule of a function that looks at one server; its docstring is the title, None = not applicable."""
    return _over(lambda system: system.servers, identity, severity, Source(document, place, trust))


def _over(
    entities: Callable[[System], Iterable[Queue] | Iterable[Server]], identity: str, severity: Severity, source: Source
) -> Callable[[Check], Rule]:
    """Make rules of functions that get what their parameters ask for by type, for each of the entities."""

    def declare(check: Check) -> Rule:
        asked = [kind for name, kind in get_annotations(check).items() if name != "return"]

        def verdicts(system: System) -> Verdicts:
            for entity in entities(system):
                around = (entity, system.server_of(entity)) if isinstance(entity, Queue) else (entity,)
                known = (system, *around, *(item.settings for item in around))
                yield entity.path, check(*(next(item for item in known if isinstance(item, kind)) for kind in asked))

        return Rule(identity, severity, (check.__doc__ or "").removesuffix("."), source, verdicts)

    return declare


def rules_of(*modules: ModuleType) -> tuple[Rule, ...]:
    """Return the rules that these modules declare, in the order of their declarations."""
    return tuple(item for module in modules for item in vars(module).values() if isinstance(item, Rule))


def judge_rules(rules: tuple[Rule, ...], system: System) -> tuple[Finding, ...]:
    """Return the verdict of every rule about every entity it applies to, in the order of ``rules``."""
    verdicts = ((rule, *pair) for rule in rules for pair in rule.check(system))
    entities: tuple[Server | Queue, ...] = (*system.servers, *system.queues)
    models = {f"{item.path}.settings": type(item.settings) for item in entities}
    return tuple(_finding(rule, entity, verdict, models) for rule, entity, verdict in verdicts if verdict is not None)


def _finding(rule: Rule, entity: str, verdict: Verdict, models: Mapping[str, type[PlatformParameters]]) -> Finding:
    """The finding, its fix by full paths and as the vendor can hold it; ``models`` by the paths of settings."""
    kind, name = keys_in(entity)
    fix: dict[str, object] = {}
    for key, value in verdict.fix.items():
        path = key if is_below(key, "queues") or is_below(key, "servers") else f"{entity}.{key}"
        place, _, setting = path.rpartition(".")
        fix[path] = in_vendor_units(models[place], setting, value) if place in models else value
    return Finding(
        rule=rule.id,
        status=verdict.status,
        severity=rule.severity,
        message=in_number(verdict.message),
        source=rule.source,
        queue=name if kind == "queues" else "",
        fix=fix,
        details=dict(verdict.details),
    )


def judged(holds: object, good: str, problem: str, fix: Fix | None = None, details: Details | None = None) -> Verdict:
    """Return the sentence ``good`` where what the rule says holds, by the truth of ``holds``; else ``problem``. ``fix``
    cures the problem."""
    if holds:
        return Verdict("ok", good, details=details or {})
    return Verdict("violated", problem, fix or {}, details or {})


def ignored(settings: PlatformParameters, message: str, *names: str) -> Verdict | None:
    """Return that the settings ``names`` do nothing, where any of them was given; the fix takes their defaults."""
    fix = defaults_again(settings, *names)
    return Verdict("ignored", message, fix) if fix else None


def carries(system: System, queue: Queue, carried: Carried, cure: Cure, copied: Kind = is_topic) -> Verdict | None:
    """Judge what is offered per second against the largest throughput, ``carried``; None where one is not known.
    ``cure`` makes the fix of the two; ``copied`` as for ``offered_rate``."""
    rate, most = offered_rate(system, queue, carried, copied), carried(system, queue)
    if most is None or rate is None:
        return None
    details = {"carried_rate": most, "arrival_rate": rate}
    if rate < most:
        return Verdict("ok", f"{number(rate)} of at most {number(most)} messages per second arrive.", details=details)
    message = f"{number(rate)} messages per second arrive, these settings carry at most {number(most)}."
    return Verdict("violated", message, cure(rate, most), details)


def outlives(gap: float, limit: float, stays: str, ends: str, fix: Fix) -> Verdict:
    """Judge ``limit``, the idle time after which something ends, against ``gap``, the seconds between two messages.
    ``stays`` and ``ends`` say what that means for it, as ends of a sentence."""
    every = f"A message comes every {number(gap)} s"
    return judged(gap <= limit, f"{every}: {stays}.", f"{every} and {ends}.", fix)


def outlasts_outage(outage: Outage | None, limit: int, delay: float, names: tuple[str, str]) -> Verdict | None:
    """Judge whether ``limit`` redeliveries, each after ``delay``, go on until an outage downstream is over. ``names``:
    the keys of the two."""
    if outage is None:
        return None
    lasts, tries = outage.duration, max(limit, 1)
    good = f"The delays of {limit} redeliveries are {number(limit * delay)} s, the outage downstream {number(lasts)} s."
    fix = {names[0]: math.ceil(lasts / delay)} if delay else {names[0]: tries, names[1]: lasts / tries}
    return judged(limit * delay >= lasts, good, f"{good[:-1]}: what fails at its beginning can be given up.", fix)


def more_members(server: Server, queue: Queue, rate: float, most: float) -> dict[str, object]:
    """Return the fix that adds members until ``most``, the largest throughput, is above ``rate``. Empty for a topic,
    whose messages may go to every member, and where no cluster is large enough."""
    needed = int(rate * server.instances / most) + 1
    return {} if queue.kind == "topic" or needed > MAX_MEMBERS else {f"{server.path}.instances": needed}


def is_no_topic(queue: Queue) -> bool:
    """Return whether each message goes to one consumer."""
    return queue.kind != "topic"


def listed(settings: PlatformParameters, where: str, names: Iterable[str]) -> Verdict | None:
    """Return that those settings among ``names`` which were given do nothing, and ``where``."""
    given = [name for name in names if defaults_again(settings, name)]
    titles = ", ".join(name.replace("_", " ") for name in given)
    return ignored(settings, f"{where} this does nothing: {titles}.", *given)
