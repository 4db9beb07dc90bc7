"""What is shown and not edited, because services check and note every change. Some rows have actions."""

from collections.abc import Callable, Sequence
from typing import Any

from allauth.account.admin import EmailAddress
from allauth.mfa.admin import Authenticator
from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.admin import UserSession
from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import User
from django.db.models import BooleanField, CharField, ForeignKey, Model, QuerySet
from django.http import HttpRequest

from planner import models, services
from planner.errors import Conflict, Forbidden


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # Django's own class takes none
    """Lists and shows; no adding, changing or deleting. Actions may ask for the permission ``operate``."""

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        """Return the foreign keys among the columns, so that a list takes one query."""
        keys = {field.name for field in self.opts.fields if isinstance(field, ForeignKey)}
        return [name for name in self.list_display if name in keys]

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whoever may change such rows may use the actions that change them through services."""
        return request.user.has_perm(f"{self.opts.app_label}.{get_permission_codename('change', self.opts)}")

    def never(self, request: HttpRequest, obj: Any = None) -> bool:
        """Services make and change such rows."""
        return False

    has_add_permission = has_change_permission = has_delete_permission = never

    def tried(self, request: HttpRequest, row: Model, act: Callable[..., Any], **which: Any) -> None:
        """Call a service for one row in the name of who asks; say where it refuses."""
        try:
            act(**which, actor=request.user)
        except (Conflict, Forbidden) as error:
            self.message_user(request, f"{row}: {error}", messages.WARNING)


def shown(model: type[Model], *columns: str, actions: Sequence[Callable[..., None]] = (), **more: Any) -> None:
    """Register rows that are only shown, with ``actions`` that services do; what has choices filters, texts and the
    keys of others are searched, unless ``more`` says otherwise.
    """
    fields = [model._meta.get_field(name) for name in columns]
    choices = [field.name for field in fields if getattr(field, "choices", None) or isinstance(field, BooleanField)]
    texts = [field.name for field in fields if isinstance(field, CharField) and field.name not in choices]
    keys = [field for field in fields if isinstance(field, ForeignKey)]
    theirs = [f"{key.name}__{'username' if key.related_model is User else 'id'}" for key in keys]
    date = next((name for name in ("at", "updated_at", "created_at") if name in columns), None)
    search = list(dict.fromkeys(["id", *texts, *theirs]))
    options = {"list_filter": choices, "search_fields": search, "date_hierarchy": date, **more}
    admin.site.register(model, ReadOnlyAdmin, list_display=columns, actions=actions, **options)


def asking(name: str, description: str, service: Callable[..., Any], what: str) -> Callable[..., None]:
    """Return the action that asks ``service`` for each row, which it calls ``what``, and says which it refuses."""

    @admin.action(description=description, permissions=["operate"])
    def act(shown: ReadOnlyAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
        for row in rows:
            shown.tried(request, row, service, **{what: row})

    act.__name__ = name
    return act


STEER = (
    asking("cancel", "Cancel the selected runs", services.job_cancel, "job"),
    asking("pause", "Pause the selected runs after their present round", services.job_pause, "job"),
    asking("resume", "Let the selected runs go on", services.job_resume, "job"),
    asking("retry", "Try the selected runs again", services.run_retry, "run"),
)
RUN = ("id", "status", "owner", "worker", "attempt", "created_at", "finished_at")
HASHES = ("id", "content_hash", "result_hash", "owner__username")
shown(models.Run, *RUN, actions=STEER, list_filter=("status", "engine_version"), search_fields=HASHES)
UNSHARE = asking("revoke", "End the selected links", services.share_revoke, "link")
SHARE = ("report", "created_by", "created_at", "expires_at", "revoked_at")
WHOSE = ("report__id", "report__title", "created_by__username")
shown(models.ShareLink, *SHARE, actions=[UNSHARE], search_fields=WHOSE, date_hierarchy=None)
REVOKE = asking("revoke", "Revoke the selected tokens", services.token_revoke, "token")
DISABLE = asking("disable", "Disable the selected accounts with all their tokens", services.service_disable, "account")
SIGN_OUT = asking("sign_out", "Sign out the selected browsers", services.session_end, "session")
FACTOR_END = asking("end", "End the selected second factors", services.factor_end, "factor")
TOKEN = ("name", "prefix", "owner", "scopes", "expires_at", "revoked_at", "last_used_at")
# Of allauth's tables only these three are filled. Changing them there would end no session, and a provider added there
# would let people in beside the one that the environment names.
admin.site.unregister([EmailAddress, SocialAccount, SocialApp, SocialToken, UserSession, Authenticator])
shown(UserSession, "user", "user_agent", "ip", "created_at", "last_seen_at", actions=[SIGN_OUT])
shown(Authenticator, "user", "type", "created_at", "last_used_at", actions=[FACTOR_END], exclude=["data"])
shown(SocialAccount, "user", "provider", "uid", "date_joined", "last_login")
shown(models.ApiToken, *TOKEN, actions=[REVOKE])
shown(models.ServiceAccount, "name", "user", "purpose", "created_by", "created_at", "disabled_at", actions=[DISABLE])
shown(models.AuditEvent, "at", "actor", "action", "target", "team")
shown(models.Team, "id", "name", "created_at")
shown(models.Membership, "team", "user", "role")
shown(models.Invitation, "team", "invited", "role", "created_at", "expires_at")
shown(models.Server, "name", "platform", "cpus", "workload_profile", "instances", "owner", "team")
shown(models.Queue, "name", "server", "kind", "producers", "owner")
shown(models.Scenario, "name", "platform", "owner", "team", "revision", "archived_at", "updated_at")
shown(models.ScenarioVersion, "scenario", "number", "author", "note", "content_hash", "created_at")
shown(models.PointResult, "run", "index", "status", "partial", "updated_at")
shown(models.Calibration, "id", "name", "status", "validated", "location", "owner", "worker", "attempt", "created_at")
shown(models.Report, "title", "state", "owner", "run", "created_at")
shown(models.ReportStep, "report", "state", "actor", "comment", "at")
shown(models.ReportComment, "report", "section", "author", "created_at")
shown(models.Import, "scenario", "owner", "created_at")
shown(models.Export, "version", "format", "owner", "scenario_hash", "created_at")
shown(models.Webhook, "id", "owner", "url", "failures", "disabled_at", "disabled_reason", "deleted_at")
shown(models.Delivery, "id", "webhook", "event", "target", "status", "attempts", "answered", "problem", "created_at")
