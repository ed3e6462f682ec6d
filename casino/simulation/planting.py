"""The shapes of a planted error, and the ways to change a finished round so that it stays one.

A planter gets a lawful, settled draft. It either leaves it lawful and answers None, or changes it
and answers where: then the round holds exactly one breach, and everything that followed from it
was dealt and paid as the regulation has it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from casino.cards import best_total
from casino.simulation import payouts
from casino.simulation.draft import BANK, Betting, Dealing, Draft, Wagered
from casino.simulation.settling import play_bank, settle, undo_bank


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a breach lies; `cents` handed back less what was due, None for conduct."""

    box: int | None = None
    hand: int | None = None
    owner: str | None = None
    wager: str | None = None
    cents: int | None = None


_TENS: Final = frozenset(rank + suit for rank in "TJQK" for suit in "CDHS")
_ACES: Final = frozenset("A" + suit for suit in "CDHS")

Planter = Callable[[Draft, Random], Mark | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of error: its name, the article it breaks, how it is planted."""

    name: str
    article: str
    plant: Planter


def pick(candidates: list[tuple[Betting, Dealing]], rng: Random) -> tuple[Betting, Dealing] | None:
    """One of the hands found, or None."""
    return candidates[int(rng.random() * len(candidates))] if candidates else None


def on_hand(box: Betting, hand: Dealing) -> Mark:
    """A breach of conduct on that hand."""
    return Mark(box.number, hand.number)


def at_wager(box: Betting, wager: Wagered, cents: int | None = None) -> Mark:
    """A breach on one wager."""
    return Mark(box.number, wager.hand, wager.owner, wager.kind, cents)


def last_act(hand: Dealing) -> str | None:
    """The last thing decided on the hand."""
    return hand.actions[-1] if hand.actions else None


def stood(draft: Draft) -> Iterator[tuple[Betting, Dealing]]:
    """Hands left standing at once on their first two cards, no ace among them, staked, in play."""
    for box, hand in draft.hands():
        if len(hand.cards) == 2 and last_act(hand) == "stand":
            if hand.cards[0][0] != "A" and hand.cards[1][0] != "A":
                yield box, hand


def void_card(draft: Draft, box: Betting, hand: Dealing) -> Mark:
    """Give the hand one card that counts for nothing. The bank's cards came after and stay."""
    hand.counted = len(hand.cards)
    hand.actions.append("hit")
    draft.draw_late(box, hand)
    return on_hand(box, hand)


def bank_again(draft: Draft, rng: Random) -> None:
    """Let the bank draw anew for the hands as they now are, and pay. Call `undo_bank` first."""
    play_bank(draft, rng)
    settle(draft)


def cut_short(draft: Draft, box: Betting, hand: Dealing, keep: int) -> None:
    """Take all cards after the first `keep` off a hand, the bank's drawn ones too."""
    undo_bank(draft)
    draft.take_back(box.number, hand.number, hand.cards[keep:])
    del hand.cards[keep:]
    box.wagers = [w for w in box.wagers if w.kind != "special" or w.hand != hand.number]


def bank_played(draft: Draft) -> bool:
    """Whether somebody without a blackjack was left for the bank to play against."""
    for box, hand in draft.hands():
        if hand.result in ("nearer", "farther", "equal") and box.mains(hand.number):
            return True
    return False


def bank_natural(draft: Draft) -> bool:
    """Whether the bank has a blackjack."""
    return payouts.is_natural(draft.bank_in_force(), split=False)


def bank_points(draft: Draft) -> int:
    """The bank's points as they count."""
    return best_total(draft.bank_in_force())


def give_bank_natural(draft: Draft, rng: Random) -> bool:
    """Let the bank's second card be one that makes its blackjack, if the open card allows it."""
    if not draft.bank_may_have_natural():
        return False
    if bank_natural(draft):
        return True
    undo_bank(draft)
    wanted = _TENS if draft.bank_opens_ace() else _ACES
    second = draft.source.exchange(draft.bank[1], wanted)
    if second is None:
        bank_again(draft, rng)
        return False
    draft.bank[1] = second
    draft.dealt[draft.opening - 1] = (second, BANK, 0)
    settle(draft)
    return True
