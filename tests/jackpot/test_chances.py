"""The exact chance of a table: against hand counts, printed counts, and every deal one by one.

The counting beside it is written another way: whole cards, not kinds of cards; orders dealt, not
draws that come to the same; and what wins is said anew, without the catalogue.
"""

import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import pytest

from casino.law.rulebook.rulebook_file import load_law
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.chances import chances, expectation, packs
from jackpot.progressive.combinations import PACK
from jackpot.progressive.prizes import PrizeList
from tests.factories.prize_tables import ACES, ACES_BY_COLOUR, ALL, DAY, SHOWN, THREE_CARDS, prizes

UNTIL = load_law("pt").on(DAY)["hit.until"]


def counts(table: PrizeList, decks: int, drawn: int) -> dict[str, Fraction]:
    """How many sets of so many cards win each line: chances of a table of one length."""
    found = chances(table, SHOWN, packs(decks))
    return {code: chance * comb(52 * decks, drawn) for code, chance in found.items()}


# What is printed elsewhere.


def test_three_cards_of_six_packs_are_the_printed_counts() -> None:
    # 21+3, third version, six packs: 1 040, 10 368, 25 272, 155 520 and 292 896 of 5 013 320.
    assert counts(THREE_CARDS, 6, 3) == {
        "three_of_a_kind_same_suit": 1_040,
        "sequence_of_three_same_suit": 10_368,
        "three_of_a_kind": 25_272,
        "sequence_of_three": 155_520,
        "three_cards_same_suit": 292_896,
    }
    assert comb(312, 3) == 5_013_320


def test_two_cards_of_six_packs_are_the_printed_counts() -> None:
    # Royal Match, six packs: 144 of king and queen, 11 868 others of one suit, of 48 516.
    match = prizes(2, ("king_and_queen_same_suit", ALL), ("two_cards_same_suit", 250))
    assert counts(match, 6, 2) == {
        "king_and_queen_same_suit": 144,
        "two_cards_same_suit": 11_868,
    }
    # Perfect Pairs, six packs: 5, 6 and 12 of 311.
    pairs = prizes(2, ("pair_same_suit", ALL), ("pair_same_colour", 1_200), ("pair", 600))
    assert chances(pairs, SHOWN, packs(6)) == {
        "pair_same_suit": Fraction(5, 311),
        "pair_same_colour": Fraction(6, 311),
        "pair": Fraction(12, 311),
    }


# What can be counted by hand, for any number of packs.


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_aces_one_after_the_other_as_counted_by_hand(decks: int) -> None:
    cards, aces = 52 * decks, 4 * decks

    def suited(n: int) -> int:
        return 4 * comb(decks, n)

    def drawn(sets: int, n: int) -> Fraction:
        return Fraction(sets, comb(cards, n))

    no_third = Fraction(cards - aces, cards - 2)  # the third card is no ace
    no_fourth = Fraction(cards - aces, cards - 3)
    assert chances(ACES, SHOWN, packs(decks)) == {
        "four_aces_same_suit": drawn(suited(4), 4),
        "four_aces": drawn(comb(aces, 4) - suited(4), 4),
        "three_aces_same_suit": drawn(suited(3), 3) * no_fourth,
        "three_aces": drawn(comb(aces, 3) - suited(3), 3) * no_fourth,
        "two_aces_same_suit": drawn(suited(2), 2) * no_third,
        "two_aces": drawn(comb(aces, 2) - suited(2), 2) * no_third,
    }


def test_what_is_won_may_hang_on_the_meter_and_so_may_its_chance() -> None:
    # Below 25 000.00 three suited aces win more than four aces: then the fourth card is no matter.
    poor = chances(ACES, 2_499_999 * MICROCENTS, packs(4))
    rich = chances(ACES, SHOWN, packs(4))
    three = Fraction(4 * comb(4, 3), comb(208, 3))
    assert poor["three_aces_same_suit"] == three * Fraction(208 - 3 - 1, 205)
    assert rich["three_aces_same_suit"] == three * Fraction(208 - 16, 205)


def test_named_cards_as_counted_by_hand() -> None:
    table = prizes(2, ("QH-QH", ALL), ("AS-JS", 50_000), ("blackjack", 100))
    assert counts(table, 6, 2) == {"QH-QH": 15, "AS-JS": 36, "blackjack": 24 * 96 - 36}


def test_a_line_that_cannot_come_has_no_chance() -> None:
    found = expectation(prizes(2, ("pair_same_suit", ALL), ("pair", 5)), 100, SHOWN, 1)
    assert [(line.chance, line.one_in) for line in found.lines] == [
        (0, None),
        (Fraction(3, 51), 17),
    ]


# Every deal, one by one.

