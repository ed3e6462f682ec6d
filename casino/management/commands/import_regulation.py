"""``manage.py import_regulation FILE --rulebook pt --by STAFF``: a rulebook's official text."""

from argparse import ArgumentParser
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino import clock
from casino.events import Malformed
from casino.events.phrases import said
from casino.importing import regulation_texts
from casino.law.rulebook.rulebook_file import rulebook_ids
from casino.law.text.legal_text import Text
from casino.management.ending import ends_with
from casino.queries import office_at
from casino.reading.file_trouble import why
from casino.recording import Actor, Refused

REFUSED: Final = 2


class Command(BaseCommand):
    """Ends with 0 where the text is stored, now or before; else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Store the official text of a rulebook. A file that is in force already changes nothing.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/law.md explains it."""
        parser.add_argument("file", type=Path, help=_("the text, as UTF-8"))
        parser.add_argument("--rulebook", required=True, help=", ".join(rulebook_ids()))
        parser.add_argument(
            "--by",
            metavar="STAFF",
            required=True,
            help=_("the staff number of whoever brings it: the chefia da sala or an inspector"),
        )
        parser.add_argument(
            "--in-force",
            type=date.fromisoformat,
            metavar="DATE",
            help=_("the day from which it holds (default: it has always held)"),
        )
        parser.add_argument("--title", default="", help=_("the act and its number"))

    def handle(self, *args: object, **options: Any) -> None:
        """Read it, store it, say what it has and what could not be placed."""
        with ends_with(REFUSED):
            content = _content(options["file"])
            rulebook, day = options["rulebook"], options["in_force"]
            before = regulation_texts.already(sha256(content).hexdigest(), rulebook, day)
            if before is not None:
                again = _("stored already: entry %(n)s of %(stream)s")
                self.stdout.write(again % {"n": before.n, "stream": before.stream})
                return
            office = office_at(options["by"], clock.now())
            if office is None:
                none = _("%(staff)s holds no office at this moment; whoever imports holds one")
                raise CommandError(none % {"staff": options["by"]}, returncode=REFUSED)
            try:
                receipt, text = regulation_texts.receive(
                    content,
                    rulebook=rulebook,
                    title=options["title"],
                    in_force=day,
                    by=Actor(options["by"], office, "import"),
                )
            except (Malformed, Refused) as error:
                raise CommandError(said(error.reason, _), returncode=REFUSED) from error
        self.stdout.write(
            _("stored: entry %(n)s of %(stream)s") % {"n": receipt.n, "stream": receipt.stream}
        )
        self._sum_up(text)

    def _sum_up(self, text: Text) -> None:
        found = ngettext("%(n)s article", "%(n)s articles", len(text.articles))
        self.stdout.write(found % {"n": len(text.articles)})
        if text.missing():
            self.stdout.write(_("numbers missing: %(all)s") % {"all": ", ".join(text.missing())})
        for span in text.unplaced:
            line = text.source.count("\n", 0, span.start) + 1
            unplaced = _("not placed, line %(line)s: %(words)s")
            self.stdout.write(unplaced % {"line": line, "words": text.words_at(span)})


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        text = _("%(path)s cannot be opened: %(reason)s")
        values = {"path": path, "reason": said(why(error), _)}
        raise CommandError(text % values, returncode=REFUSED) from error
