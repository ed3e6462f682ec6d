"""`manage.py worked_examples`: every round worked out by hand, judged again, and what came out.

Ends with 0 where all came out as by hand, with 1 where one did not. Never touches the database.
"""

from argparse import ArgumentParser
from itertools import groupby

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.law.round_judge import judge
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids
from casino.law.worked_examples import Example, differences, examples
from casino.reading.round_reader import read_round


class Command(BaseCommand):
    """Judges the worked examples under every rulebook and reading their casebook names."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Judge the rounds worked out by hand, and say where something else came out.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--rulebook",
            choices=rulebook_ids(),
            help=_("only the examples that come from this rulebook"),
        )

    def handle(self, *args: object, **options: object) -> None:
        wanted, unlike = options["rulebook"], 0
        try:
            for file, those in groupby(examples(), key=lambda one: one.file):
                mine = [one for one in those if wanted in (None, one.rulebook)]
                if mine:
                    unlike += self._file(file, mine)
        except LawError as error:
            raise CommandError(error.text(_)) from error
        if unlike:
            raise CommandError(_("%(n)s came out otherwise than by hand") % {"n": unlike})

    def _file(self, file: str, those: list[Example]) -> int:
        """One file's line, and below it what came out otherwise; how much that was."""
        found = [
            (one, result.rulebook, difference)
            for one in those
            for result in one.results
            for difference in differences(
                result,
                judge(
                    read_round(one.record),
                    law_of_file(result.rulebook).with_readings(result.readings),
                ),
            )
        ]
        judged = sum(len(one.results) for one in those)
        said = {"file": file, "rounds": len(those), "n": judged}
        self.stdout.write(_("%(file)s: %(rounds)s rounds, judged %(n)s times") % said)
        for one, book, (what, by_hand, came) in found:
            values = {"round": one.round, "book": book, "what": what}
            values |= {"by_hand": by_hand or "–", "came": came or "–"}
            line = _("  %(round)s, %(book)s, %(what)s: by hand %(by_hand)s, came out %(came)s")
            self.stdout.write(line % values)
        return len(found)
