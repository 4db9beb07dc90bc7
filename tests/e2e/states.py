"""Every state of every page that the walk of test_accessibility.py opens: its name, and how to get there."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import simulated


@dataclass(frozen=True)
class Made:
    """Addresses of what was made through the pages before the tests look at it; ``runs`` are ids by state."""

    runs: Mapping[str, str]
    scenario: str
    run: str
    compared: str
    search: str
    report: str
    server: str
    queue: str


def archived(page: Page, made: Made) -> None:
    page.goto("/?archived=1")


def answered_questions(page: Page, made: Made) -> None:
    page.goto("/questions/")
    expect(page.get_by_text("The answer is being simulated")).to_have_count(0)


def opened_palette(page: Page, made: Made) -> None:
    page.goto("/reports/")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()


def kept_view(page: Page, made: Made) -> None:
    """The table by a view of one's own, everything about views open."""
    page.goto("/?group=platform&slo=none&col=answer&col=trend")
    page.locator(".keep > summary").click()
    page.get_by_label("Name of the view").fill(f"View {secrets.token_hex(4)}")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_text("is kept. Its address")).to_be_visible()
    page.locator(".keep > summary").click()


def empty_search(page: Page, made: Made) -> None:
    page.goto("/?q=nothing-like-it")


def workbench(page: Page, made: Made) -> None:
    page.goto(made.scenario)
    simulated(page)


def opened_fields(page: Page, made: Made) -> None:
    """Every folded part of the workbench that is shown is open."""
    page.evaluate(UNFOLD)


UNFOLD = """document.querySelectorAll('main details:not([open])').forEach((part) => {
  part.open = true;
  part.dataset.unfolded = "";
})"""
FOLD = "document.querySelectorAll('[data-unfolded]').forEach((part) => { part.open = false })"


def invalid_value(page: Page, made: Made) -> None:
    """A wrong value in the same workbench, folded again."""
    page.evaluate(FOLD)
    page.get_by_label("Maximum sessions", exact=True).fill("-5")
    expect(page.locator("#live")).to_have_attribute("data-stale", "")


def refused_form(page: Page, made: Made) -> None:
    """What the server answers when that is saved."""
    page.locator("#save").click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    page.wait_for_load_state()


def old_version(page: Page, made: Made) -> None:
    page.goto(f"{made.scenario}?version=1")
    simulated(page)


def stale_run(page: Page, made: Made) -> None:
    page.goto(made.run)
    expect(page.locator("#stale")).to_be_visible()
    expect(page.locator("figure .main-svg").first).to_be_visible()
    page.evaluate(UNFOLD)


def in_state(name: str) -> Callable[[Page, Made], None]:
    """The page of a run that stands so; its charts are drawn where it has any."""

    def show(page: Page, made: Made) -> None:
        page.goto(f"/runs/{made.runs[name]}/")
        page.wait_for_function(DRAWN)

    return show


DRAWN = """() => [...document.querySelectorAll("figure[data-chart]")]
  .every((view) => !view.checkVisibility() || view.querySelector(".main-svg"))"""


def failed_run(page: Page, made: Made) -> None:
    """With the excerpt of the log, which an administrator may see."""
    in_state("failed")(page, made)
    page.get_by_text("From the log").click()
    expect(page.locator("#failure pre")).to_contain_text("ZeroDivisionError")


def report_form(page: Page, made: Made) -> None:
    page.goto(made.run)
    page.locator("#report-form > summary").click()
    expect(page.get_by_label("Who decides")).to_be_visible()


def put_aside(page: Page, made: Made) -> None:
    """Two answers put aside to compare, their list open."""
    page.goto(f"/runs/{made.runs['unstable']}/")
    page.keyboard.press("c")
    expect(page.locator("#basket-count")).to_contain_text("(1")
    page.goto(f"/runs/{made.runs['not converged']}/")
    page.keyboard.press("c")
    expect(page.locator("#basket-count")).to_contain_text("(2")
    page.get_by_role("link", name="Compare").first.click()
    page.locator("#basket > summary").click()
    expect(page.get_by_role("link", name="Compare these 2")).to_be_visible()
    page.wait_for_function(DRAWN)


def strange_address(page: Page, made: Made) -> None:
    """Settings in the address: one that is used, one that is none."""
    page.goto(f"{made.scenario}?queues.0.settings.maximum_sessions=7&queues.9.x=1")
    expect(page.get_by_text("left out: queues.9.x.")).to_be_visible()
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("7")
    simulated(page)


def offline(page: Page, made: Made) -> None:
    """The server is away: the walk lets it come back after the look."""
    page.context.set_offline(True)
    page.get_by_label("Maximum sessions", exact=True).fill("9")
    expect(page.get_by_text("The server does not answer.")).to_be_visible()


def drawn(address: Callable[[Made], str]) -> Callable[[Page, Made], None]:
    """A state that is one address, once its first chart is drawn."""

    def show(page: Page, made: Made) -> None:
        page.goto(address(made))
        expect(page.locator("figure .main-svg").first).to_be_visible()

    return show


def key_help(page: Page, made: Made) -> None:
    page.goto("/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def open_drawer(page: Page, made: Made) -> None:
    page.goto("/")
    expect(page.locator("#run-count")).not_to_have_text("…")
    page.locator("details.drawer > summary").click()
    expect(page.locator("#drawer a").first).to_be_visible()


def refused_server(page: Page, made: Made) -> None:
    page.goto(made.server)
    page.get_by_label("CPUs", exact=True).fill("0")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)


def new_team(page: Page, made: Made) -> None:
    """A team that was just made."""
    page.goto("/teams/")
    page.get_by_label("Name").fill(f"Team {secrets.token_hex(4)}")
    page.get_by_role("button", name="Create a team").click()
    expect(page.get_by_role("heading", name="Members")).to_be_visible()


