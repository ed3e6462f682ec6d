"""The simulation's own table of payments, by hand, and the simulated evening held against it."""

from datetime import date
from random import Random

import pytest

from casino.cards import VALUE, Card, best_total, is_blackjack
from casino.events.round.round_played import Box, Limits, RoundPlayed, Wager
from casino.simulation import evening
from casino.simulation.card_source import Shuffler
from casino.simulation.draft import Betting, Dealing, Draft, Wagered
from casino.simulation.faults import of_payments
from casino.simulation.payouts import (
    Result,
    article_of,
    earns_special,
    even_money_back,
    handed_back,
    insurance_back,
    points_of,
    result_of,
    share,
    special_prize,
)
from casino.simulation.planting import at_wager
from casino.simulation.settling import settle

pytestmark = pytest.mark.share


@pytest.mark.parametrize(
    ("result", "stake", "back", "article"),
    [
        ("natural", 2000, 5000, "21"),
        ("natural", 2500, 6250, "21"),
        ("natural", 1001, 2503, "21"),  # 2502.5: the odd cent is the player's
        ("natural_null", 2000, 2000, "21"),
        ("over", 2000, 0, "22"),
        ("nearer", 2000, 4000, "23"),
        ("farther", 2000, 0, "23"),
        ("equal", 2000, 2000, "24"),
        ("given_up", 2000, 1000, "36"),
        ("given_up", 1001, 501, "36"),
    ],
)
def test_what_a_main_stake_gets_back(result: Result, stake: int, back: int, article: str) -> None:
    assert handed_back(result, stake) == back
    assert article_of(result) == article


@pytest.mark.parametrize(
    ("points", "natural", "bank", "bank_natural", "result"),
    [
        (21, True, 20, False, "natural"),
        (21, True, 21, False, "natural"),  # art. 20: blackjack beats a drawn 21
        (21, True, 21, True, "natural_null"),
        (21, False, 21, True, "farther"),  # art. 20 the other way round
        (21, False, 21, False, "equal"),
        (20, False, 19, False, "nearer"),
        (19, False, 20, False, "farther"),
        (18, False, 18, False, "equal"),
        (13, False, 22, False, "nearer"),  # 22 is nearer to 21 and counts for nothing
        (21, False, 26, False, "nearer"),
        (22, False, 26, False, "over"),  # both over: the player lost first
        (25, False, 17, False, "over"),
    ],
)
def test_how_a_hand_stands_against_the_bank(
    points: int, natural: bool, bank: int, bank_natural: bool, result: Result
) -> None:
    assert result_of(points, natural, bank, bank_natural) == result


@pytest.mark.parametrize(
    ("cards", "doubled", "points"),
    [
        ("AS 8D 2C", True, 11),  # art. 32: the ace counted 1 for a 9
        ("AS 8D 2C", False, 21),
        ("8D AS 2C", True, 11),
        ("AS 9D AC", True, 21),  # 1 + 9, and the drawn ace is free: 11
        ("AS 8D AC", True, 20),
        ("AS 8D TC", True, 19),
        ("5S 4D AC", True, 20),  # no ace among the two
        ("5S 6D KC", True, 21),
        ("AS AD", False, 12),
        ("AS 6D KC", False, 17),
    ],
)
def test_points_of_a_hand(cards: str, doubled: bool, points: int) -> None:
    assert points_of(cards.split(), doubled=doubled) == points


@pytest.mark.parametrize(
    ("cards", "earned"),
    [
        ("6S 7S 8S", True),
        ("8H 6H 7H", True),
        ("6S 7S 8D", False),
        ("7S 7D 7C", True),
        ("7S 7S 7S", True),
        ("6S 6S 8S", False),
        ("7S 7D", False),
        ("6? 7? 8?", False),
        ("7? 7? 7?", True),
    ],
)
def test_the_special_prize(cards: str, earned: bool) -> None:
    assert earns_special(cards.split()) is earned


