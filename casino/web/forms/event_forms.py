"""One form for every kind of event, made of the event's own fields.

What it refuses is what the event refuses, said beside the field it is about; whether the act was
lawful it never asks. A round is recorded as its own record, in one field.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.events import Malformed
from casino.events.event import Event, OverriddenWarning
from casino.events.naming import PLAYER
from casino.events.phrases import said
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Field, Plain, Withheld, fields_of
from casino.events.values import Instant
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from casino.web.forms.form_fields import EventField, PlainField, field_for, is_like_a_name, no_name
from casino.web.words import field_words

OCCURRED: Final = Field("occurred_at", Plain(Instant()), private=False, default=MISSING)
REASON: Final = "correction_reason"
RECORD: Final = "record"
WARNINGS: Final = "despite"
# What an event may leave out and a form asks for all the same: by kind, the article that stays
# undecided without it. Of a deck, where it is shown before play.
ASKED: Final[Mapping[str, Mapping[str, str]]] = {
    "table-registered/1": {"layout": "2", "numbering": "2", "boxes_marked": "2"},
    "deck-inspected/1": {"spread_in_rows": "7", "pagador": "7", "jokers": "3"},
}
_MANY: Final = 6  # optional fields beyond which a form keeps them folded
_first_name: Final = re.compile(r"\$\.([a-z_]+)").match


class EventForm(forms.Form):
    """An event of one kind as a form.

    `values` are those to begin with, by field (a correction's are those of the entry it corrects).
    `kept` are private fields whose value this reader may not see: the correction keeps it. `given`
    are those the page around it says; the form does not ask for them.
    """

    def __init__(
        self,
        kind: type[Event],
        data: Mapping[str, object] | None = None,
        *,
        key: UUID,
        values: Mapping[str, object] | None = None,
        occurred_at: datetime | None = None,
        correcting: bool = False,
        kept: Mapping[str, object] | None = None,
        given: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data)
        self.kind = kind
        self.correcting = correcting
        self.kept = dict(kept or {})
        self.given = dict(given or {})
        self.fields["key"] = forms.UUIDField(initial=key, widget=forms.HiddenInput)
        self._add(OCCURRED, occurred_at or clock.now().replace(microsecond=0), original=correcting)
        for field in self.event_fields():
            if field.name not in self.unasked:
                self._add(field, (values or {}).get(field.name, field.default), original=correcting)
        if correcting:
            self.fields[REASON] = reason_field()

    @property
    def unasked(self) -> Mapping[str, object]:
        """The values the form does not ask for."""
        return {**self.kept, **self.given}

    def event_fields(self) -> Sequence[Field]:
        """The fields of the event that are asked, the sheet of paper last; warnings are
        acknowledged beside the form.
        """
        asked = (field for field in fields_of(self.kind) if field.name != WARNINGS)
        return sorted(asked, key=lambda field: field.name == "paper")

    def _add(self, field: Field, value: object, *, original: bool) -> None:
        made = field_for(field, self.kind.kind)
        if value is not None and value is not MISSING:
            made.initial = made.raw(value)
            made.original = value if original else None
        self.fields[field.name] = made

    def clean(self) -> dict[str, object]:
        """Build the event. Whatever it refuses is said beside the field it is about."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, article in self.asked(cleaned).items():
            if cleaned.get(name) is None and name not in self.errors:
                words = gettext("Say this: without it article %(article)s stays undecided.")
                self.add_error(name, words % {"article": article})
        if not self.errors:
            try:
                cleaned["fact"] = self.built(cleaned)
            except Malformed as error:
                self.refuse(error)
        for one in cleaned.get("people") or ():  # whom an incident concerns
            if one.role == PLAYER and is_like_a_name(one.person):
                self.add_error("people", no_name(one.person))
        return cleaned

    def asked(self, cleaned: Mapping[str, object]) -> Mapping[str, str]:
        """What has to be filled in though the event may leave it out, and for which article.

        A correction asks for nothing its entry did not tell.
        """
        shown = cleaned.get("moment", "exhibition") == "exhibition"
        return ASKED.get(self.kind.kind, {}) if shown and not self.correcting else {}

    def built(self, cleaned: Mapping[str, object]) -> object:
        """The event these values tell. Raises: Malformed."""
        asked = [field.name for field in self.event_fields() if field.name not in self.unasked]
        return self.kind(**{name: cleaned[name] for name in asked}, **self.unasked)

    def refuse(self, error: Malformed) -> None:
        """Say what was refused beside the field whose path it names."""
        found = _first_name(error.path)
        name = found[1] if found and found[1] in self.fields else None
        self.add_error(name, said(error.reason, gettext))

    def event(self, despite: Sequence[OverriddenWarning] = ()) -> Any:
        """The event, with the warnings it is recorded over."""
        event = self.cleaned_data["fact"]
        if despite and self.keeps_warnings:
            return replace(event, despite=tuple(despite))
        return event

    @property
    def keeps_warnings(self) -> bool:
        """Whether the event can say what it was recorded over; a round's own record cannot."""
        return any(field.name == WARNINGS for field in fields_of(self.kind))

    def unjudged(self, data: Mapping[str, object]) -> None:
        """Show what was filled in so far, without a word on it: more rows were asked for."""
        self.initial = {
            name: field.widget.value_from_datadict(data, MultiValueDict(), name)
            for name, field in self.fields.items()
        }

    @property
    def occurred_at(self) -> datetime:
        """When it happened, as the form says."""
        moment: datetime = self.cleaned_data[OCCURRED.name]
        return moment

    @property
    def key(self) -> UUID:
        """The record's own key: sent again, it is the same record."""
        key: UUID = self.cleaned_data["key"]
        return key

    def groups(self) -> list[dict[str, Any]]:
        """The fields as the page lays them out: what must be recorded, then what may be."""
        shown = [self[name] for name in self.fields if name not in ("key", REASON)]
        asked = ASKED.get(self.kind.kind, {})
        must = [one for one in shown if one.name in asked or _is_asked_first(one.field)]
        may = [field for field in shown if field not in must]
        if len(may) <= _MANY:
            return [{"fields": shown, "folded": False}]
        unfolded = any(field.errors or field.value() for field in may)
        return [
            {"fields": must, "folded": False},
            {"fields": may, "folded": True, "open": bool(unfolded)},
        ]

    @property
    def kept_labels(self) -> list[str]:
        """What is kept as it is, unseen."""
        return [str(capfirst(field_words.label(name, self.kind.kind))) for name in self.kept]


class RoundForm(EventForm):
    """A round, told as its record (docs/round-record.md)."""

    def event_fields(self) -> Sequence[Field]:
        """None: the record is one text."""
        return ()

    keeps_warnings = False

    def __init__(self, kind: type[Event], data: Any = None, **how: Any) -> None:
        record = (how.pop("values", None) or {}).get(RECORD, "")
        super().__init__(kind, data, **how)
        text = forms.CharField(
            label=_("Round record"),
            help_text=_(
                "One JSON object, as in a file of rounds. The table, the partida and the"
                " gaming day are read off it."
            ),
            widget=forms.Textarea({"rows": 18, "spellcheck": "false", "class": "code"}),
            initial=record,
        )
        self.fields[RECORD] = text

    def built(self, cleaned: Mapping[str, Any]) -> object:
        """The round. Raises: Malformed."""
        return read_round(cleaned[RECORD].encode())

    def refuse(self, error: Malformed) -> None:
        """Say what was refused, with the place in the record."""
        if error.path == "$.occurred_at":
            super().refuse(error)
        else:
            self.add_error(RECORD, f"{error.path}: {said(error.reason, gettext)}")


def form_for(kind: type[Event]) -> type[EventForm]:
    """The form of a kind."""
    return RoundForm if issubclass(kind, RoundPlayed) else EventForm


def reason_field() -> forms.ChoiceField:
    """Why a record is corrected, one of the coded reasons."""
    return forms.ChoiceField(label=_("Why it is corrected"), choices=_corrected)


def _corrected() -> list[tuple[str, str]]:
    listed = field_words.CORRECTION_REASONS.items()
    return [("", ""), *((code, str(capfirst(str(word)))) for code, word in listed)]


def initial_values(event: Event) -> dict[str, object]:
    """The values of an event, as its form begins with them; withheld ones are left out."""
    if isinstance(event, RoundPlayed):
        return {RECORD: round_as_json(event)}
    data = {field.name: getattr(event, field.name) for field in fields_of(type(event))}
    return {name: value for name, value in data.items() if not isinstance(value, Withheld)}


def _is_asked_first(field: forms.Field) -> bool:
    if not isinstance(field, EventField):
        return True
    return field.field.required or field.field.name in ("table", "partida", "shoe")


__all__ = ["EventForm", "PlainField", "RoundForm", "form_for", "initial_values", "reason_field"]
