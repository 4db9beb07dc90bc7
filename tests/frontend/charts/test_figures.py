"""Figures are pure: data in, dictionary out, every axis with its unit, nothing that JSON cannot say."""

import copy
import json
import re

import pytest

from tests.frontend.charts.drawn import BUDGET, FLOWING, SWEPT, TAIL, THREADS, TIMELINE, figures
from tests.frontend.charts.painting import paint

UNITS = re.compile(r"\[.+\]$|^threads$")
"""A unit in brackets; what is counted in itself has none."""


@pytest.mark.parametrize("name", figures())
def test_every_axis_says_its_unit(name: str) -> None:
    layout = figures()[name]["layout"]
    for axis, settings in layout.items():
        named = settings.get("type") == "category" and "title" not in settings if isinstance(settings, dict) else False
        if axis.startswith(("xaxis", "yaxis")) and settings.get("showticklabels", True) and not named:
            assert UNITS.search(settings["title"]["text"]), axis


@pytest.mark.parametrize("name", figures())
def test_equal_data_give_equal_figures_and_stay_untouched(name: str) -> None:
    before = copy.deepcopy((TIMELINE, TAIL, SWEPT, THREADS, BUDGET, FLOWING))
    assert figures()[name] == figures()[name]
    assert before == (TIMELINE, TAIL, SWEPT, THREADS, BUDGET, FLOWING)
    assert json.loads(json.dumps(figures()[name], allow_nan=False)) == figures()[name]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", figures())
def test_a_theme_names_every_color(name: str, theme: str) -> None:
    assert "@" not in json.dumps(paint(figures()[name], theme))


@pytest.mark.parametrize("name", ["budget", "threads"])
def test_what_is_stacked_differs_without_its_color(name: str) -> None:
    traces = [trace for trace in figures()[name]["data"] if trace.get("showlegend", True)]
    shapes = [trace.get("fillpattern", trace.get("marker", {}).get("pattern", {})).get("shape", "") for trace in traces]
    assert len(set(shapes)) == len(shapes) > 1
