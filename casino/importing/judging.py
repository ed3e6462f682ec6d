"""A file judged line by line before anything of it is written: what cannot be, what would be found.

First a bounded process reads it (`parse_file`) and what it says is kept in pieces; then the pieces
are held against the book one by one, in jobs that go on where the last one stopped.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final
from uuid import UUID

from django.db import transaction

from casino import clock
from casino.events import Malformed
from casino.events.partidas import PartidaOpened
from casino.events.phrases import Phrase, phrase_as_json
from casino.events.tables import LimitsSet
from casino.importing.first_day import judge_rows
from casino.importing.imported_lines import Placed
from casino.importing.intake import BATCH, happened_at
from casino.importing.judged_faults import (
    MOST_KINDS,
    CauseFound,
    Fault,
    count_cause,
    count_finding,
    put,
)
from casino.importing.parse_file import fault_as_json
from casino.law.game_law import Game
from casino.law.rulebook.law_text import LawError
from casino.models import StagedImport, StagedPiece
from casino.models.held import FAULTY, FIRST_DAY, JUDGING, WAITING
from casino.previewing import of_round
from casino.queries import dossier_of
from casino.reading.refusal import Refused
from casino.reading.round_reader import read_round
from casino.recording import Actor, Source, Submission
from casino.recording import Refused as NotRecorded
from casino.recording.writing import check_beforehand, recorded_already

_CHECKOUT: Final = Path(__file__).resolve().parents[2]
# What reads a file, in a process of its own.
PROGRAM = ("-m", "casino.importing.parse_file")
OF_SHEETS: Final = ("-m", "casino.importing.parse_workbook")
TOO_MUCH: Final = Phrase(
    "Reading the file takes more memory or time than a file may take: it is damaged, made to do"
    " harm, or has to be divided."
)


def judge(key: UUID, until: float) -> bool:
    """Judge a file on, until it is judged or the time is up; whether it is judged."""
    staged = StagedImport.objects.filter(pk=key, state=JUDGING).first()
    if staged is None:
        return True
    if "next" not in staged.judged:
        _read(staged)
    games: dict[str, Game] = {}
    while staged.state == JUDGING:
        if staged.judged["next"] >= staged.judged["pieces"]:
            _ended(staged)
            break
        if staged.content == FIRST_DAY:
            judge_rows(staged)
        else:
            _judge_piece(staged, games)
        if time.monotonic() > until:
            return False  # one piece at least in every turn
    return True


# The file is read --------------------------------------------------------------------------------


def _read(staged: StagedImport) -> None:
    """Have the file read by a process of its own, and keep what it says."""
    staged.pieces.exclude(what="file").delete()  # of a beginning that was cut short
    with tempfile.TemporaryDirectory() as folder:
        arguments = [str(Path(folder) / "file")]
        with Path(arguments[0]).open("wb") as file:
            pieces = staged.pieces.filter(what="file").order_by("number")
            file.writelines(bytes(piece.content) for piece in pieces.iterator(4))
        if staged.mapping:
            arguments.append(str(Path(folder) / "mapping.toml"))
            Path(arguments[1]).write_text(staged.mapping, encoding="utf-8")
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *(OF_SHEETS if staged.content == FIRST_DAY else PROGRAM), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_CHECKOUT,
            env={"PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"},
        ) as process:
            try:
                assert process.stdout is not None
                _keep(staged, process.stdout)
            finally:
                process.kill()


def _keep(staged: StagedImport, said: IO[bytes]) -> None:
    """Keep what the process says, in pieces; without its last word nothing of it holds."""
    pieces = _Pieces(staged)
    whole = False
    for line in said:
        word, _, rest = line.rstrip(b"\n").partition(b" ")
        if word == b"R":
            pieces.record(rest)
        elif word == b"F":
            pieces.fault(rest)
        elif word == b"B":
            staged.read_bytes = int(rest)
            StagedImport.objects.filter(pk=staged.pk).update(read_bytes=staged.read_bytes)
        elif word == b"U":
            staged.unusable, whole = json.loads(rest), True
        elif word == b"E":
            staged.lines, whole = int(rest), True
    pieces.put()
    if not whole:
        staged.unusable = phrase_as_json(TOO_MUCH)
    staged.records, staged.faulty = pieces.records, pieces.faults
    staged.judged = {"next": 0, "pieces": pieces.number, "causes": pieces.causes}
    if staged.unusable is not None:
        staged.pieces.exclude(what="file").delete()
        staged.records, staged.judged = 0, {"next": 0, "pieces": 0, "causes": {}}
    staged.read_bytes = staged.file_bytes
    staged.save(update_fields=["unusable", "lines", "records", "faulty", "judged", "read_bytes"])


class _Pieces:
    """What was said of a file, put away some hundred lines at a time."""

    def __init__(self, staged: StagedImport) -> None:
        self.staged = staged
        self.waiting: list[bytes] = []
        self.faulty: list[bytes] = []
        self.causes: dict[str, CauseFound] = {}
        self.number = self.faults_number = self.records = self.faults = 0

    def record(self, line: bytes) -> None:
        """A round, with its line before it."""
        self.records += 1
        self.waiting.append(line)
        if len(self.waiting) >= BATCH:
            self._put_records()

    def fault(self, line: bytes) -> None:
        """A line that cannot be a round."""
        self.faults += 1
        self.faulty.append(line)
        number, _, rest = line.partition(b" ")
        count_cause(self.causes, int(number), json.loads(rest))
        if len(self.faulty) >= BATCH:
            self._put_faults()

    def put(self) -> None:
        """Put away the last ones."""
        if self.waiting:
            self._put_records()
        if self.faulty:
            self._put_faults()

    def _put_records(self) -> None:
        put(self.staged, "records", self.number, self.waiting)
        self.number, self.waiting = self.number + 1, []

    def _put_faults(self) -> None:
        put(self.staged, "faults", self.faults_number, self.faulty)
        self.faults_number, self.faulty = self.faults_number + 1, []


# Its rounds are held against the book ------------------------------------------------------------


def records_in(piece: StagedPiece) -> list[Placed]:
    """The rounds of a piece with their lines."""
    found = []
    for line in bytes(piece.content).split(b"\n"):
        number, _, record = line.partition(b" ")
        found.append(Placed(int(number), read_round(record)))
    return found


def _judge_piece(staged: StagedImport, games: dict[str, Game]) -> None:
    number = staged.judged["next"]
    piece = staged.pieces.get(what="records", number=number)
    judged = _Judged(staged, games)
    for placed in records_in(piece):
        judged.take(placed)
    judged.hold_against_book()
    with transaction.atomic():
        if judged.faults:
            # Numbered behind those that were found in reading.
            put(staged, "faults", 10**6 + number, judged.faults)
        staged.judged = {**judged.found, "next": number + 1}
        staged.faulty += len(judged.faults)
        staged.repeated += judged.repeated
        staged.save(update_fields=["judged", "faulty", "repeated"])


class _Judged:
    """Some rounds against the book and the law; `found` goes on from what was found before."""

    def __init__(self, staged: StagedImport, games: dict[str, Game]) -> None:
        self.found = json.loads(json.dumps(staged.judged))
        self.faults: list[bytes] = []
        self.repeated = 0
        self.submissions: list[tuple[int, Submission]] = []
        self.by = Actor(staged.by_staff, staged.by_office, "import")
        self.source = Source("file", staged.file_sha256)
        self._games = games  # read once in a turn: a game may have thousands of rounds

    def take(self, placed: Placed) -> None:
        """Count a round and what it would open."""
        played = placed.round
        at = happened_at(played)
        self.submissions.append(
            (placed.line, Submission(played, UUID(played.round), self.by, at, self.source))
        )
        self._count("days", played.gaming_day.isoformat())
        self._count("tables", played.table)
        try:
            opened = of_round(played, at, self._game(played.partida))
        except LawError:
            self._count("unjudged", played.rulebook or "")
            return
        for finding in opened:
            count_finding(
                self.found.setdefault("findings", {}), finding, placed.line, played.partida
            )

    def hold_against_book(self) -> None:
        """Which of them the book would refuse, and which it holds already."""
        try:
            self.repeated = _repeated([one for _, one in self.submissions])
        except (Malformed, NotRecorded):
            for line, one in self.submissions:
                try:
                    self.repeated += _repeated([one])
                except Malformed as error:
                    self._fault(Refused.of(line, error))
                except NotRecorded as error:
                    self._fault(Refused(line, "$.round", error.reason))

    def _fault(self, refused: Refused) -> None:
        said = fault_as_json(refused)
        self.faults.append(f"{refused.line} {said}".encode())
        count_cause(self.found["causes"], refused.line, json.loads(said))

    def _count(self, what: str, name: str) -> None:
        counted = self.found.setdefault(what, {})
        if name not in counted and len(counted) >= MOST_KINDS:
            name = ""
        counted[name] = counted.get(name, 0) + 1

    def _game(self, partida: str) -> Game:
        """By which law and limits its rounds are judged, as the book knows its game."""
        game = self._games.get(partida)
        if game is None:
            dossier = dossier_of(partida, as_of=clock.now())
            opened = next(iter(dossier.of(PartidaOpened)), None)
            game = self._games[partida] = Game(opened, dossier.anywhere(LimitsSet))
        return game


def _repeated(submissions: Sequence[Submission]) -> int:
    """How many of them the book holds already. Raises: Malformed, Refused, as the writer would."""
    return len(recorded_already(check_beforehand(submissions)))


def _ended(staged: StagedImport) -> None:
    faulty = staged.unusable is not None or staged.faulty > 0 or staged.records == 0
    staged.state = FAULTY if faulty else WAITING
    StagedImport.objects.filter(pk=staged.pk, state=JUDGING).update(state=staged.state)


def faults_of(staged: StagedImport) -> Iterator[tuple[int, Fault]]:
    """Its faulty lines in their order, each with its place and reason."""
    pieces = staged.pieces.filter(what="faults").order_by("number")
    for piece in pieces.iterator(4):
        for line in bytes(piece.content).split(b"\n"):
            number, _, fault = line.partition(b" ")
            yield int(number), json.loads(fault)
