"""What a person reads of a finding, made when it is shown: the check's sentence, what lay there,
what should have.

English sentences are the keys of the catalogue; `translate` is the door's gettext. Nothing made
here is ever stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from audit.rounds_file.judging import Row
from casino.reading.refusal import Refused
from casino.regulation.checks import ALL_CHECKS

Translate = Callable[[str], str]

INSTEAD: Final = "{observed} instead of {expected}"
FOUND_ONLY: Final = "found: {observed}"
NOT_DECIDABLE: Final = "not decidable from this record: {why}"
NOT_STATED: Final = "the rulebook does not state {parameter}"
LINE: Final = "line {line}, {path}: {reason}"

# Why a record does not decide a wager (`WagerVerdict.why`).
WHY: Final = {
    "bank_cards_missing": "the bank's cards are not whole",
    "first_stake_unknown": "the stake before the deal is not told",
    "jackpot_terms_not_in_the_record": "the jackpot's terms are not in the record",
    "round_voided": "the round was voided",
    "suit_unknown": "a suit is not told",
    "unlawful_surrender": "it was surrendered where that is not allowed",
}
# What an observed or expected value is called where its own name, with spaces, is not plain.
NAMES: Final = {
    "returned": "handed back",
    "stake": "stake",
    "stakes": "stakes together",
    "at_most": "at most",
    "minimum": "minimum",
    "maximum": "maximum",
    "drawn": "drawn",
    "cards": "cards",
    "card": "card",
    "total": "total",
    "totals": "totals",
    "bank_shows": "the bank shows",
    "decided_by": "decided by",
    "goes_to": "goes to",
    "went_to": "went to",
    "round_of_shoe": "round of the shoe",
    "last_round_of_shoe": "last round of the shoe",
    "multiple_of": "a multiple of",
    "or_completes": "or what completes",
    "stood_on": "stood on",
    "times": "times",
    "hand": "hand",
    "hands": "hands",
    "box": "box",
    "owner": "owner",
    "kind": "kind",
}
SEVERITIES: Final = {"breach": "breach", "warning": "warning", "note": "note"}
OWED_TO: Final = {"player": "player", "house": "house"}
PSEUDONYMS: Final = frozenset({"owner", "decided_by"})
_SEPARATORS: Final = {"pt": (" ", ","), "en": (",", ".")}


class Wording:
    """Words in one language (``"pt"`` or ``"en"``)."""

    def __init__(self, language: str, translate: Translate) -> None:
        self._thousands, self._decimal = _SEPARATORS[language]
        self.say = translate

    def money(self, cents: int) -> str:
        """Cents as euros: ``1 234,56`` in Portuguese, ``1,234.56`` in English."""
        euros, rest = divmod(abs(cents), 100)
        whole = f"{euros:,}".replace(",", self._thousands)
        return f"{'-' if cents < 0 else ''}{whole}{self._decimal}{rest:02d}"

    def text(self, row: Row) -> str:
        """One line on a finding or on a wager that is not decidable: figures first, then what the
        law asks.
        """
        check = ALL_CHECKS.get(row["check"]) if row["check"] else None
        statement = self.say(check.statement) if check is not None else row["check"] or ""
        if row["record"] == "undecided":
            said = self.say(NOT_DECIDABLE).format(why=self.why(row["why"]))
        else:
            said = self._compared(row["observed"], row["expected"])
        return one_line(f"{said} ({statement.removesuffix('.')})" if statement else said)

    def cited(self, cites: str, row: Row) -> str:
        """The same behind its article, as the rulebook counts them (`Law.cites`)."""
        article = row["article"]
        return f"{cites} {article}: {self.text(row)}".strip() if article else self.text(row)

    def why(self, code: str | None) -> str:
        """A code of `WagerVerdict.why` in words."""
        code = code or ""
        if code.startswith("not_stated:"):
            return self.say(NOT_STATED).format(parameter=code.removeprefix("not_stated:"))
        return self.say(WHY[code]) if code in WHY else code

    def refusal(self, refused: Refused) -> str:
        """Why a line was refused: where in the file and in the record, what was found and is
        asked.
        """
        return one_line(
            self.say(LINE).format(line=refused.line, path=refused.path, reason=self.reason(refused))
        )

    def reason(self, refused: Refused) -> str:
        """The reason alone."""
        if not refused.template:
            return refused.reason
        template = self.say(refused.template)
        return template.format(**refused.values) if refused.values else template

    def _compared(self, observed: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
        if not expected:
            return self.say(FOUND_ONLY).format(observed=self._values(observed))
        if len(observed) == 1 and observed.keys() == expected.keys():
            ((name, value),) = expected.items()
            other = self._value(name, value)
        else:
            other = self._values(expected)
        return self.say(INSTEAD).format(observed=self._values(observed), expected=other)

    def _values(self, values: Mapping[str, Any]) -> str:
        return ", ".join(
            f"{self._name(name)} {self._value(name, value)}" for name, value in values.items()
        )

    def _name(self, name: str) -> str:
        name = name.removesuffix("_cents")
        return self.say(NAMES.get(name, name.replace("_", " ")))

    def _value(self, name: str, value: object) -> str:
        if isinstance(value, bool):
            return self.say("yes") if value else self.say("no")
        if isinstance(value, int):
            return self.money(value) if name.endswith("_cents") else str(value)
        if isinstance(value, list | tuple):
            return " ".join(self._value(name, item) for item in value) or self.say("none")
        if isinstance(value, dict):
            return self._values(value)
        text = str(value)
        if name in PSEUDONYMS:
            return text
        # A word of ours is translated; a moment stands as it is.
        return self.say(text.replace("_", " ")) if text.replace("_", "").isalpha() else text


def one_line(text: str) -> str:
    """Text that cannot break a line or steer a terminal: what is not printable is shown as its
    code.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "replace").decode()
        for char in text
    )
