"""The cut that is to be made: whose turn it is, who was asked, who makes it.

The whole plan stands in the page's address, ``?seats=1+2+5&refused=2&cut=5``: each tap asks for the
page again, and the rule of turns is worked out here and nowhere else.

Law: PT art. 8; 53 (a shuffler's cards are mixed by hand, 52 waives their cut).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal
from urllib.parse import urlencode

from casino.events.shoes import (
    CardsShuffled,
    CardsSpread,
    CutAfter,
    CutMade,
    CutOffer,
    DeckPasses,
    PlayInterrupted,
)
from casino.floor.table_state import TableState
from casino.law.checks.shoe.cuts import TURNS, right_to_cut
from casino.law.cut_turns import Right
from casino.law.dossier import Dossier, RecordedEvent, Signed, in_time
from casino.law.game_decks import decks_in_play
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook import LawInForce
from casino.previewing import IN_HAND

FISCAL: Final = "fiscal_de_banca"
PASSES: Final = 7  # of each deck, where nobody recorded how many the house gives
MOST: Final = 20  # seats
_NO_ENTRY: Final = 2**52
_NO_STOPS: Final = frozenset({"dealer_change"})
Part = Literal["both", "shuffle", "cut"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is about to be recorded of one shoe's shuffle and cut.

    `right` is whose turn it is, None where the record does not tell; `cut` the seat that cuts,
    FISCAL, or None while nobody is known to. `chosen`: he was named, not worked out. `unstated`:
    the rulebook says nothing of turns.
    """

    shoe: int
    part: Part
    seats: tuple[int, ...]
    refused: tuple[int, ...] = ()
    chosen: int | str | None = None
    right: Right | None = None
    unstated: bool = False

    @property
    def due(self) -> int | None:
        """The rightful seat; None where it is the fiscal's cut, or nobody knows."""
        return self.right.due if self.right is not None else None

    @property
    def asked(self) -> int | None:
        """The seat to be asked next; None where all have declined."""
        if self.right is not None:
            return self.right.passes_to(self.refused)
        return next((seat for seat in self.seats if seat not in self.refused), None)

    @property
    def cut(self) -> int | str:
        """Who cuts: whoever was named, else the seat to be asked next, else the fiscal."""
        return self.chosen or self.asked or FISCAL

    @property
    def offers(self) -> tuple[CutOffer, ...]:
        """Who was asked, in order, and what he answered."""
        listed = [CutOffer(seat=seat, accepted=False) for seat in self.refused if seat != self.cut]
        if isinstance(self.cut, int):
            listed.append(CutOffer(seat=self.cut, accepted=True))
        return tuple(listed)

    def query(self, **changed: object) -> str:
        """The address of this plan, or of another that differs in something."""
        data: dict[str, object] = {
            "seats": self.seats,
            "refused": self.refused,
            "cut": self.chosen or "",
        } | changed
        words = {name: _joined(value) for name, value in data.items()}
        return "?" + urlencode({"seats": words["seats"]} | {k: v for k, v in words.items() if v})


def plan_of(
    state: TableState,
    dossier: Dossier,
    rules: LawInForce,
    now: datetime,
    asked: Mapping[str, object],
) -> Plan:
    """The plan an address tells of; what it leaves out is as the table stands."""
    seats = _numbers(asked["seats"]) if "seats" in asked else state.seats
    seats = tuple(sorted(set(seats)))
    chosen = str(asked.get("cut", ""))
    named = FISCAL if chosen == FISCAL else next(iter(_numbers(chosen)), None)
    declined = dict.fromkeys(_numbers(asked.get("refused", "")))
    refused = tuple(seat for seat in declined if seat in seats)
    shoe = next(iter(_numbers(asked.get("shoe", ""), 10**6)), state.next_shoe)
    right = rightful(dossier, rules, shoe, seats, now)
    return Plan(
        shoe=shoe,
        part=part_of(state, shoe),
        seats=seats,
        refused=refused,
        chosen=named,
        right=right,
        unstated=not all(map(rules.states, TURNS)),
    )


def seats_of(cut: CutMade) -> dict[str, str]:
    """A cut as the address of its page has it: the seats, who declined, who was named."""
    declined = tuple(offer.seat for offer in cut.offers if not offer.accepted)
    values = {"seats": _joined(cut.seats_occupied), "refused": _joined(declined)}
    if cut.seat is not None and cut.seat != cut.due_seat:
        values["cut"] = str(cut.seat)
    return {name: value for name, value in values.items() if value}


