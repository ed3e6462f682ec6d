"""S7: play stops, the cards are laid out or not, play goes on.

Law: PT art. 12; 8, whose turns start over; 57, which forbids it with a continuous shuffler.
"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import AT_THE_TABLE
from casino.events.shoes import CardsSpread, PlayInterrupted, PlayResumed, SpreadWhy
from casino.floor.act_forms import ActForm
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import game_for, no_game, table_url
from casino.floor.game_view import GameView
from casino.floor.recording_views import Act, record_form_view
from casino.law.dossier import RecordedEvent, in_time

INTERRUPT, SPREAD, RESUME = "interrupt", "spread", "resume"
# For which of the reasons of a stop the cards may be laid out as well; for others it is said so.
_SPREAD_WHY: Final[dict[str, SpreadWhy]] = {
    "no_players": "no_players",
    "no_stakes": "no_stakes",
}


class StopForm(ActForm):
    """What is done, and why."""

    do = forms.ChoiceField(
        choices=[(INTERRUPT, ""), (SPREAD, ""), (RESUME, "")],
        error_messages={"required": _("Press one of the buttons.")},
    )

    def __init__(self, data: Mapping[str, object] | None) -> None:
        super().__init__(data)
        self.add(PlayInterrupted, "reason")
        self.fields["reason"].required = False

    def clean(self) -> dict[str, object]:
        """A stop has its reason."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if cleaned.get("do") in (INTERRUPT, SPREAD) and not cleaned.get("reason"):
            if "reason" not in self.errors:
                self.add_error("reason", _("Say why play stops."))
        return cleaned


def stopped(game: GameView, data: Mapping[str, Any]) -> list[Act]:
    """What one button tells: a stop, a stop with the cards laid out, or that play goes on."""
    shoe = game.evening.shoes[-1].number if game.evening.shoes else None
    if data["do"] == RESUME:
        return [Act(PlayResumed(**game.at, shoe=shoe))]
    acts = [Act(PlayInterrupted(**game.at, reason=data["reason"], shoe=shoe))]
    if data["do"] == SPREAD:
        why: SpreadWhy = _SPREAD_WHY.get(data["reason"], "other")
        acts.append(Act(CardsSpread(**game.at, reason=why, shoe=shoe, face_up=True)))
    return acts


def standing_still(game: GameView) -> RecordedEvent[PlayInterrupted] | None:
    """The stop that lasts, if play rests now."""
    events: list[RecordedEvent[Any]] = [
        *game.dossier.of(PlayInterrupted),
        *game.dossier.of(PlayResumed),
    ]
    last = max(events, key=in_time, default=None)
    return last if last is not None and isinstance(last.event, PlayInterrupted) else None


@floor_page(AT_THE_TABLE)
def interrupt_view(request: HttpRequest, table: str) -> HttpResponse:
    """Stop, lay the cards out, go on."""
    game = game_for(request, table)
    if game is None:
        return no_game(request, table)
    context = {"scene": game, "table": table, "since": standing_still(game)}
    return record_form_view(
        request,
        screen="interrupt",
        acts=lambda data: stopped(game, data),
        form=StopForm(request.POST or None),
        template="sala/interrupt.html",
        context=context,
        done=table_url(table),
        tables=(table,),
    )
