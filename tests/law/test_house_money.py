"""The chips of a table at its closing against those its game left there: a control of the house.

Every game here: 1,000.00 at the opening, three rounds of which the table keeps 10.00, chips sold
for 500.00. So 510.00 have to lie there at the closing.
"""

from dataclasses import replace
from typing import Any, Final

import pytest

from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.floor_life import ChipsCounted, DropCounted, PartidaReopened
from casino.events.partidas import ChipCount, PartidaClosed
from casino.events.round.round_played import Device, RoundPlayed, Wager
from casino.law.finding import Undecided
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.lacking import lacking
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.table_money import TableMoney, money_of
from tests.factories.games import Game, iso, moment
from tests.factories.rounds import box, main
from tests.law.asking import BREACH, LAWFUL, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import judged, said, the_finding

CHECK: Final = "chips_are_those_of_the_game"
OPENING, DROP, CLOSING = 100_000, 50_000, 51_000
WON, LOST, TIED = (1000, 2000), (2000, 0), (1500, 1500)


def chips(cents: int) -> tuple[ChipCount, ...]:
    return (ChipCount(value_cents=1, count=cents),)


def count(game: Game, occasion: str, cents: int, at: str, **known: Any) -> None:
    game.record(ChipsCounted, at, moment=occasion, counts=chips(cents), **known)


def deal(game: Game, *wagers: Wager, at: str, **known: Any) -> None:
    number = 1 + sum(isinstance(one.event, RoundPlayed) for one in game.entries)
    device = Device("D-7", 40 + number)
    game.round(number=number, at=at, boxes=(box(1, "TS 8D", *wagers),), device=device, **known)


def night(closing: int = CLOSING, *, rounds: int = 3, drop: int | None = DROP) -> Game:
    """The whole game, and nothing of it left out."""
    game = Game(counts=chips(OPENING))
    count(game, "opening", OPENING, "19:02")
    for stake, at in ((WON, "20:10"), (LOST, "20:12"), (TIED, "20:14")):
        deal(game, main(*stake), at=at)
    count(game, "closing", closing, "02:55")
    game.close(rounds=rounds)
    if drop is not None:
        game.record(DropCounted, "05:00", cash_cents=drop)
    return game


def money(game: Game) -> TableMoney:
    dossier = game.dossier()
    return money_of(PartidaContext(dossier, load_law("pt").on(dossier.gaming_day)))


def lacks(game: Game) -> str:
    """What the check says it lacks; '' where it decided."""
    (answer,) = [one for name, one in judged(game).outcomes if name == CHECK]
    return answer.missing if isinstance(answer, Undecided) else ""


# -- Lawful, unlawful, at the boundary -------------------------------------------------------------


@upholds_case(CHECK, "lawful")
def test_what_was_counted_is_what_the_game_left_there() -> None:
    assert said(CHECK, night()) == LAWFUL
    assert money(night()).expected == CLOSING


@upholds_case(CHECK, "unlawful")
@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize(("off", "name"), [(-500, "missing_cents"), (2500, "surplus_cents")])
def test_a_round_paid_otherwise_than_it_says_is_found_in_every_rulebook(
    off: int, name: str, book: str
) -> None:
    found = the_finding(CHECK, night(CLOSING + off), book)
    assert (found.rulebook, found.article, found.severity) == ("house", "house.cash", "warning")
    assert found.observed == {
        "counted_cents": CLOSING + off, name: abs(off), "since": iso("19:02"), "rounds": 3,
    }  # fmt: skip
    assert found.expected == {"counted_cents": CLOSING}
    assert len(found.evidence) == 6  # opening, closing, the box, three rounds


@upholds_case(CHECK, "boundary")
@pytest.mark.parametrize(("off", "answer"), [(-1, BREACH), (0, LAWFUL), (1, BREACH)])
def test_a_single_cent_is_enough(off: int, answer: str) -> None:
    assert said(CHECK, night(CLOSING + off)) == answer


# -- The terms -------------------------------------------------------------------------------------


def test_chips_brought_and_taken_away_are_counted() -> None:
    game = night(CLOSING + 30_000 - 4_000)
    count(game, "fill", 30_000, "21:00")
    count(game, "credit", 4_000, "22:00")
    assert said(CHECK, game) == LAWFUL


def test_several_boxes_of_one_game_add_up() -> None:
    game = night(drop=None)
    for at, cash in (("23:00", 20_000), ("03:00", 30_000)):
        game.record(DropCounted, "05:00", cash_cents=cash, taken_at=moment(at))
    assert said(CHECK, game) == LAWFUL


