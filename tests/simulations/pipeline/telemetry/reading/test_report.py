"""The account of a log's rows in a sentence."""

import pytest

from simulations.pipeline.telemetry.reading.report import sentence_of


@pytest.mark.parametrize(
    ("passed_over", "sentence"),
    [
        (0, "9,990 of 10,000 rows are used."),
        (200_000, "9,990 of 10,000 rows are used; 200 kB lie in lines above 65.54 kB, which are not read."),
    ],
)
def test_long_lines_are_named_where_there_are_any(passed_over: int, sentence: str) -> None:
    assert sentence_of(10_000, 9_990, passed_over) == sentence


def test_documents_may_be_longer_than_rows() -> None:
    assert "in lines above 1 MB" in sentence_of(10, 9, 2_000_000, 1_000_000)
