"""Complaints and errors of a round, and how they were decided."""

from typing import Any

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.floor_life import RoundsDeferred
from casino.events.shoes import CardBurned
from tests.factories.games import MANAGER, Game, moment


def complaint(
    at: str, outcome: str | None = "upheld", *, dealing: str = "shuffler", **values: Any
) -> Game:
    """A round at 20:10, collected at 20:12, back in the shuffler at 20:13; somebody complains.

    ``reviewed=`` and ``decided=`` say when; reviewed as it came and decided at 21:00.
    """
    review, decided = values.pop("reviewed", at), values.pop("decided", "21:00")
    waiting = values.pop("waiting", None)
    back = values.pop("inserted", "20:13")
    game = Game(dealing)
    if dealing == "shuffler":
        game.witness(game.load())
        game.record(CardBurned, "20:00", shoe=1, cards=1)
        played = game.put_back(1, 1, "20:10", inserted=back)
        game.put_back(1, 2, "20:20")
    else:
        game.prepare(1)
        played = game.round(1, 1, "20:10")
    if waiting:
        game.record(RoundsDeferred, "20:12:30", rounds=(played.event.round,), reason="dispute")
    usual = {"complaint": "RC-1", "subject": "counting", "received_at": moment(at)}
    usual |= {"round": played.event.round}
    game.record(ComplaintReceived, at, **{**usual, **values})
    if review:
        reviewed = {"dispute": "RC-1", "method": "cards", "error_by": "nobody"}
        game.record(DisputeReviewed, review, by=MANAGER, **reviewed)
    if outcome:
        game.record(ComplaintDecided, decided, complaint="RC-1", outcome=outcome, reason="seen")
    return game


def error(at: str = "20:11", *, reviewed: str | None = "20:12", **values: Any) -> Game:
    """An error of a round whose cards were back in the shuffler at 20:13, told as an incident."""
    game = Game(values.pop("dealing", "shuffler"))
    played = game.put_back(1, 1, "20:10", inserted=values.pop("inserted", "20:13"))
    fields = {"incident": "I-7", "category": "payment_error", "reason": "paid"}
    game.report(at, **{**fields, "round": played.event.round, **values})
    if reviewed:
        looked = {"dispute": "I-7", "method": "cards", "error_by": "pagador"}
        game.record(DisputeReviewed, reviewed, by=MANAGER, **looked)
    return game
