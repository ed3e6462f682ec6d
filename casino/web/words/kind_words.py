"""What an entry of each kind is called in the admin and on the pages."""

from typing import Any

from django.utils.translation import gettext

from casino.extensions import event_kinds


def kind_word(kind: str) -> str:
    """What an entry of a kind is called: ``round played`` for ``round-played/1``."""
    event: Any = event_kinds().get(kind)
    return gettext(event.label) if event else kind.split("/", 1)[0].replace("-", " ")
