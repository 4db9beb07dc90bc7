"""The live numbers on the picture of the messages' way."""

from dataclasses import replace

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend.answers.mechanism.lane import Lane
from simulations.analysis.estimates.summary import Estimate, estimate_text, quantity

register = template.Library()
FINEST, FAINT = 0.01, 1e-3
"""No number is finer than this share of itself; smaller numbers, ten times as many of what is counted, take no line."""


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
