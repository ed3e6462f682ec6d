"""What a partida's timeline shows above its entries: cuts, warning cards, until when complaints
are heard. Worked out from the book each time it is asked, by the same rules that judge it.

Law: PT art. 8 (cut), 9 (warning card), 60 and 61 (complaints).
"""

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CutMade
from casino.law.checks.shoe.cuts import cut_by_rightful_seat, right_to_cut
from casino.law.checks.shoe.shoe_preparation import CardsBehind, cards_behind
from casino.law.checks.table.complaint_window import RoundWindow, window
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED
from casino.law.partida_context import PartidaContext, Shoe
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.queries import day_of, entries_around, partida_entries, table_of
from casino.web.display.cells import UNKNOWN
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import url_of
from casino.web.forms.warnings import cited_in
from casino.web.words import field_words
from casino.web.words.languages import either

RULEBOOK: Final = "pt"  # where nobody recorded by which it is played
MANY: Final = 5_000  # of a partida with more entries than any night has this is not worked out
LAST: Final = 5  # so many of the last rounds are shown with their complaint window


class ReadingSaid(NamedTuple):
    """A reading of the rulebook in words."""

    id: str
    adopted: str
    reason: str


def procedures_of(partida: str) -> dict[str, object] | None:
    """The cuts, the warning cards and the complaint windows; None where it is not worked out."""
    with partida_entries(partida) as read:
        entries = tuple(islice(read, MANY + 1))
    if not entries or len(entries) > MANY:
        return None
    complained = any(isinstance(recorded.event, ComplaintReceived) for recorded in entries)
    dossier = Dossier(
        partida=partida,
        table=table_of(partida),
        gaming_day=day_of(partida),
        as_of=clock.now(),
        entries=entries,
        # Of what is recorded elsewhere only the decisions on this game's complaints are asked here.
        around=entries_around(partida, entries) if complained else (),
    )
    law = _law_of(dossier)
    game = PartidaContext(dossier, law.on(dossier.gaming_day))
    rounds = window(dossier, clock.now(), law).rounds
    return {
        "shuffler": game.dealing == "shuffler",
        "cuts": [] if game.dealing == "shuffler" else [_cut(game, s) for s in game.shoes],
        "warning_cards": list(_warning_cards(game)),
        "windows": [
            _window(one)
            for place, one in enumerate(rounds)
            if place < LAST or one.in_dispute or one.hearing == "waiting"
        ],
        "articles": {number: cited_in(law.id, number) for number in ("8", "9", "60", "61")},
        "readings": {
            "cuts": _readings(law, {"8"}, dossier.gaming_day),
            "warning_cards": _readings(law, {"9"}, dossier.gaming_day),
            "windows": _readings(law, {"60", "61"}, dossier.gaming_day),
        },
    }


def _readings(law: Law, articles: set[str], day: date) -> list[ReadingSaid]:
    """The readings adopted of these articles on a day: the name, what it says, why."""
    return [
        ReadingSaid(
            one.id,
            next(
                either(each.means_pt, each.means_en)
                for each in one.choices
                if each.value == law.adopted(one, day)
            ),
            either(one.reason_pt, one.reason_en),
        )
        for one in law.readings.values()
        if articles & set(one.articles)
    ]


def _law_of(dossier: Dossier) -> Law:
    opened = dossier.of(PartidaOpened)
    try:
        return load_law(opened[-1].event.rulebook if opened else RULEBOOK)
    except LawError:
        return load_law(RULEBOOK)


def _cut(game: PartidaContext, shoe: Shoe) -> dict[str, object]:
    """One shoe's cut: whose right, who was asked and declined, who cut, whether rightly."""
    row: dict[str, object] = {
        "shoe": shoe.number,
        "tone": "idle",
        "said": gettext("no cut on record"),
    }
    if not shoe.cuts:
        return row
    cut: RecordedEvent[CutMade] = shoe.cuts[-1]
    right = right_to_cut(game, shoe, cut.event.seats_occupied, cut.occurred_at)
    assert cut_by_rightful_seat.run is not None
    result: Any = cut_by_rightful_seat.run(game, shoe)
    row |= {
        "at": moment(cut.occurred_at),
        "seats": ", ".join(map(str, cut.event.seats_occupied)) or gettext("none occupied"),
        "right": UNKNOWN if right is None else _in_turn(right.seats),
        "offers": [(offer.seat, offer.accepted) for offer in cut.event.offers],
        "by": _cutter(cut.event),
        "url": url_of(cut.event.kind, cut.entry_id),
    }
    if cut.event.cut_by == "nobody":
        return row | {"tone": "breach", "said": gettext("nobody cut")}
    if result == LAWFUL:
        return row | {"tone": "kept", "said": gettext("in turn")}
    if result is None or result == UNDECIDED:
        return row | {"said": gettext("not known from the record")}
    expected = result.expected.get("seat")
    due = str(field_words.word("fiscal_de_banca")) if expected is None else _seat(expected)
    return row | {"tone": "breach", "said": gettext("not in turn: due was %(who)s") % {"who": due}}


def _seat(seat: int) -> str:
    return gettext("seat %(seat)s") % {"seat": seat}


def _in_turn(seats: tuple[int, ...]) -> str:
    if not seats:
        return str(field_words.word("fiscal_de_banca"))
    return " → ".join(map(str, seats))


def _cutter(cut: CutMade) -> str:
    if cut.seat is not None:
        return _seat(cut.seat)
    return str(field_words.word(cut.cut_by)) + (f" {cut.staff}" if cut.staff else "")


def _warning_cards(game: PartidaContext) -> Iterator[dict[str, Any]]:
    for shoe in game.shoes:
        counted = cards_behind(game, shoe)
        if counted is not None:
            yield _warning_card(shoe.number, counted)


def _warning_card(shoe: int, counted: CardsBehind) -> dict[str, object]:
    """What was written down against what the rounds say."""
    tones = {True: "kept", False: "warning", None: "idle"}
    said = {
        True: gettext("where it was said to lie"),
        False: gettext("not where it was said to lie"),
        None: gettext("not known from the record"),
    }
    if counted.came is None:
        said[None] = gettext("not told yet that it came out")
    return {
        "shoe": shoe,
        "recorded": counted.recorded,
        "computed": UNKNOWN if counted.computed is None else counted.computed,
        "tolerance": UNKNOWN if counted.tolerance is None else counted.tolerance,
        "tone": tones[counted.agrees],
        "said": said[counted.agrees],
        "url": url_of(counted.placed.event.kind, counted.placed.entry_id),
    }


def _window(round_window: RoundWindow) -> dict[str, object]:
    """Until when a complaint about a round is heard, in words."""
    until = "" if round_window.until is None else moment(round_window.until)
    said = {
        "no_end": gettext("heard: where a shoe deals the text sets no end"),
        "waiting": gettext("heard: its cards wait to go back"),
        "open": gettext("heard until %(moment)s") % {"moment": until},
        "over": gettext("its time ended at %(moment)s") % {"moment": until},
        "unknown": gettext("not known from the record"),
    }
    tone = {True: "kept", False: "idle", None: "warning"}[round_window.open]
    return {
        "shoe": round_window.shoe or UNKNOWN,
        "number": round_window.number or UNKNOWN,
        "inserted": UNKNOWN
        if round_window.inserted_at is None
        else moment(round_window.inserted_at),
        "deferred": round_window.deferred,
        "disputes": round_window.in_dispute,
        "tone": tone,
        "said": said[round_window.hearing],
    }
