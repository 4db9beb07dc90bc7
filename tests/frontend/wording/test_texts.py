"""Every name of the product's own that a page shows has words."""

import pytest

from frontend.wording.texts import TEXTS
from planner.models import Role, RunKind, Scope


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("token_scopes", Scope.values),
        ("team_roles", Role.values),
        ("experiment_kinds", [kind for kind in RunKind.values if kind != RunKind.RUN]),
    ],
)
def test_every_choice_has_words_in_its_own_order(table: str, names: list[str]) -> None:
    assert list(TEXTS[table]) == names


def test_every_table_holds_texts() -> None:
    assert all(text for table in TEXTS.values() for text in table.values())
