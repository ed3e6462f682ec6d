"""The recorded hands: every figure of docs/recorded-hands.md, by the engine and reckoned plainly.

The reckoning here shares nothing with casino.converting or casino.law: it reads the CSV
itself and knows the rules as sentences. The file is not part of the project; without it these
tests are left out by name.
"""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from casino.converting.convert import Refused, convert
from casino.converting.mapping_file import load_mapping
from casino.converting.round_grouping import Built
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law

DOCS = Path(__file__).resolve().parents[2] / "docs"
MAPPING = DOCS / "recorded-hands" / "mapping.toml"
RULEBOOK = DOCS / "recorded-hands" / "rulebook.toml"

# docs/recorded-hands.md, list (a), (b) and (c), and what the other reading adds to (a).
MONEY = {697, 698, 699, 700, 701, 702, 846}
BANK_PLAYED = {31, 805}  # first rows of the two rounds
COUNTED = {122, 846, *range(697, 703), *range(805, 811)}
UNDECIDED = {31, 32, 33, 34, 35, 36, 806, 808, 809, 810}
BLACKJACK_MET_21 = {180, 337, 964, 1166}
TWENTY_ONE_MET_BLACKJACK = {72, 567, 588, 665, 687, 1215, 1216, 1217}


class Plain(NamedTuple):
    """One row, read without the project."""

    number: int
    seat: int
    cards: tuple[int, ...]
    slots: tuple[int, ...]
    counted: int
    bank: tuple[int, ...]
    bank_counted: int
    flag: str
    result: str
    returned: int
    lost: int
    first_two: int


@pytest.fixture(scope="module")
def data(shared_data: Callable[[str], Path]) -> Path:
    return shared_data("data/recorded_hands_1363.csv")


@pytest.fixture(scope="module")
def rows(data: Path) -> list[Plain]:
    read = []
    with data.open(encoding="ascii", newline="") as file:
        for number, cells in enumerate(csv.reader(file), 1):
            slots = tuple(int(cell) for cell in cells[2:7])
            bank = tuple(int(cell) for cell in cells[8:13] if cell != "0")
            cards = tuple(slot for slot in slots if slot)
            money = int(cells[18]), int(cells[19])
            read.append(
                Plain(
                    number,
                    int(cells[0]),
                    cards,
                    slots,
                    int(cells[7]),
                    bank,
                    int(cells[13]),
                    cells[14],
                    cells[15],
                    *money,
                    int(cells[20]),
                )
            )
    return read


@pytest.fixture(scope="module")
def answers(data: Path) -> list[Built | Refused]:
    with data.open("rb") as file:
        return list(convert(file, load_mapping(MAPPING)))


def low(cards: tuple[int, ...]) -> int:
    """Points with every ace as 1."""
    return sum(1 if card == 11 else card for card in cards)


def points(cards: tuple[int, ...]) -> int:
    """Points with an ace as 11 where it fits."""
    has_ace = 1 in cards or 11 in cards
    return low(cards) + (10 if has_ace and low(cards) <= 11 else 0)


def is_natural(cards: tuple[int, ...]) -> bool:
    return len(cards) == 2 and points(cards) == 21


def reckoned(row: Plain, *, natural_is_more: bool) -> int | None:
    """What a stake of 10 should hand back; None where the bank stopped too early to tell."""
    mine, bank = points(row.cards), points(row.bank)
    if mine > 21:
        return 0
    if natural_is_more and is_natural(row.cards) != is_natural(row.bank) and mine == bank == 21:
        return 25 if is_natural(row.cards) else 0
    if bank < 17:
        return None
    if mine == bank:
        return 10
    if bank > 21 or mine > bank:
        return 25 if is_natural(row.cards) else 20
    return 0


def engine_lists(answers: list[Built | Refused], **readings: bool) -> dict[str, set[int]]:
    """Row numbers by list: money, undecided, and the first rows of rounds with a breach of play."""
    law = load_law(RULEBOOK)
    if readings:
        law = law.with_readings({"blackjack-against-21": readings["natural_is_more"]})
    lists: dict[str, set[int]] = {"money": set(), "undecided": set(), "play": set()}
    for answer in answers:
        if isinstance(answer, Refused):
            continue
        row_of = {(traced.box, traced.hand): traced.row for traced in answer.traced}
        judgement = judge(answer.round, law)
        for verdict in judgement.wagers:
            name = {"finding": "money", "not_decidable": "undecided"}.get(verdict.outcome)
            if name:
                assert verdict.hand is not None
                lists[name].add(row_of[verdict.box, verdict.hand])
        if any(finding.owed_to is None for finding in judgement.findings):
            lists["play"].add(answer.traced[0].row)
    return lists


