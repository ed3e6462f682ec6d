"""One JSON object to one `RoundPlayed`, or `Malformed` with the path of what is wrong.

Here: which fields an object may and must have, lists where lists belong, moments read. What the
fields may hold, and whether the record contradicts itself, the event checks when it is built.
Format: docs/round-record.md. A field is never null: what is unknown is left out.
"""

import re
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, NoReturn

from casino.events import Malformed
from casino.events.event import Paper
from casino.events.phrases import Phrase
from casino.events.round.field_form import shown
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Device,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    VoidedCard,
    Wager,
)
from casino.reading.strict_json import field_path, parse

SCHEMA: Final = "round/1"


class _Shape(NamedTuple):
    """The fields an object must have, and all it may have."""

    required: frozenset[str]
    known: frozenset[str]


def _shape(required: str, optional: str = "") -> _Shape:
    must = frozenset(required.split())
    return _Shape(must, must | frozenset(optional.split()))


_ROUND: Final = _shape(
    "schema round table partida boxes bank misdealt",
    "shoe number device dealer rulebook limits times seats_occupied dealt warning_card_at voided"
    " put_back paper",
)
_BOX: Final = _shape("box vacant hands wagers", "holder decided_by consent")
_HAND: Final = _shape("hand cards actions", "from surrendered_at from_left")
_WAGER: Final = _shape(
    "owner kind stake_cents returned_cents",
    "hand seat initial_cents at_once chip taken_at invited on_its_place spoken",
)
_BANK: Final = _shape("cards voided", "open")
_VOIDED_CARD: Final = _shape("card why")
_MISDEALT: Final = _shape("card at fate", "seen to")
_DEALT: Final = _shape("card to")
_PLACE: Final = _shape("box hand")
_DEVICE: Final = _shape("id sequence")
_LIMITS: Final = _shape("minimum_cents maximum_cents")
_TIMES: Final = _shape("", "stakes_closed first_card paid collected inserted")
_VOIDED: Final = _shape("why")
_PAPER: Final = _shape("sheet written_by why")

_is_moment: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
).fullmatch


def read_round(data: bytes) -> RoundPlayed:
    """One record from its bytes. Raises: Malformed."""
    return round_of(parse(data))


def round_of(value: object) -> RoundPlayed:
    """One record from its JSON value. Raises: Malformed."""
    if not isinstance(value, dict):
        _refuse_type(value, "$", Phrase("an object"))
    if value.get("schema") != SCHEMA:
        _refuse_schema(value)
    got = _fields(value, "$", _ROUND)
    device = got.get("device")
    limits = got.get("limits")
    times = got.get("times")
    seats = got.get("seats_occupied")
    dealt = got.get("dealt")
    return RoundPlayed(
        got["round"],
        got["table"],
        got["partida"],
        tuple([_box(box, f"$.boxes[{n}]") for n, box in enumerate(_list(got["boxes"], "$.boxes"))]),
        _bank(got["bank"]),
        tuple(
            [
                _misdealt(card, f"$.misdealt[{n}]")
                for n, card in enumerate(_list(got["misdealt"], "$.misdealt"))
            ]
        ),
        got.get("shoe"),
        got.get("number"),
        None if device is None else _device(device),
        got.get("dealer"),
        got.get("rulebook"),
        None if limits is None else _limits(limits),
        None if times is None else _times(times),
        None if seats is None else tuple(_list(seats, "$.seats_occupied")),
        None if dealt is None else _dealt(dealt),
        got.get("warning_card_at"),
        _fields(got["voided"], "$.voided", _VOIDED)["why"] if "voided" in got else None,
        got.get("put_back"),
        Paper(**_fields(got["paper"], "$.paper", _PAPER)) if "paper" in got else None,
    )


def _refuse_schema(raw: dict[str, object]) -> NoReturn:
    if "schema" not in raw:
        raise Malformed("$.schema", "found none; asked is {schema}", schema=SCHEMA)
    raise Malformed(
        "$.schema",
        "found {found}; asked is {schema}",
        found=shown(raw["schema"]),
        schema=SCHEMA,
    )


def _fields(value: object, at: str, shape: _Shape) -> dict[str, Any]:
    """`value` as an object with the fields its shape asks for and no others, none of them null."""
    if not isinstance(value, dict):
        _refuse_type(value, at, Phrase("an object"))
    if not shape.required <= value.keys() <= shape.known or None in value.values():
        _refuse_fields(value, at, shape)
    return value


def _refuse_fields(raw: dict[str, object], at: str, shape: _Shape) -> NoReturn:
    for name, each in raw.items():
        if name not in shape.known:
            raise Malformed(
                field_path(at, str(name)),
                "found an unknown field; asked are only {known}",
                known=", ".join(sorted(shape.known)),
            )
        if each is None:
            raise Malformed(
                f"{at}.{name}", "found null; a field whose value is unknown is left out"
            )
    missing = min(shape.required - raw.keys())
    raise Malformed(f"{at}.{missing}", "found none; this field is required")


