"""The web process (`uvicorn benchdash.asgi:application`)."""

from __future__ import annotations

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
# WhiteNoise hands over a static file in one go, which is what is wanted of files this small.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")
application = get_asgi_application()
