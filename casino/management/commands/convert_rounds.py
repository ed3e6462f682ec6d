"""`manage.py convert_rounds`: another house's CSV made into round records as a mapping says."""

import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from casino.converting.convert import Refused, convert
from casino.converting.cross_checks import Note
from casino.converting.grouping import Problem
from casino.converting.mapping import Mapping, MappingError
from casino.converting.mapping_file import load_mapping
from casino.converting.round_grouping import Built
from casino.events.phrases import Phrase, said
from casino.reading.file_trouble import why
from casino.reading.round_writer import round_as_json

NOT_ALL_CONVERTED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
SHOWN: Final = 100  # lines of each kind on the screen; --notes keeps all


class Command(BaseCommand):
    """Writes one round record a line. Ends with 0 where every row was converted, else with 2."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Convert a CSV of recorded hands to round records, as a mapping file says.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/converting.md explains it."""
        parser.add_argument("csv", metavar="CSV", help=_("the file, or - for standard input"))
        parser.add_argument("--mapping", required=True, type=Path, metavar="FILE.toml")
        parser.add_argument("--output", type=Path, metavar="FILE", help=_("instead of the screen"))
        parser.add_argument(
            "--notes",
            type=Path,
            metavar="FILE",
            help=_("write every refusal and every note there, one JSON object a line"),
        )
        parser.add_argument(
            "--trace",
            type=Path,
            metavar="FILE",
            help=_("write there which source row each hand came from, one JSON object a round"),
        )
        parser.add_argument(
            "--language", choices=sorted(LANGUAGES), help=_("of what is written on the screen")
        )
        parser.add_argument(
            "--all-or-nothing",
            action="store_true",
            help=_("write no record at all unless every row is converted"),
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Convert, say what was refused and noted, and end with the right number."""
        language = options["language"]
        chosen = translation.override(LANGUAGES[language]) if language else nullcontext()
        with chosen:
            self._convert(options)

    def _convert(self, options: dict[str, Any]) -> None:
        try:
            mapping = load_mapping(options["mapping"])
            with _opened(options["csv"]) as stream:
                run = _Run(self, mapping, options)
                run.convert(stream)
        except MappingError as error:
            raise CommandError(error.text(_), returncode=NOT_ALL_CONVERTED) from error
        except _Unusable as error:
            raise CommandError(said(error.reason, _), returncode=NOT_ALL_CONVERTED) from error
        except OSError as error:
            text = _("the conversion cannot go on: {reason}").format(reason=said(why(error), _))
            raise CommandError(text, returncode=NOT_ALL_CONVERTED) from error
        if run.refused:
            sys.exit(NOT_ALL_CONVERTED)


class _Unusable(Exception):
    """A file named on the command line that cannot be opened or written, and why."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason


class _Run:
    """One conversion: where its records, notes and traces go, and what it counts."""

    def __init__(self, command: BaseCommand, mapping: Mapping, options: dict[str, Any]) -> None:
        self.command = command
        self.mapping = mapping
        self.options = options
        self.converted = self.rows = self.refused = self.refused_rows = self.noted = self.said = 0

    def convert(self, stream: BinaryIO) -> None:
        """Convert the whole stream; the output appears only when it is whole."""
        all_or_nothing = self.options["all_or_nothing"]
        with (
            _written(self.options["notes"]) as notes,
            _written(self.options["trace"]) as trace,
            _written(self.options["output"], sys.stdout) as output,
            # With --all-or-nothing the records wait here until the last row has been read.
            tempfile.TemporaryFile("w+", encoding="utf-8") as waiting,
        ):
            for answer in convert(stream, self.mapping):
                self._take(answer, waiting if all_or_nothing else output, notes, trace)
            if all_or_nothing and not self.refused:
                waiting.seek(0)
                for line in waiting:
                    _line(output, line.rstrip("\n"))
        self._sum_up()

    def _take(
        self,
        answer: Built | Refused,
        output: IO[str] | None,
        notes: IO[str] | None,
        trace: IO[str] | None,
    ) -> None:
        if isinstance(answer, Refused):
            self.refused += 1
            self.refused_rows += answer.rows
            for problem in answer.problems:
                self._say(_problem_line(problem))
                _line(notes, _as_json(refused=_problem_object(problem, answer)))
            self._say("  " + _not_converted(answer))
            return
        self.converted += 1
        self.rows += len(answer.traced)
        _line(output, round_as_json(answer.round))
        rows = [traced._asdict() for traced in answer.traced]
        _line(trace, _as_json(round=answer.round.round, rows=rows))
        for note in answer.notes:
            self.noted += 1
            self._say(_note_line(note))
            _line(notes, _as_json(noted=note._asdict() | {"round": answer.round.round}))

    def _say(self, line: str) -> None:
        self.said += 1
        if self.said <= SHOWN:
            self.command.stderr.write(line)

    def _sum_up(self) -> None:
        if self.said > SHOWN:
            more = _("... and %(count)d lines more; --notes FILE keeps them all")
            self.command.stderr.write(more % {"count": self.said - SHOWN})
        text = _(
            "rounds converted: %(rounds)d (rows: %(rows)d); not converted: %(refused)d "
            "(rows: %(refused_rows)d); notes: %(noted)d"
        )
        figures = {
            "rounds": self.converted,
            "rows": self.rows,
            "refused": self.refused,
            "refused_rows": self.refused_rows,
            "noted": self.noted,
        }
        self.command.stderr.write(text % figures)
        if self.refused and self.options["all_or_nothing"]:
            self.command.stderr.write(_("Nothing was written (--all-or-nothing)."))


def _problem_line(problem: Problem) -> str:
    where = {"row": problem.row, "column": problem.column}
    place = _("row %(row)d, column %(column)s") if problem.column else _("row %(row)d")
    text = _("found %(found)s; asked: %(asked)s")
    wording = text % {"found": said(problem.found, _), "asked": said(problem.asked, _)}
    return f"{place % where}: {wording}"


def _not_converted(refused: Refused) -> str:
    return _("rows %(first)d to %(last)d are not converted") % {
        "first": refused.first_row,
        "last": refused.last_row,
    }


def _note_line(note: Note) -> str:
    text = _(
        "row %(row)d, column %(column)s: note: %(check)s is recorded as %(recorded)s, "
        "recomputed %(recomputed)s"
    )
    return text % (note._asdict() | {"recomputed": said(note.recomputed, _)})


def _problem_object(problem: Problem, refused: Refused) -> dict[str, Any]:
    rows = {"first": refused.first_row, "last": refused.last_row}
    fields = {name: value for name, value in problem._asdict().items() if value is not None}
    return fields | {"rows": rows}


def _as_json(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _line(file: IO[str] | None, line: str) -> None:
    if file is not None:
        file.write(line + "\n")


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - closed below, whatever happens
    except OSError as error:
        text = Phrase("{path} cannot be opened: {reason}", path=name, reason=why(error))
        raise _Unusable(text) from error
    with stream:
        yield stream


@contextmanager
def _written(path: Path | None, otherwise: IO[str] | None = None) -> Iterator[IO[str] | None]:
    """A file that appears whole or not at all, so that nobody reads half a conversion."""
    if path is None:
        yield otherwise
        return
    if path.is_dir():
        raise _unwritable(path, Phrase("it is a folder"))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise _unwritable(path, why(error)) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        # mkstemp makes files for their owner only; this one is as public as any other output.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _unwritable(path: Path, reason: str) -> _Unusable:
    return _Unusable(Phrase("{path} cannot be written: {reason}", path=str(path), reason=reason))
