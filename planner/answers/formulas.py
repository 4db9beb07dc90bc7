"""Answers without simulation: for a whole scenario, or for a platform's short question."""

from collections.abc import Mapping
from typing import Any

from planner.answers.values import derivation_body, finding_body, plain
from simulations.analysis.estimates.summary import Finding
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

ALIASES = {"was-zos": "websphere-zos", "was": "websphere", "wls": "weblogic", "wls-flow": "weblogic", "imq": "openmq"}
"""Short spellings that short questions may use."""


def derive_answer(body: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a scenario (it has ``queues``) or a short question such as CPUs, servants and profile.

    Raises InvalidInput with every wrong field.
    """
    if "queues" in body or "servers" in body or "sluice" in body:
        spec = parse(body)
        return {"platform": spec.platform, **derivation_body(spec.family.derive(spec.system))}
    name = str(body.get("platform", ""))
    family = PLATFORMS.get(ALIASES.get(name, name))
    if family is None or family.quick is None:
        known = [*PLATFORMS, *(alias for alias, target in ALIASES.items() if target in PLATFORMS)]
        raise InvalidInput([problem(("platform",), f"unknown platform; {nearest(name, known)}", value=name)])
    return {key: _short(value) for key, value in family.quick(body).items()}


def _short(value: Any) -> Any:
    if isinstance(value, Finding):
        return finding_body(value)
    if isinstance(value, list | tuple):
        return [_short(item) for item in value]
    return plain(value)
