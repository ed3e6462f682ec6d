"""One work of a part: a partida, or a stretch of a long one, before the law.

Everything is read as it stood when the run opened, so that a part done twice comes to the same.
Evidence of a finding are always entries of the book, by their ids.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final, NamedTuple

from audit.reconcile.across_rounds import first_recorded, look_across
from audit.reconcile.cards_seen import look_at_cards
from audit.reconcile.cutting import Work
from audit.reconcile.dossier_refs import GameRefs, HouseRefs, game_refs, house_refs
from audit.reconcile.shoes_seen import look_at_shoes
from audit.runs import house_checks
from audit.runs.house_findings import by_key, house_finding
from casino import queries
from casino.events.event import HOUSE, RECONCILER, Event
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.tables import LimitsSet
from casino.importing.law_in_use import law_of_run
from casino.law.checks.table.house_controls import judge_house
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import FOUND, LAWFUL, UNDECIDED, Finding, Undecided
from casino.law.game_law import Game
from casino.law.partida_judge import judge_partida
from casino.law.round_judge import judge
from casino.law.rulebook import controls
from casino.law.rulebook.lacking import about
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from jackpot.rules import judge_jackpot

OUTCOMES: Final = (LAWFUL, FOUND, UNDECIDED)
Answers = dict[str, dict[str, list[int]]]  # by rulebook and check: how often each of OUTCOMES


class Unanswered(NamedTuple):
    """A question that could not be decided: its rulebook, its check, what it lacks and where."""

    rulebook: str
    check: str
    lacks: Undecided


def _book_of(check: str, rulebook: str) -> str:
    return house_checks.RULEBOOK if check in controls.ARTICLE_OF else rulebook


@dataclass(slots=True)
class Judged:
    """What a work came to. `found` by the findings' keys, of what was `kept`, once it has `ended`;
    `rulebooks` are those that were asked.

    `answers` are those of the checks: how often each, by rulebook, check and outcome. `undecided`,
    where it is asked for, are those that could not be decided, with what they lack; `rests_on`,
    where that is asked for, are the entries the game was judged on.
    """

    partida: str
    entries: int = 0
    rounds: int = 0
    not_judged: int = 0
    found: dict[str, Finding] = field(default_factory=dict)
    kept: list[Finding] = field(default_factory=list)
    rulebooks: set[str] = field(default_factory=lambda: {house_checks.RULEBOOK})
    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    undecided: list[Unanswered] | None = None
    rests_on: GameRefs | None = None

    def count(
        self,
        rulebook: str,
        outcomes: Iterable[tuple[str, str]],
        recorded: RecordedEvent[Event] | None = None,
    ) -> None:
        """Count answers of checks under a rulebook, of one record or of the game.

        Those of the house's controls are counted under the house.
        """
        outcomes = list(outcomes)
        for check, outcome in outcomes:
            self.answers[_book_of(check, rulebook), check, outcome] += 1
        if self.undecided is not None:
            self.undecided += [
                Unanswered(_book_of(check, rulebook), check, lacks)
                for check, outcome in outcomes
                if isinstance(lacks := about(outcome, recorded), Undecided)
            ]

    def answered(self) -> Answers:
        """The answers by rulebook and check: how often each of OUTCOMES."""
        answers: Answers = {}
        for (rulebook, check, outcome), times in self.answers.items():
            of_check = answers.setdefault(rulebook, {}).setdefault(check, [0] * len(OUTCOMES))
            of_check[OUTCOMES.index(outcome)] += times
        return answers

    def keep(self, findings: Iterable[Finding]) -> None:
        """Keep findings."""
        self.kept += findings

    def ended(self) -> "Judged":
        """This, once all was judged: what was kept, each once, by its key."""
        self.found = by_key(self.kept)
        return self


def reach_now() -> dict[str, int]:
    """The last entry there is of every stream but the auditor's own."""
    return {name: n for name, n in queries.heads().items() if name != RECONCILER}


