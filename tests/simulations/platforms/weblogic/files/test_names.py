"""Labels: what stands for a name in the domain until somebody fills it in."""

import pytest

from simulations.platforms.weblogic.files.names import Label


@pytest.mark.parametrize(
    ("label", "assumed", "variable"),
    [
        ("server of payments", "payments", "@@PROP:server.of.payments@@"),
        ("destination of jms/Orders", "jms/Orders", "@@PROP:destination.of.jms.Orders.f3178da8@@"),
        ("factory of orders", "", "@@PROP:factory.of.orders@@"),
    ],
)
def test_only_names_that_a_script_looks_up_are_assumed(label: str, assumed: str, variable: str) -> None:
    assert (Label(label).assumed, Label(label).variable) == (assumed, variable)
