"""The bar of one transaction."""

import pytest

from frontend.answers.scale_bar import WIDTH, scale_bar


def test_the_bar_is_to_scale() -> None:
    bar = scale_bar({"worst_case_s": 125.0, "max_receive_timeout_s": 105.0, "transaction_timeout_s": 120.0})
    assert bar is not None
    assert bar.wait + bar.work == pytest.approx(WIDTH)
    assert bar.limit / WIDTH == pytest.approx(120 / 125)
    assert bar.text == "One transaction to scale: waits up to 110 s, onMessage 15 s, ends at 120 s."


def test_a_safe_transaction_leaves_room() -> None:
    bar = scale_bar({"worst_case_s": 60.0, "max_receive_timeout_s": 105.0, "transaction_timeout_s": 120.0})
    assert bar is not None
    assert (bar.wait, bar.work, bar.limit) == (375.0, 125.0, 1000.0)


def test_other_rules_have_none() -> None:
    assert scale_bar({"worst_case_s": 1.0}) is None
