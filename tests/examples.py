"""How many examples a property test tries: few and always the same in every run, thousands of new ones by night.

No property test has a limit of time: on a machine that stalls it would tell nothing of the property.
"""

import os

from hypothesis import HealthCheck, Phase, settings

NIGHTLY = "NIGHTLY" in os.environ

SUITE = "suite"
settings.register_profile(
    SUITE,
    derandomize=not NIGHTLY,
    # Making a failed example smaller takes minutes: that is for the night, too.
    phases=tuple(Phase) if NIGHTLY else (Phase.explicit, Phase.generate),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)


def examples(count: int, *, nightly: int) -> settings:
    """Return the settings of a test of ``count`` examples; with NIGHTLY set, of ``nightly`` examples of a new seed."""
    return settings(max_examples=nightly if NIGHTLY else count)
