"""The trail of a defect as the book tells it: spans of the decks, partidas, round after round.

Nothing is read whole: partidas one by one, rounds some hundred at a time, whatever their number.
Entries that were corrected, or whose correction nobody approved yet, do not count.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Count, Max, Q, QuerySet
from django.db.models import Sum as SumOf

from audit.audit_queries import recorded_event
from audit.exposure.defects import (
    Defect,
    Proof,
    Recorded,
    Span,
    end_of,
    last_proof,
    proofs_of,
    ruled_out,
)
from audit.exposure.exposed_rounds import (
    Exposed,
    Seen,
    Setting,
    Sum,
    Unrecorded,
    exposed,
    once,
    seen_in,
)
from casino import queries
from casino.events.event import Event
from casino.law.dossier import RecordedEvent
from casino.models import (
    BookEntry,
    DeckInspection,
    DeckWithdrawal,
    Destruction,
    Partida,
    Replacement,
    Round,
    Shuffle,
    ShufflerLoad,
)

NEAR: Final = timedelta(days=1)  # how far a gaming day may lie from the moments told in it
LOOKED_AT: Final = 400  # inspections of one deck, newest first: more than a year of nights
AT_ONCE: Final = 500  # rounds, or partidas, fetched in one piece
_SET: Final = (
    "partida-opened/1", "cards-shuffled/1", "shuffler-loaded/1", "shuffler-unloaded/1",
    "partida-closed/1",
)  # fmt: skip
_ROUNDS: Final = """
SELECT r.n, r.entry_id, r.stream, r.gaming_day, r.occurred_at, e.entry
FROM casino_round r JOIN book_entry e ON e.id = r.entry_id
WHERE r.gaming_day = %s AND r.table_code = %s AND r.n > %s AND r.partida_id = %s
ORDER BY r.n LIMIT %s
"""


@dataclass(slots=True)
class Game:
    """A partida in which a deck in doubt lay, and all that is told of its decks."""

    partida: str
    gaming_day: date
    setting: Setting
    entries: tuple[RecordedEvent[Event], ...]


@dataclass(slots=True)
class Trail:
    """A defect, how long each of its decks is in doubt, and the partidas it leads through.

    `first_use` are decks without a proof, by the partida they were first used in.
    """

    defect: Defect
    spans: tuple[Span, ...]
    games: tuple[Game, ...]
    first_use: dict[str, str] = field(default_factory=dict)

    def rounds(self) -> Iterator[Exposed]:
        """Every round that was, or may have been, played with these decks, partida by partida."""
        for game in self.games:
            for seen in once(_rounds(game, self.spans)):
                found = exposed(seen, self.spans, game.setting)
                if found is not None:
                    yield found

    def unrecorded(self) -> list[Unrecorded]:
        """The partidas of which rounds are missing, or of which none is recorded."""
        listed = (_unrecorded(game) for game in self.games)
        return [one for one in listed if one.least or not one.recorded]

    def at_most(self) -> Sum:
        """How many rounds these partidas tell about that time, and their money: an upper bound.

        Read off the projection, so that a trail of years is measured in a moment.
        """
        since, until = _bounds(self.spans)
        asked = Q(partida_id__in=[game.partida for game in self.games])
        if self.games:
            days = [game.gaming_day for game in self.games]
            asked &= Q(gaming_day__range=(min(days), max(days)))
        if since is not None:
            asked &= Q(occurred_at__gt=since)
        if until is not None:
            asked &= Q(occurred_at__lte=until + NEAR)
        values = queries.that_count(Round.objects.filter(asked)).aggregate(
            rounds=Count("pk"), staked=SumOf("staked_cents"), returned=SumOf("returned_cents")
        )
        return Sum(values["rounds"], values["staked"] or 0, values["returned"] or 0)

    def whole_inside(self) -> list[str]:
        """The partidas opened after the last proof: every round of theirs is in doubt."""
        since = [span.since for span in self.spans]
        return [
            game.partida
            for game in self.games
            if game.setting.begins is not None
            and any(one is None or one <= game.setting.begins for one in since)
        ]


def trail_of(defect: Defect) -> Trail:
    """Follow a defect back to the last proof, and on to its end."""
    defect = replace(defect, decks=defect.decks or _decks_of(defect))
    known: dict[str, Game] = {}  # looked at, whether the trail leads through them or not
    games: dict[str, Game] = {}
    spans = []
    first_use: dict[str, str] = {}
    for deck in defect.decks:
        span, used = _follow(deck, defect, known)
        spans.append(span)
        if span.proof is None and used:
            first_use[deck] = used[0].partida
        for game in used:
            games[game.partida] = game
    ordered = sorted(games.values(), key=lambda game: (game.gaming_day, game.partida))
    return Trail(defect, tuple(spans), tuple(ordered), first_use)


def _decks_of(defect: Defect) -> tuple[str, ...]:
    """The decks in doubt where the entry names none: its incident's, its machine's, its game's."""
    incident = None if defect.recorded is None else getattr(defect.recorded.event, "incident", None)
    if incident:
        named = [
            *_decks_named(DeckWithdrawal.objects.filter(incident=incident)),
            *_decks_named(Replacement.objects.filter(incident=incident)),
        ]
        if named:
            return tuple(sorted(set(named)))
    if defect.partida is not None:
        (game,) = _games([defect.partida])
        return game.setting.decks_at(defect.noticed)
    if defect.shuffler is not None:
        loads = ShufflerLoad.objects.filter(
            shuffler=defect.shuffler, occurred_at__lte=defect.noticed
        )
        last = queries.that_count(loads).order_by("-occurred_at", "-n").first()
        return () if last is None else tuple(last.decks)
    return ()


