"""Whole evenings with a progressive prize, where nothing else is amiss."""

from datetime import timedelta

from casino.events.round.round_played import Times
from jackpot.events import TermsLine
from tests.factories.games import Game, moment
from tests.factories.pool_acts import (
    LINES,
    PAIR,
    SEVENS,
    START,
    collected,
    laid,
    paid,
    pool_game,
    won,
)
from tests.factories.rounds import box, hand, main, wager


def prepared(marking: str = "automatic", **terms: object) -> Game:
    """A pool and a shoe that is ready."""
    game = pool_game(marking=marking, **terms)
    game.prepare(1, "20:00")
    return game


def chip(owner: str) -> object:
    """One chip's wager."""
    return wager("jackpot", 250, 0, owner, chip=1)


def lawful_pool() -> Game:
    """Chips marked by hand, a win of each kind, paid in order, the cards open until then."""
    game = prepared("manual")
    laid(game, "1 J1 1, 2 J2 1")
    hit = won(game, f"1 J1 {PAIR}", of=laid(game, "1 J1 1", at="20:20", cards="8S 8S"), at="20:22")
    paid(game, hit, f"1 J1 {PAIR}", 5_000, "20:30")
    return game


def two_chips(chips: str) -> Game:
    """Chips one increment tells."""
    game = prepared("manual")
    collected(game, chips)
    return game


def main_stake_elsewhere() -> Game:
    """A player whose main stake lies on box 1 and whose chip lies on box 2."""
    game = prepared()
    one = box(1, "TS 8D", main(1000, 2000, "J1"))
    game.round(1, 1, boxes=(one, box(2, "TS 8D", main(1000, 2000, "J2"), chip("J1"))))
    return game


def sevens_across_hands() -> Game:
    """Three sevens on one box, the third on a hand split off."""
    game = prepared(
        cards_counted=3, lines=(*LINES[1:], TermsLine(code="AS-AS-AS", share_millionths=1000000))
    )
    hands = [hand("7S 7D", "split stand"), hand("7H 2C", "stand", out_of=1)]
    place = box(1, hands, main(1000, 0, "J1", 1), main(1000, 0, "J1", 2), chip("J1"))
    played = game.round(1, 1, boxes=(place,))
    hit = won(game, f"1 J1 {SEVENS}", of=played)
    paid(game, hit, f"1 J1 {SEVENS}", 250_000)
    return game


def collected_at_once() -> Game:
    """A blackjack paid and collected before the bank played; its jackpot prize came later."""
    game = prepared(lines=(*LINES[:2], TermsLine(code="AS-JS", fixed_cents=5_000)))
    first = moment("20:10")
    times = Times(
        stakes_closed=first - timedelta(seconds=4), first_card=first, collected=moment("20:15")
    )
    place = box(1, "AS JS", main(1000, 2500, "J1", at_once=True), chip("J1"))
    hit = won(game, "1 J1 AS-JS", of=game.round(1, 1, boxes=(place,), times=times))
    paid(game, hit, "1 J1 AS-JS", 5_000, "20:20")
    return game


def no_top() -> Game:
    """Two winners, none of them with the top combination; the share was one of the whole meter."""
    game = prepared()
    pair = box(1, "8S 8S", main(1000, 2000, "J1"), chip("J1"))
    sevens = box(2, "7S 7D 7H", main(1000, 2000, "J2"), chip("J2"))
    hit = won(game, f"1 J1 {PAIR}", f"2 J2 {SEVENS}", of=game.round(1, 1, boxes=(pair, sevens)))
    paid(game, hit, f"1 J1 {PAIR}", 5_000, "20:20")
    paid(game, hit, f"2 J2 {SEVENS}", START // 10, "20:21")
    return game
