"""The gate of a pipeline: objectives for a scenario at a load, each kept or broken, with the sentence why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from xml.etree.ElementTree import Element, SubElement, tostring

from pydantic import Field

from planner.answers.claims import growth_sentence
from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.parameters import Model
from simulations.declarations.problems import InvalidInput, validated
from simulations.experiment.arrivals import with_arrivals
from simulations.experiment.verdicts import ObjectiveVerdict, objective_verdicts
from simulations.experiment.words import bound_text, value_and_bound
from simulations.platforms.shared.claims import explained
from simulations.scenario.crosschecks import objective_metric_problems
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec, revised

MOST_REASONS = 5


class Slo(Model):
    """What must hold; the file of ``--slo``."""

    objectives: Annotated[tuple[Objective, ...], Field(min_length=1, max_length=100)]
    """As in a scenario: metric, queue, and one of at_most, at_least and equals."""
    load: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Factor on all arrivals, for example 1.5 for half as much again as the scenario says."""


@dataclass(frozen=True)
class Case:
    """One objective: its name, the result, and why it is broken; ``reasons`` is empty when it is kept."""

    name: str
    result: str
    met: bool
    reasons: tuple[str, ...]


def read_slo(data: object) -> Slo:
    """Return the checked file; raises InvalidInput with everything that is wrong."""
    if not isinstance(data, Mapping):
        raise InvalidInput.at((), "an SLO file is a mapping with the key objectives, a list; load is optional")
    return validated(Slo, data, list(objective_metric_problems(data)))


def spec_under(spec: ScenarioSpec, slo: Slo | None) -> ScenarioSpec:
    """Return the scenario without its sweep, under the SLO's objectives and load; without one under its own. Raises
    InvalidInput for unknown metrics and queues, and for a scenario that has no objectives at all."""
    loaded = with_arrivals(spec, slo.load) if slo is not None and slo.load != 1 else spec
    objectives = spec.objectives if slo is None else slo.objectives
    if not objectives:
        raise InvalidInput.at(("objectives",), "the scenario has none; give some, or a file with --slo")
    body = [item.model_dump(mode="json", exclude_none=True) for item in objectives]
    return revised(loaded.unswept, [(("objectives",), body)])


def cases(spec: ScenarioSpec, summary: PointSummary) -> tuple[Case, ...]:
    """Return every objective's verdict. Broken ones come with what explains them: rules broken in error, the family's
    own claims, rules that only warn."""
    broken = [item for item in summary.findings if item.status == "violated"]
    errors, warnings = (
        [f"{item.message} [{item.rule}]" for item in broken if item.severity == severity]
        for severity in ("error", "warning")
    )
    claims = [claim.sentence for claim in explained(spec.family, spec.system, summary)]
    reasons = tuple([*errors, *claims, *warnings][:MOST_REASONS])
    return tuple(_case(verdict, summary, reasons) for verdict in objective_verdicts(spec.objectives, summary))


def junit(suite: str, verdicts: Sequence[Case], seconds: float) -> bytes:
    """Return the verdicts as JUnit XML: one test case for each objective."""
    failures = sum(not case.met for case in verdicts)
    counts = {"tests": str(len(verdicts)), "failures": str(failures), "errors": "0", "skipped": "0"}
    suite = _printable(suite)
    root = Element("testsuites", {"tests": str(len(verdicts)), "failures": str(failures)})
    parent = SubElement(root, "testsuite", {"name": suite, **counts, "time": f"{seconds:.3f}"})
    for case in verdicts:
        share = f"{seconds / len(verdicts):.3f}"
        item = SubElement(parent, "testcase", {"classname": suite, "name": case.name, "time": share})
        if not case.met:
            failure = SubElement(item, "failure", {"message": case.result, "type": "objective"})
            failure.text = "\n".join(_printable(reason) for reason in case.reasons)
        SubElement(item, "system-out").text = _printable(case.result)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _case(verdict: ObjectiveVerdict, summary: PointSummary, reasons: tuple[str, ...]) -> Case:
    objective = verdict.objective
    what = f"{objective.metric} of {objective.queue}" if objective.queue else objective.metric
    if verdict.estimate is not None:
        result = "{} is {}, {} is asked".format(what, *value_and_bound(verdict))
    elif summary.status == "unstable":
        result = f"{what} does not exist. {growth_sentence(summary)}"
    else:
        few = "is not known: the run is too short, and a longer horizon tells more"
        result = f"{what} {few if verdict.few else 'does not exist in this scenario'}"
    return Case(f"{what} {bound_text(objective)}", result, verdict.met, () if verdict.met else reasons)


def _printable(text: Any) -> str:
    """XML knows no control characters."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in str(text))
