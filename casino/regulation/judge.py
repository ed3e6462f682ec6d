"""One round before the law: every check its rulebook asks, every wager's amount, and what follows.

Law: PT art. 1, 2, 3, 6, 13-37, as far as a single round's record shows them.
"""

from casino.cards import best_total
from casino.facts.rounds import Box, RoundPlayed, Wager
from casino.regulation.betting import at
from casino.regulation.checks import ALL_CHECKS, Plan, plan_of
from casino.regulation.finding import (
    FOUND,
    LAWFUL,
    UNDECIDED,
    Breach,
    Check,
    Finding,
    Judgement,
    Result,
    WagerVerdict,
)
from casino.regulation.law import Law
from casino.regulation.play import STAKED, HandPlay, RoundPlay
from casino.regulation.settlement import (
    Due,
    due_for,
    insurance_due,
    settled_otherwise_with_free_ace,
    share,
    special_prize,
    undecided,
)

# Breaches that make the stake itself unlawful (reading unlawful-stake).
UNLAWFUL_STAKES = frozenset(
    {
        "stakes_before_the_deal",
        "stake_at_least_minimum",
        "stake_multiple_of_minimum",
        "stake_at_most_maximum",
        "complementary_stake_lawful",
        "split_equal_values",
        "resplit_equal_values",
        "split_stakes_equal",
        "complementary_follows_split",
        "double_on_nine_to_eleven",
        "double_after_split",
        "double_is_twice",
        "complementary_double",
        "insurance_only_against_ace",
        "insurance_within_half",
        "insurance_exactly_half",
    }
)


def judge(round_played: RoundPlayed, law: Law) -> Judgement:
    """Judge one round under a rulebook as in force on its gaming day.

    Never raises on a record the reader accepts. What the record does not decide is said to be
    not decidable, which is a
    verdict of its own and never counts as lawful.
    """
    rules = law.on(round_played.gaming_day)
    plan = plan_of(rules)
    bench = Bench(RoundPlay(round_played, rules, plan.upheld), plan)
    if round_played.voided is None:
        bench.look_at_round()
    bench.settle()
    return Judgement(tuple(bench.verdicts), tuple(bench.findings), bench.outcomes)


