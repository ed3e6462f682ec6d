"""``manage.py import_regulation FILE --rulebook pt --by STAFF``: a rulebook's official text."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino import clock
from casino.events import Malformed
from casino.events.phrases import said
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Text
from casino.law.text.text_review import reviewed
from casino.management.command_days import a_day
from casino.management.command_files import content_of
from casino.management.comparison_lines import difference_line
from casino.management.ending import ends_with
from casino.queries import office_at
from casino.recording import Actor, Refused
from casino.web.words.languages import NAMES

REFUSED: Final = 2


class Command(BaseCommand):
    """Ends with 0 where the text is stored, now or before; else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Store the official text of a rulebook. One stored already changes nothing.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/law.md explains it."""
        parser.add_argument("file", type=Path, help=_("the text, as UTF-8"))
        parser.add_argument("--rulebook", required=True, help=", ".join(rulebook_ids()))
        parser.add_argument(
            "--by",
            metavar="STAFF",
            default="",
            help=_("the staff number of whoever brings it: the chefia da sala or an inspector"),
        )
        parser.add_argument(
            "--in-force",
            type=a_day,
            metavar="DATE",
            help=_("the day from which it holds (default: it has always held)"),
        )
        parser.add_argument("--title", default="", help=_("the act and its number"))
        parser.add_argument(
            "--check", action="store_true", help=_("read it and say what it has; store nothing")
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Read it, store it, say what it has and what could not be placed."""
        with ends_with(REFUSED):
            content = content_of(options["file"], REFUSED)
            rulebook, day = options["rulebook"], options["in_force"]
            try:
                ready = regulation_texts.prepared(
                    content, rulebook=rulebook, title=options["title"], in_force=day
                )
                if options["check"]:
                    self.stdout.write(_("checked; nothing is stored"))
                else:
                    self._store(content, ready, options["by"])
                self._sum_up(ready.text, load_law(rulebook), day)
            except (Malformed, Refused) as error:
                raise CommandError(said(error.reason, _), returncode=REFUSED) from error
            except LawError as error:
                raise CommandError(error.text(_), returncode=REFUSED) from error

    def _store(self, content: bytes, ready: regulation_texts.Prepared, by: str) -> None:
        if not by:
            missing = _("--by is missing: the staff number of whoever brings it")
            raise CommandError(missing, returncode=REFUSED)
        event = ready.event
        before = regulation_texts.already(event.file_sha256, event.rulebook, event.in_force)
        if before is not None:
            again = _("stored already: entry %(n)s of %(stream)s")
            self.stdout.write(again % {"n": before.n, "stream": before.stream})
            return
        office = office_at(by, clock.now())
        if office is None:
            none = _("%(staff)s holds no office at this moment; whoever imports holds one")
            raise CommandError(none % {"staff": by}, returncode=REFUSED)
        receipt, _text = regulation_texts.receive(
            content,
            rulebook=event.rulebook,
            title=event.title,
            in_force=event.in_force,
            by=Actor(by, office, "import"),
        )
        stored = _("stored: entry %(n)s of %(stream)s")
        self.stdout.write(stored % {"n": receipt.n, "stream": receipt.stream})

    def _sum_up(self, text: Text, law: Law, day: date | None) -> None:
        today = gaming_day_now()
        review = reviewed(text, law, max(day or today, today))
        self.stdout.write(
            _("language: %(language)s")
            % {"language": NAMES.get(text.language) or _("not recognised")}
        )
        if review.other_language:
            self.stdout.write(_("WARNING: that is not the language of this rulebook"))
        articles = ngettext("%(n)s article", "%(n)s articles", len(text.articles))
        self.stdout.write(articles % {"n": len(text.articles)})
        sections = ngettext("%(n)s section", "%(n)s sections", len(text.sections))
        self.stdout.write(sections % {"n": len(text.sections)})
        if review.absent:
            absent = _("WARNING: articles of the rulebook that are not in the text: %(all)s")
            self.stdout.write(absent % {"all": ", ".join(review.absent_runs)})
        if text.missing():
            self.stdout.write(_("numbers missing: %(all)s") % {"all": ", ".join(text.missing())})
        for span in text.unplaced:
            line = text.source.count("\n", 0, span.start) + 1
            unplaced = _("not placed, line %(line)s: %(words)s")
            self.stdout.write(unplaced % {"line": line, "words": text.words_at(span)})
        if review.differing is None:
            self.stdout.write(_("the numbers of this rulebook have not been bound to parameters"))
        else:
            for one in review.differing:
                self.stdout.write(difference_line(one))
            others = _("other numbers to be looked at (law_text lists them): %(n)d")
            self.stdout.write(others % {"n": len(review.others or ())})
