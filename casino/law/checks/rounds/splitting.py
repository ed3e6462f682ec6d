"""Pairs parted and stakes doubled, by the box's holder and by those who staked with him.

Law: PT art. 26-31.
"""

from typing import Final

from casino.cards import VALUE, best_total, hard_total
from casino.events.round.round_played import Box, Wager
from casino.law.checks.rounds.betting import as_far_as_known
from casino.law.checks.rounds.decisions import beyond_right
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, Where, upholds
from casino.law.questions import breach, breaches_in, equal
from casino.law.rounds.play import HandPlay, RoundPlay, at, first_stake, split_asks, stake_of
from casino.law.rounds.split_order import cards_of_split_hands

# How often a pair of aces may be split again after the first time; None: as often as it comes.
ACE_RESPLITS: Final[dict[str, int | None]] = {"unlimited": None, "once": 1, "never": 0}
# How often a box may be split in all.
SPLITS: Final[dict[str, int | None]] = {"unlimited": None, "once": 1, "twice": 2, "three_times": 3}


def parent_of(play: RoundPlay, hand: HandPlay) -> HandPlay:
    """The hand this one was split from."""
    number = hand.hand.split_from
    return next(other for other in play.hands if other.box is hand.box and other.number == number)


def _split_before(parent: HandPlay, hand: HandPlay) -> int:
    """How often the parent had been split when this hand was split off it."""
    return sum(
        other.split_from == parent.number and other.number < hand.number
        for other in parent.box.hands
    )


def _is_resplit(parent: HandPlay, hand: HandPlay) -> bool:
    """Whether the pair came up only after an earlier split of the box's first hand."""
    return parent.hand.split_from is not None or _split_before(parent, hand) > 0


def _resplits_before(hand: HandPlay) -> int:
    """How many further splits the box had seen when this hand was split off."""
    split_off = [other for other in hand.box.hands if other.split_from is not None]
    return sum(other.number < hand.number for other in split_off) - 1


def _equal_pair(play: RoundPlay, parent: HandPlay, hand: HandPlay) -> Verdict:
    """Both cards of the parted pair count the same (or share a rank, under the other reading)."""
    first, second = parent.hand.cards[0], hand.hand.cards[0]
    if play.p["split.equal_by"] == "rank":
        if "X" in (first[0], second[0]) and VALUE[first] == VALUE[second]:
            return UNDECIDED
        equal = first[0] == second[0]
    else:
        equal = VALUE[first] == VALUE[second]
    late = _split_before(parent, hand) in parent.late_splits
    if equal and not late:
        return LAWFUL
    observed: dict[str, object] = {"pair": [first, second]}
    if late:
        observed["actions"] = list(parent.hand.actions)
    expected = {"pair": "equal_value"}
    return breach(
        observed, expected, where=parent.where, readings="pair-by-value", stakes=(hand.where,)
    )


@upholds(
    "split",
    "Only two first cards of equal value are split.",
    needs="split.equal_by",
    unlawful_stake=True,
)
def split_equal_values(play: RoundPlay, hand: HandPlay) -> Verdict:
    """The first split of a box's hand. Law: PT art. 26 (reading pair-by-value)."""
    parent = parent_of(play, hand)
    return None if _is_resplit(parent, hand) else _equal_pair(play, parent, hand)


