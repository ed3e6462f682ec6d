"""Middleware of a training house: every page says so, whatever template it is of, and every answer.

Put in here and not in the templates: no page can be forgotten, and a house in earnest has none.
"""

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

from casino.training.exercise_strip import strip
from casino.web.words.languages import language

HEADER: Final = "X-Livro-Training"
BAND: Final = "TREINO — nada disto é a sério · "  # and beside it in the reader's language
BESIDE: Final = {
    "en": "TRAINING — none of this is real",
    "es": "ENTRENAMIENTO — nada de esto es real",
    "fr": "FORMATION — rien de tout cela n’est réel",
}
_TITLE: Final = "TREINO · "
_FILE: Final = "TREINO-"
_COLOUR: Final = "#ffd400"
_BODY: Final = re.compile(rb"<body\b[^>]*>")
_NAMED: Final = re.compile(r"(filename=\"?|filename\*=utf-8'')", re.IGNORECASE)
GetResponse = Callable[[HttpRequest], HttpResponse]


def every_page(get_response: GetResponse) -> GetResponse:
    """Middleware: a band on pages, which nobody can close and which is printed; a header on every
    answer; files that are handed out are named so.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response[HEADER] = "1"
        if "Content-Disposition" in response:
            named = _NAMED.sub(rf"\g<1>{_FILE}", response["Content-Disposition"])
            response["Content-Disposition"] = named
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            _put_in(request, response)
        return response

    return answer


def _put_in(request: HttpRequest, response: HttpResponse) -> None:
    """The band behind the page's body; a fragment of a page has none."""
    page = response.content
    found = _BODY.search(page)
    if found is None:
        return
    said = BAND + BESIDE.get(language(), BESIDE["en"])
    band = f'<aside class="training-band"><strong>{said}</strong></aside>{strip(request)}'
    colour = f'<head><meta name="theme-color" content="{_COLOUR}">'  # of two the first counts
    sheet = f'<link rel="stylesheet" href="{static("casino/training.css")}"></head>'
    page = page[: found.end()] + band.encode() + page[found.end() :]
    page = page.replace(b"<title>", f"<title>{_TITLE}".encode(), 1)
    page = page.replace(b"<head>", colour.encode(), 1)
    response.content = page.replace(b"</head>", sheet.encode(), 1)
    if "Content-Length" in response:
        response["Content-Length"] = str(len(response.content))
