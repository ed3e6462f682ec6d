"""The dealer's obligations: boxes and cards, the order of the deal, the bank's own hand.

Law: PT art. 2, 3, 6, 17, 18 (misdealt cards), 19, 22 (the bank at rest).
"""

from collections import Counter
from collections.abc import Sequence

from casino.cards import best_total, hard_total
from casino.events.round.round_played import Box, Dealt, Hand, Misdealt, Place
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.questions import at_most, breach, equal
from casino.law.rounds.card_population import cards_of, known
from casino.law.rounds.deal_order import TO_BANK, without_strays
from casino.law.rounds.play import STAKED, RoundPlay
from casino.law.rounds.strays import lawful_fate, misdirected
from casino.law.rounds.taken_out import FACE_UP, TakenOut, dealt_to_the_bank


@upholds("box", "Every box played is marked on the table.", needs="boxes.maximum")
def box_exists(play: RoundPlay, box: Box) -> Verdict:
    """The layout has six or seven boxes, numbered from the dealer's left. Law: PT art. 2."""
    most = play.p["boxes.maximum"]
    return at_most("box", box.number, most)


@upholds("round", "No card is seen more often than the game has decks.", needs="decks.allowed")
def card_within_decks(play: RoundPlay) -> Verdict:
    """One and the same card comes at most once from each deck. Law: PT art. 3."""
    most = max(play.p["decks.allowed"])
    cards = cards_of(play.record)
    if len(cards) <= most or len(set(cards)) == len(cards):
        return LAWFUL
    return [
        breach({"card": card, "times": times}, {"at_most": most})
        for card, times in sorted(Counter(cards).items())
        if times > most and known(card)
    ] or LAWFUL


@upholds("box", "Cards are dealt to every staked box and to no other.")
def cards_only_to_staked_boxes(play: RoundPlay, box: Box) -> Verdict:
    """A hand belongs to a stake marked in time. Law: PT art. 17."""
    staked = False
    for wager in box.wagers:
        if wager.kind in STAKED:
            staked = True
            break
    if not box.hands and not staked:
        return None
    if bool(box.hands) == staked:
        return LAWFUL
    stakes = sum(wager.kind in STAKED for wager in box.wagers)
    missing = "hands" if staked else "main_stakes"
    observed = {"hands": len(box.hands), "main_stakes": stakes}
    return breach(observed, {missing: "one at least"})


@upholds(
    "round",
    "One card goes to each box in order and one to the bank, twice over.",
    needs="bank.second_card",
)
def dealt_in_order(play: RoundPlay) -> Verdict:
    """The first cards left the shoe in the order the law sets. Law: PT art. 17."""
    came = _laid(play)
    if came is None:
        return UNDECIDED
    expected = _opening_order(play)
    if came[: len(expected)] == expected:
        return LAWFUL
    for index, (found, asked) in enumerate(zip(came, expected, strict=False)):
        if found != asked:
            return breach(
                {"card": index + 1, "went_to": _spelled(found)}, {"goes_to": _spelled(asked)}
            )
    return breach({"cards": len(came)}, {"cards": len(expected)})


@upholds(
    "round",
    "Players are asked in the order of their places, and the bank draws after them.",
    needs="bank.second_card",
)
def players_asked_in_order(play: RoundPlay) -> Verdict:
    """After the deal the boxes draw in rising order and the bank last.

    Nothing is asked where the deal itself was out of order, which is a breach of its own.
    Law: PT art. 18.
    """
    came = _laid(play)
    if came is None:
        return UNDECIDED
    opening = _opening_order(play)
    return _drawing_order(came, len(opening)) if came[: len(opening)] == opening else None


@upholds("round", "Every place that is dealt to gets two cards.", needs="bank.second_card")
def two_cards_to_each_place(play: RoundPlay) -> Verdict:
    """A place that got one card alone; of the hands of a split article 26 speaks.

    Law: PT art. 17.
    """
    if not play.short:
        return LAWFUL if play.hands else None
    return [
        breach(
            {"cards": 1},
            {"cards": 2},
            where={"box": at.box, "hand": at.hand},
            readings="unknown-outcome",
        )
        for at in play.short
        if len(_hands_of(play, at.box)) == 1
    ] or LAWFUL


def _laid(play: RoundPlay) -> list[int] | None:
    """Where the cards that count were laid, one after another; None where nobody recorded."""
    if play.laid is None and play.record.dealt is not None:
        play.laid = _places(play, play.record.dealt)
    return play.laid


def _places(play: RoundPlay, dealt: tuple[Dealt, ...]) -> list[int]:
    record = play.record
    cards: Sequence[Dealt] = dealt
    if record.misdealt or record.bank.voided:
        cards = without_strays(play, dealt)
    # `spot_of`, written out: a call for each card is a tenth of the whole, and so is comparing a
    # place with a word.
    came = []
    for card in cards:
        to = card.to
        if not isinstance(to, str):
            came.append(to.box * 100 + to.hand)
        elif to == "bank":
            came.append(TO_BANK)
    return came


