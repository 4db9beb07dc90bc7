"""One field of the workbench: what is declared, what it holds now, and how far its slider reaches."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from frontend.site.json_text import json_or_text, values_read, values_text
from frontend.wording.numbers import choice_word, setting_text
from simulations.analysis.estimates.summary import scale_of
from simulations.declarations.parameters import Declaration
from simulations.declarations.units import BYTES, PER_SECOND, SECONDS, UNITS, Factors, parse_in

Widget = Literal["number", "quantity", "choice", "check", "list", "rows", "text"]
_FACTORS: Mapping[str, Factors] = {"s": SECONDS, "/s": PER_SECOND, "B": BYTES}
_SLIDER_UNITS = {"s": ("us", "ms", "s", "min", "h"), "/s": ("/s",), "B": ("B", "kB", "MB", "GB")}
"""Units that a slider writes."""
_DIGITS = (3, 6, 12, 15)
"""Numbers of digits that are tried until a text reads back as exactly the number."""
_DECADES = 1000
"""A typical range of which one end is more times the other than this gets a logarithmic slider."""
_COMMA = re.compile(r"([-+]?(?:0|\d+(?!,\d{3}(?!\d)))),(\d+(?!\d))([^,]*)")
"""A number with a decimal comma; 1,000 is none, as it may be a thousand."""


@dataclass(frozen=True)
class Slider:
    """Where a slider begins and ends, and where it stands; powers of ten with ``log``. ``units``: what one of each unit
    that it writes is worth, as JSON; ``unlimited`` stands at the upper end."""

    minimum: float
    maximum: float
    step: float
    value: float
    log: bool
    whole: bool
    units: str
    unlimited: float | None


@dataclass(frozen=True)
class FormField:
    """``name`` addresses the body by index (form data), ``path`` by name (sweeps, fixes)."""

    name: str
    path: str
    declaration: Declaration
    widget: Widget
    text: str
    slider: Slider | None = None
    options: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    redraws: bool = False
    """Another value changes which fields there are."""
    place: str = ""
    """Where the rows of a list lie."""
    row: tuple[str, str, bool, str] = ("", "", False, "")
    """The row it belongs to: where that lies, its name, whether there may be several, and what one is."""
    adds: str = ""
    """What a new row is called; empty where there is no room for one."""

    @property
    def checked(self) -> bool:
        """State of a check box."""
        return self.widget == "check" and self.text == "true"

    @property
    def unit(self) -> str:
        """The unit of a plain number; quantities carry theirs in the text."""
        return self.declaration.unit if self.widget == "number" and self.declaration.unit != "1" else ""

    @property
    def plain_word(self) -> str:
        """The neutral name, where the vendor's does not hold its words."""
        if not self.declaration.quantity.native:
            return ""
        word = self.declaration.name.replace("_", " ")
        return "" if {*word.casefold().split()} <= {*re.findall(r"\w+", self.declaration.title.casefold())} else word

    @property
    def default_text(self) -> str:
        """The default with its unit, or a word for none."""
        if self.declaration.required:
            return "no default: it has to be given"
        return setting_text(self.declaration.default, self.declaration.unit, self.declaration.quantity.unlimited)

    @property
    def range_text(self) -> str:
        """The limits in words."""
        low, high = self.declaration.minimum, self.declaration.maximum
        if self.declaration.is_fraction:
            return "0 % to 100 %"
        unit = {**UNITS, "1": "", "%": "%"}.get(self.declaration.unit)
        suffix = f" {unit}" if unit else ""
        if low is None and high is None:
            return ""
        if high is None or high >= 1e9:
            return f"{_short(low)}{suffix} or more"
        return f"{_short(low)} to {_short(high)}{suffix}"


def build_field(*, name: str, path: str, declaration: Declaration, value: Any, problem: str = "") -> FormField:
    """Return the field of a declared setting that holds ``value``: a body value, or the text that was typed."""
    return FormField(
        name=name,
        path=path,
        declaration=declaration,
        widget=_widget(declaration),
        text=_text(value, declaration),
        slider=_slider(value, declaration),
        options=tuple((choice, choice_word(choice)) for choice in declaration.choices),
        problem=problem,
    )


