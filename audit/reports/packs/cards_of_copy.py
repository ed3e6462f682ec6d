"""The cards of a copy of the book weighed again, game by game: no database, no house.

A copy is read as `audit.rounds_file.recorded_entries` says. What an approved correction or
withdrawal took the place of is left out, and so is one that nobody approved.

Law: PT art. 3, 8, 13, 53.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, NamedTuple, cast

from audit.attested import Book
from audit.reconcile.shoes_seen import HIDDEN_RATE, HOLE, ORDER_RATE, WHOLE_RATE
from audit.reconcile.weighing import (
    DealtShoe,
    Knowing,
    Weighed,
    dealt_before,
    shoes_of,
    since_whole,
    weigh_hidden,
    weigh_order,
    weigh_whole,
)
from audit.rounds_file.recorded_entries import Body, recorded
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.event import Event
from casino.events.round.round_form import gaming_day_of
from casino.law.dossier import AnyRecorded, Dossier
from casino.law.rounds.card_population import ABOUT_CARDS
from casino.law.rulebook.rulebook import LawInForce
from casino.tlog.canonical import ENVELOPE_NULLS, canonical
from casino.tlog.merkle import leaf_hash

_READ: Final[tuple[type[Event], ...]] = (*ABOUT_CARDS, Corrected)
_KINDS: Final = {one.kind: one for one in _READ}


class OfGame(NamedTuple):
    """What the cards of a game come to: by set of decks, by shoe, by person."""

    partida: str
    sets: list[tuple[list[DealtShoe], Weighed]]
    shoes: list[tuple[DealtShoe, Weighed]]
    persons: Knowing


def games_of(copy: Path) -> dict[str, Dossier]:
    """The games of a copy with what is recorded of their cards, in the order of their names.

    Raises: OSError, ValueError, Malformed, where it is no copy.
    """
    inner = copy / "livro"
    book = Book(inner if inner.is_dir() else copy)
    entries: list[AnyRecorded] = []
    waiting: set[tuple[str, int]] = set()
    for read in book.manifest(*_KINDS, WithdrawalAsked.kind):
        body = cast("Body", read)
        place = str(body["stream"]), int(body["n"])
        if body["supersedes"] is not None:
            waiting.add(place)
        if body["kind"] in _KINDS:
            leaf = leaf_hash(canonical(body, nulls=ENVELOPE_NULLS)).hex()
            entries.append(recorded(_KINDS[body["kind"]], body, leaf))
    gone = waiting | set(_replaced(entries))
    for one in entries:
        if isinstance(one.event, Corrected) and one.event.decision == "approved":
            gone.discard((one.event.pending.stream, one.event.pending.n))
    of_game: dict[str, list[AnyRecorded]] = defaultdict(list)
    house: list[AnyRecorded] = []
    for one in entries:
        if (one.stream, one.n) not in gone and not isinstance(one.event, Corrected):
            (of_game[one.event.partida_id] if one.event.partida_id else house).append(one)
    return {name: _dossier(name, of_game[name], house) for name in sorted(of_game)}


def _replaced(own: Iterable[AnyRecorded]) -> Iterator[tuple[str, int]]:
    for one in own:
        if isinstance(one.event, Corrected) and one.event.decision == "approved":
            yield one.event.original.stream, one.event.original.n


def _dossier(partida: str, own: Iterable[AnyRecorded], house: Iterable[AnyRecorded]) -> Dossier:
    table = partida.split("/", maxsplit=1)[0]
    day: date = gaming_day_of(table, partida)
    return Dossier(
        partida=partida,
        table=table,
        gaming_day=day,
        as_of=datetime.max.replace(tzinfo=UTC),
        entries=tuple(sorted(own, key=lambda one: one.n)),
        house=tuple(house),
    )


def weighed(partida: str, games: Mapping[str, Dossier], rules: LawInForce) -> OfGame:
    """A game of a copy, its decks over the copy's earlier games too."""
    shoes = shoes_of(games[partida])
    sets = [
        since_whole(last, games.values()) for last in {one.decks: one for one in shoes}.values()
    ]
    return OfGame(
        partida,
        [(one, weigh_whole(one, rules[WHOLE_RATE])) for one in sets],
        [(one, weigh_order(one, dealt_before(one, shoes), rules[ORDER_RATE])) for one in shoes],
        weigh_hidden(shoes, rules[HIDDEN_RATE], hole=rules[HOLE] == "face_down"),
    )
