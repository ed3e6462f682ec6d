"""From a defect to the rounds in doubt, as the book tells it."""

import dataclasses
from typing import Any

import pytest

from audit.exposure.defects import defect_of
from audit.exposure.exposed_rounds import Exposed, Totals
from audit.exposure.read_rounds import Trail, defect_at, trail_of
from casino import queries
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerLoaded, ShufflerUnloaded
from casino.recording import Receipt
from tests.factories.evenings import correct, opened, record_events
from tests.factories.exposed_evenings import (
    DECKS,
    at,
    deal,
    dealt,
    inspected,
    open_table,
    short,
    trail,
    where,
)

pytestmark = [pytest.mark.django_db, pytest.mark.share]
NEXT = "2025-11-21"


def numbers(found: Trail, standing: str | None = None) -> list[int]:
    """The numbers of the rounds in doubt."""
    rounds = [one for one in found.rounds() if standing in (None, one.standing)]
    return [one.seen.number or 0 for one in rounds]


def test_rounds_since_the_exhibition_are_in_doubt() -> None:
    open_table()
    deal(1, 2, 3)
    found = trail(short())
    (span,) = found.spans
    assert span.proof is not None
    assert (span.proof.by, span.proof.at, span.end) == ("exhibition", at("20:15"), None)
    assert numbers(found, "certain") == [1, 2, 3]
    totals = total(found)
    assert (totals.whole.certain.staked, totals.whole.certain.returned) == (3 * 3500, 3 * 2000)
    assert {key: both.certain.staked for key, both in totals.boxes.items()} == {
        ("BJ-01", 1): 3000,
        ("BJ-01", 3): 7500,
    }


def total(found: Trail) -> Totals:
    """The sums of a trail."""
    totals = Totals()
    for one in found.rounds():
        totals.add(one)
    return totals


def test_a_later_proof_leaves_out_what_came_before_it() -> None:
    open_table()
    deal(1, 2)
    inspected("D-2", "21:05", "store", machine="VER-1", receipt="Talão 9")
    deal(6, 7)
    found = trail(short())
    assert found.spans[0].proof is not None
    assert found.spans[0].proof.by == "machine"
    assert numbers(found) == [6, 7]


def test_a_round_on_either_side_of_the_proof() -> None:
    open_table()
    deal(4, 5)  # begun 21:04:00 and over 21:04:30; begun 21:05:00
    inspected("D-2", "21:05", "store")
    assert numbers(trail(short())) == [5]


def test_another_decks_proof_proves_nothing_of_this_one() -> None:
    open_table()
    deal(1)
    inspected("D-3", "21:05", "store")
    deal(6)
    assert numbers(trail(short())) == [1, 6]


@pytest.mark.parametrize(
    ("known", "proves"),
    [
        ({}, True),
        ({"cards": 51}, False),
        ({"cards": 53}, False),
        ({"order_complete": False}, False),
        ({"result": "missing"}, False),
        ({"jokers": 1}, False),
        ({"missing_cards": ("AS",)}, False),
        ({"faces": "foreign"}, False),
        ({"backs": "damaged"}, True),  # complete and all its own, whatever its corners
    ],
)
def test_only_a_deck_found_complete_proves_that_no_card_was_missing(
    known: dict[str, Any], proves: bool
) -> None:
    open_table()
    deal(1)
    inspected("D-2", "21:05", "store", **known)
    deal(6)
    assert numbers(trail(short())) == ([6] if proves else [1, 6])


def test_a_damaged_back_is_no_proof_against_damage() -> None:
    open_table()
    deal(1)
    inspected("D-2", "21:05", "store", backs="damaged")
    deal(6)
    damaged = inspected("D-2", "23:00", "close", result="damaged", faces="damaged")
    assert numbers(trail(damaged)) == [1, 6]


def test_without_a_proof_the_deck_is_in_doubt_since_its_first_use() -> None:
    open_table(shown=False)
    deal(1, 2)
    open_table(day=NEXT, shown=False)
    deal(3, day=NEXT)
    found = trail(short(day=NEXT))
    assert found.spans[0].proof is None
    assert found.first_use == {"D-2": "BJ-01/2025-11-20/1"}
    assert numbers(found, "certain") == [1, 2, 3]


