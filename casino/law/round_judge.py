"""One round before the law: every check its rulebook asks, every wager's amount, and what follows.

Law: PT art. 1, 2, 3, 6, 13-37, as far as a single round's record shows them.
"""

from dataclasses import replace
from typing import Final, Literal

from casino.cards import best_total
from casino.events.round.round_played import Box, Limits, Place, RoundPlayed, Wager
from casino.law.check_registry import ALL_CHECKS, Plan, plan_of
from casino.law.finding import (
    FOUND,
    LAWFUL,
    UNDECIDED,
    Breach,
    Finding,
    Judgement,
    Outcome,
    Undecided,
    WagerVerdict,
)
from casino.law.raising import Findings
from casino.law.rounds.lawful_deal import LawfulDeal, lawful_deal
from casino.law.rounds.play import STAKED, HandPlay, RoundPlay, at
from casino.law.rounds.returned_stakes import GoingBack
from casino.law.rounds.round_questions import questions, where_of
from casino.law.rounds.settlement import (
    Due,
    due_for,
    settled_by_a_miscounted_ace,
    settled_otherwise_with_free_ace,
    share,
    undecided,
)
from casino.law.rounds.side_bets import insurance_due, special_due
from casino.law.rulebook.rulebook import Law

COMPARED: Final = ("nearer_to_twenty_one_wins", "farther_from_twenty_one_loses", "equal_is_null")
BANK_ACE: Final = "bank_ace_counts_as_stated"
# Breaches that lie in the payment itself: the amount is theirs and no finding of its own.
IN_THE_PAYMENT: Final = ("only_a_blackjack_is_paid_as_one", "even_money_only_blackjack_against_ace")


def judge(round_played: RoundPlayed, law: Law, limits: Limits | None = None) -> Judgement:
    """Judge one round under a rulebook as in force on its gaming day.

    `limits` are those of its game, by which its stakes are judged whatever it tells of them.

    Never raises on a record the reader accepts. What the record does not decide is said to be not
    decidable, which is a verdict of its own and never counts as lawful.
    """
    rules = law.on(round_played.gaming_day)
    plan = plan_of(rules)
    play = RoundPlay(with_limits(round_played, limits), rules, plan.upheld)
    if limits is not None:
        play.recorded_limits = None if round_played.limits == limits else round_played.limits
    if play.p.get("stake.unlawful") == "returned":
        play.going_back = GoingBack(play, plan)
    round_judge = RoundJudge(play, plan)
    if round_played.voided is None:
        round_judge.look_at_round()
    round_judge.settle()
    return Judgement(tuple(round_judge.verdicts), tuple(round_judge.findings), round_judge.outcomes)


def with_limits(round_played: RoundPlayed, limits: Limits | None) -> RoundPlayed:
    """The round with the limits of its game; where these are not known, as it is recorded."""
    return round_played if limits is None else replace(round_played, limits=limits)


