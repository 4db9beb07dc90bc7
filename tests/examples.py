"""How many examples a property test tries: few and always the same in every run, thousands of new ones by night."""

import os

from hypothesis import HealthCheck, Phase, settings

NIGHTLY = "NIGHTLY" in os.environ


def examples(count: int, *, nightly: int) -> settings:
    """Return the settings of a test of ``count`` examples; with NIGHTLY set, of ``nightly`` examples of a new seed."""
    # Making a failed example smaller takes minutes: that is for the night, too.
    phases = tuple(Phase) if NIGHTLY else (Phase.explicit, Phase.generate)
    return settings(
        max_examples=nightly if NIGHTLY else count,
        derandomize=not NIGHTLY,
        phases=phases,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
