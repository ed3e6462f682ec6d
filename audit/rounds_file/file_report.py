"""Telling what a run finds: rows to the listing, refusals to whoever watches, at last a summary."""

from collections.abc import Callable
from typing import Final

from audit.rounds_file.file_wording import Wording
from audit.rounds_file.judge_lines import Row
from audit.rounds_file.listing import Listing
from audit.rounds_file.output import Destination, Held
from audit.rounds_file.progress import Progress
from audit.rounds_file.tally import Summary, Tally
from casino.reading.refusal import Refused

REFUSALS_SHOWN: Final = 100
Warn = Callable[[str], None]


class Report:
    """One run's output. With `all_or_nothing` no row is shown once a line was refused.

    `wanted` are the lists to be written down (``money``, ``play``, ``undecided``); `warn` takes
    one line for the person who started the run.
    """

    def __init__(
        self,
        listing: Listing,
        destination: Destination,
        wanted: frozenset[str],
        wording: Wording,
        progress: Progress,
        warn: Warn,
        all_or_nothing: bool = False,
    ) -> None:
        self._listing = listing
        self._held = Held(destination) if all_or_nothing else None
        self._destination: Destination = self._held or destination
        self._wanted = wanted
        self._wording = wording
        self._progress = progress
        self._warn = warn
        self._refused = 0
        self._only_refusals = False
        self._destination.write(listing.head())

    def row(self, row: Row) -> None:
        """Write a row down, if its list is wanted."""
        if row["list"] in self._wanted and not self._only_refusals:
            self._destination.write(self._listing.row(row))

    def refused(self, refused: Refused) -> None:
        """Say that a line was refused; the first hundred one by one, all of them in the listing."""
        self._keep_rows_back()
        self._refused += 1
        if self._refused <= REFUSALS_SHOWN:
            self._progress.clear()
            self._warn(self._wording.refusal(refused))
        text = self._listing.refused(refused)
        if text:
            self._destination.write(text)

    def reached(self, end: int, tally: Tally) -> None:
        """Show how far the run is."""
        self._progress.reached(end, tally.lines)

    def conclude(self, summary: Summary) -> None:
        """Write the summary and make the output stand."""
        self._progress.clear()
        more = self._refused - REFUSALS_SHOWN
        if more > 0:
            self._warn(self._wording.say("and {more} more lines refused").format(more=more))
        if summary["why_incomplete"]:
            self._keep_rows_back()
        self._destination.write(self._listing.summary(summary))
        self._destination.finish()

    def abandon(self) -> None:
        """Leave nothing behind."""
        self._progress.clear()
        self._destination.abandon()

    def _keep_rows_back(self) -> None:
        if self._held is not None and not self._only_refusals:
            self._only_refusals = True
            self._held.forget()
            self._destination.write(self._listing.head())
