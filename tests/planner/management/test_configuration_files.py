"""Configuration files on disk: plain files, folders, archives, and what cannot be read."""

import zipfile
from pathlib import Path

import pytest

from planner.management.configuration_files import read_files
from simulations.declarations.problems import InvalidInput

BEAN = b"<ejb-jar><enterprise-beans/></ejb-jar>"


def test_a_file_keeps_its_name_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "ejb-jar.xml").write_bytes(BEAN)
    assert list(read_files([tmp_path / "ejb-jar.xml"]).values()) == [BEAN]


def test_of_a_folder_what_may_be_configuration_is_read(tmp_path: Path) -> None:
    inner = tmp_path / "domain" / "config"
    inner.mkdir(parents=True)
    (inner / "ejb-jar.xml").write_bytes(BEAN)
    (inner / "server.log").write_bytes(b"started")
    assert [Path(name).name for name in read_files([tmp_path / "domain"])] == ["ejb-jar.xml"]


def test_an_archive_is_opened(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "app.jar", "w") as archive:
        archive.writestr("META-INF/ejb-jar.xml", BEAN)
    assert list(read_files([tmp_path / "app.jar"]).values()) == [BEAN]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        read_files([tmp_path / "absent.xml"])
