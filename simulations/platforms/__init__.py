"""The registry of platform families: one line each."""

from simulations.platforms.openmq import OPENMQ
from simulations.platforms.shared.family import Platform
from simulations.platforms.weblogic import WEBLOGIC
from simulations.platforms.websphere import WEBSPHERE
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS

PLATFORMS: dict[str, Platform] = {family.name: family for family in (WEBSPHERE_ZOS, WEBSPHERE, WEBLOGIC, OPENMQ)}


def platform_named(name: str) -> Platform:
    """Return the family; raises KeyError with the known names when there is none."""
    if name not in PLATFORMS:
        raise KeyError(f"unknown platform {name!r}; known: {', '.join(PLATFORMS)}")
    return PLATFORMS[name]
