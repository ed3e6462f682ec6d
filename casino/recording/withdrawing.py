"""What may be withdrawn, and what cannot stand without it.

Of what the program itself wrote only a run is, which judged games under another rulebook than their
own.

What has no meaning of its own without a record falls with it, in the same act: the steps of an
incident, the cut of a shuffle. What happened by itself stands in the way, and is withdrawn first or
not at all: a round, a payment, a deck that was taken out of use. Notices that were sent and
recordings that are kept stand in nobody's way and go on naming what was withdrawn; but a letter
that was sent is not withdrawn any more.
"""

import json
from collections.abc import Callable, Collection, Iterable
from operator import attrgetter
from typing import Any, Final, NamedTuple

from casino.events.complaints import ComplaintReceived
from casino.events.deck_life import DeckReceived
from casino.events.event import Event
from casino.events.floor_life import (
    DealerLeftTable,
    DealerTookTable,
    PartidaReopened,
    SeatLeft,
    SeatTaken,
)
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.phrases import Phrase
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.kept_entries import entries as entries_kept
from casino.law.dossier import RecordedEvent
from casino.models import (
    BookEntry,
    Complaint,
    ComplaintDecision,
    DeckReceipt,
    DeckWithdrawal,
    Incident,
    IncidentClosure,
    IncidentStepRow,
    LidOpening,
    Naming,
    Notice,
    Partida,
    Replacement,
    Review,
    Round,
)
from casino.queries import not_counting, that_count

# Why a record is not withdrawn: msgids of their own.
OWN_WAY: Final = Phrase(
    "a win is withdrawn from its payment page, by a fiscal-chefe or the chefia da sala before"
    " a second person; a meter is adjusted by two people. That is a record too."
)
OF_A_REGISTER: Final = Phrase("a register is corrected, or what it says is ended by a new record.")
OF_THE_BOOK: Final = Phrase("it says what was done with the book, or with another record in it.")
OF_A_RUN: Final = Phrase(
    "a run under the games' own rulebooks is not withdrawn: reconcile again, and what no longer"
    " holds is cured."
)
OF_A_CASE: Final = Phrase(
    "what was done about a finding stays; the next step of its case says otherwise: it is assigned,"
    " asked or decided anew, or reopened."
)
BY_A_MACHINE: Final = Phrase(
    "a machine, a file or the program itself wrote it, and no finger slipped: correct it instead."
)
BY_NOBODY: Final = Phrase(
    "a machine alone reports it, and nobody corrects it: whoever answers for the machine explains"
    " what is found."
)

