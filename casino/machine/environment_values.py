"""What the environment says, read strictly: by itself or in a file it names, never half-written."""

import os
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

DEBUG: Final = os.environ.get("DEBUG") == "1"
# What stands in examples, and what everybody would try first.
KNOWN_TO_ALL: Final = frozenset(
    {"admin", "change-me", "changeme", "default", "guest", "only-for-development", "password",
     "postgres", "secret"}
)  # fmt: skip


def setting(name: str, default: str = "") -> str:
    """What the environment says, by itself or in the file it names (``NAME_FILE``).

    Raises: ImproperlyConfigured, where that file cannot be read.
    """
    place = os.environ.get(f"{name}_FILE")
    if not place:
        return whole(os.environ.get(name) or default, name)
    try:
        return whole(Path(place).read_text("utf-8").strip(), f"{name}_FILE")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text in UTF-8"
        raise ImproperlyConfigured(f"{name}_FILE: {place}: {reason}") from error


def whole(value: str, name: str) -> str:
    """The value, unless it was left half-written: a variable nobody filled in, a place to fill in.

    Raises: ImproperlyConfigured; the message never repeats the value.
    """
    if "${" in value or (value.startswith("<") and value.endswith(">")):
        raise ImproperlyConfigured(
            f"{name} não está acabado: falta escrever o valor. / {name} is half-written: its value"
            " is still to be filled in."
        )
    return value


def number(name: str, default: int) -> int:
    """A whole number of the environment, 0 or more. Raises: ImproperlyConfigured."""
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ImproperlyConfigured(
            f"{name}: encontrado {text!r}; esperado um número inteiro, como {default}."
            f" / {name}: found {text!r}; expected a whole number, as {default}."
        )
    return int(text)


def refuse_known(secret: str, variable: str, *others: str) -> str:
    """The secret, unless everybody knows it and this is no developer's machine.

    `others` are more that would be guessed. Raises: ImproperlyConfigured; the message never repeats
    the secret.
    """
    if not DEBUG and secret.lower() in {*KNOWN_TO_ALL, *others}:
        raise ImproperlyConfigured(
            f"{variable} holds a secret that everybody knows: choose another, or set DEBUG=1."
        )
    return secret


def networks_from(text: str) -> list[IPv4Network | IPv6Network]:
    """The addresses and networks of a comma-separated list. Raises: ImproperlyConfigured."""
    try:
        return [ip_network(each.strip()) for each in text.split(",") if each.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(f"TRUSTED_PROXIES: {error}") from error


def database_from(url: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Django's settings for ``postgres://user:password@host:port/name?option=value``.

    Nothing is connected. What follows ``?`` goes to libpq as it stands (``sslmode=verify-full``).
    A URL without a password gets the user's own: of `app` that is APP_PASSWORD.
    Raises: ImproperlyConfigured, for another kind of URL, for one that names no database, and for a
    password everybody knows; the message never repeats the URL, which holds the password.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured(f"{variable} must begin with postgres:// or postgresql://.")
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{variable} has a port that is no number.") from error
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured(f"{variable} must end with the name of the database.")
    user = unquote(parts.username or "")
    password = unquote(parts.password or "") or (
        setting(f"{user.upper()}_PASSWORD") if user else ""
    )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "PASSWORD": refuse_known(password, variable, user) if password else "",
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        # Kept between requests, and looked at before it is used again: a server may have restarted.
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(parts.query, strict_parsing=bool(parts.query))),
    }


def mirrors_from(text: str) -> dict[str, str]:
    """Who may mirror the book, by name: ``name:token``, with spaces between.

    Raises: ImproperlyConfigured, for one without a name, and for a token that could be guessed; the
    message never repeats a token.
    """
    found = {}
    for each in text.split():
        name, _, token = each.partition(":")
        if not name or len(token) < 32:
            raise ImproperlyConfigured(
                "MIRROR_TOKENS: found one without its name, or with a token of fewer than 32"
                " characters; asked is name:token, with spaces between."
            )
        found[name] = token
    return found
