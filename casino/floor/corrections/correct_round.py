"""A round put right as it was tapped: what is different stands on the page before it is recorded.

The round stays the one it was, with its number, its moment, its dealer and whatever cannot be
tapped. It counts once a second person has approved it. Law: PT art. 13-37, 61.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from casino import clock
from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.floor.form_state import KEY
from casino.floor.game_view import GameView, load_game_view
from casino.floor.recording_views import Act, record_form_view
from casino.floor.rounds.round_by_hand import TAPS, Screen, TapsForm
from casino.floor.rounds.round_on_record import put_right, words_of
from casino.law.dossier import RecordedEvent
from casino.models import BookEntry
from casino.recording import Supersedes
from casino.web.entries.entry_page import url_of
from casino.web.forms.event_forms import REASON, reason_field
from casino.web.forms.record_form import refusal_text
from casino.web.forms.uploads import attachments_of
from casino.web.second_person.decision_page import compared


class CorrectionForm(TapsForm):
    """What was tapped, and why it is put right."""

    correction_reason = reason_field()


class CorrectionScreen(Screen):
    """The screen of a round, beginning with the taps of the one that is on record."""

    def __init__(
        self, request: HttpRequest, game: GameView, entry: BookEntry, played: RoundPlayed
    ) -> None:
        self.entry, self.played = entry, played
        super().__init__(request, game)
        self.is_live = False

    def _moment(self, request: HttpRequest) -> datetime:
        return self.entry.occurred_at

    def _key_and_recorded(self) -> tuple[UUID, RecordedEvent[RoundPlayed] | None]:
        return self._key_asked(), None

    def _words_sent(self) -> list[str]:
        return super()._words_sent() if TAPS in self.asked else words_of(self.played) or []

    def corrected(self, taps: str) -> RoundPlayed:
        """The round as these taps put it right. Raises: Malformed."""
        return put_right(self.played, self.round_of(taps.split()))

    def refusals(self, form: forms.Form) -> Iterator[Malformed]:
        """What keeps the correction from being recorded: no whole round, or nothing different."""
        if TAPS in form.errors:
            return
        try:
            self.check_whole()
            if self.corrected(form.cleaned_data[TAPS]) == self.played:
                raise Malformed(f"$.{TAPS}", "Nothing is different yet: put the wrong value right.")
        except Malformed as error:
            yield Malformed.because(f"$.{TAPS}", error.reason)

    def context(self) -> dict[str, object]:
        """What the page shows, with what is different so far."""
        rows, why = [], gettext("Nothing is different yet: put the wrong value right.")
        try:
            rows = compared(self.played, put_right(self.played, self.found), {}, {})
        except Malformed as error:
            why = refusal_text(error)
        anew = f"?{urlencode({KEY: self.key, TAPS: ''})}"
        return super().context() | {
            "corrects": self.entry,
            "changes": [row for row in rows if row["changed"]],
            "why_not_yet": why,
            "anew": anew if self.found.words else "",
            "in_administration": url_of(self.entry.kind, self.entry.pk),
        }

    def _whole(self) -> list[tuple[str, str]]:
        return []


def correct_round(
    request: HttpRequest, entry: BookEntry, played: RoundPlayed, around: Mapping[str, object]
) -> HttpResponse:
    """The round's screen, and on POST its correction; of one that no taps stand for, the form of a
    whole round in the administration.
    """
    if words_of(played) is None:
        return HttpResponseRedirect(url_of(entry.kind, entry.pk))
    game = load_game_view(played.partida, clock.now())
    screen = CorrectionScreen(request, game, entry, played)

    def corrections(data: Mapping[str, object]) -> list[Act]:
        leaf, reason = bytes(entry.leaf_hash).hex(), str(data[REASON])
        act = Act(
            screen.corrected(str(data[TAPS])),
            gettext("Correction"),
            entry.occurred_at,
            supersedes=Supersedes(entry.n, leaf, reason),
            attachments=attachments_of(entry),
        )
        return [act]

    return record_form_view(
        request,
        screen="round",
        acts=corrections,
        form=CorrectionForm(request.POST or None, {}, screen.refusals),
        template="sala/round.html",
        context={**around, **screen.context()},
        done=reverse("sala:correct", args=[entry.pk]),
        key=screen.key,
    )
