"""Examples of the OpenAPI document; the tests send every one of them."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

from planner.configuration.uploads import MAX_FILES
from planner.presets.files import presets
from simulations.declarations.tables import table_beside


def _examples(of: str, media_type: str = "application/json") -> list[OpenApiExample]:
    """The examples of ``examples.yaml`` for one kind of body."""
    surge = presets()[0].spec.body()
    return [
        OpenApiExample(name, value=_filled(value, surge), media_type=media_type, request_only=True)
        for name, value in _KNOWN[of].items()
    ]


def _filled(value: Any, surge: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, surge) for key, item in value.items()}
    return surge if value == "SURGE" else value


_KNOWN: dict[str, dict[str, Any]] = table_beside(__file__, "examples.yaml")
DERIVE_EXAMPLES, QUICK_EXAMPLES = map(_examples, ("derive", "quick"))
SCENARIO_EXAMPLES, EXPERIMENT_EXAMPLES, RUN_EXAMPLES = map(_examples, ("scenario", "experiment", "run"))
BASELINE_EXAMPLES, WEBHOOK_EXAMPLES, EXPORT_EXAMPLES = map(_examples, ("baseline", "webhook", "export"))
IMPORT_EXAMPLES = _examples("import", "multipart/form-data")
DESCRIPTOR: str = IMPORT_EXAMPLES[0].value["files"][0]
FILES = {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": MAX_FILES}
TARGET = {"type": "string", "description": "The cluster or server that is meant where the files have several."}


def _multipart(**fields: object) -> dict[str, object]:
    """The request body of files with these fields beside them."""
    parts = {"type": "object", "required": ["files"], "properties": {"files": FILES, **fields}}
    return {"multipart/form-data": parts}


IMPORT_REQUEST = _multipart(
    platform={"type": "string", "description": "A family; left out: the files say it themselves."},
    name={"type": "string", "description": "Name of the scenario; left out: that of the first file."},
    target=TARGET,
)
DRIFT_REQUEST = _multipart(
    version={"type": "integer", "description": "Its number; left out: the current one."}, target=TARGET
)
TEXT = {"type": "string"}
REPORT_REQUEST = _multipart(run=TEXT, title=TEXT, decider=TEXT, decide_by={**TEXT, "format": "date"}, target=TARGET)