def value_of(field: FormField, text: str) -> Any:
    """Return what a person typed as a body holds it; what is not understood stays a text, for ``parse`` to judge."""
    stripped = text.strip()
    if field.widget == "list":
        return [_items(line) for line in stripped.splitlines()] if _is_pairs(field.declaration) else _items(stripped)
    if not stripped and not field.declaration.required:
        return None if field.declaration.default is None else text
    if not field.declaration.is_number:
        return stripped
    number = with_point(stripped)
    return json_or_text(number) if field.declaration.kind == "integer" and number[-1:].isdecimal() else number


def with_point(text: str) -> str:
    """Return a number with its decimal comma as a point."""
    return _COMMA.sub(r"\1.\2\3", text.strip()) if _COMMA.fullmatch(text.strip()) else text


def _items(text: str) -> list[Any]:
    whole = json_or_text(f"[{text}]")
    return whole if isinstance(whole, list) else values_read(text)


def _is_pairs(declaration: Declaration) -> bool:
    start = declaration.quantity.start
    return bool(start) and isinstance(start[0], tuple)


def _widget(declaration: Declaration) -> Widget:
    if declaration.kind == "boolean":
        return "check"
    if declaration.kind == "structure":
        return "list"
    if declaration.kind in ("choice", "text"):
        return declaration.kind
    if declaration.kind == "integer":
        return "number"
    quantity = declaration.is_fraction or declaration.unit in _FACTORS or declaration.unit == "%"
    return "quantity" if quantity else "number"


def _text(value: Any, declaration: Declaration) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        unit = "1" if declaration.kind == "integer" else declaration.unit
        return _number_text(float(value), unit, fraction=declaration.is_fraction)
    return "\n".join(map(values_text, value)) if _is_pairs(declaration) else values_text(value)


def _number_text(value: float, unit: str, *, fraction: bool) -> str:
    """The shortest text that reads back as exactly this number."""
    if fraction:
        percents = (f"{_candidate(100 * value, digits)}%" for digits in _DIGITS)
        return next((text for text in percents if parse_in(text, "1") == value), _bare(value))
    if unit == "%":
        return f"{_bare(value)}%"
    if unit not in _FACTORS:
        return _bare(value)
    usual = scale_of(value, unit).unit.replace("µs", "us")
    names = sorted(_FACTORS[unit], key=lambda name: (name != usual, name != unit))
    written = (f"{_candidate(value / float(_FACTORS[unit][name]), n)} {name}" for n in _DIGITS for name in names)
    exact = (text for text in written if parse_in(text, unit) == value)
    return next(exact, f"{_bare(value)} {unit}").replace(" /", "/")


def _candidate(number: float, digits: int) -> str:
    return _bare(float(f"{number:.{digits}g}"))


def _bare(value: float) -> str:
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def _slider(value: Any, declaration: Declaration) -> Slider | None:
    """The slider of a number that is given: the typical range, and as far as the value where that lies outside."""
    if not declaration.is_number or declaration.typical is None or not isinstance(value, int | float):
        return None
    low, high = declaration.typical
    unlimited, whole = declaration.quantity.unlimited, declaration.kind == "integer"
    value = high if value == unlimited else float(value)
    log = high > _DECADES * low > 0 and value > 0
    low, high = min(low, value), max(high, value)
    if log:
        low, high, value = math.log10(low), math.log10(high), math.log10(value)
    step = 1.0 if whole and not log else 10.0 ** math.floor(math.log10((high - low) / 100))
    return Slider(low, high, step, value, log, whole, json.dumps(_slider_units(declaration)), unlimited)


def _slider_units(declaration: Declaration) -> dict[str, float]:
    if declaration.is_fraction:
        return {"%": 0.01}
    if declaration.unit == "%":
        return {"%": 1.0}
    names = () if declaration.kind == "integer" else _SLIDER_UNITS.get(declaration.unit, ())
    return {name: float(_FACTORS[declaration.unit][name]) for name in names}


def _short(value: float | None) -> str:
    return "0" if value is None else f"{value:,.12g}"
