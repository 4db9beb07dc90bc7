"""One look for every chart: figures name their colors (``@blue``), a theme turns the names into Okabe-Ito shades.

Pages and files ship both themes to ``charts.js``, which paints in the browser.
"""

from collections.abc import Mapping
from typing import Any

Figure = dict[str, Any]

_FONT = 'Sluice, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif'

COLORS: Mapping[str, Mapping[str, str]] = {
    "light": {
        "ink": "#131a20",
        "soft": "#5f6b76",
        "grid": "#e4e9ec",
        "axis": "#7f8b96",
        "surface": "#ffffff",
        "blue": "#0072b2",
        "sky": "#2b8cc4",
        "green": "#007a5e",
        "orange": "#b97700",
        "vermillion": "#c44f00",
        "purple": "#a8527f",
        "grey": "#7f8b96",
    },
    "dark": {
        "ink": "#e9eef2",
        "soft": "#93a0ab",
        "grid": "#232c34",
        "axis": "#667480",
        "surface": "#151b21",
        "blue": "#56b4e9",
        "sky": "#8fd0f5",
        "green": "#2fc79c",
        "orange": "#e69f00",
        "vermillion": "#f07c3a",
        "purple": "#d98bb5",
        "grey": "#8a97a3",
    },
}
"""The Okabe-Ito hues, darkened on white and lightened on black until lines reach a contrast of 3 to 1."""

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
