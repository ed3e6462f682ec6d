"""What simulated machines report: a shuffler about a load, a shoe of the cards that left it, a
sensor of the stakes.

Only where the partida's wishes say so, `reports`. Law: PT art. 3, 13, 51, 53 to 55.
"""

from datetime import datetime
from hashlib import sha256
from typing import Final

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.events.inspection import FirmwareDecided
from casino.events.round.round_played import Box, RoundPlayed
from casino.events.shoes import CardBurned, CardOut, CardsSpread
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.events.stake_signals import StakeSignal
from casino.simulation.procedures.procedure_acts import SECOND, Act, Partida, Who, later

VERSION: Final = "2.4"  # of the program every simulated machine runs
SENSED: Final = 8  # rounds of a game, its first: it is an entry a box
DIGEST: Final = sha256(f"Exemplo {VERSION}".encode()).hexdigest()


def program_approved(at: datetime, by: Who, model: str, document: str) -> Act:
    """The program is approved for a model."""
    approved = FirmwareDecided(
        model=model,
        firmware=VERSION,
        firmware_sha256=DIGEST,
        decision="approved",
        valid_from=at,
        document=document,
    )
    return Act(at, by, approved)


def reported_at_load(game: Partida, at: datetime, cards: int) -> None:
    """It says what it runs, then mixes what was put in and counts it."""
    if not game.wishes.get("reports"):
        return
    machine = {"shuffler": game.shuffler}
    said = {"firmware": VERSION, "firmware_sha256": DIGEST, "seals": "intact"}
    game.record(later(at, -3), ShufflerSelfCheck, game.device, **machine, **said)
    game.record(later(at, -2.5), ShufflerSignal, game.device, signal="lid_opened", **machine)
    game.record(later(at, 0.25), ShufflerSignal, game.device, signal="lid_closed", **machine)
    mixes = {**machine, "mode": "shuffle"}
    game.record(later(at, 0.5), ShufflerCycle, game.device, phase="started", **mixes)
    game.record(later(at, 2), ShufflerCycle, game.device, phase="ended", cards=cards, **mixes)


def reported_trouble(game: Partida, at: datetime, over: datetime) -> None:
    """Its light warns until it is put right."""
    if game.wishes.get("reports"):
        machine = {"shuffler": game.shuffler}
        game.record(at, ShufflerSignal, game.device, signal="light_on", **machine)
        game.record(over, ShufflerSignal, game.device, signal="light_off", **machine)


def reported_at_closing(game: Partida, at: datetime) -> None:
    """The cards out of it go through it once more, to be put in order."""
    if game.wishes.get("reports"):
        sorts = {"shuffler": game.shuffler, "phase": "ended", "mode": "sort"}
        game.record(at, ShufflerCycle, game.device, **sorts)


def reported_by_shoe(game: Partida) -> None:
    """Every card that left one shoe of a game: burnt ones unread, the others as recorded.

    It is the first whose cards were not laid out; one, as it is an entry a card.
    """
    if not game.wishes.get("reports"):
        return
    laid_out = {act.event.shoe for act in game.of(CardsSpread)}
    shoe = min({act.event.shoe for act in game.of(CardBurned)} - laid_out, default=None)
    out = 0
    for burn in game.of(CardBurned, shoe=shoe):
        for _ in range(burn.event.cards):
            out += 1
            game.record(burn.at, CardOut, game.device, shoe=shoe, position=out)
    for act in game.rounds:
        if act.event.shoe != shoe:
            continue
        times = act.event.times
        at = times.first_card if times is not None and times.first_card else act.at
        for card in _left_the_shoe(act.event):
            out, at = out + 1, at + SECOND
            read = None if UNKNOWN_TEN in card or UNKNOWN_SUIT in card else card
            game.record(at, CardOut, game.device, shoe=shoe, position=out, card=read)


def _left_the_shoe(played: RoundPlayed) -> list[str]:
    """The cards of a round in the order in which they came, where that is recorded."""
    if played.dealt is not None:
        return [one.card for one in played.dealt]
    cards = [*played.bank.cards, *(one.card for one in played.bank.voided)]
    cards += [card for box in played.boxes for hand in box.hands for card in hand.cards]
    return cards + [one.card for one in played.misdealt if one.fate == "discard"]


def reported_stakes(game: Partida) -> None:
    """What lay on each box when the stakes of the first rounds were closed.

    In every fourth a player lays more on the first box, and the dealer takes it off again.
    """
    if not game.wishes.get("reports"):
        return
    for place, act in enumerate(game.rounds[:SENSED], start=1):
        played, times = act.event, act.event.times
        closed = times.stakes_closed if times is not None and times.stakes_closed else act.at
        of_round = {"round": played.round}
        for box in played.boxes:
            cents = _marked(box)
            if cents is None:
                continue
            seen = of_round | {"box": box.number, "amount_cents": cents}
            game.record(closed, StakeSignal, game.device, phase="closed", **seen)
            if place % 4 == 0 and box is played.boxes[0]:
                more = seen | {"amount_cents": 2 * cents}
                game.record(closed + 20 * SECOND, StakeSignal, game.device, phase="changed", **more)
                game.record(closed + 25 * SECOND, StakeSignal, game.device, phase="changed", **seen)


def _marked(box: Box) -> int | None:
    """What was marked on a box before the deal; None where the round does not tell it."""
    began: dict[str, int | None] = {}
    for wager in box.wagers:
        if wager.kind in ("main", "even_money"):
            began.setdefault(wager.owner, wager.initial_cents)
    return None if None in began.values() else sum(cents or 0 for cents in began.values())