class Bench:
    """The judge's bench for one round: verdicts, findings and outcomes as they are reached."""

    __slots__ = ("findings", "outcomes", "plan", "play", "unlawful", "verdicts")

    def __init__(self, play: RoundPlay, plan: Plan) -> None:
        self.play = play
        self.plan = plan
        self.outcomes: list[tuple[str, str]] = []
        self.findings: list[Finding] = []
        self.verdicts: list[WagerVerdict] = []
        self.unlawful: list[dict[str, int | str]] = []

    def look_at_round(self) -> None:
        """Ask every check of the rulebook about what it looks at."""
        play, plan, keep, tell = self.play, self.plan, self.outcomes.append, self._tell
        # The loops are written out: with some thirty checks a round, a call for each is a third
        # of the whole.
        checks = plan.rounds + plan.misdealt if play.facts.misdealt else plan.rounds
        for run, kept in checks:
            result = run(play)
            if result is not None:
                if result is LAWFUL:
                    keep(kept)
                else:
                    tell(kept[0], result)
        for box in play.boxes:
            for run, kept in plan.boxes + plan.vacant if box.vacant else plan.boxes:
                result = run(play, box)
                if result is not None:
                    if result is LAWFUL:
                        keep(kept)
                    else:
                        tell(kept[0], result)
            for wager in box.wagers:
                if wager.kind == "insurance":
                    for run, kept in plan.sides:
                        tell(kept[0], run(play, box, wager))
        for hand in play.hands:
            self._look_at_hand(hand)

    def _look_at_hand(self, hand: HandPlay) -> None:
        play, plan, keep, tell = self.play, self.plan, self.outcomes.append, self._tell
        checks = plan.hands
        if hand.draws:
            checks += plan.drawn
        if hand.surrendered:
            checks += plan.surrendered
        if hand.doubled:
            checks += plan.doubled
        if hand.hand.split_from is not None:
            checks += plan.split
        for run, kept in checks:
            result = run(play, hand)
            if result is not None:
                if result is LAWFUL:
                    keep(kept)
                else:
                    tell(kept[0], result)
        for wager in hand.wagers:
            for run, kept in plan.stakes:
                result = run(play, hand, wager)
                if result is not None:
                    if result is LAWFUL:
                        keep(kept)
                    else:
                        tell(kept[0], result)

    def _tell(self, name: str, result: Result) -> None:
        """Write down what a check said: an outcome, or its breaches."""
        if result is None:
            return
        if isinstance(result, str):
            self.outcomes.append((name, result))
            return
        check = ALL_CHECKS[name]
        for breach in result if isinstance(result, list) else (result,):
            self._found(check, breach)
            if name in UNLAWFUL_STAKES:
                self.unlawful.append(breach.where)

    def _found(self, check: Check, breach: Breach) -> None:
        play, facts = self.play, self.play.facts
        self.outcomes.append((check.name, FOUND))
        article = play.rules.article_of(check.name)
        assert article is not None
        self.findings.append(
            Finding(
                play.rules.rulebook,
                article,
                check.name,
                check.severity,
                facts.gaming_day,
                facts.table,
                facts.partida,
                (facts.round,),
                breach.where,
                breach.observed,
                breach.expected,
                breach.owed_cents,
                breach.owed_to,
                breach.readings,
            )
        )

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
                if wager.kind == "insurance":
                    self._conclude(
                        box, wager, self._due(box, wager, None) or insurance_due(play, wager)
                    )
                elif wager.kind == "special":
                    self._conclude(
                        box, wager, self._due(box, wager, None) or self._special_due(box, wager)
                    )
                elif wager.kind == "jackpot":
                    self._conclude(box, wager, undecided("jackpot_terms_not_in_the_record"))
        for box, wager in play.undealt:
            due = self._due(box, wager, None) or undecided("no_cards_dealt")
            self._conclude(box, wager, due)

    def _due(self, box: Box, wager: Wager, hand: HandPlay | None) -> Due | None:
        """What settles a wager before its cards do: a voided round, or an unlawful stake under the
        other reading.
        """
        play = self.play
        if play.facts.voided is not None:
            if play.facts.voided == "separator" and "voided_round_returns_stakes" in play.upheld:
                return Due(wager.stake_cents, "voided_round_returns_stakes")
            return undecided("round_voided")
        if self.unlawful and play.p["stake.unlawful"] == "returned":
            if any(self._concerns(where, box, wager, hand) for where in self.unlawful):
                return Due(wager.stake_cents, "equal_is_null", ("unlawful-stake",))
        return None

    def _concerns(
        self, where: dict[str, int | str], box: Box, wager: Wager, hand: HandPlay | None
    ) -> bool:
        """Whether a breach of a stake is a breach of this one: what the breach does not name, it
        does not narrow.
        """
        if (
            where.get("kind", wager.kind) != wager.kind
            or where.get("owner", wager.owner) != wager.owner
        ):
            return False
        if hand is None and "kind" not in where:
            return False
        return (
            where.get("box", box.number) == box.number
            and where.get("hand", wager.hand) == wager.hand
        )

    def _settle_stake(self, hand: HandPlay, wager: Wager) -> None:
        play = self.play
        due = self._due(hand.box, wager, hand)
        if due is not None:
            self._conclude(hand.box, wager, due)
            return
        due = due_for(play, hand, wager)
        if due.cents is None:
            self._conclude(hand.box, wager, due)
            return
        if due.cents == wager.returned_cents:
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
            hand.fixed_ace
            and "fixed_ace_stays_one" in upheld
            and settled_otherwise_with_free_ace(play, hand, wager, due)
        ):
            return "fixed_ace_stays_one"
        assert due.cents is not None
        if (
            strict
            and hand.natural
            and due.cents > wager.stake_cents
            and paid == due.cents - wager.stake_cents
        ):
            if "winner_keeps_stake" in upheld and due.check == "blackjack_paid_three_to_two":
                return "winner_keeps_stake"
        return due.check

    def _special_due(self, box: Box, wager: Wager) -> Due:
        """Three times the hand's own stake for the one who decides on it; others have no finding
        either way.
        """
        play = self.play
        if "special.pays" not in play.p:
            return undecided("not_stated:special.pays")
        hand = next((h for h in play.hands if h.box is box and h.number == wager.hand), None)
        if hand is None:
            return undecided("no_cards_dealt")
        has = special_prize(play, hand)
        name = "special_prize_only_when_due" if not has else "special_prize_paid"
        if has is None:
            return undecided("suit_unknown", name, ("special-prize",))
        staked = next((other for other in hand.wagers if other.owner == wager.owner), None)
        if not has or staked is None:
            return Due(0, name, ("special-prize",))
        prize, _ = share(staked.stake_cents, play.p["special.pays"], play.p)
        principal = play.principal[hand.box.number]
        if principal is None:
            return undecided("decider_unknown", name, ("special-prize",))
        if principal != wager.owner and wager.returned_cents == 0:
            return Due(0, name, ("special-prize",))
        return Due(prize, name, ("special-prize",))

    def _conclude(self, box: Box, wager: Wager, due: Due, cited: str | None = None) -> None:
        """Write down the verdict on one wager and, where the amounts differ, its finding."""
        name = cited or due.check
        article = self.play.rules.article_of(name) if name is not None else None
        if article is None and due.cents is not None:
            # Another book's rule is no law here: without an article nothing is due or owed.
            due, name = undecided(f"not_stated:{name}"), None
        paid = wager.returned_cents
        owed, owed_to = 0, None
        if due.cents is None:
            outcome = UNDECIDED
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
            self.outcomes.append((name, outcome))
            return
        breach = Breach(
            at(box, wager),
            {"returned_cents": paid},
            {"returned_cents": due.cents},
            due.readings,
            owed,
            owed_to,
        )
        self._found(ALL_CHECKS[name], breach)


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
