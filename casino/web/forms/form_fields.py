"""One form field for each shape an event's field may have: what was typed becomes the event's
value.

A field asks the shape's own form whether a value may stand, so that a form refuses exactly what the
event itself would, and says so beside the field. Empty and optional is None: unknown.
"""

import re
import unicodedata
from datetime import UTC, date, datetime
from typing import Any, Final, NoReturn

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.events import Malformed
from casino.events.phrases import Phrase, said
from casino.events.shape import Field, Items, Object, Part, Plain, fields_of
from casino.events.staff import DutyBegun, DutyEnded
from casino.events.values import Card, Day, Instant, OneOf, Spelled, Text, Truth, Whole
from casino.house_day import house_zone
from casino.web.display.fine_amounts import fine
from casino.web.forms.form_widgets import (
    CardInput,
    ChoiceInput,
    ListInput,
    MomentInput,
    ObjectInput,
    RowsInput,
    is_blank,
)
from casino.web.forms.people_choices import FIRST, PersonInput, asks_for_person, number_of
from casino.web.words import field_words
from casino.web.words.coded_words import OFFERED
from casino.web.words.combination_words import combination_code, combination_typed

YES: Final = "yes"
NO: Final = "no"
_MOMENT: Final = "%Y-%m-%dT%H:%M:%S"
_is_amount: Final = re.compile(
    r"(?P<whole>[0-9]{1,13}|[0-9]{1,3}(?:[ .\u00a0\u202f][0-9]{3})+)(?:[.,](?P<cents>[0-9]{1,2}))?"
).fullmatch
_is_number: Final = re.compile(r"-?[0-9]{1,16}").fullmatch
# Spaces part the items of a list, and so do commas and semicolons.
_items: Final = re.compile(r"[^\s,;]+").findall


def refuse(error: Malformed | str, code: str = "malformed") -> NoReturn:
    """Say beside a field what an event would refuse. Raises: ValidationError, always."""
    reason = error.reason if isinstance(error, Malformed) else error
    raise forms.ValidationError(said(reason, gettext), code=code)


def field_for(field: Field, kind: str) -> "EventField":
    """The form field of an event's field; `kind` names the event or the part it stands in."""
    shape = field.shape
    if isinstance(shape, Plain):
        return PlainField(field, kind)
    if isinstance(shape, Object):
        return ObjectField(field, kind, shape.type)
    if isinstance(shape.of, Object):
        return RowsField(field, kind, shape.of.type)
    return ListField(field, kind)


class EventField(forms.Field):
    """What every field of an event has in common. `original` is the value it was filled in with."""

    original: object = None

    def __init__(self, field: Field, kind: str, widget: forms.Widget) -> None:
        self.field = field
        self.is_private = field.private
        super().__init__(
            required=field.required,
            label=capfirst(field_words.label(field.name, kind)),
            help_text=field_words.HELP.get(field.name, ""),
            widget=widget,
        )
        if isinstance(self.widget, CardInput):
            self.widget.words = self.label

    def clean(self, value: object) -> object:
        """The event's value. Raises: ValidationError."""
        if self.original is not None and value == self.raw(self.original):
            return self.original  # to the microsecond, and as it was
        return self.typed(value)

    def typed(self, raw: object) -> object:
        """The value of what was typed. Raises: ValidationError."""
        raise NotImplementedError

    def raw(self, value: object) -> object:
        """What would have been typed for a value."""
        raise NotImplementedError

    def has_changed(self, initial: object, data: object) -> bool:
        """Nobody asks."""
        return True


# What a player is called in one game; and where that has to be what another entry calls him.
_PSEUDONYMS: Final = frozenset({"player", "owner"})
_SAYS_AGAIN: Final = frozenset({"jackpot-paid/1"})
_LETTERS: Final = re.compile(r"[A-Za-z]+(?:[._-][A-Za-z]+)*")
_NAME: Final = 3  # letters, at least: initials are none


def is_like_a_name(code: str) -> bool:
    """Whether a code that stands for a player may be his name: letters alone, and no digit."""
    letters = sum(one.isalpha() for one in code)
    return letters >= _NAME and _LETTERS.fullmatch(code) is not None


