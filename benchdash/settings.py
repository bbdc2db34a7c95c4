"""Settings, all by environment variables (docs/settings.md lists them).

Without DATABASE_URL this is the embedded default: one machine, everything under var/.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from cryptography.fernet import Fernet, MultiFernet
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from benchdash.file_broker import transport_options
from benchdash.log_context import LOGGING  # noqa: F401 - Django's setting

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
EMBEDDED = not env.str("DATABASE_URL", default="")


def keep_to_the_owner(folder: Path) -> None:
    """Make a folder accessible to its owner only: it holds sessions, secrets and uploads."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077 and folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)


keep_to_the_owner(VAR_DIR)


def secret(name: str, make: Any) -> str:
    """The setting `name`; on the embedded default it is generated once and kept in var/."""
    value: str = env.str(name, default="")
    if value:
        return value
    if not EMBEDDED:
        raise SystemExit(f"{name} must be set where DATABASE_URL is: see docs/settings.md.")
    path = VAR_DIR / name.lower()
    if not path.exists():
        # written under another name first: no process ever reads half a key
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.touch(mode=0o600)
        temporary.write_text(make())
        with suppress(FileExistsError):  # another process was first
            path.hardlink_to(temporary)
        temporary.unlink()
    return path.read_text()


def checked_secret_key(key: str) -> str:
    """Django's own rule (security.W009), which is not checked when a server starts."""
    if len(key) < 50 or len(set(key)) < 5:
        raise SystemExit(
            "SECRET_KEY is too short or too plain to sign sessions: it has to have 50 characters. "
            "docs/settings.md says how to make one."
        )
    return key


def checked_encryption_keys(keys: str) -> str:
    """One or more Fernet keys; checked here, not when the first credential is stored."""
    try:
        MultiFernet([Fernet(key.strip()) for key in keys.split(",") if key.strip()])
    except ValueError:
        raise SystemExit(
            "FIELD_ENCRYPTION_KEY has a key that is not 32 bytes in URL-safe base64: nothing could "
            "be encrypted. docs/settings.md says how to make one."
        ) from None
    return keys


SECRET_KEY = checked_secret_key(secret("SECRET_KEY", lambda: secrets.token_urlsafe(50)))
FIELD_ENCRYPTION_KEY = checked_encryption_keys(
    secret("FIELD_ENCRYPTION_KEY", lambda: Fernet.generate_key().decode())
)

DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
PUBLIC_READ = env.bool("PUBLIC_READ", default=EMBEDDED)
MAX_UPLOAD_BYTES = env.int("MAX_UPLOAD_BYTES", default=64 * 2**20)
HTTPS = env.bool("HTTPS", default=not EMBEDDED)


def networks(name: str) -> list[str]:
    """The addresses and networks of the setting `name`; uvicorn would ignore an invalid one."""
    listed: list[str] = env.list(name, default=[])
    for network in listed:
        try:
            ip_network(network)
        except ValueError:
            raise SystemExit(
                f"{name} has {network!r}: write addresses and networks such as "
                "127.0.0.1,10.0.0.0/8, separated by commas."
            ) from None
    return listed


TRUSTED_PROXIES = networks("TRUSTED_PROXIES")


def checked_delta(percent: str) -> float:
    """A difference that matters, in percent: as an address would have it."""
    with suppress(ValueError):
        if 0.01 <= float(percent) <= 100:
            return float(percent)
    raise SystemExit(f"DELTA_PERCENT is {percent!r}: write a percentage such as 2.")


DELTA_PERCENT = checked_delta(env.str("DELTA_PERCENT", default="2"))

SILENCED_SYSTEM_CHECKS = ["models.W040"]  # SQLite asks the rows for further columns of an index
INSTALLED_APPS = [
    "django.forms",
    "benchdash.apps.Administration",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "knox",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "benchdash.apps.Benchdash",
    "benchdash.accounts",
    "benchdash.inventory",
    "benchdash.results",
    "benchdash.jobs",
    "benchdash.notifications",
    "benchdash.api",
    "benchdash.pages",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "benchdash.pages.compression.PageCompression",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "benchdash.pages.errors.forms_only",
]

ROOT_URLCONF = "benchdash.urls"
ASGI_APPLICATION = "benchdash.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "frontend" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "benchdash.pages.context_processors.frame",
            ],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",  # without it, writers that upgrade a lock fail at once
    "timeout": 30,
    # a worker checkpoints every few seconds (`checkpoint`), so requests hardly ever have to
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=268435456;"
    " PRAGMA wal_autocheckpoint=4000",
}


def database() -> dict[str, Any]:
    """DATABASE_URL, with the password of DATABASE_PASSWORD where that is set.

    Not by `env.db`: it expands a value that begins with a dollar, and its warning shows the password.
    """
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'benchdash.sqlite3'}"
    parsed: dict[str, Any] = {}
    if url.startswith(("postgres://", "postgresql://", "sqlite://")):
        with suppress(ValueError):
            parsed = env.db_url_config(url)
    if not parsed:
        raise SystemExit(
            "DATABASE_URL cannot be read: it has the form postgres://user@host:port/name. "
            "Put a password with special characters into DATABASE_PASSWORD."
        )
    return parsed | {"PASSWORD": os.environ.get("DATABASE_PASSWORD") or parsed["PASSWORD"]}


