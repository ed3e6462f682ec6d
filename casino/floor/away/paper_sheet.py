"""A sheet of paper that is being recorded: what every form of its table carries of it.

It stands in the session of whoever records it, bound to its table, and from there in the next form
of that table; what comes of the form happened when the sheet says, and its entries name the sheet.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core import signing

from casino.events import Malformed
from casino.events.event import Paper
from casino.web.words.paper_words import paper_words

PAPER: Final = "paper"  # in a session and in a form
LIES: Final = 3600  # seconds for which a sheet lies on the table
LASTS: Final = 12 * 3600  # seconds for which a form that carries one may be sent
_SALT: Final = "casino.sala.paper"


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One sheet: what its entries keep of it, when it happened (UTC), at which table."""

    paper: Paper
    at: datetime
    table: str

    @property
    def token(self) -> str:
        """The sheet as a form carries it; nobody else can make one."""
        paper = self.paper
        values = [paper.sheet, paper.written_by, paper.why, self.at.isoformat(), self.table]
        return signing.dumps(values, salt=_SALT)

    @property
    def words(self) -> str:
        """Which sheet, who wrote it and why."""
        return paper_words(self)


def sheet_of(token: str, lasts: int = LASTS) -> PaperSheet | None:
    """The sheet of a token; None where it is none, or older than it `lasts` (seconds)."""
    try:
        sheet, by, why, at, table = signing.loads(token, salt=_SALT, max_age=lasts)
        paper = Paper(sheet=sheet, written_by=by, why=why)
        return PaperSheet(paper, datetime.fromisoformat(at), table)
    except (signing.BadSignature, ValueError, TypeError, Malformed):
        return None
