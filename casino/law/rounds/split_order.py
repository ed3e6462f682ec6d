"""When the hands of a split got their cards, as the order of the deal tells it.

Law: ES sus-posibilidades/pares, BR possibilidades/pares: split hands are played from right to left.
"""

from casino.events.round.round_played import Box, Place
from casino.law.rounds.play import RoundPlay


def cards_of_split_hands(play: RoundPlay, box: Box) -> dict[int, list[int]] | None:
    """Of each hand when it began, then when its second card came, its third and the others.

    Counted are the cards of the round as they left the shoe, from 0. A hand began with the first
    card after the pair was parted: its second, or one with which it was parted again. None where
    the record does not tell.
    """
    late = any(hand.late_splits for hand in play.hands if hand.box is box)
    unknown = play.record.dealt is None or play.record.misdealt
    if unknown or late or any(len(hand.cards) < 2 for hand in box.hands):
        return None
    to: dict[int, list[int]] = {hand.number: [] for hand in box.hands}
    for index, card in enumerate(play.record.dealt or ()):
        if isinstance(card.to, Place) and card.to.box == box.number:
            to[card.to.hand].append(index)
    rest: dict[int, list[int]] = {}
    moved: dict[int, int] = {}  # of a hand split off, when the card it began with was dealt
    for hand in box.hands:
        own, splits = int(hand.split_from is None), hand.actions.count("split")
        after = own + splits
        off = sorted(one.number for one in box.hands if one.split_from == hand.number)
        moved |= dict(zip(off, to[hand.number][own:after], strict=True))
        rest[hand.number] = to[hand.number][after:]
    parted = min(moved.values())  # the second card of the deal
    came: dict[int, list[int]] = {}
    for hand in box.hands:
        if hand.split_from is None:
            began = to[hand.number][2]
        else:
            again = moved[hand.number] != parted
            began = moved[hand.number] if again else to[hand.number][0]
        came[hand.number] = [began, *rest[hand.number]]
    return came