DATABASES = {"default": database()}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # opening the database takes as long as storing a file
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "OPTIONS": SQLITE_OPTIONS}
else:
    # without it, a server that does not answer blocks for minutes
    POSTGRES_OPTIONS: dict[str, Any] = {"connect_timeout": 5}
    if env.bool("PREPARED_STATEMENTS", default=True):
        # planning a statement takes longer than its answer: one that comes again is planned once
        POSTGRES_OPTIONS |= {"server_side_binding": True, "prepare_threshold": 5}
        # lists look up a thousand rows by their keys: with what PostgreSQL expects of them, it reads
        # whole tables of ten thousand runs, and compiles statements for longer than they take
        POSTGRES_OPTIONS |= {"options": "-c jit=off -c random_page_cost=1.1"}
    POSTGRES_OPTIONS |= DATABASES["default"].get("OPTIONS", {})
    DATABASES["default"] |= {
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": POSTGRES_OPTIONS,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
_CACHE = "redis.RedisCache" if REDIS_URL else "filebased.FileBasedCache"
CACHES = {
    "default": {
        "BACKEND": f"django.core.cache.backends.{_CACHE}",
        "LOCATION": REDIS_URL or VAR_DIR / "cache",
    }
}

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=REDIS_URL or "filesystem://localhost")
if CELERY_BROKER_URL.startswith("filesystem://"):
    CELERY_BROKER_TRANSPORT = "benchdash.file_broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(VAR_DIR / "queue")
else:
    # A lost message is harmless: `sweep` and `resend_uploads` send it again. With acknowledgements, kombu
    # tries to restore unacknowledged messages when Redis goes away, and that ends the worker.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"ack_emulation": False}
CELERY_IMPORTS = ["workers.tasks"]
# they wait for hosts most of the time: one process of their own runs many in threads
CELERY_TASK_ROUTES = {"workers.jobs.*": {"queue": "jobs"}}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 200_000  # KiB; a process that parsed a large file is replaced
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # retry however long the broker is away
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # a Redis that is full or became a replica may recover


def mail_server() -> dict[str, Any]:
    """EMAIL_URL in its parts."""
    try:
        url = os.environ.get("EMAIL_URL")
        return dict(env.email_url_config(url)) if url else {}
    except (ImproperlyConfigured, ValueError):
        raise SystemExit(
            "EMAIL_URL cannot be read: it has the form smtp+tls://user@host:587. "
            "Put a password with special characters into EMAIL_HOST_PASSWORD."
        ) from None


_MAIL = mail_server()
EMAIL_BACKEND = "benchdash.notifications.mail.Backend"
EMAIL_HOST = env.str("EMAIL_HOST", default="") or _MAIL.get("EMAIL_HOST") or ""
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", default="") or _MAIL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = (
    os.environ.get("EMAIL_HOST_PASSWORD") or _MAIL.get("EMAIL_HOST_PASSWORD") or ""
)
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", default=_MAIL.get("EMAIL_USE_TLS", False))
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", default=_MAIL.get("EMAIL_USE_SSL", False))
_MAIL_PORT = 465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25
EMAIL_PORT = env.int("EMAIL_PORT", default=_MAIL.get("EMAIL_PORT") or _MAIL_PORT)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="benchdash@localhost")
WEBHOOK_NETWORKS = networks("WEBHOOK_NETWORKS")
STALLED_AFTER_HOURS = env.float("STALLED_AFTER_HOURS", default=2.0)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["benchdash.accounts.backends.PasswordBackend"]
PASSWORD_HASHERS = ["benchdash.accounts.hashers.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ja", _("Japanese"))]
FORMAT_MODULE_PATH = "benchdash.formats"
LOCALE_PATHS = [BASE_DIR / "frontend" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [path for path in [BASE_DIR / "frontend" / "dist"] if path.is_dir()]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = None  # checked where a body arrives: serving/request_body.py
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# an environment of a hundred machines with some forty facts each
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2**22
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "benchdash.serving.upload_handler.TogetherOnDisk",
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "benchdash.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["benchdash.api.access.ByRole"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["benchdash.api.filters.KnownNames"],
    "DEFAULT_PARSER_CLASSES": [
        "benchdash.api.requests.TextJSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "benchdash.api.requests.NamedFormats",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "benchdash.api.problems.problem_response",
}
# accounts.Token replaces knox's table; where both exist, the database cannot be flushed
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "accounts.Token"  # noqa: S105 - a model, no secret
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "benchdash",
    "DESCRIPTION": "Storage benchmark results, kept whole and compared honestly.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "DoubtKind": "benchdash.vocabulary.doubts.OF_RUNS",
        "JobState": "benchdash.jobs.models.Job.State",
        "StepState": "benchdash.jobs.models.JobStep.State",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],  # the admin's and the API browser's icons
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "benchdash.pages.errors.forged"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
