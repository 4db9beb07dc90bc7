"""Tables as they are downloaded: CSV in pieces, files in pieces, plain rows as Parquet."""

from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simulations.pipeline.archive import export
from simulations.pipeline.archive.export import csv_rows, file_parts, parquet_of


@pytest.mark.parametrize("rows_at_once", [1, 2, 100])
def test_csv_has_one_header_the_settings_and_no_nan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_at_once: int
) -> None:
    monkeypatch.setattr(export, "ROWS_AT_ONCE", rows_at_once)
    path = tmp_path / "values.parquet"
    table = {"point": [0, 0, 7], "metric": ["a,b", "c", "d"], "value": [1.5, float("nan"), 2.0]}
    pq.write_table(pa.table(table), path)
    text = b"".join(csv_rows(path, {0: '{"x": 1}'})).decode()
    assert text.splitlines() == [
        '"point","overrides","metric","value"',
        '0,"{""x"": 1}","a,b",1.5',
        '0,"{""x"": 1}","c",',
        '7,"","d",2',
    ]


def test_a_file_comes_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BYTES_AT_ONCE", 4)
    (tmp_path / "file").write_bytes(b"123456789")
    assert list(file_parts(tmp_path / "file")) == [b"1234", b"5678", b"9"]


@pytest.mark.parametrize(
    ("values", "kind", "held"),
    [
        ([1, None, 3], pa.int64(), [1, None, 3]),
        ([1, 2.5], pa.float64(), [1.0, 2.5]),
        ([True, None], pa.bool_(), [True, None]),
        (["a", None], pa.string(), ["a", None]),
        ([1, "a"], pa.string(), ["1", "a"]),
        ([True, 2], pa.string(), ["True", "2"]),
        ([2, True], pa.string(), ["2", "True"]),
        ([2.5, True], pa.string(), ["2.5", "True"]),
        ([None, None], pa.string(), [None, None]),
        ([], pa.string(), []),
    ],
)
def test_a_column_holds_one_kind_or_texts(values: list[object], kind: pa.DataType, held: list[object]) -> None:
    table = pq.read_table(BytesIO(parquet_of([["name"], *([value] for value in values)])))
    assert (table.schema.field("name").type, table["name"].to_pylist()) == (kind, held)
