"""Settings of a bean with units, and thresholds that do not fit together."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from tests.simulations.platforms.samples import bean


def test_sizes_and_rates_are_read_with_units() -> None:
    settings = (
        bean(bytes_quota="10MB", bytes_threshold_high="2.3kB", bytes_threshold_low="1KiB", flow_maximum="30000/min")
        .queues[0]
        .settings.model_dump()
    )
    found = [settings[f"bytes_{name}"] for name in ("quota", "threshold_high", "threshold_low")]
    assert ([repr(value) for value in found], settings["flow_maximum"]) == (["10000000", "2300", "1024"], 500)
    for name, text in (("bytes_quota", "10MB/s"), ("flow_maximum", "90/min"), ("flow_minimum", "0/s")):
        wrong: dict[str, Any] = {name: text}
        with pytest.raises(InvalidInput):
            bean(**wrong)


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"messages_threshold_high": 5}, "give both"),
        ({"bytes_threshold_high": 5, "bytes_threshold_low": 6}, "above the high"),
    ],
)
def test_thresholds_come_in_ordered_pairs(thresholds: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        bean(**thresholds)