def _decks_named(queryset: QuerySet[Any]) -> list[str]:
    return list(queries.that_count(queryset).values_list("deck", flat=True))


# One deck


def _follow(deck: str, defect: Defect, known: dict[str, Game]) -> tuple[Span, list[Game]]:
    seen_whole = _inspected_whole(deck, defect)
    about = _about(deck, defect)
    end = end_of(deck, defect, about)
    partidas = _used_in(
        deck,
        None if seen_whole is None else seen_whole.gaming_day - NEAR,
        None if end is None else end.at.date() + NEAR,
    )
    known |= {game.partida: game for game in _games([p for p in partidas if p not in known])}
    used = [known[partida] for partida in partidas]
    entries = [recorded for game in used for recorded in game.entries]
    proofs: list[Proof] = [] if seen_whole is None else [*proofs_of(seen_whole, deck)]
    for game in used:
        for recorded in game.entries:
            proofs += proofs_of(recorded, deck, game.setting.decks)
    proof = last_proof(proofs, defect)
    end = end_of(deck, defect, [*about, *entries])
    span = Span(deck, proof, defect.noticed, end)
    return span, [game for game in used if _touches(game, span)]


def _inspected_whole(deck: str, defect: Defect) -> RecordedEvent[Event] | None:
    """The last time before a deck was found without this fault by looking through it."""
    found = DeckInspection.objects.filter(deck=deck, occurred_at__lt=defect.noticed)
    for recorded in _recorded(found.order_by("-occurred_at", "-n").values_list("pk", flat=True)):
        if defect.fault in ruled_out(recorded.event) and recorded != defect.recorded:
            return recorded
    return None


def _about(deck: str, defect: Defect) -> list[RecordedEvent[Event]]:
    """What may have ended a deck's defect, or answers its incident."""
    incident = None if defect.recorded is None else getattr(defect.recorded.event, "incident", None)
    here = Q(occurred_at__gte=defect.noticed)
    answers = here | Q(incident=incident) if incident else here
    asked: list[Any] = [
        DeckWithdrawal.objects.filter(answers, deck=deck),
        Replacement.objects.filter(answers, deck=deck),
        Destruction.objects.filter(here, decks__contains=[deck]),
    ]
    found = [
        recorded
        for each in asked
        for recorded in _recorded(each.order_by("occurred_at", "n").values_list("pk", flat=True))
    ]
    later = DeckInspection.objects.filter(here, deck=deck).order_by("occurred_at", "n")
    for recorded in _recorded(later.values_list("pk", flat=True)):
        found.append(recorded)
        if defect.fault in ruled_out(recorded.event) and recorded != defect.recorded:
            break
    return found


