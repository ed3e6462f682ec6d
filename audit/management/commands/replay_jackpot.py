"""`manage.py replay_jackpot JP-1`: a pool played again from its first entry, at once.

Ends with 0 where the entries make what is kept and nothing stands against the pool, 1 where
something does, 2 where there is no such pool or a replay could not end. Workers of the house help;
without any, the command does all of it. Law: PT art. 41, 43, 44, 50.
"""

import sys
import time
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from audit.models import PoolReplay, PoolReplayRun
from audit.models.audit_jobs import OPEN
from audit.pages.page_words import cited, gravity_word, words
from audit.pools.replaying import POOL_REPLAY
from audit.pools.replays_due import ask_for_replay, pools
from audit.pools.report_replay import pool_findings
from audit.rounds_file.progress import Progress
from casino.web.display.money_and_time import fine_money, money
from jackpot.pages.amount_display import difference

FOUND, NOT_ENDED = 1, 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
PAUSE: Final = 0.2  # seconds between two looks while another has the part in hand


class Command(BaseCommand):
    """Replays one pool, several, or all there are, and waits for the end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Recompute jackpots from their first entry and compare them.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("jackpots", nargs="*", metavar="CODE", help=_("which; without any, all there are"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))
        add("--no-progress", action="store_true", help=_("no progress line on a terminal"))

    def handle(self, *args: object, **options: Any) -> None:
        """Replay, and end with the right number."""
        with translation.override(LANGUAGES[options["language"]]):
            there = pools()
            wanted = list(dict.fromkeys(options["jackpots"])) or there
            for code in wanted:
                if code not in there:
                    raise CommandError(
                        _("no jackpot is called {code}").format(code=code), returncode=NOT_ENDED
                    )
            shown = self.stderr if sys.stderr.isatty() and not options["no_progress"] else None
            found = [self._replay(code, Progress(shown, None)) for code in wanted]  # type: ignore[arg-type]
        if any(found):
            sys.exit(FOUND)

    def _replay(self, code: str, progress: Progress) -> bool:
        """Replay a pool to the end and tell of it; whether anything stands against it."""
        run = ask_for_replay(code)
        try:
            while (row := PoolReplayRun.objects.get(run=run)).state == OPEN:
                if not POOL_REPLAY.do_part(run, row.part):
                    time.sleep(PAUSE)
                progress.reached(row.entries, row.entries)
        except DatabaseError as trouble:
            raise CommandError(f"{code}: {trouble}", returncode=NOT_ENDED) from trouble
        finally:
            progress.clear()
        replay = PoolReplay.objects.get(run=run)
        self.stdout.write(_summary(replay))
        say = words()
        for one in pool_findings(code).order_by("n"):
            where = f"{gravity_word(one.severity, one.rulebook)} {cited(one.rulebook, one.article)}"
            self.stdout.write(f"  {where}: {say.statement(one.check_name)} {say.finding(one)}")
        return bool(replay.problems)


def _summary(replay: PoolReplay) -> str:
    figures = {
        "code": replay.jackpot,
        "entries": number_format(replay.entries, force_grouping=True),
        "made": fine_money(replay.microcents),
        "held": money(replay.held_cents),
        "difference": difference(replay.difference_microcents),
        "misfits": replay.misfits,
        "problems": replay.problems,
    }
    lines = (
        _("{code}: {entries} entries read; the meter runs at {made}, {held} held for wins."),
        _("Difference from what is kept: {difference}. Entries that do not fit: {misfits}."),
        _("Problems: {problems}."),
    )
    return "\n".join(line.format(**figures) for line in lines)
