"""The documentation page of a platform family, made of its declarations, formulas and rules, so that it cannot lag."""

from collections.abc import Iterable, Iterator

from simulations.declarations.declared import models_at
from simulations.declarations.parameters import Declaration, PlatformParameters, parameters_of
from simulations.declarations.workload import Exponential, Poisson
from simulations.platforms.shared.family import Platform
from simulations.platforms.shared.queues import in_number, number, sample_system
from simulations.platforms.shared.rules import Rule

TRUST = {"source": "", "assumed": " (our assumption)", "unverified": " (unverified)"}


def platform_page(family: Platform) -> str:
    """Return the page as Markdown: settings, formula answers for the defaults, rules; each with its source."""
    lines = [
        f"# {family.title}",
        "",
        f"Platform `{family.name}`, vendor {family.vendor}, rules version {family.rules_version}. "
        "This page is generated from the declarations; do not edit it.",
        "",
        "## Settings of a server",
        "",
        *_tables(family.server_parameters),
        "",
        "## Settings of a queue and its message-driven bean",
        "",
        *_tables(family.queue_parameters),
        "",
        "## Formula answers",
        "",
        "As they read for a scenario with all defaults, 10 messages per second and 100 ms in `onMessage`.",
        "",
        *_formulas(family),
        "",
        "## Rules",
        "",
        *_rules(family.rules),
        "",
    ]
    return "\n".join(lines)


def _tables(model: type[PlatformParameters]) -> Iterator[str]:
    """The table of the settings, then one for what lies in each list or mapping among them."""
    yield from _table(parameters_of(model))
    for item in parameters_of(model):
        for part in (*models_at(model, item.name), *models_at(model, item.name, 0)):
            yield from ("", f"### {item.title}", "", *_table(parameters_of(part)))


def _table(declarations: tuple[Declaration, ...]) -> Iterator[str]:
    yield "| Setting | Vendor's name | Unit | Default | Limits | Typical | Meaning | Source |"
    yield "|---|---|---|---|---|---|---|---|"
    for item in declarations:
        native = f"`{item.quantity.native}`" if item.quantity.native else "none"
        source = item.quantity.source + TRUST[item.quantity.trust]
        yield table_row((f"`{item.name}`", f"{item.title}, {native}", *facts(item), source))


def facts(item: Declaration) -> tuple[str, ...]:
    """Return unit, default, limits, typical range and meaning as the tables of the documents say them."""
    typical = _span(*item.typical) if item.is_number and item.typical else "none"
    return item.unit, _default(item), _limits(item), typical, item.meaning


def _default(item: Declaration) -> str:
    if item.required:
        return "required"
    if item.default is None or item.default in ("", ()):
        return "none"
    if isinstance(item.default, bool):
        return str(item.default).lower()
    return number(item.default) if isinstance(item.default, int | float) else str(item.default)


def _limits(item: Declaration) -> str:
    if item.choices:
        return ", ".join(item.choices)
    span = _span(item.minimum, item.maximum)
    return span if item.quantity.unlimited is None else f"{span}; {number(item.quantity.unlimited)} = unlimited"


def _span(low: float | None, high: float | None) -> str:
    ends = ["" if end is None else number(end) for end in (low, high)]
    return " … ".join(ends) if any(ends) else "none"


def _formulas(family: Platform) -> Iterator[str]:
    yield "| Answer | Value | Formula | Source |"
    yield "|---|---|---|---|"
    defaults = (family.server_parameters(), family.queue_parameters())
    sample = sample_system(family.name, *defaults, Exponential(mean=0.1), Poisson(rate=10.0))
    for item in family.answers(sample):
        source = f"{item.source.document}: {item.source.place}{TRUST[item.source.trust]}"
        cells = (f"{item.title} (`{item.name}`)", in_number(f"{number(item.value)} {item.unit}"), item.formula, source)
        yield table_row(cells)


def _rules(rules: tuple[Rule, ...]) -> Iterator[str]:
    yield "| Rule | Severity | What must hold | Source |"
    yield "|---|---|---|---|"
    for rule in rules:
        source = f"{rule.source.document}: {rule.source.place}{TRUST[rule.source.trust]}"
        yield table_row((f"`{rule.id}`", rule.severity, rule.title, source))


def table_row(cells: Iterable[str]) -> str:
    """Return one row of a Markdown table."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
