"""The web process (`uvicorn benchdash.asgi:application`)."""

from __future__ import annotations

import os

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
# A whole request in one thread of a pool: Django's own ASGI handler changes threads at each
# middleware and opens a connection for each request, which costs 2.4 ms of CPU more.
application = WSGIMiddleware(get_wsgi_application(), workers=10)  # type: ignore[arg-type]  # Django's environ is a dict
