"""Signing in by password, and with the company's OpenID Connect provider, where the environment names one."""

import logging
from typing import Any

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.openid_connect.views import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST
from requests import RequestException

logger = logging.getLogger(__name__)
BACKEND = "django.contrib.auth.backends.ModelBackend"
UNVERIFIED = "The provider has not verified an e-mail address of yours. Ask whoever runs it."
AMBIGUOUS = "Several people here have your e-mail address. Ask an administrator to give each a different one."
CLOSED = "Your account here is closed. An administrator can open it again."
UNFINISHED = "The provider did not confirm who you are, or you ended it there. Nothing has changed."
AWAY = "The provider does not answer. Try again in a minute, or sign in with a password."


class CompanySignIn(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Lets in whom the provider knows: somebody who came before, who has the verified address, or else a new person."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Find the person, for whom nothing but the way to sign in changes; raises ImmediateHttpResponse."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise _refused(request, UNFINISHED)
        if not sociallogin.is_existing:
            self._match(request, sociallogin)
        if not sociallogin.user.is_active:
            raise _refused(request, CLOSED)
        sociallogin.user.backend = BACKEND

    def _match(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Connect the person of the verified address, the only one that counts; nobody is left to be made."""
        verified = [item.email for item in sociallogin.email_addresses if item.verified in (True, "true")]
        sociallogin.email_addresses = []
        if not verified:
            raise _refused(request, UNVERIFIED)
        known = list(User.objects.filter(email__iexact=verified[0])[:2])
        if len(known) > 1:
            raise _refused(request, AMBIGUOUS)
        if known:
            sociallogin.connect(request, known[0])

    def on_authentication_error(self, request: HttpRequest, provider: object, **about: object) -> None:
        """Log it, and answer with a page; raises ImmediateHttpResponse."""
        logger.warning("signing in with the provider failed: %s %.300r", about.get("error"), about.get("exception"))
        raise _refused(request, UNFINISHED)


class PasswordChange(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg]
    """Says on the next page that it is done."""

    success_url, success_message = "/", "Your password is changed; all other browsers are signed out."


class PasswordSignIn(LoginView):
    """Signing in by name and password; who has a second factor is asked for it next."""

    def form_valid(self, form: AuthenticationForm) -> Any:
        """Go on with the person whose password is right, by way of allauth."""
        login = Login(user=form.get_user(), redirect_url=self.get_success_url())
        return perform_password_login(self.request, {}, login)


@login_not_required
@require_POST
def single_sign_on(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Lead to the provider by a page of its own: the policy lets no form lead to another host."""
    try:
        address = login(request, provider_id).headers["Location"]
    except RequestException:
        return _page(request, AWAY, status=503)
    return render(request, "registration/leaving.html", {"address": address})


def _refused(request: HttpRequest, reason: str) -> ImmediateHttpResponse:
    return ImmediateHttpResponse(_page(request, reason, status=403))


def _page(request: HttpRequest, reason: str, *, status: int) -> HttpResponse:
    return render(request, "registration/refused.html", {"reason": reason}, status=status)
