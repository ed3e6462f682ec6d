"""When a finding was, in which round, and who was there: dealer, fiscal de banca, fiscal-chefe.

Not whoever was named when the game was opened: dealers take turns, tables are handed over, and a
fiscal-chefe comes on duty and goes. The moment is that of the act: of the round a finding rests on,
else of the last thing recorded of the game, which the earlier ones only lead to. What nobody
recorded is left out.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from audit.models import Finding
from audit.models.evidence import Mark, entries_named, mark_of
from casino.events.deck_life import CardReplaced, DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.inspection import LeaveAsked, LeaveDecided
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.models import BookEntry, Dealing, Duty, HandOver, Partida
from casino.queries import replaced_in, that_count

LOOKED_AT: Final = 20  # entries of a finding's evidence
_NEAR: Final = timedelta(days=1)  # a duty begun before that and never ended was forgotten
_CHEFE: Final = "fiscal_chefe"


class Moment(NamedTuple):
    """When it was, aware; of a finding that rests on one round alone, that round's place."""

    at: datetime
    shoe: int | None = None
    number: int | None = None


# Article 5: who found a deck imperfect, took it out, exchanged a card of it, told of the leave.
_OF_DECKS: Final = frozenset({
    DeckInspected.kind, DeckWithdrawn.kind, DecksDestroyed.kind, CardReplaced.kind,
    LeaveAsked.kind, LeaveDecided.kind,
})  # fmt: skip


class Acted(NamedTuple):
    """Who did something to a deck, by the kind of its entry: as it tells, else who recorded it."""

    kind: str
    by: str
    recorded_by: str


class Present(NamedTuple):
    """Staff numbers; '' where nobody told. Several fiscais-chefe may be on duty, by number."""

    dealer: str = ""
    fiscal: str = ""
    chefes: tuple[str, ...] = ()
    moment: Moment | None = None
    acted: tuple[Acted, ...] = ()


class _Act(NamedTuple):
    moment: Moment
    dealer: str
    acted: tuple[Acted, ...]

    @property
    def at(self) -> datetime:
        return self.moment.at


def moments_of(findings: Iterable[Finding]) -> Mapping[object, Moment]:
    """When each was, by its primary key; what rests on no entry is left out. One query."""
    return {pk: act.moment for pk, act in _acts(findings).items()}


def present_at(
    findings: Sequence[Finding], entries: Mapping[Mark, BookEntry] | None = None
) -> Mapping[object, Present]:
    """Who was there and when, by the finding's primary key; of no game, when alone. What rests on
    no entry is left out. Six queries, five where the `entries` they rest on are given.
    """
    acts = _acts(findings, entries)
    of_games = [one for one in findings if one.partida_id]
    names = {one.partida_id for one in of_games}
    gone = replaced_in(names)
    opened = _by_game(Partida.objects.filter(partida_id__in=names), gone)
    dealt = _by_game(Dealing.objects.filter(partida_id__in=names), gone)
    over = _by_game(HandOver.objects.filter(partida_id__in=names), gone)
    duties = _duties([acts[one.pk].at for one in of_games if one.pk in acts])
    found = {pk: Present(moment=act.moment) for pk, act in acts.items()}
    for one in of_games:
        act = acts.get(one.pk)
        opening = next(iter(opened.get(one.partida_id, ())), None)
        if act is None:
            continue
        handed = _last(over.get(one.partida_id, ()), act.at)
        fiscal = handed or opening
        found[one.pk] = Present(
            act.dealer or _dealer(_last(dealt.get(one.partida_id, ()), act.at), opening),
            fiscal.fiscal_de_banca if fiscal is not None else "",
            _chefes(duties, one.table_code, act.at),
            act.moment,
            act.acted,
        )
    return found


def _acts(
    findings: Iterable[Finding], entries: Mapping[Mark, BookEntry] | None = None
) -> dict[object, _Act]:
    """When the act of each was, and who dealt it where a round says so."""
    findings = list(findings)
    asked = {one.pk: one.evidence[:LOOKED_AT] for one in findings}
    if entries is None:
        entries = entries_named(ref for of in asked.values() for ref in of)
    games = {one.pk: one.partida_id for one in findings}
    found = {}
    for pk, evidence in asked.items():
        there = [entries[mark_of(ref)] for ref in evidence if mark_of(ref) in entries]
        mine = [one for one in there if one.partida_id == games[pk]] if games[pk] else there
        act = max(mine, key=_order, default=None)
        if act is not None:
            values = _round_payload(act)
            alone = sum(one.kind == RoundPlayed.kind for one in there) == 1
            place = (values.get("shoe"), values.get("number")) if alone else ()
            on_decks = (_acted(one) for one in there if one.kind in _OF_DECKS)
            found[pk] = _Act(
                Moment(act.occurred_at, *place),
                str(values.get("dealer") or ""),
                tuple(dict.fromkeys(on_decks)),
            )
    return found


def _order(entry: BookEntry) -> tuple[int, datetime]:
    """A round before anything else, the opening after it; of several the last."""
    rank = {RoundPlayed.kind: 2, PartidaOpened.kind: 0}.get(entry.kind, 1)
    return rank, entry.occurred_at


def _round_payload(entry: BookEntry) -> Mapping[str, object]:
    """What a round says; nothing of any other act."""
    if entry.kind != RoundPlayed.kind:
        return {}
    payload: Mapping[str, object] = json.loads(bytes(entry.entry))["payload"]
    return payload


def _acted(entry: BookEntry) -> Acted:
    value = json.loads(bytes(entry.entry))
    recorded_by = str(value["who"]["staff"])
    return Acted(entry.kind, str(value["payload"].get("replaced_by") or recorded_by), recorded_by)


def _by_game(rows: Any, gone: Collection[tuple[str, int]]) -> dict[str, list[Any]]:
    """Those that count: what does not is asked once, not of each kind over all corrections."""
    found: dict[str, list[object]] = {}
    for row in rows.order_by("occurred_at", "n"):
        if (row.stream, row.n) not in gone:
            found.setdefault(row.partida_id, []).append(row)
    return found


def _last(rows: Iterable[Any], at: datetime) -> Any:
    """The last of these to have happened by a moment."""
    return next((row for row in reversed(list(rows)) if row.occurred_at <= at), None)


def _dealer(turn: Any, opening: Any) -> str:
    if turn is None:
        return opening.pagador if opening is not None else ""
    return turn.pagador if turn.act == "took" else ""


def _duties(moments: Sequence[datetime]) -> list[Any]:
    if not moments:
        return []
    span = (min(moments) - _NEAR, max(moments))
    rows = Duty.objects.filter(held=_CHEFE, occurred_at__range=span)
    return list(that_count(rows).order_by("occurred_at", "n"))


def _chefes(duties: Iterable[Any], table: str, at: datetime) -> tuple[str, ...]:
    """The fiscais-chefe on duty in the room or at a table; who ends it then is still there."""
    last: dict[str, Any] = {}
    for row in duties:
        if at - _NEAR <= row.occurred_at and (
            row.occurred_at < at or (row.occurred_at == at and row.begins)
        ):
            last[row.person] = row
    return tuple(
        sorted(
            person
            for person, row in last.items()
            if row.begins and (not row.tables or table in row.tables)
        )
    )
