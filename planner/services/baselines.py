"""Baselines: pin a version for an application, and take it off again."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from planner.errors import Conflict
from planner.models import Baseline, ScenarioVersion, audit
from simulations.declarations.problems import InvalidInput, nearest, problem


@transaction.atomic
def baseline_pin(*, owner: User, version: ScenarioVersion, application: str = "") -> Baseline:
    """Make ``version`` the baseline of an application, by default the scenario's own, instead of the last.

    Pinning what is pinned changes nothing. Raises InvalidInput for an application that is not the scenario's, Conflict
    when somebody pins another version at the same moment.
    """
    known = version.scenario.applications
    chosen = application or known[0]
    if chosen not in known:
        message = f"the scenario does not belong to it; {nearest(chosen, known)}, or tag the scenario with it first"
        raise InvalidInput([problem(("application",), message, value=application)])
    pinned = Baseline.objects.select_for_update().filter(owner=owner, application=chosen, unpinned_at=None)
    before = pinned.first()
    if before is not None and before.version_id == version.pk:
        return before
    pinned.update(unpinned_at=timezone.now())
    try:
        with transaction.atomic():
            made = Baseline.objects.create(owner=owner, application=chosen, version=version)
    except IntegrityError:
        raise Conflict(f"the baseline of {chosen!r} was changed at the same moment; look again") from None
    audit(actor=owner, action="baseline.pin", target=made.pk, version=version.pk, application=chosen)
    return made


@transaction.atomic
def baseline_unpin(*, baseline: Baseline, actor: User) -> None:
    """Leave the application without a baseline; doing so again changes nothing."""
    if Baseline.objects.filter(pk=baseline.pk, unpinned_at=None).update(unpinned_at=timezone.now()):
        audit(actor=actor, action="baseline.unpin", target=baseline.pk)