def test_a_deck_is_followed_to_another_table() -> None:
    open_table()
    deal(1)
    open_table("BJ-02", NEXT, shown=False, decks=opened().decks)
    deal(2, table="BJ-02", day=NEXT)
    open_table("BJ-03", NEXT, shown=False, decks=())
    deal(3, table="BJ-03", day=NEXT)
    totals = total(trail(short(table="BJ-02", day=NEXT)))
    assert sorted(totals.tables) == ["BJ-01", "BJ-02"]
    assert totals.tables["BJ-02"].certain.rounds == 1


def test_an_ordering_at_the_close_is_a_proof_for_the_next_evening() -> None:
    open_table()
    deal(1)
    inspected("D-2", "23:30", "close")
    record_events(PartidaClosed(**where()), at("23:40"))
    open_table(day=NEXT, shown=False)
    deal(2, day=NEXT)
    found = trail(short(day=NEXT))
    assert found.spans[0].proof is not None
    assert found.spans[0].proof.by == "close"
    assert numbers(found) == [2]
    assert found.whole_inside() == ["BJ-01/2025-11-21/1"]


def test_a_deck_in_doubt_counts_after_it_was_noticed_until_it_is_taken_out() -> None:
    open_table()
    deal(1)
    reported = record_events(
        IncidentReported(
            **where(),
            incident="IN-1",
            category="damaged_card",
            reason="corner",
            people=(),
            deck="D-2",
            noticed_at=at("21:05"),
        ),
        at("21:06"),
    )
    deal(6)
    record_events(
        DeckWithdrawn(**where(), deck="D-2", reason="damaged", incident="IN-1"), at("21:10")
    )
    deal(11)
    found = trail(reported)
    assert [(one.seen.number, one.phase) for one in found.rounds()] == [(1, "before"), (6, "after")]
    end = found.spans[0].end
    assert end is not None
    assert (end.by, end.at) == ("withdrawn", at("21:10"))


def test_the_round_in_which_it_was_noticed_is_in_doubt_and_the_next_is_not() -> None:
    open_table()
    deal(1, 2)  # the second begins at 21:02
    withdrawn = record_events(DeckWithdrawn(**where(), deck="D-2", reason="marked"), at("21:01"))
    assert numbers(trail(withdrawn)) == [1]


def test_a_round_nobody_timed_may_have_begun_before_it_was_noticed() -> None:
    open_table()
    deal(1, 2, timed=False)
    found = trail(record_events(DeckWithdrawn(**where(), deck="D-2", reason="marked"), at("21:02")))
    assert (numbers(found, "certain"), numbers(found, "possible")) == ([1], [2])


def test_a_card_exchanged_at_once_ends_it() -> None:
    open_table()
    deal(1)
    exchanged = record_events(
        CardReplaced(**where(), deck="D-2", card="7S", reason="damaged"), at("21:03")
    )
    deal(6)
    assert numbers(trail(exchanged)) == [1]


def test_a_shoe_shuffled_without_the_deck_is_left_out() -> None:
    open_table()
    for shoe, decks in ((1, DECKS), (2, DECKS[2:])):
        passes = tuple(DeckPasses(deck=deck, passes=3) for deck in decks)
        record_events(CardsShuffled(**where(), shoe=shoe, decks=passes), at(f"20:{30 + shoe}"))
    deal(1)
    deal(2, shoe=2)
    deal(3, shoe=None, number=None)
    deal(4, shoe=3)
    found = trail(short())
    assert [(one.seen.shoe, one.standing) for one in found.rounds()] == [
        (1, "certain"),
        (None, "possible"),
        (3, "possible"),
    ]


# Shufflers


def machine(
    clock: str, cards: int | None = 312, kind: Any = ShufflerLoaded, **known: Any
) -> Receipt:
    """The six decks go into the machine, or come out of it, counted."""
    values: dict[str, Any] = {"packets": 3} if kind is ShufflerLoaded else {"empty": True}
    event = kind(**where(), shuffler="CSM-04", decks=DECKS, cards=cards, **{**values, **known})
    return record_events(event, at(clock))


def test_a_count_at_the_loading_proves_the_number_and_nothing_else() -> None:
    open_table(dealing="shuffler", shuffler="CSM-04")
    machine("20:30")
    deal(1)
    few = machine("23:00", 311, ShufflerUnloaded)
    found = trail(few)
    assert found.defect.decks == DECKS
    assert {span.proof.by for span in found.spans if span.proof} == {"load"}
    assert numbers(found) == [1]
    foreign = inspected("D-2", "23:10", "close", result="foreign")
    (span,) = trail(foreign).spans
    assert span.proof is not None
    assert span.proof.by == "exhibition"


