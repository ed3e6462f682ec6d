"""What a shoe reports of the cards that left it, held against the rounds and the burn on record.

A shoe that reports nothing is asked nothing. The house's own control: no article asks for such a
shoe.
"""

from collections import Counter
from typing import Final, NamedTuple

from casino.events.shoes import CardOut
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import PartidaContext, Shoe, at_a_shoe
from casino.law.questions import breach, equal, together
from casino.law.round_moments import first_card
from casino.law.rounds.card_population import cards_of, known

CARDS_SHOWN: Final = 20  # findings of cards of one shoe


class _Out(NamedTuple):
    """What a shoe reported, by position; how many were burnt and how many are on record in all."""

    reports: dict[int, RecordedEvent[CardOut]]
    burnt: int
    recorded: int

    @property
    def last(self) -> RecordedEvent[CardOut]:
        """The report of the highest position."""
        return self.reports[max(self.reports)]


def _reports(game: PartidaContext, shoe: Shoe) -> dict[int, RecordedEvent[CardOut]]:
    """By position. Of one position that was reported twice the later report."""
    mine = [one for one in game.dossier.of(CardOut) if one.event.shoe == shoe.number]
    return {one.event.position: one for one in sorted(mine, key=in_time)}


def _reporting(game: PartidaContext, shoe: Shoe) -> bool:
    return at_a_shoe(game) and any(
        one.event.shoe == shoe.number for one in game.dossier.of(CardOut)
    )


def _cards_out(game: PartidaContext, shoe: Shoe) -> _Out | None:
    """None where what is on record of the shoe cannot be counted: no burn of it, or several.

    After a second burn other cards lay in it, and it counted anew.
    """
    if len(shoe.burns) != 1:
        return None
    burnt = shoe.burns[0].event.cards
    dealt = sum(len(cards_of(one.event)) for one in shoe.rounds)
    return _Out(_reports(game, shoe), burnt, burnt + dealt)


def _is_over(game: PartidaContext, shoe: Shoe) -> bool:
    later = any(one.number > shoe.number and one.played for one in game.shoes)
    return later or game.closed is not None


def _silent_at_the_end(out: _Out, shoe: Shoe) -> bool:
    """Whether nothing shows that it still reported when its last round was dealt."""
    began = first_card(shoe.rounds[-1]) if shoe.rounds else None
    return began is None or max(one.occurred_at for one in out.reports.values()) < began


@upholds(
    "shoe_on_record",
    "As many cards left a shoe as its rounds and its burn account for.",
    only=_reporting,
    severity="deviation",
)
def shoe_cards_accounted_for(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The highest position it reported, when the shoe is over; lost reports change nothing.

    Open while rounds may still be recorded, where rounds of the game name no shoe, where its cards
    were laid out (they may have gone through it), and where fewer are reported than recorded by a
    shoe not heard in its last round.
    """
    out = _cards_out(game, shoe)
    if out is None or game.unplaced or shoe.spread or not _is_over(game, shoe):
        return UNDECIDED
    count = out.last.event.position
    if count < out.recorded and _silent_at_the_end(out, shoe):
        return UNDECIDED
    return equal("cards", count, out.recorded, out.last, *shoe.burns, *shoe.rounds[-1:])


@upholds(
    "shoe_on_record",
    "The cards recorded of a shoe's rounds are cards it read as they left it.",
    only=_reporting,
    severity="deviation",
)
def shoe_read_the_cards_recorded(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Each known card of its rounds, as often as it is recorded, in whatever order.

    Not asked of a shoe that reads none. Open where the cards it did not read may be those.
    """
    out = _cards_out(game, shoe)
    reports = _reports(game, shoe)
    if all(one.event.card is None for one in reports.values()):
        return None
    if out is None:
        return UNDECIDED
    after_the_burn = [
        one.event.card for place, one in out.reports.items() if place > out.burnt and one.event.card
    ]
    read = Counter(card for card in after_the_burn if known(card))
    recorded = Counter(card for one in shoe.rounds for card in cards_of(one.event) if known(card))
    missing = recorded - read
    if not missing:
        return LAWFUL
    unread = max(out.recorded, out.last.event.position) - out.burnt - read.total()
    if missing.total() <= unread:
        return UNDECIDED
    return together(
        breach(
            {"card": card, "times": read[card]},
            {"at_least": recorded[card]},
            *(one for one in shoe.rounds if card in cards_of(one.event)),
            out.last,
        )
        for card in sorted(missing)[:CARDS_SHOWN]
    )
