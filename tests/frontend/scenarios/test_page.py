"""The table of scenarios, as far as it needs no page."""

from frontend.scenarios.page import factor_text


def test_a_headroom_beyond_what_was_tried_is_a_bound() -> None:
    for found, text in (
        ({"carried": 3.0, "low": 3.0, "high": None, "missed": None}, "≥ 3×"),
        ({"carried": 0.0, "low": 0.0, "high": 0.5, "missed": 0.5}, "< 0.5×"),
        ({"carried": 1.42, "low": 1.4, "high": 1.43, "missed": 1.43}, "1.420 ± 0.020×"),
    ):
        assert factor_text(**found) == text
