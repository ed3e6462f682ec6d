"""What a round is asked: its checks by what they look at, in the order in which they are asked."""

from collections.abc import Iterator
from typing import Any

from casino.events.round.round_played import Box, Wager
from casino.law.check_registry import Asked, Plan
from casino.law.finding import Where
from casino.law.rounds.play import HandPlay, RoundPlay, at


def questions(play: RoundPlay, plan: Plan) -> Iterator[tuple[tuple[Asked, ...], tuple[Any, ...]]]:
    """Checks with what they look at: the round, its boxes and side bets, its hands and stakes."""
    of = plan.asked
    checks = of["round"] + of["misdealt"] if play.record.misdealt else of["round"]
    yield checks + of["taken_out"] if play.taken_out else checks, (play,)
    for box in play.boxes:
        yield of["box"] + of["vacant"] if box.vacant else of["box"], (play, box)
        for wager in box.wagers:
            if wager.kind == "insurance":
                yield of["side"], (play, box, wager)
    for hand in play.hands:
        checks = of["hand"]
        if hand.draws:
            checks += of["drawn"]
        if hand.surrendered:
            checks += of["surrendered"]
        if hand.doubled:
            checks += of["doubled"]
        if hand.hand.split_from is not None:
            checks += of["split"]
        yield checks, (play, hand)
        for wager in hand.wagers:
            yield of["stake"], (play, hand, wager)


def where_of(
    play: RoundPlay, thing: Box | HandPlay | None = None, wager: Wager | None = None
) -> Where:
    """Where what a check looked at is: its box, its hand, or its stake."""
    if isinstance(thing, HandPlay):
        return thing.where if wager is None else at(thing.box, wager)
    return {} if thing is None else at(thing, wager)
