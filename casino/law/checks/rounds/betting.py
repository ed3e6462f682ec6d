"""Stakes and limits: when they were marked, how much, by whom, and who decided for them.

Law: PT art. 13, 14, 15, 16, 37.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from casino.events.round.round_played import Box, Limits, Wager
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.questions import breach, equal
from casino.law.rounds.play import STAKED, HandPlay, RoundPlay, at, is_tied

VACANT_SUM: Final = "vacant_box_within_maximum"
MULTIPLE: Final = "maximum-no-multiple"
MOST_SUMS: Final = 4_096  # what twelve stakes beside a holder's can add up to


@upholds("round", "Stakes are marked before the first card is dealt.", unlawful_stake=True)
def stakes_before_the_deal(play: RoundPlay) -> Verdict:
    """Stakes were closed before the first card, and none changed afterwards. Law: PT art. 13."""
    breaches: list[Breach] = []
    times = play.record.times
    unknown = times is None or times.stakes_closed is None or times.first_card is None
    if times is not None and times.stakes_closed is not None and times.first_card is not None:
        if times.stakes_closed > times.first_card:
            late = {"stakes_closed": times.stakes_closed.isoformat()}
            in_time = {"not_after": times.first_card.isoformat()}
            breaches.append(breach(late, in_time, readings="unlawful-stake"))
    for hand in play.hands:
        if hand.doubled or hand.hand.split_from is not None:
            continue
        for wager in hand.wagers:
            if wager.initial_cents is None:
                unknown = True
            elif wager.initial_cents == wager.stake_cents:
                continue
            elif _changed_after_the_deal(play, hand, wager):
                observed = {"stake_cents": wager.stake_cents}
                expected = {"stake_cents": wager.initial_cents}
                breaches.append(_of_owner(hand.box, wager, observed, expected, "unlawful-stake"))
    return as_far_as_known(breaches, unknown=unknown)


def _of_owner(
    box: Box, wager: Wager, observed: dict[str, int], expected: dict[str, int], reading: str
) -> Breach:
    """A breach of what an owner first staked on the box: all he has there began with it."""
    stakes: tuple[dict[str, int | str], ...] = ({"box": box.number, "owner": wager.owner},)
    return breach(observed, expected, where=at(box, wager), readings=reading, stakes=stakes)


def as_far_as_known(breaches: list[Breach], *, unknown: bool) -> Verdict:
    """The breaches, each telling that of other stakes the check asked about nobody knows."""
    if not breaches:
        return UNDECIDED if unknown else LAWFUL
    return [replace(one, rest_unknown=True) for one in breaches] if unknown else breaches


def _changed_after_the_deal(play: RoundPlay, hand: HandPlay, wager: Wager) -> bool:
    """A stake that differs from the one marked; a follower's own, doubled, is asked in art. 30."""
    began = wager.initial_cents
    followed_alone = play.principal[hand.box.number] != wager.owner and wager.stake_cents == 2 * (
        began or 0
    )
    return wager.stake_cents != began and not (
        followed_alone and "complementary_double" in play.upheld
    )


def _whole_maximum(play: RoundPlay, limits: Limits) -> int | None:
    """The maximum, where a book lets it be staked though it is no multiple of the minimum.

    Units: cents. Law: PT art. 14 (reading maximum-no-multiple).
    """
    may = play.p.get("stake.maximum_itself") == "allowed"
    return limits.maximum_cents if may else None


def _each_keeps(
    box: Box,
    stakes: Collection[tuple[Wager, int | None]],
    is_broken: Callable[[int], bool],
    expected: dict[str, int],
    reading: str = "max-before-deal",
) -> Verdict:
    """Whether every stake keeps a limit; open where none breaks it and one is unknown.

    Checks asked of every box look for themselves first whether there is anything to tell.
    """
    known = [(wager, cents) for wager, cents in stakes if cents is not None]
    breaches = [
        _of_owner(box, wager, {"stake_cents": cents}, expected, reading)
        for wager, cents in known
        if is_broken(cents)
    ]
    return as_far_as_known(breaches, unknown=len(known) < len(stakes))


