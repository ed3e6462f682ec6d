"""What the other books ask of a round: split hands, splits, insurance, prizes, when one is paid."""

from dataclasses import replace

import pytest

from casino.events import Malformed
from casino.events.round.round_played import Hand, RoundPlayed
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from tests.factories.rounds import a_round, box, even_money, hand, insurance, main, special
from tests.law.asking import (
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    UNDECIDED,
    cited,
    findings,
    owed,
    said,
    the_finding,
)
from tests.law.casebook import upholds_case

RIGHT_FIRST, SPLITS = "split_hands_played_right_to_left", "splits_within_the_houses_limit"
WAITS, PRIZES = "blackjack_waits_for_the_bank", "only_stated_prizes_are_paid"
MOMENT = "insurance_in_its_moment"
PAIRS = [("es", "sus-posibilidades/pares"), ("br", "possibilidades/pares")]
AT_ONCE = [
    ("pt-summary", "regras/black-jack"),
    ("es", "desarrollo"),
    ("br", "desenvolvimento"),
]
ODDS = [
    ("pt-summary", "pagamentos-da-casa"),
    ("es", "sus-posibilidades/juego-simple"),
    ("br", "possibilidades/jogo-simples"),
    ("fr", "the-outcome"),
]

# Which hand of a split plays first

TWO = (hand("8S 3C 7H", "split hit stand"), hand("8D 2D 9S", "hit stand", out_of=1))
OPENING = "1 8S, bank TH, 1 8D"


def parted(
    order: str | None, places: tuple[int | None, ...] = (1, 2), hands: tuple[Hand, ...] = TWO
) -> RoundPlayed:
    """Eights parted, the cards in this order; `places` are those of the hands from the left."""
    lying = [replace(one, from_left=at) for one, at in zip(hands, places, strict=True)]
    stakes = [main(1000, 2000, hand=at) for at in range(1, len(hands) + 1)]
    dealt = None if order is None else f"{OPENING}, {order}, bank 7C"
    return a_round(box(1, lying, *stakes), bank="TH 7C", dealt=dealt)


EACH_ITSELF = "1 3C, 1 7H, 1/2 2D, 1/2 9S"
SECONDS_FIRST = "1 3C, 1/2 2D, 1 7H, 1/2 9S"


