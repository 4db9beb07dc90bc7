"""One field of the workbench: what is declared, what it holds now, and how far its slider reaches."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from frontend.wording.numbers import setting_text
from frontend.wording.setting_names import choice_word
from frontend.workbench.declarations import is_fraction
from simulations.analysis.estimates.quantities import scale_of
from simulations.parameters import Declaration
from simulations.units import BYTES, PER_SECOND, SECONDS, UNITS, Factors, parse_in

Widget = Literal["number", "quantity", "choice", "check", "structure", "text"]
_FACTORS: Mapping[str, Factors] = {"s": SECONDS, "/s": PER_SECOND, "B": BYTES}


@dataclass(frozen=True)
class Slider:
    """A range in the unit that the field shows; ``unit`` is appended to the number."""

    minimum: float
    maximum: float
    step: float
    value: float
    unit: str


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

    @property
    def checked(self) -> bool:
        """State of a check box."""
        return self.text == "true"

    @property
    def unit(self) -> str:
        """The unit beside a plain number; quantities carry theirs in the text."""
        return self.declaration.unit if self.widget == "number" and self.declaration.unit != "1" else ""

    @property
    def plain_word(self) -> str:
        """The neutral name beside the vendor's, where they differ."""
        if not self.declaration.quantity.native:
            return ""
        word = self.declaration.name.replace("_", " ")
        return "" if word.casefold() == self.declaration.title.casefold() else word

    @property
    def default_text(self) -> str:
        """The default with its unit, or a word for none."""
        if self.declaration.required:
            return "no default: it has to be given"
        return setting_text(self.declaration.default, self.declaration.unit)

    @property
    def range_text(self) -> str:
        """The limits in words."""
        low, high = self.declaration.minimum, self.declaration.maximum
        if self.slider and self.slider.unit == "%":
            return "0 % to 100 %"
        unit = (
            UNITS.get(self.declaration.unit, "") if self.declaration.unit not in ("1", "%") else self.declaration.unit
        )
        suffix = f" {unit}" if unit not in ("", "1") else ""
        if low is None and high is None:
            return ""
        if high is None or high >= 1e9:
            return f"{_short(low)}{suffix} or more"
        return f"{_short(low)} to {_short(high)}{suffix}"


def build_field(
    *, name: str, path: str, declaration: Declaration, model: type[BaseModel], value: Any, problem: str = ""
) -> FormField:
    """Return the field of a declared setting that holds ``value``: a body value, or the text that was typed."""
    fraction = is_fraction(declaration, model)
    widget = _widget(declaration, fraction=fraction)
    return FormField(
        name=name,
        path=path,
        declaration=declaration,
        widget=widget,
        text=_text(value, declaration, fraction=fraction),
        slider=_slider(value, declaration, fraction=fraction) if widget in ("number", "quantity") else None,
        options=tuple((choice, choice_word(choice)) for choice in declaration.choices),
        problem=problem,
    )


def _widget(declaration: Declaration, *, fraction: bool) -> Widget:
    if declaration.kind == "boolean":
        return "check"
    if declaration.kind in ("choice", "text", "structure"):
        return declaration.kind
    if declaration.kind == "integer":
        return "number"
    return "quantity" if fraction or declaration.unit in _FACTORS or declaration.unit == "%" else "number"


def _text(value: Any, declaration: Declaration, *, fraction: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        unit = "1" if declaration.kind == "integer" else declaration.unit
        return _number_text(float(value), unit, fraction=fraction)
    return json.dumps(value, ensure_ascii=False)


def _number_text(value: float, unit: str, *, fraction: bool) -> str:
    """The shortest text that reads back as exactly this number."""
    if fraction:
        percents = (f"{text}%" for text in _candidates(100 * value))
        return next((text for text in percents if parse_in(text, "1") == value), _bare(value))
    if unit == "%":
        return f"{_bare(value)}%"
    if unit not in _FACTORS:
        return _bare(value)
    name = scale_of(value, unit).unit.replace("µs", "us")
    written = (f"{text} {name}" for text in _candidates(value / float(_FACTORS[unit][name])))
    exact = (text for text in written if parse_in(text, unit) == value)
    return next(exact, f"{_bare(value)} {unit}").replace(" /", "/")


def _candidates(number: float) -> tuple[str, ...]:
    return tuple(_bare(float(f"{number:.{digits}g}")) for digits in (3, 6, 12, 15))


def _bare(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _slider(value: Any, declaration: Declaration, *, fraction: bool) -> Slider | None:
    if isinstance(value, str) or value is None:
        return None
    if fraction or declaration.unit == "%":
        shown = 100 * float(value) if fraction else float(value)
        return Slider(0, 100, 1, shown, "%")
    whole = declaration.kind == "integer"
    scale = scale_of(float(value) or _default_number(declaration), declaration.unit)
    unit = scale.unit if declaration.unit in _FACTORS and not whole else ""
    factor = scale.factor if unit else 1.0
    shown = float(value) * factor
    low = (declaration.minimum or 0.0) * factor
    high = _reach(max(shown, _default_number(declaration) * factor), whole=whole)
    if declaration.maximum is not None:
        high = min(high, declaration.maximum * factor)
    step = 1.0 if whole else _reach_down(high / 200)
    return Slider(low, high, step, shown, unit if unit.startswith("/") or not unit else f" {unit}")


def _default_number(declaration: Declaration) -> float:
    default = declaration.default
    return float(default) if isinstance(default, int | float) and not isinstance(default, bool) else 0.0


def _reach(size: float, *, whole: bool) -> float:
    """A round number well above the size, so that there is room to move."""
    wanted = max(4 * size, 8.0) if whole else max(2 * size, 1.0)
    magnitude = 10.0 ** math.floor(math.log10(wanted))
    return next(factor * magnitude for factor in (1, 2, 4, 5, 8, 10) if factor * magnitude >= wanted)


def _reach_down(size: float) -> float:
    magnitude: float = 10.0 ** math.floor(math.log10(size))
    return max(factor * magnitude for factor in (1, 2, 5) if factor * magnitude <= size)


def _short(value: float | None) -> str:
    return "0" if value is None else f"{value:,.12g}"
