"""The system check of the presets."""

import pytest
from django.core.checks.registry import registry

from planner import apps
from simulations.declarations.problems import InvalidInput, problem


def test_the_presets_are_checked_before_the_service_starts() -> None:
    checks: set[object] = set(registry.registered_checks)
    assert apps.presets_are_valid in checks
    assert apps.presets_are_valid(None) == []


def test_a_wrong_preset_is_an_error_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> None:
        raise InvalidInput([problem(("name",), "is missing")])

    monkeypatch.setattr(apps, "presets", wrong)
    (error,) = apps.presets_are_valid(None)
    assert (error.id, "is missing" in str(error.msg)) == ("planner.E001", True)
