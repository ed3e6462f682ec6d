"""Whose turn it is to cut: worked out in the form before the cut is recorded.

Law: PT art. 8.
"""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext

from casino.events import Malformed
from casino.events.shoes import CutMade
from casino.law.rulebook.law_text import LawError
from casino.previewing import rightful_seats
from casino.recording import Actor
from casino.web.forms.event_forms import EventForm

_ASKED = ("table", "partida", "shoe", "seats_occupied", "occurred_at")


def work_out(form: EventForm, data: Mapping[str, object], by: Actor) -> str:
    """Fill in the rightful seat in a form shown again; the sentence that says whose turn it is."""
    try:
        values = {name: form.fields[name].clean(form.initial[name]) for name in _ASKED}
        occurred_at = values.pop("occurred_at")
        cut = CutMade(**values, after="start", offers=(), cut_by="nobody")
        right = rightful_seats(cut, occurred_at=occurred_at, by=by)
    except (forms.ValidationError, Malformed, LawError):
        return gettext("Fill in the game, the shoe and the occupied seats first.")
    if right is None:
        return gettext("The record does not tell whose turn it is: the shoe before is not in it.")
    form.initial["due_seat"] = "" if right.due is None else str(right.due)
    if right.due is None:
        return gettext("The fiscal de banca cuts.")
    return gettext("It is seat %(due)s's turn. To be asked in this order: %(seats)s.") % {
        "due": right.due,
        "seats": ", ".join(map(str, right.seats)),
    }
