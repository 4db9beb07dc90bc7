"""A new work manager stands where the vendor's tools look for it."""

import pytest
import yaml

from simulations.platforms.shared.spots import New
from simulations.platforms.weblogic.files.work_managers.file import WorkFile

TOPOLOGY = "topology:\n  Server:\n    one: {ListenPort: 7001}\n"
RESOURCES = "resources:\n  JDBCSystemResource:\n    db: {Target: one}\n"
WORK = "  SelfTuning:\n    WorkManager:\n      kept: {Target: one}\n"


@pytest.mark.parametrize("before", ["", RESOURCES, RESOURCES + WORK], ids=["no resources", "none yet", "one there"])
def test_a_models_sections_keep_their_small_letters(before: str) -> None:
    file = WorkFile("model.yaml", f"{TOPOLOGY}{before}".encode())
    file.declare("work-manager", "first", New("fair-share", "50"))
    model = yaml.safe_load(file.content)
    assert set(model) == {"topology", "resources"}
    assert model["resources"]["SelfTuning"]["WorkManager"]["first"] == {"Target": "one", "FairShare": 50}
    assert file.content.startswith(f"{TOPOLOGY}{before}".encode().rstrip())
