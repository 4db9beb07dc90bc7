"""A cure that a rule offers is allowed and cures, whatever else the scenario says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.estimates.summary import Finding
from simulations.experiment import with_overrides
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec
from tests.examples import examples
from tests.simulations.platforms.drawn import scenarios


def violated(spec: ScenarioSpec) -> list[Finding]:
    return [item for item in spec.family.derive(spec.system).findings if item.status == "violated"]


@pytest.mark.parametrize("platform", PLATFORMS)
@examples(60, nightly=5_000)
@given(data=st.data())
def test_every_cure_cures(platform: str, data: st.DataObject) -> None:
    spec = data.draw(scenarios(platform))
    for finding in violated(spec):
        if finding.fix:
            cured = with_overrides(spec, finding.fix)
            still = [item for item in violated(cured) if (item.rule, item.queue) == (finding.rule, finding.queue)]
            assert not [item.message for item in still], (finding.message, finding.fix)