SMALL = {  # sixteen cards with twins, neighbours, both colours
    "AS": 2, "AH": 2, "KS": 1, "QS": 2, "JS": 1, "JH": 1, "2S": 1, "2D": 1, "5D": 2, "6C": 1,
    "TD": 2,
}  # fmt: skip


def won_aces(dealt: tuple[str, ...]) -> str | None:
    """The line of the table on aces, said anew: how many in a row from the first, and of a suit."""
    aces = 0
    while aces < len(dealt) and dealt[aces][0] == "A":
        aces += 1
    if aces < 2:
        return None
    word = {2: "two", 3: "three", 4: "four"}
    if aces == 4:
        return "four_aces_same_suit" if len(set(dealt)) == 1 else "four_aces"
    return f"{word[aces]}_aces_same_suit" if len(set(dealt[:aces])) == 1 else f"{word[aces]}_aces"


def won_three(dealt: tuple[str, ...]) -> str | None:
    """The line of the table on three cards, said anew."""
    if len(dealt) < 3:
        return None
    ranks = sorted("A23456789TJQK".index(card[0]) for card in dealt)
    suited = len({card[1] for card in dealt}) == 1
    if len(set(ranks)) == 1:
        return "three_of_a_kind_same_suit" if suited else "three_of_a_kind"
    if ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [0, 11, 12]):
        return "sequence_of_three_same_suit" if suited else "sequence_of_three"
    return "three_cards_same_suit" if suited else None


def given_cards(dealt: tuple[str, ...], until: int | None) -> tuple[str, ...]:
    """The cards the player gets, where the law gives none to a hand of so many points."""
    if until is None:
        return dealt

    def points(cards: tuple[str, ...]) -> int:
        low = sum(min("0A23456789TJQK".index(card[0]), 10) for card in cards)
        return low + 10 if low <= 11 and any(card[0] == "A" for card in cards) else low

    tens = {"T", "J", "Q", "K"}
    first, second = dealt[0][0], dealt[1][0]
    if first == second or {first, second} <= tens:
        return dealt
    for n in (2, 3):
        if n <= len(dealt) and points(dealt[:n]) >= until:
            return dealt[:n]
    return dealt


@pytest.mark.parametrize("until", [None, UNTIL])
@pytest.mark.parametrize(
    ("table", "wins", "cards"),
    [
        (ACES, won_aces, 4),
        (ACES, won_aces, 2),
        (THREE_CARDS, won_three, 3),
        (THREE_CARDS, won_three, 2),
    ],
)
def test_every_deal_of_a_small_pack(table: PrizeList, wins, cards: int, until: int | None) -> None:  # type: ignore[no-untyped-def]
    lying = [card for card, n in SMALL.items() for _ in range(n)]
    deals = list(permutations(lying, cards))
    won = Counter(wins(given_cards(deal, until)) for deal in deals)
    found = chances(table, SHOWN, SMALL, cards=cards, no_card_at=until)
    assert found == {line.code: Fraction(won[line.code], len(deals)) for line in table.lines}
    assert any(found.values()) or cards == 2


def test_every_pair_of_cards_of_six_packs() -> None:
    table = prizes(
        2,
        ("two_aces_same_suit", ALL),
        ("blackjack_same_colour", "1 %"),
        ("pair_same_colour", 900),
        ("sequence_of_two_same_suit", 700),
        ("pair", 500),
        ("two_cards_same_colour", 100),
    )
    shoe = [card for card in PACK for _ in range(6)]
    rank = "A23456789TJQK".index
    won: Counter[str] = Counter()
    for one, two in combinations(shoe, 2):
        red = (one[1] in "DH") == (two[1] in "DH")
        gap = abs(rank(one[0]) - rank(two[0]))
        if one == two and one[0] == "A":
            won["two_aces_same_suit"] += 1
        elif red and "A" in (one[0], two[0]) and gap >= 9:
            won["blackjack_same_colour"] += 1
        elif red and gap == 0:
            won["pair_same_colour"] += 1
        elif one[1] == two[1] and gap in (1, 12):
            won["sequence_of_two_same_suit"] += 1
        elif gap == 0:
            won["pair"] += 1
        elif red:
            won["two_cards_same_colour"] += 1
    assert counts(table, 6, 2) == won


def by_every_order(wins, cards: int, decks: int) -> dict[str, Fraction]:  # type: ignore[no-untyped-def]
    """Every order of kinds of cards, each as often as it can be dealt."""
    won: Counter[str] = Counter()
    for deal in product(PACK, repeat=cards):
        ways = 1
        for place, card in enumerate(deal):
            ways *= decks - deal[:place].count(card)
        won[wins(deal)] += ways
    whole = sum(won.values())
    return {code: Fraction(ways, whole) for code, ways in won.items()}


