"""Troubles of a shuffler told all at once, from the light to the end of it."""

from typing import Any

from tests.factories.games import CHEFE, MANAGER, Game, moment, shuffler_evening

BY_CHEFE = {"resolved_by": CHEFE, "resolved_by_office": "fiscal_chefe"}


def with_incident(
    category: str, closed: bool = True, dealing: str = "shuffler", **values: Any
) -> Game:
    """A game with one incident at 21:00; `values` are its fields beside the category."""
    game = shuffler_evening(closed=False) if dealing == "shuffler" else Game(dealing)
    moments = {
        name: moment(at) if isinstance(at, str) else at
        for name, at in values.items()
        if name.endswith("_at")
    }
    game.report("21:00", category=category, **{**values, **moments})
    if closed:
        game.close()
    return game


def jam(**values: Any) -> Game:
    usual = {
        "noticed_at": "21:00", "called_at": "21:01", "opened_at": "21:05", "opened_by": CHEFE,
        "resolved_at": "21:08", **BY_CHEFE,
    }  # fmt: skip
    return with_incident(values.pop("category", "jam"), **(usual | values))


def damage(**values: Any) -> Game:
    usual = {
        "resolved_at": "21:02", **BY_CHEFE, "replaced": "card", "communicated_at": "21:30",
        "communicated_by": MANAGER, "communicated_by_office": "chefia_da_sala",
    }  # fmt: skip
    return with_incident("damaged_card", **(usual | values))
