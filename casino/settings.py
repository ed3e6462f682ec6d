"""How the house is set up. What differs from place to place comes from the environment.

Environment: DATABASE_URL, BROKER_URL, SECRET_KEY, ALLOWED_HOSTS (comma-separated), DEBUG ("1"
switches it on). Other packages are named here as strings only, so no layer is broken.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def database_from(url: str) -> dict[str, Any]:
    """Django's settings for ``postgres://user:password@host:port/name?option=value``.

    Nothing is connected. What follows ``?`` goes to libpq as it stands (``sslmode=verify-full``).
    Raises: ImproperlyConfigured, for another kind of URL and for one that names no database; the
    message never repeats the URL, which holds the password.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres:// or postgresql://.")
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured("DATABASE_URL has a port that is no number.") from error
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL must end with the name of the database.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": dict(parse_qsl(parts.query, strict_parsing=bool(parts.query))),
    }


DEBUG = os.environ.get("DEBUG") == "1"

# Without DEBUG there is no default: Django refuses at the first use of an empty key, and wsgi.py
# uses it at once. The commands that only read and write files use no key and so need none.
SECRET_KEY = os.environ.get("SECRET_KEY") or ("only-for-development" if DEBUG else "")
ALLOWED_HOSTS = [host for host in os.environ.get("ALLOWED_HOSTS", "").split(",") if host]

INSTALLED_APPS = [
    "casino.apps.CasinoConfig",
    "jackpot.apps.JackpotConfig",
    "audit.apps.AuditConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
]
ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"

# Never connected by the commands that work on files.
DATABASES = {
    "default": database_from(os.environ.get("DATABASE_URL") or "postgres://app@127.0.0.1/casino")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Every stored moment is UTC; a gaming day is the house's local date, worked out once per partida.
USE_TZ = True
TIME_ZONE = "UTC"

USE_I18N = True
LANGUAGE_CODE = "pt-pt"
LANGUAGES = [("pt-pt", "Português"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]

# A job counts as done only when it ended: a worker that dies hands it back, so every job must bear
# running twice.
CELERY_BROKER_URL = os.environ.get("BROKER_URL") or "amqp://127.0.0.1//"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 50  # seconds
CELERY_TASK_TIME_LIMIT = 60  # seconds
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
