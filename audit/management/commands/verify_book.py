"""``manage.py verify_book``: the book verified where it lies, from its first entry to its last.

Reads everything and writes nothing: every entry, place, tile, root, checkpoint, stream, row of a
projection, private value and file, and the guards around them. The nightly job does the same in
parts and writes what it finds into the book.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils.translation import gettext as _
from django.utils.translation import override

from audit.rounds_file.file_wording import one_line
from audit.rounds_file.progress import Progress
from audit.verifier.notes import Policy, read_checkpoint
from audit.verifying.problem_texts import proof, sentence
from audit.verifying.problems import Gravity, Problem, gravity_of
from audit.verifying.walking import Verification

FORMAT: Final = "livro-da-sala-verification/1"
MOST: Final = 1_000_000  # bytes of a policy or a checkpoint


class Command(BaseCommand):
    """Ends with 0 where nothing contradicts the book, 1 where something was altered, 2 where
    nothing was but not everything could be looked at, 3 where what was brought cannot be read or
    the command itself failed: then nothing can be said of the book.
    """

    help = "Verifies the whole book: entries, tree, seal, shelves, private values, guards."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument(
            "--no-shelves", action="store_true", help="leave the shelves out (`rebuild --check`)"
        )
        parser.add_argument(
            "--older-checkpoint",
            action="append",
            default=[],
            metavar="FILE",
            help="a signed checkpoint somebody kept: the book must still hold all of it",
        )
        parser.add_argument(
            "--policy", metavar="FILE", help="the keys to believe (default: the published ones)"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
        parser.add_argument("--language", choices=("pt", "en"), default="pt")

    def handle(self, *args: object, **options: object) -> None:
        """Verify, and say what was found."""
        try:
            verdict = self._verify(options)
        except CommandError:
            raise
        except Exception as trouble:
            with override("en" if options["language"] == "en" else "pt-pt"):
                said = _("Nothing can be said of the book: the verification itself failed. {what}")
                what = one_line(f"{type(trouble).__name__}: {trouble}")
                raise CommandError(said.format(what=what), returncode=3) from trouble
        if verdict:
            raise SystemExit(verdict)

    def _verify(self, options: dict[str, Any]) -> int:
        # Everything is read in order, and some of it is large.
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', '10min', false)")
        verification = Verification(
            projections=not options["no_shelves"],
            policy=_policy(options["policy"]) if options["policy"] else "",
            older=[(name, _checkpoint(name)) for name in options["older_checkpoint"]],
        )
        with override("en" if options["language"] == "en" else "pt-pt"):
            self._go(verification)
            if options["json"]:
                self.stdout.write(json.dumps(_as_json(verification), ensure_ascii=False, indent=1))
            else:
                self._say(verification, own_keys=bool(options["policy"]))
        return verification.report.verdict

    def _go(self, verification: Verification) -> None:
        stream = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        line = Progress(stream, verification.total)
        verification.go(float("inf"), lambda now: line.reached(now.done, now.done))
        line.clear()

    def _say(self, verification: Verification, *, own_keys: bool) -> None:
        report = verification.report
        for problem in report.problems:
            word = {"problem": _("PROBLEM"), "unseen": _("NOT SEEN"), "note": _("note")}
            said = f"{word[gravity_of(problem.code)]} {_place(problem)}{sentence(problem)}"
            self.stdout.write(one_line(said))
        unrecorded = sum(report.counts.values()) - len(report.problems)
        if unrecorded:
            self.stdout.write(_("... and {count} more").format(count=unrecorded))
        self.stdout.write(
            _("{entries} entries read, {size} of them in the tree; root {root}").format(
                entries=verification.entries, size=verification.size, root=verification.root or "–"
            )
        )
        verdicts = (
            proof(verification.size, verification.held, own_keys=own_keys),
            _("ALTERED: {count} problems.").format(count=report.count()),
            _("NOT ALL WAS SEEN: nothing was altered as far as could be looked at."),
        )
        self.stdout.write(verdicts[report.verdict])


def _place(problem: Problem) -> str:
    """Where: ``table/BJ-06 12 (index 40): ``, as far as it is known."""
    stream = f"{problem.stream} {problem.n if problem.n is not None else ''}".strip()
    index = "" if problem.index is None else _("(index {index})").format(index=problem.index)
    entry = problem.entry if problem.stream is None and problem.entry else ""
    text = " ".join(part for part in (stream if problem.stream else "", index, entry or "") if part)
    return f"{text}: " if text else ""


def _as_json(verification: Verification) -> dict[str, object]:
    report = verification.report

    def value(gravity: Gravity) -> list[dict[str, object]]:
        return [each.as_json() | {"sentence": sentence(each)} for each in report.of(gravity)]

    return {
        "format": FORMAT,
        "verdict": report.verdict,
        "size": verification.size,
        "root": verification.root,
        "entries": verification.entries,
        "phases": [phase.name for phase in verification.phases],
        "counts": report.counts,
        "problems": value("problem"),
        "unseen": value("unseen"),
        "notes": value("note"),
    }


def _policy(name: str) -> str:
    """A list of keys. Raises: CommandError."""
    text = _read(name)
    try:
        Policy(text.encode())
    except ValueError as trouble:
        said = _("{name}: no policy (list of keys): a line for each key, and a quorum.")
        raise CommandError(said.format(name=name), returncode=3) from trouble
    return text


def _checkpoint(name: str) -> str:
    """A checkpoint that was kept. Raises: CommandError."""
    text = _read(name)
    try:
        read_checkpoint(text.encode())
    except ValueError as trouble:
        said = _("{name}: no checkpoint: three lines, an empty line and signatures.")
        raise CommandError(said.format(name=name), returncode=3) from trouble
    return text


def _read(name: str) -> str:
    """What was kept, however mail or an editor ended its lines."""
    try:
        text = Path(name).read_bytes()[:MOST].decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as trouble:
        raise CommandError(f"{name}: {trouble}", returncode=3) from trouble
    return text
