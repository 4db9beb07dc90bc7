"""Settings in the address of the workbench: what differs from the saved version, one parameter for each field."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from frontend.workbench.form import ScenarioForm, scenario_form
from frontend.workbench.inventory import TAKEN, workbench_read
from frontend.workbench.kinds import Values

NAME = "name"


def knobs_of(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what an address says of fields: the scenario's name and every parameter with a point in its name."""
    return {name: text for name, text in asked.items() if name == NAME or "." in name}


def knobs_applied(*, user: User, spec: Mapping[str, Any], knobs: Values) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the body with the knobs, for ``scenario.parse`` to judge, and the names that are no field of it.

    An address never takes anything from the inventory: that is a deed, no value.
    """
    told = {name: text for name, text in knobs.items() if not name.startswith(TAKEN)}
    body = workbench_read(user=user, spec=spec, values=told)
    known = form_values(scenario_form(body))
    return body, tuple(name for name in knobs if name not in known)


def form_values(form: ScenarioForm) -> dict[str, str]:
    """Return the text of every field by its name, as the form sends it."""
    fields = (field for group in form.groups for field in (*group.fields, *group.more))
    return {NAME: form.name, **{field.name: field.text for field in fields}}