def no_name(code: str) -> str:
    """Why a name is refused where a code is asked, and where it belongs."""
    return gettext(
        "“%(typed)s” looks like a name. Asked is what the player is called in this game, with a"
        " digit: J5. A name never enters the book; it is told where a form asks for one."
    ) % {"typed": code}


class PlainField(EventField):
    """A single value."""

    def __init__(self, field: Field, kind: str, *, in_row: bool = False) -> None:
        assert isinstance(field.shape, Plain)
        self.form = field.shape.form
        self.in_cents = field.name.endswith("_cents")
        self.fine = fine(field.name)
        self.is_person = asks_for_person(field.name) and _spelling(self.form) == "code"
        self.is_combination = field.name == "code"
        self.offered = {} if in_row else OFFERED.get((kind, field.name), {})
        recorded_here = field.name in _PSEUDONYMS and kind not in _SAYS_AGAIN
        self.is_pseudonym = recorded_here and _spelling(self.form) == "code"
        super().__init__(field, kind, self._control(field, kind, in_row=in_row))

    def _control(self, field: Field, kind: str, *, in_row: bool) -> forms.Widget:
        form = self.form
        if field.name == "rulebook":
            return ChoiceInput(field_words.rulebook_choices(), required=field.required)
        if self.is_person:
            return PersonInput(FIRST.get(field.name, ""))
        if isinstance(form, OneOf):
            left_out = _NO_PERSONS if kind in _DUTY and field.name == "office" else frozenset()
            words = [
                (word, capfirst(field_words.word(word, field.name)))
                for word in form.words
                if word not in left_out
            ]
            return ChoiceInput(words, required=field.required)
        if isinstance(form, Card) and not in_row:
            return CardInput()
        if self.offered:
            words = [(code, capfirst(str(said))) for code, said in self.offered.items()]
            return ChoiceInput(words, required=field.required)
        if isinstance(form, Truth):
            answers = [(YES, _("Yes")), (NO, _("No"))]
            return ChoiceInput(answers, required=field.required)
        if isinstance(form, Instant):
            control = MomentInput()
            control.twice = _comes_twice  # type: ignore[method-assign]
            return control
        if isinstance(form, Day):
            return forms.DateInput({"type": "date"})
        if self.in_cents or self.fine is not None:
            return forms.TextInput({"inputmode": "decimal", "class": "amount", **_PLAIN_TEXT})
        if isinstance(form, Whole):
            return forms.NumberInput({"min": form.low, "max": form.high, "inputmode": "numeric"})
        if isinstance(form, Text) and form.lines and not in_row:
            return forms.Textarea({"rows": 4, "maxlength": form.longest})
        longest = form.longest if isinstance(form, Text) else _LONGEST.get(_spelling(form), 80)
        if self.is_combination:
            longest = 80  # told in words, not by its code
        return forms.TextInput({"maxlength": longest, **_PLAIN_TEXT})

    def typed(self, raw: object) -> object:
        """The value, as its form asks for it."""
        if is_blank(raw):
            if self.required:
                raise forms.ValidationError(self.error_messages["required"], code="required")
            return None
        try:
            value = self._read(raw)
            self.form.check(value, "$")
        except Malformed as error:
            refuse(error)
        if self.is_pseudonym and is_like_a_name(value):
            raise forms.ValidationError(no_name(value))
        return value

    def _read(self, raw: Any) -> Any:
        form = self.form
        if isinstance(form, Instant):
            return moment_of(*raw)
        text = str(raw).strip()
        if isinstance(form, Truth):
            return {YES: True, NO: False}.get(text, text)
        if isinstance(form, Day):
            try:
                return date.fromisoformat(text)
            except ValueError:
                refuse(Phrase("found {found}; asked is a day YYYY-MM-DD", found=text))
        if self.in_cents:
            return cents_of(text)
        if self.fine is not None:
            return self.fine.read(text)
        if isinstance(form, Whole):
            return int(text) if _is_number(text) else text
        if isinstance(form, Card):
            return card_of(text)
        if self.is_person:
            return number_of(text)
        plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n"))
        return combination_code(plain) if self.is_combination else plain

    def raw(self, value: Any) -> object:
        """The text of a value; '' for none."""
        if isinstance(self.form, Instant):
            return _clock_of(value)
        if value is None:
            return ""
        if isinstance(self.form, Truth):
            return YES if value else NO
        if self.fine is not None:
            return self.fine.shown(value)
        if self.is_combination:
            return combination_typed(str(value))
        if self.offered and value not in self.offered:  # recorded before there was a list
            self.widget.choices.append((value, capfirst(field_words.word(value))))
        return amount(value) if self.in_cents else str(value)


