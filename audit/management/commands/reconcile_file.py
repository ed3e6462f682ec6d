"""`manage.py reconcile_file`: a file of rounds before the law. docs/reconcile-file.md explains it.

Ends with 0 where every line was read and nothing found, 1 where there are findings, 2 where a line
was refused or the run could not be done. Never touches the database.
"""

import os
import shutil
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.management.reading_options import in_full, reading_named, worded
from audit.rounds_file import Unusable
from audit.rounds_file.explaining import SHORTEST, found_in
from audit.rounds_file.file_report import Report
from audit.rounds_file.file_wording import Wording, one_line
from audit.rounds_file.judge_lines import MONEY, PLAY, UNDECIDED_LIST, Judge
from audit.rounds_file.laws import Laws, book_named
from audit.rounds_file.line_source import Source
from audit.rounds_file.listing import FORMATS, Cites, Csv, JsonLines, Listing, Table
from audit.rounds_file.output import Destination, ToFile, ToStream
from audit.rounds_file.progress import Progress
from audit.rounds_file.recorded_entries import sets_of
from audit.rounds_file.run import Run
from audit.rounds_file.summary import summary_of, summary_text
from audit.rounds_file.tally import Tally
from casino.events.phrases import Phrase
from casino.law.rulebook.law_text import LawError
from casino.reading.file_trouble import why
from casino.reading.refusal import Refused

FINDINGS, NOT_COMPLETE = 1, 2
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143  # as a shell says of a program so ended
LISTS: Final = {
    "money": {MONEY},
    "play": {PLAY},
    "undecided": {UNDECIDED_LIST},
    "all": {MONEY, PLAY, UNDECIDED_LIST},
}
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}


