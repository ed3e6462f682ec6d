"""What was planted where: labels of errors in rounds and of breaches of procedure."""

import json
from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class Planted:
    """One breach of procedure: what was done, under which article and check it belongs, and where.

    `where` names the place in the partida as pairs, ``(("shoe", 3),)``; none, the whole partida.
    `round` is the round's UUID where one round alone shows it. `partida` is empty where only the
    whole story of a progressive prize does.
    """

    partida: str
    kind: str
    article: str
    check: str
    where: tuple[tuple[str, int | str], ...] = ()
    round: str | None = None


def label_as_json(label: Label | Planted) -> str:
    """The label as one line of JSON without its end of line; absent fields are left out."""
    said = {name: getattr(label, name) for name in type(label).__dataclass_fields__}
    if "where" in said:
        said["where"] = dict(said["where"])
    values = {name: value for name, value in said.items() if value not in (None, {}, "")}
    return json.dumps(values, separators=(",", ":"))
