"""What was decided on one hand, step by step, with the total after each card."""

from collections.abc import Iterable, Iterator

from casino.cards import best_total
from casino.events.phrases import marked
from casino.events.round.round_played import Wager
from casino.law.rounds.play import HandPlay, RoundPlay, stake_of
from casino.law.wording.explain_words import Words


def explain_hand(play: RoundPlay, hand: HandPlay, words: Words) -> Iterable[str]:
    """One line on the hand's decisions, and one for each stake that had to follow or stay."""
    steps = " ".join(_steps(play, hand, words))
    if not steps:
        return
    if len(hand.box.hands) > 1:
        place = words.say("Box %(box)s, hand %(hand)s", box=hand.box.number, hand=hand.number)
    else:
        place = words.say("Box %(box)s", box=hand.box.number)
    yield f"{place}: {steps}"
    if hand.hand.split_from is not None:
        yield from _follow_the_split(play, hand, words)
    if hand.doubled:
        yield from _follow_the_double(play, hand, words)


def _steps(play: RoundPlay, hand: HandPlay, words: Words) -> Iterator[str]:
    cards, say = hand.hand.cards, words.say
    if hand.hand.split_from is not None:
        yield _begins(hand, words)
    if not hand.hand.actions:
        yield from _undecided(play, hand, words)
    forbidden = dict(hand.beyond)
    counted, position, splits = list(cards[:2]), 2, 0
    for action in hand.hand.actions:
        if action == "split":
            splits += 1
            yield _split(hand, words, splits)
        elif action == "stand":
            yield say("Stands on %(points)s.", points=best_total(counted))
        elif action == "surrender":
            yield say("Surrenders%(by)s.", by=words.by("surrender_loses_half"))
        else:
            card = cards[position] if position < len(cards) else None
            yield _draws(play, words, action, card, counted, forbidden.get(position))
            position += 1
    for card in cards[position:]:
        counted.append(card)
        yield say(
            "Receives %(card)s without asking: %(points)s.",
            card=words.card(card),
            points=words.points(counted),
        )
    if hand.fixed_ace:
        yield say(
            "The ace doubled on counts 1 to the end: %(total)s%(by)s.",
            total=hand.total,
            by=words.by("fixed_ace_stays_one"),
        )
    if hand.bust:
        yield say("Over 21%(by)s.", by=words.by("bust_loses"))


def _undecided(play: RoundPlay, hand: HandPlay, words: Words) -> Iterator[str]:
    """What is said of a hand on which nothing was asked."""
    if hand.natural:
        yield words.say("Blackjack: nothing to ask.")
    elif hand.split_ace and len(hand.hand.cards) == 2 and "split.aces_one_card" in play.p:
        yield words.say(
            "A split ace receives one card only%(by)s.", by=words.by("split_aces_one_card")
        )
    elif hand.hand.split_from is None and len(hand.hand.cards) == 2:
        yield words.say("Asks nothing, with %(points)s.", points=hand.total)


def _begins(hand: HandPlay, words: Words) -> str:
    first, *rest = hand.hand.cards[:2]
    if not rest:
        return words.say("Begins with %(first)s.", first=words.card(first))
    return words.say(
        "Begins with %(first)s and receives %(second)s: %(points)s.",
        first=words.card(first),
        second=words.card(rest[0]),
        points=words.points([first, *rest]),
    )


def _split(hand: HandPlay, words: Words, which: int) -> str:
    """The hand's n-th split: which pair, where the second card went and what came in its place."""
    moved = sorted(
        (other for other in hand.box.hands if other.split_from == hand.number),
        key=lambda other_hand: other_hand.number,
    )
    away = moved[which - 1]
    stays = hand.hand.cards[0]
    then = moved[which].cards[0] if which < len(moved) else None
    if then is None and len(hand.hand.cards) > 1:
        then = hand.hand.cards[1]
    check = "split_equal_values" if which == 1 else "resplit_equal_values"
    if hand.hand.split_from is not None:
        check = "resplit_equal_values"
    parted = words.say(
        "Splits %(first)s and %(second)s%(by)s: the second begins hand %(hand)s.",
        first=words.card(stays),
        second=words.card(away.cards[0]),
        hand=away.number,
        by=words.by(check, "split_equal_values"),
    )
    if then is None or which - 1 in hand.late_splits:
        return parted
    received = words.say(
        "The first receives %(card)s: %(points)s.",
        card=words.card(then),
        points=words.points([stays, then]),
    )
    return f"{parted} {received}"


