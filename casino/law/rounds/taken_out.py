"""Cards taken from the bank, and whether the bank might part with them.

The law lets a bank card go twice: the second one where it was turned (PT art. 17), and one drawn
when the bank might draw none (PT art. 19). What counts is when the card came; the reason written
down decides nothing but whether a second card was seen. Only the dealing order tells when a card
came: without it every place is possible.

Law: PT art. 17, 19 (reading unknown-outcome).
"""

from typing import TYPE_CHECKING, NamedTuple

from casino.events.round.round_played import Place, RoundPlayed
from casino.law.rounds.bank_total import bank_stands

if TYPE_CHECKING:
    from casino.law.rounds.play import RoundPlay

DEAL_KEPT = "bank_keeps_the_cards_dealt_it"
DRAW_KEPT = "bank_keeps_the_cards_it_draws"
FACE_UP = "face_up_card_out_of_play"


class Moment(NamedTuple):
    """When a card taken from the bank may have come.

    `place` is how many of the bank's counted cards lay there, `nth` its place among all the cards
    of the round, None where nobody told the order; `early` whether a player got a card later.
    """

    place: int
    nth: int | None = None
    early: bool = False


class TakenOut(NamedTuple):
    """One card taken from the bank.

    `places` are how many of its counted cards may have lain there when it came, each with whether
    the card might go then (None: no article says). `wrong` are the moments at which it was, or may
    have been, the bank's own or somebody else's.
    """

    card: str
    why: str
    places: dict[int, bool | None]
    wrong: tuple[Moment, ...]


def taken_out(play: "RoundPlay") -> tuple[TakenOut, ...]:
    """The cards taken from the bank, as the record lists them."""
    record = play.record
    came = _came(record, dealt_to_the_bank(play))
    anywhere = [Moment(place) for place in range(len(record.bank.cards) + 1)]
    out = []
    for voided in record.bank.voided:
        places: dict[int, bool | None] = {}
        wrong = []
        for moment in sorted(came.get(voided.card) or anywhere):
            might = _might_go(play, voided.why, moment)
            place = moment.place
            places[place] = might if places.get(place, might) == might else None
            if might is not True:
                wrong.append(moment)
        out.append(TakenOut(voided.card, voided.why, places, tuple(wrong)))
    return tuple(out)


def dealt_to_the_bank(play: "RoundPlay") -> int:
    """How many cards the bank is dealt before it draws: two where the second lies face down."""
    return 2 if play.p["bank.second_card"] == "face_down" else 1


def _might_go(play: "RoundPlay", why: str, came: Moment) -> bool | None:
    """Whether a card that came at that moment might be taken out.

    One drawn before every player was asked was not the bank's, and no article says where it goes;
    but a bank that may draw no more puts away whatever it drew. Law: PT art. 17, 18, 19.
    """
    if why == "face_up" and FACE_UP in play.upheld:
        return True
    if came.place < dealt_to_the_bank(play):
        return (came.place == 1 and why != "extra") if DEAL_KEPT in play.upheld else None
    if came.early and not has_stood(play, came.place):
        return None
    if not _is_owed_a_card(play, came.place):
        return True
    return False if DRAW_KEPT in play.upheld else None


def has_stood(play: "RoundPlay", place: int) -> bool:
    """Whether the bank with so many cards, or with fewer, might draw no more."""
    cards = play.record.bank.cards
    return any(bank_stands(cards[:count], play.p) for count in range(2, place + 1))


def _is_owed_a_card(play: "RoundPlay", place: int) -> bool:
    """Whether the bank with so many cards had to take, or to show, another."""
    if place < 2:  # the second card of a bank that deals it last
        return not play.all_out or play.insured
    return play.must_draw and not has_stood(play, place)


def _came(record: RoundPlayed, dealt_first: int) -> dict[str, set[Moment]]:
    """By card, when one that was taken out may have come.

    Cards alike may be told apart in several ways: each is kept, but for those that would leave the
    bank without a card after the first round. Empty where nobody recorded the order, or where it is
    not that of the bank's cards.
    """
    if record.dealt is None:
        return {}
    cards = record.bank.cards
    order = [(index, one.card) for index, one in enumerate(record.dealt) if one.to == "bank"]
    to_hands = [index for index, one in enumerate(record.dealt) if isinstance(one.to, Place)]
    last_to_hand = max(to_hands, default=-1)
    open_by = _second_round(record)
    before = [{0}]  # how many cards may have counted before each that came
    for index, card in order:
        counted = before[-1] | {n + 1 for n in before[-1] if cards[n : n + 1] == (card,)}
        last_open = not any(index < other < open_by for other, _ in order)
        if index < open_by and last_open and len(counted) > 1:
            counted.discard(0)
        before.append(counted)
    after = [{len(cards)}]  # and how many must have, for the rest to follow
    for _, card in reversed(order):
        counted = {n - 1 for n in after[-1] if n and cards[n - 1] == card}
        after.append(after[-1] | counted)
    after.reverse()
    moments: dict[str, set[Moment]] = {}
    for here, (index, card) in enumerate(order):
        for place in before[here] & after[here + 1] & before[here + 1]:
            came = Moment(place, index, place >= dealt_first and index < last_to_hand)
            moments.setdefault(card, set()).add(came)
    return moments


def _second_round(record: RoundPlayed) -> int:
    """Where in the dealing order the first hand got its second card."""
    seen: set[Place] = set()
    for index, one in enumerate(record.dealt or ()):
        if isinstance(one.to, Place):
            if one.to in seen:
                return index
            seen.add(one.to)
    return 0