class Command(BaseCommand):
    """Reconciles one file of rounds."""

    requires_system_checks = []  # noqa: RUF012 - as Django declares it; no check may need a database

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Judge every round of a file under a rulebook and list what was found.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/reconcile-file.md explains it."""
        add = parser.add_argument
        add("file", metavar="FILE", help=_("rounds as JSON Lines, or - for standard input"))
        add(
            "--rulebook",
            metavar="ID|FILE.toml",
            help=_("judge every round under this one, whatever rulebook the records name"),
        )
        add(
            "--reading",
            action="append",
            default=[],
            type=reading_named,
            metavar="ID=CHOICE",
            help=_("take a reading otherwise than the rulebook adopts it (repeatable)"),
        )
        add(
            "--figures-of",
            metavar="COPY",
            help=_("a copy of the book: judge with the figures two persons set in it"),
        )
        add("--format", choices=FORMATS, default="table", help=_("how to write the findings"))
        add(
            "--list",
            action="append",
            choices=sorted(LISTS),
            help=_("what to list (repeatable); without it money and play"),
        )
        add("--not-decidable", action="store_true", help=_("list undecided wagers as well"))
        add("--output", metavar="FILE", help=_("write the list there; the screen has the summary"))
        add("--all-or-nothing", action="store_true", help=_("no list if any line is refused"))
        add("--explain", metavar="ROUND", help=_("explain one round, given its id or its end"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))
        add("--workers", type=_workers, metavar="N", help=_("processes; without it one a core"))
        add("--no-progress", action="store_true", help=_("no progress line on a terminal"))

    def handle(self, *args: object, **options: Any) -> None:
        """Reconcile, and end with the right number."""
        with translation.override(LANGUAGES[options["language"]]), _terminated_tidily():
            try:
                code = _Reconciling(self, options).go()
                self.stdout.flush()
            except BrokenPipeError:
                _forget_standard_output()
                code = PIPE_CLOSED
            except KeyboardInterrupt:
                code = INTERRUPTED
            except Unusable as unusable:
                self._flush_or_forget()
                raise CommandError(in_full(unusable), returncode=NOT_COMPLETE) from unusable
            except LawError as error:
                raise CommandError(one_line(error.text(_)), returncode=NOT_COMPLETE) from error
            except OSError as error:
                _forget_standard_output()
                trouble = Unusable(
                    "{path} cannot be written: {reason}",
                    path=error.filename or Phrase("standard output"),
                    reason=why(error),
                )
                raise CommandError(worded(trouble), returncode=NOT_COMPLETE) from error
        if code:
            sys.exit(code)

    def _flush_or_forget(self) -> None:
        try:
            self.stdout.flush()
        except OSError:
            _forget_standard_output()


class _Reconciling:
    """One call of the command."""

    def __init__(self, command: BaseCommand, options: dict[str, Any]) -> None:
        self.command = command
        self.options = options
        self.wording = Wording(_, options["language"])
        book = options["rulebook"]
        copy = options["figures_of"]
        self.laws = Laws(
            None if book is None else book_named(book),
            dict(options["reading"]),
            () if copy is None else sets_of(Path(copy)),
        )

    def go(self) -> int:
        """Do what was asked; returns the number to end with."""
        self.laws.check()
        source = self._source()
        try:
            if self.options["explain"] is not None:
                return self._explain(source)
            return self._reconcile(source)
        finally:
            source.close()

    def _reconcile(self, source: Source) -> int:
        options = self.options
        wanted = {name for chosen in options["list"] or ("money", "play") for name in LISTS[chosen]}
        if options["not_decidable"]:
            wanted.add(UNDECIDED_LIST)
        destination = self._destination(source)
        report = None
        try:
            report = Report(
                self._listing(),
                destination,
                frozenset(wanted),
                self.wording,
                self._progress(source),
                self._warn,
                options["all_or_nothing"],
            )
            judge = Judge(self.laws, list_undecided=UNDECIDED_LIST in wanted)
            workers = options["workers"] or os.cpu_count() or 1
            return self._run(source, Run(judge, report, workers), report)
        except BaseException:
            (report or destination).abandon()
            raise

    def _run(self, source: Source, run: Run, report: Report) -> int:
        why = None
        try:
            run.over(source)
        except Unusable as unusable:
            why = worded(unusable)
        tally = run.tally
        summary = summary_of(tally, self.laws, why)
        to_file = self.options["output"] is not None
        nothing = why is not None or (tally.refused and self.options["all_or_nothing"])
        if to_file and nothing:
            report.abandon()
        else:
            report.conclude(summary)
        if to_file:
            self._say(summary_text(summary, self.wording))
        self._warn_of(tally, why, to_file and bool(nothing))
        if why is not None or tally.refused:
            return NOT_COMPLETE
        return FINDINGS if tally.found else 0

    def _warn_of(self, tally: Tally, why: str | None, not_written: bool) -> None:
        if why is not None:
            self._warn(why)
        elif tally.refused and not tally.rounds:
            self._warn(_("No line could be read as a round. For a CSV file see convert_rounds."))
        if not_written:
            self._warn(_("{file} was not written.").format(file=self.options["output"]))

    def _explain(self, source: Source) -> int:
        from casino.law.wording.explain import explain

        wanted = self.options["explain"]
        if len(wanted) < SHORTEST:
            raise Unusable("give at least the last {least} signs of the round", least=SHORTEST)
        refused: list[Refused] = []
        for found in found_in(source, wanted, self.laws):
            if isinstance(found, Refused):
                refused.append(found)
                continue
            record, law = found
            lines = explain(record, law, _, self.options["language"])
            self._say("".join(f"{line}\n" for line in lines))
            return 0
        for refusal in refused:
            self._warn(self.wording.refusal(refusal))
        raise Unusable("no round of this file is called {round}", round=wanted)

    def _source(self) -> Source:
        file = self.options["file"]
        if file != "-":
            return Source(file)
        if sys.stdin is None:
            raise Unusable("standard input is closed")
        return Source(None, sys.stdin.buffer)

    def _destination(self, source: Source) -> Destination:
        path = self.options["output"]
        return ToStream(_Screen(self.command)) if path is None else ToFile(path, source)

    def _listing(self) -> Listing:
        how, screen = self.options["format"], self.options["output"] is None
        if screen:
            _speak_utf8(strictly=how != "table")
        if how == "table":
            wide = shutil.get_terminal_size().columns
            fits = screen and self.command.stdout.isatty()
            numbers = {article for law in self.laws.used.values() for article in law.articles}
            longest = max([4, *map(len, numbers)])
            return Table(self.wording, wide if fits else None, longest)
        return (JsonLines if how == "jsonl" else Csv)(self.wording, self._cites())

    def _cites(self) -> Cites:
        return Cites(lambda book: self.laws.called(book).cites, self._instrument)

    def _instrument(self, rulebook: str) -> str:
        known = self.laws.called(rulebook).instrument
        return "" if known is None else known.cited(self.wording.language)

    def _progress(self, source: Source) -> Progress:
        watched = sys.stderr is not None and sys.stderr.isatty()
        quiet = self.options["no_progress"] or not watched
        return Progress(None if quiet else sys.stderr, source.size)

    def _say(self, text: str) -> None:
        self.command.stdout.write(text, ending="")

    def _warn(self, text: str) -> None:
        try:
            self.command.stderr.write(one_line(text))
        except OSError:
            return  # nobody listens; what counts is recorded by the exit code too


class _Screen:
    """Standard output as the command has it, without lines of its own."""

    def __init__(self, command: BaseCommand) -> None:
        self._command = command

    def write(self, text: str, /) -> None:
        self._command.stdout.write(text, ending="")

    def flush(self) -> None:
        self._command.stdout.flush()


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise ArgumentTypeError(_("the number of workers is 1 to 64"))
    return int(text)


def _speak_utf8(strictly: bool) -> None:
    """JSON and CSV are UTF-8 whatever the terminal speaks; a table does what the terminal can."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(**({"encoding": "utf-8"} if strictly else {"errors": "replace"}))


def _forget_standard_output() -> None:
    """Python flushes it once more at its end; what cannot be written then would be an error."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@contextmanager
def _terminated_tidily() -> Iterator[None]:
    """Make SIGTERM end the run as Ctrl-C does: workers gone, no half file left."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(TERMINATED)

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not the main thread: whoever runs this looks after signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