def test_the_small_payments() -> None:
    assert insurance_back(1000, bank_natural=True) == 3000
    assert insurance_back(1000, bank_natural=False) == 0
    assert even_money_back(1000) == 2000
    assert special_prize(1000) == 3000
    assert share(3, 1, 2) == 2


def due(record: RoundPlayed, box: Box, wager: Wager) -> int:
    """Reckoned from the record alone, in other words than the simulation's."""
    bank, split = record.bank.cards, len(box.hands) > 1
    if wager.kind == "insurance":
        return 3 * wager.stake_cents if is_blackjack(bank) else 0
    if wager.kind == "even_money":
        return 2 * wager.stake_cents
    if wager.kind == "special":
        on_it = [w for w in box.wagers if (w.owner, w.hand) == (wager.owner, wager.hand)]
        return 3 * sum(w.stake_cents for w in on_it if w.kind == "main")
    hand = next(hand for hand in box.hands if hand.number == wager.hand)
    if "surrender" in hand.actions:
        return wager.stake_cents // 2
    mine, theirs = best_total(hand.cards), best_total(bank)
    if "double" in hand.actions and sorted(VALUE[c] for c in hand.cards) == [1, 2, 8]:
        mine = 11 if VALUE[hand.cards[2]] == 2 else mine
    mine = 22 if not split and is_blackjack(hand.cards) else mine if mine <= 21 else -1
    theirs = 22 if is_blackjack(bank) else theirs if theirs <= 21 else 0
    if mine == theirs:
        return wager.stake_cents
    if mine < theirs:
        return 0
    return wager.stake_cents * (5 if mine == 22 else 4) // 2


def test_every_unlabelled_wager_of_an_evening_is_paid_right() -> None:
    """And every label about money names the one wager that is wrong, with the difference."""
    checked = 0
    for record, label in evening(8, 4, 1000, 0.4, date(2026, 11, 20)):
        if label is not None and label.difference_cents is None:
            continue
        for box in record.boxes:
            for wager in box.wagers:
                wrong = wager.returned_cents - due(record, box, wager)
                named = label is not None and (box.number, wager.hand, wager.owner, wager.kind) == (
                    label.box,
                    label.hand,
                    label.owner,
                    label.wager,
                )
                if label is None or not named:
                    assert wrong == 0, (record.round, label)
                elif label.kind == "special_prize_without_right":
                    assert label.difference_cents == wager.returned_cents
                else:
                    assert label.difference_cents == wrong, (record.round, label)
                checked += 1
    assert checked > 10_000


@pytest.mark.parametrize(
    ("bank", "kind", "cents"),
    [
        (["TC", "8D"], "loss_paid", None),  # as 21 the hand would have won: 32's, not 23's
        (["TC", "8D"], "loss_given_back", 2000),  # no count of the ace gives that
        (["TC", "5D", "6D"], "loss_given_back", None),  # 21 would have tied
        (["TC", "5D", "6D"], "loss_paid", 4000),
        (["AC", "KD"], "loss_paid", 4000),  # against a blackjack 21 loses as 11 does
        (["TC", "5D", "8D"], "win_taken", None),  # the bank is over: no loss to speak of
        (["TC", "5D", "8D"], "win_overpaid", 2000),
    ],
)
def test_a_freed_ace_is_planted_as_nothing_else(
    bank: list[Card], kind: str, cents: int | None
) -> None:
    """A-8 doubled and a 2 drawn are 11, with the ace freed 21."""
    wager = Wagered("J1", 1, "main", 1, 2000, 1000)
    box = Betting(1, "J1", "J1", [Dealing(1, ["AS", "8H", "2D"], ["double"])], [wager])
    draft = Draft([box], Limits(1000, 30000), Shuffler(6, Random(1)), [1], bank)
    settle(draft)
    due = wager.returned
    plant = next(one.plant for one in of_payments.KINDS if one.name == kind)
    mark = plant(draft, Random(1))
    assert mark == (None if cents is None else at_wager(box, wager, cents))
    assert wager.returned == due + (cents or 0)