@dataclass(slots=True)
class PartidaJudge:
    """A worker's desk for the works of one part.

    `rulebook` '' judges each partida and its rounds under the partida's own. `readings` are taken
    otherwise than the rulebook adopts them, and it as it stood on `law_day`. `keeps_refs` tells on
    which entries each game was judged.
    """

    up_to: queries.UpTo
    as_of: datetime
    rulebook: str = ""
    keeps_undecided: bool = False
    keeps_refs: bool = False
    readings: Mapping[str, str] = field(default_factory=dict)
    law_day: date | None = None
    law_of: Callable[[str], Law] | None = None  # outside the house; without it, of its book
    _laws: dict[str, Law | None] = field(default_factory=dict)
    _house: dict[date, tuple[RecordedEvent[Event], ...]] = field(default_factory=dict)

    def do(self, work: Work) -> Judged:
        """Judge what a work says."""
        done = Judged(work.partida, undecided=[] if self.keeps_undecided else None)
        if work.what == "rounds":
            self._stretch(work, done)
            return done.ended()
        dossier = self.dossier(work.partida)
        if self.keeps_refs:
            done.rests_on = game_refs(dossier)
        if not self.rulebook:
            dossier = replace(dossier, earlier=queries.earlier_games(dossier, up_to=self.up_to))
        self.judge_dossier(dossier, done, with_rounds=work.what == "all")
        return done.ended()

    def judge_dossier(self, dossier: Dossier, done: Judged, *, with_rounds: bool) -> None:
        """Judge all that was recorded of a game; its single rounds where that is asked for."""
        done.entries = len(dossier.entries)
        opened = next(iter(dossier.of(PartidaOpened)), None)
        self._procedures(dossier, opened, done)
        played, repeated = first_recorded(dossier.of(RoundPlayed))
        done.keep(_recorded_twice(*pair) for pair in repeated)
        game = Game(opened, dossier.anywhere(LimitsSet))
        laws = [self._law(recorded, game) for recorded in played]
        if with_rounds:
            for recorded, law in zip(played, laws, strict=True):
                self._round(recorded, game, law, done)
        if opened is None or opened.event.dealing == "shoe":
            look_across(played, laws, done)
        look_at_cards(dossier, played, laws, done)
        if not self.rulebook:
            look_at_shoes(dossier, played, laws, done)

    def house_refs(self) -> list[HouseRefs]:
        """What the house told of the days of the games that were judged."""
        return [house_refs(day, entries) for day, entries in sorted(self._house.items())]

    def _stretch(self, work: Work, done: Judged) -> None:
        """Rounds one by one; what only all of them show is looked at with the procedures."""
        game = queries.game_of(work.partida, up_to=self.up_to)
        bounds = work.first, work.last
        with queries.rounds_of(work.partida, up_to=self.up_to, numbers=bounds) as rounds:
            for recorded in rounds:
                self._round(recorded, game, self._law(recorded, game), done)

    def dossier(self, partida: str) -> Dossier:
        """All that was recorded of a partida, as far as this reads."""
        day = queries.day_of(partida)
        if day not in self._house:
            self._house[day] = queries.house_entries(day, up_to=self.up_to)
        return queries.dossier_of(
            partida, as_of=self.as_of, up_to=self.up_to, house=self._house[day]
        )

    def _law(self, recorded: RecordedEvent[RoundPlayed], game: Game) -> Law | None:
        """The law of a round: the one asked for, else its partida's, else that of its record."""
        return self.law_named(self.rulebook or game.rulebook(recorded.event))

    def law_named(self, rulebook: str) -> Law | None:
        """A rulebook as it is taken here, with the figures set in the book as far as this reads;
        None for one the house has not.
        """
        if rulebook not in self._laws:
            self._laws[rulebook] = self._taken(rulebook)
        return self._laws[rulebook]

    def _taken(self, rulebook: str) -> Law | None:
        if not rulebook:
            return None
        try:
            read = self.law_of or (lambda book: law_of_run(book, self.up_to.get(HOUSE, 0)))
            law = read(rulebook)
        except LawError:
            return None
        law = law if self.law_day is None else law.as_on(self.law_day)
        return law.with_readings(self.readings) if self.readings else law

    def _procedures(
        self, dossier: Dossier, opened: RecordedEvent[PartidaOpened] | None, done: Judged
    ) -> None:
        law = self.law_named(self.rulebook or (opened.event.rulebook if opened is not None else ""))
        if law is None:
            return
        done.rulebooks.add(law.id)
        try:
            judgements = judge_partida(dossier, law), judge_jackpot(dossier, law)
            house = judge_house(dossier, law)
        except Exception as error:  # what one partida breaks must not cost the others
            evidence = [] if opened is None else [opened.entry_id]
            done.keep([_not_judged(dossier.partida, dossier.gaming_day, evidence, error)])
            return
        for judgement in judgements:
            done.count(law.id, judgement.outcomes)
            done.keep(judgement.findings)
        done.count(house_checks.RULEBOOK, house.outcomes)
        done.keep(house.findings)

    def _round(
        self, recorded: RecordedEvent[RoundPlayed], game: Game, law: Law | None, done: Judged
    ) -> None:
        done.rounds += 1
        if law is None:
            done.not_judged += 1
            return
        done.rulebooks.add(law.id)
        try:
            limits = game.limits(recorded.event, recorded.occurred_at, recorded.recorded_at)
            judgement = judge(recorded.event, law, limits)
        except Exception as error:  # what one record breaks must not cost the others
            done.keep(
                [
                    _not_judged(
                        recorded.event.partida,
                        recorded.event.gaming_day,
                        [recorded.entry_id],
                        error,
                    )
                ]
            )
            return
        done.count(law.id, judgement.outcomes, recorded)
        done.keep(replace(found, evidence=(recorded.entry_id,)) for found in judgement.findings)


def _not_judged(partida: str, day: date, evidence: Sequence[str], error: Exception) -> Finding:
    """The program failed on a record: a fault of the program, and nobody was judged."""
    return house_finding(
        house_checks.RECORD_JUDGED,
        day,
        {},
        {"error": f"{type(error).__name__}: {error}"[:200].strip() or "error"},
        partida=partida,
        evidence=evidence,
    )


def _recorded_twice(
    first_recorded: RecordedEvent[RoundPlayed], again: RecordedEvent[RoundPlayed]
) -> Finding:
    """The later record of a round: which of them holds, a person decides, by correcting one."""
    return house_finding(
        house_checks.ROUND_RECORDED_ONCE,
        again.gaming_day,
        {"round": again.event.round},
        {"records": 2},
        partida=again.event.partida,
        evidence=[first_recorded.entry_id, again.entry_id],
    )
