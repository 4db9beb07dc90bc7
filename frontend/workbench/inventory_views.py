"""Stored servers and queues: the list, their editors, archiving, and a scenario made of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from frontend.site.automation import of_list
from frontend.site.base import done, form_page, get_page, person, post_page
from frontend.wording.numbers import problem_text
from frontend.workbench.form import form_read
from frontend.workbench.inventory import Part, entity_form, frame_of
from frontend.workbench.items import CHANGE, rows_changed
from planner import selectors, services
from planner.errors import Conflict
from planner.models import Queue, Server
from planner.services.inventory import queue_body, queue_read, server_body, server_read
from planner.services.scenarios import COMPOSED
from simulations.declarations.problems import InvalidInput, Problem, problem
from simulations.platforms import PLATFORMS


@dataclass(frozen=True)
class Editor:
    """What the page of one server or queue needs; ``stored`` is None for a new one."""

    part: Part
    platform: str
    entity: dict[str, Any]
    save: Callable[..., Server | Queue]
    stored: Server | Queue | None = None
    server: Server | None = None

    @property
    def frame(self) -> dict[str, Any]:
        """The scenario around it; a queue may name what its server has."""
        frame = frame_of(self.platform)
        return {**frame, "servers": [server_body(self.server)]} if self.server else frame


@get_page
def inventory(request: HttpRequest) -> HttpResponse:
    """List servers with their queues; ``archived`` shows the archive."""
    user, archived = person(request), "archived" in request.GET
    queues: dict[str, list[Queue]] = {}
    for queue in selectors.queues_list(user=user):
        queues.setdefault(queue.server_id, []).append(queue)
    servers = [
        {"row": server, "platform": PLATFORMS[server.platform].title, "queues": queues.get(server.pk, [])}
        for server in selectors.servers_list(user=user, archived=archived)
    ]
    context = {
        "servers": servers,
        "archived": archived,
        "archived_queues": selectors.queues_list(user=user, archived=True) if archived else [],
        "platforms": PLATFORMS.values(),
        "spellings": of_list(request, "api:servers"),
    }
    return render(request, "frontend/workbench/inventory.html", context)


@form_page
def server_new(request: HttpRequest) -> HttpResponse:
    """Make a server of the platform that the address names."""
    platform = request.GET.get("platform", "")
    if platform not in PLATFORMS:
        raise Http404("there is no such platform")

    def save(body: dict[str, Any]) -> Server:
        return services.server_store(owner=person(request), platform=platform, read=server_read(platform, body))

    return _edit(request, Editor("servers", platform, frame_of(platform)["servers"][0], save))


@form_page
def server(request: HttpRequest, server: Server) -> HttpResponse:
    """Change a stored server."""
    save = partial(services.server_update, server=server, actor=person(request))
    return _edit(request, Editor("servers", server.platform, server_body(server), save, stored=server))


@form_page
def queue_new(request: HttpRequest, server: Server) -> HttpResponse:
    """Make a queue that the server listens to."""
    entity = frame_of(server.platform)["queues"][0]

    def save(body: dict[str, Any]) -> Queue:
        return services.queue_store(owner=person(request), server=server, read=queue_read(server, body))

    return _edit(request, Editor("queues", server.platform, entity, save, server=server))


@form_page
def queue(request: HttpRequest, queue: Queue) -> HttpResponse:
    """Change a stored queue."""
    save = partial(services.queue_update, queue=queue, actor=person(request))
    values, platform = queue_body(queue), queue.server.platform
    return _edit(request, Editor("queues", platform, values, save, stored=queue, server=queue.server))


@post_page
def stored_step(request: HttpRequest, step: str, **named: Server | Queue) -> HttpResponse:
    """Archive the server with its queues, or the queue, that the address names; or restore it."""
    (stored,) = named.values()
    archived = step == "archive"
    services.row_archive(row=stored, actor=person(request), archived=archived)
    undo = reverse(f"{type(stored).__name__.lower()}-restore", args=[stored.pk]) if archived else ""
    return done(request, f"{stored.name} is {'archived' if archived else 'back'}.", "inventory", undo=undo)


@post_page
def compose(request: HttpRequest) -> HttpResponse:
    """Make a scenario of copies of the chosen queues and their servers, and open it."""
    user = person(request)
    queues = [selectors.queue_get(user=user, queue_id=key) for key in request.POST.getlist("queue")]
    if not queues:
        messages.error(request, "Choose at least one queue.")
        return redirect("inventory")
    name = request.POST.get("name", "").strip() or " and ".join(item.name for item in queues)[:200]
    try:
        spec = services.scenario_composed(name=name, queues=queues)
    except InvalidInput as error:
        messages.error(request, " ".join(f"{problem_text(item)}." for item in error.problems))
        return redirect("inventory")
    return redirect("workbench", scenario_id=services.scenario_store(owner=user, spec=spec, note=COMPOSED).pk)


def _edit(request: HttpRequest, editor: Editor) -> HttpResponse:
    """Show the form, draw its fields again (``fields`` in the address, or the button ``show``), or save."""
    if request.method != "POST":
        return _page(request, editor, editor.entity)
    values = rows_changed(request.POST.dict())
    read = form_read({**editor.frame, editor.part: [editor.entity]}, values)[editor.part][0]
    typed = {key: value for key, value in read.items() if key != "server"}  # texts stay, for the service to judge
    if "fields" in request.GET:
        return _page(request, editor, typed, template="fields")
    if request.POST.get("action") == "show" or CHANGE in request.POST:
        return _page(request, editor, typed)
    try:
        saved = editor.save(body=typed)
    except InvalidInput as error:
        return _page(request, editor, typed, error.problems, status=422)
    except Conflict as error:
        return _page(request, editor, typed, [problem(("name",), str(error))], status=409)
    return done(request, f"{saved.name} is saved. Scenarios keep the copies that they were made with.", "inventory")


def _page(
    request: HttpRequest,
    editor: Editor,
    entity: dict[str, Any],
    problems: Sequence[Problem] = (),
    *,
    template: str = "inventory_edit",
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": entity_form(editor.part, editor.frame, entity, problems, rows_changed(request.POST.dict())),
        "fields_url": f"{request.get_full_path()}{'&' if request.GET else '?'}fields=1",
        "editor": editor,
        "family": PLATFORMS[editor.platform],
    }
    return render(request, f"frontend/workbench/{template}.html", context, status=status)
