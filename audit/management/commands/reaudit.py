"""`manage.py reaudit COPY SHEET.pdf`: a comparison made again outside the house. docs/bundle.md.

COPY is an evidence pack unpacked, or a bundle; SHEET the sealed sheet of the comparison. The copy
and the sheet's proofs are verified first. Never touches the database.

Ends with 0 where it comes to the sheet's digest (or another question was asked, and answered), 1
where it does not or something was altered, 2 where something is missing, 3 for bad input.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.management.reading_options import add_taken_otherwise, taken_otherwise
from audit.reconcile.compare_laws import article_order
from audit.reconcile.comparison_sums import moved
from audit.reports.packs.reaudit_pack import (
    BOOK,
    MadeAgain,
    NotMadeAgain,
    Question,
    Sheet,
    make_again,
    read_sheet,
)
from audit.verifier import command as verifier
from casino.management.command_files import content_of
from casino.management.ending import ends_with
from casino.tlog.canonical import canonical
from casino.web.display.money_and_time import money

SAME, OTHER, MISSING, BAD = 0, 1, 2, 3
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
_ENDS: Final = {"missing": MISSING, "own": MISSING, "no-sheet": BAD, "no-reaudit": BAD}


class Command(BaseCommand):
    """Makes one comparison again."""

    requires_system_checks = []  # noqa: RUF012 - as Django declares it; no check may need a database

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.description = _(
            "Make a comparison under another law again, from a pack and its sealed sheet."
        )
        add = parser.add_argument
        add("copy", type=Path, metavar="PACK", help=_("an unpacked evidence pack, or a copy"))
        add("sheet", type=Path, metavar="SHEET.pdf", help=_("the sealed sheet of the comparison"))
        add("--rulebook", metavar="ID", help=_("by this one; without it as the sheet was asked"))
        add_taken_otherwise(parser)
        add("--output", type=Path, metavar="FILE", help=_("write the whole there, canonical JSON"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        """Verify, judge again, compare, and end with the right number."""
        with translation.override(LANGUAGES[options["language"]]), ends_with(BAD):
            taken = taken_otherwise(options["rulebook"] or "", options, BAD)
            try:
                code = self._go(options, taken)
            except NotMadeAgain as trouble:
                self.stdout.write(_why(trouble))
                code = _ENDS.get(trouble.code, OTHER)
        if code:
            sys.exit(code)

    def _go(self, options: dict[str, Any], taken: dict[str, Any]) -> int:
        copy: Path = options["copy"]
        pdf = content_of(options["sheet"], BAD)
        if not copy.is_dir():
            folder = _("%(path)s is no folder: unpack the pack, and name its folder first.")
            raise CommandError(folder % {"path": copy}, returncode=BAD)
        self.stdout.flush()
        code = verifier.main([str(copy), "--quiet", "--language", options["language"]])
        if code in (OTHER, BAD):
            return code
        inner = copy / BOOK if (copy / BOOK).is_dir() else copy
        sheet = read_sheet(pdf, (inner / "policy").read_bytes())
        question = sheet.asked
        if options["rulebook"]:
            question = Question(options["rulebook"], **taken)
        made_again = make_again(copy, sheet, question)
        if options["output"] is not None:
            options["output"].write_bytes(canonical(made_again.whole))
        for line in _lines(sheet, made_again):
            self.stdout.write(line)
        return self._end(sheet, made_again, same_question=question == sheet.asked)

    def _end(self, sheet: Sheet, made_again: MadeAgain, *, same_question: bool) -> int:
        if not same_question:
            self.stdout.write(_("Another question than the sheet's: nothing is held against it."))
            return SAME
        if made_again.digest != sheet.reaudit["digest"]:
            self.stdout.write(
                _("NOT THE SAME: the sheet {number} says {digest}.").format(
                    number=sheet.number, digest=sheet.reaudit["digest"]
                )
            )
            return OTHER
        if made_again.unnamed:
            text = _("The sheet leaves out findings that stood: reconciler {n}.")
            self.stdout.write(text.format(n=", ".join(map(str, made_again.unnamed[:20]))))
            return OTHER
        text = _("THE SAME as the sealed sheet {number}.")
        self.stdout.write(text.format(number=sheet.number))
        return SAME


def _lines(sheet: Sheet, made_again: MadeAgain) -> Iterator[str]:
    for name in made_again.editions:
        text = _("This program has another edition of the rulebook {rulebook} than the run had.")
        yield text.format(rulebook=name)
    yield _("{games} games, {rounds} rounds judged again.").format_map(
        made_again.whole["looked_at"]
    )
    called = (("now", _("now")), ("then", _("then")), ("differ", _("difference")))
    for of in sorted(made_again.whole["sums"], key=article_order):
        if moved(of):
            for side, word in called:
                yield _line(f"{of['rulebook']} {of['article']}", word, of[side])  # type: ignore[literal-required]
    for side, word in called:
        yield _line(_("all"), word, made_again.whole["whole"][side])
    yield _("Digest: {digest}").format(digest=made_again.digest)


def _line(name: str, side: str, one: dict[str, int]) -> str:
    text = _(
        "{name}, {side}: {findings} findings, {rounds} rounds, {boxes} boxes, {owners} owners;"
        " to players {players}, to the house {house}"
    )
    owed = {"players": money(one["to_players"]), "house": money(one["to_house"])}
    counts = {what: one[what] or "–" for what in ("rounds", "boxes", "owners")}
    return text.format(name=name, side=side, findings=one["findings"], **counts, **owed)


def _why(trouble: NotMadeAgain) -> str:
    words = {
        "no-sheet": _("The file is no sealed sheet of this program."),
        "no-reaudit": _(
            "{number} holds no comparison that can be made again: it is another report, or of a run"
            " of an earlier version."
        ),
        "proof": _("ALTERED: a proof in the sheet does not lead to its checkpoint: {entry}"),
        "another-book": _(
            "The sheet is of another book: no key of this copy signed its checkpoint."
        ),
        "missing": _(
            "MISSING: the entry {entry} is neither in the copy nor in the sheet. Ask for the pack"
            " of the sheet's gaming days."
        ),
        "own": _(
            "MISSING: of the game {game} the copy has {there} entries, and {asked} were judged. Ask"
            " for the pack of the sheet's gaming days."
        ),
    }
    return words[trouble.code].format(**trouble.values)
