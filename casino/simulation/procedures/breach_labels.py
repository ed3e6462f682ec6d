"""Where a planted breach of procedure lies."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Planted:
    """One breach: what was done (`kind`), under which article and check it belongs, and where.

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


def planted_as_json(label: Planted) -> str:
    """The label as one line of JSON without its end of line; absent fields are left out."""
    said = {
        "partida": label.partida,
        "kind": label.kind,
        "article": label.article,
        "check": label.check,
        "where": dict(label.where),
        "round": label.round,
    }
    values = {name: value for name, value in said.items() if value not in (None, {}, "")}
    return json.dumps(values, separators=(",", ":"))