def test_a_load_counted_whole_is_no_defect() -> None:
    open_table(dealing="shuffler", shuffler="CSM-04")
    recorded = queries.load_entry(machine("20:30").entry_id)
    assert recorded is not None
    assert defect_of(recorded) is None


def test_cards_left_in_a_machine_are_missing_from_the_decks_last_in_it() -> None:
    open_table(dealing="shuffler", shuffler="CSM-04")
    machine("20:30", None)
    deal(1, 2)
    empty = record_events(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=0), at("22:00"))
    left = record_events(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=16), at("22:30"))
    found = trail(left)
    assert (found.defect.fault, found.defect.decks) == ("missing", DECKS)
    assert numbers(found) == [1, 2]
    recorded = queries.load_entry(empty.entry_id)
    assert recorded is not None
    assert defect_of(recorded) is None


def test_a_jam_of_a_machine_puts_all_its_decks_in_doubt() -> None:
    open_table(dealing="shuffler", shuffler="CSM-04")
    machine("20:30")
    deal(1)
    jam = record_events(
        IncidentReported(
            **where(),
            incident="IN-2",
            category="jam",
            reason="jam",
            people=(),
            shuffler="CSM-04",
            noticed_at=at("21:05"),
        ),
        at("21:05"),
    )
    deal(6)
    found = trail(jam)
    assert found.defect.decks == DECKS
    assert [(one.seen.number, one.phase) for one in found.rounds()] == [(1, "before"), (6, "after")]


# What the book does not tell, or tells twice


def test_rounds_counted_at_the_close_and_not_told_are_said() -> None:
    open_table()
    deal(1, 2, 5)
    record_events(PartidaClosed(**where(), rounds=7), at("22:30"))
    found = trail(short())
    (lacking,) = found.unrecorded()
    assert (lacking.counted, lacking.recorded, lacking.gaps, lacking.least) == (7, 3, 2, 4)


def test_a_gap_in_the_numbers_is_said_without_a_close() -> None:
    open_table()
    deal(1, 4)
    (lacking,) = trail(short()).unrecorded()
    assert (lacking.counted, lacking.gaps, lacking.least) == (None, 2, 2)


def test_nothing_is_said_where_nothing_lacks() -> None:
    open_table()
    deal(1, 2)
    record_events(PartidaClosed(**where(), rounds=2), at("22:30"))
    assert trail(short()).unrecorded() == []


def test_a_round_told_twice_counts_once() -> None:
    open_table()
    deal(1)
    record_events(dealt(1, dealer="P-9"), at("21:30"))
    assert numbers(trail(short())) == [1]


def test_a_corrected_round_counts_as_corrected() -> None:
    open_table()
    (first,) = deal(1)
    better = dealt(1)
    fewer = better.boxes[:1]
    correct(first, dataclasses.replace(better, boxes=fewer), at("21:30"))
    assert total(trail(short())).whole.certain.staked == 1000


def test_an_inspection_that_was_corrected_proves_nothing() -> None:
    open_table()
    deal(1)
    shown = inspected("D-2", "21:05", "store")
    deal(6)
    recorded = queries.load_entry(shown.entry_id)
    assert recorded is not None
    wrong = dataclasses.replace(recorded.event, cards=51, result="missing", order_complete=False)
    correct(shown, wrong, at("21:05"), approve=False)
    assert numbers(trail(short())) == [6]
    correct(inspected("D-2", "21:06", "store"), wrong, at("21:06"))
    assert numbers(trail(short())) == [6]


def test_a_deck_and_a_moment_are_enough() -> None:
    open_table()
    deal(1, 20)
    found = trail_of(defect_at("D-2", at("21:10")))
    assert [(one.seen.number, one.phase) for one in found.rounds()] == [
        (1, "before"),
        (20, "after"),
    ]
    assert list(trail_of(defect_at("D-99", at("21:10"))).rounds()) == []


def test_rounds_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.exposure.read_rounds.AT_ONCE", 2)
    open_table()
    deal(*range(1, 8))
    found: list[Exposed] = list(trail(short()).rounds())
    assert [one.seen.number for one in found] == [1, 2, 3, 4, 5, 6, 7]
