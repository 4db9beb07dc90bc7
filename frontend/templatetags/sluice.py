"""Filters and tags: quantities, settings, JSON for data blocks, live numbers on the picture of the messages' way."""

import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from frontend.answers.mechanism.lane import Lane
from frontend.charts.parts import themes
from frontend.charts.telemetry import measured_text
from frontend.site.basket import basket_keys
from frontend.telemetry.page import threads_text
from frontend.wording.numbers import TEXTS, horizon_text, metric_title, problem_text, setting_text, work_text
from simulations.analysis.estimates.summary import Estimate, estimate_text, percent, precision_text, quantity
from simulations.experiment.words import plain

FINEST, FAINT = 0.01, 1e-3
"""No number is finer than this share of itself; smaller numbers, ten times as many of what is counted, take no line."""
KEPT = 1024
"""Drawn parts of answers that a process keeps, about a kilobyte each."""
HELD = re.compile(r"\S+ ± \S+( %| (µs|ms|s|min|h)\b)?|\d[\d.,]*( %| (µs|ms|s|min|h)\b)")
register = template.Library()
for text in (horizon_text, measured_text, precision_text, problem_text, threads_text, work_text):
    register.filter(text.__name__.removesuffix("_text"), text)
register.filter("words", plain)
register.filter("declared", lambda row, key: setting_text(row[key], row["unit"], row.get("unlimited")))
register.filter("quantity", quantity)
register.filter("metric", metric_title)
register.filter("basket", basket_keys)
register.filter("zip", lambda first, second: zip(first, second, strict=True))
register.simple_tag(lambda: TEXTS["api_resources"], name="api_resources")
register.filter("json_text", json.dumps)  # for an attribute; the template escapes it
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
SECTIONS = TEXTS["sections"]
"""Name of a page, or how its address begins -> where it belongs; every other page belongs to the scenarios."""
ATTENTION = TEXTS["attention"]
"""Status -> what a run of it does, in the order in which they need attention."""
CHECKS = TEXTS["self_checks"]
"""Self-check -> what holds where it passes."""


@register.filter
def json_block(value: Any) -> SafeString:
    """Write a value as JSON for the inside of a script element: no character can end the element."""
    return mark_safe(json.dumps(value, separators=(",", ":"), allow_nan=False).translate(_ESCAPES))  # noqa: S308 - escaped above  # nosec B308


register.simple_tag(lambda: json_block(themes()), name="chart_themes")  # what ``charts.js`` needs to paint


@register.filter
def share(value: Any) -> str:
    """Write a fraction in percent, a dash for none."""
    return "–" if value is None else percent(float(value))


@register.filter
def instant(text: str) -> str:
    """Write a time of ISO 8601 in UTC to the minute."""
    return f"{text[:16].replace('T', ' ')} UTC" if text else ""


@register.filter
def unlocalise(value: Any) -> str:
    """Write a number for an HTML attribute: no thousands separator, no needless zeros."""
    return f"{float(value):.12g}"


@register.filter
def dictitem(mapping: Any, key: str) -> Any:
    """Return the value under a key that is no identifier; None without one."""
    return mapping.get(key)


@register.filter
def schema_type(schema: Mapping[str, Any]) -> SafeString:
    """Write the type of a JSON schema; a model is a link to its place among the bodies."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return format_html('<a href="../bodies/#model-{}">{}</a>', name, name)
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        return format_html_join(" or ", "{}", ((schema_type(item),) for item in variants))
    if schema.get("type") == "array":
        return format_html("list of {}", schema_type(schema.get("items", {})))
    return format_html("{}", str(schema.get("type", "anything")))


@register.filter
def prose(text: str) -> SafeString:
    """Write a sentence of a docstring: its code as code."""
    return mark_safe(str(MarkdownIt("js-default").renderInline(text)))  # noqa: S308 - the renderer escapes  # nosec B308


@register.filter
def held(text: str) -> SafeString:
    """Write a sentence; no line breaks between a number, its ± and its unit."""
    return mark_safe(HELD.sub(r'<span class="nowrap">\g<0></span>', escape(text)))  # noqa: S308 - escaped above  # nosec B308


@register.filter
def browser(agent: str) -> str:
    """Return browser and system of a User-Agent header, for example ``Chrome on Linux``, as far as it names them."""
    tables = (TEXTS[name].items() for name in ("browsers", "systems"))
    found = (next((name for mark, name in table if mark in agent), "") for table in tables)
    return " on ".join(filter(None, found)) or agent or "unknown"


@register.filter
def check_name(name: str) -> str:
    """Return what a self-check says."""
    return CHECKS.get(name, name.replace("_", " ").capitalize())


@register.simple_tag(takes_context=True)
def section(context: Mapping[str, Any]) -> str:
    """Return the part of the product that a page belongs to, by its address; empty where there is no such page."""
    if (match := context["request"].resolver_match) is None:
        return ""
    return SECTIONS.get(match.url_name) or SECTIONS.get(match.route.partition("/")[0], "scenarios")


@register.simple_tag
@lru_cache(maxsize=KEPT)
def kept(name: str, **shown: Hashable) -> SafeString:
    """Draw a part of an answer by its template: most are equal in the next answer of a live panel, and are kept."""
    return mark_safe(render_to_string(f"frontend/answers/{name}.html", shown))  # noqa: S308 - a template escaped it  # nosec B308


@register.filter
def counted(counts: Mapping[str, int]) -> str:
    """Say how many runs need attention, for example ``1 running · 2 failed``."""
    parts = [f"{counts[status]} {word}" for status, word in ATTENTION.items() if counts[status]]
    return " · ".join(parts) or "nothing under way"


@register.simple_tag
def reading(lane: Lane, name: str, before: str = "", after: str = "", unit: str | None = None) -> SafeString:
    """Return a line with a number of the lane; nothing where there is none. ``unit`` takes the place of its own."""
    estimate = lane.metrics.get(name)
    if estimate is None or estimate.value < FAINT * (10 if estimate.unit in ("messages", "threads") else 1):
        return SafeString("")
    shown = estimate if unit is None else replace(estimate, unit=unit)
    return format_html('<li title="{}">{} <b>{}</b> {}</li>', estimate_text(estimate), before, short(shown), after)


def short(estimate: Estimate) -> str:
    """Write an estimate with its unit: the digits that it has beside its interval, at most three."""
    half = max(estimate.half_width, 10 * FINEST * abs(estimate.value))
    return str(quantity(estimate.value, estimate.unit, half)._replace(half=""))
