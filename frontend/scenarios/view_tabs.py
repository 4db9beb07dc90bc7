"""The views above the table of scenarios: those that everybody has, and the person's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from frontend.scenarios.filters import BUILT_IN, COLUMNS, GROUPS, MAKERS, VERDICTS, Wish
from planner.models import SavedView


@dataclass(frozen=True)
class Tab:
    """A view: its name, its address, and whether the table stands that way."""

    name: str
    address: str
    current: bool


def table_context(wish: Wish, chosen: SavedView | None, saved: Sequence[SavedView]) -> dict[str, Any]:
    """Return what the controls of the table need; ``chosen`` is the view whose address this is."""
    built_in = [Tab(name, _address(item.query), chosen is None and wish == item) for name, item in BUILT_IN.items()]
    own = [Tab(view.name, _address(f"view={view.pk}"), view == chosen) for view in saved]
    paged = f"view={chosen.pk}&{wish.query or 'q='}" if chosen else wish.query
    return {
        "wish": wish,
        "view": chosen,
        "views": [*built_in, *own],
        "all_columns": COLUMNS.items(),
        "groups": GROUPS.items(),
        "verdicts": VERDICTS.items(),
        "makers": MAKERS.items(),
        "width": 3 + len(wish.columns),
        "paged": f"{paged}&" if paged else "",
    }


def _address(query: str) -> str:
    return f"{reverse('scenarios')}?{query}" if query else reverse("scenarios")
