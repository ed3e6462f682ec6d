"""What the law says of a round while it is tapped: what each stake is due, what the dealer does.

The judge is the one of every other round (`casino.law.round_judge`), and so is the law: the game's.
Where nobody said what was handed back, the round is judged as if it had been what is due, so that
nothing is found of a payment that is not known yet.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from django.utils.functional import cached_property
from django.utils.translation import gettext

from casino.cards import best_total
from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.round_played import Limits, RoundPlayed, Times
from casino.events.tables import LimitsSet
from casino.floor.game_view import GameView
from casino.floor.rounds.taps import (
    INSURANCE,
    SPECIAL,
    STAKE,
    Of,
    TappedBox,
    TappedHand,
    TappedRound,
    bank_of,
    boxes_of,
    without_payments,
)
from casino.law import game_law
from casino.law.check_registry import plan_of
from casino.law.finding import Judgement, WagerVerdict
from casino.law.round_judge import judge, with_limits
from casino.law.rounds.play import RoundPlay
from casino.law.rounds.side_bets import special_prize
from casino.law.rulebook.rulebook_file import counted_as
from casino.law.wording.wording import ACTIONS
from casino.web.display.money_and_time import money
from casino.web.display.playing_cards import cards_drawn, points_drawn
from casino.web.entries.round_page import off_by, round_context
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import Warned, cited, warned_of

BANK_CARDS: Final = 2  # what it has before it draws or stands
LOOKED_AT: Final = "00000000-0000-4000-8000-000000000000"  # the UUID of a round nobody records


@dataclass(frozen=True, slots=True)
class Row:
    """A stake on the page: its place, its cards, what is due under which article, what came back.

    `said` is why nothing can be said of it yet, or that another amount was handed back; `tone` is
    ``"kept"``, ``"breach"``, ``"deviation"`` or ``"idle"``. `assumed`: nobody said the stake yet.
    """

    place: str
    name: str
    here: bool
    cards: object
    total: str
    did: tuple[str, ...]
    stake: str
    due: str
    article: str
    returned: str
    said: str
    tone: str
    assumed: bool


def limits_of(game: GameView, at: datetime) -> Limits | None:
    """The limits of the game at a moment; None where nobody recorded its opening."""
    opened = game.evening.opened
    if opened is None:
        return None
    return game_law.limits_of(opened, game.dossier.anywhere(LimitsSet), at)


def event_of(
    tapped_round: TappedRound,
    game: GameView,
    *,
    back: Mapping[Of, int] | None = None,
    name: str = LOOKED_AT,
    just_now: bool = True,
    first_card: datetime | None = None,
) -> RoundPlayed:
    """The round as a record of this game; `back` as `boxes_of` has it.

    Who deals and from which shoe is known of one that was played `just_now` alone, and when its
    `first_card` was dealt where somebody said so. Raises: Malformed.
    """
    shoes = game.evening.shoes if just_now and not game.machine else ()
    return RoundPlayed(
        round=name,
        boxes=boxes_of(tapped_round, back=back),
        bank=bank_of(tapped_round),
        misdealt=tuple(tapped_round.misdealt),
        shoe=shoes[-1].number if shoes else None,
        dealer=(game.dealer or None) if just_now else None,
        rulebook=game.law.id,
        times=Times(first_card=first_card) if first_card is not None else None,
        **game.at,
    )


class LawSays:
    """What the law says of the round so far, played `at` a moment."""

    def __init__(self, tapped_round: TappedRound, game: GameView, at: datetime) -> None:
        self.found = tapped_round
        self.game = game
        self.limits = limits_of(game, at)
        self.law = game.law
        self.rules = game.law.on(game.dossier.gaming_day)

    @cached_property
    def verdicts(self) -> dict[Of, WagerVerdict]:
        """Of each wager what it is due."""
        if not self.found.boxes:
            return {}
        assumed = event_of(self.found, self.game, back=dict.fromkeys(self._specials, 0))
        return _by_wager(judge(assumed, self.law, self.limits))

    @cached_property
    def _specials(self) -> list[Of]:
        """The hands that have a special prize, whether or not somebody spoke of it."""
        if "special.pays" not in self.rules.values:
            return []
        return [
            (one.box.number, one.number, SPECIAL)
            for one in self.play.hands
            if special_prize(self.play, one)
        ]

    @cached_property
    def due(self) -> dict[Of, int]:
        """What is due, where that can be said by now. Units: cents."""
        return {
            of: one.due_cents
            for of, one in self.verdicts.items()
            if one.due_cents is not None and self._is_settled(of)
        }

    @cached_property
    def articles(self) -> dict[Of, str]:
        """Of each wager the article of what is due, whatever was handed back.

        The verdict on a wrong amount names the article that amount offends.
        """
        due = {of: one.due_cents for of, one in self.verdicts.items() if one.due_cents is not None}
        paid = event_of(without_payments(self.found), self.game, back=due)
        judged = judge(paid, self.law, self.limits)
        return {of: one.article for of, one in _by_wager(judged).items() if one.article}

    @cached_property
    def judged(self) -> Judgement:
        """The judgement with the amounts that were typed, the others as they are due."""
        return judge(self._as_due, self.law, self.limits)

    @cached_property
    def _as_due(self) -> RoundPlayed:
        return event_of(self.found, self.game, back=self.due)

    @cached_property
    def play(self) -> RoundPlay:
        """The round as the law sees it so far."""
        played = with_limits(event_of(self.found, self.game, back={}), self.limits)
        return RoundPlay(played, self.rules, plan_of(self.rules).upheld)

    @cached_property
    def bank_is_done(self) -> bool:
        """Whether the bank has no card to come.

        Where only blackjacks are left, a bank of one card may still make one.
        """
        found, play = self.found, self.play
        if len(found.bank) < found.bank_first or play.bank.stopped_below:
            return False
        may = play.naturals_wait and play.bank.may_make_blackjack
        return not (may and len(found.bank) < BANK_CARDS)

    @cached_property
    def is_over(self) -> bool:
        """Whether every hand was decided and the bank has no card to come."""
        found = self.found
        return bool(found.boxes) and found.asked is None and self.bank_is_done

    def _is_settled(self, wager: Of) -> bool:
        """Whether no card to come can change what a wager is due."""
        if self.is_over or wager[2] == SPECIAL:
            return True
        hand = next(
            (one for one in self.play.hands if (one.box.number, one.number) == wager[:2]), None
        )
        if hand is None or wager[2] != STAKE:
            return False
        waits = any(
            tapped.waits
            for box, tapped in self.found.hands
            if (box.number, tapped.number) == wager[:2]
        )
        return not waits and (hand.bust or hand.natural or hand.surrendered)

    def rows(self) -> Iterator[Row]:
        """The stakes, in the order in which the hands are played."""
        for box, hand in self.found.hands:
            yield self._row(box, hand)
            if (of := (box.number, hand.number, SPECIAL)) in self.verdicts:
                name = f"{self._name(box, hand)}: {gettext('special prize')}"
                yield self._beside(name, "", of, hand.special)
            if hand is box.hands[-1] and box.insurance:
                name = f"{_box(box)}: {gettext('insurance')}"
                insured = (box.number, None, INSURANCE)
                yield self._beside(name, money(box.insurance), insured, box.insured_back)

    def _row(self, box: TappedBox, hand: TappedHand) -> Row:
        of = (box.number, hand.number, STAKE)
        did = [gettext(ACTIONS[one]) for one in hand.actions]
        if box.even:
            did.append(gettext("even money"))
        return Row(
            place=f"@{box.number}.{hand.number}",
            name=self._name(box, hand),
            here=self.found.at == (box.number, hand.number),
            cards=cards_drawn(hand.cards),
            total=points_drawn(hand.cards, natural=self._is_natural(of)),
            did=tuple(did),
            stake=money(hand.stake),
            assumed=not box.said,
            returned="" if hand.returned is None else money(hand.returned),
            **self._due_of(of, hand.returned),
        )

    def _is_natural(self, wager: Of) -> bool:
        """Whether the hand is a blackjack, as the rulebook has it."""
        return any(
            one.natural for one in self.play.hands if (one.box.number, one.number) == wager[:2]
        )

    def _name(self, box: TappedBox, hand: TappedHand) -> str:
        named = {"box": box.number, "hand": hand.number}
        several = len(box.hands) > 1
        return gettext("Box %(box)s, hand %(hand)s") % named if several else _box(box)

    def _beside(self, name: str, stake: str, wager: Of, back: int | None) -> Row:
        """What is settled beside a hand's stake: an insurance, a special prize."""
        return Row(
            place="",
            name=name,
            here=False,
            cards="",
            total="",
            did=(),
            stake=stake,
            assumed=False,
            returned="" if back is None else money(back),
            **self._due_of(wager, back),
        )

    def _due_of(self, wager: Of, back: int | None) -> dict[str, str]:
        verdict, due = self.verdicts.get(wager), self.due.get(wager)
        if due is None:
            why = verdict.why if verdict is not None and self.is_over else None
            said = words().why(why) if why else gettext("not decided yet")
            return {"due": "", "article": "", "said": said, "tone": "idle"}
        article = self.articles.get(wager)
        shown = {"due": money(due), "article": cited(self.law.id, article) if article else ""}
        if back is None or back == due:
            return {**shown, "said": "", "tone": "idle" if back is None else "kept"}
        return {**shown, "said": off_by(back, due), "tone": counted_as("breach", self.law.id)}

    def next_said(self) -> tuple[str, str]:
        """What comes next, and the article that says so ('' for what no article says)."""
        found = self.found
        if not found.boxes:
            return gettext("Tap the boxes that are played."), ""
        if found.voids:
            return gettext("Next: the card that went to the discards."), ""
        aim = found.aim
        if aim is not None and aim[1].waits:
            return gettext("Next: a card to box %(n)s.") % {"n": aim[0].number}, ""
        if aim is None and len(found.bank) < found.bank_first:
            return gettext("Next: a card to the bank."), ""
        if found.asked is not None:
            box, hand = found.asked
            values = {"n": box.number, "points": best_total(hand.cards)}
            return gettext("Box %(n)s decides: it has %(points)s.") % values, ""
        return self._of_the_bank()

    def _of_the_bank(self) -> tuple[str, str]:
        play, points = self.play, {"points": best_total(self.found.bank)}
        if len(self.found.bank) < BANK_CARDS and not self.bank_is_done:
            return gettext("Next: a card to the bank."), ""
        if play.must_draw and play.bank.stopped_below:
            check, said = "bank_draws_to_sixteen", gettext("The bank has %(points)s: it draws.")
        elif play.all_out and not play.must_draw:
            check = "bank_rests_when_all_are_out"
            said = gettext("Nobody is left in play: the bank takes no third card.")
        elif play.naturals_wait and points["points"] <= play.p["bank.draws_to"]:
            # Law: PT art. 19, 22 (reading naturals-only).
            return gettext("Only blackjacks are left: no card of the bank changes anything."), ""
        else:
            check = "bank_stands_at_seventeen"
            said = gettext("The bank has %(points)s: it draws no more.")
            if play.bank.natural:
                said = gettext("The bank has a blackjack: it draws no more.")
        article = self.rules.article_of(check)
        return said % points, cited(self.law.id, article) if article else ""

    def findings(self) -> list[Warned]:
        """What would be found of it by itself, once it is over."""
        return warned_of(self.judged.findings, {}) if self.is_over else []

    def steps(self) -> list[dict[str, object]]:
        """The settlement step by step, once it is over: headings with their lines."""
        if not self.is_over:
            return []
        steps = round_context(with_limits(self._as_due, self.limits))["steps"]
        return [step for step in cast("list[dict[str, object]]", steps) if step["heading"]]

    @property
    def unpaid(self) -> TappedBox | None:
        """The first box of which nobody said what was handed back to it; None where all is said."""
        unpaid = (
            box
            for box, hand in self.found.hands
            if hand.returned is None or (box.insurance and box.insured_back is None)
        )
        return next(unpaid, None)

    def check_complete(self) -> None:
        """Refuse what is no whole round yet, with what is missing first.

        What somebody said was handed back to everybody is whole as it lies, lawful or not.
        Raises: Malformed.
        """
        box = self.unpaid
        if box is None or self.found.unsaid is not None:
            return
        missing = self._missing()
        if missing is None and not self.paid_words():
            missing = Phrase(
                "what box {box} is due cannot be said of these cards: tap the box, type what was"
                " handed back and say so",
                box=box.number,
            )
        if missing is not None:
            raise Malformed.because("$.taps", missing)

    def _missing(self) -> Phrase | None:
        """What is to come before the round is over; None where it is."""
        found = self.found
        turn = found.in_turn
        if turn is not None and turn[1].waits:
            return Phrase("a card to box {box} is missing: tap it", box=turn[0].number)
        if turn is not None:
            return Phrase("box {box} has not decided yet: tap what it does", box=turn[0].number)
        if self.bank_is_done:
            return None
        if not found.bank:
            return Phrase("the bank's first card is missing: tap it")
        if len(found.bank) < BANK_CARDS:
            return Phrase("the bank's second card is missing: tap it")
        return Phrase("the bank has {points} and draws: tap its card", points=self.play.bank.total)

    def paid_words(self) -> list[str]:
        """The taps that say that what nobody typed was paid as the law pays."""
        said: list[str] = []
        for box, hand in self.found.hands:
            due = self.due.get((box.number, hand.number, STAKE))
            at = f"@{box.number}.{hand.number}"
            if hand.returned is None and due is not None:
                said += [at, f"r{due}"]
            prize = self.due.get((box.number, hand.number, SPECIAL))
            if hand.special is None and prize is not None:
                said += [at, f"rs{prize}"]
            insured = self.due.get((box.number, None, INSURANCE))
            if hand is box.hands[-1] and box.insurance and box.insured_back is None:
                said += [] if insured is None else [at, f"ri{insured}"]
        return said


def law_says(tapped_round: TappedRound, game: GameView, at: datetime | None = None) -> LawSays:
    """What the law says, of now without `at`. Raises: Malformed, where what was tapped is no whole
    round.
    """
    says = LawSays(tapped_round, game, at or game.now)
    _ = says.verdicts
    return says


def _by_wager(judgement: Judgement) -> dict[Of, WagerVerdict]:
    kinds = {"insurance": INSURANCE, "special": SPECIAL}
    return {(one.box, one.hand, kinds.get(one.kind, STAKE)): one for one in judgement.wagers}


def _box(box: TappedBox) -> str:
    return gettext("Box %(box)s") % {"box": box.number}
