"""One look for every chart: figures name their colors (``@blue``), a theme turns the names into Okabe-Ito shades.

Pages and files ship both themes to ``charts.js``, which paints in the browser.
"""

from collections.abc import Mapping
from typing import Any

from simulations.declarations.tables import table_beside

Figure = dict[str, Any]

_THEME = table_beside(__file__, "theme.yaml")
COLORS: Mapping[str, Mapping[str, str]] = _THEME["colors"]
"""Theme -> name -> shade."""
LAYOUT: Figure = _THEME["layout"]
"""What every figure has; a figure's own layout is laid over it."""


def text_color(name: str) -> str:
    """Return the color for words that belong to a line of color ``name``: the same where it can be read."""
    return f"@{_THEME['as_text'].get(name, name)}"


def themes() -> dict[str, Any]:
    """Return what ``charts.js`` needs to paint figures: both sets of colors, the layout, the configuration."""
    return {"colours": COLORS, "layout": LAYOUT, "config": _THEME["config"]}