def test_the_rounds(rows: list[Plain], answers: list[Built | Refused]) -> None:
    assert len(rows) == 1363
    assert all(row.seat == (row.number - 1) % 6 for row in rows)
    *whole, last = answers
    assert len(whole) == 227
    assert all(isinstance(answer, Built) and len(answer.traced) == 6 for answer in whole)
    assert isinstance(last, Refused)
    assert (last.first_row, last.last_row, last.rows) == (1363, 1363, 1)
    # The round that was cut off would not have been against the rules in the row that is left.
    assert reckoned(rows[-1], natural_is_more=False) == rows[-1].returned


def test_the_engine_and_the_plain_reckoning_agree_on_every_row(
    rows: list[Plain], answers: list[Built | Refused]
) -> None:
    for natural_is_more in (False, True):
        found = engine_lists(answers, natural_is_more=natural_is_more)
        due = {r.number: reckoned(r, natural_is_more=natural_is_more) for r in rows[:-1]}
        assert found["undecided"] == {number for number, cents in due.items() if cents is None}
        money = {n for n, c in due.items() if c is not None and c != rows[n - 1].returned}
        assert found["money"] == money


def test_the_lists(answers: list[Built | Refused]) -> None:
    assert engine_lists(answers) == {
        "money": MONEY,
        "undecided": UNDECIDED,
        "play": BANK_PLAYED,
    }
    more = engine_lists(answers, natural_is_more=True)
    assert more["money"] == MONEY | BLACKJACK_MET_21 | TWENTY_ONE_MET_BLACKJACK
    assert (more["undecided"], more["play"]) == (UNDECIDED, BANK_PLAYED)


def test_counting_that_contradicts_the_cards(
    rows: list[Plain], answers: list[Built | Refused]
) -> None:
    by_players = {row.number for row in rows if row.counted != points(row.cards)}
    by_the_bank = {row.number for row in rows if row.bank_counted != points(row.bank)}
    assert by_players | by_the_bank == COUNTED
    noted = {note.row for answer in answers if isinstance(answer, Built) for note in answer.notes}
    assert noted == COUNTED
    # Every total is the sum of the codes as they stand: the contradiction lies in how an ace is
    # written.
    assert all(row.counted == sum(row.cards) for row in rows)
    assert all(row.bank_counted == sum(row.bank) for row in rows)


def test_the_money_rules(rows: list[Plain]) -> None:
    """A rule, the rows it speaks of, and the rows that do not follow."""
    naturals = [row for row in rows if is_natural(row.cards)]
    bust = [row for row in rows if points(row.cards) > 21]
    alive = [row for row in rows if points(row.cards) <= 21]
    over_bank = [r for r in alive if points(r.bank) > 21 and not is_natural(r.cards)]
    equal = [r for r in alive if points(r.cards) == points(r.bank)]
    higher = [r for r in alive if points(r.bank) < points(r.cards) and not is_natural(r.cards)]
    lower = [r for r in alive if points(r.cards) < points(r.bank) <= 21]
    winning_naturals = [r for r in naturals if r.result == "Win"]
    # 697-702 were settled against a bank of 10 that holds 20, 846 as a bust hand that holds 15.
    assert settled(naturals, {10, 25}) == (76, set())
    assert settled(winning_naturals, {25}) == (70, set())
    assert settled(bust, {0}) == (237, set())
    assert settled(over_bank, {20}) == (307, {846})
    assert settled(equal, {10}) == (119, set())
    assert settled(higher, {20}) == (235, set())
    assert settled(lower, {0}) == (395, set(range(697, 703)))
    assert {row.number for row in naturals} == {row.number for row in rows if row.flag == "Win"}
    assert {row.returned for row in rows} == {0, 10, 20, 25}
    assert all(row.lost == (10 if row.returned == 0 else 0) for row in rows)


def settled(some: list[Plain], amounts: set[int]) -> tuple[int, set[int]]:
    """How many rows a rule speaks of, and those that were settled otherwise."""
    return len(some), {row.number for row in some if row.returned not in amounts}


def test_a_blackjack_is_no_more_than_another_21(rows: list[Plain]) -> None:
    by_kind: dict[tuple[bool, bool], set[int]] = {}
    for row in rows:
        if points(row.cards) == points(row.bank) == 21:
            kind = (is_natural(row.cards), is_natural(row.bank))
            by_kind.setdefault(kind, set()).add(row.number)
    assert by_kind == {
        (True, False): BLACKJACK_MET_21,
        (False, True): TWENTY_ONE_MET_BLACKJACK,
        (True, True): {71, 868},
        (False, False): {441, 470, 963},
    }


