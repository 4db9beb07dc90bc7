"""Rows of one archive under the points of another plan."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from simulations.pipeline.archive.store import Archive


@dataclass(frozen=True)
class Loan:
    """Points of an archive that another plan has too: index there -> index here."""

    archive: Archive
    places: Mapping[int, int]


def borrowed(loan: Loan) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the loan's points under their new indexes; nothing where the archive is gone."""
    for batch in loan.archive.read(list(loan.places)):
        indexes = pa.array([loan.places[index] for index in batch["point"].to_pylist()], pa.int32())
        place = batch.schema.get_field_index("point")
        yield pa.RecordBatch.from_arrays(
            [*batch.columns[:place], indexes, *batch.columns[place + 1 :]], schema=batch.schema
        )
