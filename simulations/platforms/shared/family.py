"""The contract of a platform family: its functions, the parameters it declares, and what changes of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from simulations.analysis.estimates.summary import Derivation, Derived, Estimate, Finding, PointSummary
from simulations.declarations.identity import UNKNOWN, UNLIMITED
from simulations.declarations.parameters import PlatformParameters, changed, parameters_of
from simulations.declarations.problems import InvalidInput, Problem, nearest, problems_of
from simulations.declarations.system import Outage, Queue, Server, System
from simulations.declarations.texts import differing, keys_in, path_of
from simulations.engine.network.model import Horizon, NetworkSpec
from simulations.platforms.shared.queues import NoSettings, in_number
from simulations.platforms.shared.rules import Rule, judge_rules
from simulations.platforms.shared.spots import Spot


@dataclass(frozen=True)
class Understood:
    """One line of the account of an import: what became of an element of the vendor's file."""

    status: str
    """``understood``, ``defaulted``, ``contradictory``, ``unresolved`` or ``ignored``."""
    path: str
    """The scenario path it set, or the element's own path."""
    message: str
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class Reading:
    """The outcome of reading vendor configuration: a scenario body and a complete account."""

    scenario: Mapping[str, Any]
    account: tuple[Understood, ...]
    spots: Mapping[str, Spot] = field(default_factory=dict)
    """Scenario path of a setting -> where its value stands or would stand, for what can be patched."""


@dataclass(frozen=True)
class Script:
    """Vendor configuration that applies chosen settings, and the part that takes them back."""

    format: str
    filename: str
    apply: str
    undo: str
    left_out: tuple[str, ...] = ()
    """Scenario paths of chosen settings that this format has no words for."""
    encoding: str = "utf-8"
    """How both texts become the bytes of a file."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Path in ``left_out`` -> why it is left out, and for patched files which formats write it instead."""


@dataclass(frozen=True)
class Patched:
    """Uploaded files with chosen settings, each with the file as it was as undo; and what they could not take."""

    scripts: tuple[Script, ...]
    refused: Mapping[str, str] = field(default_factory=dict)
    """Scenario path of a chosen setting that no file got -> why, as the end of a sentence about it."""


@dataclass(frozen=True)
class Counterfactual:
    """The run behind a causal claim: with ``overrides`` the metric differs by so much, paired message by message."""

    overrides: Mapping[str, Any]
    metric: str
    difference: Estimate


@dataclass(frozen=True)
class Claim:
    """A sentence that must hold in any run of the scenario with other random numbers.

    Attributes:
        proof: the overrides whose run reproduces its number; none where the scenario's own run does.
        about: ``{"queue": name}``, ``{"server": name}``, or empty for the whole system.
        condition: when the metric holds, for example ``gate blocked``; empty: over the whole run.
        estimate: the metric's value; None of claims in reports that were made before claims had one.
    """

    id: str
    sentence: str
    proof: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    metric: str = ""
    condition: str = ""
    estimate: Estimate | None = None
    counterfactual: Counterfactual | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", in_number(self.sentence))


@dataclass(frozen=True)
class Platform:
    """A platform family. ``rules_version`` changes whenever a formula, a rule or the mapping changes."""

    name: str
    title: str
    vendor: str
    rules_version: str
    server_parameters: type[PlatformParameters]
    queue_parameters: type[PlatformParameters]
    answers: Callable[[System], Iterable[Derived]]
    """All formula answers about a system."""
    build_network: Callable[[System, Horizon], NetworkSpec]
    read: Callable[[Mapping[str, bytes]], Reading]
    """File name -> content."""
    recognises: Callable[[str, bytes], bool]
    """File name and content -> whether ``read`` is meant for such a file. It does not parse the content."""
    write: Callable[[System, Mapping[str, Any], str], tuple[Script, ...]]
    """The system, the chosen overrides (scenario path -> value) and the scenario's hash -> scripts."""
    explain: Callable[[System, PointSummary], tuple[Claim, ...]]
    rules: tuple[Rule, ...]
    quick: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Short questions of ``POST /derive`` that need no scenario, for example sizing from CPUs and profile."""
    carried: Callable[[System, Queue], float | None] | None = None
    """Closed form of the largest throughput of a queue, messages per second, or None where there is none."""
    patch: Callable[[Mapping[str, bytes], System, Mapping[str, Any], str], Patched] | None = None
    """Uploaded files, the system, the chosen overrides and the hash -> the files with nothing but those changed."""
    background_parameters: type[PlatformParameters] = NoSettings
    normal_form: Callable[[PlatformParameters], PlatformParameters] | None = None
    """Settings of a server -> the same with every limit written in one way, so that two servers can be compared."""
    costs: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    """Id of a rule -> the metrics that say what its violation costs a queue."""

    def largest_throughputs(self, system: System) -> dict[str, float]:
        """Return by queue what ``carried`` says, where there is a closed form; outages, which lower it, left out."""
        entities: tuple[Server | Queue, ...] = (*system.servers, *system.queues)
        given = ((item.path, name, value) for item in entities for name, value in vars(item.settings).items())
        away = {f"{path}.settings.{name}": None for path, name, value in given if isinstance(value, Outage)}
        whole = changed_system(system, changes_of(system, away)) if away else system
        found = {queue.name: self.carried(whole, queue) for queue in whole.queues} if self.carried else {}
        return {name: most for name, most in found.items() if most is not None}

    def derive(self, system: System) -> Derivation:
        """Return all that can be said without simulating: formula answers and the verdict of every rule."""
        return Derivation(tuple(self.answers(system)), judge_rules(self.rules, system))

    def with_cost(self, finding: Finding, summary: PointSummary) -> Finding:
        """Return a rule's verdict with what it costs to violate the rule, where that is known."""
        if finding.status != "violated" or not finding.queue:
            return finding
        known = {**summary.metrics, **summary.of(finding.queue)}
        cost = {name: known[name] for name in self.costs.get(finding.rule, ()) if name in known}
        return replace(finding, cost=cost)


