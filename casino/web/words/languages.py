"""In which language an answer is, and what the house's texts in two languages are in it.

The house is read in Portuguese, which binds, and in English; an inspector reads his pages and his
reports in Spanish and French too. What is written in both of the first two, beside each other, is
found by the others in the catalogue, under the English.
"""

from typing import Final, Literal, cast

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import activate, get_language, gettext

from casino.law.wording.headings import Language

OTHERS: Final = ("en", "es", "fr")
FLOOR: Final = ("/sala/",)  # whose pages begin so


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


class PageLanguage(LocaleMiddleware):
    """Django's, but that the floor is spoken to in a language of the house alone.

    `request.languages` are those its reader may choose.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of an answer."""
        super().process_request(request)
        at_tables = request.path_info.startswith(FLOOR)
        offered = settings.FLOOR_LANGUAGES if at_tables else list(dict(settings.LANGUAGES))
        if get_language() not in offered:
            activate(settings.LANGUAGE_CODE)
            request.LANGUAGE_CODE = settings.LANGUAGE_CODE
        request.languages = offered  # type: ignore[attr-defined]
