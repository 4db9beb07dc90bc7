"""Stored servers and queues: the list, their editors, archiving, and a scenario made of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from frontend.site.automation import of_list
from frontend.site.base import page, person
from frontend.workbench.inventory import Part, entity_default, entity_form, entity_read, queue_work, server_place
from planner import selectors, services
from planner.errors import Conflict
from planner.models import Queue, Server
from planner.services.inventory import queue_body, queue_read, server_body, server_read
from planner.services.scenarios import COMPOSED
from simulations.declarations.problems import InvalidInput, problem
from simulations.platforms import PLATFORMS


@dataclass(frozen=True)
class Editor:
    """What the page of one server or queue needs; ``stored`` is None for a new one."""

    part: Part
    platform: str
    entity: dict[str, Any]
    save: Callable[[dict[str, Any]], Server | Queue]
    stored: Server | Queue | None = None
    server: Server | None = None


@require_safe
@page
def inventory(request: HttpRequest) -> HttpResponse:
    """List servers with their queues; ``archived`` shows the archive."""
    user, archived = person(request), "archived" in request.GET
    queues: dict[str, list[tuple[Queue, str]]] = {}
    for queue in selectors.queues_list(user=user):
        queues.setdefault(queue.server_id, []).append((queue, queue_work(queue)))
    servers = [
        {
            "row": server,
            "platform": PLATFORMS[server.platform].title,
            "place": server_place(server),
            "queues": queues.get(server.pk, []),
        }
        for server in selectors.servers_list(user=user, archived=archived)
    ]
    context = {
        "servers": servers,
        "archived": archived,
        "archived_queues": selectors.queues_list(user=user, archived=True) if archived else [],
        "platforms": PLATFORMS.values(),
        "section": "inventory",
        "spellings": of_list(request, "api:servers"),
    }
    return render(request, "frontend/workbench/inventory.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def server_new(request: HttpRequest) -> HttpResponse:
    """Make a server of the platform that the address names."""
    platform = request.GET.get("platform", "")
    if platform not in PLATFORMS:
        raise Http404("there is no such platform")

    def save(body: dict[str, Any]) -> Server:
        return services.server_store(owner=person(request), platform=platform, read=server_read(platform, body))

    return _edit(request, Editor("servers", platform, entity_default("servers", platform), save))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def server(request: HttpRequest, server_id: str) -> HttpResponse:
    """Change a stored server."""
    found = selectors.server_get(user=person(request), server_id=server_id)

    def save(body: dict[str, Any]) -> Server:
        return services.server_update(server=found, body=body)

    return _edit(request, Editor("servers", found.platform, server_body(found), save, stored=found))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def queue_new(request: HttpRequest, server_id: str) -> HttpResponse:
    """Make a queue that the server listens to."""
    found = selectors.server_get(user=person(request), server_id=server_id)

    def save(body: dict[str, Any]) -> Queue:
        return services.queue_store(owner=person(request), server=found, read=queue_read(found, body))

    return _edit(
        request, Editor("queues", found.platform, entity_default("queues", found.platform), save, server=found)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@page
def queue(request: HttpRequest, queue_id: str) -> HttpResponse:
    """Change a stored queue."""
    found = selectors.queue_get(user=person(request), queue_id=queue_id)

    def save(body: dict[str, Any]) -> Queue:
        return services.queue_update(queue=found, body=body)

    editor = Editor("queues", found.server.platform, queue_body(found), save, stored=found, server=found.server)
    return _edit(request, editor)


@require_POST
@page
def server_archive(request: HttpRequest, server_id: str) -> HttpResponse:
    """Archive a server with its queues; the page then offers to undo it."""
    found = selectors.server_get(user=person(request), server_id=server_id)
    services.server_archive(server=found)
    return _archived(request, found, undo="server-restore")


@require_POST
@page
def server_restore(request: HttpRequest, server_id: str) -> HttpResponse:
    """Undo archiving."""
    found = selectors.server_get(user=person(request), server_id=server_id)
    services.server_restore(server=found)
    return _restored(request, found)


@require_POST
@page
def queue_archive(request: HttpRequest, queue_id: str) -> HttpResponse:
    """Archive a queue; the page then offers to undo it."""
    found = selectors.queue_get(user=person(request), queue_id=queue_id)
    services.queue_archive(queue=found)
    return _archived(request, found, undo="queue-restore")


@require_POST
@page
def queue_restore(request: HttpRequest, queue_id: str) -> HttpResponse:
    """Undo archiving."""
    found = selectors.queue_get(user=person(request), queue_id=queue_id)
    services.queue_restore(queue=found)
    return _restored(request, found)


@require_POST
@page
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
        messages.error(request, " ".join(f"{item.message[0].upper()}{item.message[1:]}." for item in error.problems))
        return redirect("inventory")
    scenario = services.scenario_store(owner=user, spec=spec, note=COMPOSED)
    return redirect("workbench", scenario_id=scenario.pk)


def _archived(request: HttpRequest, entity: Server | Queue, *, undo: str) -> HttpResponse:
    tags = f"undo:{reverse(undo, args=[entity.pk])}"
    messages.success(request, f"{entity.name} is archived.", extra_tags=tags)
    return redirect("inventory")


def _restored(request: HttpRequest, entity: Server | Queue) -> HttpResponse:
    messages.success(request, f"{entity.name} is back.")
    return redirect("inventory")


def _edit(request: HttpRequest, editor: Editor) -> HttpResponse:
    """Show the form, draw its fields again (``fields`` in the address, or the button ``show``), or save."""
    if request.method != "POST":
        return _page(request, editor, editor.entity)
    typed = entity_read(editor.part, editor.platform, editor.entity, request.POST.dict())
    if "fields" in request.GET:
        return render(request, "frontend/workbench/fields.html", _context(request, editor, typed))
    if request.POST.get("action") == "show":
        return _page(request, editor, typed)
    try:
        saved = editor.save(typed)
    except InvalidInput as error:
        return _page(request, editor, typed, error=error, status=422)
    except Conflict as error:
        taken = InvalidInput([problem(("name",), str(error))])
        return _page(request, editor, typed, error=taken, status=409)
    messages.success(request, f"{saved.name} is saved. Scenarios keep the copies that they were made with.")
    return redirect("inventory")


def _page(
    request: HttpRequest,
    editor: Editor,
    entity: dict[str, Any],
    *,
    error: InvalidInput | None = None,
    status: int = 200,
) -> HttpResponse:
    context = _context(request, editor, entity, error)
    return render(request, "frontend/workbench/inventory_edit.html", context, status=status)


def _context(
    request: HttpRequest, editor: Editor, entity: dict[str, Any], error: InvalidInput | None = None
) -> dict[str, Any]:
    problems = error.problems if error else ()
    return {
        "form": entity_form(editor.part, editor.platform, entity, problems),
        "fields_url": f"{request.get_full_path()}{'&' if request.GET else '?'}fields=1",
        "editor": editor,
        "family": PLATFORMS[editor.platform],
        "section": "inventory",
    }