class ListField(EventField):
    """A list of single values in one line: codes, seats, cards."""

    def __init__(self, field: Field, kind: str) -> None:
        assert isinstance(field.shape, Items)
        assert isinstance(field.shape.of, Plain)
        self.form = field.shape.of.form
        self.empty_is_none = field.required
        super().__init__(field, kind, ListInput(with_none=not field.required, attrs=_PLAIN_TEXT))
        self.required = False  # an empty list of a required field says: none
        if not self.help_text:
            self.help_text = (
                _("Several are parted by spaces; empty means none.")
                if self.empty_is_none
                else _("Several are parted by spaces.")
            )

    def typed(self, raw: Any) -> object:
        """A tuple; None where nothing was said."""
        line, none = raw
        if not line:
            return () if none or self.empty_is_none else None
        values = tuple(self._read(item) for item in _items(line))
        for value in values:
            try:
                self.form.check(value, "$")
            except Malformed as error:
                refuse(error)
        return values

    def _read(self, item: str) -> object:
        if isinstance(self.form, Whole):
            return int(item) if _is_number(item) else item
        return card_of(item) if isinstance(self.form, Card) else item

    def raw(self, value: Any) -> Any:
        """The line of a list, and whether "none" is ticked."""
        return " ".join(map(str, value or ())), value == () and not self.empty_is_none


class RowsField(EventField):
    """A list of objects, one a row."""

    def __init__(self, field: Field, kind: str, part: type[Part]) -> None:
        self.part = part
        self.empty_is_none = field.required
        self.columns = columns_of(part)
        super().__init__(field, kind, RowsInput(self.columns, with_none=not field.required))
        self.required = False

    def typed(self, raw: Any) -> object:
        """A tuple of the objects of the rows that are filled in; None where nothing was said."""
        rows, none = raw
        listed, wrong = [], []
        # Numbered as they are shown again: blank rows are left out.
        filled = (row for row in rows if not is_blank(row))
        for number, row in enumerate(filled, start=1):
            try:
                listed.append(part_of(self.part, self.columns, row))
            except forms.ValidationError as error:
                wrong += [
                    gettext("Row %(row)s: %(what)s") % {"row": number, "what": message}
                    for message in error.messages
                ]
        if wrong:
            raise forms.ValidationError(wrong, code="malformed")
        return tuple(listed) if listed or none or self.empty_is_none else None

    def raw(self, value: Any) -> object:
        """The rows of the objects, and whether "none" is ticked."""
        rows = [raw_part(self.columns, each) for each in value or ()]
        return rows, value == () and not self.empty_is_none


class ObjectField(EventField):
    """One object; where it is optional and nothing of it is filled in, None."""

    def __init__(self, field: Field, kind: str, part: type[Part]) -> None:
        self.part = part
        self.columns = columns_of(part)
        super().__init__(field, kind, ObjectInput(self.columns))

    def typed(self, raw: Any) -> object:
        """The object."""
        if is_blank(raw) and not self.required:
            return None
        return part_of(self.part, self.columns, raw)

    def raw(self, value: Any) -> object:
        """Its fields' texts."""
        return None if value is None else raw_part(self.columns, value)


def columns_of(part: type[Part]) -> dict[str, PlainField]:
    """The fields of a part, which are all plain."""
    return {field.name: PlainField(field, part.__name__, in_row=True) for field in fields_of(part)}