# A reconciliation, by the record that it began. With it falls what it wrote into the book.
RUN: Final = "reconciliation-started/1"
# A letter of the house: it is withdrawn while nobody has sent it, by its number (`document`).
LETTER: Final = "letter-issued/1"
_NUMBER: Final = attrgetter("document")
_NEVER: Final[dict[str, Phrase]] = {
    **dict.fromkeys(
        ("terms-approved/1", "terms-confirmed/1", "jackpot-started/1", "jackpot-won/1"), OWN_WAY
    ),
    **dict.fromkeys(("jackpot-paid/1", "jackpot-adjusted/1", "jackpot-sealed/1"), OWN_WAY),
    **dict.fromkeys(
        ("table-registered/1", "staff-registered/1", "shuffler-registered/1"), OF_A_REGISTER
    ),
    **dict.fromkeys(("office-granted/1", "office-ended/1", "limits-set/1"), OF_A_REGISTER),
    **dict.fromkeys(("office-asked/1", "login-reset-asked/1", "request-decided/1"), OF_THE_BOOK),
    **dict.fromkeys(("figures-asked/1", "figures-set/1"), OF_A_REGISTER),
    **dict.fromkeys(("inspection-leave-asked/1", "inspection-leave-decided/1"), OF_A_REGISTER),
    **dict.fromkeys(("limits-approved/1", "notice-acknowledged/1"), OF_A_REGISTER),
    **dict.fromkeys(("firmware-decided/1", "regulation-text-received/1"), OF_A_REGISTER),
    **dict.fromkeys(("shuffler-cycle/1", "shuffler-signal/1", "shuffler-self-check/1"), BY_NOBODY),
    **dict.fromkeys(("card-out/1", "stake-signal/1"), BY_NOBODY),
    **dict.fromkeys(("witnessed/1", "corrected/1", "withdrawal-asked/1", "erased/1"), OF_THE_BOOK),
    **dict.fromkeys(("passkey-registered/1", "passkey-revoked/1"), OF_THE_BOOK),
    **dict.fromkeys(("witness-failed/1", "witness-unlocked/1", "shelf-rebuilt/1"), OF_THE_BOOK),
    **dict.fromkeys(("signing-key-named/1", "epoch-begun/1", "epoch-approved/1"), OF_THE_BOOK),
    **dict.fromkeys(("signing-key-named/2", "house-act-decided/1"), OF_THE_BOOK),
    "pepper-changed/1": OF_THE_BOOK,
    **dict.fromkeys(("schema-recorded/1", "book-restored/1", "book-verified/1"), OF_THE_BOOK),
    **dict.fromkeys(("jackpot-replayed/1", "export-made/1"), OF_THE_BOOK),
    **dict.fromkeys(("draw-committed/1", "draw-made/1"), OF_THE_BOOK),
    **dict.fromkeys(("report-issued/1", "document-seal-asked/1", "alert-sent/1"), OF_THE_BOOK),
    **dict.fromkeys(("webhook-set/1", "import-confirmed/1"), OF_THE_BOOK),
    RUN: OF_A_RUN,  # but for those that `why_never` lets be
    "reconciliation-finished/1": OF_THE_BOOK,
    **dict.fromkeys(("finding-raised/1", "finding-superseded/1"), OF_THE_BOOK),
    "game-judged/1": OF_THE_BOOK,
    **dict.fromkeys(("finding-raised/2", "finding-superseded/2"), OF_THE_BOOK),
    "findings-numbered/1": OF_THE_BOOK,
    **dict.fromkeys(
        ("finding-assigned/1", "explanation-asked/1", "explanation-given/1"), OF_A_CASE
    ),
    **dict.fromkeys(("finding-noted/1", "footage-marked/1", "finding-decided/1"), OF_A_CASE),
    **dict.fromkeys(("finding-settled/1", "finding-reopened/1"), OF_A_CASE),
}
_NO_HAND: Final = frozenset({"dispositivo", "sistema"})
_BY_FILE: Final = "import"


def never_withdrawn(kind: str) -> Phrase | None:
    """Why records of a kind are never withdrawn; None where they may be."""
    return _NEVER.get(kind)


def why_never(entry: BookEntry) -> Phrase | None:
    """Why this record is never withdrawn; None where it may be."""
    body = json.loads(bytes(entry.entry))
    if entry.kind == RUN:
        return None if body["payload"]["scope"].get("rulebook") else OF_A_RUN
    who = body["who"]
    if who["office"] in _NO_HAND or who["door"] == _BY_FILE:
        return never_withdrawn(entry.kind) or BY_A_MACHINE
    return never_withdrawn(entry.kind)


class Resting(NamedTuple):
    """What rests on a record: what falls with it, and what stands in its way. In their order."""

    falls: tuple[BookEntry, ...] = ()
    in_the_way: tuple[BookEntry, ...] = ()


def resting_on(entry: BookEntry) -> Resting:
    """What of the book cannot stand without a record, of all that counts."""
    recorded = entries_kept([entry.pk])[entry.pk]
    rule = _RULES.get(entry.kind)
    falls, blocks = _Ids(), _Ids()
    if rule is not None:
        rule(recorded, falls, blocks)
    fallen = _counting(entry, falls)
    stuck = [one for one in fallen if why_never(one) is not None]
    obstacles = {one.pk: one for one in (*stuck, *_counting(entry, blocks))}
    return Resting(
        tuple(one for one in fallen if one.pk not in obstacles),
        tuple(sorted(obstacles.values(), key=_in_order)),
    )


class _Ids(set[Any]):
    """The ids of entries."""

    def rows(self, rows: Any) -> None:
        """Those that rows of a projection stand for."""
        self.update(rows.values_list("entry_id", flat=True))

    def add_events(self, events: Iterable[RecordedEvent[Event]]) -> None:
        """Those of entries as a check sees them."""
        self.update(one.entry_id for one in events)


def _counting(entry: BookEntry, ids: Collection[object]) -> list[BookEntry]:
    """Those of some entries that count, but for the one in hand, in their order."""
    if not ids:
        return []
    found = BookEntry.objects.select_related("stream").filter(pk__in=list(ids)).exclude(pk=entry.pk)
    entries = {(one.stream.name, one.n): one for one in found}
    left_out = not_counting(entries.keys(), None, "default") if entries else set()
    return sorted((one for at, one in entries.items() if at not in left_out), key=_in_order)