def _used_in(deck: str, first: date | None, last: date | None) -> list[str]:
    """The partidas a deck was in the set of, shuffled for or loaded in; those days, in order."""
    asked = Q(decks__contains=[deck])
    if first is not None:
        asked &= Q(gaming_day__gte=first)
    if last is not None:
        asked &= Q(gaming_day__lte=last)
    found: set[tuple[date, str]] = set()
    projections: tuple[type[Any], ...] = (Partida, Shuffle, ShufflerLoad)
    for projection in projections:
        found |= set(projection.objects.filter(asked).values_list("gaming_day", "partida_id"))
    return [partida for _, partida in sorted(found)]


def _touches(game: Game, span: Span) -> bool:
    """Whether a partida may hold rounds of a span, as far as its opening and closing tell."""
    setting = game.setting
    if span.since is not None and setting.closed is not None:
        if setting.closed.occurred_at <= span.since:
            return False
    return span.until is None or setting.begins is None or setting.begins <= span.until


def _games(partidas: Sequence[str]) -> Iterator[Game]:
    """What these partidas tell of their decks, some at a time."""
    for first in range(0, len(partidas), AT_ONCE):
        some = partidas[first : first + AT_ONCE]
        left_out = queries.replaced_in(some)
        entries: dict[str, list[Recorded]] = {partida: [] for partida in some}
        asked = BookEntry.objects.filter(partida_id__in=some, kind__in=_SET)
        for entry in asked.select_related("stream").order_by("stream_id", "n").iterator():
            if (entry.stream.name, entry.n) not in left_out:
                entries[entry.partida_id].append(recorded_event(entry))
        for partida, events in entries.items():
            yield Game(partida, queries.day_of(partida), Setting(partida, events), tuple(events))


def _recorded(ids: Iterable[UUID]) -> Iterator[Recorded]:
    """Entries by their ids, those that count."""
    left_out = lru_cache(maxsize=LOOKED_AT)(queries.replaced)
    for entry_id in [*ids][:LOOKED_AT]:
        recorded = queries.load_entry(entry_id)
        if recorded is not None and recorded.n not in left_out(
            recorded.stream, recorded.event.partida_id or ""
        ):
            yield recorded


# Rounds


def _rounds(game: Game, spans: Sequence[Span]) -> Iterator[Seen]:
    """The rounds of a partida that may lie in one of the spans, as they were recorded."""
    stream = queries.stream_of(game.partida)
    left_out = queries.replaced(stream, game.partida)
    since, until = _bounds(spans)
    last = 0
    while True:
        with connection.cursor() as cursor:
            table = queries.table_of(game.partida)
            cursor.execute(_ROUNDS, [game.gaming_day, table, last, game.partida, AT_ONCE])
            rows = cursor.fetchall()
        for n, entry_id, name, day, occurred_at, entry in rows:
            if n in left_out or (since is not None and occurred_at <= since):
                continue
            if until is not None and occurred_at > until + NEAR:
                continue
            payload = json.loads(bytes(entry))["payload"]
            yield Seen(
                entry_id=str(entry_id),
                stream=name,
                n=n,
                gaming_day=day,
                occurred_at=occurred_at,
                **seen_in(payload),
            )
        if len(rows) < AT_ONCE:
            return
        last = rows[-1][0]


def _bounds(spans: Sequence[Span]) -> tuple[datetime | None, datetime | None]:
    since = [span.since for span in spans]
    until = [span.until for span in spans]
    earliest = min((one for one in since if one is not None), default=None)
    latest = max((one for one in until if one is not None), default=None)
    return (None if None in since else earliest), (None if None in until else latest)


def _unrecorded(game: Game) -> Unrecorded:
    rows = queries.that_count(
        Round.objects.filter(gaming_day=game.gaming_day, partida_id=game.partida)
    )
    shoes = rows.filter(shoe__isnull=False, number__isnull=False).values("shoe")
    counted = shoes.annotate(last=Max("number"), many=Count("number", distinct=True))
    closed = game.setting.closed
    return Unrecorded(
        game.partida,
        None if closed is None else closed.event.rounds,
        rows.aggregate(many=Count("round", distinct=True))["many"],
        sum(max(one["last"] - one["many"], 0) for one in counted),
    )


def defect_at(deck: str, moment: datetime) -> Defect:
    """A deck somebody doubts, with no entry that says why: only a faultless deck proves more."""
    return Defect("unknown", (deck,), moment)
