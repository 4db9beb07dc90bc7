"""The curve of a slider: the metric that the scenario is about, over the slider's range; asked for one by one."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse

from frontend.site.base import asked_version, post_page, reading, whole_number
from frontend.site.json_text import json_or_text
from frontend.wording.numbers import lowered, metric_title, setting_text
from frontend.workbench.fields import FormField
from frontend.workbench.form import scenario_form
from frontend.workbench.views import in_turn, typed
from planner.answers.choice import asked_metric, verdict_word
from planner.answers.cures import Trial, fix_key
from planner.answers.curves import Curve, curve_of, gain_of, values_around
from planner.models import Scenario
from simulations.analysis.estimates.summary import estimate_quantity, percent
from simulations.declarations.problems import InvalidInput
from simulations.experiment.points import value_at
from simulations.experiment.verdicts import STEADY
from simulations.experiment.words import setting_title
from simulations.scenario.spec import ScenarioSpec, parse


@post_page
@reading
def workbench_curve(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Answer with the curve of the field named ``knob``, or what its value ``take`` gains, or why there is none."""
    knob, take = request.POST.get("knob"), request.POST.get("take")
    try:
        spec = parse({**typed(request, asked_version(request, scenario)), "sweep": []})
        field = next((item for item in scenario_form(spec.body()).fields if item.name == knob), None)
        if field is None or field.slider is None:
            return HttpResponseBadRequest("There is no slider of that name.", content_type="text/plain; charset=utf-8")
        with in_turn(request):
            if take is not None:
                trial = gain_of(spec, fix_key({field.path: (value := json_or_text(take))}))
                return JsonResponse({"best": trial and _best(spec, value, trial, field)})
            present, cure = float(value_at(spec, field.path)), whole_number(request.POST.get("cure"))
            values = {*values_around(field.declaration, present), *([] if cure is None else [cure])}
            curve = curve_of(spec, field.path, present, tuple(sorted(values)), present if cure is None else cure)
    except InvalidInput as error:
        return JsonResponse({"reason": error.problems[0].message})
    return JsonResponse(_curve_body(spec, curve, field))


def _curve_body(spec: ScenarioSpec, curve: Curve, field: FormField) -> dict[str, Any]:
    """The points (value, low, estimate, high, written; the value alone where messages pile up), bound and best value.
    ``judged``: whether each point meets all objectives, empty without any."""
    name = curve.metric
    points: list[list[Any]] = []
    most = max((answer.metrics[name].value for _, answer in curve.points if name in answer.metrics), default=0.0)
    known = [pair for pair in curve.points if name in pair[1].metrics or pair[1].status not in STEADY]
    for value, answer in known:
        item = answer.metrics.get(name)
        written = str(estimate_quantity(item, most)._replace(half="")) if item else ""
        points.append([value, item.low, item.value, item.high, written] if item else [value])
    return {
        "metric": lowered(metric_title(name)),
        "title": setting_title(spec, field.path),
        "points": points,
        "bound": next((item.bound for item in spec.objectives), None),
        "judged": [verdict_word(spec.objectives, answer) for _, answer in known],
        "promising": curve.promising and _best(spec, *curve.promising, field),
    }


def _best(spec: ScenarioSpec, value: Any, trial: Trial, field: FormField) -> dict[str, Any]:
    """The value to take and what it does; gains are ordered by ``rank``, the gain relative to the value now."""
    metric = asked_metric(spec)
    change = next((item for item in trial.changes if item.metric == metric), None)
    gain = abs(change.difference.value / change.before.value) if change and change.before.value else 1e9
    shown = percent(value) if field.declaration.is_fraction else setting_text(value, field.declaration.unit)
    asked_first = sorted(trial.changes, key=lambda item: item.metric != metric)
    changes = [item.text for item in asked_first] or ["messages no longer pile up"]
    return {"shown": shown, "fix": {field.path: value}, "changes": changes, "rank": gain}