def _list(value: object, at: str) -> list[Any]:
    if not isinstance(value, list):
        _refuse_type(value, at, Phrase("a list"))
    return value


def _refuse_type(value: object, at: str, phrase: Phrase) -> NoReturn:
    raise Malformed(at, "found {found}; asked is {asked}", found=shown(value), asked=phrase)


def _box(value: object, at: str) -> Box:
    got = _fields(value, at, _BOX)
    return Box(
        got["box"],
        got["vacant"],
        tuple(
            [
                _hand(hand, f"{at}.hands[{n}]")
                for n, hand in enumerate(_list(got["hands"], f"{at}.hands"))
            ]
        ),
        tuple(
            [
                _wager(wager, f"{at}.wagers[{n}]")
                for n, wager in enumerate(_list(got["wagers"], f"{at}.wagers"))
            ]
        ),
        got.get("holder"),
        got.get("decided_by"),
        got.get("consent"),
    )


def _hand(value: object, at: str) -> Hand:
    got = _fields(value, at, _HAND)
    return Hand(
        got["hand"],
        tuple(_list(got["cards"], f"{at}.cards")),
        tuple(_list(got["actions"], f"{at}.actions")),
        got.get("from"),
        got.get("surrendered_at"),
        got.get("from_left"),
    )


def _wager(value: object, at: str) -> Wager:
    got = _fields(value, at, _WAGER)
    get = got.get
    return Wager(
        got["owner"],
        got["kind"],
        got["stake_cents"],
        got["returned_cents"],
        get("hand"),
        get("seat"),
        get("initial_cents"),
        get("at_once"),
        get("chip"),
        get("taken_at"),
        get("invited"),
        get("on_its_place"),
        get("spoken"),
    )


def _bank(value: object) -> Bank:
    got = _fields(value, "$.bank", _BANK)
    voided = []
    for n, card in enumerate(_list(got["voided"], "$.bank.voided")):
        one = _fields(card, f"$.bank.voided[{n}]", _VOIDED_CARD)
        voided.append(VoidedCard(one["card"], one["why"]))
    places = got.get("open")
    return Bank(
        tuple(_list(got["cards"], "$.bank.cards")),
        tuple(voided),
        None if places is None else tuple(_list(places, "$.bank.open")),
    )


def _misdealt(value: object, at: str) -> Misdealt:
    got = _fields(value, at, _MISDEALT)
    return Misdealt(
        got["card"],
        _place_or_word(got["at"], f"{at}.at"),
        got["fate"],
        got.get("seen"),
        _place(got["to"], f"{at}.to") if "to" in got else None,
    )


def _dealt(value: object) -> tuple[Dealt, ...]:
    return tuple([_dealt_card(card, n) for n, card in enumerate(_list(value, "$.dealt"))])


def _dealt_card(value: object, n: int) -> Dealt:
    # As the other readers do, but a round deals many cards: no path is written before it is needed.
    if type(value) is dict and value.keys() == _DEALT.required:
        to = value["to"]
        if type(to) is dict and to.keys() == _PLACE.required:
            return Dealt(value["card"], Place(to["box"], to["hand"]))
        if type(to) is str:
            return Dealt(value["card"], to)  # type: ignore[arg-type]  # the event asks which word
    at = f"$.dealt[{n}]"
    got = _fields(value, at, _DEALT)
    return Dealt(got["card"], _place_or_word(got["to"], f"{at}.to"))


def _place_or_word(value: object, at: str) -> Any:  # which words, the event asks when it is built
    if isinstance(value, dict):
        return _place(value, at)
    if not isinstance(value, str):
        _refuse_type(value, at, Phrase("a word or a place of box and hand"))
    return value


def _place(value: object, at: str) -> Place:
    got = _fields(value, at, _PLACE)
    return Place(got["box"], got["hand"])


def _device(value: object) -> Device:
    got = _fields(value, "$.device", _DEVICE)
    return Device(got["id"], got["sequence"])


def _limits(value: object) -> Limits:
    got = _fields(value, "$.limits", _LIMITS)
    return Limits(got["minimum_cents"], got["maximum_cents"])


def _times(value: object) -> Times:
    got = _fields(value, "$.times", _TIMES)
    return Times(**{name: _moment(each, f"$.times.{name}") for name, each in got.items()})


def _moment(value: object, at: str) -> datetime:
    """A moment with its offset, told in UTC from here on."""
    if not isinstance(value, str) or not _is_moment(value):
        _refuse_moment(value, at)
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):  # the 30th of February; year 1 east of Greenwich
        _refuse_moment(value, at)


def _refuse_moment(value: object, at: str) -> NoReturn:
    raise Malformed(
        at,
        "found {found}; asked is a moment YYYY-MM-DDTHH:MM:SS with at most six decimals and its"
        " offset from UTC",
        found=shown(value),
    ) from None
