"""Tables of words that the pages show, from ``texts.yaml``, which says what each is about."""

from collections.abc import Mapping
from pathlib import Path

import yaml

TEXTS: Mapping[str, Mapping[str, str]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
