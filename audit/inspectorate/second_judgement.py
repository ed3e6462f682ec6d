"""The mirrored rounds judged again, with this copy of the law, beside what the casino found.

Only what single rounds show: what a whole game shows needs more of the house than a round. A
finding's key is made of what was found (`audit.runs.keys`), so two who judge alike name it alike. A
round counts as the book says: the first record of it, corrected or withdrawn where a second person
approved that. Rounds the casino has not reconciled yet are no difference.

What was judged is kept from one look to the next: an entry is read once, and a game judged anew
only where a round, its opening, its table's limits, a decision on one of them or a run is new.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Final, TypedDict, cast

from audit.events import (
    FindingRaised,
    FindingSuperseded,
    FindingSupersededOnce,
    ReconciliationFinished,
    ReconciliationStarted,
)
from audit.rounds_file.recorded_entries import Body, recorded
from audit.runs.keys import finding_key
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.event import EntryRef, Event
from casino.events.partidas import PartidaOpened
from casino.events.requests import FiguresAsked, FiguresSet, RequestDecided
from casino.events.round.round_played import RoundPlayed
from casino.events.tables import LimitsSet
from casino.law.check_registry import ALL_CHECKS, OF_A_ROUND
from casino.law.dossier import AnyRecorded, RecordedEvent
from casino.law.finding import Finding
from casino.law.game_law import Game
from casino.law.round_judge import judge
from casino.law.rulebook.figure_sets import paired
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file
from casino.reading.strict_json import parse
from casino.tlog.merkle import leaf_hash

# The entries from an index on, or of those the wanted ones alone, each with its index; in order.
Entries = Callable[[int, Collection[int] | None], Iterator[tuple[int, bytes]]]
Place = tuple[str, int]  # stream and number


class Difference(TypedDict):
    """What one found and the other did not, and of which round."""

    rulebook: str
    article: str
    check: str
    where: Mapping[str, object]
    owed_cents: int
    stream: str
    n: int


class Compared(TypedDict):
    """What a comparison came to.

    `rounds` that count; how many of them the casino has not reconciled (`waiting`), or name no
    rulebook of this copy (`not_judged`); `unreadable` entries; `alike` findings; `missing` (found
    here, not there) and `unfounded` (there, not here): how many, and SHOWN of each; `editions`: the
    rulebooks of which the casino used another edition.
    """

    rounds: int
    waiting: int
    not_judged: int
    unreadable: int
    alike: int
    missing: int
    unfounded: int
    listed_missing: list[Difference]
    listed_unfounded: list[Difference]
    editions: list[str]


KINDS: Final[Mapping[str, type[Event]]] = {
    one.kind: one
    for one in (
        *(PartidaOpened, LimitsSet, WithdrawalAsked, Corrected, FindingRaised, FindingSuperseded),
        *(FindingSupersededOnce, ReconciliationStarted, ReconciliationFinished),
        *(FiguresAsked, RequestDecided, FiguresSet),
    )
}
SHOWN: Final = 100  # differences of a kind that are listed


@dataclass(slots=True)
class BookContext:
    """What the book says beside its rounds, as far as the judgement needs it."""

    openings: dict[str, list[RecordedEvent[PartidaOpened]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    limits: dict[str, list[RecordedEvent[LimitsSet]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    replaces: dict[Place, int] = field(default_factory=dict)  # what waits: what it replaces
    approved: set[Place] = field(default_factory=set)
    standing: dict[str, FindingRaised] = field(default_factory=dict)  # the casino's, by key
    runs: list[ReconciliationFinished] = field(default_factory=list)
    laws: dict[str, str] = field(default_factory=dict)  # by rulebook, the digest it used last
    figures: list[AnyRecorded] = field(default_factory=list)  # asked for, decided, set
    sets: tuple[RecordedSet, ...] = ()  # those of them that count

    def take(self, body: Body, leaf: str) -> Event | None:
        """One entry; what it says, where that matters here. Raises: Malformed, KeyError, TypeError
        and whatever else one can break.
        """
        if body["supersedes"] is not None:
            self.replaces[str(body["stream"]), int(body["n"])] = int(body["supersedes"]["n"])
        if body["kind"] not in KINDS:
            return None
        entry = recorded(KINDS[body["kind"]], body, leaf)
        match entry.event:
            case PartidaOpened(partida=partida):
                self.openings[partida].append(cast("RecordedEvent[PartidaOpened]", entry))
            case LimitsSet(table=table):
                self.limits[table].append(cast("RecordedEvent[LimitsSet]", entry))
            case WithdrawalAsked():
                self.replaces[entry.stream, entry.n] = entry.event.entry.n
            case Corrected() if entry.event.decision == "approved":
                self.approved.add((entry.stream, entry.event.pending.n))
            case FindingRaised():
                self.standing[entry.event.key] = entry.event
            case FindingSuperseded() | FindingSupersededOnce():
                self.standing.pop(entry.event.finding, None)
            case ReconciliationStarted():
                self.laws |= {used.rulebook: used.sha256 for used in entry.event.laws}
            case ReconciliationFinished():
                self.runs.append(entry.event)
            case FiguresAsked() | RequestDecided():
                self.figures.append(entry)
            case FiguresSet():
                self.figures.append(entry)
                self.sets = paired(self.figures).counting
        return entry.event

    def law_named(self, rulebook: str) -> Law | None:
        """A rulebook of this copy with the figures set in the book; None for one it has not."""
        law = law_named(rulebook)
        return None if law is None else law_in_use(law, self.sets)

    def used(self, rulebook: str) -> bool:
        """Whether the casino's last run used that edition of it, or the same before a later set."""
        law = law_named(rulebook)
        of_it = [self.sets[:n] for n in range(len(self.sets) + 1)]
        own = {law_in_use(law, sets).digest for sets in of_it} if law is not None else set()
        return self.laws.get(rulebook) in own

    def limits_that_count(self, table: str, gone: set[Place]) -> Iterator[RecordedEvent[LimitsSet]]:
        """A table's limits; what was put right holds from its first record, as in the house."""
        there = {(one.stream, one.n): one for one in self.limits[table]}
        for place, one in there.items():
            if place not in gone:
                first = place
                while (before := (first[0], self.replaces.get(first, first[1]))) in there:
                    if before[1] >= first[1]:
                        break
                    first = before
                yield replace(one, recorded_at=there[first].recorded_at)

    def gone(self) -> set[Place]:
        """The entries that do not count: not approved yet, or replaced."""
        waiting = self.replaces.keys() - self.approved
        replaced = {(place[0], n) for place, n in self.replaces.items() if place in self.approved}
        return waiting | replaced

    def was_reconciled(self, played: RecordedEvent[RoundPlayed]) -> bool:
        """Whether a run of the casino under the game's own rulebook read a round."""
        return any(_read(run, played) for run in reversed(self.runs))