@upholds(
    "split",
    "A split hand is split again only on another card of equal value.",
    needs=("split.resplit", "split.resplit_aces", "split.equal_by"),
    unlawful_stake=True,
)
def resplit_equal_values(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Every further split; whether aces may be, as the reading says. Law: PT art. 27."""
    parent = parent_of(play, hand)
    if not _is_resplit(parent, hand):
        return None
    if parent.split_ace and "aces_split_once" not in play.upheld:
        most = ACE_RESPLITS[play.p["split.resplit_aces"]]
        if most is not None and _resplits_before(hand) >= most:
            observed = {"aces_split_again": _resplits_before(hand) + 1}
            expected = {"aces_split_again": most}
            reading = ("resplit-only-pairs",)
            return breach(
                observed, expected, where=parent.where, readings=reading, stakes=(hand.where,)
            )
    return _equal_pair(play, parent, hand)


@upholds("split", "Aces are split only once.", needs="split.resplit_aces")
def aces_split_once(play: RoundPlay, hand: HandPlay) -> Verdict:
    """A pair of aces makes two hands at most. Law: the French brochure."""
    parent = parent_of(play, hand)
    if not parent.split_ace:
        return None
    often = "again" if _is_resplit(parent, hand) else "once"
    return equal("aces_split", often, "once", where=parent.where)


@upholds(
    "split",
    "A box is split no more often than the house allows.",
    needs="split.limit",
    unlawful_stake=True,
)
def splits_within_the_houses_limit(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Every split of a box counted; of nothing where the house sets no limit.

    Law: the French brochure (reading limit-of-splits).
    """
    most = SPLITS[play.p["split.limit"]]
    if most is None:
        return None
    splits = sum(one.split_from is not None and one.number <= hand.number for one in hand.box.hands)
    if splits <= most:
        return LAWFUL
    where, reading = parent_of(play, hand).where, "limit-of-splits"
    expected = {"at_most": most}
    return breach({"splits": splits}, expected, where=where, readings=reading, stakes=(hand.where,))


@upholds("box", "The hands of a split are played from right to left.", needs="split.played")
def split_hands_played_right_to_left(play: RoundPlay, box: Box) -> Verdict:
    """By where the hands lay and the order in which their cards came.

    A hand gets its first card no sooner than the one at its right, and a third only when that one
    has all of its own: whether each is played out by itself, or all get a second card before.

    Law: the Spanish and Brazilian-language books (reading right-of-the-player).
    """
    if len(box.hands) < 2:
        return None
    came = cards_of_split_hands(play, box)
    if came is None or any(hand.from_left is None for hand in box.hands):
        return UNDECIDED
    last_first = play.p["split.played"] == "dealers_right"
    order = sorted(box.hands, key=lambda hand: hand.from_left or 0, reverse=last_first)
    for place, hand in enumerate(order):
        for before in order[:place]:
            if _too_soon(came[hand.number], came[before.number]):
                observed, expected = {"played_first": hand.number}, {"played_first": before.number}
                return breach(observed, expected, readings="right-of-the-player")
    return LAWFUL


def _too_soon(mine: list[int], before: list[int]) -> bool:
    """Whether a hand got a card when it was still another's turn, by when the cards came."""
    return mine[:2] < before[:2] or (len(mine) > 2 and mine[2] < before[-1])


@upholds("hand", "A split ace receives one card only.", needs="split.aces_one_card")
def split_aces_one_card(play: RoundPlay, hand: HandPlay) -> Verdict:
    """No second card on a split ace. Law: PT art. 26."""
    return beyond_right(hand, "split_aces_one_card", {"cards": 2}) if hand.split_ace else None


@upholds("hand", "Each hand of a split asks for one card at least.", needs="split.asks_a_card")
def split_hand_asks_a_card(play: RoundPlay, hand: HandPlay) -> Verdict:
    """No hand of a split is left with the card it began with. Law: PT art. 26 (reading
    split-asks-a-card).
    """
    if not hand.split or not split_asks(play.p):
        return None
    if len(hand.hand.cards) > 1:
        return LAWFUL
    readings = ("split-asks-a-card", "unknown-outcome")
    return breach({"cards": 1}, {"at_least": 2}, readings=readings)


def _possible_bases(hand: HandPlay, wager: Wager, *, may_stay: bool) -> set[int] | None:
    """What the stake may have been before a double; None where the record leaves it open.

    Units: cents.
    """
    if not hand.doubled:
        return {wager.stake_cents}
    if wager.initial_cents is None:
        return None
    # On a doubled hand both the single and the doubled stake begin with what was marked.
    fits = wager.stake_cents in ((wager.initial_cents, 2 * wager.initial_cents) if may_stay else ())
    return {wager.initial_cents} if fits or not may_stay else {wager.stake_cents}


def _equal_stakes(play: RoundPlay, hand: HandPlay, owner: str, *, may_stay: bool) -> Verdict:
    """The owner's stake on a split-off hand against his stake on the hand it came from."""
    parent = parent_of(play, hand)
    here, there = stake_of(hand, owner), stake_of(parent, owner)
    if here is None or there is None:
        return None
    bases = (
        _possible_bases(hand, here, may_stay=may_stay),
        _possible_bases(parent, there, may_stay=may_stay),
    )
    if bases[0] is None or bases[1] is None:
        return UNDECIDED
    if bases[0] & bases[1]:
        return LAWFUL
    expected = {"stake_cents": min(bases[1])}
    return breach(
        {"stake_cents": min(bases[0])},
        expected,
        where=at(hand.box, here),
        readings="unlawful-stake",
    )


@upholds(
    "split",
    "Both hands of a split carry equal stakes.",
    needs="split.stake_equal",
    unlawful_stake=True,
)
def split_stakes_equal(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Who decides for the box stakes equally on both hands. Law: PT art. 26."""
    principal = play.principal[hand.box.number]
    if principal is None:
        return UNDECIDED
    parent = parent_of(play, hand)
    here, there = stake_of(hand, principal), stake_of(parent, principal)
    if here is None and there is None:
        return None
    if here is None or there is None:
        lying = here or there
        assert lying is not None
        observed = {"staked_hand": lying.hand}
        return breach(
            observed,
            {"staked_hands": 2},
            where=hand.where | {"owner": principal},
            readings="unlawful-stake",
        )
    return _equal_stakes(play, hand, principal, may_stay=False)


@upholds(
    "split",
    "A complementary stake follows the split with an equal stake or stays on the first hand.",
    needs=("split.non_follower", "vacant.equal_stakes"),
    unlawful_stake=True,
)
def complementary_follows_split(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Others follow a split or leave their stake. Law: PT art. 28 (reading first-of-two)."""
    principal = play.principal[hand.box.number]
    parent = parent_of(play, hand)
    owners = sorted({wager.owner for wager in (*hand.wagers, *parent.wagers)} - {principal or ""})
    if not owners:
        return None
    answers = [_followed(play, hand, parent, owner) for owner in owners]
    breaches = [breach for answer in answers for breach in breaches_in(answer)]
    unknown = principal is None or UNDECIDED in answers
    return as_far_as_known(breaches, unknown=unknown)


def _followed(play: RoundPlay, hand: HandPlay, parent: HandPlay, owner: str) -> Verdict:
    here, there = stake_of(hand, owner), stake_of(parent, owner)
    if hand.box.vacant and play.p["vacant.equal_stakes"] == "as_decider":
        return _as_decider(play, hand, owner)
    if here is not None and there is None and play.p["split.non_follower"] == "kept_card":
        expected = {"hand": parent.number}
        return breach(
            {"hand": hand.number}, expected, where=at(hand.box, here), readings="first-of-two"
        )
    return _equal_stakes(play, hand, owner, may_stay=True)


def _as_decider(play: RoundPlay, hand: HandPlay, owner: str) -> Verdict:
    """The other reading of a vacant box: the second hand carries the decider's stake for all."""
    here = stake_of(hand, owner)
    leading = stake_of(hand, play.principal[hand.box.number] or "")
    if leading is None:
        return UNDECIDED
    lies = here.stake_cents if here is not None else 0
    if lies == leading.stake_cents:
        return LAWFUL
    where = hand.where | {"owner": owner}
    expected = {"stake_cents": leading.stake_cents}
    return breach(
        {"stake_cents": lies}, expected, where=where, readings="vacant-like-complementary"
    )


def _total_may_double(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether the first two cards make a total on which a stake may be doubled."""
    first_two = hand.hand.cards[:2]
    in_totals = hard_total(first_two) in play.p["double.totals"]
    return in_totals and best_total(first_two) != int(play.p["target.points"])


def _double_total(play: RoundPlay, hand: HandPlay) -> Breach | None:
    """The breach of a double on another total, or after another decision."""
    first_two = hand.hand.cards[:2]
    totals = play.p["double.totals"]
    allowed = _total_may_double(play, hand)
    on_ace = hand.split_ace and play.p["double.split_aces"] == "forbidden"
    if allowed and hand.double_first and not on_ace:
        return None
    observed: dict[str, object] = {"first_two": list(first_two), "actions": list(hand.hand.actions)}
    readings = ("double-two-cards", "unlawful-stake")
    doubled, unknown = _stakes_doubled(play, hand)
    return breach(
        observed, {"totals": list(totals)}, readings=readings, stakes=doubled, rest_unknown=unknown
    )


def _stakes_doubled(play: RoundPlay, hand: HandPlay) -> tuple[tuple[Where, ...], bool]:
    """Which stakes on a doubled hand were doubled, and whether of others nobody tells.

    Who decides doubled; the others might stay. Law: PT art. 29, 30.
    """
    principal = play.principal[hand.box.number]
    others = [wager for wager in hand.wagers if wager.owner != principal]
    raised = {w.owner for w in others if w.initial_cents not in (None, w.stake_cents)}
    doubled = tuple(at(hand.box, w) for w in hand.wagers if w.owner in (principal, *raised))
    unknown = principal is None or any(wager.initial_cents is None for wager in others)
    return doubled, unknown


@upholds(
    "doubled",
    "A stake is doubled only with the first two cards, on a total that may be doubled.",
    needs="double.totals",
    unlawful_stake=True,
)
def double_on_nine_to_eleven(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Which hands may be doubled. Law: PT art. 29 (reading double-two-cards)."""
    return None if hand.split else _double_total(play, hand) or LAWFUL


@upholds(
    "doubled",
    "After a split a stake is doubled only on a total that may be doubled.",
    needs=("double.after_split", "double.totals"),
    unlawful_stake=True,
)
def double_after_split(play: RoundPlay, hand: HandPlay) -> Verdict:
    """The same on a hand that came of a split, never on an ace. Law: PT art. 31."""
    return (_double_total(play, hand) or LAWFUL) if hand.split else None


@upholds("doubled", "A doubled hand receives exactly one card.", needs="double.cards")
def double_one_card(play: RoundPlay, hand: HandPlay) -> Verdict:
    """One single card after the double. Law: PT art. 29."""
    return beyond_right(hand, "double_one_card", {"cards": play.p["double.cards"]})


@upholds(
    "doubled",
    "Doubling makes the stake exactly twice what it was.",
    needs="double.times",
    unlawful_stake=True,
)
def double_is_twice(play: RoundPlay, hand: HandPlay) -> Verdict:
    """The holder's stake on a doubled hand. Law: PT art. 29."""
    principal = play.principal[hand.box.number]
    wager = stake_of(hand, principal) if principal is not None else None
    if wager is None:
        return UNDECIDED if principal is None else None
    times = play.p["double.times"]
    began = first_stake(wager, hand)
    lies, where, readings = wager.stake_cents, at(hand.box, wager), ("unlawful-stake",)
    if began is not None:
        return equal("stake_cents", lies, times * began, where=where, readings=readings)
    if lies % times == 0:
        return UNDECIDED
    return breach({"stake_cents": lies}, {"times": times}, where=where, readings=readings)


@upholds(
    "stake",
    "A complementary stake doubles with the holder or stays.",
    needs="double.complementary",
    unlawful_stake=True,
)
def complementary_double(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """Others on the box may make theirs exactly twice when the holder doubles. Law: PT art. 30."""
    principal = play.principal[hand.box.number]
    if principal == wager.owner or (hand.hand.split_from is not None and not hand.doubled):
        return None
    if principal is None or wager.initial_cents is None:
        return UNDECIDED
    began, lies = wager.initial_cents, wager.stake_cents
    alone = play.p["double.complementary"] == "free" and _total_may_double(play, hand)
    may = hand.doubled or alone
    if lies == began or (may and lies == 2 * began):
        return LAWFUL
    if not hand.doubled and lies != 2 * began:
        return None  # changed after the deal: that is asked under art. 13
    allowed = [began, 2 * began] if may else [began]
    return breach(
        {"stake_cents": lies},
        {"stakes_cents": allowed},
        where=at(hand.box, wager),
        readings="follow-the-double",
    )
