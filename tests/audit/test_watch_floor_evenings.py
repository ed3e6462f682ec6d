"""Evenings in order, watched from their opening to their closing: nobody is ever alarmed.

The evenings are those of the demo without its mistakes (another hand than the law's pays them),
each with cards, pace and laggards of its own. Whoever types is up to a minute and a half behind.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

import pytest

from audit.watch.floor_overdue import look_at
from casino.demo import cast
from casino.demo.demo_cards import Game
from casino.demo.demo_lines import Evening, Line
from casino.demo.shoe_table import ShoeGame
from casino.demo.shuffler_table import Load, ShufflerGame
from casino.events.event import EntryRef
from casino.events.incidents import IncidentReported
from casino.events.shoes import CardBurned, CardsShuffled, CartaAvisoPlaced, CutMade
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.events.staff import OfficeGranted
from casino.events.witnessing import Witnessed
from casino.law.dossier import Dossier, RecordedEvent, Signed
from casino.law.rulebook.rulebook_file import load_law
from tests.gate import drawn

pytestmark = pytest.mark.share

DAY: Final = date(2026, 11, 20)
PT: Final = load_law("pt")
ROUNDS: Final = 36
EVENINGS: Final = 120
LOOKS: Final = timedelta(minutes=2)
BEHIND: Final = 90.0  # seconds


@pytest.fixture(autouse=True)
def _other_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each evening has a number, and with it its own decks and its own chance."""
    for number in range(1, EVENINGS + 1):
        for table in ("BJ-01", "BJ-02"):
            monkeypatch.setitem(cast.DECKS, f"{table}/{number}", cast.deck_set(201, 6))
    # A witness's word needs no book here.
    monkeypatch.setattr(ShufflerGame, "_word", _word)


def _word(self: ShufflerGame, act: str, witness: Any, at: datetime, article: str) -> Any:
    def value(receipts: Any) -> Witnessed:
        return Witnessed(
            **self.game.at,
            witnessed=receipts[act],
            act="shuffler-loaded/1",
            staff=witness.number,
            office=witness.office,
            method="pin",
            nonce="00000000-0000-4000-8000-00000000000f",
            expires_at=at + timedelta(minutes=2),
            text_sha256="0" * 64,
            article=article,
        )

    return value


def at_the_shoe(number: int) -> list[Line]:
    evening = Evening(DAY)
    game = Game(evening, "BJ-01", number, cast.PIT.at_the_desk)
    return ShoeGame(game=game, index=0, first_round=evening.at("20:05"), rounds=ROUNDS).lines()


def at_the_shuffler(number: int) -> list[Line]:
    """Every third evening has a jam that is put right, every fifth a card exchanged."""
    evening = Evening(DAY)
    game = Game(evening, "BJ-02", number, cast.PIT.at_the_desk)
    load = Load(packets=3, witness=cast.CHEFE)
    return ShufflerGame(
        game=game,
        chefe=cast.CHEFE,
        first_round=evening.at("20:45"),
        rounds=ROUNDS,
        load=load,
        reload=load,
        jammed_after=12 if number % 3 == 0 else 0,
        damaged_after=20 if number % 5 == 0 else 0,
    ).lines()


def in_the_book(lines: Sequence[Line], seed: int) -> list[RecordedEvent[Any]]:
    """The lines as the book has them: what a person types it knows a little later."""
    chance = Random(seed)
    when: dict[str, datetime] = {}
    timed: list[tuple[datetime, Line]] = []
    for line in sorted(lines, key=lambda one: one.recorded_at or one.at):
        late = 1.0 if line.by.door == "api" else chance.uniform(1.0, BEHIND)
        at = (line.recorded_at or line.at) + timedelta(seconds=late)
        at = max([at, *(when[name] + timedelta(seconds=1) for name in line.after)])
        when[line.name] = at
        timed.append((at, line))
    known: dict[str, EntryRef] = {}
    events = []
    for n, (at, line) in enumerate(sorted(timed, key=lambda one: one[0]), start=1):
        event = line.event(known) if line.after else line.event
        stream = f"table/{event.table}"
        digest = hashlib.sha256(f"{stream}#{n}".encode()).hexdigest()
        known[line.name] = EntryRef(stream=stream, n=n, leaf=digest)
        events.append(_entry(event, stream, n, digest, line, at))
    return events


def _entry(
    event: Any, stream: str, n: int, digest: str, line: Line, recorded_at: datetime
) -> RecordedEvent[Any]:
    return RecordedEvent(
        entry_id=f"{digest[:8]}-{digest[8:12]}-7{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}",
        stream=stream,
        n=n,
        leaf=digest,
        occurred_at=line.at,
        recorded_at=recorded_at,
        gaming_day=DAY,
        by=Signed(line.by.staff, line.by.office, line.by.door),
        event=event,
    )


def before(event: Any, name: str) -> RecordedEvent[Any]:
    """An entry of the day before, of no partida."""
    begun = Evening(DAY).before(1, "12:00")
    line = Line(at=begun, by=cast.MANAGER.at_the_desk, event=event)
    return _entry(event, "house", 1, hashlib.sha256(name.encode()).hexdigest(), line, begun)


def machine() -> RecordedEvent[Any]:
    event = ShufflerRegistered(
        shuffler=cast.SHUFFLER, maker="Maker", model="Six", serial="417", continuous=True
    )
    return before(event, "machine")


