"""What each metric means, in one sentence for tooltips, tables and reports."""

from collections.abc import Mapping
from pathlib import Path

import yaml

MEANINGS: Mapping[str, str] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
"""Metric -> one sentence; that of a percentile follows from its share."""
