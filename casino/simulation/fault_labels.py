"""What was planted where: one label for each round with an error."""

import json
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Label:
    """The one breach planted in a round.

    `article` is the number of the Portuguese regulation, `kind` the name of the error
    (docs/simulation.md lists them all), `wager` the kind of wager. `difference_cents` is what was
    handed back less what was due: above 0 the house is the poorer, below 0 the player; `None` where
    the breach is one of conduct and no amount is said to be wrong.
    """

    round: str
    article: str
    kind: str
    box: int | None = None
    hand: int | None = None
    owner: str | None = None
    wager: str | None = None
    difference_cents: int | None = None


_FIELDS: Final = tuple(Label.__dataclass_fields__)


def label_as_json(label: Label) -> str:
    """The label as one line of JSON without its end of line; absent fields are left out."""
    said = {name: getattr(label, name) for name in _FIELDS}
    return json.dumps({k: v for k, v in said.items() if v is not None}, separators=(",", ":"))
