"""Settings of a listener port that do not fit together."""

import pytest

from simulations.declarations.problems import InvalidInput
from tests.simulations.platforms.samples import port


def test_non_asf_mode_needs_a_receive_timeout() -> None:
    with pytest.raises(InvalidInput, match="receive_timeout above 0"):
        port(mode="non_asf")
