"""Tables of words and names, and parts of scripts, that lie in files beside the modules that use them."""

from pathlib import Path
from typing import Any

import yaml


def table_beside(module: str, name: str) -> Any:
    """Return what the YAML file ``name`` beside ``module`` (its ``__file__``) holds."""
    return yaml.load(Path(module).with_name(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def part(module: str, name: str) -> str:
    """Return the part ``name`` that lies beside ``module`` (its ``__file__``), without the last line's end."""
    return Path(module).with_name(name).read_text(encoding="utf-8").removesuffix("\n")
