"""The five rulebooks state what their texts state, and nothing else."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.rulebook.vocabulary import CHOICES, UNITS_OF

DAY = date(2026, 11, 20)
RECORDED = Path(__file__).parents[2] / "docs" / "recorded-hands" / "rulebook.toml"

# The figures themselves, typed once more by hand from the five texts.
STATED = {
    "pt": {
        "boxes.allowed": (6, 7),
        "decks.allowed": (4, 6),
        "cards_seen.games_a_false_alarm": 10_000,
        "burn.cards": 1,
        "hit.until": 21,
        "stand.above": 11,
        "special.pays": Fraction(3),
        "surrender.loses": Fraction(1, 2),
        "limits.maximum_over_minimum": 30,
        "warning_card.from_end": 50,
        "insurance.at_most": Fraction(1, 2),
        "jackpot.start_times": 10_000,
        "jackpot.cards_counted": (2, 3, 4),
        "csm.packets_minimum": 2,
        "bank.second_card": "face_down",
    },
    "pt-summary": {
        "decks.allowed": (6,),
        "insurance.exactly": Fraction(1, 2),
        "bank.second_card": "face_down",
    },
    "es": {
        "decks.allowed": (6,),
        "burn.cards": 5,
        "hit.until": 21,
        "shuffle.passes_minimum": 3,
        "others.need_consent": True,
        "separator.may_void_round": True,
        "decks.of_each_colour": 3,
        "insurance.until": "first_word",
        "split.played": "players_right",
    },
    "br": {
        "decks.allowed": (1, 2, 3, 4, 5, 6),
        "decks.of_each_colour": 3,
        "insurance.until": "first_word",
        "split.played": "players_right",
        "burn.cards": 5,
        "others.need_consent": True,
        "bank.second_card": "after_players",
        "insurance.at_most": Fraction(1, 2),
    },
    "fr": {
        "decks.allowed": (6,),
        "decks.of_each_colour": 3,
        "decks.colours": "red_and_blue",
        "cut.players_card": "red",
        "cut.dealers_card": "blue",
        "split.limit": "unlimited",
        "burn.cards": 5,
        "player.boxes_maximum": 3,
        "player.boxes_minimum_alone": 2,
        "split.resplit_aces": "never",
        "blackjack.paid_at_once": True,
        "insurance.exactly": Fraction(1, 2),
    },
}
NOT_STATED = {
    "pt": (
        "others.need_consent",
        "insurance.exactly",
        "separator.may_void_round",
        "decks.of_each_colour",
        "cut.dealers_card",
        "split.played",
        "split.limit",
    ),
    "pt-summary": (
        "boxes.maximum",
        "stake.within_limits",
        "burn.cards",
        "others.stake",
        "split.resplit",
        "double.after_split",
        "surrender.loses",
        "insurance.at_most",
    ),
    "es": (
        "stand.above",
        "surrender.loses",
        "even_money.pays",
        "special.pays",
        "double.fixed_ace",
        "blackjack.paid_at_once",
    ),
    "br": ("hit.until", "stand.above", "surrender.loses", "even_money.pays", "special.pays"),
    "fr": (
        "hit.until",
        "stand.above",
        "others.need_consent",
        "surrender.loses",
        "even_money.pays",
        "insurance.at_most",
    ),
}
IN_ALL = {
    "blackjack.pays": Fraction(3, 2),
    "win.pays": Fraction(1),
    "tie.pays": Fraction(0),
    "target.points": 21,
    "bank.draws_to": 16,
    "bank.stands_at": 17,
    "bank.soft_seventeen": "stands",
    "insurance.pays": Fraction(2),
    "double.totals": (9, 10, 11),
    "double.cards": 1,
    "double.times": 2,
    "split.aces_one_card": True,
    "split.stake_equal": True,
    "split.two_card_21_is_blackjack": False,
    "ace.values": (1, 11),
    "bank.peeks": False,
    "decks.cards": 52,
}


# What is adopted in every book where its text does not decide, or what it says of itself.
ADOPTED = {
    "card.beyond_right": "void",
    "outcome.after_breach": "not_decidable",
    "stake.unlawful": "as_it_lay",
    "money.odd_cent": "player",
    "bank.bust": "loses",
    "double.split_aces": "forbidden",
    "split.equal_by": "value",
}


@pytest.mark.parametrize("book", rulebook_ids())
def test_each_book_adopts_a_choice_wherever_the_settlement_asks_one(book: str) -> None:
    law = load_law(book)
    rules = law.on(DAY)
    # The regulation alone says whose each card is, so that its rounds can be dealt anew.
    here = ADOPTED | ({"outcome.after_breach": "as_the_law_deals"} if book == "pt" else {})
    assert {name: rules[name] for name in ADOPTED} == here
    switched = {reading.parameter for reading in law.readings.values()}
    # Only the regulation leaves the bank's bust to a reading; the other texts say it plainly.
    plain = set() if book == "pt" else {"bank.bust"}
    assert ADOPTED.keys() - switched == plain


@pytest.mark.parametrize("book", rulebook_ids())
def test_each_book_states_its_own_figures_and_no_others(book: str) -> None:
    rules = load_law(book).on(DAY)
    for name, value in (IN_ALL | STATED[book]).items():
        assert rules[name] == value, name
    assert [name for name in NOT_STATED[book] if rules.states(name)] == []


READINGS = [
    "bank-bust",
    "best-total",
    "void-beyond-right",
    "unlawful-stake",
    "unknown-outcome",
    "misdealt-to-standing-bank",
    "next-who-asks",
    "no-peek",
    "naturals-only",
    "paid-out-counts-as-out",
    "insurance-settles",
    "pair-by-value",
    "resplit-only-pairs",
    "split-asks-a-card",
    "first-of-two",
    "follow-the-double",
    "even-money-own-choice",
    "double-two-cards",
    "fixed-ace",
    "max-before-deal",
    "maximum-no-multiple",
    "others-own-stake",
    "complete-the-maximum",
    "vacant-tie",
    "insurance-of-first-stake",
    "insurance-until",
    "special-prize",
    "surrender-moment",
    "surrender-before-any-card",
    "vacant-like-complementary",
    "which-article",
    "odd-cent",
    "shuffler-burn",
    "cut-after-refusal",
    "interruption",
    "one-player",
    "near-the-place",
    "near-the-place-warned",
    "cut-wraps",
    "jackpot-cards",
    "jackpot-before-collect",
    "one-chip",
    "jackpot-remainder",
    "jackpot-share-of",
    "started-again",
    "jackpot-main-stake",
    "reload-after-jam",
    "one-card-replaced",
    "called-at-once",
    "notice-in-time",
    "replaced-at-once",
    "presence-shown",
    "customary-passes",
    "hour-of-loading",
    "lid-opened",
    "shuffler-of-58-to-60",
    "together-with-the-next",
    "not-possible",
    "top-combination",
    "disputed-cards",
    "complaint-window",
    "inspectorate-name",
]


def test_the_portuguese_book_has_all_its_readings() -> None:
    law = load_law("pt")
    assert len(law.readings) == 62
    assert [r.id for r in law.readings.values() if r.waits_for is None] == READINGS


def test_the_vocabulary_has_what_the_books_state_and_nothing_else() -> None:
    """A figure or a choice that no book has would be a word nobody ever used."""
    books = [load_law(book) for book in rulebook_ids()]
    books.append(load_law(RECORDED))
    stated = {name for law in books for name in law.parameters}
    assert stated == set(UNITS_OF)
    chosen = {
        (r.parameter, c.value) for law in books for r in law.readings.values() for c in r.choices
    }
    plain = {
        (p.name, one.value) for law in books for p in law.parameters.values() for one in p.values
    }
    known = {(name, choice) for name, choices in CHOICES.items() for choice in choices.split()}
    assert known - chosen - plain == SWITCHED_BY_NO_READING


# What a rulebook of another house may say and none of these does.
SWITCHED_BY_NO_READING = {
    ("bank.soft_seventeen", "draws"),
    ("peek.late_stakes", "lost"),
    ("peek.surrender", "half"),
    ("surrender.against_ace", "allowed"),
}
