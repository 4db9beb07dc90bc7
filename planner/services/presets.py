"""Putting the presets into an owner's scenarios."""

from django.contrib.auth.models import User
from django.db import transaction

from planner.models import Scenario
from planner.presets.files import presets
from planner.services.inventory import inventory_save
from planner.services.scenarios import scenario_store


@transaction.atomic
def presets_load(*, owner: User) -> list[Scenario]:
    """Store every preset that the owner does not have yet, archived ones included; return the new scenarios."""
    present = set(Scenario.objects.filter(owner=owner).exclude(preset="").values_list("preset", flat=True))
    created = []
    for preset in presets():
        if preset.card.key in present:
            continue
        inventory_save(owner=owner, spec=preset.spec)
        card, spec = preset.card, preset.spec
        created.append(scenario_store(owner=owner, spec=spec, tags=card.tags, note=card.question, preset=card.key))
    return created