@upholds_case(RIGHT_FIRST, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
def test_the_hand_at_the_players_right_is_played_first(book: str) -> None:
    assert said(RIGHT_FIRST, parted(EACH_ITSELF), book) == LAWFUL
    assert said(RIGHT_FIRST, parted(EACH_ITSELF), "pt") == NOT_ASKED


@upholds_case(RIGHT_FIRST, "unlawful")
@pytest.mark.parametrize(("book", "section"), PAIRS)
@pytest.mark.parametrize(
    ("order", "places", "first", "due"),
    [
        ("1/2 2D, 1/2 9S, 1 3C, 1 7H", (1, 2), 2, 1),
        (EACH_ITSELF, (2, 1), 1, 2),
        ("1 3C, 1/2 2D, 1/2 9S, 1 7H", (1, 2), 2, 1),  # a third card while the other still plays
    ],
)
def test_the_other_hand_first_is_found(
    book: str, section: str, order: str, places: tuple[int, int], first: int, due: int
) -> None:
    found = the_finding(RIGHT_FIRST, parted(order, places), book)
    assert (found.article, found.where) == (section, {"box": 1})
    assert (found.observed, found.expected) == ({"played_first": first}, {"played_first": due})
    assert found.readings == ("right-of-the-player",)


@upholds_case(RIGHT_FIRST, "boundary")
def test_both_may_get_their_second_card_before_one_is_played_out() -> None:
    assert said(RIGHT_FIRST, parted(SECONDS_FIRST), "es") == LAWFUL


def test_the_dealers_right_is_the_other_reading() -> None:
    other = {"right-of-the-player": "dealers_right"}
    assert said(RIGHT_FIRST, parted(EACH_ITSELF, (2, 1)), "es", other) == LAWFUL
    found = the_finding(RIGHT_FIRST, parted(EACH_ITSELF), "es", other)
    assert found.observed == {"played_first": 1}


@pytest.mark.parametrize(
    ("order", "places"), [(None, (1, 2)), (EACH_ITSELF, (1, None)), (EACH_ITSELF, (None, None))]
)
def test_without_the_order_or_the_places_nobody_can_tell(
    order: str | None, places: tuple[int | None, int | None]
) -> None:
    assert said(RIGHT_FIRST, parted(order, places), "es") == UNDECIDED


THREE = (
    hand("8S 9H", "split split stand"),
    hand("8D 9S 2C", "hit stand", out_of=1),
    hand("8C 3D 7D", "hit stand", out_of=1),
)


@pytest.mark.parametrize(
    "order",
    [
        "1 8C, 1/3 3D, 1/3 7D, 1 9H, 1/2 9S, 1/2 2C",
        "1 8C, 1/3 3D, 1 9H, 1/3 7D, 1/2 9S, 1/2 2C",
        "1 8C, 1/2 9S, 1/3 3D, 1 9H, 1/3 7D, 1/2 2C",  # the second cards before the third eight
    ],
)
def test_a_pair_parted_again_is_played_from_the_right_too(order: str) -> None:
    assert said(RIGHT_FIRST, parted(order, (2, 3, 1), THREE), "es") == LAWFUL


@pytest.mark.parametrize(
    ("order", "first", "due"),
    [
        ("1 8C, 1 9H, 1/3 3D, 1/3 7D, 1/2 9S, 1/2 2C", 1, 3),
        ("1 8C, 1/3 3D, 1/3 7D, 1/2 9S, 1/2 2C, 1 9H", 2, 1),
    ],
)
def test_and_of_three_hands_the_one_before_its_turn_is_named(
    order: str, first: int, due: int
) -> None:
    found = the_finding(RIGHT_FIRST, parted(order, (2, 3, 1), THREE), "es")
    assert (found.observed, found.expected) == ({"played_first": first}, {"played_first": due})


def test_a_box_that_was_not_split_has_no_order() -> None:
    assert said(RIGHT_FIRST, a_round(box(1, "TS 8D", main(1000, 2000))), "es") == NOT_ASKED


@pytest.mark.parametrize(("places", "path"), [((1, 1), "hands[1]"), ((3, 1), "hands[0]")])
def test_two_hands_do_not_lie_at_one_place(places: tuple[int, int], path: str) -> None:
    with pytest.raises(Malformed) as refused:
        parted(EACH_ITSELF, places)
    assert refused.value.path == f"$.boxes[0].{path}.from_left"


def test_where_hands_lay_is_written_and_read() -> None:
    played = parted(EACH_ITSELF)
    assert '"from_left":2' in round_as_json(played)
    assert read_round(round_as_json(played).encode()) == played
    assert "from_left" not in round_as_json(parted(EACH_ITSELF, (None, None)))


# The house's own limit of splits


def eights(count: int) -> RoundPlayed:
    suits = "SDCH"
    hands = [hand("8S 9H", "split " * (count - 1) + "stand")]
    hands += [hand(f"8{suit} 9D", "stand", out_of=1) for suit in suits[1:count]]
    stakes = [main(1000, 1000, hand=at) for at in range(1, count + 1)]
    return a_round(box(1, hands, *stakes), box(2, "TS 7D", main(1000, 1000)), bank="TH 7C")


@upholds_case(SPLITS, "unlawful")
@pytest.mark.parametrize(
    ("limit", "most", "splits"), [("once", 1, [2, 3]), ("twice", 2, [3]), ("three_times", 3, [])]
)
def test_in_france_a_house_may_limit_splits(limit: str, most: int, splits: list[int]) -> None:
    found = findings(SPLITS, eights(4), "fr", {"limit-of-splits": limit})
    assert [one.observed for one in found] == [{"splits": times} for times in splits]
    assert all(one.expected == {"at_most": most} for one in found)
    assert all(one.article == "splitting-pairs" for one in found)
    assert all(one.readings == ("limit-of-splits",) for one in found)


@upholds_case(SPLITS, "lawful")
@upholds_case(SPLITS, "boundary")
@pytest.mark.parametrize(("limit", "hands"), [("once", 2), ("twice", 3), ("three_times", 4)])
def test_as_often_as_the_house_allows_is_lawful(limit: str, hands: int) -> None:
    assert said(SPLITS, eights(hands), "fr", {"limit-of-splits": limit}) == LAWFUL


def test_until_a_house_states_a_limit_there_is_none() -> None:
    assert said(SPLITS, eights(4), "fr") == NOT_ASKED
    assert said(SPLITS, eights(4), "es") == NOT_ASKED


# Insurance before the first player speaks


def insured(first: str, does: str, spoken: bool | None, at: int = 5) -> RoundPlayed:
    """Two boxes against an ace: the first hand asked, and the second's insurance."""
    taken = insurance(500, 0, taken_at=at, spoken=spoken)
    boxes = box(1, first, main(1000, 1000), does=does), box(2, "TC 9D", main(1000, 1000), taken)
    return a_round(*boxes, bank="AH 7C")


STOOD, DREW = ("TS 8D", "stand"), ("TS 5D 3H", "hit stand")


@upholds_case(MOMENT, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
@pytest.mark.parametrize("first", [STOOD, DREW])
def test_an_insurance_comes_before_the_first_player_speaks(
    book: str, first: tuple[str, str]
) -> None:
    assert said(MOMENT, insured(*first, spoken=False), book) == LAWFUL


@upholds_case(MOMENT, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"), [("es", "sus-posibilidades/seguro"), ("br", "possibilidades/seguro")]
)
@pytest.mark.parametrize("first", [STOOD, DREW])
def test_after_a_player_has_spoken_none_is_taken(
    book: str, section: str, first: tuple[str, str]
) -> None:
    found = the_finding(MOMENT, insured(*first, spoken=True), book)
    assert (found.article, found.where["owner"]) == (section, "J2")
    assert (found.observed, found.expected) == ({"spoken": "yes"}, {"spoken": "no"})


@upholds_case(MOMENT, "boundary")
def test_who_drew_spoke_with_his_card_and_of_who_stood_nobody_knows_when() -> None:
    assert said(MOMENT, insured(*DREW, spoken=None), "es") == LAWFUL
    assert said(MOMENT, insured(*STOOD, spoken=None), "es") == UNDECIDED
    assert said(MOMENT, insured("AS KD", "", spoken=None), "es") == UNDECIDED  # J2 may have spoken
    found = the_finding(MOMENT, insured(*DREW, spoken=None, at=6), "es")
    assert (found.observed, found.expected) == ({"cards_dealt": 6}, {"at_most": 5})


def test_in_portugal_a_word_ends_no_insurance() -> None:
    assert said(MOMENT, insured(*STOOD, spoken=True, at=6), "pt") == LAWFUL


def test_only_an_insurance_was_laid_before_a_word() -> None:
    with pytest.raises(Malformed, match="spoken"):
        a_round(box(1, "TS 8D", main(1000, 2000, spoken=False)))


# A blackjack that was paid before the bank played


def blackjack(at_once: bool | None, bank: str = "7H TC") -> RoundPlayed:
    boxes = (
        box(1, "AS KD", main(1000, 2500, at_once=at_once)),
        box(2, "TS 8D", main(1000, 2000, at_once=True)),
    )
    return a_round(*boxes, bank=bank)


@upholds_case(WAITS, "lawful")
@pytest.mark.parametrize(("book", "section"), AT_ONCE)
def test_a_blackjack_waits_for_the_bank(book: str, section: str) -> None:
    assert said(WAITS, blackjack(at_once=False), book) == LAWFUL


@upholds_case(WAITS, "unlawful")
@pytest.mark.parametrize(("book", "section"), AT_ONCE)
@pytest.mark.parametrize("bank", ["7H TC", "TH 7C"])
def test_paid_before_the_bank_played_it_is_found(book: str, section: str, bank: str) -> None:
    found = the_finding(WAITS, blackjack(at_once=True, bank=bank), book)
    assert (found.article, found.where["box"]) == (section, 1)
    assert (found.observed, found.expected) == ({"at_once": "yes"}, {"at_once": "no"})
    assert found.owed_to is None


@upholds_case(WAITS, "boundary")
@pytest.mark.parametrize("book", ["pt", "fr"])
def test_where_it_is_to_be_paid_at_once_nothing_waits(book: str) -> None:
    assert said(WAITS, blackjack(at_once=True), book) == NOT_ASKED
    assert said("blackjack_paid_at_once", blackjack(at_once=True), book) == LAWFUL
    assert said(WAITS, blackjack(at_once=None), "pt-summary") == UNDECIDED


def test_no_other_hand_waits_and_an_even_money_is_no_blackjack_paid() -> None:
    early = a_round(box(1, "TS 9D", main(1000, 2000, at_once=True)), bank="TH 7C")
    assert said(WAITS, early, "pt-summary") == NOT_ASKED
    assert said(WAITS, a_round(box(1, "AS KD", even_money(1000, 2000)), bank="AH 7C"), "es") == (
        NOT_ASKED
    )


# A prize nobody states


def sevens(prize: int | None) -> RoundPlayed:
    paid = () if prize is None else (special(prize),)
    boxes = box(1, "7S 7D 7H", main(1000, 2000), *paid), box(2, "TS 8D", main(1000, 2000))
    return a_round(*boxes, bank="TH 7C")


@upholds_case(PRIZES, "unlawful")
@pytest.mark.parametrize(("book", "section"), ODDS)
@pytest.mark.parametrize("prize", [1, 3000])
def test_a_prize_the_rules_do_not_state_is_found(book: str, section: str, prize: int) -> None:
    found = the_finding(PRIZES, sevens(prize), book)
    assert (found.article, found.where["kind"]) == (section, "special")
    assert found.observed == {"returned_cents": prize}
    assert found.expected == {"returned_cents": 0}
    assert (found.owed_cents, found.owed_to) == (prize, HOUSE)
    assert owed(sevens(prize), "special", book=book) == (0, prize, HOUSE)


@upholds_case(PRIZES, "boundary")
@pytest.mark.parametrize("book", ["pt-summary", "es", "br", "fr"])
def test_no_prize_no_finding_and_one_of_nothing_is_none(book: str) -> None:
    assert cited(sevens(None), book) == []
    assert said(PRIZES, sevens(0), book) == LAWFUL


@upholds_case(PRIZES, "lawful")
def test_where_the_prize_is_stated_it_is_judged_by_its_own_rule() -> None:
    assert said(PRIZES, sevens(3000), "pt") == NOT_ASKED
    assert said("special_prize_paid", sevens(3000), "pt") == LAWFUL
    assert said(PRIZES, sevens(0), "es") == LAWFUL
