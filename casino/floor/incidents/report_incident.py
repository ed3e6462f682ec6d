"""S8: something went wrong. What, why, when: three taps; the rest is recorded as it happens.

Law: PT art. 5, 51.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.events.deck_life import CardReplaced
from casino.events.event_policy import FLOOR
from casino.events.incidents import IncidentReported
from casino.floor.act_forms import asked
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.game_pages import GAME, form_of, game_for, no_game, table_url
from casino.floor.game_view import GameView
from casino.floor.incidents.incident_events import MACHINE, reported
from casino.floor.incidents.receive_complaint import last_rounds
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import MomentForm, moment_of_form
from casino.law.game_decks import decks_in_play
from casino.web.forms.form_widgets import CardInput
from casino.web.forms.running_numbers import INCIDENTS, next_number, numbering
from casino.web.words.incident_words import CATEGORIES, OF_A_SHUFFLER, REASONS, category_word

# What is about one round, and disputed like it. Law: PT art. 61.
OF_A_ROUND: Final = frozenset({"payment_error", "dealing_error", "exposed_card"})


class IncidentForm(MomentForm):
    """The reason within its category, when it was, and whatever is to be said of it."""

    reason = forms.ChoiceField(
        label=_("Reason"), error_messages={"required": _("Choose the reason.")}
    )

    def __init__(self, data: Mapping[str, object] | None, category: str) -> None:
        super().__init__(data)
        reasons: Any = self.fields["reason"]
        reasons.choices = list(REASONS[category].items())
        self.fields.update(asked(IncidentReported, "deck text amount_cents round"))
        if category == "damaged_card":
            self.fields.update(asked(CardReplaced, "card"))
            self.fields["card"].label = _("Which card")
            self.fields["card"].required = self.fields["card"].widget.is_required = False
            cast(CardInput, self.fields["card"].widget).words = _("Which card")


def incident_event(
    game: GameView, category: str, number: str, data: Mapping[str, Any]
) -> list[Act]:
    """The report. Raises: Malformed."""
    moment = moment_of_form(data, data["at"], game.since)
    event = reported(
        game.at,
        number,
        category,
        data["reason"],
        moment,
        shuffler=game.shuffler if game.machine and category in MACHINE else None,
        deck=data.get("deck"),
        text=data.get("text"),
        amount_cents=data.get("amount_cents"),
        damaged_cards=(data["card"],) if data.get("card") else None,
        round=data.get("round"),
    )
    return [Act(event, category_word(category), moment)]


def categories_for(game: GameView) -> list[tuple[str, str]]:
    """The tiles of this table, with their words."""
    return [
        (category, str(word))
        for category, word in CATEGORIES.items()
        if game.machine or category not in OF_A_SHUFFLER
    ]


@floor_page(FLOOR)
def incident_view(request: HttpRequest, table: str) -> HttpResponse:
    """What went wrong: the category is in the address, the rest in the form."""
    game = game_for(request, table, left=GAME in request.GET)
    if game is None:
        return no_game(request, table)
    category = request.GET.get("category", "")
    if category not in REASONS:
        context = {"scene": game, "table": table, "categories": categories_for(game)}
        return shown(request, "sala/incident_kinds.html", context)
    form = IncidentForm(request.POST or None, category)
    form.initial["deck"] = request.GET.get("deck", "")
    with numbering(INCIDENTS, form_of(request)) if request.method == "POST" else nullcontext():
        return record_form_view(
            request,
            screen="incident",
            acts=lambda data: incident_event(game, category, next_number(INCIDENTS), data),
            form=form,
            template="sala/incident.html",
            context={
                "scene": game,
                "table": table,
                "category": category,
                "category_word": category_word(category),
                "asks_deck": category in ("deck_defect", "damaged_card"),
                "decks": decks_in_play(game.evening),
                "rounds": last_rounds(game, game.now) if category in OF_A_ROUND else (),
            },
            done=table_url(table),
            leads=lambda event: reverse("sala:incident_steps", args=[table, event.incident]),
            tables=(table,),
            photographs=True,
        )
