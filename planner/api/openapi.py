"""The OpenAPI 3.1 document, made from the views and the bodies' own declarations."""

import inspect
import re
from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from planner.api.lists import MOST, filter_parameters
from planner.api.schemas.common import ProblemOut, page_of
from planner.web.problems import CONTENT_TYPE
from simulations.declarations.parameters import parameters_of
from simulations.declarations.tables import table_beside
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import scenario_model

METHODS = ("get", "post", "patch", "delete")
GENERAL_LIST, GENERAL_ONE = "Answer one page of the list.", "Answer the object."
"""Docstrings of actions that many views share (planner.api.base)."""
ALIAS_SUFFIX = ".json"
"""Addresses with this ending answer like those without it."""


LIST = (
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MOST}, description="Rows of a page."),
    OpenApiParameter("cursor", str, description="Place of the page, from `next`; of this list in this order only."),
)
PAGED = ("cells", "results", "explanation", "findings", "checks", "deliveries", "shares")
"""Actions that answer in pages, besides the lists."""
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": 255},
    OpenApiParameter.HEADER,
    description="The same key with the same body gets the same answer for a day, marked by `Idempotent-Replayed`.",
)
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="ETag of what was read.")
IF_NONE_MATCH = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="ETag of what is known.")
HEADERS: Mapping[str, str] = table_beside(__file__, "headers.yaml")
PLACES: Mapping[str, str] = table_beside(__file__, "places.yaml")
PROBLEMS = (400, 401, 403, 404, 406, 422, 429, 500, 503)
WITH_BODY = (409, 412, 413, 415)


def _sort(fields: Sequence[str]) -> OpenApiParameter:
    names = sorted({name for field in fields for name in (field.lstrip("-"), f"-{field.lstrip('-')}")})
    return OpenApiParameter(
        "sort", {"type": "string", "enum": names, "default": fields[0]}, description="Field; with - descending."
    )


class BodySchema(GenerateJsonSchema):
    """JSON Schema that says what the declarations say: units, sources, and texts with units where they are read."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never: the name of a field says as much."""
        return False

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        """A number that is read with its unit may also be a text such as ``200ms``."""
        inner = super().function_before_schema(schema)
        if self.mode == "validation" and inner.get("type") == "number":
            return {"anyOf": [inner, {"type": "string", "description": "The number with its unit."}]}
        return inner

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Add ``x-unit``, ``x-native`` and ``x-source`` to declared settings; no title: platforms share them."""
        described = super().model_schema(schema)
        described.pop("title", None)
        for item in parameters_of(schema["cls"]):  # type: ignore[arg-type]
            about = {"x-unit": item.unit, "x-native": item.quantity.native, "x-source": item.quantity.source}
            described["properties"][item.name].update({key: value for key, value in about.items() if value})
        return described


class ApiSchema(AutoSchema):
    """Describes what an action does not describe itself: its name, its text, its answers."""

    view: Any

    def get_operation_id(self) -> str:
        """``runs`` for a list, ``run`` for one of it, ``run_cancel`` for what is done with it."""
        name = str(self.view.basename).replace("-", "_")
        return {"list": f"{name}s", "retrieve": name}.get(self.view.action, f"{name}_{self.view.action}")

    def get_description(self) -> str:  # type: ignore[override]
        """The action's docstring; of a list or an object that only the view describes, the view's."""
        text = inspect.getdoc(getattr(self.view, getattr(self.view, "action", self.method.lower()))) or ""
        about = (inspect.getdoc(type(self.view)) or "").split("\n", 1)[0]
        return {GENERAL_LIST: f"List: {about}", GENERAL_ONE: f"Show one of: {about}"}.get(text, text)

    def get_override_parameters(self) -> list[Any]:
        """What all lists take, and the key that makes a creating request safe to repeat."""
        view, action = self.view, getattr(self.view, "action", "")
        listed = action == "list" and hasattr(view, "line")
        parameters = [*LIST, _sort(view.sorts)] if listed or action in PAGED else []
        if listed:
            parameters += filter_parameters(view)
        parameters += [IF_NONE_MATCH] if action == "retrieve" and hasattr(view, "etag") else []
        handler = getattr(view, action, None)
        marks = {"is_idempotent": KEY, "is_guarded": IF_MATCH}
        return parameters + [parameter for mark, parameter in marks.items() if hasattr(handler, mark)]

    def _resolve_path_parameters(self, variables: Sequence[str]) -> list[dict[str, Any]]:
        """Say of each part of the address what it names."""
        parts = super()._resolve_path_parameters(variables)  # type: ignore[no-untyped-call]
        return [{**part, "description": PLACES[part["name"]]} for part in parts]

    def get_response_serializers(self) -> Any:
        """What the action answers with: the view's ``line`` or ``body``, or nothing."""
        view = self.view
        match view.action:
            case "list":
                return page_of(view.line)
            case "destroy":
                return {204: None}
            case "retrieve" if hasattr(view, "etag"):
                return {200: view.body, 304: None}
            case "retrieve" | "partial_update":
                return view.body
        return {201 if view.action == "create" else 202: view.body}

    def get_request_serializer(self) -> Any:
        """Nothing is sent unless the action says so."""
        return None


class BodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Lets pydantic models be bodies."""

    target_class = BaseModel
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: Any, direction: str) -> str:
        """The model's name; a platform's scenario carries the platform's name too, a page that of its lines."""
        lines = self.target.__pydantic_generic_metadata__["args"]
        if lines:
            return f"{lines[0].__name__.removesuffix('Out').removesuffix('Line')}sPage"
        return f"{_prefix(self.target)}{self.target.__name__}"

    get_identity = get_name
    """Models inside other models are registered by name."""

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """Return the model's schema and register the models inside it as components."""
        prefix = _prefix(self.target)
        schema: dict[str, Any] = self.target.model_json_schema(
            ref_template=f"#/components/schemas/{prefix}{{model}}",
            schema_generator=BodySchema,
            mode="validation" if direction == "request" else "serialization",
        )
        for name, inner in schema.pop("$defs", {}).items():
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=f"{prefix}{name}", type=ResolvedComponent.SCHEMA, object=f"{prefix}{name}", schema=inner
            )
            if component in auto_schema.registry and auto_schema.registry[component].schema != inner:
                raise ValueError(f"two different bodies have the name {component.name}; rename one of them")
            auto_schema.registry.register_on_missing(component)
        return schema


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document; it does not change while the program runs."""
    generator = SchemaGenerator(api_version="v1")  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    _add_problems(document)
    return document


def _add_problems(document: dict[str, Any]) -> None:
    """Every operation may answer a problem."""
    template = "#/components/schemas/{model}"
    schema = ProblemOut.model_json_schema(ref_template=template, mode="serialization")
    document["components"]["schemas"].update({**schema.pop("$defs"), "ProblemOut": schema})
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemOut"}}}
    headers = {name: {"description": text, "schema": {"type": "string"}} for name, text in HEADERS.items()}
    document["components"]["headers"] = headers
    document["servers"] = [{"url": "/", "description": "This installation"}]
    for operations in document["paths"].values():
        for method in operations.keys() & set(METHODS):
            answers = operations[method]["responses"]
            for status in PROBLEMS if method == "get" else (*PROBLEMS, *WITH_BODY):
                about = f"{HTTPStatus(status).phrase}: a problem (RFC 9457)"
                answers.setdefault(str(status), {"description": about, "content": content})
            asked = {item["name"] for item in operations[method].get("parameters", ())}
            for status, item in answers.items():
                tagged = status in ("200", "304") and asked & {IF_MATCH.name, IF_NONE_MATCH.name}
                item["headers"] = {
                    name: {"$ref": f"#/components/headers/{name}"} for name in headers if tagged or name != "ETag"
                }


def operation_of(route: str, method: str) -> dict[str, Any] | None:
    """Return what the document says of a request; None for an address that is not described."""
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route).removesuffix(ALIAS_SUFFIX)
    found: dict[str, Any] | None = openapi_document()["paths"].get(path, {}).get(method.lower().replace("head", "get"))
    return found


def _prefix(model: type[BaseModel]) -> str:
    """``WebsphereZos`` for the scenario of that platform: its servers and queues differ from other platforms'."""
    platform = next((name for name in PLATFORMS if scenario_model(name) is model), "")
    return "".join(part.capitalize() for part in platform.split("-"))
