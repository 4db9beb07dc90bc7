"""Tables in files."""

from pathlib import Path

import pytest

from simulations.declarations.tables import part, table_beside
from simulations.platforms.files.patching import jython, shell


def test_a_table_lies_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("grüße: [1, 2]\n", encoding="utf-8")
    assert table_beside(str(tmp_path / "module.py"), "words.yaml") == {"grüße": [1, 2]}
    with pytest.raises(FileNotFoundError, match=r"others\.yaml"):
        table_beside(str(tmp_path / "module.py"), "others.yaml")


def test_a_part_lies_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "tool.sh").write_bytes("één\n\n".encode())
    assert part(str(tmp_path / "module.py"), "tool.sh") == "één\n"


def test_a_part_that_is_missing_is_noticed_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        part(str(tmp_path / "module.py"), "tool.sh")


@pytest.mark.parametrize("folder", ["files/patching", "files/websphere", "weblogic/files"])
def test_jython_keeps_to_ascii(folder: str) -> None:
    parts = list((Path(jython.__file__).parents[2] / folder).glob("*.jy"))
    assert parts
    assert all(path.read_text(encoding="utf-8").isascii() for path in parts)


def test_heads_change_nothing_by_themselves() -> None:
    assert "APPLY = 0" in jython.HEAD
    assert "APPLY=0" in shell.HEAD
