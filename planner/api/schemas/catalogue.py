"""Platforms, settings, presets and versions."""

from typing import Any, ClassVar

from planner.api.schemas.common import Out


class PlatformOut(Out):
    """A platform family."""

    name: str
    title: str
    vendor: str
    rules_version: str
    aliases: list[str]
    """Short spellings that POST /derive accepts."""


class SettingOut(Out):
    """One setting as every form, table and check knows it."""

    name: str
    title: str
    """The vendor's name on screen."""
    native: str
    """The vendor's spelling in configuration."""
    meaning: str
    kind: str
    unit: str
    default: Any
    required: bool
    minimum: float | None
    maximum: float | None
    choices: list[str]
    sweep: bool
    """May be the axis of a sweep."""
    source: str
    trust: str
    """source, assumed or unverified."""
    sources: ClassVar = {name: f"quantity.{name}" for name in ("native", "sweep", "source", "trust")}


class SettingsOut(Out):
    """The settings of a platform."""

    platform: str
    rules_version: str
    server: list[SettingOut]
    queue: list[SettingOut]
    background: list[SettingOut]


class PresetOut(Out):
    """A ready example."""

    key: str
    title: str
    question: str
    source: str
    tags: list[str]
    scenario: dict[str, Any]
    """The scenario's body: send it to POST /scenarios or POST /quick-runs."""


class VersionsOut(Out):
    """What computes here."""

    product: str
    engine: str
    rules: dict[str, str]
    api: str


class HealthOut(Out):
    """Whether the service works; ``parts`` by name, for example database."""

    status: str
    parts: dict[str, str]
