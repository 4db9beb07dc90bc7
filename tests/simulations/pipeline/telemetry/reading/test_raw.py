"""Names of columns from the first line of a text, and why a file cannot be read."""

import pytest
from pyspark.errors import PySparkException

from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import _csv_names, _refusal, _schema


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_commonest_separator_divides_the_header(separator: str) -> None:
    assert _csv_names(separator.join(["arrival", " start ", '"en:d"'])) == ["arrival", "start", "en:d"]


def test_two_columns_of_a_name_are_refused() -> None:
    with pytest.raises(TelemetryRefused, match="two columns 'end'"):
        _csv_names("end,start,end")


def test_names_are_quoted_for_spark() -> None:
    assert _schema(["a b", "c`d"]) == "`a b` STRING, `c``d` STRING"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("[PATH_NOT_FOUND] Path does not exist", "no log at that location"),
        ("part-0.parquet is not a Parquet file", "not Parquet, or it is damaged"),
        ('No FileSystem for scheme "s3a"', "no driver for that kind of address"),
    ],
)
def test_what_spark_cannot_read_is_refused_with_a_sentence(message: str, reason: str) -> None:
    found = _refusal(PySparkException(message))
    assert isinstance(found, TelemetryRefused)
    assert reason in str(found)


def test_other_errors_of_spark_stay_what_they_are() -> None:
    error = PySparkException("something else")
    assert _refusal(error) is error