@dataclass(frozen=True)
class Change:
    """One setting of one server or queue: its value before and after, and all settings with the changes ``made``."""

    entity: Server | Queue
    setting: str
    before: Any
    after: Any
    made: PlatformParameters | None = None

    @property
    def path(self) -> str:
        """The scenario path of the setting."""
        return f"{self.entity.path}.settings.{self.setting}"

    @property
    def reverse(self) -> "Change":
        """The change that takes this one back."""
        return replace(self, before=self.after, after=self.before)


def change_lines(changes: Iterable[Change]) -> list[str]:
    """Return what changes, a line for every single value, for the comments of scripts."""
    ends = [(to_jsonable_python(item.before), to_jsonable_python(item.after), item.path) for item in changes]
    return [f"{path}: {old} -> {new}" for change in ends for path, old, new in differing(*change)]


def changes_of(system: System, chosen: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes that ``chosen`` (scenario path -> value) makes; raises InvalidInput with every problem."""
    entities: tuple[Server | Queue, ...] = (*system.servers, *system.queues)
    holders = {f"{entity.path}.settings": entity for entity in entities}
    by_holder, problems = dict[str, dict[str, Any]](), []
    for path, value in chosen.items():
        holder, _, setting = _normal(path).rpartition(".")
        if holder not in holders:
            known = (f"{place}.{name}" for place, item in holders.items() for name in type(item.settings).model_fields)
            message = f"no setting lies at this path; {nearest(path, sorted(known))}"
            problems.append(Problem("", path, "unknown_path", message))
            continue
        by_holder.setdefault(holder, {})[setting] = value
    changes: list[Change] = []
    for holder, values in by_holder.items():
        entity = holders[holder]
        try:
            after = changed(entity.settings, values)
        except ValidationError as error:
            problems.extend(problems_of(error, type(entity.settings), values))
            continue
        old, new = {**vars(entity.settings), **_unlimited(entity)}, vars(after)
        changes.extend(Change(entity, name, old[name], new[name], after) for name in values)
    if problems:
        raise InvalidInput(problems)
    return tuple(changes)


def _unlimited(entity: Server | Queue) -> dict[str, int]:
    """What the vendor has for settings to which the imported files give no limit, whatever the scenario has."""
    names = {part.name for part in (entity.identity or UNKNOWN).parts if part.role == UNLIMITED}
    declared = {item.name: item.quantity.no_limit for item in parameters_of(type(entity.settings))}
    return {name: int(value) for name in names if (value := declared.get(name)) is not None}


def changed_system(system: System, changes: tuple[Change, ...]) -> System:
    """Return the system with all changes made; those of one entity together, as they may only fit together."""
    values: dict[str, dict[str, Any]] = {}
    for change in changes:
        values.setdefault(change.entity.path, {})[change.setting] = change.after

    def updated(entity: Server | Queue) -> Any:
        new = values.get(entity.path)
        return entity if new is None else changed(entity, {"settings": changed(entity.settings, new)})

    return System(
        platform=system.platform,
        servers=tuple(updated(server) for server in system.servers),
        queues=tuple(updated(queue) for queue in system.queues),
    )


def _normal(path: str) -> str:
    """The path as ``path_of`` writes it; empty where it is none."""
    try:
        return path_of(*keys_in(path))
    except KeyError:
        return ""