def _in_order(entry: BookEntry) -> tuple[object, ...]:
    return entry.recorded_at, entry.stream_id, entry.n


# -- What rests on what ------------------------------------------------------------------------

Rule = Callable[[RecordedEvent[Event], _Ids, _Ids], None]


def _on_incident(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    code = recorded.event.incident
    if _stands_elsewhere(Incident, recorded, incident=code):
        return
    for projection in (IncidentStepRow, IncidentClosure):
        falls.rows(projection.objects.filter(incident=code))
    falls.rows(Review.objects.filter(dispute=code))
    for done in (DeckWithdrawal, Replacement, LidOpening):
        blocks.rows(done.objects.filter(incident=code))


def _on_complaint(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    code = recorded.event.complaint
    if not _stands_elsewhere(Complaint, recorded, complaint=code):
        falls.rows(ComplaintDecision.objects.filter(complaint=code))
        falls.rows(Review.objects.filter(dispute=code))


def _on_receipt(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    if not _stands_elsewhere(DeckReceipt, recorded, deck=recorded.event.deck):
        blocks.rows(Naming.objects.filter(thing="deck", code=recorded.event.deck))


def _on_letter(recorded: RecordedEvent[Event], falls: _Ids, blocks: _Ids) -> None:
    blocks.rows(Notice.objects.filter(reference=_NUMBER(recorded.event)))


def _stands_elsewhere(projection: Any, recorded: RecordedEvent[Event], **named: str) -> bool:
    """Whether another record that counts tells the same: then nothing rests on this one alone."""
    rows = that_count(projection.objects.filter(**named))
    return bool(rows.exclude(entry_id=recorded.entry_id).exists())


# Of these a game's opening is the beginning, and nothing more than that.
_WITH_THE_GAME: Final = frozenset(
    {
        "deck-inspected/1", "cards-shuffled/1", "cut-made/1", "carta-aviso-placed/1",
        "card-burned/1", "last-round-announced/1", "cards-spread/1", "play-interrupted/1",
        "play-resumed/1", "dealer-took-table/1", "dealer-left-table/1", "seat-taken/1",
        "seat-left/1", "chips-counted/1", "drop-counted/1", "partida-closed/1",
        "partida-reopened/1",
        "shuffler-loaded/1", "shuffler-unloaded/1", "jackpot-read/1", "table-handed-over/1",
    }
)  # fmt: skip
# What is said of other entries and rests on them alone; the program's own words.
_OF_ENTRIES: Final = frozenset(one for one, why in _NEVER.items() if why in (OF_THE_BOOK, OF_A_RUN))


def _on_opening(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    if _stands_elsewhere(Partida, recorded, partida_id=recorded.event.partida):
        return
    there = BookEntry.objects.filter(partida_id=recorded.event.partida)
    rows = list(there.exclude(kind__in=(*_OF_ENTRIES, RoundPlayed.kind)).values_list("pk", "kind"))
    falls.update(pk for pk, kind in rows if kind in _WITH_THE_GAME)
    blocks.update(pk for pk, kind in rows if kind not in _WITH_THE_GAME)
    blocks.update(_rounds(recorded, 1))


def _rounds(recorded: RecordedEvent[Any], at_most: int, **asked: object) -> list[object]:
    """The first rounds of its game that count, few of however many: one is enough to refuse."""
    event = recorded.event
    rows = Round.objects.filter(
        partida_id=event.partida, gaming_day=recorded.gaming_day, table_code=event.table, **asked
    )
    return list(that_count(rows).order_by("n").values_list("entry_id", flat=True)[:at_most])


def _of_the_game(recorded: RecordedEvent[Any]) -> list[RecordedEvent[Any]]:
    """What counts of its game, but for the rounds, in the order of its own stream."""
    there = BookEntry.objects.filter(
        partida_id=recorded.event.partida, stream__name=recorded.stream
    )
    rows = list(there.exclude(kind=RoundPlayed.kind).values_list("pk", "n"))
    left_out = not_counting({(recorded.stream, n) for _, n in rows}, None, "default")
    found = entries_kept([pk for pk, n in rows if (recorded.stream, n) not in left_out])
    return sorted(found.values(), key=lambda recorded: recorded.n)


_UNDER_A_SHUFFLE: Final = (CutMade, CartaAvisoPlaced, CardBurned, LastRoundAnnounced, CardsSpread)


def _on_shuffle(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    shoe, game = recorded.event.shoe, _of_the_game(recorded)
    same = [one for one in game if isinstance(one.event, CardsShuffled) and one.event.shoe == shoe]
    if any(one.n != recorded.n for one in same):
        return
    later = [one for one in game if one.n > recorded.n and isinstance(one.event, _UNDER_A_SHUFFLE)]
    falls.add_events(one for one in later if one.event.shoe == shoe)
    blocks.update(_rounds(recorded, 1, shoe=shoe, n__gt=recorded.n))


def _on_load(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    acts = (ShufflerLoaded, ShufflerUnloaded)
    moves = [one for one in _of_the_game(recorded) if isinstance(one.event, acts)]
    before = [one for one in moves if one.n < recorded.n]
    if before and isinstance(before[-1].event, ShufflerLoaded):
        return  # recorded twice: the cards are in by the one before
    after = [one for one in moves if one.n > recorded.n]
    until = after[0].n if after else 2**62
    blocks.update(_rounds(recorded, 1, n__gt=recorded.n, n__lt=until))
    falls.add_events(one for one in after[:1] if isinstance(one.event, ShufflerUnloaded))


def _on_closing(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    blocks.add_events(
        one
        for one in _of_the_game(recorded)
        if isinstance(one.event, PartidaReopened) and one.n > recorded.n
    )
    openings = Partida.objects.filter(table_code=recorded.event.table, n__gt=recorded.n)
    blocks.rows(openings.exclude(partida_id=recorded.event.partida))


def _on_reopening(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    later = [one for one in _of_the_game(recorded) if one.n > recorded.n]
    falls.add_events(one for one in later if isinstance(one.event, PartidaClosed))
    blocks.add_events(
        one
        for one in later
        if not isinstance(one.event, PartidaClosed) and one.event.kind not in _OF_ENTRIES
    )
    blocks.update(_rounds(recorded, 1, n__gt=recorded.n))


def _on_round(recorded: RecordedEvent[Any], falls: _Ids, blocks: _Ids) -> None:
    event, place = recorded.event, (recorded.event.shoe, recorded.event.number)
    there = BookEntry.objects.filter(partida_id=event.partida).exclude(kind=RoundPlayed.kind)
    for one in entries_kept(list(there.values_list("pk", flat=True))).values():
        several = getattr(one.event, "rounds", ())  # of a closing it is how many there were
        names = {getattr(one.event, "round", None), *(several if type(several) is tuple else ())}
        at = getattr(one.event, "shoe", None), getattr(one.event, "number", None)
        if event.round in names or (None not in place and at == place):
            blocks.add(one.entry_id)


def _until(begin: type[Event], end: type[Event], *named: str) -> Rule:
    """What ends falls with what it ends, unless the beginning was recorded twice."""

    def rule(recorded: RecordedEvent[Event], falls: _Ids, blocks: _Ids) -> None:
        of = [
            one
            for one in _of_the_game(recorded)
            if isinstance(one.event, begin | end)
            and all(getattr(one.event, name) == getattr(recorded.event, name) for name in named)
        ]
        before = [one for one in of if one.n < recorded.n]
        if before and isinstance(before[-1].event, begin):
            return
        after = [one for one in of if one.n > recorded.n]
        falls.add_events(one for one in after[:1] if isinstance(one.event, end))

    return rule


_RULES: Final[dict[str, Rule]] = {
    IncidentReported.kind: _on_incident,
    ComplaintReceived.kind: _on_complaint,
    DeckReceived.kind: _on_receipt,
    LETTER: _on_letter,
    PartidaOpened.kind: _on_opening,
    PartidaClosed.kind: _on_closing,
    PartidaReopened.kind: _on_reopening,
    CardsShuffled.kind: _on_shuffle,
    ShufflerLoaded.kind: _on_load,
    RoundPlayed.kind: _on_round,
    PlayInterrupted.kind: _until(PlayInterrupted, PlayResumed),
    DealerTookTable.kind: _until(DealerTookTable, DealerLeftTable, "pagador"),
    SeatTaken.kind: _until(SeatTaken, SeatLeft, "seat"),
}
