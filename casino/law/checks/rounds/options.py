"""The side bets a player may take: insurance, even money, the special prize.

Law: PT art. 33, 34, 35; and art. 1 where a hand was paid as the blackjack it was not.
"""

from fractions import Fraction
from typing import NamedTuple

from casino.cards import VALUE
from casino.events.round.round_played import Box, Place, Wager
from casino.law.checks.rounds.decisions import settled_at_once
from casino.law.finding import LAWFUL, UNDECIDED, Undecided, Verdict, upholds
from casino.law.questions import breach, equal
from casino.law.rounds.deal_order import cards_of_the_deal
from casino.law.rounds.play import HandPlay, RoundPlay, at, stake_of
from casino.law.rounds.settlement import share
from casino.law.rounds.shifted import drew_its_own
from casino.law.rounds.side_bets import special_prize
from casino.law.rounds.taken_out import dealt_to_the_bank
from casino.law.rulebook.lacking import FIRST_WORD_UNTIMED


@upholds(
    "side",
    "Insurance is taken only when the bank shows an ace.",
    needs="insurance.pays",
    unlawful_stake=True,
)
def insurance_only_against_ace(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """The dealer invites insurance on an open ace alone. Law: PT art. 33."""
    shown = play.bank.open
    if shown is None:
        return UNDECIDED
    if VALUE[shown] == 1:
        return LAWFUL
    return breach({"bank_shows": shown}, {"bank_shows": "ace"}, readings="unlawful-stake")


@upholds(
    "side",
    "Insurance is at most half of the first stake.",
    needs="insurance.at_most",
    unlawful_stake=True,
)
def insurance_within_half(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """Each owner insures up to half of what he first staked.

    Law: PT art. 33 (reading insurance-of-first-stake).
    """
    ratio: Fraction = play.p["insurance.at_most"]
    insured, began = _insured_and_staked(play, box, wager)
    if began is None:
        return UNDECIDED
    most, odd = share(began, ratio, play.p)
    even_money = any(
        other.kind == "even_money" and other.owner == wager.owner for other in box.wagers
    )
    readings: tuple[str, ...] = ("insurance-of-first-stake", "unlawful-stake")
    if even_money and play.p.get("insurance.half_of") == "owner_first_stake":
        return breach({"with": "even_money"}, {"insurance_or": "even_money"}, readings=readings)
    if insured <= most:
        return LAWFUL
    if odd:
        readings = (*readings, "odd-cent")
    return breach({"stake_cents": insured}, {"at_most_cents": most}, readings=readings)


@upholds(
    "side",
    "Insurance is exactly half of the first stake.",
    needs="insurance.exactly",
    unlawful_stake=True,
)
def insurance_exactly_half(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """Where the book says half, not up to half.

    Law: the French brochure and the Portuguese casino's summary.
    """
    insured, began = _insured_and_staked(play, box, wager)
    if began is None:
        return UNDECIDED
    half: Fraction = began * play.p["insurance.exactly"]
    asked, odd = share(began, play.p["insurance.exactly"], play.p)
    if abs(insured - half) < 1:
        return LAWFUL
    readings = ("insurance-of-first-stake", "unlawful-stake", *(("odd-cent",) if odd else ()))
    return breach({"stake_cents": insured}, {"stake_cents": asked}, readings=readings)


@upholds(
    "side",
    "Insurance is taken once the second cards lie, and before the bank's is known.",
    needs="insurance.until",
    unlawful_stake=True,
)
def insurance_in_its_moment(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """After the second cards, and before what it is laid against can be known.

    Law: PT art. 33 (reading insurance-until); the Spanish and Brazilian-language books.
    """
    count, deal = wager.taken_at, _deal_of(play)
    if count is None or deal is None:
        return UNDECIDED
    readings: tuple[str, ...] = ("unlawful-stake",)
    if count < deal.lay:
        return breach({"cards_dealt": count}, {"at_least": deal.lay}, readings=readings)
    readings = (*readings, "insurance-until")
    until = play.p["insurance.until"]
    latest = deal.bank if until == "second_card_known" else deal.further
    if count > latest:
        return breach({"cards_dealt": count}, {"at_most": latest}, readings=readings)
    if until == "first_word":
        return _before_the_first_word(play, wager)
    if count <= deal.further or count < deal.done or play.p["bank.second_card"] != "face_down":
        return LAWFUL
    return UNDECIDED  # the players had their last card: the bank's second one may have been open


def _before_the_first_word(play: RoundPlay, wager: Wager) -> Verdict:
    """Whether nobody had spoken yet, of an insurance laid before any further card.

    Where the first who was asked drew, his word brought that card; one who stood brought none.
    """
    if wager.spoken is not None:
        return equal("spoken", wager.spoken, False, readings="unlawful-stake")
    asked = next((hand for hand in play.hands if not hand.natural), None)
    drew = asked is None or asked.draws or "split" in asked.hand.actions
    return LAWFUL if drew else Undecided(FIRST_WORD_UNTIMED)


class _Deal(NamedTuple):
    """How many cards were out when the second ones lay, before the first further card to a hand,
    when the players had their last, and before the bank's next.
    """

    lay: int
    further: int
    done: int
    bank: int


def _deal_of(play: RoundPlay) -> _Deal | None:
    """None where cards went wrong and nobody recorded the order, or told too little of it."""
    dealt = play.record.dealt
    lay = cards_of_the_deal(play)
    if lay is None or play.short:
        return None
    if dealt is None:
        drawn = sum(len(hand.hand.cards) for hand in play.hands)
        done = lay + drawn - 2 * sum(bool(box.hands) for box in play.boxes)
        return _Deal(lay, lay, done, done)
    voided = play.record.bank.voided
    if any(card.why != "turned" for card in voided):
        return None  # it came with the deal, or when the bank drew
    seen: dict[int, int] = {}
    banks, lay, further = dealt_to_the_bank(play), 0, len(dealt)
    banks += len(voided) if banks == 2 else 0  # a second card that comes last is not of the deal
    for index, card in enumerate(dealt):
        if isinstance(card.to, Place):
            seen[card.to.box] = seen.get(card.to.box, 0) + 1
            if seen[card.to.box] > 2:
                further = index
                break
            lay = index + 1
        elif card.to == "bank" and banks:
            banks, lay = banks - 1, index + 1
    players = [index for index, card in enumerate(dealt) if isinstance(card.to, Place)]
    done = max(lay, players[-1] + 1 if players else 0)
    bank = (index for index, card in enumerate(dealt) if index >= done and card.to == "bank")
    after = next(bank, len(dealt))
    return _Deal(lay, min(further, after), done, after)


@upholds("side", "Insurance is taken when the dealer invites to it.", needs="insurance.pays")
def insurance_on_invitation(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """Nobody insures before the dealer has asked. Law: PT art. 33."""
    return equal("invited", wager.invited, True)


@upholds("side", "Insurance lies on the place marked for it.", needs="insurance.pays")
def insurance_on_its_place(play: RoundPlay, box: Box, wager: Wager) -> Verdict:
    """The chips lie where the layout keeps a spot for them. Law: PT art. 33."""
    return equal("on_its_place", wager.on_its_place, True)


def _insured_and_staked(play: RoundPlay, box: Box, wager: Wager) -> tuple[int, int | None]:
    """What was insured and what it insures, by owner or by box. Units: cents."""
    stakes = play.first_stakes(box)
    if play.p.get("insurance.half_of") == "box_total":
        insured = sum(other.stake_cents for other in box.wagers if other.kind == "insurance")
        known = [cents for _, cents in stakes.values() if cents is not None]
        return insured, sum(known) if len(known) == len(stakes) else None
    return wager.stake_cents, stakes[wager.owner][1] if wager.owner in stakes else 0


@upholds(
    "stake",
    "Even money is taken only on a blackjack against an ace.",
    needs=("even_money.pays", "even_money.chosen_by"),
)
def even_money_only_blackjack_against_ace(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """1:1 instead of 3:2, before the bank's second card is known. Law: PT art. 34."""
    if play.p["even_money.chosen_by"] == "holder" and hand.natural:
        leading = stake_of(hand, play.principal[hand.box.number] or "")
        if leading is not None and leading.kind != wager.kind:
            expected = {"kind": leading.kind}
            return breach({"kind": wager.kind}, expected, readings="even-money-own-choice")
    if wager.kind != "even_money":
        return None
    shown = play.bank.open
    if shown is None:
        return UNDECIDED
    if not hand.natural or VALUE[shown] != 1 or wager.at_once is False:
        observed = {"total": hand.total, "cards": len(hand.hand.cards), "bank_shows": shown}
        if wager.at_once is False:
            observed["at_once"] = "no"
        return breach(
            observed, {"blackjack": "yes", "bank_shows": "ace"}, readings="unlawful-stake"
        )
    return UNDECIDED if wager.at_once is None else LAWFUL


@upholds(
    "drawn",
    "A suited 6-7-8 and three sevens receive the special prize at once.",
    needs=("special.pays", "special.cards"),
)
def special_prize_paid(play: RoundPlay, hand: HandPlay) -> Verdict:
    """The one who decides on such a hand got the prize, whatever it later did. Law: PT art. 35."""
    has = special_prize(play, hand)
    if has is None:
        return UNDECIDED
    owner = play.principal[hand.box.number]
    if has and owner is None:
        return UNDECIDED if hand.wagers else None
    staked = stake_of(hand, owner or "") if has else None
    if staked is None:
        return None
    if any(
        w.kind == "special" and w.owner == owner and w.hand == hand.number for w in hand.box.wagers
    ):
        return None  # what was paid is settled with the wagers
    goes_back = _goes_back(play, hand, staked)
    if not drew_its_own(play, hand) or goes_back is None:
        return UNDECIDED
    if goes_back:
        return None
    prize, _ = share(staked.stake_cents, play.p["special.pays"], play.p)
    where = at(hand.box, staked) | {"kind": "special"}
    return breach(
        {"returned_cents": 0},
        {"returned_cents": prize},
        where=where,
        readings="special-prize",
        owed_cents=prize,
        owed_to="player",
    )


@upholds("drawn", "A special prize does not wait for the bank to play.", needs="special.pays")
def special_prize_paid_at_once(play: RoundPlay, hand: HandPlay) -> Verdict:
    """The prize of the one who decides on the hand was paid before the bank played.

    What is not due, or was not paid at all, is a matter of its amount. Law: PT art. 35.
    """
    has = special_prize(play, hand)
    if has is False:
        return None
    owner = play.principal[hand.box.number]
    for wager in hand.box.wagers:
        if wager.kind != "special" or wager.hand != hand.number or not wager.returned_cents:
            continue
        unknown = has is None or not drew_its_own(play, hand)
        if owner is None or (unknown and wager.owner == owner):
            return UNDECIDED
        staked = stake_of(hand, owner)
        if wager.owner == owner and staked is not None:
            goes_back = _goes_back(play, hand, staked)
            if goes_back is None:
                return UNDECIDED
            return None if goes_back else settled_at_once(hand, wager)
    return None


def _goes_back(play: RoundPlay, hand: HandPlay, wager: Wager) -> bool | None:
    """Whether a stake goes back as unlawful, and with it its prize; None where nobody can say."""
    if play.going_back is None:
        return False
    if play.going_back.by(hand.box, wager) is not None:
        return True
    return None if play.going_back.doubt(hand.box, wager) is not None else False


@upholds(
    "stake",
    "Only ace and ten as the first two cards are paid as a blackjack.",
    needs="blackjack.pays",
)
def only_a_blackjack_is_paid_as_one(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """Any other hand that got a blackjack's prize was taken for one. Law: PT art. 1."""
    if hand.natural:
        return None if wager.kind == "even_money" else LAWFUL
    if wager.returned_cents <= wager.stake_cents:
        return None
    prize, _ = share(wager.stake_cents, play.p["blackjack.pays"], play.p)
    if wager.stake_cents == 0 or wager.returned_cents != wager.stake_cents + prize:
        return None
    if hand.split and len(hand.hand.cards) == 2 and hand.total == play.p["target.points"]:
        return None  # that is art. 20's own matter
    if prize in _insurance_sums(play, hand.box, wager.owner):
        return None  # what an insurance won lies with the stake: that is art. 33's matter
    observed = {"cards": list(hand.hand.cards), "returned_cents": wager.returned_cents}
    return breach(observed, {"cards": "ace and ten"})


def _insurance_sums(play: RoundPlay, box: Box, owner: str) -> list[int]:
    """What this owner's insurance won on the box: the prize, and the prize with its stake.

    Units: cents. Law: PT art. 33.
    """
    if not play.bank.natural or "insurance.pays" not in play.p:
        return []
    stake = sum(w.stake_cents for w in box.wagers if (w.kind, w.owner) == ("insurance", owner))
    prize, _ = share(stake, play.p["insurance.pays"], play.p)
    return [prize, stake + prize]