def invited(page: Page, made: Made) -> None:
    """A team whose admin has just made a link, which asks themselves."""
    new_team(page, made)
    page.get_by_label("The name they sign in with").fill("admin")
    page.get_by_role("button", name="Create a link").click()
    expect(page.get_by_text("it is shown only once")).to_be_visible()


def invitation(page: Page, made: Made) -> None:
    """What that link opens."""
    page.goto(page.locator("#link").inner_text())
    expect(page.get_by_role("button", name="Join")).to_be_visible()


def at(address: Callable[[Made], str]) -> Callable[[Page, Made], None]:
    """A state that is one address."""

    def show(page: Page, made: Made) -> None:
        page.goto(address(made))

    return show


def opened_body(page: Page, made: Made) -> None:
    """Where the address of a body led when the reference was one page."""
    page.goto("/help/")
    page.goto("/help/api/#model-ProblemOut")  # from another page: within one, only the place would change
    page.wait_for_url("**/help/api/bodies/#model-ProblemOut")
    expect(page.locator("#model-ProblemOut table")).to_be_visible()


# Some states of the workbench begin where the one before ended: opening it costs a simulation.
STATES: dict[str, Callable[[Page, Made], None]] = {
    "scenarios": at(lambda made: "/"),
    "scenarios, filters and groups": at(lambda made: "/?group=platform&made=me"),
    "scenarios, a kept view": kept_view,
    "archive": archived,
    "empty search": empty_search,
    "workbench": workbench,
    "workbench, everything open": opened_fields,
    "workbench, invalid value": invalid_value,
    "workbench, refused": refused_form,
    "workbench, values in the address": strange_address,
    "workbench, offline": offline,
    "workbench, old version": old_version,
    "versions": at(lambda made: f"{made.scenario}versions/?from=1&to=2"),
    "run, older than the scenario": stale_run,
    "run, saving a report": report_form,
    "run, queued": in_state("queued"),
    "run, running": in_state("running"),
    "run, pausing": in_state("pausing"),
    "run, paused": in_state("paused"),
    "run, cancelling": in_state("cancelling"),
    "run, cancelled": in_state("cancelled"),
    "run, failed": failed_run,
    "run, not converged": in_state("not converged"),
    "run, unstable": in_state("unstable"),
    "runs": at(lambda made: "/runs/"),
    "drawer": open_drawer,
    "compare, empty": at(lambda made: "/compare/"),
    "compare, two runs": drawn(lambda made: made.compared),
    "compare, put aside": put_aside,
    "explore, nothing asked": at(lambda made: f"{made.scenario}explore/?tab=sensitivity"),
    "explore, a search": drawn(lambda made: f"{made.search}&point=2"),
    "explore, front": drawn(lambda made: made.search.replace("tab=map", "tab=front")),
    "explore, all runs": drawn(lambda made: made.search.replace("tab=map", "tab=all")),
    "explorations": at(lambda made: "/experiments/"),
    "telemetry": at(lambda made: "/telemetry/"),
    "webhooks": at(lambda made: "/account/webhooks/"),
    "import": at(lambda made: "/imports/new/"),
    "export of a run": at(lambda made: f"{made.run}export/"),
    "export of a scenario": at(lambda made: f"{made.scenario}export/"),
    "inventory": at(lambda made: "/inventory/"),
    "archived inventory": at(lambda made: "/inventory/?archived=1"),
    "new server": at(lambda made: "/inventory/servers/new/?platform=weblogic"),
    "server": at(lambda made: made.server),
    "server, refused": refused_server,
    "queue": at(lambda made: made.queue),
    "reports": at(lambda made: "/reports/"),
    "report": drawn(lambda made: made.report),
    "tokens": at(lambda made: "/account/tokens/"),
    "teams": at(lambda made: "/teams/"),
    "status": at(lambda made: "/status/"),
    "a team": new_team,
    "a team, a link to it": invited,
    "invitation": invitation,
    "signed-in browsers": at(lambda made: "/account/sessions/"),
    "activity": at(lambda made: "/account/activity/"),
    "keys": key_help,
    "questions": answered_questions,
    "palette": opened_palette,
    "new scenario": at(lambda made: "/scenarios/start/"),
    "new scenario, numbers": at(lambda made: "/scenarios/start/?platform=weblogic"),
    "help": at(lambda made: "/help/"),
    "help, a chapter": at(lambda made: "/help/sizing-a-listener-port.md"),
    "API reference": at(lambda made: "/help/api/"),
    "API reference, a resource": at(lambda made: "/help/api/runs/"),
    "API reference, a body": opened_body,
}
BY_NIGHT = {
    *("archive", "archived inventory", "a team", "explore, all runs", "export of a scenario", "workbench, old version"),
    *("run, queued", "run, pausing", "run, paused", "run, cancelling", "run, cancelled", "run, not converged"),
    *("scenarios, filters and groups", "empty search", "compare, empty", "explore, nothing asked", "queue", "tokens"),
    *(
        "new scenario",
        "new scenario, numbers",
        "help",
        "help, a chapter",
        "API reference, a body",
        "scenarios, a kept view",
    ),
    *("run, saving a report", "run, unstable", "compare, put aside", "explore, front", "explorations", "webhooks"),
    *("workbench, refused", "workbench, values in the address", "workbench, offline", "server, refused"),
    *("a team, a link to it", "invitation", "signed-in browsers"),
    *("versions", "run, running", "activity", "teams", "keys", "new server", "API reference", "reports"),
    *("run, older than the scenario", "workbench, invalid value"),
}
"""States that differ in words, or lack parts, from one that each run looks at (docs/adr/0192).

What begins where one of them ends is among them."""