class RoundJudge(Findings):
    """The judge's bench for one round: verdicts, findings and outcomes as they are reached."""

    __slots__ = ("anew", "plan", "play", "verdicts")

    def __init__(self, play: RoundPlay, plan: Plan) -> None:
        record = play.record
        day, table, partida = record.gaming_day, record.table, record.partida
        super().__init__(play.rules, day, table, partida, (record.round,))
        self.play = play
        self.plan = plan
        self.verdicts: list[WagerVerdict] = []
        self.anew: LawfulDeal | Literal["not_asked"] | None = "not_asked"

    def look_at_round(self) -> None:
        """Ask every check of the rulebook about what it looks at."""
        keep = self.outcomes.append
        for checks, subject in questions(self.play, self.plan):
            for run, kept in checks:
                # A hundred answers a round: only a breach is worth another call.
                verdict = run(*subject)
                if verdict is None:
                    continue
                if verdict is LAWFUL:
                    keep(kept)
                elif isinstance(verdict, str):
                    keep((kept[0], verdict))
                else:
                    self.take(ALL_CHECKS[kept[0]], verdict, where_of(*subject))

    def settle(self) -> None:
        """Settle every wager of every owner, box by box, hand by hand."""
        play = self.play
        for hand in play.hands:
            for wager in hand.wagers:
                self._settle_stake(hand, wager)
        for box in play.boxes:
            for wager in box.wagers:
                if wager.kind in STAKED:
                    continue
                if wager.kind == "jackpot":
                    due = undecided("jackpot_terms_not_in_the_record")
                else:
                    due = self._due(box, wager) or self._beside(box, wager)
                self._conclude(box, wager, due)
        for box, wager in play.undealt:
            self._conclude(box, wager, self._due(box, wager) or undecided("no_cards_dealt"))
        if self.findings and play.p.get("finding.cites", "amount_due") == "amount_due":
            for found in [one for one in self.findings if one.check in IN_THE_PAYMENT]:
                self._carry_the_amount(found)

    def _carry_the_amount(self, finding_found: Finding) -> None:
        """One breach, one finding: an amount that only follows from a breach is recorded with it.

        Reading which-article.
        """
        for money in self.findings:
            if money.owed_to is None or money.where != finding_found.where:
                continue
            at = next(n for n, one in enumerate(self.verdicts) if _is_at(one, money))
            verdict = self.verdicts[at]
            if not _paid_as_found(self.play, finding_found, verdict):
                return
            self.verdicts[at] = verdict._replace(
                check=finding_found.check, article=finding_found.article
            )
            finding = replace(
                finding_found,
                observed=finding_found.observed | money.observed,
                expected=finding_found.expected | money.expected,
                owed_cents=money.owed_cents,
                owed_to=money.owed_to,
                readings=tuple(dict.fromkeys((*finding_found.readings, *money.readings))),
            )
            self.findings = [finding if one is finding_found else one for one in self.findings]
            self.findings.remove(money)
            self.outcomes.remove((money.check, FOUND))
            return

    def _due(self, box: Box, wager: Wager) -> Due | None:
        """What settles a wager before its cards do: a voided round, an unlawful stake returned."""
        play = self.play
        if play.record.voided is not None:
            if play.record.voided == "separator" and "voided_round_returns_stakes" in play.upheld:
                return Due(wager.stake_cents, "voided_round_returns_stakes")
            return undecided("round_voided")
        if play.going_back is not None:
            check = play.going_back.by(box, wager)
            if check is not None:
                return Due(wager.stake_cents, check, ("unlawful-stake",))
            doubt = play.going_back.doubt(box, wager)
            if doubt is not None:
                return undecided(doubt, readings=("unlawful-stake",))
        return None

    def _beside(self, box: Box, wager: Wager) -> Due:
        """What an insurance or a special prize was due."""
        if wager.kind == "insurance":
            due = insurance_due(self.play, wager)
            anew = self._dealt_anew(due)
            return due if anew is None else _known(due, insurance_due(anew.play, wager))
        due = special_due(self.play, box, wager)
        anew = self._dealt_anew(due)
        hand = None if anew is None else anew.hand(Place(box.number, wager.hand or 1))
        if anew is None or hand is None:
            return due if anew is None else _known_so_far(due)
        return _known(due, special_due(anew.play, hand.box, wager))

    def _dealt_anew(self, due: Due) -> LawfulDeal | None:
        """The round as the law deals it, where the amount hangs on which cards would have come."""
        play = self.play
        if due.cents is not None or "unknown-outcome" not in due.readings:
            return None
        if play.p["outcome.after_breach"] != "as_the_law_deals" or not _cards_went_wrong(play):
            return None
        if self.anew == "not_asked":
            self.anew = lawful_deal(play)
        return self.anew

    def _settle_stake(self, hand: HandPlay, wager: Wager) -> None:
        due = self._due(hand.box, wager)
        if due is not None:
            self._conclude(hand.box, wager, due)
            return
        due = due_for(self.play, hand, wager)
        anew = self._dealt_anew(due)
        lawful = None if anew is None else anew.hand(hand.place)
        if anew is not None and lawful is not None:
            self._conclude(hand.box, wager, _known(due, due_for(anew.play, lawful, wager)))
        elif due.cents is None:
            self._conclude(hand.box, wager, due if anew is None else _known_so_far(due))
        elif due.cents == wager.returned_cents:
            self._note_kept(hand, wager, due)
            self._conclude(hand.box, wager, due)
        else:
            self._conclude(hand.box, wager, due, self._cited(hand, wager, due))

    def _note_kept(self, hand: HandPlay, wager: Wager, due: Due) -> None:
        """The rules that decided this wager beside the one that fixes its amount."""
        play, upheld, keep = self.play, self.plan.upheld, self.outcomes.append
        won = due.cents is not None and due.cents > wager.stake_cents
        if won and "winner_keeps_stake" in upheld:
            keep(("winner_keeps_stake", LAWFUL))
        compared = due.check != "even_money_pays_one_to_one"
        if compared and _blackjack_meets_twenty_one(play, hand):
            if "blackjack_beats_twenty_one" in upheld:
                keep(("blackjack_beats_twenty_one", LAWFUL))
        if hand.split and "split_twenty_one_is_no_blackjack" in upheld:
            if _split_twenty_one(play, hand):
                keep(("split_twenty_one_is_no_blackjack", LAWFUL))
        if hand.fixed_ace and "fixed_ace_stays_one" in upheld:
            keep(("fixed_ace_stays_one", LAWFUL))
        if play.bank.ace and due.check in COMPARED and BANK_ACE in upheld:
            keep((BANK_ACE, LAWFUL))

    def _cited(self, hand: HandPlay, wager: Wager, due: Due) -> str | None:
        """The rule a wrong amount offends (reading which-article)."""
        play, upheld, paid = self.play, self.plan.upheld, wager.returned_cents
        strict = play.p.get("finding.cites", "amount_due") == "amount_due"
        as_equal = paid == wager.stake_cents
        if due.check == "even_money_pays_one_to_one":
            return due.check  # taken before the bank's hand was known: nothing was compared
        if strict and as_equal and _blackjack_meets_twenty_one(play, hand):
            if "blackjack_beats_twenty_one" in upheld:
                return "blackjack_beats_twenty_one"
        if (
            strict
            and _split_twenty_one(play, hand)
            and "split_twenty_one_is_no_blackjack" in upheld
        ):
            prize, _ = share(wager.stake_cents, play.p["blackjack.pays"], play.p)
            if paid == wager.stake_cents + prize or (as_equal and play.bank.natural):
                return "split_twenty_one_is_no_blackjack"
        if (
            strict
            and hand.fixed_ace
            and "fixed_ace_stays_one" in upheld
            and settled_otherwise_with_free_ace(play, hand, wager, due)
        ):
            return "fixed_ace_stays_one"
        if strict and due.check in COMPARED and BANK_ACE in upheld:
            if settled_by_a_miscounted_ace(play):
                return BANK_ACE
        if strict and "winner_keeps_stake" in upheld and _stake_kept_from_winner(wager, due):
            return "winner_keeps_stake"
        return due.check

    def _conclude(self, box: Box, wager: Wager, due: Due, cited: str | None = None) -> None:
        """Write down the verdict on one wager and, where the amounts differ, its finding."""
        name = cited or due.check
        article = self.rules.article_of(name) if name is not None else None
        if article is None and due.cents is not None:
            # Another book's rule is no law here: without an article nothing is due or owed.
            due, name = undecided(f"not_stated:{name}"), None
        paid = wager.returned_cents
        owed, owed_to = 0, None
        if due.cents is None:
            outcome: Outcome = UNDECIDED
        elif due.cents == paid:
            outcome = LAWFUL
        else:
            outcome = FOUND
            owed, owed_to = abs(due.cents - paid), "player" if due.cents > paid else "house"
        self.verdicts.append(
            WagerVerdict(
                box.number,
                wager.hand,
                wager.owner,
                wager.kind,
                outcome,
                wager.stake_cents,
                due.cents,
                paid,
                owed,
                owed_to,
                name,
                article,
                due.readings,
                due.why,
            )
        )
        if name is None or article is None:
            return
        if outcome != FOUND:
            if not ALL_CHECKS[name].unlawful_stake:  # the breach is recorded, its cure is no merit
                found = Undecided(due.why or "") if outcome == UNDECIDED else outcome
                self.outcomes.append((name, found))
            return
        observed, expected = {"returned_cents": paid}, {"returned_cents": due.cents}
        wrong = Breach(at(box, wager), observed, expected, due.readings, owed, owed_to)
        self.take(ALL_CHECKS[name], wrong)


