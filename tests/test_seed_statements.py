"""docs/seed-statements.md: what the table names exists, and every statement has a counterpart or an honest reason."""

import re
from importlib import import_module

from planner.presets.files import presets
from planner.settings.environment import BASE_DIR
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.parameters import PlatformParameters, parameters_of
from simulations.platforms import PLATFORMS
from simulations.platforms.weblogic.parameters.server import SharedConstraint, WorkManager
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import BASES, scenario_body

PAGE = (BASE_DIR / "docs" / "seed-statements.md").read_text()
ROWS = re.findall(r"^\| (\d\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
KINDS = "setting|mechanism|rule|answer|metric|preset|decision|platform|scenario"
NAMED = re.findall(rf"\b({KINDS}) `([^`]+)`", PAGE)


def _named(kind: str) -> set[str]:
    return {name for found, name in NAMED if found == kind}


def test_all_five_documents_are_told_statement_by_statement() -> None:
    numbers = [number for number, *_ in ROWS]
    assert numbers == [f"{page}.{k + 1}" for page in range(5) for k in range(_rows_of(page))]
    assert len(ROWS) > 200
    assert PAGE.count("\n| ") - 2 * 5 + 5 == len(ROWS)


def _rows_of(page: int) -> int:
    return sum(number.startswith(f"{page}.") for number, *_ in ROWS)


def test_every_statement_has_a_counterpart_or_a_reason() -> None:
    for number, _, _, counterpart in ROWS:
        assert re.search(rf"\b({KINDS}) `", counterpart) or re.match(r"not modeled\b.*[:,;] \S", counterpart), number
        assert not re.search(r"\blater\b|\bnot yet\b", counterpart), number


def test_every_backticked_name_says_what_kind_it_is() -> None:
    for number, _, _, counterpart in ROWS:
        assert counterpart.count("`") == 2 * len(re.findall(rf"\b(?:{KINDS}) `[^`]+`", counterpart)), number


def test_settings_exist() -> None:
    models: tuple[type[PlatformParameters], ...]
    for path in _named("setting"):
        family, name = path.split("/")
        platform = PLATFORMS[family]
        models = (platform.server_parameters, platform.queue_parameters, platform.background_parameters)
        parts = (WorkManager, SharedConstraint) if family == "weblogic" else ()
        assert name in {item.name for model in (*models, *parts) for item in parameters_of(model)}, path


def test_rules_exist() -> None:
    assert _named("rule") <= {rule.id for platform in PLATFORMS.values() for rule in platform.rules}


def test_answers_exist() -> None:
    answered = {
        f"{family}/{item.name}"
        for family, bases in BASES.items()
        for base in bases
        for item in PLATFORMS[family].derive(parse(scenario_body(family, **base)).system).values
    }
    assert _named("answer") <= answered


def test_mechanisms_and_scenario_parts_are_in_the_code() -> None:
    for name in _named("mechanism"):
        import_module(name)
    for name in _named("scenario"):
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name


def test_metrics_presets_platforms_and_decisions_exist() -> None:
    assert _named("metric") <= BY_NAME.keys()
    assert _named("preset") <= {preset.key for preset in presets()}
    assert _named("platform") <= PLATFORMS.keys()
    for number in _named("decision"):
        assert list((BASE_DIR / "docs" / "adr").glob(f"{number}-*.md")), number