@upholds(
    "box",
    "A stake is at least the table's minimum.",
    needs="stake.within_limits",
    unlawful_stake=True,
)
def stake_at_least_minimum(play: RoundPlay, box: Box) -> Verdict:
    """No stake is below the table's minimum. Law: PT art. 14."""
    limits = play.record.limits
    if limits is None:
        return UNDECIDED
    least, stakes = limits.minimum_cents, play.own_stakes(box)
    for _, cents in stakes:
        if cents is None or cents < least:
            break
    else:
        return LAWFUL if stakes else None
    return _each_keeps(box, stakes, lambda cents: cents < least, {"minimum_cents": least})


@upholds(
    "box",
    "A stake is the table's minimum or a multiple of it.",
    needs="stake.multiple_of_minimum",
    unlawful_stake=True,
)
def stake_multiple_of_minimum(play: RoundPlay, box: Box) -> Verdict:
    """A stake above the minimum is a multiple of it. Law: PT art. 14."""
    limits = play.record.limits
    if limits is None:
        return UNDECIDED
    least, stakes = limits.minimum_cents, play.own_stakes(box)
    for _, cents in stakes:
        if cents is None or (cents > least and cents % least):
            break
    else:
        return LAWFUL if stakes else None
    whole = _whole_maximum(play, limits)

    def is_broken(cents: int) -> bool:
        return cents > least and cents % least != 0 and cents != whole

    return _each_keeps(box, stakes, is_broken, {"multiple_of_cents": least}, MULTIPLE)


@upholds(
    "box",
    "A stake is at most the table's maximum.",
    needs=("stake.within_limits", "limits.bind"),
    unlawful_stake=True,
)
def stake_at_most_maximum(play: RoundPlay, box: Box) -> Verdict:
    """No owner's stake passes the table's maximum. Law: PT art. 14 (reading max-before-deal)."""
    limits = play.record.limits
    if limits is None:
        return UNDECIDED
    if play.p["limits.bind"] == "final":
        asked_elsewhere = box.vacant and VACANT_SUM in play.upheld
        return None if asked_elsewhere else _final_within(box, limits)
    most, stakes = limits.maximum_cents, play.own_stakes(box)
    for _, cents in stakes:
        if cents is None or cents > most:
            break
    else:
        return LAWFUL if stakes else None
    return _each_keeps(box, stakes, lambda cents: cents > most, {"maximum_cents": most})


def _final_within(box: Box, limits: Limits) -> Verdict:
    """The other reading: doubles and splits count towards the maximum."""
    total = sum(wager.stake_cents for wager in box.wagers if wager.kind in STAKED)
    if total <= limits.maximum_cents:
        return LAWFUL
    expected = {"maximum_cents": limits.maximum_cents}
    return breach({"stakes_cents": total}, expected, readings="max-before-deal")


@upholds(
    "box",
    "All stakes on one box together keep to the table's maximum.",
    needs="others.stake",
    unlawful_stake=True,
)
def sum_on_box_within_maximum(play: RoundPlay, box: Box) -> Verdict:
    """Complementary stakes count towards the box's maximum, which the holder's own comes first in.

    Law: PT art. 15.
    """
    stakes = play.first_stakes(box)
    if len(stakes) < 2 or (box.vacant and VACANT_SUM in play.upheld):
        return None
    limits = play.record.limits
    if limits is None or any(cents is None for _, cents in stakes.values()):
        return UNDECIDED
    total = sum(cents or 0 for _, cents in stakes.values())
    if total <= limits.maximum_cents:
        return LAWFUL
    return breach(
        {"stakes_cents": total},
        {"maximum_cents": limits.maximum_cents},
        readings="max-before-deal",
        among=tuple(at(box) | {"owner": owner} for owner in stakes if owner != box.holder),
    )


