"""Examples of the OpenAPI document; the tests send every one of them."""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from pydantic import BaseModel

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
FILE = {"type": "string", "format": "binary"}
FILES = {"type": "array", "items": FILE, "maxItems": MAX_FILES}


def multipart(fields: type[BaseModel], **files: object) -> dict[str, object]:
    """Return how the document describes a request with ``files``, by the names of their parts, beside the fields."""
    schema = fields.model_json_schema()
    parts = {**schema, "required": list(files), "properties": {**files, **schema["properties"]}}
    return {"multipart/form-data": parts}
