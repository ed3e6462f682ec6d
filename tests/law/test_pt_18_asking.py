"""PT art. 18 and its kin in 22 and 36: who stands, who asks, and cards nobody had a right to."""

import pytest

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import a_round, box, hand, main
from tests.law.asking import (
    BREACH,
    LAWFUL,
    NOT_ASKED,
    PLAYER,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

STAND, AT_21 = "stand_above_eleven", "no_card_at_twenty_one"
BLACKJACK, STOOD = "no_card_to_a_blackjack", "no_card_after_standing"
BUST, GIVEN_UP = "no_card_after_bust", "no_card_after_surrender"


def played(cards: str, does: str, returned: int, bank: str = "TH 9C") -> RoundPlayed:
    return a_round(box(1, cards, main(1000, returned), does=does), bank=bank)


# 18: standing


@upholds_case(STAND, "lawful")
@pytest.mark.parametrize("cards", ["TS 4D", "TS TD", "2S 3D 9C", "AS 5D"])
def test_article_18_a_player_stands_on_more_than_eleven(cards: str) -> None:
    assert said(STAND, a_round(box(1, cards, main(1000, 0)))) == LAWFUL


@upholds_case(STAND, "boundary")
@pytest.mark.parametrize("cards", ["TS 2D", "AS AD", "AS 2D", "2S 2D 8H"])
def test_article_18_a_player_stands_on_twelve(cards: str) -> None:
    assert cited(a_round(box(1, cards, main(1000, 0)))) == []


@upholds_case(STAND, "unlawful")
@pytest.mark.parametrize(
    ("cards", "total"), [("6S 5D", 11), ("2S 2D", 4), ("7S 3D", 10), ("2S 3D 6H", 11)]
)
def test_article_18_a_player_does_not_stand_on_eleven(cards: str, total: int) -> None:
    found = the_finding(STAND, a_round(box(1, cards, main(1000, 0))))
    assert (found.article, found.where) == ("18", {"box": 1, "hand": 1})
    assert (found.observed, found.expected) == ({"stood_on": total}, {"above": 11})
    assert found.readings == ("best-total",)


@upholds_case(STAND, "unlawful")
def test_article_18_each_hand_of_a_split_is_asked_for_itself() -> None:
    hands = [hand("8S 2D", "split stand"), hand("8D TH", out_of=1)]
    two = a_round(box(1, hands, main(1000, 0), main(1000, 2000, hand=2)))
    assert the_finding(STAND, two).where == {"box": 1, "hand": 1}


@upholds_case(STAND, "boundary")
@pytest.mark.parametrize(
    ("cards", "does"), [("6S 3D 2H", "double"), ("6S 5D", "surrender"), ("AS KD", "stand")]
)
def test_article_18_who_doubled_gave_up_or_has_a_blackjack_does_not_stand(
    cards: str, does: str
) -> None:
    assert said(STAND, played(cards, does, 0)) == NOT_ASKED


def test_article_18_split_aces_may_rest_on_less() -> None:
    hands = [hand("AS AH", "split"), hand("AD AC", "", out_of=1)]
    two = a_round(box(1, hands, main(1000, 0), main(1000, 0, hand=2)))
    assert said(STAND, two) == NOT_ASKED


# 18: a card at 21, to a blackjack, after standing


@upholds_case(AT_21, "lawful")
@pytest.mark.parametrize("cards", ["TS 5D 6H", "AS 5D 3C 9H", "2S 2D 8H"])
def test_article_18_a_player_asks_below_twenty_one(cards: str) -> None:
    assert said(AT_21, a_round(box(1, cards, main(1000, 2000)))) == LAWFUL


@upholds_case(AT_21, "boundary")
def test_article_18_a_player_may_ask_on_twenty() -> None:
    assert cited(played("TS QD AH", "hit", 2000)) == []
    assert cited(played("TS QD 2H", "hit", 0)) == []


@upholds_case(AT_21, "unlawful")
@pytest.mark.parametrize(
    ("cards", "drawn"),
    [
        ("TS 5D 6H 7C", ["7C"]),
        ("AS 5D 5H TC", ["TC"]),
        ("TS 5D 6H 2C 3C", ["2C", "3C"]),
    ],
)
def test_article_18_a_card_at_twenty_one_counts_for_nothing(cards: str, drawn: list[str]) -> None:
    asked = played(cards, "hit " * (len(cards.split()) - 2), 0)
    found = the_finding(AT_21, asked)
    assert (found.article, found.observed) == ("18", {"drawn": drawn})
    assert (found.expected, found.readings) == ({"hits_until": 21}, ("void-beyond-right",))
    assert owed(asked) == (2000, 2000, PLAYER)


@upholds_case(AT_21, "unlawful")
def test_article_18_ace_and_ten_after_a_split_are_twenty_one_too() -> None:
    hands = [hand("TS AD 5H", "split hit"), hand("TD 9H", out_of=1)]
    two = a_round(box(1, hands, main(1000, 2000), main(1000, 2000, hand=2)), bank="TH 8C")
    assert the_finding(AT_21, two).where == {"box": 1, "hand": 1}


@upholds_case(BLACKJACK, "lawful")
def test_article_18_a_blackjack_asks_nothing() -> None:
    assert cited(a_round(box(1, "AS KD", main(1000, 2500)))) == []
    assert cited(played("AS KD", "stand", 2500)) == []


@upholds_case(BLACKJACK, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does"), [("AS KD 5H", "hit"), ("AS KD 5H 6C", "hit hit"), ("KD AS 9H", "stand hit")]
)
def test_article_18_a_card_to_a_blackjack_counts_for_nothing(cards: str, does: str) -> None:
    asked = played(cards, does, 0)
    found = the_finding(BLACKJACK, asked)
    assert (found.article, found.observed) == ("18", {"drawn": cards.split()[2:]})
    assert found.readings == ("void-beyond-right",)
    assert owed(asked) == (2500, 2500, PLAYER)


@upholds_case(BLACKJACK, "boundary")
def test_article_18_twenty_one_in_three_cards_is_no_blackjack() -> None:
    asked = played("TS 5D 6H 7C", "hit hit", 2000)
    assert [said(BLACKJACK, asked), said(AT_21, asked)] == [NOT_ASKED, BREACH]


@upholds_case(STOOD, "lawful")
def test_article_18_who_stands_gets_no_more() -> None:
    assert said(STOOD, played("TS 2D 5H", "hit stand", 0)) == LAWFUL


@upholds_case(STOOD, "boundary")
def test_article_18_who_never_said_he_stands_may_go_on() -> None:
    assert said(STOOD, played("TS 2D 2H 3C", "hit hit", 0)) == NOT_ASKED


@upholds_case(STOOD, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does", "drawn"),
    [
        ("TS 8D 3H", "stand hit", ["3H"]),
        ("TS 2D 6H 3C", "hit stand hit", ["3C"]),
        ("TS 8D 2H AC", "stand hit hit", ["2H", "AC"]),
    ],
)
def test_article_18_a_card_after_standing_counts_for_nothing(
    cards: str, does: str, drawn: list[str]
) -> None:
    asked = played(cards, does, 2000, bank="TH 9C")
    found = the_finding(STOOD, asked)
    assert (found.article, found.observed) == ("18", {"drawn": drawn})
    assert found.readings == ("void-beyond-right",)
    assert owed(asked) == (0, 2000, "house")


# 22 and 36: a card to a hand that is out


@upholds_case(BUST, "lawful")
def test_article_22_who_went_over_gets_no_more() -> None:
    assert said(BUST, played("TS 8D 9C", "hit", 0)) == LAWFUL


@upholds_case(BUST, "boundary")
@pytest.mark.parametrize("cards", ["TS QD 2H", "TS 9D AH 2C", "AS 9D 5H 8C"])
def test_article_22_the_card_that_goes_over_may_be_asked(cards: str) -> None:
    assert cited(played(cards, "hit " * (len(cards.split()) - 2), 0)) == []


@upholds_case(BUST, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does", "drawn"),
    [
        ("TS 8D 9C 2H", "hit hit", ["2H"]),
        ("TS 2D KH AC 3D", "hit hit hit", ["AC", "3D"]),
    ],
)
def test_article_22_no_card_to_a_hand_that_is_over(cards: str, does: str, drawn: list[str]) -> None:
    found = the_finding(BUST, played(cards, does, 0))
    assert (found.article, found.observed) == ("22", {"drawn": drawn})
    assert (found.expected, found.readings) == ({"at_most": 21}, ("void-beyond-right",))


@upholds_case(GIVEN_UP, "lawful")
def test_article_36_who_gave_up_gets_no_more() -> None:
    assert cited(played("TS 6D", "surrender", 500)) == []


@upholds_case(GIVEN_UP, "boundary")
def test_article_36_a_card_before_giving_up_is_another_matter() -> None:
    late = played("TS 2D 4H", "hit surrender", 500)
    assert said(GIVEN_UP, late) == LAWFUL
    assert said("surrender_after_two_cards", late) == BREACH


@upholds_case(GIVEN_UP, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does"), [("TS 6D 5H", "surrender hit"), ("TS 5D 2H 4C", "surrender hit hit")]
)
def test_article_36_a_surrender_is_final(cards: str, does: str) -> None:
    asked = played(cards, does, 2000)
    found = the_finding(GIVEN_UP, asked)
    assert (found.article, found.observed) == ("36", {"drawn": cards.split()[2:]})
    assert found.readings == ("void-beyond-right",)
    assert owed(asked) == (500, 1500, "house")


@pytest.mark.parametrize("book", ["es", "br", "fr", "pt-summary"])
def test_where_a_book_does_not_say_so_eleven_may_stand(book: str) -> None:
    assert said(STAND, a_round(box(1, "6S 5D", main(1000, 0))), book) == NOT_ASKED


@pytest.mark.parametrize(("book", "section"), [("es", "sus-posibilidades/juego-simple")])
def test_the_spanish_book_forbids_a_card_at_twenty_one_too(book: str, section: str) -> None:
    assert the_finding(AT_21, played("TS 5D 6H 7C", "hit hit", 2000), book).article == section


@pytest.mark.parametrize("book", ["br", "fr", "pt-summary"])
def test_where_a_book_does_not_say_so_a_card_at_twenty_one_counts(book: str) -> None:
    asked = played("TS 5D 6H 7C", "hit hit", 2000)
    assert said(AT_21, asked, book) == NOT_ASKED
    assert (verdict(asked, book=book).due_cents, verdict(asked, book=book).owed_to) == (0, "house")
