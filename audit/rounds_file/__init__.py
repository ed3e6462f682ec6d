"""Reconciling a file of rounds: read in parts, judged in parallel, what was found written down.

`run.py` leads: a `source` gives parts, a `crew` of workers judges them with `judging`, `seen` knows
the rounds already read, casino's ShoeWatch looks across them, a `tally` counts, `listing` writes.
Nothing here touches a database or knows Django; docs/reconcile-file.md is the user's page.
"""

from collections.abc import Iterable

from casino.events.phrases import Phrase


class Unusable(Exception):
    """The input or the run as a whole cannot be used: nothing after this point was judged.

    `reason` is a `Phrase`: a door that speaks another language says it so. `there` lists what could
    have been named instead of what was, if that is the trouble.
    """

    there: tuple[str, ...] = ()

    def __init__(self, reason: str, /, **values: str | int) -> None:
        self.reason = Phrase(reason, **values)
        super().__init__(self.reason)

    @classmethod
    def because(cls, reason: Phrase) -> "Unusable":
        """The same for a reason already put into words."""
        return cls(reason.template, **reason.values)

    def naming(self, there: Iterable[str]) -> "Unusable":
        """The same with the names that exist, in alphabetical order."""
        self.there = tuple(sorted(there))
        return self