@upholds(
    "box",
    "A complementary stake is a multiple of the minimum or exactly what the maximum still holds.",
    needs=("others.stake", "stake.multiple_of_minimum"),
    unlawful_stake=True,
)
def complementary_stake_lawful(play: RoundPlay, box: Box) -> Verdict:
    """A stake on another player's box: a multiple of the minimum, or what completes the maximum.

    Only one stake can be what was missing. Where several may have been it, no record tells which
    came last: that the box was staked unlawfully is certain, by whom is not. Law: PT art. 15.
    """
    if box.vacant:
        return None
    stakes = play.first_stakes(box)
    if not stakes or (len(stakes) == 1 and box.holder in stakes):
        return None
    limits = play.record.limits
    if limits is None or any(cents is None for _, cents in stakes.values()):
        return UNDECIDED
    lying = {owner: cents or 0 for owner, (_, cents) in stakes.items()}
    minimum, most = limits.minimum_cents, limits.maximum_cents
    odd = [o for o, cents in lying.items() if o != box.holder and (not cents or cents % minimum)]
    may_complete = bool(play.p.get("others.complete_to_maximum"))
    completing = [o for o in odd if may_complete and _may_complete(box, lying, o, most)]
    expected = {"multiple_of_cents": minimum, "or_completes_cents": most}
    breaches = [
        _of_owner(box, stakes[o][0], {"stake_cents": lying[o]}, expected, "unlawful-stake")
        for o in odd
        if o not in completing
    ]
    if len(completing) > 1:
        observed = {"stakes_cents": sorted(lying[owner] for owner in completing)}
        among = tuple(at(box) | {"owner": owner} for owner in completing)
        breaches.append(breach(observed, expected, readings="unlawful-stake", among=among))
    # It completed the maximum unless the stakes beyond it came before.
    unknown = bool(completing) and sum(lying.values()) > most
    return as_far_as_known(breaches, unknown=unknown)


def _may_complete(box: Box, lying: dict[str, int], owner: str, most: int) -> bool:
    """Whether a stake fills the box, with all or some of the others already there.

    Units: cents. The holder's own stake is there first.
    """
    if not lying[owner]:
        return False
    missing = most - lying.get(box.holder or "", 0) - lying[owner]
    others = [cents for other, cents in lying.items() if other not in (owner, box.holder)]
    if sum(others) < missing:
        return False
    sums = {0}
    for cents in others:
        sums |= {so_far + cents for so_far in sums if so_far + cents <= missing}
        if len(sums) > MOST_SUMS:
            return True  # a crowd: nobody could tell
    return missing in sums


@upholds(
    "box",
    "Whoever stakes on another's box has a stake on a box of his own.",
    needs="others.own_stake",
    unlawful_stake=True,
)
def others_stake_beside_their_own(play: RoundPlay, box: Box) -> Verdict:
    """Whether a complementary stake comes beside one on a box its owner holds.

    Law: PT art. 15 (reading others-own-stake).
    """
    if play.p["others.own_stake"] != "needed" or box.vacant:
        return None
    others = [wager for wager in box.wagers if wager.kind in STAKED and wager.owner != box.holder]
    if not others:
        return None
    at_home = {
        one.holder
        for one in play.boxes
        if any(wager.kind in STAKED and wager.owner == one.holder for wager in one.wagers)
    }
    strangers: dict[str, Wager] = {}  # of each the stake on his first hand
    for wager in sorted(others, key=lambda wager: (wager.owner, wager.hand, wager.kind)):
        if wager.owner not in at_home:
            strangers.setdefault(wager.owner, wager)
    return [
        breach(
            {"own_stakes": 0}, {"at_least": 1}, where=at(box, wager), readings="others-own-stake"
        )
        for wager in strangers.values()
    ] or LAWFUL


@upholds("box", "On an occupied box the holder decides for every stake.", needs="others.stake")
def holder_decides(play: RoundPlay, box: Box) -> Verdict:
    """Complementary stakes follow the box holder's decisions. Law: PT art. 15."""
    if box.vacant or (box.decided_by is None and len(box.wagers) < 2):
        return None
    if box.decided_by is None:
        return None if all(wager.owner == box.holder for wager in box.wagers) else UNDECIDED
    return equal("decided_by", box.decided_by, box.holder)


@upholds(
    "box", "Others stake on a box only with its holder's consent.", needs="others.need_consent"
)
def others_with_consent(play: RoundPlay, box: Box) -> Verdict:
    """Whoever stakes on a seated player's box has his consent.

    Law: the Spanish and Brazilian-language books.
    """
    if box.vacant or all(wager.owner == box.holder for wager in box.wagers):
        return None
    return equal("consent", box.consent, True)


@upholds(
    "vacant", "On a vacant box the largest stake's owner decides; among equals the lowest seat."
)
def largest_stake_decides_vacant_box(play: RoundPlay, box: Box) -> Verdict:
    """Who decided for a vacant box. Law: PT art. 16."""
    if not box.vacant or not play.first_stakes(box):
        return None
    rightful = play.principal[box.number]
    if rightful is None:
        return UNDECIDED
    tied = ("vacant-tie",) if is_tied(box) else ()
    return equal("decided_by", box.decided_by, rightful, readings=tied)


