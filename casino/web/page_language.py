"""In which language a page is answered."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import activate, get_language

FLOOR: Final = "/sala/"  # whose addresses begin so


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
