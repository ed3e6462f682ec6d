"""What a form of the floor carries of its own: its key, its moment, who filled it in, what he saw.

- `key` makes sending twice the same as sending once;
- `at` is the server's clock when the form was first sent, signed: a warning that is read for a
  minute does not move what happened;
- `who` is the person who was logged in when the page was made;
- `seen` is how far the page knew the books of its tables: ``"BJ-06:41"``;
- `held` are the forms whose records were held at its tables and stood on the page already.
- `paper` is the sheet it is recorded from (casino/floor/away), which says when it happened;
- `side` is the half of the screen its recording buttons lie in. Whatever answers a form has them in
  the other: none lies where the last one lay.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4, uuid5

from django.core import signing
from django.http import HttpRequest

from casino import clock
from casino.floor.away.paper_sheet import LASTS, LIES, PAPER, PaperSheet, sheet_of
from casino.models import BookStream, HeldRecord
from casino.web.forms.shield import BACK, SHOWN

KEY, AT, WHO, SEEN, HELD = "key", "at", "who", "seen", "held"
SIDE, LEFT, RIGHT = "side", "left", "right"
OVER: Final = "over"  # the checks whose warnings were shown
DESPITE: Final = "despite-all"  # the coded reason given for all of them
TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field
# Another person's, on the witness's page: it is typed again, never carried.
SECRET: Final = "secret"  # noqa: S105 - the name of a field
OWN: Final = frozenset({KEY, AT, WHO, SEEN, HELD, SIDE, OVER, DESPITE, TOKEN, SHOWN, BACK, PAPER})
MOST: Final = 60  # records of one form
MOST_HELD: Final = 10  # forms a page has seen held
TOO_OLD: Final = "too-old"  # in an address: a form was sent whose sheet is none any more
_SALT: Final = "casino.sala"


@dataclass(frozen=True, slots=True)
class FormState:
    """The own fields of one form. `at` is None until it was sent."""

    key: UUID
    who: str
    seen: Mapping[str, int] = field(default_factory=dict)
    at: datetime | None = None
    side: str = RIGHT
    held: tuple[UUID, ...] = ()
    paper: PaperSheet | None = None

    def hidden(self) -> Iterator[tuple[str, str]]:
        """The fields as a form carries them."""
        yield KEY, str(self.key)
        yield WHO, self.who
        yield SIDE, self.side
        if self.seen:
            yield SEEN, " ".join(f"{table}:{n}" for table, n in self.seen.items())
        if self.held:
            yield HELD, " ".join(map(str, self.held))
        if self.at is not None:
            yield AT, _signed(self.key, self.at)
        if self.paper is not None:
            yield PAPER, self.paper.token

    def of_part(self, place: int) -> UUID:
        """The key of the form's so-manieth record."""
        return uuid5(self.key, str(place))

    @property
    def happened_at(self) -> datetime | None:
        """When what it tells happened, where the form itself does not ask."""
        return self.at if self.paper is None else self.paper.at

    @property
    def shown_held(self) -> list[UUID]:
        """The keys of the records that stood on the page while they were held."""
        return [uuid5(form, str(place)) for form in self.held for place in range(MOST)]


def fresh(request: HttpRequest, tables: Collection[str] = (), key: UUID | None = None) -> FormState:
    """The own fields of a form that is shown for the first time, under a key of its own."""
    held = tuple(row.key for row in held_on(request))
    who, side = request.user.get_username(), side_of(request)
    seen, paper = heads_of(tables), paper_of(request)
    return FormState(key or uuid4(), who, seen, side=side, held=held, paper=paper)


def lying_sheet(request: HttpRequest) -> PaperSheet | None:
    """The sheet that lies before whoever asks, of whichever table; None for none."""
    return sheet_of(request.session.get(PAPER, ""), LIES)


