"""The cells of a report: what is exact, and beside it the text the pages show.

A cell is a JSON object with ``text`` and, where it is more than a text, its exact value: ``n`` a
whole number, ``cents`` an amount, ``at`` a moment (ISO 8601 with offset), ``day`` a gaming day,
``ratio`` a fraction.
Every figure of a page is such a text, so that it stands in the report's JSON.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final

from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from casino.web.display import money_and_time

Cell = dict[str, object]
FONTS: Final = Path(__file__).parent / "fonts"
NONE: Final = "–"
INSTEAD: Final = "\ufffd"  # of a character no page can show
LONGEST: Final = 2_000  # characters of a cell
_tag: Final = re.compile(r"<[^>]*>")
_items: Final = re.compile(r"</li>\s*<li>")
_blank: Final = re.compile(r"\s+")


@cache
def shown_characters() -> frozenset[int]:
    """The characters the report's fonts have a picture of; none that turns the line around."""
    ranges = (FONTS / "coverage.txt").read_text("ascii").split()
    ends = (tuple(int(end, 16) for end in each.split("-")) for each in ranges)
    return frozenset(one for first, last in ends for one in range(first, last + 1))


def clean(shown: object) -> str:
    """A text as a page can show it: one line, composed, without marks that reorder it."""
    text = str(shown)
    if isinstance(shown, SafeString):
        text = unescape(_tag.sub("", _items.sub("; ", text)))
    text = _blank.sub(lambda found: "\u00a0" if found[0] == "\u00a0" else " ", text)
    text = unicodedata.normalize("NFC", text.strip())[:LONGEST]
    there = shown_characters()
    return "".join(one if ord(one) in there else INSTEAD for one in text)


def text(shown: object) -> Cell:
    """A text; a dash where there is none."""
    return {"text": clean(shown) or NONE}


def whole(number: int) -> Cell:
    """A whole number."""
    return {"n": number, "text": clean(number_format(number, force_grouping=True))}


def entry(stream: str, n: int, standing: str = "") -> Cell:
    """An entry by its stream and number, with what is to be said of how it stands."""
    place = f"{stream} {n}"
    return {"n": n, "text": clean(f"{place} ({standing})" if standing else place)}


def ratio(ratio: Fraction | None) -> Cell:
    """An exact ratio, shown to two decimals; a dash where there is none."""
    if ratio is None:
        return text("")
    return {
        "ratio": str(ratio),
        "text": clean(number_format(_hundredths(ratio), 2, force_grouping=True)),
    }


def _hundredths(ratio: Fraction) -> Decimal:
    """Rounded half away from zero, as the pages round."""
    whole = int(abs(ratio) * 100 + Fraction(1, 2))
    return Decimal(whole if ratio >= 0 else -whole) / 100


def cents(amount: int) -> Cell:
    """An amount in cents."""
    return {"cents": amount, "text": clean(money_and_time.money(amount))}


def moment(at: datetime | None) -> Cell:
    """A moment by the house's clock, with its day and its offset from UTC."""
    return {"text": NONE} if at is None else _moment(localtime(at), offset=True)


def dated(at: datetime, begins: datetime) -> Cell:
    """A moment with its day; with its offset only where it is another than when `begins` was."""
    local = localtime(at)
    return _moment(local, offset=_offset(local) != _offset(localtime(begins)))


def _moment(local: datetime, *, offset: bool) -> Cell:
    shown = f"{date_format(local, 'SHORT_DATE_FORMAT')} {date_format(local, 'H:i:s')}"
    return {
        "at": local.isoformat(),
        "text": clean(f"{shown} {_offset(local)}" if offset else shown),
    }


def hour(at: datetime, begins: datetime) -> Cell:
    """A moment of a gaming day by the house's clock: without the day, and with its offset only
    where the clock was put forward or back since the day began.
    """
    local = localtime(at)
    offset = _offset(local)
    same = offset == _offset(localtime(begins))
    shown = date_format(local, "H:i:s")
    return {"at": local.isoformat(), "text": shown if same else f"{shown} {offset}"}


def day(date: date) -> Cell:
    """A gaming day."""
    return {"day": date.isoformat(), "text": clean(date_format(date, "SHORT_DATE_FORMAT"))}


def offset_at(at: datetime) -> str:
    """How far the house's clock is from UTC at a moment: ``+01:00``."""
    return _offset(localtime(at))


def _offset(local: datetime) -> str:
    text = local.strftime("%z")
    return f"{text[:3]}:{text[3:]}"


def joined(values: Sequence[object]) -> Cell:
    """Several texts in one cell."""
    return text(", ".join(map(clean, values)))
