"""What each stake was due and why, what was handed back, and what else was found."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from casino.events.phrases import marked
from casino.events.round.round_played import Wager
from casino.law.check_registry import ALL_CHECKS
from casino.law.finding import Finding, Judgement, WagerVerdict
from casino.law.rounds.lawful_deal import lawful_deal
from casino.law.rounds.play import STAKED, HandPlay, RoundPlay
from casino.law.rounds.settlement import due_for
from casino.law.rulebook.rulebook_file import counted_as
from casino.law.wording.explain_words import Words

UNKNOWN: Final = "unknown-outcome"  # the reading by which cards nobody knows decide no amount
# Rules a wrong amount is cited under beside the one that fixes it; each adds its own clause.
BESIDE: Final = {
    "blackjack_beats_twenty_one": marked("a blackjack is more than any other 21"),
    "split_twenty_one_is_no_blackjack": marked("ace and ten after a split are 21 and no blackjack"),
    "fixed_ace_stays_one": marked("the ace doubled on counts 1"),
    "bank_ace_counts_as_stated": marked("the bank's ace counts 11 from 17 to 21, else 1"),
    "only_a_blackjack_is_paid_as_one": marked("only ace and ten at once are a blackjack"),
    "even_money_only_blackjack_against_ace": marked("even money is for a blackjack against an ace"),
    "winner_keeps_stake": marked("a winner receives the stake besides the prize"),
}
# Reasons that need no figure, by the rule that fixes the amount.
PLAIN: Final = {
    "blackjack_tie_is_null": marked("blackjack against the bank's blackjack: the stake goes back"),
    "insurance_loses": marked("the bank has no blackjack: the insurance is lost"),
    "only_stated_prizes_are_paid": marked("the rules state no such prize: nothing is paid"),
    "voided_round_returns_stakes": marked("the round was voided: every stake goes back"),
}
# Reasons that name a rate, with the parameter that states it.
PAID: Final = {
    "blackjack_paid_three_to_two": ("blackjack.pays", marked("a blackjack: %(ratio)s is paid")),
    "even_money_pays_one_to_one": (
        "even_money.pays",
        marked("even money was taken: %(ratio)s is paid"),
    ),
    "insurance_pays_two_to_one": (
        "insurance.pays",
        marked("the bank has a blackjack: insurance is paid %(ratio)s"),
    ),
    "special_prize_paid": (
        "special.pays",
        marked("the hand's first three cards earn the special prize: %(ratio)s is paid"),
    ),
}


def explain_wagers(play: RoundPlay, words: Words, judgement: Judgement) -> Iterable[str]:
    """One line for each wager: its due with reason, article and readings, and what came back."""
    hands = {(hand.box.number, hand.number): hand for hand in play.hands}
    wagers: dict[tuple[int, int | None, str, str], Wager] = {
        (box.number, wager.hand, wager.owner, wager.kind): wager
        for box in play.boxes
        for wager in box.wagers
    }
    for verdict in sorted(judgement.wagers, key=lambda one: one.box):
        hand = hands.get((verdict.box, verdict.hand)) if verdict.hand is not None else None
        wager = wagers[verdict.box, verdict.hand, verdict.owner, verdict.kind]
        recorded_of = play
        if verdict.due_cents is not None and _dealt_anew(play, verdict):
            anew = lawful_deal(play)
            if anew is not None:
                recorded_of = anew.play
                place = None if hand is None else hand.place
                hand = next((one for one in anew.play.hands if one.place == place), hand)
        yield _explain_wager(recorded_of, words, verdict, wager, hand)


def _dealt_anew(play: RoundPlay, verdict: WagerVerdict) -> bool:
    """Whether an amount was reckoned from the cards as the law deals them."""
    anew = play.p["outcome.after_breach"] == "as_the_law_deals"
    return anew and UNKNOWN in verdict.readings


def _explain_wager(
    play: RoundPlay, words: Words, verdict: WagerVerdict, wager: Wager, hand: HandPlay | None
) -> str:
    texts = [_which(words, verdict)]
    if verdict.due_cents is None:
        texts.append(
            words.say(
                "Not decidable from this record: %(why)s%(law)s.",
                why=words.why(verdict.why),
                law=_law(words, verdict),
            )
        )
        texts.append(words.say("Handed back %(paid)s.", paid=words.money(verdict.paid_cents)))
        return " ".join(texts)
    reason = _capital(_reason(play, words, verdict, wager, hand))
    if _dealt_anew(play, verdict):
        reason = words.say(
            "With the cards as the law deals them: %(reason)s",
            reason=_reason(play, words, verdict, wager, hand),
        )
    texts.append(f"{reason}{_law(words, verdict)}.")
    texts.append(
        words.say(
            "Due %(due)s, handed back %(paid)s: %(result)s.",
            due=words.money(verdict.due_cents),
            paid=words.money(verdict.paid_cents),
            result=_result(words, verdict),
        )
    )
    return " ".join(texts)


def _which(words: Words, verdict: WagerVerdict) -> str:
    values = {
        "owner": verdict.owner,
        "kind": words.kind(verdict.kind),
        "cents": words.money(verdict.stake_cents),
        "box": verdict.box,
        "hand": verdict.hand,
    }
    if verdict.hand is None:
        return words.say("%(owner)s, %(kind)s of %(cents)s on box %(box)s:", **values)
    if verdict.kind == "special":
        return words.say("%(owner)s, %(kind)s on box %(box)s, hand %(hand)s:", **values)
    return words.say("%(owner)s, %(kind)s of %(cents)s on box %(box)s, hand %(hand)s:", **values)


def _law(words: Words, verdict: WagerVerdict) -> str:
    """The article and the readings an amount hangs on, in brackets."""
    parts = [words.cite(verdict.article)] if verdict.article else []
    parts += _readings(words, verdict.readings)
    return f" ({'; '.join(parts)})" if parts else ""


def _readings(words: Words, readings: tuple[str, ...]) -> list[str]:
    if not readings:
        return []
    if len(readings) == 1:
        return [words.say("reading %(readings)s", readings=readings[0])]
    return [words.say("readings %(readings)s", readings=", ".join(readings))]


def _result(words: Words, verdict: WagerVerdict) -> str:
    if verdict.owed_to is None:
        return words.say("right")
    template = (
        marked("%(cents)s are owed to the player")
        if verdict.owed_to == "player"
        else marked("%(cents)s are owed to the house")
    )
    return words.say(template, cents=words.money(verdict.owed_cents))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _reason(
    play: RoundPlay, words: Words, verdict: WagerVerdict, wager: Wager, hand: HandPlay | None
) -> str:
    """Why this amount is due."""
    check = verdict.check
    if check is not None and ALL_CHECKS[check].unlawful_stake:
        return words.say("an unlawful stake goes back, by the reading taken")
    if check in BESIDE and hand is not None:
        settled = due_for(play, hand, wager).check
        beside = words.say(BESIDE[check])
        return f"{beside}; {_by_rule(play, words, settled, verdict, hand)}"
    return _by_rule(play, words, check, verdict, hand)


def _by_rule(
    play: RoundPlay,
    words: Words,
    check: str | None,
    verdict: WagerVerdict,
    hand: HandPlay | None,
) -> str:
    if check in PLAIN:
        return words.say(PLAIN[check])
    if check in PAID and verdict.due_cents:
        rate, template = PAID[check]
        return words.say(template, ratio=words.ratio(play.p[rate]))
    if check in ("special_prize_paid", "special_prize_only_when_due"):
        return _special(words, verdict, hand)
    if check == "surrender_loses_half":
        lost: Fraction = play.p["surrender.loses"]
        share = f"{lost.numerator}/{lost.denominator}"
        return words.say("surrendered: %(share)s of the stake is lost", share=share)
    if hand is None or verdict.kind not in STAKED:
        return words.statement(check or "").removesuffix(".")
    return _compared(play, words, check, verdict, hand)


def _special(words: Words, verdict: WagerVerdict, hand: HandPlay | None) -> str:
    if hand is not None and all(wager.owner != verdict.owner for wager in hand.wagers):
        return words.say("no stake of this owner lies on the hand: no special prize")
    return words.say("the hand's first three cards earn no special prize")


def _compared(
    play: RoundPlay, words: Words, check: str | None, verdict: WagerVerdict, hand: HandPlay
) -> str:
    """The hand's total beside the bank's."""
    bank, say = play.bank, words.say
    if check == "bust_loses":
        return say("%(total)s is over 21: the stake is lost at once", total=hand.total)
    if bank.natural and check == "farther_from_twenty_one_loses":
        if verdict.due_cents:
            return say("the bank has a blackjack: only the first stake is lost")
        return say("the bank has a blackjack: the stake is lost")
    values = {"total": hand.total, "bank": bank.total}
    if check == "equal_is_null":
        return say("%(total)s against %(bank)s: nobody wins and the stake goes back", **values)
    if check == "farther_from_twenty_one_loses":
        return say(
            "%(total)s against the bank's %(bank)s, farther from 21: the stake is lost", **values
        )
    if check != "nearer_to_twenty_one_wins":
        return words.statement(check or "").removesuffix(".")
    ratio = words.ratio(play.p["win.pays"])
    if bank.total > play.p["target.points"]:
        return say("the bank is over 21 with %(bank)s: %(ratio)s is paid", ratio=ratio, **values)
    return say(
        "%(total)s against the bank's %(bank)s, nearer to 21: %(ratio)s is paid",
        ratio=ratio,
        **values,
    )


def explain_conduct(words: Words, judgement: Judgement) -> Iterable[str]:
    """The findings that are not the wrong amount of a wager told above."""
    settled = {
        (one.box, one.hand, one.owner, one.kind, one.check)
        for one in judgement.wagers
        if one.owed_to is not None
    }
    for finding in judgement.findings:
        where = finding.where
        key = (
            *(where.get(name) for name in ("box", "hand", "owner", "kind")),
            finding.check,
        )
        if finding.owed_to is None or key not in settled:
            hangs = UNKNOWN in finding.readings
            open_stakes = explain_undetermined(words, judgement) if hangs else ""
            yield " ".join(filter(None, (_explain_finding(words, finding), open_stakes)))


def explain_undetermined(words: Words, judgement: Judgement) -> str:
    """The stakes whose due hangs on cards nobody knows, and their sum; '' where there are none.

    Law: PT art. 17, 18, 19 (reading unknown-outcome).
    """
    left = [
        one
        for one in judgement.wagers
        if one.due_cents is None and UNKNOWN in one.readings and one.kind != "special"
    ]
    if not left:
        return ""
    return words.say(
        "What was due for stakes of %(cents)s cannot be determined: %(stakes)s.",
        cents=words.money(sum(one.stake_cents for one in left)),
        stakes="; ".join(_which(words, one).removesuffix(":") for one in left),
    )


def _explain_finding(words: Words, finding: Finding) -> str:
    law = "; ".join([words.cite(finding.article), *_readings(words, finding.readings)])
    text = words.say(
        "%(severity)s (%(law)s). %(heading)s.",
        severity=_capital(words.severity(counted_as(finding.severity, finding.rulebook))),
        heading=words.heading(
            finding.check, finding.where, finding.observed, finding.expected, finding.gaming_day
        ),
        law=law,
    )
    if finding.owed_to is not None:
        template = (
            marked("%(cents)s are owed to the player")
            if finding.owed_to == "player"
            else marked("%(cents)s are owed to the house")
        )
        text += " " + words.say(template, cents=words.money(finding.owed_cents)) + "."
    return text
