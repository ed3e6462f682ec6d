"""Cards taken from the bank, and whether the bank might part with them.

The law lets a bank card go twice: the second one where it was turned (PT art. 17), and one drawn
when the bank might draw none (PT art. 19). What counts is when the card came; the reason written
down decides nothing but whether a second card was seen. Only the dealing order tells when a card
came: without it every place is possible.

Law: PT art. 17, 19 (reading unknown-outcome).
"""

from typing import TYPE_CHECKING, NamedTuple

from casino.cards import best_total
from casino.facts.rounds import RoundPlayed

if TYPE_CHECKING:
    from casino.regulation.play import RoundPlay

DEAL_KEPT = "bank_keeps_the_cards_dealt_it"
DRAW_KEPT = "bank_keeps_the_cards_it_draws"
FACE_UP = "face_up_card_out_of_play"


class TakenOut(NamedTuple):
    """One card taken from the bank.

    `places` are how many of its counted cards may have lain there when it came, each with whether
    the card might go then (None: the book does not say).
    """

    card: str
    why: str
    places: dict[int, bool | None]

    @property
    def wrong_from(self) -> int | None:
        """The first place at which it was, or may have been, the bank's own; None if nowhere."""
        return min((place for place, may in self.places.items() if may is not True), default=None)


def taken_out(play: "RoundPlay") -> tuple[TakenOut, ...]:
    """The cards taken from the bank, as the record lists them."""
    facts = play.facts
    came = _came(facts)
    anywhere = set(range(len(facts.bank.cards) + 1))
    return tuple(
        TakenOut(
            voided.card,
            voided.why,
            {
                place: _might_go(play, voided.why, place)
                for place in sorted(came.get(voided.card) or anywhere)
            },
        )
        for voided in facts.bank.voided
    )


def dealt_to_the_bank(play: "RoundPlay") -> int:
    """How many cards the bank is dealt before it draws: two where the second lies face down."""
    return 2 if play.p["bank.second_card"] == "face_down" else 1


def _might_go(play: "RoundPlay", why: str, place: int) -> bool | None:
    """Whether a card that came after `place` of the bank's cards might be taken out."""
    if why == "face_up" and FACE_UP in play.upheld:
        return True
    if place < dealt_to_the_bank(play):
        return (place == 1 and why != "extra") if DEAL_KEPT in play.upheld else None
    if not _is_owed_a_card(play, place):
        return True
    return False if DRAW_KEPT in play.upheld else None


def _is_owed_a_card(play: "RoundPlay", place: int) -> bool:
    """Whether the bank with so many cards had to take, or to show, another."""
    if place < 2:  # the second card of a bank that deals it last
        return not play.all_out or play.insured
    cards, stands_at = play.facts.bank.cards, play.p["bank.stands_at"]
    stood = any(best_total(cards[:count]) >= stands_at for count in range(2, place + 1))
    return play.must_draw and not stood


def _came(facts: RoundPlayed) -> dict[str, set[int]]:
    """By card, after how many of the bank's counted cards one that was taken out may have come.

    Cards alike may be told apart in several ways: each is kept. Empty where nobody told the order,
    or where it is not that of the bank's cards.
    """
    if facts.dealt is None:
        return {}
    cards = facts.bank.cards
    order = [dealt.card for dealt in facts.dealt if dealt.to == "bank"]
    before = [{0}]  # how many cards may have counted before each that came
    for card in order:
        counted = {n + 1 for n in before[-1] if cards[n : n + 1] == (card,)}
        before.append(before[-1] | counted)
    after = [{len(cards)}]  # and how many must have, for the rest to follow
    for card in reversed(order):
        counted = {n - 1 for n in after[-1] if n and cards[n - 1] == card}
        after.append(after[-1] | counted)
    after.reverse()
    places: dict[str, set[int]] = {}
    for index, card in enumerate(order):
        places.setdefault(card, set()).update(before[index] & after[index + 1])
    return places
