"""S9: a player complains. What about, and whether the cards had gone in: that is asked, never
guessed, and nothing here says that a complaint is too late.

Law: PT art. 61, with 60.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any, Final, get_args

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.events.complaints import ComplaintReceived, Subject
from casino.events.event_policy import FLOOR
from casino.events.round.round_played import RoundPlayed
from casino.floor.act_forms import asked, given, only_once
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import form_of, no_game, table_url
from casino.floor.game_view import GameView, last_game_view
from casino.floor.record_words import record_word
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import MomentForm, moment_of_form
from casino.law.checks.table.complaint_window import RoundWindow, window
from casino.law.dossier import RecordedEvent
from casino.models import Table
from casino.web.forms.running_numbers import COMPLAINTS, next_number, numbering
from casino.web.words.field_words import word

NOT_KNOWN: Final = "unknown"
LAST_ROUNDS: Final = 3
BOXES: Final = 7


class ComplaintForm(MomentForm):
    """What about, whether the cards were in (at a shuffler), and whatever else the player says."""

    cards = forms.ChoiceField(
        label=_("Had the cards gone into the shuffler?"),
        choices=[("yes", _("Yes")), ("no", _("No")), (NOT_KNOWN, _("Not known"))],
        error_messages={"required": _("Say whether the cards had gone into the shuffler.")},
    )
    given = given()

    def __init__(self, data: Mapping[str, object] | None, game: GameView, number: str) -> None:
        super().__init__(data)
        self.fields.update(
            asked(ComplaintReceived, "subject complaint box amount_cents sheet player round text")
        )
        self.fields["subject"].error_messages["required"] = gettext("Say what it is about.")
        if not game.machine:
            del self.fields["cards"]
        self.initial.update(complaint=number, given=number)

    def clean(self) -> dict[str, object]:
        """The round is tapped; a number given to another complaint meanwhile is not given twice."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if "asks_round" in self.data and "round" not in self.data:
            self.add_error("round", gettext("Say of which round."))
        taken = gettext("%(number)s stands in the register already: another complaint has it.")
        only_once(self, COMPLAINTS, "complaint", taken)
        return cleaned


def received(game: GameView, data: Mapping[str, Any]) -> Act:
    """The complaint. Raises: Malformed."""
    moment = moment_of_form(data, data["at"], game.since)
    complained_of = _round(game, data["round"])
    event = ComplaintReceived(
        **game.at,
        complaint=data["complaint"],
        subject=data["subject"],
        received_at=moment,
        round=data["round"],
        shoe=complained_of.event.shoe if complained_of is not None else None,
        number=complained_of.event.number if complained_of is not None else None,
        box=data["box"],
        player=data["player"],
        cards_inserted={"yes": True, "no": False}.get(data.get("cards", "")),
        amount_cents=data["amount_cents"],
        sheet=data["sheet"],
        text=data["text"],
    )
    return Act(event, "", moment)


def _round(game: GameView, uuid: str | None) -> RecordedEvent[RoundPlayed] | None:
    rounds = game.dossier.of(RoundPlayed) if uuid else []
    return next((recorded for recorded in rounds if recorded.event.round == uuid), None)


def subjects() -> list[tuple[str, str]]:
    """What a complaint may be about, in the order of the tiles."""
    return [(code, str(capfirst(word(code)))) for code in get_args(Subject)]


def last_rounds(game: GameView, now: datetime) -> tuple[RoundWindow, ...]:
    """The rounds somebody may complain of now, the last one first, with how their time stands."""
    return window(game.dossier, now, game.law).rounds[:LAST_ROUNDS]


def _said_of(game: GameView, windows: Sequence[RoundWindow]) -> list[tuple[RoundWindow, str]]:
    """Each round with what it was, where it has no number: two may be of the same moment."""
    by_name = {one.event.round: one.event for one in game.dossier.of(RoundPlayed)}
    return [
        (one, "" if one.number or one.round not in by_name else record_word(by_name[one.round]))
        for one in windows
    ]


@floor_page(FLOOR)
def complaint_view(request: HttpRequest, table: str) -> HttpResponse:
    """A complaint about the game that is open, or about the last one."""
    now = clock.now()
    game = last_game_view(table, now)
    if game is None:
        return no_game(request, table)
    boxes = Table.objects.filter(table_code=table).order_by("-n").values_list("boxes", flat=True)
    form, rounds = form_of(request), last_rounds(game, now)
    with numbering(COMPLAINTS, form) if request.method == "POST" else nullcontext():
        return record_form_view(
            request,
            screen="complaint",
            acts=lambda data: [received(game, data)],
            form=ComplaintForm(request.POST or None, game, next_number(COMPLAINTS, form)),
            template="sala/complaint.html",
            context={
                "scene": game,
                "table": table,
                "subjects": subjects(),
                "boxes": range(1, (boxes.first() or BOXES) + 1),
                "rounds": rounds,
                "round_tiles": _said_of(game, rounds),
            },
            done=table_url(table),
            tables=(table,),
            photographs=True,
        )
