"""How a thing stands, as an icon and a word together: never as a colour alone."""

from typing import Literal

from django.utils.html import format_html
from django.utils.safestring import SafeString

Tone = Literal["breach", "deviation", "warning", "note", "kept", "idle"]


def mark(tone: Tone, word: str, icon: str | None = None) -> SafeString:
    """A word with its icon (of icons.html; the tone's own by default)."""
    return format_html(
        '<span class="mark {}"><svg class="icon" aria-hidden="true"><use href="#i-{}"></use></svg>'
        "{}</span>",
        tone,
        icon or tone,
        word,
    )
