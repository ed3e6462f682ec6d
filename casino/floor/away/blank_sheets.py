"""Blank sheets of each register, to be filled in by hand while the house is away.

One page of A4 each, in the order in which an evening takes its course. What they ask for is called
what the forms call it, so that a sheet is recorded afterwards without a question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from casino.extensions import extensions
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.tables.all_tables import LOOKERS
from casino.previewing import RULEBOOK
from casino.web.forms.warnings import cited_in
from casino.web.words import field_words
from casino.web.words.field_words import rulebook_choices


@dataclass(frozen=True, slots=True)
class Sheet:
    """One register on paper.

    `fields` are an event's, asked once each, or in `rows` lines with their time. `articles` are
    numbers of the Portuguese regulation; `free` lines are left for what happened; `more` is asked
    on the same line and recorded by another form; of it `wide` are the columns that hold several
    things to a line. `witness`: a second person signs, on each line where there are rows.
    """

    title: str | Promise
    kind: str
    fields: str
    articles: tuple[str, ...] = ()
    rows: int = 0
    free: int = 0
    more: tuple[str | Promise, ...] = ()
    wide: tuple[str | Promise, ...] = ()
    witness: bool = False
    is_last: bool = False


SHEETS: Final = (
    Sheet(
        _("Opening of a table"),
        "partida-opened/1",
        "rulebook limits dealing shuffler decks jackpots pagador fiscal_de_banca fiscal_chefe"
        " cut_card carta_aviso",
        ("2", "3", "14"),
        free=14,
    ),
    Sheet(
        _("Exhibition of the decks"),
        "deck-inspected/1",
        "deck cards order_complete faces backs result pagador",
        ("7", "53"),
        rows=16,
    ),
    Sheet(
        _("Shuffle and cut"),
        "cut-made/1",
        "shoe decks shuffled_by seats_occupied offers seat",
        ("8",),
        rows=18,
    ),
    Sheet(
        _("Warning card, burnt cards, last round"),
        "carta-aviso-placed/1",
        "shoe cards_from_end players",
        ("9", "10", "11"),
        rows=18,
        more=(_("Cards burnt"), _("Last round announced, audibly")),
    ),
    Sheet(
        _("Loading of a shuffler"),
        "shuffler-loaded/1",
        "shuffler decks packets cards reason operator fiscal_chefe",
        ("54",),
        rows=10,
        witness=True,
    ),
    Sheet(
        _("Rounds"),
        "round-played/1",
        "",
        rows=14,
        more=(
            _("First card dealt at"),
            _("Box"),
            _("Stake"),
            _("Cards, in the order they came"),
            _("Decisions"),
            _("The bank's cards"),
            _("Handed back"),
        ),
        wide=(_("Cards, in the order they came"), _("The bank's cards")),
    ),
    Sheet(
        _("Interruption of play"),
        "play-interrupted/1",
        "shoe reason",
        ("12",),
        rows=18,
    ),
    Sheet(
        _("Change of dealer"),
        "dealer-took-table/1",
        "relieves pagador",
        rows=18,
    ),
    Sheet(
        _("Hand-over of the table"),
        "table-handed-over/1",
        "relieves fiscal_de_banca",
        rows=18,
    ),
    Sheet(
        _("Incident"),
        "incident-reported/1",
        "incident category reason shoe deck shuffler damaged_cards amount_cents",
        ("5", "51"),
        free=20,
        witness=True,
    ),
    Sheet(
        _("Complaint"),
        "complaint-received/1",
        "complaint subject shoe number box cards_inserted amount_cents sheet",
        ("61",),
        free=20,
    ),
    Sheet(
        _("Taking the cards out of a shuffler"),
        "shuffler-unloaded/1",
        "shuffler decks cards closing_announced empty operator fiscal_chefe",
        ("55",),
        rows=8,
        witness=True,
        is_last=True,
    ),
    Sheet(
        _("Closing of a table"),
        "partida-closed/1",
        "closing_announced_at reason rounds cards_counted pagador fiscal_de_banca fiscal_chefe",
        ("55",),
        free=14,
        is_last=True,
    ),
)


def sheets() -> list[Sheet]:
    """Those of every package, the evening's last ones at the end."""
    added = [sheet for package in extensions() for sheet in package.paper_sheets()]
    return sorted([*SHEETS, *added], key=lambda sheet: sheet.is_last)


@floor_page(LOOKERS, reads_only=True)
def sheets_view(request: HttpRequest) -> HttpResponse:
    """All of them, with the articles as a rulebook counts them."""
    books = dict(rulebook_choices())
    asked = request.GET.get("rulebook", "")
    book = asked if asked in books else RULEBOOK
    context = {
        "sheets": list(_printed(book)),
        "books": [(name, title, name == book) for name, title in books.items()],
        "book": books.get(book, book),
    }
    return shown(request, "sala/sheets.html", context)


def _printed(book: str) -> Iterator[dict[str, object]]:
    for sheet in sheets():
        wide = {str(one) for one in sheet.wide}
        fields = [_label(name, sheet.kind) for name in sheet.fields.split()]
        cited = [one for number in sheet.articles if (one := cited_in(book, number))]
        yield {
            "title": sheet.title,
            "cited": ", ".join(dict.fromkeys(cited)),
            "fields": [(one, one in wide) for one in (*fields, *map(str, sheet.more))],
            "rows": range(sheet.rows),
            "free": range(sheet.free),
            "witness": sheet.witness,
        }


def _label(name: str, kind: str) -> str:
    return str(capfirst(field_words.label(name, kind)))
