"""Converting: two sources of different shape become records; what cannot be read is refused."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from casino.converting.convert import Refused, convert
from casino.converting.mapping import Mapping, MappingError
from casino.converting.mapping_file import load_mapping
from casino.converting.round_grouping import Built
from casino.events.round.round_played import Device, Limits
from casino.reading.round_writer import round_as_json
from tests.factories.foreign_tables import NARROW, NARROW_ROWS, WIDE, WIDE_HEAD, WIDE_ROWS

pytestmark = pytest.mark.share

Convert = Callable[..., list[Built | Refused]]


@pytest.fixture
def mapping(tmp_path: Path) -> Callable[[str], Mapping]:
    """A mapping out of its text, as if it lay in a file."""

    def load(text: str) -> Mapping:
        path = tmp_path / "mapping.toml"
        path.write_text(text, "utf-8")
        return load_mapping(path)

    return load


@pytest.fixture
def converted(mapping: Callable[[str], Mapping]) -> Convert:
    """Every answer for some rows of a CSV."""

    def run(text: str, rows: list[str] | bytes) -> list[Built | Refused]:
        loaded = mapping(text)
        if isinstance(rows, list):
            rows = "\r\n".join(rows).encode(loaded.dialect.encoding)
        return list(convert(io.BytesIO(rows), loaded))

    return run


def problems(answer: Built | Refused) -> list[tuple[int, int | str | None, str]]:
    """Row, column and what was found, for each reason of a refusal."""
    assert isinstance(answer, Refused)
    return [(problem.row, problem.column, problem.found) for problem in answer.problems]


def test_the_narrow_shape(converted: Convert) -> None:
    (answer,) = converted(NARROW, NARROW_ROWS)
    assert isinstance(answer, Built)
    played = answer.round
    assert played.partida == "T-1/2026-11-20/1"
    assert played.device == Device("narrow", 1)
    assert played.bank.cards == ("X?", "9?")
    assert [(b.number, b.holder) for b in played.boxes] == [(1, "Ana"), (2, "Rui")]
    assert [b.hands[0].cards for b in played.boxes] == [("X?", "7?"), ("5?", "6?")]
    assert [w.returned_cents for b in played.boxes for w in b.wagers] == [0, 0]
    assert [tuple(t) for t in answer.traced] == [(1, 1, 1), (2, 2, 1)]
    assert answer.notes == ()


def test_the_wide_shape(converted: Convert) -> None:
    first, second = converted(WIDE, [WIDE_HEAD, *WIDE_ROWS])
    assert isinstance(first, Built)
    assert isinstance(second, Built)
    played = first.round
    assert (played.table, played.number, played.dealer, played.rulebook) == ("BJ-2", 7, "P-1", "pt")
    assert played.limits == Limits(500, 15000)
    assert played.bank.cards == ("AS", "9S")
    (box,) = played.boxes
    assert [(h.cards, h.actions, h.split_from) for h in box.hands] == [
        (("8H", "3D", "TD"), ("split", "double"), None),
        (("8C", "TD"), ("stand",), 1),
    ]
    stakes = [(w.owner, w.kind, w.hand, w.stake_cents, w.returned_cents) for w in box.wagers]
    assert stakes == [
        ("J1", "main", 1, 101_050, 202_100),
        ("J1", "insurance", None, 250, 0),
        ("J1", "main", 2, 50_525, 0),
        ("J2", "main", 1, 50_000, 100_000),
    ]
    assert box.wagers[0].seat == 1
    assert box.wagers[3].seat is None
    assert (second.round.number, second.round.dealer) == (8, None)
    assert second.round.boxes[0].wagers[0].returned_cents == 500


def test_the_same_file_gives_the_same_bytes(converted: Convert) -> None:
    once, again = (
        [round_as_json(a.round) for a in converted(WIDE, [WIDE_HEAD, *WIDE_ROWS]) if a[0]]
        for _ in range(2)
    )
    assert once == again
    (other,) = converted(NARROW.replace('"narrow"', '"other"'), NARROW_ROWS)
    (narrow,) = converted(NARROW, NARROW_ROWS)
    assert isinstance(other, Built)
    assert isinstance(narrow, Built)
    assert other.round.round != narrow.round.round


def test_decisions_follow_from_the_cards_where_nothing_else_tells_them(converted: Convert) -> None:
    more = NARROW.replace("stand = true", 'stand = true\nno_stand = { column = 9, values = ["0"] }')
    rows = ["0,Ana,5,6,7,10,9,0,0,18", "1,Rui,1,10,0,10,9,0,25,21"]
    for text, first in ((NARROW, ("hit", "stand")), (more, ("hit",))):
        (answer,) = converted(text, rows)
        assert isinstance(answer, Built)
        # A hand that has 21 is not asked whether it stands.
        assert [b.hands[0].actions for b in answer.round.boxes] == [first, ()]


def test_flags_tell_a_double_and_a_surrender(converted: Convert) -> None:
    flags = (
        'doubled = { column = 11, values = ["D"] }\nsurrendered = { column = 11, values = ["R"] }'
    )
    text = NARROW.replace("stand = true", f"stand = true\n{flags}")
    rows = ["0,Ana,5,6,7,10,9,0,0,18,D", "1,Rui,10,6,0,10,9,0,5,16,R"]
    (answer,) = converted(text, rows)
    assert isinstance(answer, Built)
    assert [b.hands[0].actions for b in answer.round.boxes] == [("double",), ("surrender",)]


def test_cross_checks_tell_and_refuse_nothing(converted: Convert) -> None:
    (answer,) = converted(NARROW, [NARROW_ROWS[0], NARROW_ROWS[1][:-2] + "many"])
    assert isinstance(answer, Built)
    assert [tuple(note) for note in answer.notes] == [(2, 10, "player_total", "many", "11")]


@pytest.mark.parametrize(
    ("check", "column", "value", "noted"),
    [
        ("bank_total = { column = 11 }", 11, "19", False),
        ("bank_total = { column = 11 }", 11, "20", True),
        ("first_two = { column = 11 }", 11, "17", False),
        ("first_two = { column = 11 }", 11, "7", True),
        ('blackjack = { column = 11, values = ["BJ"] }', 11, "BJ", True),
        ('player_bust = { column = 11, values = ["B"] }', 11, "B", True),
        ('bank_bust = { column = 11, values = ["B"] }', 11, "B", True),
        ('won = { column = 11, values = ["W"] }', 11, "W", True),
        ('lost = { column = 11, values = ["L"] }', 11, "L", False),
        ('lost = { column = 11, values = ["L"] }', 11, "T", True),
        ('tied = { column = 11, values = ["T"] }', 11, "T", True),
        ("kept = { column = 11 }", 11, "10", False),
        ("kept = { column = 11 }", 11, "9", True),
        ("kept = { column = 11 }", 11, "ten", True),
    ],
)
def test_each_cross_check(
    converted: Convert, check: str, column: int, value: str, noted: bool
) -> None:
    (answer,) = converted(
        NARROW.replace("rows = 2", "rows = 1") + check, [f"{NARROW_ROWS[0]},{value}"]
    )
    assert isinstance(answer, Built)
    expected = [(1, column, check.split(maxsplit=1)[0], value)] if noted else []
    assert [tuple(note)[:4] for note in answer.notes] == expected


@pytest.mark.parametrize(
    ("row", "column", "found"),
    [
        ("1,Rui,5,0,4,10,9,0,0,11", 5, "'4'"),
        ("1,Rui,5,0,6,10,9,0,12.345,11", 9, "'12.345'"),
        ("1,Rui,5,0,6,10,9,0,-1,11", 9, "'-1'"),
        ("1,Rui,5,0,6,10,9,0,1e3,11", 9, "'1e3'"),
        ("1,Rui,5,0,6,10,9,0,10.,11", 9, "'10.'"),
        ("1,Rui,5,0,6,10,9,0,99999999999999,11", 9, "'99999999999999'"),
        ("1,Rui,5,0,6,10,9,0,,11", 9, "''"),
        ("one,Rui,5,0,6,10,9,0,0,11", 1, "'one'"),
        ("1,R u i,5,0,6,10,9,0,0,11", 2, "'R u i'"),
        ("1,Rui,5,0,6,10,7,0,0,11", 6, "bank cards X? 7?"),
        ("1,Rui,5,0,6,10,9,0,0", None, "9 columns"),
        ("1,Rui,5,0,6,10,9,0,0,11,", None, "11 columns"),
    ],
)
def test_what_cannot_be_read_is_named_and_costs_its_round_only(
    converted: Convert, row: str, column: int | None, found: str
) -> None:
    bad, good = converted(NARROW, [NARROW_ROWS[0], row, *NARROW_ROWS])
    assert problems(bad) == [(2, column, found)]
    assert isinstance(good, Built)
    assert good.round.device == Device("narrow", 3)


def test_every_unreadable_row_of_a_round_is_named(converted: Convert) -> None:
    (bad,) = converted(NARROW, ["0,Ana,8,7,0,10,9,0,0,17", "1,Rui,5,0,2,10,9,0,0,11"])
    assert problems(bad) == [(1, 3, "'8'"), (2, 5, "'2'")]


def test_a_gap_is_refused_where_the_mapping_says_there_is_none(converted: Convert) -> None:
    (bad,) = converted(NARROW.replace("gaps = true", "gaps = false"), NARROW_ROWS)
    assert problems(bad) == [(2, 4, "'0'")]


def test_a_record_that_contradicts_itself_is_refused(converted: Convert) -> None:
    (bad,) = converted(NARROW, [NARROW_ROWS[0], "1,Rui,0,0,0,10,9,0,0,0"])
    ((row, column, found),) = problems(bad)
    assert (row, column) == (1, None)
    assert found.startswith("$.boxes[1].hands[0].cards")


def test_two_rows_for_one_stake_are_refused(converted: Convert) -> None:
    (bad,) = converted(NARROW, [NARROW_ROWS[0], NARROW_ROWS[0]])
    assert problems(bad) == [(2, None, "a second row for box 1, hand 1, owner Ana")]


@pytest.mark.parametrize(("choice", "outcome"), [("refuse", None), ("keep", ""), ("void", "void")])
def test_an_incomplete_round(converted: Convert, choice: str, outcome: str | None) -> None:
    text = NARROW.replace('"refuse"', f'"{choice}"')
    _, last = converted(text, [*NARROW_ROWS, NARROW_ROWS[0]])
    if outcome is None:
        assert problems(last) == [(3, None, "rows in this round: 1")]
    else:
        assert isinstance(last, Built)
        assert last.round.voided == ("incident" if outcome else None)


def test_an_index_that_starts_over_begins_a_round(converted: Convert) -> None:
    text = NARROW.replace('by = "count"', 'by = "restart"\ncolumn = 1')
    whole, short, after = converted(text, [*NARROW_ROWS, NARROW_ROWS[0], *NARROW_ROWS])
    assert isinstance(whole, Built)
    assert problems(short) == [(3, None, "rows in this round: 1")]
    assert isinstance(after, Built)
    wide = text.replace("header = false", "header = false\ncolumns = 10")
    unreadable, good = converted(wide, ["0,short", NARROW_ROWS[1], *NARROW_ROWS])
    assert isinstance(unreadable, Refused)
    assert isinstance(good, Built)


def test_rows_of_a_key_stand_together(converted: Convert) -> None:
    rows = [WIDE_HEAD, *WIDE_ROWS, WIDE_ROWS[0]]
    *good, bad = converted(WIDE, rows)
    assert all(isinstance(answer, Built) for answer in good)
    assert problems(bad) == [(9, "Rodada", "'7'")]


def test_an_unreadable_row_between_two_rounds_may_belong_to_either(converted: Convert) -> None:
    rows = [WIDE_HEAD, *WIDE_ROWS[:5], "7;20/11/2026", *WIDE_ROWS[5:]]
    first, second = converted(WIDE, rows)
    assert problems(first) == [(7, None, "2 columns")]
    assert problems(second) == [(8, None, "row 7 before it, which could not be read")]


def test_rows_of_a_round_agree(converted: Convert) -> None:
    other = WIDE_ROWS[1].replace("20/11/2026", "21/11/2026")
    (bad, _) = converted(WIDE, [WIDE_HEAD, WIDE_ROWS[0], other, *WIDE_ROWS[2:]])
    assert problems(bad) == [(3, None, "2026-11-21")]
    unspelled = WIDE_ROWS[1].replace("20/11/2026", "2026-11-20")
    (bad, _) = converted(WIDE, [WIDE_HEAD, WIDE_ROWS[0], unspelled, *WIDE_ROWS[2:]])
    assert problems(bad) == [(3, "Dia", "'2026-11-20'")]


def test_the_example_in_the_docs_converts(converted: Convert) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "converting.md").read_text("utf-8")
    rows = page.split("```\nRodada;")[1].split("```")[0]
    text = page.split("```toml\n")[1].split("```")[0]
    (answer,) = converted(text, ["Rodada;" + rows.splitlines()[0], *rows.splitlines()[1:]])
    assert isinstance(answer, Built)
    assert answer.round.boxes[0].hands[0].actions == ("split", "double")
    assert {wager.owner for wager in answer.round.boxes[0].wagers} == {"J1", "J2"}


# One row a round: two boxes, the second split into two hands, cards with signs around them.
IN_A_ROW = """\
[source]
name = "row"
[csv]
header = true
[rounds]
by = "count"
rows = 1
incomplete = "refuse"
hands = [
    { Box = "B1", Who = "W1", No = "N1", Of = "F1", Cards = "C1", Stake = "S1", Back = "R1" },
    { Box = "B2", Who = "W2", No = "N2", Of = "F2", Cards = "C2", Stake = "S2", Back = "R2" },
    { Box = "B3", Who = "W3", No = "N3", Of = "F3", Cards = "C3", Stake = "S3", Back = "R3" },
]
[round]
table = "T-1"
day = 2026-11-20
game = 1
[box]
number = { column = "Box" }
owner = { column = "Who" }
[hand]
number = { column = "No" }
from = { column = "Of", blank = [""] }
cards = { column = "Cards" }
[bank]
cards = { column = "Bank" }
[cards]
blank = [""]
gaps = false
strip = "[]*"
codes = { "8" = "8?", "9" = "9?", "10" = "X?", "K" = "K?" }
[actions]
by = "cards"
stand = true
[money]
cents_per_unit = 100
blank = [""]
[[wager]]
kind = "main"
stake = { column = "Stake" }
returned = { column = "Back" }
optional = true
"""
HANDS_OF_A_ROW = (
    "B1,W1,N1,F1,C1,S1,R1,B2,W2,N2,F2,C2,S2,R2,B3,W3,N3,F3,C3,S3,R3,Bank",
    "1,Ana,1,,[10] 9*,5,10,2,Rui,1,,8 [K],5,5,2,Rui,2,1,8 9,5,0,10 8",
)


def test_several_hands_stand_in_one_row_and_their_cards_lose_their_signs(
    converted: Convert,
) -> None:
    (answer,) = converted(IN_A_ROW, list(HANDS_OF_A_ROW))
    assert isinstance(answer, Built)
    boxes = {box.number: box for box in answer.round.boxes}
    assert [hand.cards for hand in boxes[1].hands] == [("X?", "9?")]
    assert [hand.cards for hand in boxes[2].hands] == [("8?", "K?"), ("8?", "9?")]
    assert boxes[2].hands[1].split_from == 1
    assert [wager.returned_cents for wager in boxes[2].wagers] == [500, 0]
    assert {traced.row for traced in answer.traced} == {2}


def test_columns_of_a_hand_that_was_not_played_are_none(converted: Convert) -> None:
    row = "1,Ana,1,,10 9,5,10" + "," * 14 + ",10 8"
    (answer,) = converted(IN_A_ROW, [HANDS_OF_A_ROW[0], row])
    assert isinstance(answer, Built)
    assert [len(box.hands) for box in answer.round.boxes] == [1]


def test_a_column_of_a_hand_that_is_not_there_is_named_before_any_row(converted: Convert) -> None:
    with pytest.raises(MappingError, match="R3"):
        converted(IN_A_ROW, [HANDS_OF_A_ROW[0].replace("R3", "X3"), HANDS_OF_A_ROW[1]])


def test_a_sign_the_mapping_does_not_take_out_is_no_card(converted: Convert) -> None:
    (answer,) = converted(IN_A_ROW, [HANDS_OF_A_ROW[0], HANDS_OF_A_ROW[1].replace("9*", "9!")])
    assert problems(answer) == [(2, "C1", "'9!'")]


def test_a_row_no_wager_matches_is_named(converted: Convert) -> None:
    row = HANDS_OF_A_ROW[1].replace("8 [K],5,5", "8 [K],,5")
    (answer,) = converted(IN_A_ROW, [HANDS_OF_A_ROW[0], row])
    assert problems(answer) == [(2, None, "a row that no [[wager]] matches")]
