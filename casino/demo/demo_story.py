"""The demo's evening from beginning to end, and everything in it that is against the law.

Three tables and the commented game of seed 000. Nights have their troubles, which are put right as
the law asks: a card bent in the shuffler, a jam, a complaint, a table that closed for want of
stakes and opened again, a deck withdrawn at the closing. What was done against the law on purpose,
each where it is told:

- BJ-01: in shoe 3 two cards are burnt (its correction waits for a second person); the cut of shoe 5
  is made by a seat that had no right to it; a deck's count was mistyped and corrected. Shoe 7 is
  recorded as shuffled like any other, but its cards are the discards of shoe 6 as they lay.
- BJ-02, afternoon: the shuffler is loaded in one packet, and it is the room's manager who
  confirms it.
- BJ-02, evening: after a jam it is loaded again, nobody confirms it, and the machine, which reports
  of itself, tells of no cycle; a guest lays two jackpot
  chips; winning cards are collected before their prize is paid. A sensor sees a stake doubled
  once the stakes were closed, and the round is paid by it.
- BJ-03: in shoe 2 the carta-aviso lies 22 cards off; a blackjack is paid even; 250.00 in chips are
  gone at the closing, since the count in the midst of the game. Of BJ-01 the drop is not counted
  yet: whether its chips are right is open.
- Here and there the simulated tables make a mistake of their own (`errors`).
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from casino.cards import is_blackjack
from casino.demo import cast, demo_house
from casino.demo.commented import commented
from casino.demo.demo_evening import Evening
from casino.demo.demo_tables import Cuts, DemoShoe, DemoShuffler, known_of, partida_of
from casino.demo.pool import Playing
from casino.events.decks import DeckInspected
from casino.events.event import OverriddenWarning
from casino.events.incidents import IncidentReported, Person
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned, CartaAvisoPlaced
from casino.events.shuffler_reports import ShufflerCycle
from casino.events.shufflers import ShufflerLoaded
from casino.events.stake_signals import StakeSignal
from casino.simulation.procedures.counted_money import UNCOUNTED, count_money
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, ByName, Partida

MISCOUNTED: Final = "D-0203"
TWO_BURNED: Final = 3  # shoes
WRONG_CUT: Final = 5
UNSHUFFLED: Final = 7
EARLY_WARNING: Final = 2
# The hand that puts the carta-aviso in too early does so by this many cards.
TOO_EARLY: Final = 22
BENT: Final = "D-0233"
STOPPED_AFTER: Final = 112
PAID_EVEN_AFTER: Final = 45
GONE: Final = 25_000  # cents in chips, of BJ-03
RAISED_IN: Final = 6  # round of the evening's game at the shuffler


def acts_of(evening: Evening) -> list[Act]:
    """Everything that is recorded, in the order in which it was recorded."""
    first, prize = _first_shoes(evening), Playing(evening)
    games = [_afternoon(evening, prize), _night(evening, prize), _second_shoes(evening, prize)]
    for game in (first, *games):
        count_money(game)
    acts = [
        *demo_house.founding(evening),
        *prize.acts(),
        *demo_house.cards_received(evening),
        *demo_house.old_cards_destroyed(evening),
        *demo_house.leave(evening),
        *demo_house.exchanged(evening),
        *demo_house.notice_received(evening),
        *demo_house.duty(evening),
        *first.acts,
        *_corrections(evening, first),
        *(act for game in games for act in game.acts),
        *_disturbance(games[-1], evening.at("23:12")),
        *_slip(games[-1], evening.at("22:31")),
        *commented(evening, evening.at("21:40")),
    ]
    return sorted(acts, key=lambda act: act.known_at)


def _first_shoes(evening: Evening) -> Partida:
    game = partida_of(evening, "BJ-01", 1, cast.PIT)
    game.wishes |= {"errors": (64, 131), "unshuffled": (UNSHUFFLED,), UNCOUNTED: True}
    DemoShoe(**known_of(game, evening.at("20:05"), 170), turns=Cuts(wrong=WRONG_CUT)).play_out()
    shown = game.only(DeckInspected, deck=MISCOUNTED, moment="exhibition")
    shown.change(cards=51, result="missing")
    despite = OverriddenWarning(check="burnt_cards_exact", reason="it-happened-so")
    game.only(CardBurned, shoe=TWO_BURNED).change(cards=2, despite=(despite,))
    return game


def _afternoon(evening: Evening, prize: Playing) -> Partida:
    game = partida_of(evening, "BJ-02", 1, cast.DAY_PIT, cast.DAY_CHEFE)
    game.wishes["reports"] = True
    known = known_of(game, evening.at("15:40"), 110)
    side, halts = prize.at(game, known["table"]), {34: "disputed", 57: "damaged"}
    DemoShuffler(**known, side=side, halts=halts).play_out()
    load = game.only(ShufflerLoaded)
    load.change(packets=1, fiscal_chefe=None)
    word, manager = game.word_for(load), cast.MANAGER.who
    word.by, word.event.staff, word.event.office = manager, manager.staff, manager.office
    return game


def _night(evening: Evening, prize: Playing) -> Partida:
    game = partida_of(evening, "BJ-02", 2, cast.PIT)
    game.wishes |= {"errors": (104,), "reports": True}
    known = known_of(game, evening.at("20:45"), 160)
    side = prize.at(game, known["table"])
    DemoShuffler(**known, side=side, halts={72: "jammed"}).play_out()
    load, again = game.of(ShufflerLoaded)
    load.change(packets=3)
    again.change(packets=2)
    game.drop(game.word_for(again))
    mixed = game.of(ShufflerCycle, mode="shuffle")
    game.drop(*(cycle for cycle in mixed if cycle.at > again.at))
    raised = game.of(StakeSignal, round=game.rounds[RAISED_IN - 1].event.round)[0]
    after = replace(raised.event, phase="changed")
    game.record(raised.at + 40 * SECOND, after, game.device)
    raised.change(amount_cents=after.amount_cents // 2)
    return game


def _second_shoes(evening: Evening, prize: Playing) -> Partida:
    game = partida_of(evening, "BJ-03", 1, cast.SECOND_PIT)
    game.wishes |= {"errors": (98,), "displaced": {EARLY_WARNING: -TOO_EARLY}, "gone": GONE}
    known = known_of(game, evening.at("21:00"), 160) | {"turns": Cuts()}
    side = prize.at(game, known["table"])
    DemoShoe(**known, side=side, bent_deck=BENT, stopped_after=STOPPED_AFTER).play_out()
    hurried = OverriddenWarning(check="warning_card_at_its_place", reason="short-of-staff")
    game.only(CartaAvisoPlaced, shoe=EARLY_WARNING).change(despite=(hurried,))
    for act in game.rounds[PAID_EVEN_AFTER:]:
        even = paid_even(act.event)
        if even is not None:
            act.event = even
            break
    return game


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


def _corrections(evening: Evening, game: Partida) -> Iterator[Act]:
    """A mistyped count put right, and two burnt cards that somebody says were one."""
    shown = game.only(DeckInspected, deck=MISCOUNTED, moment="exhibition")
    recounted = _correcting(shown, evening.at("19:58"), cards=52, result="conform")
    yield recounted
    yield _approved(game, evening.at("20:01"), recounted, shown)
    burned = game.only(CardBurned, shoe=TWO_BURNED)
    yield _correcting(burned, burned.at + timedelta(minutes=50), cards=1, despite=())


def _correcting(act: Act, recorded_at: datetime, **values: object) -> Act:
    event = replace(act.event, **values)
    return Act(act.at, act.by, event, recorded_at, corrects=act, reason="typing-error")


def _approved(game: Partida, at: datetime, pending: Act, original: Act) -> Act:
    said = {**game.where, "pending": pending, "original": original, "decision": "approved"}
    return Act(at, cast.CHEFE.who, ByName("corrected/1", {**said, "reason": "checked"}))


def _slip(game: Partida, at: datetime) -> Iterator[Act]:
    """An incident tapped by mistake, and withdrawn by two persons: it counts nowhere."""
    event = IncidentReported(
        **game.where,
        incident="IN-304",
        category="cash",
        reason="diferenca_de_fichas",
        people=(),
    )
    slip = Act(at, game.pit, event)
    said = {**game.where, "entry": slip, "act": event.kind, "reason": "tapped_by_mistake"}
    asked = Act(at + MINUTE, game.pit, ByName("withdrawal-asked/1", said))
    yield from (slip, asked, _approved(game, at + 6 * MINUTE, asked, slip))


def _disturbance(game: Partida, at: datetime) -> Iterator[Act]:
    """Two guests quarrel; nobody has closed it yet."""
    event = IncidentReported(
        **game.where,
        incident="IN-303",
        category="conduct",
        reason="desentendimento",
        people=(
            Person(person="J2", role="player"),
            Person(person=game.pit.staff, role="fiscal_de_banca"),
        ),
        noticed_at=at,
        text="Dois jogadores discutiram por causa de uma aposta complementar.",
    )
    yield Act(at, game.pit, event, at + timedelta(minutes=9))
