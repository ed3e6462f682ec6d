"""What a worker does: read the lines of one part, judge each round, hand back what is asked for.

A lawful round leaves nothing but counts and one small tuple; the record itself never travels
between processes.
"""

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple

from audit.rounds_file.laws import Laws
from audit.rounds_file.line_source import Part
from casino.cards import CODES
from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.law.finding import UNDECIDED, Finding, Judgement, WagerVerdict
from casino.law.round_judge import judge
from casino.law.rounds.card_population import cards_of
from casino.law.rulebook.rulebook import Law
from casino.law.shoe_rounds import NO_ROUND_AFTER_THE_LAST
from casino.reading.json_lines import numbered_lines, oversize
from casino.reading.refusal import Refused
from casino.reading.round_reader import read_round

CARDS = tuple(sorted(CODES))
_PLACE = {card: place for place, card in enumerate(CARDS)}
CARD_WITHIN_DECKS = "card_within_decks"
MONEY, PLAY, UNDECIDED_LIST = "money", "play", "undecided"

Row = dict[str, Any]


class RoundTrace(NamedTuple):
    """What a judged round leaves behind for the checks across rounds.

    `article` is the one its rulebook has for the last round of a shoe, `deck_article` the one for
    how often a card may come, None where it has no such rule; `most` is how often at the most.
    """

    line: int
    round_id: bytes
    rulebook: str
    partida: str
    shoe: int | None
    number: int | None
    warning_card: bool
    article: str | None
    deck_article: str | None = None
    most: int = 0
    cards: bytes = b""  # places in CARDS: a word a card would be most of what a round sends


@dataclass(slots=True)
class Judged:
    """One part, judged: `counts` by rulebook, article and outcome, `rows` in order of the lines."""

    lines: int = 0
    blank: int = 0
    traces: list[RoundTrace] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wagers: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Judge:
    """A worker's desk: the laws of this run, and whether anybody wants to see undecided wagers."""

    laws: Laws
    list_undecided: bool = False

    def part(self, part: Part, skip: Container[int] = ()) -> Judged:
        """Judge the lines of a part, those of `skip` left out."""
        done = Judged()
        if part.too_long:
            done.lines = 1
            done.refused.append(oversize(part.first_line, part.too_long))
            return done
        done.lines = done.blank = part.data.count(b"\n") + (not part.data.endswith(b"\n"))
        for number, line in numbered_lines(BytesIO(part.data), part.first_line):
            done.blank -= 1
            if number in skip:
                continue
            if isinstance(line, Refused):
                done.refused.append(line)
            else:
                self._line(done, number, line)
        return done

    def _line(self, done: Judged, line: int, data: bytes) -> None:
        try:
            record = read_round(data)
            law = self.laws.of(record)
            judgement = judge(record, law)
        except Malformed as refused:
            done.refused.append(Refused.of(line, refused))
            return
        except Exception as error:  # one line our program fails on must not cost the others
            what = f"{type(error).__name__}: {error}"
            ours = Malformed(
                "$",
                "this program failed on the record, which is a fault of the program: {error}",
                error=what,
            )
            done.refused.append(Refused.of(line, ours))
            return
        self._keep(done, line, record, law, judgement)

    def _keep(
        self, done: Judged, line: int, record: RoundPlayed, law: Law, judgement: Judgement
    ) -> None:
        rules = law.on(record.gaming_day)
        counted = None
        if record.shoe is not None and rules.states("decks.allowed"):
            counted = rules.article_of(CARD_WITHIN_DECKS)
        done.traces.append(
            RoundTrace(
                line,
                bytes.fromhex(record.round.replace("-", "")),
                law.id,
                record.partida,
                record.shoe,
                record.number,
                record.warning_card_at is not None,
                rules.article_of(NO_ROUND_AFTER_THE_LAST.name),
                counted,
                max(rules["decks.allowed"]) if counted else 0,
                bytes([_PLACE[card] for card in cards_of(record)]) if counted else b"",
            )
        )
        for check, outcome in judgement.outcomes:
            done.counts[law.id, rules.article_of(check) or "", outcome] += 1
        for verdict in judgement.wagers:
            done.wagers[verdict.outcome] += 1
            if verdict.outcome == UNDECIDED and self.list_undecided:
                done.rows.append(undecided_row(line, record, law.id, verdict))
        done.rows += [finding_row(line, record.round, finding) for finding in judgement.findings]


def finding_row(line: int, round_id: str, finding: Finding) -> Row:
    """A finding as it is written down.

    Units: `difference_cents` cents, never negative, null where no money is owed.
    """
    where = finding.where
    return {
        "record": "finding",
        "list": MONEY if finding.owed_to is not None else PLAY,
        "line": line,
        "round": round_id,
        "gaming_day": finding.gaming_day.isoformat(),
        "table": finding.table,
        "partida": finding.partida,
        "box": where.get("box"),
        "hand": where.get("hand"),
        "owner": where.get("owner"),
        "kind": where.get("kind"),
        "rulebook": finding.rulebook,
        "article": finding.article,
        "check": finding.check,
        "severity": finding.severity,
        "observed": finding.observed,
        "expected": finding.expected,
        "difference_cents": finding.owed_cents if finding.owed_to is not None else None,
        "owed_to": finding.owed_to,
        "readings": list(finding.readings),
        "evidence": list(finding.evidence),
        "where": where,
        "why": None,
    }


def undecided_row(line: int, record: RoundPlayed, rulebook: str, verdict: WagerVerdict) -> Row:
    """A wager whose amount the record does not decide, in the same fields.

    `why` says what is missing.
    """
    where = {"box": verdict.box, "owner": verdict.owner, "kind": verdict.kind}
    if verdict.hand is not None:
        where["hand"] = verdict.hand
    return {
        "record": "undecided",
        "list": UNDECIDED_LIST,
        "line": line,
        "round": record.round,
        "gaming_day": record.gaming_day.isoformat(),
        "table": record.table,
        "partida": record.partida,
        "box": verdict.box,
        "hand": verdict.hand,
        "owner": verdict.owner,
        "kind": verdict.kind,
        "rulebook": rulebook,
        "article": verdict.article,
        "check": verdict.check,
        "severity": None,
        "observed": {"stake_cents": verdict.stake_cents, "returned_cents": verdict.paid_cents},
        "expected": {},
        "difference_cents": None,
        "owed_to": None,
        "readings": list(verdict.readings),
        "evidence": [record.round],
        "where": where,
        "why": verdict.why,
    }
