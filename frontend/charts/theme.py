"""One look for every chart: figures name their colors (``@blue``), a theme turns the names into Okabe-Ito shades.

Pages and files ship both themes to ``charts.js``, which paints in the browser.
"""

from collections.abc import Mapping
from typing import Any

Figure = dict[str, Any]

_FONT = 'Sluice, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif'

_SHADES = {
    "ink": ("#131a20", "#e9eef2"),
    "soft": ("#5f6b76", "#93a0ab"),
    "grid": ("#e4e9ec", "#232c34"),
    "axis": ("#7f8b96", "#667480"),
    "surface": ("#ffffff", "#151b21"),
    "blue": ("#0072b2", "#56b4e9"),
    "sky": ("#2b8cc4", "#8fd0f5"),
    "green": ("#007a5e", "#2fc79c"),
    "orange": ("#b97700", "#e69f00"),
    "vermillion": ("#c44f00", "#f07c3a"),
    "purple": ("#a8527f", "#d98bb5"),
    "grey": ("#7f8b96", "#8a97a3"),
}
"""Name -> shade on white and on black: the Okabe-Ito hues, changed until lines reach a contrast of 3 to 1."""
COLORS: Mapping[str, Mapping[str, str]] = {
    theme: {name: shades[place] for name, shades in _SHADES.items()} for place, theme in enumerate(("light", "dark"))
}
"""Theme -> name -> shade."""
_AS_TEXT = {"orange": "ink", "sky": "ink", "grey": "soft"}
"""Shades too faint for letters (4.5 to 1) -> the one that is written in."""

_AXIS = {
    "gridcolor": "@grid",
    "linecolor": "@axis",
    "zerolinecolor": "@axis",
    "tickcolor": "@axis",
    "ticks": "outside",
    "ticklen": 4,
    "showline": True,
    "automargin": True,
    "ticklabeloverflow": "allow",
    "title": {"standoff": 10, "font": {"size": 13, "color": "@soft"}},
    "tickfont": {"color": "@soft"},
}
LAYOUT: Figure = {
    "font": {"family": _FONT, "size": 13, "color": "@ink"},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "margin": {"l": 56, "r": 20, "t": 12, "b": 44},
    "hovermode": "x unified",
    "hoverlabel": {"bgcolor": "@surface", "bordercolor": "@axis", "font": {"color": "@ink", "family": _FONT}},
    "legend": {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom", "font": {"size": 12}},
    "dragmode": "zoom",
    "separators": ".,",
    "xaxis": _AXIS,
    "yaxis": _AXIS,
    "yaxis2": {**_AXIS, "showgrid": False},
    "yaxis3": {**_AXIS, "showgrid": False},
}
"""What every figure has; a figure's own layout is laid over it."""
CONFIG: Figure = {"displayModeBar": False, "responsive": True, "showTips": False, "doubleClick": "reset"}


def text_color(name: str) -> str:
    """Return the color for words that belong to a line of color ``name``: the same where it can be read."""
    return f"@{_AS_TEXT.get(name, name)}"


def themes() -> dict[str, Any]:
    """Return what ``charts.js`` needs to paint figures: both sets of colors, the layout, the configuration."""
    return {"colours": COLORS, "layout": LAYOUT, "config": CONFIG}
