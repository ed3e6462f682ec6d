"""Evenings in order, watched from their opening to their closing: nobody is ever alarmed.

The evenings are those of the demo without its mistakes (another hand than the law's pays them),
each with cards, pace and laggards of its own. Whoever types is up to a minute and a half behind.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

import pytest

from audit.museum.judged_evenings import recorded_by
from audit.watch.floor_overdue import look_at
from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.demo.demo_tables import Cuts, DemoShoe, DemoShuffler, known_of, partida_of
from casino.events.incidents import IncidentReported
from casino.events.shoes import CardBurned, CardsShuffled, CartaAvisoPlaced, CutMade
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.events.staff import OfficeGranted
from casino.events.witnessing import Witnessed
from casino.extensions import event_kinds
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.rulebook.rulebook_file import load_law
from casino.simulation.procedures.procedure_acts import SECOND, Act
from casino.simulation.procedures.simulated_book import entries_of
from tests.gate import drawn

pytestmark = pytest.mark.share

DAY: Final = date(2026, 11, 20)
PT: Final = load_law("pt")
ROUNDS: Final = 36
EVENINGS: Final = 120
LOOKS: Final = timedelta(minutes=2)
BEHIND: Final = 85.0  # seconds; the book adds five


@pytest.fixture(autouse=True)
def _other_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each evening has a number, and with it its own decks and its own chance."""
    for number in range(1, EVENINGS + 1):
        for table in ("BJ-01", "BJ-02"):
            monkeypatch.setitem(cast.DECKS, f"{table}/{number}", cast.deck_set(201, 6))


def at_the_shoe(number: int) -> list[Act]:
    game = partida_of(Evening(DAY), "BJ-01", number, cast.PIT)
    DemoShoe(**known_of(game, Evening(DAY).at("20:05"), ROUNDS), turns=Cuts()).play_out()
    return game.acts


def at_the_shuffler(number: int) -> list[Act]:
    """Every third evening has a jam that is put right, every fifth a card exchanged."""
    game = partida_of(Evening(DAY), "BJ-02", number, cast.PIT)
    halts = {12: "jammed"} if number % 3 == 0 else {}
    halts |= {20: "damaged"} if number % 5 == 0 else {}
    DemoShuffler(**known_of(game, Evening(DAY).at("20:45"), ROUNDS), halts=halts).play_out()
    return game.acts


def in_the_book(acts: Sequence[Act], seed: int) -> list[RecordedEvent[Any]]:
    """The acts as the book has them: what a person types it knows a little later."""
    chance = Random(seed)
    for act in sorted(acts, key=lambda one: one.known_at):
        late = 1.0 if act.by.door == "api" else chance.uniform(1.0, BEHIND)
        at = act.known_at + timedelta(seconds=late)
        act.recorded_at = max([at, *(one.known_at + SECOND for one in act.named)])
    return recorded(*sorted(acts, key=lambda one: one.known_at))


def recorded(*acts: Act) -> list[RecordedEvent[Any]]:
    return [recorded_by(entry, DAY) for entry in entries_of(acts, event_kinds())]


def house() -> list[RecordedEvent[Any]]:
    """Who may witness and who answers for the room, and the machine, from the day before."""
    begun = Evening(DAY).before(1, "12:00")
    events = [
        OfficeGranted(staff=one.number, office=one.office, valid_from=begun, granted_by="S-0001")
        for one in (cast.CHEFE, cast.MANAGER)
    ]
    machine = ShufflerRegistered(
        shuffler=cast.SHUFFLER, maker="Maker", model="Six", serial="417", continuous=True
    )
    return recorded(*(Act(begun, cast.MANAGER.who, event) for event in (*events, machine)))


def watched(events: Sequence[RecordedEvent[Any]], seed: int) -> Iterator[tuple[datetime, str]]:
    """Everything the watch says of a partida, looking at it every few minutes, and when."""
    partida = events[0].event.partida
    moment = events[0].recorded_at + timedelta(seconds=seed % 120)
    over = events[-1].recorded_at + timedelta(minutes=30)
    *offices, machine = house()
    while moment < over:
        entries = tuple(one for one in events if one.recorded_at <= moment)
        dossier = Dossier(
            partida=partida,
            table=partida.split("/")[0],
            gaming_day=DAY,
            as_of=moment,
            entries=entries,
            house=tuple(offices),
            around=(machine,),
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
        (jam,) = recorded(Act(at, cast.PIT.who, event))
        kept = sorted([*events, jam], key=lambda one: one.recorded_at)
        moment, check = next(watched(kept, number))
        assert check == "no_round_during_trouble"
        first = next(one for one in rounds if one.event.times and one.event.times.first_card > at)
        assert moment - first.recorded_at <= timedelta(minutes=5)