@pytest.mark.parametrize("decks", [4, 6])
def test_every_order_of_three_cards(decks: int) -> None:
    wins = by_every_order(won_three, 3, decks)
    assert chances(THREE_CARDS, SHOWN, packs(decks)) == {
        line.code: wins[line.code] for line in THREE_CARDS.lines
    }


@pytest.mark.soak
@pytest.mark.parametrize("decks", [4, 6])
def test_every_order_of_four_cards(decks: int) -> None:
    wins = by_every_order(won_aces, 4, decks)
    assert chances(ACES, SHOWN, packs(decks)) == {line.code: wins[line.code] for line in ACES.lines}


# What a stake can expect.


def test_article_43_what_a_stake_gets_back_is_the_sum_over_the_lines() -> None:
    # The printed table of four packs, its stake of 1.00 and its meter: by the hand counts above.
    found = expectation(ACES, 100, SHOWN, 4)
    prize = [6_128_461, 612_846, 250_000, 25_000, 5_000, 2_500]
    assert [line.prize_cents for line in found.lines] == prize
    chance = list(chances(ACES, SHOWN, packs(4)).values())
    assert found.expected_cents == sum(p * c for p, c in zip(prize, chance, strict=True))
    assert found.returned == found.expected_cents / 100
    assert Fraction(4175, 10_000) < found.returned < Fraction(4176, 10_000)
    assert found.chance == Fraction(comb(16, 2), comb(208, 2))  # whoever has two aces wins


def test_the_meter_at_which_a_table_gives_its_stake_back() -> None:
    # Only the top line: 4 of 15 x 6 / (312 x 311) ... two queens of hearts, 1 in 3 234.4.
    table = prizes(2, ("QH-QH", ALL))
    even = Fraction(comb(312, 2), 15) * 100
    assert expectation(table, 100, int(even * MICROCENTS), 6).returned <= 1
    assert expectation(table, 100, (int(even) + 1) * MICROCENTS, 6).returned > 1


def test_who_stops_earlier_expects_no_more_where_the_best_line_is_won() -> None:
    for table in (ACES, ACES_BY_COLOUR, THREE_CARDS):
        least = [
            expectation(table, 100, SHOWN, 6, cards=n).returned
            for n in range(2, table.cards_counted + 1)
        ]
        lawful = expectation(table, 100, SHOWN, 6, no_card_at=UNTIL).returned
        assert least == sorted(least)
        assert least[0] <= lawful <= least[-1]


def test_article_42_fewer_cards_win_only_what_they_make() -> None:
    two = chances(ACES, SHOWN, packs(6), cards=2)
    assert two["two_aces"] == Fraction(comb(24, 2) - 4 * comb(6, 2), comb(312, 2))
    assert two["three_aces"] == two["four_aces"] == 0
    assert chances(ACES, SHOWN, packs(6), cards=9) == chances(ACES, SHOWN, packs(6))


@pytest.mark.parametrize("table", [ACES, ACES_BY_COLOUR, THREE_CARDS])
@pytest.mark.parametrize("no_card_at", [None, UNTIL])
def test_six_packs_are_reckoned_in_less_than_a_second(
    table: PrizeList, no_card_at: int | None
) -> None:
    begun = time.process_time()
    expectation(table, 100, SHOWN, 6, no_card_at=no_card_at)
    assert time.process_time() - begun < 1


def test_the_widest_table_is_reckoned_as_by_hand() -> None:
    # Most draws of four cards stay open to the last: the longest reckoning there is.
    table = prizes(4, ("four_cards_same_suit", ALL), ("four_cards_same_colour", 100))
    suited, coloured = 4 * comb(78, 4), 2 * comb(156, 4)
    assert counts(table, 6, 4) == {
        "four_cards_same_suit": suited,
        "four_cards_same_colour": coloured - suited,
    }


def test_suits_are_told_apart_where_the_pack_or_a_line_does() -> None:
    # Hearts are short of one queen: the shortcut over the suits must not be taken.
    short = packs(6)
    short["QH"] -= 1
    table = prizes(2, ("pair_same_suit", ALL))
    pairs = 51 * comb(6, 2) + comb(5, 2)
    assert chances(table, SHOWN, short) == {"pair_same_suit": Fraction(pairs, comb(311, 2))}
    spades = prizes(3, ("AS-JS", ALL), ("three_cards_same_suit", 5))
    found = chances(spades, SHOWN, packs(6))
    suited = Fraction(4 * comb(78, 3), comb(312, 3))
    both = Fraction(36, comb(312, 2)) * Fraction(76, 310)
    assert found["three_cards_same_suit"] == suited - both
