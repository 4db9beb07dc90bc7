"""What is wrong with a scenario body."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse


def problems(body: object) -> dict[str, str]:
    """Return the messages of a refused body by their JSON pointers."""
    with pytest.raises(InvalidInput) as error:
        parse(body)
    return {item.pointer: item.message for item in error.value.problems}
