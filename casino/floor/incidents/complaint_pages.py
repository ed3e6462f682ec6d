"""S9, afterwards: a complaint is read, decided, its recordings are held, a slip is printed of it.

Law: PT art. 60, 61; Lei do Jogo art. 52 (recordings are destroyed after thirty days).
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino import clock, holding
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events.complaints import ComplaintDecided
from casino.events.event_policy import FLOOR, HEAD, MANAGER, OVERSEERS
from casino.events.notices import FootageHeld
from casino.extensions import matter_links
from casino.floor.act_forms import ActForm
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.floor_page import shown
from casino.floor.game_view import GameView, load_game_view
from casino.floor.incidents.keep_footage import ASKED, HoldForm
from casino.floor.recording_views import Act, record_form_view
from casino.floor.rounds.round_by_hand import hand_url
from casino.law.checks.table.complaint_window import RoundWindow, window
from casino.law.checks.table.complaints_heard import complaints_of, round_of
from casino.law.rulebook.rulebook_file import is_no_law
from casino.models import BookEntry, Complaint, ComplaintDecision, FootageHold, Review
from casino.queries import that_count
from casino.web.display.money_and_time import money
from casino.web.entries.entry_page import (
    UNREADABLE,
    Value,
    author_of,
    event_and_author,
    values_of,
)
from casino.web.entries.round_complaints import disputed_round, round_complained_of
from casino.web.forms.form_fields import YES
from casino.web.forms.prefill import recorded_around
from casino.web.forms.running_numbers import HOLDS, next_number, numbering
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word

_ABOVE: Final = frozenset({HEAD, MANAGER})
# Where a thing belongs stands above it, and why it was recorded over a warning is another page's.
_ELSEWHERE: Final = frozenset(
    {"table", "partida", "complaint", "dispute", "despite", "subject", "round"}
)


class DecideForm(ActForm):
    """What was decided and why, what was paid, whether the player was told."""

    def __init__(self, data: Mapping[str, object] | None) -> None:
        super().__init__(data)
        self.add(ComplaintDecided, "outcome reason paid_cents told_of_inspector text")
        self.fields["outcome"].error_messages["required"] = _("Say what was decided.")
        self.fields["reason"].error_messages["required"] = _("Choose the reason.")
        self.fields["informed"] = forms.ChoiceField(
            label=_("Has the player been told?"),
            choices=[(YES, _("Yes, now")), ("no", _("Not yet"))],
            error_messages={"required": _("Say whether the player has been told.")},
        )
        self.fields["told_of_inspector"].label = _(
            "Has he been told that he may turn to the inspection service?"
        )


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record about the complaint: what it is, when, by whom, what it holds."""

    what: str
    at: datetime
    who: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A complaint as it stands: its row, its game, what was recorded of it since.

    `round` is the round complained of with how its time stood when the player spoke; `decision` the
    last one, None while there is none.
    """

    row: Complaint
    game: GameView
    entry: BookEntry
    since: tuple[BookEntry, ...]
    decision: ComplaintDecision | None

    @property
    def round(self) -> RoundWindow | None:
        """The round, where it is named and on record."""
        game = self.game.evening
        for one in complaints_of(game):
            if one.event.complaint == self.row.complaint:
                found = round_of(game, one)
                name = found.event.round if found is not None else str(disputed_round(self.row))
                at = self.row.received_at or self.row.occurred_at
                return window(self.game.dossier, at, self.game.law).of(name)
        return None


def _read(request: HttpRequest, table: str, number: str) -> Read:
    """A complaint of a game at this table. Raises: Http404."""
    if holding.game_of_held(table, "complaint", number):
        holding.settle([table])  # whoever reads it did not slip: it is shown as the book has it
    rows = Complaint.objects.filter(table_code=table, complaint=number).exclude(partida_id="")
    row = that_count(rows).order_by("-pk").first()
    if row is None:
        raise Http404
    entry = BookEntry.objects.select_related("stream").get(pk=row.pk)
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise Http404
    decisions = that_count(ComplaintDecision.objects.filter(complaint=number)).order_by("pk")
    others = [
        *that_count(Review.objects.filter(dispute=number)).values_list("pk", flat=True),
        *decisions.values_list("pk", flat=True),
        *that_count(FootageHold.objects.filter(complaint=number)).values_list("pk", flat=True),
    ]
    since = BookEntry.objects.select_related("stream").filter(pk__in=others).order_by("recorded_at")
    game = load_game_view(row.partida_id, clock.now())
    return Read(row, game, entry, tuple(since), decisions.last())


def _shown_record(request: HttpRequest, entry: BookEntry) -> ShownRecord | None:
    """What a record holds, for whoever may read it."""
    who = author_of(entry)
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, who):
        return None
    try:
        event, author = event_and_author(entry)
    except UNREADABLE:
        return None
    values = values_of(event, looked_at(request, entry, author) or {}, besides=_ELSEWHERE)
    return ShownRecord(str(kind_word(entry.kind)), entry.occurred_at, who, tuple(values))


def _around(request: HttpRequest, complaint: Read) -> dict[str, object]:
    row = complaint.row
    played = round_complained_of(request, row)
    return {
        "table": row.table_code,
        "number": row.complaint,
        "complaint": row,
        "subject": word(row.subject, "subject"),
        "partida": row.partida_id,
        "round": complaint.round,
        "round_url": reverse("sala:entry", args=[played.pk]) if played is not None else "",
        "record": _shown_record(request, complaint.entry),
        "since": [
            parsed for one in complaint.since if (parsed := _shown_record(request, one)) is not None
        ],
        "decision": complaint.decision,
        "article_61": complaint.game.machine,
    }


@floor_page(FLOOR | OVERSEERS, reads_only=True)
def read_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """The complaint and what was done about it."""
    found = _read(request, table, number)
    context = _around(request, found) | {
        "may_decide": access_policy.actor(request, ComplaintDecided.kind) is not None,
        "hand_url": hand_url(request, found.game, found.row),
        "no_law": is_no_law(found.game.law.id),
        "may_hold": access_policy.actor(request, FootageHeld.kind) is not None,
        "links": matter_links(
            request, *((one.kind, one.pk) for one in (found.entry, *found.since))
        ),
    }
    return shown(request, "sala/complaint_read.html", context)


@floor_page(_ABOVE)
def decide_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """The decision."""
    found = _read(request, table, number)
    actor_of(request, ComplaintDecided.kind)

    def decided(data: Mapping[str, Any]) -> list[ComplaintDecided]:
        return [
            ComplaintDecided(
                table=found.row.table_code,
                partida=found.row.partida_id,
                complaint=number,
                outcome=data["outcome"],
                reason=data["reason"],
                paid_cents=data["paid_cents"],
                told_at=data["at"] if data["informed"] == YES else None,
                told_of_inspector=data["told_of_inspector"],
                text=data["text"],
            )
        ]

    return record_form_view(
        request,
        screen="complaint_decide",
        acts=decided,
        form=DecideForm(request.POST or None),
        template="sala/complaint_decide.html",
        context=_around(request, found),
        done=_page(found),
        tables=(table,),
    )


@floor_page(_ABOVE)
def hold_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """Recordings are kept for it."""
    found = _read(request, table, number)
    actor_of(request, FootageHeld.kind)

    def held(data: Mapping[str, Any]) -> list[Act]:
        at: dict[str, Any] = {"table": found.row.table_code, "partida": found.row.partida_id}
        return [Act(FootageHeld(**at, complaint=number, **{name: data[name] for name in ASKED}))]

    with numbering(HOLDS) if request.method == "POST" else nullcontext():
        form = HoldForm(
            request.POST or None,
            next_number(HOLDS),
            "complaint",
            recorded_around({"complaint": number}),
        )
        return record_form_view(
            request,
            screen="complaint_hold",
            acts=held,
            form=form,
            template="sala/footage.html",
            context=_around(request, found) | {"back_url": _page(found)},
            done=_page(found),
            tables=(table,),
        )


@floor_page(FLOOR, reads_only=True)
def slip_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """What the player is given: what was taken down, and what was decided. No name, no words."""
    found = _read(request, table, number)
    row, decided = found.row, found.decision
    context = {
        "table": table,
        "number": number,
        "complaint": row,
        "subject": word(row.subject, "subject"),
        "amount": "" if row.amount_cents is None else money(row.amount_cents),
        "decision": decided,
        "outcome": "" if decided is None else word(decided.outcome, "outcome"),
        "reason": "" if decided is None else word(decided.reason, "reason"),
        "paid": "" if decided is None or decided.paid_cents is None else money(decided.paid_cents),
        "read_url": _page(found),
    }
    return shown(request, "sala/complaint_slip.html", context)


def _page(complaint: Read) -> str:
    return reverse("sala:complaint_read", args=[complaint.row.table_code, complaint.row.complaint])
