"""Parts of the scripts for the vendors' tools: files in the language of the tool, beside the module that uses them."""

from pathlib import Path


def part(module: str, name: str) -> str:
    """Return the part ``name`` that lies beside ``module`` (its ``__file__``), without the last line's end."""
    return Path(module).with_name(name).read_text(encoding="utf-8").removesuffix("\n")
