"""Addresses: the admin site, the REST API, sign-in, and everything else is a page."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

handler400 = "planner.web.problems.bad_request"
handler500 = "planner.web.problems.server_error"
urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("planner.api.urls")),
    path("login/", LoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("", include("frontend.urls")),
]
