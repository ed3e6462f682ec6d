"""``manage.py law_text --rulebook pt [FILE]``: an official text held against its rulebook; and
``law_text changes [OLD [NEW]]``, ``law_text amend ACT [CONSOLIDATED]``, ``law_text expiry``.
"""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError
from django.utils.translation import gettext as _

from casino.events import Malformed
from casino.events.phrases import said
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import law_of_file, load_law, rulebook_ids
from casino.law.text.amending_act import read_act
from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text
from casino.law.text.text_review import figures_of_text, languages_of, reviewed
from casino.management.command_days import a_day
from casino.management.command_files import content_of
from casino.management.comparison_lines import another_text, as_json, lines_of, summary_of
from casino.management.ending import ends_with
from casino.management.text_actions import (
    Answer,
    amended,
    changed,
    expired,
    figure_lines,
    not_understood,
    written,
)
from casino.reading.file_trouble import why

Options = Mapping[str, Any]
DIFFERENT: Final = 1
UNUSABLE: Final = 2


ACTIONS: Final = {"changes": (0, 2), "amend": (1, 2), "expiry": (0, 0)}  # files: least, most


class Command(BaseCommand):
    """Ends with 0 where there is nothing to be looked at, with 1 where there is, else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Hold an official text against its rulebook, article by article.")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        """The parser, which takes options before, between and behind the files."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.parse_args = parser.parse_intermixed_args  # type: ignore[method-assign]
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/law.md explains it."""
        asked = _("changes, amend or expiry, and files; or one text (default: the one in force)")
        parser.add_argument("asked", nargs="*", metavar="ACTION FILE", help=asked)
        parser.add_argument("--rulebook", required=True, help=", ".join(rulebook_ids()))
        parser.add_argument("--on", type=a_day, metavar="DATE", help=_("the day (default: today)"))
        in_force = _("of an act that says no day: from when it holds")
        parser.add_argument("--in-force", type=a_day, metavar="DATE", help=in_force)
        output = _("the folder into which what an act makes is written")
        parser.add_argument("--output", type=Path, metavar="FOLDER", help=output)
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))

    def handle(self, *args: object, **options: Any) -> None:
        """Read, compare, list."""
        with ends_with(UNUSABLE):
            day = options["on"] or gaming_day_now()
            action, files = _asked(options["asked"])
            try:
                law = self._law(options["rulebook"])
                answer = _ACTIONS[action](law, files, day, options)
            except LawError as error:
                raise CommandError(error.text(_), returncode=UNUSABLE) from error
            except OSError as error:
                raise CommandError(said(why(error), _), returncode=UNUSABLE) from error
        if options["json"]:
            named = {"rulebook": law.id, "day": day.isoformat(), **answer.value}
            self.stdout.write(json.dumps(named, ensure_ascii=False, indent=2))
        else:
            for line in answer.lines:
                self.stdout.write(line)
        if answer.different:
            raise SystemExit(DIFFERENT)

    def _law(self, rulebook: str) -> Law:
        """A rulebook with the figures set in the book; where there is no database, without."""
        try:
            return load_law(rulebook)
        except OperationalError:
            self.stderr.write(_("The book cannot be asked: figures set in it are left out."))
            return law_of_file(rulebook)


def _asked(words: Sequence[str]) -> tuple[str, list[Path]]:
    """The action, "" of none, and the files. Raises: CommandError."""
    action = words[0] if words and words[0] in ACTIONS else ""
    files = [Path(one) for one in words[bool(action) :]]
    if files and not action and not files[0].exists() and (len(files) > 1 or not files[0].suffix):
        unknown = _("«%(word)s» is neither a file nor an action (%(actions)s).")
        unknown %= {"word": words[0], "actions": ", ".join(ACTIONS)}
        raise CommandError(unknown, returncode=UNUSABLE)
    least, most = ACTIONS.get(action, (0, 1))
    if not least <= len(files) <= most:
        values = {"found": len(files), "least": least, "most": most}
        files_wrong = _("found %(found)d files; asked are %(least)d to %(most)d.") % values
        raise CommandError(files_wrong, returncode=UNUSABLE)
    return action, files


def _compare(law: Law, files: list[Path], day: date, _options: Options) -> Answer:
    text = _text(files[0] if files else None, law.id, day)
    review = reviewed(text, law, day)
    found = review.comparison
    asked = figures_of_text(text, law, day)
    value = {
        "sha256": text.sha256,
        "language": text.language,
        "articles": len(text.articles),
        **as_json(found, law),
    }
    different = bool(found.differences or found.unwritten)
    lines = (
        *another_text(review),
        *lines_of(found, law),
        *figure_lines(asked),
        *summary_of(found),
    )
    return Answer(lines, value | {"figures": asked}, different)


def _changes(law: Law, files: list[Path], day: date, _options: Options) -> Answer:
    """Between two files; what is stored and a file; the last two stored."""
    if files:
        after = _text(files[-1], law.id, day)
        before = _text(files[0] if len(files) == 2 else None, law.id, day)
        return changed(law, before, after, day)
    rows = list(regulation_texts.texts_of(law.id))
    earlier = regulation_texts.before(rows, rows[0]) if rows else None
    texts = [regulation_texts.text_of(row) for row in (earlier, rows[0]) if row] if rows else []
    there = [text for text in texts if text is not None]
    if len(there) < 2:
        none = _("No two texts of %(rulebook)s are stored: name a file.") % {"rulebook": law.id}
        raise CommandError(none, returncode=UNUSABLE)
    return changed(law, there[0], there[1], day)


def _amend(law: Law, files: list[Path], day: date, options: Options) -> Answer:
    try:
        act = read_act(content_of(files[0], UNUSABLE), next(iter(languages_of(law)), ""))
    except Malformed as error:
        raise CommandError(said(error.reason, _), returncode=UNUSABLE) from error
    begins = options["in_force"] or act.in_force
    if begins is None:
        none = _("The act says no day from which it holds: say it with --in-force.")
        raise CommandError("\n".join([*not_understood(act), none]), returncode=UNUSABLE)
    base = _text(None, law.id, begins - timedelta(days=1))
    consolidated = _text(files[1], law.id, day) if len(files) == 2 else None
    answer = amended(law, base, act, begins, consolidated)
    if options["output"] is None:
        return answer
    files = written(answer, options["output"], law.id)
    return answer._replace(lines=(*answer.lines, *map(str, files)))


def _expiry(law: Law, _files: list[Path], day: date, _options: Options) -> Answer:
    return expired(law, day, settings.HOUSE_DEADLINES["figures"])


_ACTIONS: Final = {"": _compare, "changes": _changes, "amend": _amend, "expiry": _expiry}


def _text(file: Path | None, rulebook: str, day: date) -> Text:
    if file is not None:
        try:
            return read_text(content_of(file, UNUSABLE))
        except Malformed as error:
            raise CommandError(said(error.reason, _), returncode=UNUSABLE) from error
    row = regulation_texts.in_force_on(rulebook, day)
    text = None if row is None else regulation_texts.text_of(row)
    if text is None:
        none = _("No official text of %(rulebook)s is stored for that day: name a file.")
        raise CommandError(none % {"rulebook": rulebook}, returncode=UNUSABLE)
    return text