def offices() -> tuple[RecordedEvent[Any], ...]:
    """Who may witness, and who answers for the room."""
    begun = Evening(DAY).before(1, "12:00")
    return tuple(
        before(
            OfficeGranted(
                staff=one.number, office=one.office, valid_from=begun, granted_by="S-0001"
            ),
            one.number,
        )
        for one in (cast.CHEFE, cast.MANAGER)
    )


def watched(events: Sequence[RecordedEvent[Any]], seed: int) -> Iterator[tuple[datetime, str]]:
    """Everything the watch says of a partida, looking at it every few minutes, and when."""
    partida = events[0].event.partida
    moment = events[0].recorded_at + timedelta(seconds=seed % 120)
    over = events[-1].recorded_at + timedelta(minutes=30)
    while moment < over:
        entries = tuple(one for one in events if one.recorded_at <= moment)
        dossier = Dossier(
            partida=partida,
            table=partida.split("/")[0],
            gaming_day=DAY,
            as_of=moment,
            entries=entries,
            house=offices(),
            around=(machine(),),
        )
        for one in look_at(dossier, PT).due.values():
            yield moment, one.check
        moment += LOOKS


@pytest.mark.check
@pytest.mark.parametrize("evening", [at_the_shoe, at_the_shuffler])
def test_nobody_is_alarmed_on_an_evening_in_order(evening: Any) -> None:
    alarms = dict(
        Counter(
            f"{number}: {check}"
            for number in drawn(range(1, EVENINGS + 1), 15)
            for _, check in watched(in_the_book(evening(number), number), number)
        )
    )
    assert alarms == {}


def test_the_evenings_are_no_empty_ones() -> None:
    kinds = Counter(one.event.kind for one in in_the_book(at_the_shoe(1), 1))
    assert kinds["round-played/1"] == ROUNDS
    assert kinds["cut-made/1"] > 1
    kinds = Counter(one.event.kind for one in in_the_book(at_the_shuffler(15), 1))
    assert kinds["round-played/1"] == ROUNDS
    assert (kinds["shuffler-loaded/1"], kinds["witnessed/1"], kinds["incident-reported/1"]) == (
        2,
        4,
        2,
    )


@pytest.mark.parametrize(
    ("evening", "left_out", "check"),
    [
        (at_the_shoe, CardsShuffled, "shoe_is_shuffled"),
        (at_the_shoe, CutMade, "shoe_is_cut"),
        (at_the_shoe, CartaAvisoPlaced, "warning_card_is_placed"),
        (at_the_shoe, CardBurned, "shoe_is_burnt"),
        (at_the_shuffler, ShufflerLoaded, "shuffler_is_loaded"),
        (at_the_shuffler, Witnessed, "loading_witnessed"),
        (at_the_shuffler, CardsShuffled, "loaded_decks_shuffled_by_hand"),
    ],
)
def test_a_step_left_out_of_any_evening_is_said_within_five_minutes(
    evening: Any, left_out: type, check: str
) -> None:
    for number in range(1, 11):
        events = in_the_book(evening(number), number)
        missing = next(one for one in events if isinstance(one.event, left_out))
        kept = [
            one
            for one in events
            if one is not missing and not (left_out is ShufflerLoaded and _rests(one, missing))
        ]
        said = {what: at for at, what in reversed([*watched(kept, number)])}
        assert check in said, number
        # What shows it: the word's ten minutes, or the step or round that came after.
        due = _shown(kept, missing, check)
        assert said[check] - due <= timedelta(minutes=5), (number, said[check], due)


def _rests(one: RecordedEvent[Any], missing: RecordedEvent[Any]) -> bool:
    return isinstance(one.event, Witnessed) and one.event.witnessed.n == missing.n


def _shown(kept: Sequence[RecordedEvent[Any]], missing: RecordedEvent[Any], check: str) -> datetime:
    if check == "loading_witnessed":
        (load,) = [one for one in kept if one.n == missing.event.witnessed.n]
        return load.recorded_at + timedelta(minutes=10)
    later = [one for one in kept if one.occurred_at > missing.occurred_at]
    kinds = {"round-played/1"} | (
        {"shuffler-loaded/1"} if check == "loaded_decks_shuffled_by_hand" else set()
    )
    return min(one.recorded_at for one in later if one.event.kind in kinds)


def test_a_jam_played_through_is_said_within_five_minutes_of_the_first_round() -> None:
    for number in range(1, 11):
        events = in_the_book(at_the_shuffler(number), number)
        rounds = [one for one in events if one.event.kind == "round-played/1"]
        at = rounds[9].occurred_at + timedelta(seconds=1)
        event = IncidentReported(
            table="BJ-02",
            partida=events[0].event.partida,
            incident="I-9",
            category="jam",
            reason="card",
            people=(),
            shuffler=cast.SHUFFLER,
            noticed_at=at,
        )
        line = Line(at=at, by=cast.PIT.at_the_desk, event=event)
        jam = _entry(event, "table/BJ-02", 9_999, hashlib.sha256(b"jam").hexdigest(), line, at)
        kept = sorted([*events, jam], key=lambda one: one.recorded_at)
        moment, check = next(watched(kept, number))
        assert check == "no_round_during_trouble"
        first = next(one for one in rounds if one.event.times and one.event.times.first_card > at)
        assert moment - first.recorded_at <= timedelta(minutes=5)
