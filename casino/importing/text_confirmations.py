"""When each figure of a rulebook was last compared with the official text.

A rulebook's file says it (`confirmed_on`). A text the house received confirms, on the day it was
received, those figures whose words stand in it as the rulebook has them.
"""

from datetime import date

from casino.importing.regulation_texts import in_force_on, text_of
from casino.law.rulebook.rulebook import Law
from casino.law.text.text_comparison import compared


def confirmations(law: Law, today: date, enough: date | None = None) -> dict[str, date]:
    """By parameter, of those in force today that stand in the text and are not the house's choice.

    Where all were confirmed since `enough` by their file, no text is looked at.
    """
    held = {one.name: one.on(today) for one in law.parameters.values()}
    said = {name: one.confirmed_on for name, one in held.items() if one and not one.of_house}
    if enough is None or min(said.values(), default=today) < enough:
        day, agreeing = _confirmed_by_text(law, today)
        said |= {name: max(said[name], day) for name in agreeing & said.keys()}
    return said


def _confirmed_by_text(law: Law, today: date) -> tuple[date, set[str]]:
    """The parameters the text in force states as the rulebook has them; when it came."""
    received = in_force_on(law.id, today)
    text = None if received is None else text_of(received)
    if received is None or text is None:
        return today, set()
    parts = [part for part in compared(text, law, today).parts if part.lack != "text"]
    stand = {name for part in parts for name in part.figures}
    stand |= {one.parameter for part in parts for one in part.stated}
    differ = {one.bound.parameter for part in parts for one in part.numbers if one.bound}
    differ |= {one.parameter for part in parts for one in part.parameters}
    return received.gaming_day, stand - differ
