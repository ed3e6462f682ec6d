"""The pages' own parts, light beside dark: every token of tokens.css, and what is built with them.

For whoever writes a page, and for the test that looks at all of them at once. The floor's parts
have a page of their own, for its style sheet gives some names another shape.
"""

import re
from pathlib import Path
from typing import Final, Literal

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino import clock

_SHEET: Final = Path(__file__).resolve().parent.parent / "static/casino/tokens.css"
_TOKEN: Final = re.compile(r"^  (--[\w-]+): ([^;]+);", re.MULTILINE)
_OURS: Final = "/* The names Django's own style sheets ask for. */"  # up to there
_COLOURS: Final = ("light-dark(", "#", "rgb(")
TEMPLATES: Final = {"admin": "admin/casino/components.html", "floor": "sala/components.html"}
TONES: Final = ("breach", "warning", "note", "kept")
_BACK: Final = "--deck-"


def tokens() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The colours and everything else, each a name and its value as it is written."""
    found = _TOKEN.findall(_SHEET.read_text("utf-8").split(_OURS)[0])
    colours = [one for one in found if one[1].startswith(_COLOURS)]
    return colours, [one for one in found if one not in colours]


@never_cache
@require_safe
def components_page(
    request: HttpRequest, room: Literal["admin", "floor"] = "admin"
) -> HttpResponse:
    """All tokens and parts of the admin's pages, or of the floor's."""
    colours, others = tokens()
    context = {
        **admin.site.each_context(request),
        "title": gettext("What the pages are made of"),
        "colours": colours,
        "others": others,
        "themes": ("light", "dark"),
        "tones": TONES,
        "backs": [name.removeprefix(_BACK) for name, _ in colours if name.startswith(_BACK)],
        "now": clock.now(),
    }
    return TemplateResponse(request, TEMPLATES[room], context)