def part_of(part: type[Part], columns: dict[str, PlainField], row: dict[str, object]) -> Part:
    """The object of one row. Raises: ValidationError, with every column that is wrong."""
    values, wrong = {}, []
    for name, column in columns.items():
        try:
            values[name] = column.typed(row.get(name))
        except forms.ValidationError as error:
            wrong += [f"{column.label}: {message}" for message in error.messages]
    if wrong:
        raise forms.ValidationError(wrong, code="malformed")
    found = part(**values)
    try:
        found.contradictions("$")
    except Malformed as error:
        refuse(error)
    return found


def raw_part(columns: dict[str, PlainField], part: Part) -> dict[str, object]:
    """What would have been typed for an object."""
    return {name: column.raw(getattr(part, name)) for name, column in columns.items()}


def cents_of(text: str) -> int:
    """An amount as people write it, in cents: ``25``, ``1.234``, ``1 234,50``, ``12.5``.

    Raises: ValidationError.
    """
    found = _is_amount(text.replace("€", "").strip())
    if found is None:
        refuse(Phrase("found {found}; asked is an amount such as 25 or 12,50", found=text))
    whole = int(re.sub(r"[^0-9]", "", found["whole"]))
    return whole * 100 + int((found["cents"] or "").ljust(2, "0"))


def amount(cents: int) -> str:
    """Cents as `cents_of` reads them, and people too: ``25``, ``12,50``."""
    whole, rest = divmod(cents, 100)
    return f"{whole},{rest:02d}" if rest else str(whole)


def card_of(text: str) -> str:
    """A card's code as people write it: ``10h`` is ``TH``, and so is ``10♥``; ``D♠`` is ``QS``."""
    code = text.upper().replace("10", "T").translate(_AS_CODES)
    return f"Q{code[1:]}" if code.startswith("D") else code  # dama; after a rank D is a suit


def moment_of(text: str, again: str = "") -> datetime:
    """A moment of the house's clock as UTC; `again` ``"0"`` or ``"1"`` where it shows it twice.

    Raises: ValidationError.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        refuse(Phrase("found {found}; asked is a date and a time", found=text))
    if moment.tzinfo is not None:
        try:
            return moment.astimezone(UTC)
        except OverflowError:
            refuse(Phrase("found {found}; asked is a date and a time", found=text))
    local = moment.replace(tzinfo=house_zone())
    if _comes_twice(text):
        if again not in ("0", "1"):
            refuse(Phrase("the clocks were set back and showed this time twice: say which"))
        return local.replace(fold=int(again)).astimezone(UTC)
    if local.astimezone(UTC).astimezone(house_zone()).replace(tzinfo=None) != moment:
        refuse(Phrase("the clocks were set forward and never showed this time"))
    return local.astimezone(UTC)


def _clock_of(moment: datetime | None) -> tuple[str, str]:
    """What the house's clock showed, and which time where it showed it twice."""
    if moment is None:
        return "", ""
    local = moment.astimezone(house_zone())
    text = local.strftime(_MOMENT)
    return text, str(local.fold) if _comes_twice(text) else ""


def _comes_twice(text: str) -> bool:
    """Whether the house's clock shows this time twice."""
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=house_zone())
    except ValueError:
        return False
    first, second = moment.replace(fold=0).utcoffset(), moment.replace(fold=1).utcoffset()
    return first is not None and second is not None and first > second


def _spelling(form: object) -> str:
    return form.name if isinstance(form, Spelled) else ""


# Nobody goes on duty as one of these: a device and the program itself.
_NO_PERSONS: Final = frozenset({"dispositivo", "sistema"})
_DUTY: Final = frozenset({DutyBegun.kind, DutyEnded.kind})
# What stands on a Portuguese card, where no code means another thing by it; and the suits' signs.
_AS_CODES: Final = str.maketrans({"V": "J", "R": "K", "♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_PLAIN_TEXT: Final = {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}
_LONGEST: Final = {"code": 40, "word": 80, "uuid": 36, "sha256": 64, "partida": 61}
