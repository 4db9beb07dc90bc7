"""Every chart of a search is data for both themes, with a sentence and a table."""

import json
from typing import Any

import pytest

from tests.frontend.charts.explore.test_choice import FRONT, TORNADO
from tests.frontend.charts.explore.test_map import CURVE, HEADROOM, MAP
from tests.frontend.charts.explore.test_runs import RUNS
from tests.frontend.charts.painting import paint

ALL = (MAP, FRONT, TORNADO, HEADROOM, CURVE, RUNS)


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.key)
def test_every_chart_is_json_in_both_themes_with_a_sentence_and_a_table(chart: Any) -> None:
    for theme in ("light", "dark"):
        assert "@" not in json.dumps(paint(chart.figure, theme), allow_nan=False)
    assert chart.sentence
    assert all(len(row) == len(chart.columns) for row in chart.rows)
