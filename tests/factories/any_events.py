"""Any event of any kind, made from what its fields may hold."""

import string
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from unicodedata import normalize

from hypothesis import assume
from hypothesis import strategies as st

from casino.cards import CODES
from casino.events import Malformed
from casino.events.event import EntryEvent, EntryRef
from casino.events.shape import Field, Items, Object, Plain, Shape, Withheld, fields_of
from casino.events.values import (
    Card,
    Day,
    Figures,
    Instant,
    OneOf,
    Spelled,
    Text,
    Truth,
    Whole,
)

CODE = st.text(string.ascii_letters + string.digits + "._-", min_size=1, max_size=40)
WORD = st.from_regex(r"[a-z][a-z0-9_]{0,19}", fullmatch=True)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
SPELLED = {
    "code": CODE,
    "word": WORD,
    "uuid": st.uuids().map(str),
    "sha256": HEX,
    "case": st.builds("CST-{}-{:06d}".format, st.integers(1000, 9999), st.integers(1, 10**7)),
    "stream": st.sampled_from(["house", "reconciler", "cases", "table/BJ-06", "jackpot/JP-1"]),
    "kind": st.sampled_from(["shuffler-loaded/1", "cut-made/12"]),
    "base64url": st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=40),
    "vkey": st.from_regex(r"[a-z./]{1,20}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}", fullmatch=True),
    "origin": st.from_regex(r"[a-z.]{1,20}(/[a-z0-9]{1,9})?", fullmatch=True),
    "partida": st.builds("BJ-06/{}/{}".format, DAYS, st.integers(1, 9)),
}
FIGURE = st.integers(-(2**53) + 1, 2**53 - 1) | CODE
FIGURES = st.dictionaries(WORD, FIGURE | st.lists(FIGURE, max_size=3), max_size=3)


def texts(form: Text) -> st.SearchStrategy[str]:
    """Composed texts, of several lines where the form lets them."""
    letters = st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp"))
    written = st.text(letters | st.just("\n") if form.lines else letters, min_size=1, max_size=40)
    return written.map(lambda text: normalize("NFC", text)).filter(
        lambda text: 1 <= len(text) <= form.longest and not text.isspace()
    )


def plain(shape: Plain) -> st.SearchStrategy[Any]:
    """Values of one form."""
    form = shape.form
    if isinstance(form, Whole):
        return st.integers(form.low, form.high)
    if isinstance(form, OneOf):
        return st.sampled_from(form.words)
    if isinstance(form, Text):
        return texts(form)
    if isinstance(form, Spelled):
        return SPELLED[form.name]
    moments = st.datetimes(datetime(2020, 1, 1), datetime(2040, 12, 31))  # noqa: DTZ001
    others: dict[type, st.SearchStrategy[Any]] = {
        Truth: st.booleans(),
        Card: st.sampled_from(sorted(CODES)),
        Instant: moments.map(lambda moment: moment.replace(tzinfo=UTC)),
        Day: DAYS,
        Figures: FIGURES,
    }
    return others[type(form)]


def listed(shape: Items) -> st.SearchStrategy[Any]:
    """Short lists, without repetition where none is allowed."""
    once = shape.listed.once or shape.listed.rising
    items = st.lists(of_shape(shape.of), max_size=3, unique=once)
    return items.map(lambda found: tuple(sorted(found) if shape.listed.rising else found))


def of_shape(shape: Shape) -> st.SearchStrategy[Any]:
    """Values of one shape."""
    if isinstance(shape, Items):
        return listed(shape)
    if isinstance(shape, Object):
        return st.builds(shape.type, **recorded(fields_of(shape.type)))
    return plain(shape)


def recorded(fields: tuple[Field, ...]) -> dict[str, st.SearchStrategy[Any]]:
    """Each field's values; an optional one may be left out, a private one withheld."""
    strategies = {}
    for field in fields:
        values = of_shape(field.shape)
        if field.private:
            values |= st.builds(Withheld, HEX)
        if not field.required:
            values |= st.just(field.default)
        strategies[field.name] = values
    return strategies


@st.composite
def events(draw: st.DrawFn, kind: type[Any]) -> Any:
    """An event of this kind. What contradicts itself is mended where easy, else drawn again."""
    values = {name: draw(strategy) for name, strategy in recorded(fields_of(kind)).items()}
    if values.get("partida") is not None:
        values["table"] = "BJ-06"
        if "gaming_day" in values:
            values["gaming_day"] = date.fromisoformat(values["partida"].split("/")[1])
    if issubclass(kind, EntryEvent):
        _in_the_tables_stream(values)
    if "owed_to" in values:
        values["owed_to"] = draw(st.sampled_from(["player", "house"]))
        values["owed_cents"] = max(1, values["owed_cents"])
    if "shuffler" in values and values.get("dealing") == "shoe":
        values["shuffler"] = None
    if "cut_by" in values:
        values |= {"seat": 1, "staff": None} if values["cut_by"] == "seat" else {"seat": None}
        values["staff"] = None if values["cut_by"] == "nobody" else values["staff"]
    if "passkey" in values:
        values["method"] = "pin" if values["passkey"] is None else "passkey"
    if "jackpot" in values:
        _in_the_pools_stream(values)
    if "secret" in values:
        values["secret"] = draw(HEX)
    if "scope" in values:
        days = {"from_day": None, "to_day": None} if values["scope"].partida else _DAY
        values["scope"] = replace(values["scope"], **days)
    try:
        return kind(**values)
    except Malformed:
        assume(False)


_DAY = {"from_day": date(2026, 11, 20), "to_day": date(2026, 11, 21)}


def _in_the_tables_stream(values: dict[str, Any]) -> None:
    if values["table"] is None:
        return
    values["table"] = "BJ-06"
    for name, value in values.items():
        if isinstance(value, EntryRef):
            values[name] = replace(value, stream="table/BJ-06")


def _in_the_pools_stream(values: dict[str, Any]) -> None:
    """Combinations there are, and wins of the same pool."""
    values["jackpot"] = values["jackpot"] or None
    for name, value in values.items():
        if isinstance(value, EntryRef):
            values[name] = replace(value, stream=f"jackpot/{values['jackpot']}")
    if "code" in values:
        values["code"] = "AS-JS"
    if "lines" in values:
        values["lines"] = tuple(
            replace(line, code=code, share_millionths=1, fixed_cents=None)
            for line, code in zip(values["lines"], ("pair", "AS-JS", "two_sevens"), strict=False)
        )
        values["cards_counted"] = max(2, values["cards_counted"])
    if "winners" in values:
        values["winners"] = tuple(
            replace(winner, code="pair", box=box)
            for box, winner in enumerate(values["winners"], start=1)
        )
    if "contributed_microcents" in values:
        values |= {"microcents": 0, "started_cents": 0, "contributed_microcents": 0, "held": ()}
        values |= {"adjusted_microcents": 0, "paid_cents": 0}
    if values.get("reason") == "win_withdrawn":
        hit = EntryRef(stream=f"jackpot/{values['jackpot']}", n=5, leaf="a" * 64)
        values |= {"microcents": 0, "hit": values["hit"] or hit}
    elif "microcents" in values and "hit" in values:
        values |= {"hit": None, "microcents": values["microcents"] or 1}
