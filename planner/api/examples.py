"""Examples of the OpenAPI document, from ``examples.yaml``; the tests send every one of them."""

from pathlib import Path
from typing import Any

import yaml
from drf_spectacular.utils import OpenApiExample

from planner.configuration.uploads import MAX_FILES
from planner.presets.files import presets

PRESET, FORM = "surge-backlog", "multipart/form-data"
"""The key of the preset whose scenario some of them send; the media type of the examples with files."""
_KEPT: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


def _sent(kind: str, media_type: str = "application/json") -> list[OpenApiExample]:
    values = {name: _complete(value) for name, value in _KEPT[kind].items()}
    return [
        OpenApiExample(name, value=value, media_type=media_type, request_only=True) for name, value in values.items()
    ]


def _complete(value: Any) -> Any:
    """The example with the preset's scenario where its key stands."""
    if isinstance(value, dict):
        return {name: _complete(item) for name, item in value.items()}
    return next(item.spec.body() for item in presets() if item.card.key == PRESET) if value == PRESET else value


DERIVE_EXAMPLES, QUICK_EXAMPLES, SCENARIO_EXAMPLES = _sent("derive"), _sent("quick_run"), _sent("scenario")
EXPERIMENT_EXAMPLES, RUN_EXAMPLES, BASELINE_EXAMPLES = _sent("experiment"), _sent("run"), _sent("baseline")
WEBHOOK_EXAMPLES, EXPORT_EXAMPLES, IMPORT_EXAMPLES = _sent("webhook"), _sent("export"), _sent("import", FORM)
DESCRIPTOR: str = IMPORT_EXAMPLES[0].value["files"][0]
FILES = {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": MAX_FILES}
TARGET = {"type": "string", "description": "The cluster or server that is meant where the files have several."}


def _multipart(**fields: object) -> dict[str, object]:
    """The request body of files with these fields beside them."""
    parts = {"type": "object", "required": ["files"], "properties": {"files": FILES, **fields}}
    return {FORM: parts}


IMPORT_REQUEST = _multipart(
    platform={"type": "string", "description": "A family; left out: the files say it themselves."},
    name={"type": "string", "description": "Name of the scenario; left out: that of the first file."},
    target=TARGET,
)
DRIFT_REQUEST = _multipart(
    version={"type": "integer", "description": "Its number; left out: the current one."}, target=TARGET
)
