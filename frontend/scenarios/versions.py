"""What is done with versions: look back, compare two, restore one, tag, keep servers and queues, run longer."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.scenarios.page import shown_differences
from frontend.site.base import done, get_page, person, post_page, reading, run_changed, version_undo, whole_number
from planner import selectors, services
from planner.models import Role, Run, Scenario
from simulations.analysis.estimates.summary import quantity
from simulations.scenario.spec import revised

LONGER = 4
"""Four times the replications halve the interval."""
MOST_REPLICATIONS = 10_000


@get_page
def history(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """List all versions; ``from`` and ``to`` choose the two that are compared, else the last two."""
    after = selectors.version_get(scenario=scenario, number=whole_number(request.GET.get("to")))
    given = whole_number(request.GET.get("from"))
    before = selectors.version_get(scenario=scenario, number=max(1, after.number - 1) if given is None else given)
    context = {
        "scenario": scenario,
        "versions": selectors.versions_list(scenario=scenario),
        "before": before,
        "after": after,
        "differences": shown_differences(before, after),
        "teams": selectors.teams_list(user=person(request)).exclude(pk=scenario.team_id),
        "may_hand_over": selectors.may(scenario, Role.ADMIN, user=person(request)),
    }
    return render(request, "frontend/scenarios/versions.html", context)


@post_page
def restore(request: HttpRequest, scenario: Scenario, number: int) -> HttpResponse:
    """Save an older version again as the newest one; nothing between them is lost."""
    spec = selectors.version_get(scenario=scenario, number=number).parsed
    restored = services.scenario_replace(
        scenario=scenario, author=person(request), spec=spec, note=f"version {number} restored"
    )
    undo, text = version_undo(scenario, restored), f"Version {number} is back, as version {restored.version.number}."
    if not undo:
        text = f"Version {restored.version.number} has the same values already."
    return done(request, text, "workbench", undo=undo, scenario_id=scenario.pk)


@post_page
def tags(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Replace the tags; they are written with commas between them."""
    services.scenario_tag(scenario=scenario, actor=person(request), tags=request.POST.get("tags", "").split(","))
    return done(request, "The tags are saved.", "workbench", scenario_id=scenario.pk)


@post_page
@reading
def store(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Keep the current version's servers and queues for other scenarios; the same names are replaced."""
    servers = services.inventory_save(owner=person(request), spec=scenario.version.parsed)
    text = f"{' and '.join(server.name for server in servers)} and the queues are stored under Servers and queues."
    return done(request, text, "workbench", scenario_id=scenario.pk)


@post_page
def longer(request: HttpRequest, run: Run) -> HttpResponse:
    """Run the newest version with four times the replications, or the time, of a run that was not precise enough."""
    scenario = run.version.scenario
    asked, spec = run.parsed.run, scenario.version.parsed
    if run.time_is_up and asked.max_time is not None:
        longest = LONGER * asked.max_time
        spec = revised(spec, [(("run", "max_time"), longest)])
        return run_changed(request, scenario, spec, note=f"at most {quantity(longest, 's')} of computing")
    most = min(LONGER * asked.replications.max, MOST_REPLICATIONS)
    spec = revised(spec, [(("run", "replications", "max"), max(most, spec.run.replications.max))])
    return run_changed(request, scenario, spec, note=f"at most {most} replications")
