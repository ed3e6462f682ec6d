"""Rounds written as short as a dealer would tell them.

``a_round(box(1, "TS 8D", main(1000, 2000)), bank="TH 7C")``: on box 1 J1 staked 1000 cents and
stood on 18, the bank had 17, and 2000 cents were handed back. What a row does not mention is as it
should be: stakes marked in time and unchanged, limits 1000 to 30000, the bank's first card open.
What a row says is unknown is left out of the record.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from casino.cards import best_total
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    VoidedCard,
    Wager,
)

UNKNOWN: Final = -1  # a figure the record leaves out
ON_TIME: Final = Times(
    stakes_closed=datetime(2026, 11, 20, 22, 14, 5, tzinfo=UTC),
    first_card=datetime(2026, 11, 20, 22, 14, 9, tzinfo=UTC),
)
HOLDER: Final = ""  # filled in by `box`


def wager(kind: Any, stake: int, returned: int, owner: str = HOLDER, **known: Any) -> Wager:
    """A wager: what lay there at the end and what was handed back for it, in cents.

    `first` is what its owner had marked before the deal: what lay there, unless said otherwise.
    """
    first = known.pop("first", stake if kind in ("main", "even_money") else UNKNOWN)
    marked = None if first == UNKNOWN else first
    return Wager(owner, kind, stake, returned, initial_cents=marked, **known)


def main(stake: int, returned: int, owner: str = HOLDER, hand: int = 1, **known: Any) -> Wager:
    """A main stake; the box holder's unless an owner is named."""
    return wager("main", stake, returned, owner, hand=hand, **known)


def even_money(stake: int, returned: int, owner: str = HOLDER, **known: Any) -> Wager:
    """A main stake whose owner took one to one for his blackjack, before the bank played."""
    return wager("even_money", stake, returned, owner, hand=1, **{"at_once": True, **known})


def insurance(stake: int, returned: int, owner: str = HOLDER, **known: Any) -> Wager:
    """An insurance; `taken_at`, `invited` and `on_its_place` where the record tells them."""
    return wager("insurance", stake, returned, owner, **known)


def special(returned: int, owner: str = HOLDER, hand: int = 1, **known: Any) -> Wager:
    """A special prize that was paid; it has no stake."""
    return wager("special", 0, returned, owner, hand=hand, **known)


def hand(
    cards: str, does: str | None = None, *, out_of: int | None = None, at: int | None = None
) -> Hand:
    """A hand; without `does` its player asked for each card past the second and stood below 21.

    `out_of` is the hand it was split from, `at` how many cards were out when it gave up. `box`
    numbers the hands in the order they are given.
    """
    dealt = tuple(cards.split())
    if does is None:
        does = "hit " * (len(dealt) - 2) + ("stand" if best_total(dealt) < 21 else "")
    return Hand(1, dealt, tuple(does.split()), out_of, at)  # type: ignore[arg-type]


def box(number: int, cards: str | Sequence[Hand], *wagers: Wager, **known: Any) -> Box:
    """A box held by J1, J2 ... after its number; ``does="hit stand"`` for a hand given as cards.

    Vacant where `vacant` is true; without cards where they are ``""``.
    """
    does = known.pop("does", None)
    hands = ([hand(cards, does)] if cards else []) if isinstance(cards, str) else cards
    vacant = known.pop("vacant", False)
    holder = None if vacant else known.pop("holder", f"J{number}")
    return Box(
        number,
        vacant,
        tuple(replace(one, number=place) for place, one in enumerate(hands, 1)),
        tuple(one if one.owner else replace(one, owner=holder or f"J{number}") for one in wagers),
        holder,
        **known,
    )


def misdealt(card: str, at: Any, fate: Any, **known: Any) -> Misdealt:
    """A card drawn wrongly: ``misdealt("5D", (1, 1), "hand", to=(2, 1), seen=False)``."""
    place = at if isinstance(at, str) else Place(*at)
    to = known.pop("to", None)
    return Misdealt(card, place, fate, to=Place(*to) if to else None, **known)


def _dealt(order: str) -> tuple[Dealt, ...]:
    """``"1 TS, bank TH, 2/2 5D, discard 9C"``: a box alone means its first hand."""
    cards = []
    for spot, card in (entry.split() for entry in order.split(",")):
        if spot[0].isdigit():
            where = [int(part) for part in spot.split("/")]
            cards.append(Dealt(card, Place(where[0], where[1] if len(where) > 1 else 1)))
        else:
            cards.append(Dealt(card, spot))  # type: ignore[arg-type]
    return tuple(cards)


def a_round(
    *boxes: Box,
    bank: str = "TH 7C",
    voided: str = "",
    bank_open: tuple[int, ...] | None = (1,),
    limits: tuple[int, int] | None = (1000, 30000),
    times: Times | None = ON_TIME,
    dealt: str | None = None,
    day: str = "2026-11-20",
    interrupted: str | None = None,
    **known: Any,
) -> RoundPlayed:
    """A whole round. ``voided="9C extra, 5D turned"`` are bank cards that were taken out."""
    out = [entry.split() for entry in voided.split(",")] if voided else []
    cards = tuple(bank.split())
    if bank_open and bank_open[-1] > len(cards):
        bank_open = ()
    return RoundPlayed(
        round="00000000-0000-4000-8000-000000000001",
        table="BJ-01",
        partida=f"BJ-01/{day}/1",
        boxes=boxes,
        bank=Bank(cards, tuple(VoidedCard(card, why) for card, why in out), bank_open),  # type: ignore[arg-type]
        misdealt=tuple(known.pop("misdealt", ())),
        limits=Limits(*limits) if limits else None,
        times=times,
        dealt=_dealt(dealt) if dealt is not None else None,
        voided=interrupted,  # type: ignore[arg-type]
        **known,
    )