def _draws(
    play: RoundPlay,
    words: Words,
    action: str,
    card: str | None,
    counted: list[str],
    forbidden: str | None,
) -> str:
    """One card asked for or doubled for; `counted` grows by it where it counts."""
    said = (
        words.say("Doubles%(by)s", by=words.by("double_one_card"))
        if action == "double"
        else (words.say("Asks"))
    )
    if card is None:
        return words.say("%(said)s: the card is not told.", said=said)
    values = {"said": said, "card": words.card(card)}
    if forbidden is not None and play.p["card.beyond_right"] == "void":
        return words.say(
            "%(said)s: %(card)s, beyond the right: it counts for nothing%(by)s.",
            by=words.by(forbidden),
            **values,
        )
    counted.append(card)
    values["points"] = words.points(counted)
    if forbidden is not None:
        return words.say(
            "%(said)s: %(card)s, beyond the right, but it counts by the reading taken:"
            " %(points)s%(by)s.",
            by=words.by(forbidden),
            **values,
        )
    return words.say("%(said)s: %(card)s: %(points)s.", **values)


def _follow_the_split(play: RoundPlay, hand: HandPlay, words: Words) -> Iterator[str]:
    """What owners did with their stakes when the hand they lay on was split."""
    number = hand.hand.split_from
    parent = next(other for other in play.hands if other.box is hand.box and other.number == number)
    principal = play.principal[hand.box.number]
    for owner in sorted({wager.owner for wager in (*hand.wagers, *parent.wagers)}):
        here, there = stake_of(hand, owner), stake_of(parent, owner)
        values = {"owner": owner, "hand": hand.number, "first": parent.number}
        if here is not None and there is not None:
            values["cents"] = words.money(_single(hand, here))
            template = (
                marked("%(owner)s puts %(cents)s on hand %(hand)s%(by)s.")
                if owner == principal
                else marked("%(owner)s follows with %(cents)s on hand %(hand)s%(by)s.")
            )
        elif there is not None:
            template = marked("%(owner)s does not follow: the stake stays on hand %(first)s%(by)s.")
        else:
            template = marked("The stake of %(owner)s lies on hand %(hand)s alone%(by)s.")
        check = "split_stakes_equal" if owner == principal else "complementary_follows_split"
        yield "  " + words.say(template, by=words.by(check), **values)


def _single(hand: HandPlay, wager: Wager) -> int:
    """What a stake on a split-off hand was before a double. Units: cents."""
    began = wager.initial_cents
    return began if hand.doubled and began is not None else wager.stake_cents


def _follow_the_double(play: RoundPlay, hand: HandPlay, words: Words) -> Iterator[str]:
    """What owners did with their stakes when the hand they lay on was doubled."""
    principal = play.principal[hand.box.number]
    for wager in hand.wagers:
        values = {"owner": wager.owner, "cents": words.money(wager.stake_cents)}
        began = wager.initial_cents
        if began is None:
            template = marked("%(owner)s has %(cents)s there; the first stake is not told.")
        elif wager.stake_cents == began:
            template = marked("%(owner)s stays with %(cents)s%(by)s.")
        else:
            values["began"] = words.money(began)
            template = marked("%(owner)s raises %(began)s to %(cents)s%(by)s.")
        check = "double_is_twice" if wager.owner == principal else "complementary_double"
        yield "  " + words.say(template, by=words.by(check, "double_is_twice"), **values)