@pytest.mark.parametrize(
    "wagers",
    [
        # What others have on the box, and what lies beside the cards, are chips like any other.
        [main(1000, 0), main(4000, 8000, owner="J9"), Wager("J9", "insurance", 500, 0)],
        # A prize that has no stake of its own.
        [main(1000, 2000), Wager("J1", "special", 0, 3000, hand=1)],
    ],
)
def test_every_wager_of_a_box_moves_chips_of_the_table(wagers: list[Wager]) -> None:
    kept = sum(one.stake_cents - one.returned_cents for one in wagers)
    assert kept < 0
    game = night(CLOSING + kept, rounds=4)
    deal(game, *wagers, at="20:16")
    assert said(CHECK, game) == LAWFUL


def test_chips_of_a_progressive_prize_are_its_pools() -> None:
    game = night(rounds=4)
    deal(game, main(*TIED), Wager("J1", "jackpot", 250, 0, chip=1), at="20:16")
    assert said(CHECK, game) == LAWFUL


def test_a_voided_round_counts_with_what_was_handed_back() -> None:
    game = night(rounds=4)
    deal(game, main(3000, 3000), at="20:16", interrupted="incident")
    assert said(CHECK, game) == LAWFUL


# -- Since when ------------------------------------------------------------------------------------


def counted_between(*offs: int, exchanged: bool = True) -> Game:
    """200.00 too few at the closing; counts after the first and after the second round, off by so
    much, each with its drop box exchanged, where they were exchanged.
    """
    game = night(CLOSING - 20_000, drop=None)
    for at, kept, off in zip(("20:11", "20:13"), (-1000, 1000), offs, strict=False):
        sold = 10_000 if at == "20:11" else 25_000
        count(game, "interim", OPENING + kept - sold + off, at)
    for at, cash in (("20:11", 10_000), ("20:13", 15_000), ("03:00", 25_000)):
        taken = moment(at) if exchanged else None
        game.record(DropCounted, "05:00", cash_cents=cash, taken_at=taken)
    return game


@pytest.mark.parametrize(
    ("offs", "since", "rounds"),
    [
        ((0, 0), "20:13", 1),
        ((0, -20_000), "20:11", 2),
        ((-20_000, -20_000), "19:02", 3),
        ((-20_000, 0), "20:13", 1),  # it had come right by then
        ((0,), "20:11", 2),
        ((), "19:02", 3),
    ],
)
def test_it_is_since_the_last_count_that_agreed(
    offs: tuple[int, ...], since: str, rounds: int
) -> None:
    found = the_finding(CHECK, counted_between(*offs))
    assert found.observed["since"] == iso(since)
    assert found.observed["rounds"] == rounds
    assert found.observed["missing_cents"] == 20_000


def test_without_boxes_exchanged_a_count_is_off_only_where_no_sale_explains_it() -> None:
    off = [one.off for one in money(counted_between(-20_000, -20_000, exchanged=False)).checkpoints]
    assert off == [0, 0]  # so much may have been sold by then
    off = [one.off for one in money(counted_between(-41_000, 10_001, exchanged=False)).checkpoints]
    assert off == [-1_000, 0]
    assert [one.off for one in money(counted_between(10_001, exchanged=False)).checkpoints] == [1]


def test_a_count_in_the_midst_of_a_round_tells_nothing() -> None:
    game = night(CLOSING - 500)
    count(game, "interim", 1, "20:12:30")
    second = [one for one in game.entries if isinstance(one.event, RoundPlayed)][1]
    times = replace(second.event.times, paid=moment("20:13"))
    place = game.entries.index(second)
    game.entries[place] = replace(second, event=replace(second.event, times=times))
    assert [one.off for one in money(game).checkpoints] == [None]
    assert the_finding(CHECK, game).observed["since"] == iso("19:02")


@pytest.mark.parametrize("kind", [DropCounted, RoundPlayed])
def test_a_count_between_tells_nothing_where_a_term_of_the_game_is_lacking(kind: Any) -> None:
    game = counted_between(-41_000)
    assert [one.off for one in money(game).checkpoints] == [-41_000]
    game.drop(kind, **({"number": 3} if kind is RoundPlayed else {}))
    assert [one.off for one in money(game).checkpoints] == [None]


def test_of_a_closing_that_was_undone_the_count_is_one_between() -> None:
    game = night(CLOSING - 500)
    count(game, "closing", OPENING - 1000 - DROP, "20:11")
    game.record(PartidaReopened, "20:11:30", by="S-300", reason="play_goes_on")
    found = the_finding(CHECK, game)
    assert (found.observed["since"], found.observed["rounds"]) == (iso("20:11"), 2)


# -- What is lacking -------------------------------------------------------------------------------


