"""A comparison made again from a copy of the book and its sealed sheet: no database, no network.

The sheet (`audit.reports.readers.read_reaudit`) says what was asked, until which entries, and which
lie around each game; the copy has the games' own entries, and the sheet's proofs what lies outside
it. Every entry is read from its bytes; its leaf is worked out here, so that what was altered in
either comes to another digest.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypedDict, cast

from audit.attested import Book
from audit.events import FindingRaised, FindingSuperseded, FindingSupersededOnce
from audit.reconcile import comparison_sums as sums
from audit.reconcile.compare_laws import as_found, compared, shortened
from audit.reconcile.dossier_refs import GameRefs, HouseRefs, KnownSince, OfStream, marks
from audit.reconcile.judge_partida import Judged, PartidaJudge
from audit.reports.check_report import NoReport, proofs_of, prove, report_of
from audit.rounds_file.recorded_entries import sets_of
from audit.runs import house_checks
from audit.runs.keys import finding_key, flat
from audit.verifier.notes import Policy
from audit.verifier.record import Record
from audit.verifier.report import TAMPERED, BadInput
from audit.verifier.report import Report as VerifierReport
from casino import queries
from casino.events.event import HOUSE, RECONCILER, EntryRef
from casino.law.dossier import AnyRecorded, Dossier
from casino.law.rulebook.figure_sets import KINDS, paired
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file, rulebook_ids
from casino.tlog.merkle import leaf_hash
from casino.tlog.proof_file import ProofFile

FORMAT: Final = "livro-da-sala-reaudit/1"
BOOK: Final = "livro"  # the folder of an evidence pack that is a copy of the book
Place = tuple[str, int]  # stream and number


class NotMadeAgain(Exception):
    """It cannot be made again: `code` says why (a name of the command's words), `values` which."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class LawRead(TypedDict):
    """A rulebook's file."""

    rulebook: str
    sha256: str


class StreamRead(TypedDict):
    """The last entry of a stream that was read."""

    stream: str
    n: int


class ReauditRead(TypedDict):
    """What a sheet's JSON says of the comparison, as it is read again."""

    format: str
    as_of: str
    code_version: str
    comparison: sums.Whole
    digest: str
    ended: int
    games: list[GameRefs]
    house: list[HouseRefs]
    laws: list[LawRead]
    official: list[LawRead]
    read_up_to: list[StreamRead]
    standing: list[int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sealed sheet: its number, what it says of the comparison, the entries it proves."""

    number: str
    reaudit: ReauditRead
    proved: Mapping[Place, bytes]

    @property
    def asked(self) -> "Question":
        """What was asked."""
        asked = self.reaudit["comparison"]["asked"]
        taken = cast("list[dict[str, str]]", asked.get("readings", []))
        day = asked.get("law_day")
        return Question(
            str(asked["rulebook"]),
            tuple((one["reading"], one["choice"]) for one in taken),
            None if day is None else date.fromisoformat(str(day)),
        )


class Question(NamedTuple):
    """By which law: a rulebook, readings taken otherwise, the day as on which it is taken."""

    rulebook: str
    readings: tuple[tuple[str, str], ...] = ()
    law_day: date | None = None


class MadeAgain(NamedTuple):
    """What it came to. `unnamed` are findings of the copy that stood and that the sheet does not
    name; `editions` the rulebooks of which this program has another edition.
    """

    whole: sums.Whole
    digest: str
    unnamed: Sequence[int]
    editions: Sequence[str]


def read_sheet(pdf: bytes, policy: bytes) -> Sheet:
    """A sheet, its proofs followed; the keys are those of the copy's `policy`.

    Raises: NotMadeAgain.
    """
    try:
        document, _digest = report_of(pdf)
        proofs = proofs_of(pdf)
    except NoReport as trouble:
        raise NotMadeAgain("no-sheet", trouble=trouble) from trouble
    reaudit = cast("ReauditRead | None", document.get("reaudit"))
    if reaudit is None or reaudit.get("format") != FORMAT:
        raise NotMadeAgain("no-reaudit", number=document["number"])
    proved = prove(proofs)
    point = document["checkpoint"]
    cited = {(one["stream"], one["n"]) for one in document["entries"]}
    there = {(one["entry"]["stream"], one["entry"]["n"]): one["proof"] for one in proofs}
    if proved.refused or proved.roots != {(point["size"]["n"], point["root"])}:
        raise NotMadeAgain("proof", entry=", ".join(proved.refused[:3]) or point["root"])
    if cited != there.keys():
        raise NotMadeAgain("proof", entry=f"{len(cited ^ there.keys())}")
    _signed(there.values(), policy)
    entries = {place: _entry_of(proof) for place, proof in there.items()}
    return Sheet(document["number"], reaudit, entries)


def _signed(proofs: Iterable[str], policy: bytes) -> None:
    """Every checkpoint the proofs lead to bears a signature of the copy's keys."""
    seen: set[str] = set()
    for proof in proofs:
        note = ProofFile.parse(proof).checkpoint_note
        if note in seen:
            continue
        seen.add(note)
        report = VerifierReport()
        try:
            Record(proof.encode(), "proofs.json", report, Policy(policy)).check()
        except (BadInput, ValueError) as trouble:
            raise NotMadeAgain("another-book") from trouble
        if report.verdict() == TAMPERED or "key-unknown" in report.counts:
            raise NotMadeAgain("another-book")


def _entry_of(proof: str) -> bytes:
    return str(json.loads(ProofFile.parse(proof).extra or b"")["entry"]).encode()


class Gathered:
    """The entries a comparison rests on, from a copy and a sheet's proofs."""

    def __init__(self, copy: Path, sheet: Sheet) -> None:
        inner = copy / BOOK
        self.reaudit = sheet.reaudit
        self.games = {one["partida"] for one in self.reaudit["games"]}
        self.up_to = {one["stream"]: one["n"] for one in self.reaudit["read_up_to"]}
        self.entries: dict[Place, AnyRecorded] = {}
        self.named: dict[str, sums.NamedEntry] = {}
        self.own: dict[str, list[AnyRecorded]] = {name: [] for name in self.games}
        self.findings: list[AnyRecorded] = []
        self.of_sets: list[AnyRecorded] = []
        wanted = self._wanted()
        book = Book(inner if inner.is_dir() else copy)
        for entry in (*sheet.proved.values(), *book.entries()):
            self._take(entry, wanted)
        self.sets = self._sets(copy)

    def _wanted(self) -> set[Place]:
        refs: list[OfStream] = [each for one in self.reaudit["house"] for each in one["entries"]]
        for one in self.reaudit["games"]:
            refs += [*one["around"], *one["elsewhere"], *one["replaced"]]
        return set(marks(refs))

    def _sets(self, copy: Path) -> tuple[RecordedSet, ...]:
        """The figures two persons had set when the run began, in the book's order."""
        last, as_of = self.up_to.get(HOUSE), datetime.fromisoformat(self.reaudit["as_of"])
        found = {one.n: one for one in (*sets_of(copy), *paired(self.of_sets).counting)}
        return tuple(
            one
            for n, one in sorted(found.items())
            if (one.recorded_at <= as_of if last is None else n <= last)
        )

    def law(self, rulebook: str) -> Law:
        """A rulebook of this program with these figures. Raises: LawError."""
        return law_in_use(law_of_file(rulebook), self.sets)

    def _take(self, entry: bytes, places: set[Place]) -> None:
        body = json.loads(entry)
        place = str(body["stream"]), int(body["n"])
        name, leaf = f"{place[0]}/{place[1]}", leaf_hash(entry)
        if name in self.named:  # from both
            return
        self.named[name] = sums.NamedEntry(*place, leaf.hex(), body["kind"])
        of_game = place[0] in self.up_to and place[1] <= self.up_to[place[0]]
        finding = place[0] == RECONCILER and body["kind"] in _ABOUT_FINDINGS
        of_set = place[0] == HOUSE and body["kind"] in _OF_SETS
        if not (of_game or finding or of_set or place in places):
            return
        days = [datetime.fromisoformat(body[at]) for at in ("occurred", "at")]
        day = date.fromisoformat(body["day"])
        recorded = queries.decode_entry((name, *place, body["kind"], leaf, day, *days, entry))
        self.entries[place] = recorded
        if of_set:
            self.of_sets.append(recorded)
        if finding:
            self.findings.append(recorded)
        elif of_game and recorded.event.partida_id in self.games:
            self.own[recorded.event.partida_id].append(recorded)

    def known(
        self, refs: Iterable[OfStream], since: Iterable[KnownSince]
    ) -> tuple[AnyRecorded, ...]:
        """These entries, those that count from another moment on with it. Raises: NotMadeAgain."""
        moments = {(one["stream"], one["n"]): datetime.fromisoformat(one["at"]) for one in since}
        found = []
        for place in marks(refs):
            if place not in self.entries:
                raise NotMadeAgain("missing", entry=f"{place[0]} {place[1]}")
            one = self.entries[place]
            found.append(replace(one, recorded_at=moments.get(place, one.recorded_at)))
        return tuple(found)

    def dossier(self, game: GameRefs, house: HouseRefs) -> Dossier:
        """A game as the run saw it. Raises: NotMadeAgain."""
        partida = game["partida"]
        replaced = set(marks(game["replaced"]))
        own = sorted(self.own[partida], key=lambda one: one.n)
        entries = tuple(one for one in own if (one.stream, one.n) not in replaced)
        if len(entries) != game["own"]:
            raise NotMadeAgain("own", game=partida, there=len(entries), asked=game["own"])
        return Dossier(
            partida=partida,
            table=queries.table_of(partida),
            gaming_day=queries.day_of(partida),
            as_of=datetime.fromisoformat(self.reaudit["as_of"]),
            entries=entries,
            house=self.known(house["entries"], house["known"]),
            around=self.known(game["around"], game["known"]),
            elsewhere=self.known(game["elsewhere"], ()),
            replaced=tuple(one for one in own if (one.stream, one.n) in replaced),
        )


_ABOUT_FINDINGS: Final = {
    one.kind for one in (FindingRaised, FindingSuperseded, FindingSupersededOnce)
}
_OF_SETS: Final = {one.kind for one in KINDS}


def make_again(copy: Path, sheet: Sheet, question: Question) -> MadeAgain:
    """Judge every game of a sheet again, by a question of one's own. Raises: NotMadeAgain."""
    there = Gathered(copy, sheet)
    judge = PartidaJudge(
        up_to={},
        as_of=datetime.fromisoformat(sheet.reaudit["as_of"]),
        rulebook=question.rulebook,
        readings=dict(question.readings),
        law_day=question.law_day,
        law_of=there.law,
    )
    house = {one["day"]: one for one in sheet.reaudit["house"]}
    found: list[dict[str, object]] = []
    looked_at = {"games": len(there.games), "rounds": 0, "not_judged": 0}
    refs = {
        name: EntryRef(stream=one.stream, n=one.n, leaf=one.leaf)
        for name, one in there.named.items()
    }
    for game in sheet.reaudit["games"]:
        done = Judged(game["partida"])
        day = queries.day_of(game["partida"]).isoformat()
        judge.judge_dossier(there.dossier(game, house[day]), done, with_rounds=True)
        found += as_found({finding_key(one, refs): one for one in done.kept}.values())
        looked_at["rounds"] += done.rounds
        looked_at["not_judged"] += done.not_judged
    standing = [_standing(there, n) for n in sheet.reaudit["standing"]]
    spelled = compared(shortened(found, there.named), standing).spelled(there.named)
    whole = sums.whole_of(spelled, _asked(sheet, question), looked_at)
    return MadeAgain(whole, sums.digest_of(whole), _unnamed(there, sheet), _editions(there))


def _asked(sheet: Sheet, question: Question) -> dict[str, object]:
    asked = sheet.reaudit["comparison"]["asked"]
    scope = [(name, asked.get(name)) for name in ("partida", "from_day", "to_day", "tables")]
    mine = (*scope, ("rulebook", question.rulebook), ("law_day", question.law_day))
    return sums.asked_as_json(mine, question.readings)


def _standing(there: Gathered, n: int) -> dict[str, object]:
    """A finding of the copy in the form of what was found. Raises: NotMadeAgain."""
    recorded = there.entries.get((RECONCILER, n))
    if recorded is None or not isinstance(recorded.event, FindingRaised):
        raise NotMadeAgain("missing", entry=f"{RECONCILER} {n}")
    event = recorded.event
    return {
        "article": event.article,
        "check": event.check,
        "evidence": sorted({f"{one.stream}/{one.n}" for one in event.evidence}),
        "expected": flat(event.expected),
        "n": n,
        "observed": flat(event.observed),
        "owed_cents": event.owed_cents,
        "owed_to": event.owed_to or "",
        "partida": event.partida or "",
        "rulebook": event.rulebook,
        "severity": event.severity,
        "where": flat(event.where),
    }


def _unnamed(there: Gathered, sheet: Sheet) -> list[int]:
    """The findings of the games that stood when the run ended and that the sheet does not name."""
    asked, standing = sheet.asked, set(sheet.reaudit["standing"])
    raised: dict[str, tuple[int, FindingRaised]] = {}
    for one in sorted(there.findings, key=lambda one: one.n):
        if one.n > sheet.reaudit["ended"]:
            break
        if isinstance(one.event, FindingRaised):
            raised[one.event.key] = one.n, one.event
        else:
            raised.pop(one.event.finding, None)
    otherwise = bool(asked.readings) or asked.law_day is not None
    return [
        n
        for n, event in raised.values()
        if event.partida in there.games
        and n not in standing
        and event.rulebook != house_checks.RULEBOOK
        and (event.rulebook == asked.rulebook or not otherwise)
    ]


def _editions(there: Gathered) -> list[str]:
    """The rulebooks of which this program has another edition than the run had."""
    known = {name: there.law(name).digest for name in rulebook_ids()}
    laws = {one["rulebook"]: one["sha256"] for one in there.reaudit["laws"]}
    return [name for name, sha in laws.items() if known.get(name, sha) != sha]
