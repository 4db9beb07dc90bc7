"""Tables in files."""

from pathlib import Path

import pytest

from simulations.declarations.tables import table_beside


def test_a_table_lies_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("grüße: [1, 2]\n", encoding="utf-8")
    assert table_beside(str(tmp_path / "module.py"), "words.yaml") == {"grüße": [1, 2]}
    with pytest.raises(FileNotFoundError, match=r"others\.yaml"):
        table_beside(str(tmp_path / "module.py"), "others.yaml")
