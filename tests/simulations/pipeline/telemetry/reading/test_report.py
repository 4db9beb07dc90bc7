"""The account of a log's rows in a sentence."""

import pytest

from simulations.pipeline.telemetry.reading.report import Quarantine


@pytest.mark.parametrize(
    ("passed_over", "sentence"),
    [
        (0, "9,990 of 10,000 rows are used."),
        (200_000, "9,990 of 10,000 rows are used; 200,000 bytes lie in lines above 65,536 bytes, which are not read."),
    ],
)
def test_long_lines_are_named_where_there_are_any(passed_over: int, sentence: str) -> None:
    account = Quarantine(rows=10_000, used=9_990, bytes=1_000_000, passed_over=passed_over, aside=())
    assert account.sentence == sentence
