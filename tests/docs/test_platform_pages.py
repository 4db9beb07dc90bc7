"""The generated pages: complete and up to date."""

import pytest

from docs.generate import DOCS
from docs.platform_pages import platform_page
from simulations.declarations.parameters import parameters_of
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Platform

FAMILIES = list(PLATFORMS.values())


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_page_in_the_docs_is_up_to_date(family: Platform) -> None:
    assert (DOCS / "platforms" / f"{family.name}.md").read_text() == platform_page(family)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_setting_and_rule_is_on_the_page(family: Platform) -> None:
    page = platform_page(family)
    for model in (family.server_parameters, family.queue_parameters):
        for item in parameters_of(model):
            assert f"| `{item.name}` |" in page
    for rule in family.rules:
        assert f"| `{rule.id}` |" in page


def test_there_are_many_rules_with_names_of_their_own() -> None:
    names = [rule.id for family in FAMILIES for rule in family.rules]
    assert len(names) == len(set(names))
    assert len(names) >= 40
