"""Django's settings, all from the typed environment (planner/settings/environment.py)."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import plotly
from csp.constants import NONE, SELF
from kombu import Exchange, Queue

from planner.settings.connections import BROKER_SECONDS, cache_settings, database_settings, provider_settings
from planner.settings.environment import BASE_DIR, load

API_VERSION = "1.0.0"
"""Version of the REST API: additive changes only within a major version."""

ENVIRONMENT = load()

SECRET_KEY = ENVIRONMENT.secret("secret_key")
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = ENVIRONMENT.hosts

INSTALLED_APPS = [
    "planner",
    "frontend",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "axes",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "planner.web.middleware.AccessLog",
    "planner.web.middleware.TextCompression",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "frontend.site.account.SignedInMiddleware",
    "planner.web.middleware.StorableAddress",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "planner.web.trail.DownloadTrail",
]

ROOT_URLCONF = "planner.urls"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": database_settings(ENVIRONMENT.database_url, default=ENVIRONMENT.state_dir / "sluice.sqlite3")}
CACHES = cache_settings(ENVIRONMENT.broker_url)
REPORT_FILE = "frontend.reports.page.report_file"
"""What makes a report's HTML file: the pages draw it, the planner only prints it."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
# Who guesses one name's password from one address waits; the same name signs in from elsewhere.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = ENVIRONMENT.sign_in_attempts
AXES_COOLOFF_TIME = timedelta(minutes=ENVIRONMENT.sign_in_pause_minutes)
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_SENSITIVE_PARAMETERS: list[str] = []  # the log names who was tried, and from where

# Of allauth signing in with a provider, second factors and the list of sessions are used; passwords are Django's.
OIDC = provider_settings(ENVIRONMENT)
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": OIDC}}
SOCIALACCOUNT_ADAPTER = "planner.web.single_sign_on.CompanySignIn"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = ENVIRONMENT.public_address.scheme
MFA_TOTP_ISSUER = "Sluice"
MFA_TOTP_TOLERANCE = 1  # a code of the half minute before is still taken: clocks differ

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"

EMAIL_HOST, EMAIL_PORT = ENVIRONMENT.smtp.hostname or "", ENVIRONMENT.smtp.port or 587
EMAIL_HOST_USER = unquote(ENVIRONMENT.smtp.username or "")
EMAIL_HOST_PASSWORD = unquote(ENVIRONMENT.smtp.password or "")
EMAIL_USE_TLS = ENVIRONMENT.smtp.scheme == "smtps"
DEFAULT_FROM_EMAIL = ENVIRONMENT.mail_from

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = ENVIRONMENT.state_dir / "static"
# plotly.js comes inside the Python package, so charts need no npm and no other host.
GUIDE = BASE_DIR / "docs" / "guide"
STATICFILES_DIRS = [("plotly", Path(plotly.__file__).parent / "package_data"), ("guide", GUIDE / "pictures")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = ENVIRONMENT.encrypted
SECURE_REDIRECT_EXEMPT = ["^api/v1/health/"]  # probes call a process by its own address, without the proxy
SECURE_HSTS_SECONDS = 31_536_000 if ENVIRONMENT.encrypted else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = ENVIRONMENT.encrypted
CSRF_TRUSTED_ORIGINS = [f"{ENVIRONMENT.public_address.scheme}://{ENVIRONMENT.public_address.netloc}"]
DATA_UPLOAD_MAX_MEMORY_SIZE = ENVIRONMENT.max_body_bytes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # the workbench of 100 servers and 100 queues, with half of that to spare

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        **{name: [NONE] for name in ("default-src", "base-uri", "frame-ancestors")},
        **{name: [SELF] for name in ("script-src", "style-src", "font-src", "connect-src", "form-action")},
        "img-src": [SELF, "data:", "blob:"],  # Plotly's download button draws to a blob
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "planner.api.openapi.ApiSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Sluice",
    "DESCRIPTION": "Capacity planning for message-driven beans.",
    "VERSION": API_VERSION,
    "OAS_VERSION": "3.1.0",
    # The models name their own choices: the generator's hook for that would take them apart.
    "POSTPROCESSING_HOOKS": [],
}

# A task is delivered until it is done, and the database, not the broker, says whether it is done.
CELERY_BROKER_URL = ENVIRONMENT.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Far above the longest run: a message delivered again while its run goes on would only be turned away by the claim.
    "visibility_timeout": 7 * 24 * 3600,
    # Who starts a run does not wait for a broker that is away: the reaper sends the run later.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
    # A broker that hangs counts as away.
    "socket_timeout": BROKER_SECONDS,
    "socket_connect_timeout": BROKER_SECONDS,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
# News for webhooks stand in a line of their own: workers take turns between the two.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("celery", "deliveries")]
CELERY_TASK_ROUTES = {"planner.tasks.delivery_attempt": {"queue": "deliveries"}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = ENVIRONMENT.worker_concurrency
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"event": {"()": "planner.settings.logs.EventFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "event"}},
    "root": {"handlers": ["console"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"propagate": False},  # our own line of an answer has the ids
        "django.request": {"level": "ERROR"},  # of an answer below 500 the access log says more
    },
}
