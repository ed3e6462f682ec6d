"""What the environment says, read strictly: by itself or in a file it names, never half-written."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


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
