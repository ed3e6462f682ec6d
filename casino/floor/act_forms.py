"""What the forms of the floor's acts are made of: an event's own fields, asked one by one.

So a form refuses what the event refuses and calls it what the admin calls it.
"""

from collections.abc import Collection, Mapping
from typing import Final

from django import forms

from casino.events.event import Event
from casino.events.shape import fields_of
from casino.events.values import Instant
from casino.web.forms.form_fields import NO, YES, PlainField
from casino.web.forms.running_numbers import Register, is_given, next_number

__all__ = ["GIVEN", "NO", "YES", "ActForm", "asked", "given", "only_once"]
GIVEN: Final = "given"  # the number of a register a form was shown with


class ActForm(forms.Form):
    """A form of some fields of events, and perhaps of some of its own."""

    def __init__(self, data: Mapping[str, object] | None) -> None:
        super().__init__(data)

    def add(self, kind: type[Event], names: str, *, must: Collection[str] = ()) -> None:
        """Ask for these fields of an event; those in `must` have to be answered."""
        self.fields.update(asked(kind, names, must=must))

    def begin(self, **values: object) -> None:
        """What the form is filled in with: values as the events know them."""
        for name, value in values.items():
            field = self.fields[name]
            self.initial[name] = field.raw(value) if isinstance(field, PlainField) else value


def asked(kind: type[Event], names: str, *, must: Collection[str] = ()) -> dict[str, PlainField]:
    """The form fields of some fields of an event, named in one text."""
    by_name = {field.name: field for field in fields_of(kind)}
    made = {name: PlainField(by_name[name], kind.kind) for name in names.split()}
    for name, field in made.items():
        assert not isinstance(field.form, Instant)  # moments are recorded by MomentForm
        field.required = field.required or name in must
        field.widget.is_required = field.required
    return made


def given() -> forms.CharField:
    """The field in which a form carries the number it was shown with."""
    return forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)


def only_once(form: forms.Form, register: Register, name: str, taken: str) -> None:
    """A number somebody else was given meanwhile is not given twice: it is the next one then.

    One that was typed is refused with `taken`, which names it as ``%(number)s``. In `clean`.
    """
    number = form.cleaned_data.get(name)
    if not number or not is_given(register, number):
        return
    if number == form.cleaned_data.get(GIVEN):
        form.cleaned_data[name] = next_number(register)
    else:
        form.add_error(name, taken % {"number": number})
