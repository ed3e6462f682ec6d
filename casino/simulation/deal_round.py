"""One lawful round from the first card to the bank's last.

Order of dealing: a card to each box, one to the bank, both again; then hand by hand, ascending. Of
a split both hands get their second card when their own turn comes, the hand that keeps its card
first.

Law: PT art. 17 to 19, 22, 26 to 36.
"""

from random import Random

from casino.cards import VALUE, best_total, is_blackjack
from casino.simulation import settling
from casino.simulation.draft import Betting, Dealing, Draft, Wagered
from casino.simulation.strategy import Style, decide, is_pair

MOST_HANDS = 8  # on one box; people stop there, the text does not
FOLLOWS = 0.6


def play_round(draft: Draft, styles: dict[str, Style], rng: Random) -> None:
    """Deal, ask, draw, pay: the draft is settled when this returns. Raises: OutOfCards."""
    _open(draft)
    for box in draft.boxes:
        if draft.bank_opens_ace():
            _side_bets(box, styles, rng)
    for box in draft.boxes:
        style = styles[box.leader]
        at = 0
        while at < len(box.hands):  # a split adds hands while we go
            play_hand(draft, box, box.hands[at], style, rng)
            settling.award_special(box, box.hands[at], rng)
            at += 1
    settling.play_bank(draft, rng)
    settling.settle(draft)


def _open(draft: Draft) -> None:
    for _ in (1, 2):
        for box in draft.boxes:
            box.hands[0].cards.append(draft.draw(box.number, 1))
        draft.bank.append(draft.draw(0, 0))
    draft.opening = len(draft.dealt)


def _side_bets(box: Betting, styles: dict[str, Style], rng: Random) -> None:
    """Insurance and even money, each owner for himself. Law: PT art. 33, 34."""
    natural = is_blackjack(box.hands[0].cards)
    for main in tuple(box.wagers):
        style = styles[main.owner]
        if natural and rng.random() < style.even_money:
            main.kind = "even_money"
        elif rng.random() < style.insures:
            amount = main.stake // (2 if rng.random() < 0.8 else 4)
            box.wagers.append(
                Wagered(main.owner, main.seat, "insurance", None, amount, main.initial)
            )


def play_hand(draft: Draft, box: Betting, hand: Dealing, style: Style, rng: Random) -> None:
    """Everything its owner does with one hand, until it stands, doubles, busts or gives up."""
    if len(hand.cards) == 1:
        hand.cards.append(draft.draw(box.number, hand.number))
    up = VALUE[draft.bank[0]]
    while True:
        if hand.of_aces and not _splits_aces_again(box, hand):
            return
        if best_total(hand.cards) >= 21:
            return
        action = decide(hand.cards, up, style, rng, split=hand.split)
        if hand.of_aces:
            action = "split"
        elif action == "split" and len(box.hands) >= MOST_HANDS:
            action = "stand" if best_total(hand.cards) > 11 else "hit"
        hand.actions.append(action)
        if action == "split":
            split(box, hand, rng)
            hand.cards.append(draft.draw(box.number, hand.number))
            continue
        if action == "double":
            double(box, hand, rng)
        if action in ("hit", "double"):
            hand.cards.append(draft.draw(box.number, hand.number))
        if action != "hit":
            return


def _splits_aces_again(box: Betting, hand: Dealing) -> bool:
    return is_pair(hand.cards) and len(box.hands) < MOST_HANDS


def split(box: Betting, hand: Dealing, rng: Random) -> Dealing:
    """Move the second card to a new hand; others follow with an equal stake or stay.

    Law: PT art. 26 to 28.
    """
    new = Dealing(len(box.hands) + 1, [hand.cards.pop(1)], parent=hand.number, split=True)
    hand.split = True
    box.hands.append(new)
    for main in box.mains(hand.number):
        if main.owner == box.leader or rng.random() < FOLLOWS:
            box.wagers.append(
                Wagered(main.owner, main.seat, "main", new.number, main.initial, main.initial)
            )
    return new


def double(box: Betting, hand: Dealing, rng: Random) -> None:
    """Twice the stake on this hand; others may do as the one who decides. Law: PT art. 29 to 31."""
    for main in box.mains(hand.number):
        if main.owner == box.leader or rng.random() < FOLLOWS:
            main.stake = 2 * main.initial
