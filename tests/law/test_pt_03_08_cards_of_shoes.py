"""PT art. 3, 8, 53 over the cards of shoes: one missing, and an order in which they lay before."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from random import Random

import pytest

from audit.reconcile.shoes_seen import look_at_shoes
from casino.events.deck_life import CardReplaced
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsSpread
from casino.law.checks.rounds.card_frequency import log2_down
from casino.law.checks.rounds.dealt_order import ONE, OrderWatch, Run, orders_of
from casino.law.checks.rounds.shoe_frequency import (
    MOST,
    ShoeWatch,
    power_of_two,
    shoes_to_detection,
)
from casino.law.dossier import Dossier
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import Game
from tests.factories.kept_answers import Kept
from tests.factories.shoe_cards import SIX, Evening, deal_shoe, gathered, riffled, shuffled
from tests.factories.usual_events import whole
from tests.gate import size
from tests.law.casebook import upholds_case

WHOLE, ORDER = "shoe_cards_as_whole_decks_give_them", "cards_in_no_order_they_lay_in"
HIDDEN = "nobody_knows_a_card_before_it_is_out"
PT = load_law("pt")
MISSING = [*SIX[:7], *SIX[8:]]
GONE = SIX[7]


def looked_at(game: Game, *earlier: Dossier) -> Kept:
    kept, dossier = Kept(), replace(game.dossier(), earlier=earlier)
    rounds = dossier.of(RoundPlayed)
    look_at_shoes(dossier, rounds, [PT] * len(rounds), kept)
    return kept


def evening(day: int, rng: Random, cards: Sequence[str] = SIX, shoes: int = 12) -> Game:
    """One of several evenings with the same decks."""
    game = Evening(day)
    for shoe in range(1, shoes + 1):
        deal_shoe(game, shoe, shuffled(rng, cards))
    return game


# A card missing, over the evenings of one set of decks


@upholds_case(WHOLE, "lawful")
def test_article_3_whole_decks_are_not_suspected() -> None:
    kept = looked_at(evening(1, Random(1)))
    assert (kept.findings, kept.outcomes[WHOLE]) == ([], ["lawful"] * 12)


@upholds_case(WHOLE, "unlawful")
@pytest.mark.parametrize("seed", [1, 2])
def test_article_3_a_card_missing_is_suspected_over_the_evenings(seed: int) -> None:
    rng = Random(seed)
    games = [evening(day, rng, MISSING) for day in range(1, 7)]
    before = [game.dossier() for game in games[:-1]]
    assert looked_at(games[0]).findings == []  # one evening is not enough
    first = next(n for n in range(1, 6) if looked_at(games[n], *before[:n]).findings)
    (found,) = looked_at(games[first], *before[:first]).findings
    assert (found.article, found.severity) == ("house.cards", "warning")
    assert found.observed["missing_card"] == GONE
    assert 12 < found.observed["shoes_seen"] <= 12 * (first + 1)  # type: ignore[operator]
    assert found.observed["likelier"] >= 10_000  # type: ignore[operator]
    assert found.expected["games_a_false_alarm"] == 10_000
    assert found.expected["shoes_until_suspected"] == 32  # of 252 seen cards
    # Each later evening that plays on with them is found too, and says since when.
    if first < 5:
        (again,) = looked_at(games[first + 1], *before[: first + 1]).findings
        assert again.observed["suspected_in"] == games[first].partida
        assert len(again.evidence) > 2


def test_article_3_a_card_too_many_is_left_to_the_certain_check() -> None:
    rng = Random(2)
    assert looked_at(evening(1, rng, [*SIX, "7H"])).of(WHOLE) == []


@upholds_case(WHOLE, "boundary")
@pytest.mark.parametrize("change", ["exchanged", "found wanting", "nothing", "found whole"])
def test_article_3_the_count_begins_anew_once_the_decks_were_put_right(change: str) -> None:
    rng = Random(1)
    games = [evening(day, rng, MISSING) for day in range(1, 5)]
    last = Evening(5)
    if change == "exchanged":
        last.record(CardReplaced, "19:35", deck="D-1", card=GONE, reason="missing")
    elif change == "found wanting":
        last.add(whole(last.where, "D-1", cards=51, result="missing"), "19:35")
    elif change == "found whole":
        # What a person wrote of a whole deck is what is held against the cards: it ends nothing.
        last.add(whole(last.where, "D-1"), "19:35")
    deal_shoe(last, 1, shuffled(rng))
    kept = looked_at(last, *(game.dossier() for game in games))
    anew = change in ("exchanged", "found wanting")
    assert bool(kept.of(WHOLE)) is not anew


@pytest.mark.parametrize(
    ("spoilt", "lacks"),
    [
        ("a round left out", "rounds_of_shoe"),
        ("a shoe left out", "rounds_of_shoe"),
        ("a round less than the closing counts", "rounds_of_shoe"),
        ("mixed again", "shoe_mixed_again"),
        ("a card exchanged during it", "shoe_changed"),
    ],
)
def test_what_a_shoe_leaves_open_is_not_decidable(spoilt: str, lacks: str) -> None:
    game = evening(1, Random(3), shoes=3)
    if spoilt == "a round left out":
        game.drop(RoundPlayed, shoe=2, number=5)
    elif spoilt == "a shoe left out":
        game.drop(RoundPlayed, shoe=2)
    elif spoilt == "a round less than the closing counts":
        game.record(PartidaClosed, "23:50", rounds=55, reason="end_of_day", counts=())
    elif spoilt == "mixed again":
        game.record(CardsSpread, "20:12:40", shoe=2, reason="no_players")
    else:
        game.record(CardReplaced, "20:12:40", deck="D-1", card="7H", reason="damaged")
    kept = looked_at(game)
    assert kept.findings == []
    assert set(kept.outcomes[WHOLE]) == {"not_decidable"}  # of the whole set, not of that shoe
    # One card exchanged tells nothing of the order of the others.
    assert ("not_decidable" in kept.outcomes[ORDER]) is (lacks != "shoe_changed")
    assert set(kept.lacks) == {lacks}


def test_dropping_a_round_of_a_suspected_set_does_not_clear_it() -> None:
    rng = Random(1)
    games = [evening(day, rng, MISSING) for day in range(1, 5)]
    assert looked_at(games[-1], *(game.dossier() for game in games[:-1])).of(WHOLE)
    for game in games:
        for shoe in range(1, 13):
            game.drop(RoundPlayed, shoe=shoe, number=7)
    kept = looked_at(games[-1], *(game.dossier() for game in games[:-1]))
    assert (kept.findings, set(kept.outcomes[WHOLE])) == ([], {"not_decidable"})


def test_other_decks_are_another_count() -> None:
    rng = Random(1)
    before = [evening(day, rng, MISSING).dossier() for day in range(1, 6)]
    other = Evening(6, decks=tuple(f"E-{n}" for n in range(6)))
    deal_shoe(other, 1, shuffled(rng, MISSING))
    assert looked_at(other, *before).of(WHOLE) == []


# An order in which the cards lay before


def second_shoe(cards: Sequence[str], game: Game, first: int = 1) -> Kept:
    deal_shoe(game, first + 1, [*cards, *_others(cards)])
    return looked_at(game)


def _laid(cards: Sequence[str]) -> list[list[Sequence[str]]]:
    """Rounds of five hands of three cards."""
    return [[cards[n : n + 3] for n in range(at, at + 15, 3)] for at in range(0, 255, 15)]


def _others(cards: Sequence[str]) -> list[str]:
    left = list(SIX)
    for card in cards:
        left.remove(card)
    return left


@upholds_case(ORDER, "lawful")
def test_article_8_shuffled_cards_are_not_suspected() -> None:
    rng, game = Random(4), Game()
    deal_shoe(game, 1, shuffled(rng))
    kept = second_shoe(shuffled(rng)[:262], game)
    assert (kept.findings, kept.outcomes[ORDER]) == ([], ["lawful", "lawful"])


@upholds_case(ORDER, "unlawful")
@pytest.mark.parametrize("turned", [False, True])
def test_article_8_discards_dealt_again_unshuffled_are_found_at_once(turned: bool) -> None:
    rng, game = Random(5), Game()
    played = deal_shoe(game, 1, shuffled(rng))
    (found,) = second_shoe(gathered(rng, played, turned=turned), game).of(ORDER)
    assert (found.article, found.severity, found.where) == ("house.cards", "warning", {"shoe": 2})
    assert found.observed["lay_in"] == "previous_shoe"
    assert found.observed["from_its_end"] == ("yes" if turned else "no")
    assert found.observed["passes_like"] == 0
    assert found.observed["from_card"] == 1
    assert found.observed["to_card"] <= 12  # type: ignore[operator]
    assert found.expected == {"shoes_a_false_alarm": 400_000}


@upholds_case(ORDER, "unlawful")
@pytest.mark.parametrize("passes", [1, 2])
def test_article_53_too_few_passes_are_found_and_counted(passes: int) -> None:
    rng, game = Random(6), Game()
    played = deal_shoe(game, 1, shuffled(rng))
    pile = gathered(rng, played)
    (found,) = second_shoe(riffled(rng, [*pile, *_others(pile)], passes)[:262], game).of(ORDER)
    assert 1 <= found.observed["passes_like"] <= passes  # type: ignore[operator]


@upholds_case(ORDER, "boundary")
def test_article_53_seven_passes_are_a_shuffle() -> None:
    rng, game = Random(6), Game()
    played = deal_shoe(game, 1, shuffled(rng))
    pile = gathered(rng, played)
    assert second_shoe(riffled(rng, [*pile, *_others(pile)], 7)[:262], game).findings == []


def test_new_decks_that_nobody_shuffled_come_suit_by_suit() -> None:
    game = Game()
    (found,) = second_shoe(_maker_order()[17:] + _maker_order()[:17], game, first=0).of(ORDER)
    assert (found.observed["lay_in"], found.observed["to_card"]) == ("makers_order", 5)


def _maker_order() -> list[str]:
    return [rank + suit for _ in range(6) for suit in "HSCD" for rank in "A23456789TJQK"]


def test_a_shoe_that_repeats_itself_is_found() -> None:
    # Golden Nugget, 2012: packs in one order, met again every so many rounds.
    rng, game = Random(7), Game()
    one = shuffled(rng, SIX[:52])
    (found,) = second_shoe(one * 5, game, first=0).of(ORDER)
    assert found.observed["lay_in"] == "itself"
    assert 53 <= found.observed["to_card"] <= 63  # type: ignore[operator]


def test_a_slug_of_ten_is_found_by_its_tenth_card() -> None:
    rng, hits = Random(8), 0
    tried = size(20, 60, 150)
    for _ in range(tried):
        before = shuffled(rng)
        laid = _laid(before)
        start, at = rng.randrange(240), rng.randrange(250)
        slug = before[start : start + 10]
        rest = shuffled(rng, _others(slug))
        watch = OrderWatch(6, orders_of(laid))
        for card in [*rest[:at], *slug]:
            watch.add(card)
        hits += watch.strength >= 400_000
    assert hits >= 0.95 * tried


def test_the_order_needs_the_order_and_the_faces() -> None:
    rng, game = Random(9), Game()
    deal_shoe(game, 1, shuffled(rng))
    game.change(RoundPlayed, dealt=None)
    kept = looked_at(game)
    assert kept.outcomes[ORDER] == ["not_decidable"]
    assert set(kept.lacks) == {"order_of_cards"}
    assert kept.outcomes[HIDDEN] == ["not_decidable"]
    assert kept.outcomes[WHOLE] == ["lawful"]  # which needs no order


# What the rates rest on


def test_under_a_shuffle_the_order_is_a_martingale() -> None:
    """Over all beginnings of a shoe its weight is 1 on average, but for what is rounded down."""
    deck, weight = SIX[:52], 0
    for first in deck:
        for second in deck:
            if first != second:
                watch = OrderWatch(1, orders_of([[("AC", "2C", "3C"), ("4C", "9H")]]))
                watch.add(first)
                watch.add(second)
                weight += watch.weight
    mean = Fraction(weight, 52 * 51 * ONE)
    assert Fraction(9, 10) < mean <= 1


def test_a_logarithm_is_undone_from_below() -> None:
    for value in (1, 2, 3, 20, 104, 9_999, 10_000, 10_001, 400_000):
        undone = power_of_two(log2_down(value, 1))
        assert value - value // 10_000 - 1 <= undone <= value
    assert power_of_two(-1) == 0
    assert power_of_two(60 << 20) == MOST


def test_the_shoes_until_a_card_is_suspected_hang_on_the_cut() -> None:
    assert shoes_to_detection(6, 262, 10_000) == (26, 4)
    assert shoes_to_detection(6, 156, 10_000)[0] == 144  # half of the shoe cut off
    assert shoes_to_detection(6, 0, 10_000) == (None, None)
    whole_shoe = comb(313, 262), comb(306, 255)  # a seventh card is seen once in so many shoes
    assert -(-whole_shoe[0] // whole_shoe[1]) == 4


def test_a_run_is_none_before_a_card() -> None:
    assert OrderWatch(6, orders_of(())).run() is None
    watch = OrderWatch(6, orders_of(()))
    watch.add("AS")
    assert isinstance(watch.run(), Run)
    for _ in range(6):
        watch.add("AS")
    assert not watch.whole


@pytest.mark.soak
@pytest.mark.parametrize(("one_in", "most"), [(20, 100 + 30), (100, 20 + 14)])
def test_lawful_sets_are_suspected_no_more_often_than_stated(one_in: int, most: int) -> None:
    """2,000 sets of forty shoes; `most` is the stated share and three standard deviations."""
    rng, found = Random(one_in), 0
    for _ in range(2_000):
        watch = ShoeWatch(6)
        for _ in range(40):
            watch.add(rng.sample(SIX, 262))
            if watch.strength >= one_in:
                found += 1
                break
            watch.next_shoe()
    assert found <= most


@pytest.mark.soak
@pytest.mark.parametrize(("one_in", "most"), [(20, 5_000 + 207), (100, 1_000 + 95)])
def test_shuffled_shoes_are_suspected_no_more_often_than_stated(one_in: int, most: int) -> None:
    """100,000 shoes after one whose discards are known."""
    rng, found = Random(one_in), 0
    for _ in range(100_000):
        before = shuffled(rng)
        laid = _laid(before)
        watch = OrderWatch(6, orders_of(laid))
        for card in rng.sample(SIX, 262):
            watch.add(card)
            if watch.strength >= one_in:
                found += 1
                break
    assert found <= most
