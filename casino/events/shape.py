"""What an event's fields are, read off its type once, for the form check, the book and the doors.

A field's type is a kind of value of `casino.events.values`, a `Literal`, `bool`, `datetime` or
`date`, a `Part` (an object of fields of its own), a tuple of any of these, or one of them with
`| None`, which makes the field optional. `| Withheld` marks a private field.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, Union, get_args, get_origin, get_type_hints

from casino.events import Malformed
from casino.events.round.field_form import shown
from casino.events.values import MAX_LISTED, Day, Form, Instant, Listed, OneOf, Spelled, Truth


@dataclass(frozen=True, slots=True)
class Withheld:
    """A private value of the book that is not shown here, or was erased: its commitment alone.

    `hmac` is HMAC-SHA256(salt, canonical value) in 64 lower-case hex digits.
    """

    hmac: str


@dataclass(frozen=True, slots=True)
class Part:
    """An object inside an event. It checks nothing by itself: its event does, and knows the
    path.
    """

    def contradictions(self, at: str) -> None:
        """Whatever its fields say against each other. Raises: Malformed."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A single value of one form."""

    form: Form


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values of one shape, in the order told."""

    of: "Shape"
    listed: Listed


@dataclass(frozen=True, slots=True)
class Object:
    """An object with fields of its own."""

    type: type[Part]


Shape = Plain | Items | Object


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name in Python and in the book alike, and what it may hold.

    A field with a `default` is optional, and the default says that it was left out: `None` that
    nobody knows, `()` (only `despite`) that there was none. `private`: kept as a commitment.
    """

    name: str
    shape: Shape
    private: bool
    default: object = MISSING

    @property
    def required(self) -> bool:
        """Whether it is always recorded."""
        return self.default is MISSING


_PLAIN: Final[dict[type, Form]] = {bool: Truth(), datetime: Instant(), date: Day()}
_HMAC: Final = Spelled("sha256")


_known: Final[dict[type, tuple[Field, ...]]] = {}


def fields_of(kind: type) -> tuple[Field, ...]:
    """The fields of an event or a part, in the order they are declared."""
    found = _known.get(kind)
    if found is None:
        found = _known[kind] = _read_off(kind)
    return found


def _read_off(kind: type) -> tuple[Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(each.name, hints[each.name], each.default) for each in fields(kind))


def _field(name: str, hint: object, default: object) -> Field:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    listed = [kind for kind in kinds if kind is not NoneType and kind is not Withheld]
    if len(listed) != 1:
        raise TypeError(f"{name}: a field holds one kind of value, not {listed}")
    return Field(name, _shape(listed[0]), Withheld in kinds, default)


def _shape(hint: object) -> Shape:
    if get_origin(hint) is Annotated:
        inner, mark = get_args(hint)
        return Items(_item(inner), mark) if isinstance(mark, Listed) else Plain(mark)
    if get_origin(hint) is Literal:
        return Plain(OneOf(get_args(hint)))
    if get_origin(hint) is tuple:
        return Items(_item(hint), Listed(MAX_LISTED))
    if hint in _PLAIN:
        return Plain(_PLAIN[hint])
    if isinstance(hint, type) and issubclass(hint, Part):
        return Object(hint)
    raise TypeError(f"{hint} is no kind of value a fact can hold")


def _item(hint: object) -> Shape:
    of, ellipsis = get_args(hint)
    if ellipsis is not Ellipsis:
        raise TypeError(f"{hint}: a list holds any number of items of one kind")
    return _shape(of)


def check_fields(event: object, at: str) -> None:
    """Every field of an event or a part, then of the parts in it. Raises: Malformed."""
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        path = f"{at}.{field.name}"
        if value is None and field.default is None:
            continue
        if field.private and isinstance(value, Withheld):
            _HMAC.check(value.hmac, f"{path}.hmac_sha256")
            continue
        _check(value, field.shape, path)


def _check(value: object, shape: Shape, path: str) -> None:
    if isinstance(shape, Plain):
        shape.form.check(value, path)
    elif isinstance(shape, Items):
        _check_list(value, shape, path)
    elif not isinstance(value, shape.type):
        raise Malformed(path, "found {found}; asked is an object", found=shown(value))
    else:
        check_fields(value, path)
        value.contradictions(path)


def _check_list(value: object, shape: Items, path: str) -> None:
    if type(value) is not tuple:
        raise Malformed(path, "found {found}; asked is a list", found=shown(value))
    listed = shape.listed
    if len(value) > listed.most:
        raise Malformed(
            path,
            "found {found} items; asked are at most {most}",
            found=len(value),
            most=listed.most,
        )
    for index, each in enumerate(value):
        _check(each, shape.of, f"{path}[{index}]")
        if listed.rising and index and each <= value[index - 1]:
            raise Malformed(
                f"{path}[{index}]",
                "found {found} after {before}; asked is an ascending list that names each once",
                found=each,
                before=value[index - 1],
            )
        if listed.once and each in value[:index]:
            refuse_twice(f"{path}[{index}]", each)


def refuse_twice(path: str, values: object) -> None:
    """An item named a second time. Raises: Malformed, always."""
    raise Malformed(path, "found {found} a second time; asked is each once", found=shown(values))


def private_fields_of(kind: type) -> frozenset[str]:
    """The names of a kind's private fields."""
    return frozenset(field.name for field in fields_of(kind) if field.private)


def parts_of(kind: type) -> Iterator[type[Part]]:
    """The parts an event or part is made of, each as often as it is named."""
    for field in fields_of(kind):
        shape = field.shape
        while isinstance(shape, Items):
            shape = shape.of
        if isinstance(shape, Object):
            yield shape.type
            yield from parts_of(shape.type)