@upholds(
    "vacant",
    "A stake on a vacant box is the table's minimum or a multiple of it.",
    needs="stake.multiple_of_minimum",
    unlawful_stake=True,
)
def vacant_stake_multiple_of_minimum(play: RoundPlay, box: Box) -> Verdict:
    """Whoever stakes on a vacant box lays the minimum or a multiple of it. Law: PT art. 16."""
    stakes = list(play.first_stakes(box).values())
    if not stakes:
        return None
    limits = play.record.limits
    if limits is None:
        return UNDECIDED
    least, whole = limits.minimum_cents, _whole_maximum(play, limits)

    def is_broken(cents: int) -> bool:
        return cents == 0 or (cents % least != 0 and cents != whole)

    return _each_keeps(box, stakes, is_broken, {"multiple_of_cents": least}, MULTIPLE)


@upholds(
    "vacant",
    "All stakes on a vacant box together keep to the table's maximum.",
    needs=("stake.within_limits", "limits.bind"),
    unlawful_stake=True,
)
def vacant_box_within_maximum(play: RoundPlay, box: Box) -> Verdict:
    """A vacant box may be staked on until its maximum is reached.

    Law: PT art. 16 (reading max-before-deal).
    """
    stakes = play.first_stakes(box)
    if not stakes:
        return None
    limits = play.record.limits
    if limits is None:
        return UNDECIDED
    if play.p["limits.bind"] == "final":
        return _final_within(box, limits)
    known = [cents for _, cents in stakes.values() if cents is not None]
    most, total = limits.maximum_cents, sum(known)
    if total <= most:
        return LAWFUL if len(known) == len(stakes) else UNDECIDED
    return breach(
        {"stakes_cents": total},
        {"maximum_cents": most},
        readings="max-before-deal",
        among=tuple(at(box) | {"owner": owner} for owner in stakes),
        rest_unknown=len(known) < len(stakes),
    )


@upholds(
    "round",
    "The table's maximum is at most thirty times its minimum.",
    needs="limits.maximum_over_minimum",
)
def maximum_within_thirty_minimums(play: RoundPlay) -> Verdict:
    """The limits a round tells stand in the allowed proportion; its game's are asked of the game.

    Law: PT art. 37.
    """
    limits = play.recorded_limits
    if limits is None:
        return UNDECIDED if play.record.limits is None else None
    most = limits.minimum_cents * play.p["limits.maximum_over_minimum"]
    if limits.maximum_cents <= most:
        return LAWFUL
    return breach({"maximum_cents": limits.maximum_cents}, {"at_most_cents": most})


def _boxes_by_owner(play: RoundPlay) -> dict[str, set[int]]:
    boxes: dict[str, set[int]] = {}
    for hand in play.hands:
        for wager in hand.wagers:
            if hand.box.vacant or wager.owner == hand.box.holder:
                boxes.setdefault(wager.owner, set()).add(hand.box.number)
    return boxes


@upholds(
    "round", "A player plays no more boxes than the house allows.", needs="player.boxes_maximum"
)
def player_boxes_within_maximum(play: RoundPlay) -> Verdict:
    """How many boxes one player plays at once. Law: the French brochure."""
    most = play.p["player.boxes_maximum"]
    return [
        breach({"boxes": len(boxes)}, {"at_most": most}, where={"owner": owner})
        for owner, boxes in sorted(_boxes_by_owner(play).items())
        if len(boxes) > most
    ] or LAWFUL


@upholds(
    "round",
    "A player alone at the table plays at least two boxes.",
    needs="player.boxes_minimum_alone",
)
def lone_player_boxes(play: RoundPlay) -> Verdict:
    """One single player must play several boxes. Law: the French brochure."""
    boxes = _boxes_by_owner(play)
    owners = {wager.owner for hand in play.hands for wager in hand.wagers}
    if len(boxes) != 1 or len(owners) != 1:
        return None
    ((owner, played),) = boxes.items()
    least = play.p["player.boxes_minimum_alone"]
    return (
        LAWFUL
        if len(played) >= least
        else breach({"boxes": len(played)}, {"at_least": least}, where={"owner": owner})
    )
