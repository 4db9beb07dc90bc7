"""Addresses: the admin site, the REST API, sign-in, and everything else is a page."""

from allauth.account.decorators import secure_admin_login
from allauth.account.views import reauthenticate
from allauth.socialaccount.providers.openid_connect.views import callback
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views
from django.urls import include, path

from planner.web.single_sign_on import PasswordChange, PasswordSignIn, single_sign_on

RESET = "account/reset/"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
handler400 = "planner.web.problems.bad_request"
handler500 = "planner.web.problems.server_error"
urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("planner.api.urls")),
    path("login/", PasswordSignIn.as_view(extra_context={"mail": bool(settings.EMAIL_HOST)}), name="account_login"),
    path("login/<str:provider_id>/", single_sign_on, name="openid_connect_login"),
    path("login/<str:provider_id>/callback/", callback, name="openid_connect_callback"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path("account/password/", PasswordChange.as_view(), name="password_change"),
    path("account/confirm/", reauthenticate, name="account_reauthenticate"),
    path("account/factor/", include("allauth.mfa.urls")),
    path("", include("frontend.urls")),
]
if settings.EMAIL_HOST:
    urlpatterns[:0] = [
        path(RESET, views.PasswordResetView.as_view(), name="password_reset"),
        path(f"{RESET}sent/", views.PasswordResetDoneView.as_view(), name="password_reset_done"),
        path(f"{RESET}done/", views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
        path(f"{RESET}<uidb64>/<token>/", views.PasswordResetConfirmView.as_view(), name="password_reset_confirm"),
    ]
