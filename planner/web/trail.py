"""The audit trail of what services do not do: sign-ins, also refused ones, second factors, and downloads."""

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa import signals as factors
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models import Model
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from planner.models import Calibration, Export, Queue, Report, Run, Scenario, Server, audit

ROWS: dict[str, type[Model]] = {"cal": Calibration, "exp": Run, "que": Queue, "rep": Report, "run": Run}
ROWS |= {"scn": Scenario, "srv": Server, "xpt": Export}
"""Beginning of an id in an address, or of an event's target -> what it is."""
FACTORS = {
    factors.authentication_failed: "sign-in.refused",
    factors.authenticator_added: "factor.add",
    factors.authenticator_removed: "factor.remove",
    factors.authenticator_reset: "factor.renew",
}
"""What allauth says of a second factor -> what the trail calls it."""


def trail_listens() -> None:
    """Note sign-ins and changes of second factors from now on."""
    user_logged_in.connect(_signed_in, dispatch_uid="trail")
    user_login_failed.connect(_refused, dispatch_uid="trail")
    for signal in FACTORS:
        signal.connect(_factor, dispatch_uid="trail")


def _signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    came = get_authentication_records(request, user)
    by = {key: step[key] for step in came for key in ("provider", "type") if key in step}
    audit(actor=user, action="sign-in", row=user, address=_address(request), **by)


def _refused(sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Note it for the person whose name was tried; axes counts names that nobody has."""
    user = User.objects.filter(username=credentials.get("username", "")).first()
    if user is not None:
        audit(actor=None, action="sign-in.refused", row=user, person=user.get_username(), address=_address(request))


def _factor(sender: Any, signal: Signal, request: HttpRequest, user: User, authenticator: Any, **_: Any) -> None:
    """Note it; who gives a wrong code has given the right password."""
    audit(actor=user, action=FACTORS[signal], row=user, type=authenticator.type, address=_address(request))


class DownloadTrail(MiddlewareMixin):
    """Notes each file that somebody saved, with what it is of."""

    async_capable = False  # it stands innermost, so all others run in the thread of the view, without changing it

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, noted where it is a file."""
        user = getattr(request, "user", None)
        if response.status_code == 200 and "Content-Disposition" in response.headers and isinstance(user, User):
            audit(actor=user, action="download", row=_row_of(request) or user, file=request.path.rpartition("/")[2])
        return response


def _row_of(request: HttpRequest) -> Model | None:
    """What the address names, read as far as the trail needs it."""
    named = request.resolver_match.kwargs.values() if request.resolver_match else ()
    for key in map(str, named):
        kind = ROWS.get(key.partition("_")[0])
        if kind is not None:
            way = getattr(kind, "held_by", "")
            rows = kind._default_manager.select_related(way) if way else kind._default_manager
            return rows.only(f"{way}__team" if way else "team").filter(pk=key).first()
    return None


def _address(request: HttpRequest | None) -> str:
    return "" if request is None else str(request.META.get("REMOTE_ADDR", ""))