def _read(finished: ReconciliationFinished, played: RecordedEvent[RoundPlayed]) -> bool:
    scope, event = finished.scope, played.event
    if scope.rulebook or (scope.tables and event.table not in scope.tables):
        return False
    if scope.partida is not None and scope.partida != event.partida:
        return False
    if scope.from_day and scope.to_day and not scope.from_day <= event.gaming_day <= scope.to_day:
        return False
    return any(one.stream == played.stream and one.n >= played.n for one in finished.read_up_to)


@cache
def law_named(rulebook: str) -> Law | None:
    """A rulebook of this copy; None for one it has not."""
    try:
        return law_of_file(rulebook) if rulebook else None
    except LawError:
        return None


def compare(read: Entries, first_day: str = "", last_day: str = "9999") -> Compared:
    """Judge the rounds of some gaming days; what is found beside what the casino found."""
    return SecondJudgement(first_day, last_day).look(read)


@dataclass(slots=True)
class _Game:
    """One game: where its rounds stand in the log, and what they came to when last judged."""

    last_at: datetime  # when the last of its rounds was recorded
    tables: set[object] = field(default_factory=set)
    indexes: list[int] = field(default_factory=list)
    rounds: set[object] = field(default_factory=set)
    waiting: int = 0
    not_judged: int = 0
    judged: dict[Place, str] = field(default_factory=dict)  # by the round's place, which rulebook
    found: dict[str, Difference] = field(default_factory=dict)

    def begin_anew(self) -> None:
        """Nothing of it is judged."""
        self.waiting = self.not_judged = 0
        self.rounds, self.judged, self.found = set(), {}, {}