def _cards_went_wrong(play: RoundPlay) -> bool:
    """Whether a card did not go where the law sends it. Law: PT art. 17, 18, 19."""
    astray = play.turned_kept or play.face_up_astray or play.misdirected or play.short
    return bool(astray) or play.cut_from is not None


def _known(due: Due, anew: Due) -> Due:
    """The amount by the cards as the law deals them, where these decide it."""
    if anew.cents is None:
        return _known_so_far(due)
    return anew._replace(readings=tuple(dict.fromkeys((*anew.readings, "unknown-outcome"))))


def _known_so_far(due: Due) -> Due:
    """An amount that stays open though the order of the cards is on record."""
    return undecided("cards_known_no_further", due.check, due.readings)


def _is_at(verdict: WagerVerdict, money: Finding) -> bool:
    """Whether a money finding is of this wager, which owes it."""
    where = money.where
    at = (where.get("box"), where.get("hand"), where.get("owner"), where.get("kind"))
    return (verdict.box, verdict.hand, verdict.owner, verdict.kind) == at


def _paid_as_found(play: RoundPlay, finding: Finding, verdict: WagerVerdict) -> bool:
    """Whether what was handed back is what the breach would give. Law: PT art. 1, 34."""
    if finding.check != "even_money_only_blackjack_against_ace":
        return True  # it was found by the amount
    if verdict.check == "even_money_pays_one_to_one":
        return False
    prize, _ = share(verdict.stake_cents, play.p["even_money.pays"], play.p)
    return verdict.paid_cents == verdict.stake_cents + prize


def _stake_kept_from_winner(wager: Wager, due: Due) -> bool:
    """Whether a winner was paid, and not even his own stake was among it. Law: PT art. 25.

    Whoever was handed nothing was taken for a loser, which is another article's matter; what is
    less than the stake, or a blackjack's prize alone, leaves the stake out.
    """
    assert due.cents is not None
    prize, paid = due.cents - wager.stake_cents, wager.returned_cents
    if prize <= 0:
        return False
    alone = due.check == "blackjack_paid_three_to_two" and paid == prize
    return alone or 0 < paid < wager.stake_cents


def _blackjack_meets_twenty_one(play: RoundPlay, hand: HandPlay) -> bool:
    """A blackjack on one side and another 21 on the other. Law: PT art. 20."""
    target, bank = play.p["target.points"], play.bank
    if hand.natural:
        return bool(bank.total == target and not bank.natural)
    return bool(bank.natural and hand.total == target)


def _split_twenty_one(play: RoundPlay, hand: HandPlay) -> bool:
    """Ace and ten on a hand that came of a split. Law: PT art. 20."""
    if not hand.split or hand.natural or len(hand.counted) != 2:
        return False
    return best_total(hand.counted) == int(play.p["target.points"])
