"""The run over a file: parts come back judged, and rounds recorded twice are taken out.

Articles 3 and 11 look across the rest.
"""

import heapq
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from audit.rounds_file import Unusable
from audit.rounds_file.judge_lines import (
    CARD_WITHIN_DECKS,
    CARDS,
    Judge,
    Judged,
    RoundTrace,
    Row,
    finding_row,
)
from audit.rounds_file.line_source import NO_ROUNDS, Part, Source
from audit.rounds_file.seen import SeenRounds
from audit.rounds_file.tally import Tally
from audit.rounds_file.worker_pool import judged_in_order
from casino.events import Malformed
from casino.events.round.round_form import gaming_day_of
from casino.law.check_registry import ALL_CHECKS
from casino.law.finding import FOUND, UNDECIDED, Finding, Rule
from casino.law.rounds.card_population import Excess, ShoeCards
from casino.law.shoe_rounds import (
    NO_ROUND_AFTER_THE_LAST,
    ShoeKey,
    ShoeWatch,
    Turn,
    TurnVerdict,
)
from casino.reading.refusal import Refused


class Reporter(Protocol):
    """Who is told what a run finds, in the order of the file."""

    def row(self, row: Row) -> None:
        """A finding, or a wager that is not decidable."""

    def refused(self, refused: Refused) -> None:
        """A line that was not judged."""

    def reached(self, end: int, tally: Tally) -> None:
        """So many bytes of the file are done."""


@dataclass
class Run:
    """One run over one file. `tally` tells at any time what was judged so far."""

    judge: Judge
    reporter: Reporter
    workers: int = 1
    tally: Tally = field(default_factory=Tally)
    _seen: SeenRounds = field(default_factory=SeenRounds)
    _watch: ShoeWatch = field(default_factory=ShoeWatch)
    _cards: ShoeCards = field(default_factory=ShoeCards)
    _articles: dict[str, str] = field(default_factory=dict)

    def over(self, source: Source) -> None:
        """Judge the whole file. Raises: Unusable, when it or a worker gives out on the way."""
        # Closed at once, whatever happens: no worker outlives the run.
        with closing(judged_in_order(source.parts(), self.judge, self.workers)) as results:
            for part, judged in results:
                self._take(part, judged)
                self.reporter.reached(part.end, self.tally)
        if self.tally.lines == self.tally.blank:
            raise Unusable.because(NO_ROUNDS)
        self._conclude(self._watch.finish())

    def _take(self, part: Part, judged: Judged) -> None:
        judged = self._without_repeated(part, judged)
        self.tally.add(judged)
        self._report(judged)
        for parsed in judged.traces:
            if parsed.article is not None:
                self._look_across(parsed, parsed.article)
            if parsed.cards:
                self._count_cards(parsed)

    def _without_repeated(self, part: Part, judged: Judged) -> Judged:
        """The first line that tells a round is judged; any other is refused, whatever it says.

        Where there is one, the part is judged again without it: repeated rounds are rare, and so
        nobody has to carry what each single round added.
        """
        repeated: dict[int, int] = {}
        for parsed in judged.traces:
            before = self._seen.add(parsed.round_id, parsed.line)
            if before:
                repeated[parsed.line] = before
        if not repeated:
            return judged
        judged = self.judge.part(part, skip=repeated)
        judged.refused += [Refused.of(line, _repeated(before)) for line, before in repeated.items()]
        judged.refused.sort(key=lambda refused: refused.line)
        return judged

    def _report(self, judged: Judged) -> None:
        rows: Iterable[tuple[int, Row | Refused]] = ((row["line"], row) for row in judged.rows)
        refused = ((refusal.line, refusal) for refusal in judged.refused)
        for _, values in heapq.merge(rows, refused, key=lambda pair: pair[0]):
            if isinstance(values, Refused):
                self.reporter.refused(values)
            else:
                self.reporter.row(values)

    def _look_across(self, parsed: RoundTrace, article: str) -> None:
        self._articles[parsed.rulebook] = article
        if parsed.shoe is None or parsed.number is None:
            self.tally.add_outcome(parsed.rulebook, article, UNDECIDED)
            return
        key = ShoeKey(parsed.rulebook, parsed.partida, parsed.shoe)
        turn = Turn(parsed.number, parsed.round_id, parsed.warning_card, parsed.line)
        self._conclude(self._watch.add(key, turn))

    def _count_cards(self, parsed: RoundTrace) -> None:
        assert parsed.shoe is not None
        cards = [CARDS[place] for place in parsed.cards]
        for excess in self._cards.add(parsed.partida, parsed.shoe, cards, parsed.most):
            row = excess_row(parsed, excess)
            self.tally.add_outcome(parsed.rulebook, row["article"], FOUND)
            self.tally.add_finding(row)
            self.reporter.row(row)

    def _conclude(self, verdicts: Iterable[TurnVerdict]) -> None:
        for verdict in verdicts:
            article = self._articles[verdict.key.rulebook]
            self.tally.add_outcome(verdict.key.rulebook, article, verdict.outcome)
            if verdict.outcome == FOUND:
                row = late_round_row(verdict, article)
                self.tally.add_finding(row)
                self.reporter.row(row)


def _repeated(before: int) -> Malformed:
    return Malformed(
        "$.round",
        "found a round already told on line {line}; asked is each round once",
        line=before,
    )


def excess_row(parsed: RoundTrace, excess: Excess) -> Row:
    """The finding on a card that came more often in a shoe than any game has decks.

    Law: PT art. 3.
    """
    assert parsed.deck_article is not None
    round_id = str(UUID(bytes=parsed.round_id))
    finding = _across_rounds(
        ALL_CHECKS[CARD_WITHIN_DECKS],
        (parsed.rulebook, parsed.deck_article, parsed.partida, parsed.shoe),
        (round_id,),
        {"card": excess.card, "times_in_shoe": excess.times},
        {"at_most": parsed.most},
    )
    return finding_row(parsed.line, round_id, finding)


def late_round_row(verdict: TurnVerdict, article: str) -> Row:
    """The finding on a round played after the last of its shoe. Law: PT art. 11."""
    key, turn, last = verdict.key, verdict.turn, verdict.last
    assert last is not None
    late, final = str(UUID(bytes=turn.round_id)), str(UUID(bytes=last.round_id))
    finding = _across_rounds(
        NO_ROUND_AFTER_THE_LAST,
        (key.rulebook, article, key.partida, key.shoe),
        (late, final),
        {"round_of_shoe": turn.number},
        {"last_round_of_shoe": last.number},
    )
    return finding_row(turn.mark, late, finding)


def _across_rounds(
    check: Rule,
    cited: tuple[str, str, str, int | None],
    evidence: tuple[str, ...],
    observed: dict[str, object],
    expected: dict[str, object],
) -> Finding:
    """A finding that only several rounds of one shoe show; no money hangs on it."""
    rulebook, article, partida, shoe = cited
    table = partida.split("/")[0]
    return Finding(
        rulebook=rulebook,
        article=article,
        check=check.name,
        severity=check.severity,
        gaming_day=gaming_day_of(table, partida),
        table=table,
        partida=partida,
        evidence=evidence,
        where={} if shoe is None else {"shoe": shoe},
        observed=observed,
        expected=expected,
    )
