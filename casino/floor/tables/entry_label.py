"""A label for what a record puts aside: a deck that left the game, the envelope of a card.

It names the record's own public fields and holds the code of its receipt, so that whoever has the
deck in his hand finds the entry, and whoever verifies the book finds it there.

Law: PT art. 5, 51.
"""

from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from casino import clock, sealed
from casino.events.event_policy import FLOOR, OVERSEERS
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.game_view import load_game_view
from casino.floor.incidents.incident_steps import coloured
from casino.floor.record_words import LABELLED, record_word
from casino.floor.tables.entry_read import readable_entry
from casino.web.display.qr_svg import qr_svg
from casino.web.entries.entry_page import UNREADABLE, event_and_author, signed_by, values_of
from casino.web.forms.warnings import cited_in
from casino.web.words.field_words import word

_ELSEWHERE: Final = frozenset({"table", "partida", "deck", "despite", "paper", "people"})
ROLL: Final = "roll"  # in an address: for a printer of 62 mm labels


@floor_page(FLOOR | OVERSEERS, reads_only=True)
def label_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The label, as a sheet of A4 with marks to cut along or 62 mm wide. Raises: Http404."""
    entry = readable_entry(request, entry_id)
    try:
        event, _author = event_and_author(entry)
    except UNREADABLE:
        raise Http404 from None
    game = load_game_view(entry.partida_id, clock.now()) if entry.partida_id else None
    article = LABELLED.get(event.kind, "")
    deck = getattr(event, "deck", None) or ""
    staff, office = signed_by(entry)
    what = record_word(event)
    values = values_of(event, {}, besides=_ELSEWHERE)
    context = {
        "table": entry.table_code,
        "entry": entry,
        "what": what,
        "deck": deck,
        "colour": coloured([deck], game)[0][1] if deck and game is not None else "",
        "values": [one for one in values if str(one.shown).casefold() not in what.casefold()],
        "cited": cited_in(game.law.id, article) if article and game is not None else "",
        "who": staff,
        "office": word(office) if office else "",
        "qr": qr_svg(sealed.receipt_text(entry), gettext("The receipt as a QR code")),
        "roll": ROLL in request.GET,
        "entry_url": reverse("sala:entry", args=[entry.pk]),
    }
    return shown(request, "sala/label.html", context)
