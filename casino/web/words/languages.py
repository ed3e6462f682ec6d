"""In which language an answer is, and what the house's texts in two languages are in it.

The house is read in Portuguese, which binds, and in English; an inspector reads his pages and his
reports in Spanish and French too. What is written in both of the first two, beside each other, is
found by the others in the catalogue, under the English.
"""

from typing import Final, Literal, cast

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from casino.law.wording.headings import Language

OTHERS: Final = ("en", "es", "fr")
NAMES: Final = {"pt": _("Portuguese"), "es": _("Spanish"), "fr": _("French"), "en": _("English")}


def language() -> Language:
    """The language of this answer."""
    now = (get_language() or "")[:2]
    return cast("Language", now) if now in OTHERS else "pt"


def house_language() -> Literal["pt", "en"]:
    """Of the two that all of the house is written in, the one this answer is in, or Portuguese."""
    return "en" if language() == "en" else "pt"


def either(pt: str, en: str) -> str:
    """Of a text in both of the house's languages, that of this answer."""
    return pt if language() == "pt" else gettext(en) if en else ""
