"""Whether a round that is about to be recorded stands in the book already, or may be a slip.

Nothing is refused of a round that is like another: the same cards may come again.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino.events.round.round_played import Box, RoundPlayed
from casino.floor.game_view import GameView
from casino.floor.recording_views import Doubt
from casino.law.dossier import RecordedEvent
from casino.models import Complaint

NEAR: Final = timedelta(minutes=10)  # between two rounds that are taken for one recorded twice


def content_of(played: RoundPlayed) -> object:
    """What two records of one round have in common: boxes, cards, decisions, stakes and money."""
    taken_out = [one.card for one in played.bank.voided], [one.card for one in played.misdealt]
    return [_content_of_box(box) for box in played.boxes], played.bank.cards, taken_out


def _content_of_box(box: Box) -> object:
    wagers = [(one.kind, one.hand or 0, one.stake_cents, one.returned_cents) for one in box.wagers]
    return box.number, [(hand.cards, hand.actions) for hand in box.hands], sorted(wagers)


def doubts_of(
    played: RoundPlayed, game: GameView, at: datetime, about: Complaint | None
) -> Iterator[Doubt]:
    """What may be a slip in a round of this game, played at a moment: asked before it is recorded.

    `about` is the complaint it is recorded for, None for a plain one.
    """
    twin = _twin(played, game, at)
    if twin is not None:
        words = gettext(
            "This round is the same as the one recorded at %(at)s: the same boxes, cards, stakes"
            " and money. Record it only if it was played again."
        )
        yield Doubt(
            "same-round",
            words % {"at": f"{localtime(twin.recorded_at):%H:%M:%S}"},
            reverse("sala:entry", args=[twin.entry_id]),
        )
    if about is not None and about.box and about.box not in {box.number for box in played.boxes}:
        words = gettext("Box %(box)s, of complaint %(complaint)s, does not play in this round.")
        yield Doubt("box-not-played", words % {"box": about.box, "complaint": about.complaint})


def _twin(played: RoundPlayed, game: GameView, at: datetime) -> RecordedEvent[RoundPlayed] | None:
    """The last round recorded here that says the same, of a moment near this one."""
    like = [
        one
        for one in game.dossier.of(RoundPlayed)
        if abs(one.occurred_at - at) <= NEAR and content_of(one.event) == content_of(played)
    ]
    return max(like, key=lambda one: one.recorded_at, default=None)
