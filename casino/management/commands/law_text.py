"""``manage.py law_text --rulebook pt [FILE]``: an official text held against its rulebook."""

import json
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.events import Malformed
from casino.events.phrases import said
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text
from casino.law.text.text_comparison import compared
from casino.management.command_days import a_day
from casino.management.comparison_lines import as_json, lines_of, summary_of
from casino.management.ending import ends_with
from casino.reading.file_trouble import why

DIFFERENT: Final = 1
UNUSABLE: Final = 2


class Command(BaseCommand):
    """Ends with 0 where text and rulebook agree and all is bound, with 1 where not, else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Hold an official text against its rulebook, article by article.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/law.md explains it."""
        parser.add_argument(
            "file", type=Path, nargs="?", help=_("the text (default: the stored one in force)")
        )
        parser.add_argument("--rulebook", required=True, help=", ".join(rulebook_ids()))
        parser.add_argument("--on", type=a_day, metavar="DATE", help=_("the day (default: today)"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))

    def handle(self, *args: object, **options: Any) -> None:
        """Read, compare, list."""
        with ends_with(UNUSABLE):
            day = options["on"] or gaming_day_now()
            try:
                law = load_law(options["rulebook"])
                text = _text(options["file"], law.id, day)
                found = compared(text, law, day)
            except LawError as error:
                raise CommandError(error.text(_), returncode=UNUSABLE) from error
        if options["json"]:
            answer = {
                "rulebook": law.id,
                "day": day.isoformat(),
                "sha256": text.sha256,
                "articles": len(text.articles),
                **as_json(found, law),
            }
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))
        else:
            for line in (*lines_of(found, law), *summary_of(found)):
                self.stdout.write(line)
        if found.differences or found.unwritten:
            raise SystemExit(DIFFERENT)


def _text(file: Path | None, rulebook: str, day: date) -> Text:
    if file is not None:
        try:
            return read_text(content_of(file))
        except Malformed as error:
            raise CommandError(said(error.reason, _), returncode=UNUSABLE) from error
    row = regulation_texts.in_force_on(rulebook, day)
    text = None if row is None else regulation_texts.text_of(row)
    if text is None:
        none = _("No official text of %(rulebook)s is stored for that day: name a file.")
        raise CommandError(none % {"rulebook": rulebook}, returncode=UNUSABLE)
    return text


def content_of(file: Path) -> bytes:
    """The bytes of a file of the command line. Raises: CommandError, where it cannot be opened."""
    try:
        return file.read_bytes()
    except OSError as error:
        values = {"path": file, "reason": said(why(error), _)}
        refused = _("%(path)s cannot be opened: %(reason)s") % values
        raise CommandError(refused, returncode=UNUSABLE) from error
