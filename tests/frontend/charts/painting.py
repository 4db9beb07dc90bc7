"""What ``charts.js`` does with a figure: layout and colors of a theme, in Python."""

import re
from collections.abc import Mapping
from typing import Any

from frontend.charts.parts import COLORS, LAYOUT, Figure

_TOKEN = re.compile(r"@([a-z]+)(?:/(\d+))?")


def paint(figure: Figure, theme: str) -> Figure:
    """Return the figure with the layout and the colors of ``theme`` (light or dark)."""
    full = {"data": figure["data"], "layout": merged(LAYOUT, figure["layout"])}
    painted: Figure = _painted(full, COLORS[theme])
    return painted


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> Figure:
    """Return ``base`` with the values of ``over`` laid over it at every depth."""
    result = dict(base)
    for key, value in over.items():
        held = result.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        result[key] = merged(held, value) if both else value  # type: ignore[arg-type]
    return result


def _painted(node: Any, colors: Mapping[str, str]) -> Any:
    if isinstance(node, str):
        return _TOKEN.sub(lambda match: _shade(match, colors), node) if node.startswith("@") else node
    if isinstance(node, Mapping):
        return {key: _painted(value, colors) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_painted(value, colors) for value in node]
    return node


def _shade(match: re.Match[str], colors: Mapping[str, str]) -> str:
    """``@blue`` is opaque, ``@blue/20`` has an opacity of 20 %."""
    color, opacity = colors[match[1]], match[2]
    if opacity is None:
        return color
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{int(opacity) / 100:g})"
