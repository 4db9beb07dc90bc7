"""Where a calibration's log is: only in its own folder or below a root that the installation allows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from planner.jobs.calibration_log import calibration_folder, calibration_source, upload_name
from planner.models import Calibration
from simulations.declarations.problems import InvalidInput


@pytest.fixture
def roots(tmp_path: Path) -> Iterator[Path]:
    """A folder from which logs may be read, and a results store of its own."""
    changes = {"telemetry_roots": (str(tmp_path / "logs"),), "store_url": str(tmp_path / "store")}
    (tmp_path / "logs").mkdir()
    with override_settings(ENVIRONMENT=settings.ENVIRONMENT.model_copy(update=changes)):
        yield tmp_path


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("Orders of May.CSV", "upload.csv"),
        ("orders.parquet", "upload.parquet"),
        ("../../etc/passwd", "upload.unknown"),
        ("orders.csv.exe", "upload.unknown"),
    ],
)
def test_only_a_known_suffix_of_the_senders_name_is_kept(location: str, name: str) -> None:
    assert upload_name(location) == name


def test_a_location_below_a_root_is_read_under_its_own_name(roots: Path) -> None:
    location = str(roots / "logs" / "orders.csv")
    source = calibration_source(calibration=Calibration(location=location))
    assert source.location == f"file://{Path(location).resolve()}"
    with pytest.raises(InvalidInput, match="TELEMETRY_ROOTS") as caught:
        calibration_source(calibration=Calibration(location=str(roots / "elsewhere.csv")))
    assert caught.value.problems[0].path == "location"


def test_an_upload_is_read_from_its_own_folder_as_long_as_it_is_kept(roots: Path) -> None:
    uploaded = Calibration(location="orders of May.csv", uploaded=True)
    folder = calibration_folder(calibration=uploaded)
    assert folder == roots / "store" / uploaded.pk
    with pytest.raises(InvalidInput, match="no longer kept"):
        calibration_source(calibration=uploaded)
    folder.mkdir(parents=True)
    (folder / "upload.csv").write_text("arrival,start,end,queue\n")
    assert calibration_source(calibration=uploaded).location.endswith(f"{uploaded.pk}/upload.csv")
