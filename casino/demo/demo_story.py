"""The demo's evening from beginning to end, and everything in it that is against the law.

Three tables and the commented game of seed 000. Nights have their troubles, which are put right as
the law asks: a card bent in the shuffler, a jam, a complaint, a table that closed for want of
stakes and opened again, a deck withdrawn at the closing. What was done against the law on purpose,
each where it is told:

- BJ-01: in shoe 3 two cards are burnt (its correction waits for a second person); the cut of shoe 5
  is made by a seat that had no right to it; a deck's count was mistyped and corrected.
- BJ-02, afternoon: the shuffler is loaded in one packet, and it is the room's manager who
  confirms it.
- BJ-02, evening: after a jam it is loaded again and nobody confirms it; a guest lays two jackpot
  chips; winning cards are collected before their prize is paid.
- BJ-03: in shoe 2 the carta-aviso lies 22 cards off; a blackjack is paid even.
- Here and there the simulated tables make a mistake of their own (`errors`).
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from casino.cards import is_blackjack
from casino.demo import cast, demo_house
from casino.demo.commented import commented
from casino.demo.demo_cards import Game
from casino.demo.demo_lines import Evening, Line, Receipts, in_order, reference
from casino.demo.pool import Playing
from casino.demo.shoe_table import ShoeGame
from casino.demo.shuffler_table import Load, ShufflerGame
from casino.events.corrections import Corrected, Decision, WithdrawalAsked
from casino.events.decks import DeckInspected
from casino.events.incidents import IncidentReported, Person
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned

MISCOUNTED: Final = "D-0203"
TWO_BURNED: Final = 3  # shoes
WRONG_CUT: Final = 5
EARLY_WARNING: Final = 2
BENT: Final = "D-0233"
STOPPED_AFTER: Final = 112


def lines_of(evening: Evening) -> list[Line]:
    """Everything that is recorded, in the order in which it was recorded."""
    first, prize = _first_shoes(evening), Playing(evening)
    afternoon, night = _afternoon(evening, prize), _night(evening, prize)
    second = _second_shoes(evening, prize)
    return in_order(
        [
            *demo_house.founding(evening),
            *prize.lines(),
            *demo_house.cards_received(evening),
            *demo_house.old_cards_destroyed(evening),
            *demo_house.leave(evening),
            *demo_house.exchanged(evening),
            *demo_house.notice_received(evening),
            *demo_house.duty(evening),
            *first,
            *_corrections(evening, first),
            *afternoon,
            *night,
            *second,
            *_disturbance(evening),
            *_slip(evening),
            *commented(Game(evening, "BJ-07", 1, cast.SECOND_PIT.at_the_desk), evening.at("21:40")),
        ]
    )


def _first_shoes(evening: Evening) -> list[Line]:
    return ShoeGame(
        game=Game(evening, "BJ-01", 1, cast.PIT.at_the_desk),
        index=0,
        first_round=evening.at("20:05"),
        rounds=170,
        miscounted_deck=MISCOUNTED,
        wrong_cut=WRONG_CUT,
        two_burned=TWO_BURNED,
        errors=(64, 131),
    ).lines()


def _afternoon(evening: Evening, prize: Playing) -> list[Line]:
    return ShufflerGame(
        game=Game(evening, "BJ-02", 1, cast.DAY_PIT.at_the_desk),
        chefe=cast.DAY_CHEFE,
        first_round=evening.at("15:40"),
        rounds=110,
        load=Load(packets=1, witness=cast.MANAGER),
        disputed_in=34,
        damaged_after=57,
        played_for=prize.at,
    ).lines()


def _night(evening: Evening, prize: Playing) -> list[Line]:
    return ShufflerGame(
        game=Game(evening, "BJ-02", 2, cast.PIT.at_the_desk),
        chefe=cast.CHEFE,
        first_round=evening.at("20:45"),
        rounds=160,
        load=Load(packets=3, witness=cast.CHEFE, declared=cast.CHEFE.number),
        reload=Load(packets=2, witness=None, declared=cast.CHEFE.number),
        jammed_after=72,
        played_for=prize.at,
        errors=(104,),
    ).lines()


def _second_shoes(evening: Evening, prize: Playing) -> list[Line]:
    return ShoeGame(
        game=Game(evening, "BJ-03", 1, cast.SECOND_PIT.at_the_desk),
        index=2,
        first_round=evening.at("21:00"),
        rounds=160,
        early_warning=EARLY_WARNING,
        changed_from=45,
        changed=paid_even,
        errors=(98,),
        bent=BENT,
        stopped_after=STOPPED_AFTER,
        played_for=prize.at,
    ).lines()


def paid_even(record: RoundPlayed) -> RoundPlayed | None:
    """The round with one blackjack paid 1:1 in the place of 3:2; None where there is none to pay.

    Law: PT art. 21.
    """
    for at, box in enumerate(record.boxes):
        natural = len(box.hands) == 1 and is_blackjack(box.hands[0].cards)
        for place, wager in enumerate(box.wagers):
            due = wager.returned_cents * 2 == wager.stake_cents * 5
            if natural and wager.kind == "main" and due:
                wagers, boxes = list(box.wagers), list(record.boxes)
                wagers[place] = replace(wager, returned_cents=2 * wager.stake_cents)
                boxes[at] = replace(box, wagers=tuple(wagers))
                return replace(record, boxes=tuple(boxes))
    return None


def _corrections(evening: Evening, lines: list[Line]) -> Iterator[Line]:
    """A mistyped count put right, and two burnt cards that somebody says were one."""
    named = {line.name: line for line in lines}
    shown = named[f"shown/{MISCOUNTED}"]
    right: DeckInspected = replace(shown.event, cards=52, result="conform")
    yield replace(
        shown,
        event=right,
        name="recounted",
        corrects=shown.name,
        reason="typing-error",
        recorded_at=evening.at("19:58"),
    )
    yield _decided(evening, "recounted", shown.name, "approved")
    burned = named[f"burned/BJ-01/1/{TWO_BURNED}"]
    fewer: CardBurned = replace(burned.event, cards=1, despite=())
    yield replace(
        burned,
        event=fewer,
        name="burned-fewer",
        corrects=burned.name,
        reason="typing-error",
        recorded_at=burned.at + timedelta(minutes=50),
    )


def _decided(evening: Evening, pending: str, original: str, decision: Decision) -> Line:
    def value(receipts: Receipts) -> Corrected:
        return Corrected(
            table="BJ-01",
            partida=evening.partida("BJ-01"),
            pending=reference(receipts[pending]),
            original=reference(receipts[original]),
            decision=decision,
            reason="checked",
        )

    at = evening.at("20:01")
    return Line(at=at, by=cast.CHEFE.at_the_desk, event=value, after=(pending, original))


def _slip(evening: Evening) -> Iterator[Line]:
    """An incident tapped by mistake, and withdrawn by two persons: it counts nowhere."""
    at, by = evening.at("22:31"), cast.SECOND_PIT.at_the_desk
    here: dict[str, Any] = {"table": "BJ-03", "partida": evening.partida("BJ-03")}
    event = IncidentReported(
        **here, incident="IN-304", category="cash", reason="diferenca_de_fichas", people=()
    )
    yield Line(at=at, by=by, event=event, name="slip")

    def asked(receipts: Receipts) -> WithdrawalAsked:
        return WithdrawalAsked(
            **here, entry=reference(receipts["slip"]), act=event.kind, reason="tapped_by_mistake"
        )

    yield Line(at=at + timedelta(minutes=1), by=by, event=asked, name="slip-asked", after=("slip",))

    def approved(receipts: Receipts) -> Corrected:
        return Corrected(
            **here,
            pending=reference(receipts["slip-asked"]),
            original=reference(receipts["slip"]),
            decision="approved",
            reason="checked",
        )

    yield Line(
        at=at + timedelta(minutes=6),
        by=cast.CHEFE.at_the_desk,
        event=approved,
        after=("slip-asked", "slip"),
    )


def _disturbance(evening: Evening) -> Iterator[Line]:
    """Two guests quarrel; nobody has closed it yet."""
    at = evening.at("23:12")
    event = IncidentReported(
        table="BJ-03",
        partida=evening.partida("BJ-03"),
        incident="IN-303",
        category="conduct",
        reason="desentendimento",
        people=(
            Person(person="J2", role="player"),
            Person(person=cast.SECOND_PIT.number, role="fiscal_de_banca"),
        ),
        noticed_at=at,
        text="Dois jogadores discutiram por causa de uma aposta complementar.",
    )
    yield Line(
        at=at, by=cast.SECOND_PIT.at_the_desk, event=event, recorded_at=at + timedelta(minutes=9)
    )
