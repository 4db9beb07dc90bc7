"""Constraints written in one way, whatever way the files chose."""

import pytest

from simulations.platforms.openmq import OPENMQ
from simulations.platforms.weblogic.files.work_managers.patches import normal_form
from simulations.platforms.weblogic.parameters.server import ServerSettings

SHARED = {"name": "both", "kind": "max_threads", "count": 5}
ALONE = {"name": "alone", "kind": "capacity", "count": 9}


def settings(**second: object) -> ServerSettings:
    first = {"name": "first", "max_threads": "both", "capacity": "alone"}
    managers = [first, {"name": "second", **second}]
    return ServerSettings.model_validate({"work_managers": managers, "constraints": [SHARED, ALONE]})


def test_what_one_work_manager_names_is_a_number_inside_it() -> None:
    found = normal_form(settings())
    assert isinstance(found, ServerSettings)
    assert found.constraints == ()
    assert (found.work_managers[0].max_threads, found.work_managers[0].capacity) == (5, 9)
    assert normal_form(found) == found


def test_what_several_share_keeps_its_name() -> None:
    found = normal_form(settings(max_threads="both"))
    assert isinstance(found, ServerSettings)
    assert [item.name for item in found.constraints] == ["both"]
    assert [item.max_threads for item in found.work_managers] == ["both", "both"]


def test_settings_of_another_platform_are_refused() -> None:
    with pytest.raises(TypeError, match="are no settings of a WebLogic server"):
        normal_form(OPENMQ.server_parameters())
