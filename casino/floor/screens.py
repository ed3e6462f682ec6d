"""A screen of the floor, shown: for the first time, or again with why nothing was recorded."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from casino.events import Malformed
from casino.floor import form_state as carried
from casino.floor.floor_page import shown
from casino.floor.form_state import FormState
from casino.models import BookEntry
from casino.recording import Receipt, Refused
from casino.web.entries.entry_page import author_of
from casino.web.forms import people_choices
from casino.web.forms.record_form import refusal_text
from casino.web.forms.shield import unjudged
from casino.web.forms.uploads import FIELD, PHOTOGRAPHS, Waiting
from casino.web.words.kind_words import kind_word


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What somebody recorded while the page was open."""

    what: str
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen at work: what it builds, how it is shown, where it leads.

    `leads` says so by the first of the events, where it depends on them; `photographs` were taken
    with it and wait.
    """

    name: str
    acts: Callable[[Mapping[str, object]], Sequence[object]]
    form: forms.Form | None
    template: str
    context: Mapping[str, object]
    done: str | Callable[[Sequence[Receipt]], str]
    tables: Collection[str]
    completed: Callable[[object], object]
    leads: Callable[[object], str] | None = None
    photographs: Sequence[Waiting] = ()


def page(
    request: HttpRequest,
    on: Screen,
    form_state: FormState,
    *,
    errors: Sequence[tuple[str, str]] = (),
    meanwhile: Sequence[Meanwhile] = (),
) -> HttpResponse:
    """The screen itself, with what was refused, or recorded by somebody else."""
    people_choices.offer(on.form, request)
    around = {
        "own": form_state,
        "form": on.form,
        "errors": list(errors),
        "meanwhile": list(meanwhile),
        "screen": on.name,
        "photographs": on.photographs,
        "files_refused": any(name == FIELD for name, _words in errors),
        "accept": PHOTOGRAPHS,
    }
    return shown(request, on.template, {**on.context, **around})


def form_errors(form: forms.Form) -> list[tuple[str, str]]:
    """What a form was refused for, with the field of each; "" for the whole of it."""
    return [
        ("" if name == "__all__" else name, _named(form, name, str(error)))
        for name, errors in form.errors.items()
        for error in errors
    ]


def _placed(on: Screen, error: Malformed) -> tuple[str, str]:
    """What was refused, with the field it is about."""
    name = error.path.removeprefix("$.").split(".")[0].split("[")[0]
    return ("" if name.startswith("$") else name), _named(on.form, name, refusal_text(error))


def _named(form: forms.Form | None, name: str, words: str) -> str:
    """A refusal that does not say by itself what it is about, with its field's label before it."""
    field = form.fields.get(name) if form is not None else None
    label = str(field.label or "") if field is not None else ""
    alone = words[:1].isupper() and words != str(forms.Field.default_error_messages["required"])
    return capfirst(words) if alone or not label else f"{capfirst(label)}: {words}"


def as_filled_in(request: HttpRequest, on: Screen, form_state: FormState) -> HttpResponse:
    """The screen as it was filled in, without a word on it: nothing of it was judged."""
    if on.form is not None:
        unjudged(on.form)
    return page(request, on, form_state)


def outrun(
    request: HttpRequest, on: Screen, form_state: FormState, entries: Sequence[BookEntry]
) -> HttpResponse:
    """The screen as the book stands now: somebody else was there first. Nothing was recorded."""
    again = carried.renewed(form_state, request, on.tables)
    return page(request, on, again, meanwhile=[_meanwhile(one) for one in entries])


def refused(
    request: HttpRequest, on: Screen, form_state: FormState, error: Malformed | Refused
) -> HttpResponse:
    """The screen once more, with the words of the refusal. Nothing was recorded."""
    texts = _placed(on, error) if isinstance(error, Malformed) else ("", refusal_text(error))
    return page(request, on, form_state, errors=[texts])


def _meanwhile(entry: BookEntry) -> Meanwhile:
    return Meanwhile(str(capfirst(kind_word(entry.kind))), author_of(entry), entry.recorded_at)