def paper_of(request: HttpRequest) -> PaperSheet | None:
    """The sheet a form was sent with, or that a page's forms carry; None for what happens now.

    A sheet is of one table, and stands on the pages of that table alone.
    """
    if request.method == "POST":
        return sheet_of(request.POST.get(PAPER, ""))
    match = request.resolver_match
    table = match.kwargs.get("table") if match is not None else None
    sheet = lying_sheet(request) if table else None
    return sheet if sheet is not None and sheet.table == table else None


def held_on(request: HttpRequest) -> Sequence[HeldRecord]:
    """What was held at the page's table when it was asked for (`casino.floor.floor_access`)."""
    return getattr(request, "held", ())


def posted(data: Mapping[str, object]) -> FormState | None:
    """The own fields of a form that was sent, for what answers it; None where it has no key.

    One that was not sent before is given its moment: now. None too for a sheet of paper that is
    none any more: what it tells would be recorded as if it happened now.
    """
    try:
        key = UUID(str(data.get(KEY, "")))
    except ValueError:
        return None
    at = _moment(key, str(data.get(AT, ""))) or clock.now()
    seen, held = _seen(str(data.get(SEEN, ""))), _keys(str(data.get(HELD, "")))
    paper = sheet_of(str(data[PAPER])) if PAPER in data else None
    if PAPER in data and paper is None:
        return None
    return FormState(key, str(data.get(WHO, "")), seen, at, across(data), held, paper)


def stamped(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """A sent form's fields, to be sent once more from another page, with their moment."""
    form_state = posted(data)
    kept = [(name, value) for name, value in every(data) if name not in (TOKEN, AT, SECRET)]
    if form_state is None or form_state.at is None:
        return kept
    return [*kept, (AT, _signed(form_state.key, form_state.at))]


def every(data: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Each value of each field, in the order in which they came."""
    lists = data.lists() if hasattr(data, "lists") else ((name, [data[name]]) for name in data)
    for name, values in lists:
        for value in values:
            yield name, str(value)


def others(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """The fields that are the screen's and not the form's own."""
    return [pair for pair in every(data) if pair[0] not in OWN]


def renewed(form_state: FormState, request: HttpRequest, tables: Collection[str]) -> FormState:
    """Another form in the place of one that was outrun: a new key, the books as they stand now."""
    again = fresh(request, tables)
    return replace(again, who=form_state.who, side=form_state.side, paper=form_state.paper)


def across(data: Mapping[str, object]) -> str:
    """The other side than that of the form that was sent."""
    return RIGHT if data.get(SIDE) == LEFT else LEFT


def side_of(request: HttpRequest) -> str:
    """The side of a page: the other one of what was sent; else what led to it says it."""
    if SIDE in request.POST:
        return across(request.POST)
    return LEFT if request.GET.get(SIDE) == LEFT else RIGHT


def heads_of(tables: Collection[str]) -> dict[str, int]:
    """How far the book of each table has come; 0 where it has not begun.

    A stream that is no table's is named whole: ``jackpot/JP-1``.
    """
    if not tables:
        return {}
    names = {stream_of(table): table for table in tables}
    found = dict(BookStream.objects.filter(name__in=names).values_list("name", "head_n"))
    return {table: found.get(name, 0) for name, table in names.items()}


def stream_of(table: str) -> str:
    """The stream of a table, or the one that is named whole."""
    return table if "/" in table else f"table/{table}"


def _seen(text: str) -> dict[str, int]:
    listed = (one.rpartition(":") for one in text.split())
    return {table: int(n) for table, _, n in listed if table and n.isdecimal() and len(n) < 19}


def _keys(text: str) -> tuple[UUID, ...]:
    try:
        return tuple(UUID(one) for one in text.split()[:MOST_HELD])
    except ValueError:
        return ()


def _signed(key: UUID, at: datetime) -> str:
    return signing.dumps([str(key), at.isoformat()], salt=_SALT)


def _moment(key: UUID, token: str) -> datetime | None:
    try:
        of, at = signing.loads(token, salt=_SALT, max_age=LASTS)
        return datetime.fromisoformat(at) if of == str(key) else None
    except (signing.BadSignature, ValueError, TypeError):
        return None