def without(kind: Any, **fields: Any) -> Game:
    """A game short of 5.00 of which something is not on record."""
    game = night(CLOSING - 500)
    game.drop(kind, **fields)
    return game


@pytest.mark.parametrize(
    ("game", "missing"),
    [
        (without(DropCounted), "drop_uncounted"),
        (without(ChipsCounted, moment="closing"), "closing_uncounted"),
        (without(PartidaClosed), "rounds_unaccounted"),
        (without(RoundPlayed, number=1), "rounds_unaccounted"),
        (without(RoundPlayed, number=2), "rounds_unaccounted"),
        (night(CLOSING - 500, rounds=4), "rounds_unaccounted"),
        (night(CLOSING - 500, rounds=2), "rounds_unaccounted"),
    ],
)
def test_what_is_not_on_record_leaves_it_open(game: Game, missing: str) -> None:
    assert said(CHECK, game) == UNDECIDED
    assert lacks(game) == missing
    told = lacking(CHECK, missing)
    assert told is not None
    assert told.what


def test_it_is_open_without_a_count_at_the_opening() -> None:
    game = without(ChipsCounted, moment="opening")
    assert said(CHECK, game) == BREACH  # the opening names the float as well
    bare = Game()
    game.entries[0] = bare.entries[0]
    assert lacks(game) == "opening_uncounted"


@pytest.mark.parametrize(
    ("occasion", "at", "missing"),
    [("opening", "19:03", "opening_uncounted"), ("closing", "02:57", "closing_uncounted")],
)
def test_two_counts_that_differ_decide_nothing(occasion: str, at: str, missing: str) -> None:
    game = night(CLOSING - 500)
    count(game, occasion, OPENING if occasion == "opening" else CLOSING - 500, at)
    assert said(CHECK, game) == BREACH  # the same twice is one
    count(game, occasion, CLOSING, at)
    assert lacks(game) == missing


@pytest.mark.parametrize("late", ["round", "fill"])
def test_a_count_before_the_end_of_the_game_is_none_of_its_closing(late: str) -> None:
    game = night(CLOSING - 500, rounds=4 if late == "round" else 3)
    if late == "round":
        deal(game, main(*WON), at="02:56")
    else:
        count(game, "fill", 500, "02:56")
    assert lacks(game) == "closing_uncounted"


def test_a_gap_in_what_the_device_counted_leaves_it_open() -> None:
    game = night(CLOSING - 500)
    game.change(RoundPlayed, device=Device("D-7", 44))  # 41, 42, 44
    assert lacks(game) == "rounds_unaccounted"
    game.change(RoundPlayed, device=Device("D-8", 44))  # another device's count
    assert said(CHECK, game) == BREACH
    game = night(CLOSING - 500, rounds=4)
    deal(game, main(*TIED), at="20:16")
    assert said(CHECK, game) == BREACH
    place = [n for n, one in enumerate(game.entries) if isinstance(one.event, RoundPlayed)][1]
    told = game.entries[place]
    game.entries[place] = replace(told, event=replace(told.event, device=None))
    assert said(CHECK, game) == BREACH  # 41, 43, 44, and one of which nobody tells the device


def test_a_round_told_twice_leaves_it_open() -> None:
    game = night(CLOSING - 500, rounds=4)
    deal(game, main(*WON), at="20:10")
    game.change(RoundPlayed, number=1, device=None)
    assert lacks(game) == "rounds_unaccounted"


def test_the_box_that_lay_there_last_has_to_be_counted() -> None:
    game = night(CLOSING - 500, drop=None)
    game.record(DropCounted, "05:00", cash_cents=DROP, taken_at=moment("20:13"))
    assert lacks(game) == "drop_uncounted"


@pytest.mark.parametrize(("paid", "missing"), [(500, "paid_from"), (499, "")])
def test_what_was_paid_on_a_complaint_may_be_what_is_gone(paid: int, missing: str) -> None:
    game = night(CLOSING - 500)
    game.record(ComplaintReceived, "20:20", complaint="RC-1", subject="payment")
    game.record(
        ComplaintDecided, "20:40", complaint="RC-1", outcome="upheld", reason="x", paid_cents=paid
    )
    assert lacks(game) == missing


def test_whatever_record_is_dropped_it_is_never_lawful() -> None:
    """None of them is a count between, of which a lawful closing asks nothing."""
    whole = night(CLOSING - 500)
    for place in range(len(whole.entries)):
        game = night(CLOSING - 500)
        del game.entries[place]
        assert said(CHECK, game) in (BREACH, UNDECIDED), whole.entries[place].event.kind


def test_the_evening_of_a_house_that_counts_nothing_is_open() -> None:
    game = Game()
    game.round()
    game.close()
    assert said(CHECK, game) == UNDECIDED
