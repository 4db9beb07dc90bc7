"""The verdict that a scenario's row shows: kept with the scenario, so that ten thousand rows can be filtered by it."""

from collections.abc import Sequence

from planner.answers.headlines import headline_body, headline_point, headroom_headline, stored_verdict
from planner.models import PointResult, Run, RunKind, RunStatus, Scenario
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.questions import stored_question
from simulations.scenario.runsettings import Objective


def run_headline(*, run: Run, summaries: Sequence[PointSummary]) -> dict[str, object]:
    """Return the headline of a finished run; of the experiments only those about headroom have one."""
    if run.kind == RunKind.HEADROOM:
        return headroom_headline(stored_question(run.question).subject_to or (), summaries)
    if run.kind != RunKind.RUN or not summaries:
        return {}
    return headline_body(headline_point(run.spec, summaries))


def scenario_judge(*, scenario_id: str) -> None:
    """Judge the newest answer by the current objectives; call it inside the transaction of what may change either."""
    scenario = Scenario.objects.select_for_update().select_related(None).get(pk=scenario_id)
    verdict = _verdict(scenario)
    if verdict != scenario.verdict:
        Scenario.objects.filter(pk=scenario_id).update(verdict=verdict)


def _verdict(scenario: Scenario) -> str:
    # The rest of a large scenario would take seconds to read, in which nobody else could write.
    objectives = [Objective.model_validate(item) for item in scenario.version.spec["objectives"]]
    done = Run.objects.filter(version__scenario=scenario, kind=RunKind.RUN, status=RunStatus.SUCCEEDED)
    newest = done.order_by("-created_at", "-pk").values_list("pk", "headline").first() if objectives else None
    if newest is None or not newest[1]:
        return ""
    run_id, headline = newest
    return stored_verdict(objectives, PointResult.objects.get(run_id=run_id, index=headline["index"]).summary)