def test_the_banks_rules(rows: list[Plain]) -> None:
    drew: dict[tuple[str, bool], int] = {}
    stood: dict[tuple[str, bool], int] = {}
    early = set()
    for row in rows[::6]:
        for held in range(2, len(row.bank) + 1):
            total = points(row.bank[:held])
            kind = ("draws" if total <= 16 else "stands", total != low(row.bank[:held]))
            did = drew if held < len(row.bank) else stood
            did[kind] = did.get(kind, 0) + 1
            if did is stood and total <= 16:
                early.add(row.number)
    assert drew == {("draws", False): 201, ("draws", True): 11}
    assert stood == {("stands", False): 197, ("stands", True): 29, ("draws", False): 2}
    assert early == BANK_PLAYED
    soft_17 = [r for r in rows[::6] if points(r.bank) == 17 and low(r.bank) == 7]
    assert len(soft_17) == 2


def test_how_aces_are_written(rows: list[Plain]) -> None:
    def ace(hands: list[tuple[int, tuple[int, ...]]], *, fits: bool) -> tuple[int, set[int]]:
        some = [(n, cards) for n, cards in hands if {1, 11} & set(cards)]
        some = [(n, cards) for n, cards in some if (low(cards) <= 11) == fits]
        return len(some), {n for n, cards in some if sum(cards) != points(cards)}

    players = [(row.number, row.cards) for row in rows]
    banks = [(row.number, row.bank) for row in rows[::6]]
    assert ace(players, fits=True) == (179, set())
    assert ace(players, fits=False) == (108, {122, 846})
    assert ace(banks, fits=True) == (29, {697})
    assert ace(banks, fits=False) == (15, {805})


def test_the_gap_in_the_third_slot(rows: list[Plain]) -> None:
    """A third card stands in slot 3 where the first two could not pass 21 with it, else in 4."""
    asked = [row for row in rows if len(row.cards) > 2]
    safe = [r for r in asked if low(r.cards[:2]) <= 11]
    assert (len(asked), len(safe)) == (688, 364)
    assert all((row.slots[2] != 0) == (low(row.cards[:2]) <= 11) for row in asked)


def test_the_page_tells_these_lists() -> None:
    page = (DOCS / "recorded-hands.md").read_text("utf-8")
    named = {int(number) for number in re.findall(r"\b\d{2,4}\b", page)}
    for numbers in (MONEY, BANK_PLAYED, {122}, BLACKJACK_MET_21, TWENTY_ONE_MET_BLACKJACK):
        assert {n for n in numbers if not 697 < n < 702} <= named


def test_habits_are_not_rules(rows: list[Plain]) -> None:
    """What these players always or never do, which no law needs to have told them."""
    asked = [r.cards[:held] for r in rows for held in range(2, len(r.cards))]
    soft_17 = [cards for cards in asked if points(cards) == 17]
    assert all(low(cards) == 7 and len(cards) == 2 for cards in soft_17)
    assert len(soft_17) == 19
    assert max(points(cards) for cards in asked) == 17
    ends_soft = [r.cards for r in rows if points(r.cards) == 17 and low(r.cards) == 7]
    assert all(len(cards) > 2 for cards in ends_soft)
    assert len(ends_soft) == 9
    assert min(points(r.cards) for r in rows) == 12
    stiff = [r for r in rows if 12 <= low(r.cards[:2]) == points(r.cards[:2]) <= 16]
    weak = [len(r.cards) for r in stiff if r.bank[0] in (4, 5, 6)]
    strong = [len(r.cards) for r in stiff if r.bank[0] >= 7]
    assert (len(weak), set(weak)) == (119, {2})
    assert len(strong) == 310
    assert min(strong) > 2


def test_what_the_file_shows_no_sign_of(rows: list[Plain]) -> None:
    first_two = [(r.flag, tuple(1 if c == 11 else c for c in r.cards[:2])) for r in rows]
    assert sum(cards[0] == cards[1] for _, cards in first_two) == 231
    assert sum(flag == "nowin" and 9 <= sum(cards) <= 11 for flag, cards in first_two) == 204
    assert sum(row.bank[0] == 11 for row in rows[::6]) == 13
    by_round = [rows[n : n + 6] for n in range(0, 1362, 6)]
    assert not any(all(points(row.cards) > 21 for row in one) for one in by_round)
    naturals = [one for one in by_round if is_natural(one[0].bank)]
    assert len(naturals) == 11
    assert all(any(len(row.cards) > 2 for row in one) for one in naturals)
