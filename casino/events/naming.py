"""Which decks, machines and people an event names, by the names of its fields."""

from collections.abc import Iterator
from typing import Final, Literal

from casino.events.shape import Items, Object, fields_of

Thing = Literal["deck", "shuffler", "person"]
PLAYER: Final = "player"  # a pseudonym of one partida, no person of the house

# The fields that name a thing, and what they name; the test of the projections knows all others.
NAMING: Final[dict[str, Thing]] = {
    **dict.fromkeys(("deck", "decks", "from_deck"), "deck"),
    "shuffler": "shuffler",
    **dict.fromkeys(
        (
            "approved_by",
            "asked_by",
            "authorised_by",
            "brought_by",
            "by",
            "claimed",
            "communicated_by",
            "counted_by",
            "ended_by",
            "fiscal_chefe",
            "fiscal_de_banca",
            "granted_by",
            "opened_by",
            "operator",
            "pagador",
            "person",
            "relieves",
            "replaced_by",
            "requested_by",
            "resolved_by",
            "responsible",
            "second",
            "second_reviewer",
            "sent_by",
            "shuffled_by",
            "staff",
            "written_by",
        ),
        "person",
    ),
}

_plans: Final[dict[type, tuple[tuple[str, Thing | None], ...]]] = {}


def _plan(kind: type) -> tuple[tuple[str, Thing | None], ...]:
    """The fields of an event or a part that name something, or hold parts that do (None)."""
    if kind not in _plans:
        _plans[kind] = tuple(_planned(kind))
    return _plans[kind]


def _planned(kind: type) -> Iterator[tuple[str, Thing | None]]:
    for field in fields_of(kind):
        shape = field.shape
        while isinstance(shape, Items):
            shape = shape.of
        if isinstance(shape, Object):
            if _plan(shape.type):
                yield field.name, None
        elif field.name in NAMING:
            yield field.name, NAMING[field.name]


def named_in(found: object) -> Iterator[tuple[Thing, str, str]]:
    """What an event or a part names: the thing, its name, the field."""
    if getattr(found, "role", None) == PLAYER:
        return
    for field, thing in _plan(type(found)):
        value = getattr(found, field)
        for each in value if isinstance(value, tuple) else (value,):
            if each is None:
                continue
            if thing is None:
                yield from named_in(each)
            else:
                yield thing, each, field


def things_named(event: object) -> Iterator[tuple[Thing, str]]:
    """The things an event names, in the order of its fields; some come again."""
    for thing, code, _field in named_in(event):
        yield thing, code
