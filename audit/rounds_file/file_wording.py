"""What a list says of a finding, on one line: what happened, and what the law asks.

The words are those of every finding (`casino.law.wording.wording`); the door's gettext translates.
"""

from datetime import date
from typing import Final

from audit.rounds_file.judge_lines import Row
from casino.events.phrases import marked, said
from casino.law.wording.wording import FindingWords
from casino.reading.refusal import Refused

NOT_DECIDABLE: Final = marked("not decidable from this record: {why}")
LINE: Final = marked("line {line}, {path}: {reason}")
OWED_TO: Final = {"player": marked("player"), "house": marked("house")}


class Wording(FindingWords):
    """One line for each row and each refusal, in one language."""

    def text(self, row: Row) -> str:
        """One line on a finding or an undecided wager: what happened, then what the law asks."""
        statement = self.statement(row["check"]) if row["check"] else ""
        if row["record"] == "undecided":
            said = self.say(NOT_DECIDABLE).format(why=self.why(row["why"]))
        else:
            day = row["gaming_day"]
            said = self.heading(
                row["check"],
                row["where"],
                row["observed"],
                row["expected"],
                date.fromisoformat(day) if isinstance(day, str) else day,
            )
        return one_line(f"{said} ({statement.removesuffix('.')})" if statement else said)

    def cited(self, cites: str, row: Row) -> str:
        """The same behind its article, as the rulebook counts them (`Law.cites`)."""
        article = row["article"]
        return f"{cites} {article}: {self.text(row)}".strip() if article else self.text(row)

    def owed_to(self, whom: str | None) -> str:
        """Who is owed; nothing where no money is."""
        return "" if whom is None else self.say(OWED_TO[whom])

    def refusal(self, refused: Refused) -> str:
        """Why a line was refused: its place in file and record, what was found and is asked."""
        return one_line(
            self.say(LINE).format(line=refused.line, path=refused.path, reason=self.reason(refused))
        )

    def reason(self, refused: Refused) -> str:
        """The reason alone."""
        return said(refused.reason, self.say)


def one_line(text: str) -> str:
    """Text that cannot break a line or steer a terminal: for what is not printable, its code."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "replace").decode()
        for char in text
    )