def _opening_order(play: RoundPlay) -> list[int]:
    """Where the first cards of a round belong, as `spot_of` counts places."""
    boxes = [box.number * 100 + _first_hand(box) for box in play.boxes if box.hands]
    second = [TO_BANK] if play.p["bank.second_card"] == "face_down" else []
    if not play.short:
        return [*boxes, TO_BANK, *boxes, *second]
    one_alone = {at.box for at in play.short if len(_hands_of(play, at.box)) == 1}
    return [*boxes, TO_BANK, *(at for at in boxes if at // 100 not in one_alone), *second]


def _hands_of(play: RoundPlay, box: int) -> tuple[Hand, ...]:
    return next(one.hands for one in play.boxes if one.number == box)


def _first_hand(box: Box) -> int:
    """The number of the hand the box was dealt, off which any others were split."""
    first = box.hands[0]
    if first.split_from is None:
        return first.number
    return next(hand.number for hand in box.hands if hand.split_from is None)


def _drawing_order(came: list[int], opening: int) -> Verdict:
    """After the deal the boxes draw in rising order and the bank last."""
    last = 0
    for index in range(opening, len(came)):
        box = came[index] // 100
        if box < last:
            observed = {"card": index + 1, "went_to": _spelled(came[index])}
            before = "bank" if last == TO_BANK // 100 else last
            return breach(observed, {"not_before_box": before})
        last = box
    return LAWFUL


def _spelled(spot: int) -> str:
    return "bank" if spot == TO_BANK else f"{spot // 100}/{spot % 100}"


@upholds(
    "round",
    "The bank's second card lies face down; one that is turned is replaced.",
    needs="bank.second_card",
)
def second_bank_card_face_down(play: RoundPlay) -> Verdict:
    """A second bank card that was turned goes to the discard corner and another is drawn.

    Law: PT art. 17.
    """
    record = play.record
    turned = (card.card for card in record.misdealt if card.at == "bank" and card.fate == "bank")
    kept = next(turned, None)
    if kept is not None:
        return breach({"kept": kept}, {"goes_to": "discard"}, readings="unknown-outcome")
    if len(record.bank.cards) < 2:
        return breach({"bank_cards": len(record.bank.cards)}, {"at_least": 2})
    return equal("open", None if record.bank.open is None else list(record.bank.open), [1])


@upholds(
    "taken_out",
    "Of the cards dealt to the bank only a second one that was turned is taken out.",
    needs="bank.second_card",
)
def bank_keeps_the_cards_dealt_it(play: RoundPlay) -> Verdict:
    """A turned second card, and any that replaced it and was turned as well. Law: PT art. 17."""
    return _taken_out(play, range(dealt_to_the_bank(play)))


@upholds("taken_out", "A card the bank had to draw is not taken out again.", needs="bank.stands_at")
def bank_keeps_the_cards_it_draws(play: RoundPlay) -> Verdict:
    """Only one drawn when the bank might draw none is one too many. Law: PT art. 19."""
    return _taken_out(play, range(dealt_to_the_bank(play), len(play.record.bank.cards) + 1))


def _taken_out(play: RoundPlay, places: range) -> Verdict:
    """The cards that were taken from the bank at the places a check asks about."""
    breaches: list[Breach] = []
    outcome: Verdict = None
    for one in play.taken_out:
        here = [might_go for place, might_go in one.places.items() if place in places]
        if not here or (one.why == "face_up" and FACE_UP in play.upheld):
            continue  # it came at another place, or is asked where the book sends it away
        may = set(one.places.values())
        if may == {None}:
            continue  # drawn before its turn: that is asked with the order of the deal
        if may == {True}:
            outcome = outcome or LAWFUL
        elif may == {False} and len(here) == len(one.places):
            breaches.append(_wrongly_taken_out(play, one))
        else:
            outcome = UNDECIDED
    return breaches or outcome


def _wrongly_taken_out(play: RoundPlay, taken_out: TakenOut) -> Breach:
    observed: dict[str, object] = {"taken_out": taken_out.card, "why": taken_out.why}
    if len(taken_out.places) == 1:
        (place,) = taken_out.places
        observed["after"] = list(play.record.bank.cards[:place])
    return breach(observed, {"goes_to": "bank"}, readings="unknown-outcome")


@upholds(
    "round", "A card found face up in the shoe is out of play.", needs="face_up_card.out_of_play"
)
def face_up_card_out_of_play(play: RoundPlay) -> Verdict:
    """Such a card goes to the used cards. Law: the Spanish and Brazilian-language books."""
    found = [card for card in play.record.misdealt if card.at == "shoe"]
    if not found and not any(card.why == "face_up" for card in play.record.bank.voided):
        return None
    return [
        breach({"card": card.card, "went_to": card.fate}, {"goes_to": "discard"})
        for card in found
        if card.fate != "discard"
    ] or LAWFUL


@upholds("misdealt", "A card drawn against a player's will goes where the law sends it.")
def misdealt_card_placed(play: RoundPlay) -> Verdict:
    """Unseen to the next hand that asks, else to the bank; seen to the discard corner.

    Law: PT art. 18, 19.
    """
    if not play.record.misdealt:
        return None
    outcomes = [
        (card, misdirected(play, card))
        for card in play.record.misdealt
        if isinstance(card.at, Place)
    ]
    if not outcomes:
        return None
    breaches = [_misplaced(play, card) for card, wrong in outcomes if wrong]
    return breaches or (UNDECIDED if any(wrong is None for _, wrong in outcomes) else LAWFUL)


def _misplaced(play: RoundPlay, card: Misdealt) -> Breach:
    assert isinstance(card.at, Place)
    fate, place = lawful_fate(play, card)
    observed: dict[str, object] = {
        "card": card.card,
        "seen": "yes" if card.seen else "no",
        "went_to": card.fate,
    }
    if card.to is not None:
        observed["box"] = card.to.box
        observed["hand"] = card.to.hand
    split = not card.seen and len(_hands_of(play, card.at.box)) > 1
    next_one = ("next-who-asks",) if split else ()
    expected: dict[str, object] = {"goes_to": fate}
    if place is not None:
        expected |= {"box": place.box, "hand": place.hand}
    return breach(
        observed,
        expected,
        where={"box": card.at.box, "hand": card.at.hand},
        readings=("misdealt-to-standing-bank", *next_one, "unknown-outcome"),
    )


@upholds("round", "The bank draws while it has sixteen or less.", needs="bank.draws_to")
def bank_draws_to_sixteen(play: RoundPlay) -> Verdict:
    """With anybody left in play the bank goes on to seventeen. Law: PT art. 19.

    A bank left with one card lacks its second, which is article 17's matter where that is kept.
    """
    if not play.must_draw:
        return None
    if len(play.record.bank.cards) < 2 and "second_bank_card_face_down" in play.upheld:
        return None
    bank = play.bank
    if not bank.stopped_below:
        return LAWFUL
    paid = ("paid-out-counts-as-out",) if play.paid_decides else ()
    soft = bank.total == play.p["bank.stands_at"]
    observed = {"soft_total" if soft else "bank_total": bank.total, "bank_cards": len(bank.cards)}
    draws_to = {"draws_to": play.p["bank.stands_at" if soft else "bank.draws_to"]}
    return breach(observed, draws_to, readings=(*paid, "unknown-outcome"))


def _drawn_beyond(play: RoundPlay) -> tuple[str, ...]:
    """The cards the bank took after its total was complete and somebody was still in play."""
    return (
        play.bank.beyond
        if not (play.all_out and "bank_rests_when_all_are_out" in play.upheld)
        else ()
    )


def _drew_on(play: RoundPlay, beyond: tuple[str, ...]) -> Breach:
    """That the bank took cards after its total was complete."""
    stands_at = {"stands_at": play.p["bank.stands_at"]}
    return breach({"drawn": list(beyond)}, stands_at, readings="void-beyond-right")


def _ace_was_the_cause(play: RoundPlay) -> bool:
    cards = play.record.bank.cards
    if any(
        stray.fate == "bank" and stray.card in play.bank.beyond for stray in play.record.misdealt
    ):
        return False  # a card no player took was laid to the bank: no miscounted ace drew it
    standing = cards[: len(cards) - len(play.bank.beyond)]
    return (
        best_total(standing) != hard_total(standing)
        and hard_total(standing) < play.p["bank.stands_at"]
    )


@upholds(
    "round",
    "The bank's ace counts eleven where that makes seventeen to twenty-one.",
    needs="ace.values",
)
def bank_ace_is_eleven_at_seventeen(play: RoundPlay) -> Verdict:
    """A soft seventeen or more stands. Law: PT art. 6 a), 19."""
    if not play.bank.ace:
        return None
    beyond = _drawn_beyond(play)
    return _drew_on(play, beyond) if beyond and _ace_was_the_cause(play) else LAWFUL


@upholds("round", "The bank stands on seventeen or more.", needs="bank.stands_at")
def bank_stands_at_seventeen(play: RoundPlay) -> Verdict:
    """A card the bank took on seventeen or more counts for nothing. Law: PT art. 19."""
    beyond = _drawn_beyond(play)
    by_ace = "bank_ace_is_eleven_at_seventeen" in play.upheld
    if beyond and not (by_ace and _ace_was_the_cause(play)):
        return _drew_on(play, beyond)
    return LAWFUL if play.bank.cards else None


@upholds(
    "round",
    "With nobody left in play the bank takes no third card.",
    needs="bank.rests_when_all_out",
)
def bank_rests_when_all_are_out(play: RoundPlay) -> Verdict:
    """The round ends when all have lost, surrendered or been paid. Law: PT art. 22."""
    if not play.all_out or play.must_draw:
        return None
    drawn = play.record.bank.cards[2:]
    if not drawn:
        return LAWFUL
    paid = ("paid-out-counts-as-out",) if play.paid_decides else ()
    readings = (*paid, "insurance-settles") if play.insured else paid
    return breach({"drawn": list(drawn)}, {"bank_cards": 2}, readings=readings)
