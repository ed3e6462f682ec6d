"""The tokens of tokens.css, read off it: what the pages of the parts show, light beside dark."""

import re
from pathlib import Path
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.web.forms.form_widgets import CardInput
from casino.web.words.coded_words import colour_word

THEMES: Final = ("light", "dark")
TONES: Final[dict[str, Promise]] = {
    "breach": _("breach"),
    "warning": _("warning"),
    "note": _("note"),
    "kept": _("conform"),
}
_SHEET: Final = Path(__file__).resolve().parents[2] / "static/casino/tokens.css"
_TOKEN: Final = re.compile(r"^  (--[\w-]+): ([^;]+);", re.MULTILINE)
_OURS: Final = "/* The names Django's own style sheets ask for. */"  # up to there
_COLOURS: Final = ("light-dark(", "#", "rgb(")
_BACK: Final = "--deck-"


def tokens() -> tuple[dict[str, str], dict[str, str]]:
    """The colours, and everything else: each a value by its name, as they are written."""
    found = dict(_TOKEN.findall(_SHEET.read_text("utf-8").split(_OURS)[0]))
    colours = {name: value for name, value in found.items() if value.startswith(_COLOURS)}
    return colours, {name: value for name, value in found.items() if name not in colours}


def parts() -> dict[str, object]:
    """What a page of the parts is made with."""
    colours, others = tokens()
    backs = [name.removeprefix(_BACK) for name in colours if name.startswith(_BACK)]
    shown: dict[str, object] = {"colours": list(colours), "others": others.items(), "backs": backs}
    cards = {theme: CardInput().render(theme, "AS", {"id": f"id_{theme}_card"}) for theme in THEMES}
    alerts = [{"severity": tone, "words": words, "cited": "n.º 8"} for tone, words in TONES.items()]
    shown["deck_tiles"] = [
        {"deck": f"D-{n}", "dot": one, "colour": colour_word(one)} for n, one in enumerate(backs, 1)
    ]
    return {**shown, "themes": cards.items(), "tones": TONES.items(), "alerts": alerts}
