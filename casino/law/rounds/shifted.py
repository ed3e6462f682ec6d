"""Hands whose cards could be others: what a breach that shifted the cards leaves open.

A card that was wrongly taken from the bank, thrown away or kept goes missing, or lies in the way,
for everybody who got a card after it; his decisions would have been others as well.

Law: PT art. 17, 18, 19 (reading unknown-outcome).
"""

from typing import TYPE_CHECKING, Final

from casino.events.round.round_played import Dealt, Place, RoundPlayed

if TYPE_CHECKING:
    from casino.law.rounds.play import HandPlay, RoundPlay

AT_ONCE: Final = -1  # before any card a hand got, or nobody recorded when


def shifted_hands(play: "RoundPlay") -> frozenset[Place]:
    """The hands that got a card after one that left the shoe and did not go where it belonged.

    Law: PT art. 17, 19.
    """
    wrong = [came for one in play.taken_out for came in one.wrong]
    since = [AT_ONCE if not came.place or came.nth is None else came.nth for came in wrong]
    if play.face_up_astray:
        since.append(_came_face_up(play.record))
    since += [_second_due(play.record, at) for at in play.short if not _is_split(play, at)]
    if not since:
        return frozenset()
    first = min(since)
    if first == AT_ONCE or play.record.dealt is None:
        return frozenset(hand.place for hand in play.hands)
    later: tuple[Dealt, ...] = play.record.dealt[first:]
    return frozenset(card.to for card in later if isinstance(card.to, Place))


def _came_face_up(record: RoundPlayed) -> int:
    """Where in the dealing order the first card that lay open in the shoe may have come."""
    found = {card.card for card in record.misdealt if card.at == "shoe"}
    places = [place for place, one in enumerate(record.dealt or ()) if one.card in found]
    return min(places, default=AT_ONCE)


def _is_split(play: "RoundPlay", at: Place) -> bool:
    return next(hand.split for hand in play.hands if hand.place == at)


def _second_due(record: RoundPlayed, at: Place) -> int:
    """Where in the dealing order the second card of a box belonged that got one alone."""
    boxes = sorted(box.number for box in record.boxes if box.hands)
    return len(boxes) + 1 + boxes.index(at.box)


def dealt_its_own(play: "RoundPlay", hand: "HandPlay") -> bool:
    """Whether no card that went missing before a card of this hand makes it another hand."""
    p: dict[str, object] = play.p
    return not play.shifted or hand.place not in play.shifted or _settles_as_it_lay(p)


def drew_its_own(play: "RoundPlay", hand: "HandPlay") -> bool:
    """Whether this hand would have got the same cards, dealt and drawn, without the breach.

    What came after the deal came after a turned bank card that was kept, and may have come after a
    misdealt card that went astray. Law: PT art. 17, 18.
    """
    if not dealt_its_own(play, hand):
        return False
    if not (play.turned_kept or play.misdirected) or _settles_as_it_lay(play.p):
        return True
    if not hand.draws and not hand.split and hand.place not in play.misdirected:
        return True
    if play.turned_kept:
        return False
    place = (hand.place.box, hand.place.hand)
    return all(place < (at.box, at.hand) for at in play.misdirected)


def _settles_as_it_lay(p: dict[str, object]) -> bool:
    return bool(p["outcome.after_breach"] == "as_it_lay")