class SecondJudgement:
    """A casino's log as it was judged up to some size; each look goes on from there.

    What one entry breaks, whatever it is, does not cost the others: it is counted.
    """

    def __init__(self, first_day: str = "", last_day: str = "9999") -> None:
        self.days = first_day, last_day
        self.context = BookContext()
        self.size = 0  # entries that were taken
        self.games: dict[str, _Game] = {}
        self.touched: set[str] = set()  # games to be judged anew
        self.of_round: dict[Place, str] = {}  # of rounds and openings: the game
        self.of_limits: dict[Place, str] = {}  # of limits: the table
        self.unreadable: set[int] = set()

    def look(self, read: Entries) -> Compared:
        """Take what is new, judge what that touches, and compare."""
        for index, entry in read(self.size, None):
            try:
                self._take(index, cast("Body", parse(entry)), leaf_hash(entry).hex())
            except Exception:
                self.unreadable.add(index)
            self.size = index + 1
        touched = {name: one for name, one in self.games.items() if name in self.touched}
        game_of = {index: one for one in touched.values() for index in one.indexes}
        gone = self.context.gone()
        for game in touched.values():
            game.begin_anew()
        for index, entry in read(min(game_of, default=self.size), game_of):
            try:
                body = cast("Body", parse(entry))
                played = recorded(RoundPlayed, body, leaf_hash(entry).hex())
                self._judge(game_of[index], played, gone)
            except Exception:
                self.unreadable.add(index)
        self.touched.clear()
        return self._result()

    def _take(self, index: int, body: Body, leaf: str) -> None:
        """One entry, and which games it touches."""
        place = str(body["stream"]), int(body["n"])
        event = self.context.take(body, leaf)
        places = [place]
        if body["kind"] == RoundPlayed.kind and self.days[0] <= body["day"] <= self.days[1]:
            name = str(body["payload"].get("partida") or "")
            at = datetime.fromisoformat(body["at"])
            game = self.games.setdefault(name, _Game(at))
            game.tables.add(body["payload"]["table"])
            game.indexes.append(index)
            game.last_at = max(game.last_at, at)
            self.of_round[place] = name
        elif isinstance(event, PartidaOpened):
            self.of_round[place] = event.partida
        elif isinstance(event, LimitsSet):
            self.of_limits[place] = event.table
        elif isinstance(event, Corrected):
            places.append((place[0], event.pending.n))
        elif isinstance(event, ReconciliationFinished):
            self.touched |= {name for name, one in self.games.items() if one.waiting}
        replaced = [self.context.replaces.get(one) for one in places]
        places += [(place[0], n) for n in replaced if n is not None]
        # Limits that are set hold for no round that was recorded before; a decision takes others
        # away, from whenever they held.
        only_set = isinstance(event, LimitsSet) and place not in self.context.replaces
        since = datetime.fromisoformat(body["at"]) if only_set else None
        for one in places:
            self._touch(one, since)

    def _touch(self, place: Place, since: datetime | None) -> None:
        """The game of a round or an opening; of limits those of the table, or only since then."""
        if place in self.of_round:
            self.touched.add(self.of_round[place])
        elif place in self.of_limits:
            table = self.of_limits[place]
            self.touched |= {
                name
                for name, one in self.games.items()
                if table in one.tables and (since is None or one.last_at >= since)
            }

    def _judge(self, game: _Game, played: RecordedEvent[RoundPlayed], gone: set[Place]) -> None:
        """Judge one round, if it counts."""
        place, event = (played.stream, played.n), played.event
        if place in gone or event.round in game.rounds:
            return
        game.rounds.add(event.round)
        openings = self.context.openings[event.partida]
        opened = next((one for one in openings if (one.stream, one.n) not in gone), None)
        of = Game(opened, list(self.context.limits_that_count(event.table, gone)))
        law = self.context.law_named(of.rulebook(event))
        if law is None:
            game.not_judged += 1
        elif not self.context.was_reconciled(played):
            game.waiting += 1
        else:
            game.judged[place] = law.id
            limits = of.limits(event, played.occurred_at, played.recorded_at)
            ref = EntryRef(stream=played.stream, n=played.n, leaf=played.leaf)
            for finding in judge(event, law, limits).findings:
                one = replace(finding, evidence=(played.entry_id,))
                game.found[finding_key(one, {played.entry_id: ref})] = _shown(one, ref)

    def _result(self) -> Compared:
        """What both found, and what one of them alone."""
        games = self.games.values()
        found = {key: one for game in games for key, one in game.found.items()}
        theirs = {key: one for key, one in self.context.standing.items() if self._is_of_round(one)}
        missing = [one for key, one in found.items() if key not in theirs]
        unfounded = [
            _shown(one, one.evidence[0]) for key, one in theirs.items() if key not in found
        ]
        books = {book for game in games for book in game.judged.values()}
        return {
            "rounds": sum(len(game.rounds) for game in games),
            "waiting": sum(game.waiting for game in games),
            "not_judged": sum(game.not_judged for game in games),
            "unreadable": len(self.unreadable),
            "alike": len(found) - len(missing),
            "missing": len(missing),
            "unfounded": len(unfounded),
            "listed_missing": missing[:SHOWN],
            "listed_unfounded": unfounded[:SHOWN],
            "editions": [one for one in sorted(books) if not self.context.used(one)],
        }

    def _is_of_round(self, finding: FindingRaised) -> bool:
        """Whether it is what a single round that was judged here shows."""
        rule = ALL_CHECKS.get(finding.check)
        if rule is None or rule.scope not in OF_A_ROUND or len(finding.evidence) != 1:
            return False
        if "shoe" in finding.where or "times_out_at_once" in finding.observed:
            return False  # several rounds showed it
        (ref,) = finding.evidence
        place = ref.stream, ref.n
        game = self.games.get(self.of_round.get(place, ""))
        return game is not None and game.judged.get(place) == finding.rulebook


def _shown(finding: Finding | FindingRaised, ref: EntryRef) -> Difference:
    return {
        "rulebook": finding.rulebook,
        "article": finding.article,
        "check": finding.check,
        "where": finding.where,
        "owed_cents": finding.owed_cents,
        "stream": ref.stream,
        "n": ref.n,
    }