def part_of(state: TableState, shoe: int) -> Part:
    """What of shuffle and cut is still to be done for a shoe."""
    if state.dealing == "shuffler":
        return "shuffle"
    return "cut" if (state.stage, state.shoe) == ("shuffled", shoe) else "both"


def rightful(
    dossier: Dossier, rules: LawInForce, shoe: int, seats: tuple[int, ...], at: datetime
) -> Right | None:
    """Whose turn the cut of a shoe is, with these seats taken; None where nobody knows."""
    named: dict[str, Any] = {"table": dossier.table, "partida": dossier.partida, "shoe": shoe}
    cut = CutMade(**named, after="start", seats_occupied=seats, offers=(), cut_by="nobody")
    recorded = RecordedEvent(
        entry_id=IN_HAND,
        stream=cut.stream,
        n=_NO_ENTRY,
        leaf="0" * 64,
        occurred_at=at,
        recorded_at=at,
        gaming_day=dossier.gaming_day,
        by=Signed("", "", "sala"),
        event=cut,
    )
    game = PartidaContext(dossier.with_entry(recorded), rules)
    found = game.shoe(shoe)
    return None if found is None else right_to_cut(game, found, seats, at)


def after_what(dossier: Dossier, shoe: int) -> CutAfter:
    """What went before this cut: the beginning, a stop of play, or the shoe before."""
    cuts = [recorded for recorded in dossier.of(CutMade) if recorded.event.shoe < shoe]
    if not cuts:
        return "start"
    since = max(map(in_time, cuts))
    stops: list[RecordedEvent[Any]] = [*dossier.of(PlayInterrupted), *dossier.of(CardsSpread)]
    stopped = any(
        in_time(recorded) > since and recorded.event.reason not in _NO_STOPS for recorded in stops
    )
    return "interruption" if stopped else "next_shoe"


def cut_made(plan: Plan, dossier: Dossier, special_card: bool | None) -> CutMade:
    """The cut as it was planned. Raises: Malformed."""
    cutter = plan.cut
    return CutMade(
        table=dossier.table,
        partida=dossier.partida,
        shoe=plan.shoe,
        after=after_what(dossier, plan.shoe),
        seats_occupied=plan.seats,
        offers=plan.offers,
        cut_by="seat" if isinstance(cutter, int) else FISCAL,
        due_seat=plan.due,
        seat=cutter if isinstance(cutter, int) else None,
        special_card=special_card,
    )


def dealers_cut(cut: CutMade, rules: LawInForce, dealer: str | None) -> CutMade:
    """The cut the dealer makes after that one, with his own card, where the rulebook asks for it.

    Raises: Malformed.
    """
    own = {"cut_by": "pagador", "staff": dealer, "card_colour": rules["cut.dealers_card"]}
    return replace(cut, offers=(), due_seat=None, seat=None, special_card=True, **own)


def cards_shuffled(
    plan: Plan, dossier: Dossier, rules: LawInForce, data: Mapping[str, Any]
) -> CardsShuffled:
    """The shuffle, every deck in play with as many passes. Raises: Malformed.

    That it was by hand the button says; how many cards there were nobody counted.
    """
    decks = decks_in_play(PartidaContext(dossier, rules))
    return CardsShuffled(
        table=dossier.table,
        partida=dossier.partida,
        shoe=plan.shoe,
        decks=tuple(DeckPasses(deck=deck, passes=data["passes"]) for deck in decks),
        shuffled_by=data.get("shuffled_by") or None,
        method="machine" if data.get("by_machine") else "by_hand",
        face_down=bool(data.get("face_down")),
        used_cards_turned=data.get("used_turned"),
    )


def passes_before(dossier: Dossier) -> int:
    """How many passes each deck was given last."""
    last = max(dossier.of(CardsShuffled), key=in_time, default=None)
    return last.event.decks[0].passes if last is not None and last.event.decks else PASSES


def _numbers(text: Any, most: int = MOST) -> tuple[int, ...]:
    """The whole numbers in a text, as far as they can be a seat's."""
    words = str(text).replace(",", " ").split()
    found = [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 9]
    return tuple(number for number in found if 1 <= number <= most)


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
