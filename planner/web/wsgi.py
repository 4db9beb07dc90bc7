"""The web application for servers without ASGI; event streams need ASGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")

application = get_wsgi_application()
