"""One entry of the book on a page: what it tells, who wrote it when, its receipt, corrections."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events import Malformed
from casino.events.complaints import ComplaintReceived
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.events.requests import FiguresAsked, FiguresSet
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Withheld
from casino.events.witnessing import Witnessed
from casino.extensions import event_kinds, extensions
from casino.law.game_incidents import asks_second_person
from casino.models import Attestation, BookEntry, Complaint
from casino.queries import game_of
from casino.reading.payload import event_in_book
from casino.recording.authority import policy_of
from casino.recording.withdrawing import why_never
from casino.web.display.cells import shown_fields, shown_value, titled
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_files import files_of
from casino.web.entries.entry_notes import notes_of
from casino.web.entries.entry_standing import Link, Standings, marked, struck
from casino.web.entries.round_complaints import complaints_about, round_complained_of
from casino.web.entries.round_page import round_context
from casino.web.entries.timeline_links import timelines_of
from casino.web.words import field_words, figure_words
from casino.web.words.withdrawn_words import withdrawn_words

# What reading an entry raises whose bytes somebody altered.
UNREADABLE: Final = (ValueError, LookupError, TypeError, Malformed)
# The page of an entry, by its kind; every projection's ModelAdmin puts its own here.
PAGES: Final[dict[str, str]] = {}
_ANY: Final = "admin:casino_bookentry_change"
_LAST: Final = frozenset({"despite", "paper"})  # how it was recorded stands below what it tells


class Leading(NamedTuple):
    """A way on from an entry's page: a lazy text, an address, an icon of icons.html."""

    label: object
    url: str
    icon: str


@dataclass(frozen=True, slots=True)
class Value:
    """One field as the page shows it."""

    label: str
    shown: str | SafeString
    private: bool


def page_name(kind: str) -> str:
    """The name of the address of a kind's entries."""
    return PAGES.get(kind, _ANY)


def url_of(kind: str, entry_id: UUID | str) -> str:
    """The page of an entry."""
    return reverse(page_name(kind), args=[entry_id])


def is_by_hand(kind: str, door: str) -> bool:
    """Whether a person recorded a round on a page: no device, no program, no file."""
    return kind == RoundPlayed.kind and door in ("sala", "admin")


def body_of(entry: BookEntry) -> dict[str, Any]:
    """What an entry's bytes say."""
    body: dict[str, object] = json.loads(bytes(entry.entry))
    return body


def author_of(entry: BookEntry) -> str:
    """Who wrote it; '' where its bytes were altered so that they no longer say."""
    return signed_by(entry)[0]


def signed_by(entry: BookEntry) -> tuple[str, str]:
    """Who wrote it, and in which office; '' where its bytes no longer say."""
    try:
        who = body_of(entry)["who"]
        return str(who["staff"]), str(who["office"])
    except UNREADABLE:
        return "", ""


def event_and_author(entry: BookEntry) -> tuple[Any, str]:
    """The event of an entry, its private values withheld, and who wrote it."""
    body = body_of(entry)
    return event_in_book(event_kinds()[entry.kind], body["payload"]), str(body["who"]["staff"])


def values_of(
    event: Event, private: Mapping[str, object], *, besides: Collection[str] = ()
) -> list[Value]:
    """The fields that were recorded, in their order, besides some that stand elsewhere."""
    if isinstance(event, RoundPlayed):
        return []
    shown = []
    for field, fully in sorted(shown_fields(event), key=lambda one: one[0].name in _LAST):
        value = private.get(field.name, fully) if isinstance(fully, Withheld) else fully
        if field.name in besides or (not field.required and value == field.default):
            continue
        label = titled(field_words.label(field.name, event.kind))
        if field.name == "despite":
            shown.append(Value(label, _despite(value), False))
        elif isinstance(event, FiguresAsked | FiguresSet) and field.name == "figures":
            figures = figure_words.listed(event.rulebook, event.figures)
            shown.append(Value(label, "; ".join(figures), False))
        else:
            shown.append(Value(label, shown_value(value, field.shape, field.name), field.private))
    return shown


def _despite(given: Any) -> str:
    from casino.web.forms.finding_words import words

    say = words()
    return "; ".join(
        f"{say.statement(one.check)} ({field_words.word(one.reason)})" for one in given
    )


def entry_context(request: HttpRequest, entry: BookEntry) -> dict[str, object]:
    """What the page of an entry shows."""
    page, policy = page_name(entry.kind), policy_of(entry.kind)
    body = body_of(entry)
    event, author = event_and_author(entry)
    private = looked_at(request, entry, author)
    standings = Standings([(entry.stream.name, entry.n)])
    standing = standings.of(entry.stream.name, entry.n)
    about = notes_of(request, {entry.partida_id}) if entry.partida_id else []
    notes = [note for note in about if str(entry.pk) in note.evidence]
    context = {
        "entry": entry,
        "leaf": bytes(entry.leaf_hash).hex(),
        "who": body["who"],
        "door": field_words.word(body["who"]["door"], "door"),
        "office": field_words.word(body["who"]["office"]),
        "values": values_of(event, private or {}),
        # Where no correction is heard, that there was none says nothing.
        "standing": ""
        if not policy.correctable and standing == "holds"
        else marked(standing, notes),
        "struck": struck(standing),
        "correctable": policy.correctable
        and standing in ("holds", "approved", "refused")
        and entry.kind in PAGES,
        "withdraw_url": _withdraw_url(request, entry, standing),
        "asking": standings.asking(entry.stream.name, entry.n),
        "reason": field_words.word(
            body["payload"].get("correction_reason") or getattr(event, "reason", None) or ""
        ),
        "corrections": [
            _correction(request, entry, link)
            for link in standings.corrections(entry.stream.name, entry.n)
        ],
        "original_url": _original_url(entry, body, event),
        "witnessed_under": policy.witnessed_under if _asks_second_person(event) else "",
        "files": files_of(entry, page, seen=private is not None),
        "ways": list(_links(request, entry)),
        "timelines": list(timelines_of(request, event, entry.partida_id, entry.table_code, author)),
    }
    context |= _disputed(request, entry, event)
    if policy.witnessed_under:
        context |= _witnesses(request, entry)
    if isinstance(event, RoundPlayed):
        context |= round_shown(entry, event)
    return context


def _asks_second_person(event: Event) -> bool:
    return not isinstance(event, IncidentReported) or asks_second_person(event)


def round_shown(entry: BookEntry, event: RoundPlayed) -> dict[str, object]:
    """A round on record as its page shows it, by the limits of its game."""
    judged = game_of(event.partida).judged(event, entry.occurred_at, entry.recorded_at)
    by_hand = is_by_hand(entry.kind, body_of(entry)["who"]["door"])
    return {"by_hand": by_hand, "round": round_context(judged)}


def _withdraw_url(request: HttpRequest, entry: BookEntry, standing: str) -> str:
    """Where it is said that this did not happen; '' for what is not withdrawn, or not by him."""
    if standing not in ("holds", "approved") or why_never(entry) is not None:
        return ""
    if access_policy.withdraws(request, entry.kind) is None:
        return ""
    return reverse("admin:casino_bookentry_withdraw", args=[entry.pk])


def unreadable_context(request: HttpRequest, entry: BookEntry) -> dict[str, object]:
    """What is left to be shown of an entry whose bytes were altered."""
    return {"entry": entry, "ways": list(_links(request, entry))}


def _links(request: HttpRequest, entry: BookEntry) -> Iterator[Leading]:
    """The receipt, and what other packages have to show of an entry (`Extension.entry_links`)."""
    receipt = reverse("admin:casino_bookentry_receipt", args=[entry.pk])
    yield Leading(_("Receipt to print"), receipt, "receipt")
    for package in extensions():
        for link in package.entry_links():
            found = link(request, entry)
            if found is not None:
                yield found


def _disputed(request: HttpRequest, entry: BookEntry, event: Event) -> dict[str, object]:
    """The complaints about a round, the round of a complaint: each in words, with its page."""
    if isinstance(event, RoundPlayed):
        about = complaints_about(request, entry.partida_id, event)
        listed = [(one.complaint, url_of(ComplaintReceived.kind, one.pk)) for one in about]
        return {"complaints": listed}
    if entry.kind == ComplaintReceived.kind:
        found = round_complained_of(request, Complaint.objects.get(pk=entry.pk))
        if found is not None:
            return {"round_of": (moment(found.occurred_at), url_of(RoundPlayed.kind, found.pk))}
    return {}


def _correction(request: HttpRequest, entry: BookEntry, link: Link) -> dict[str, object]:
    said: dict[str | None, str] = {
        None: gettext("waits for its second person"),
        "approved": gettext("approved"),
        "refused": gettext("refused"),
    }
    return {
        "url": url_of(WithdrawalAsked.kind if link.withdraws else entry.kind, link.entry_id),
        "n": link.n,
        "withdrawn": withdrawn_words(link, entry.recorded_at, entry.kind) if link.withdraws else "",
        "reason": field_words.word(link.reason),
        "staff": link.staff,
        "said": said[link.decision],
        "decided_by": link.decided_by,
        "decide_url": ""
        if link.decision or access_policy.decides(request, entry.stream.name) is None
        else reverse("admin:casino_supersession_change", args=[link.entry_id]),
    }


def _original_url(entry: BookEntry, body: Mapping[str, Any], event: Event) -> str:
    withdrawn = event.entry.n if isinstance(event, WithdrawalAsked) else None
    n = body["supersedes"]["n"] if body["supersedes"] else withdrawn
    if n is None:
        return ""
    original = BookEntry.objects.filter(stream_id=entry.stream_id, n=n).only("pk", "kind").first()
    return url_of(original.kind, original.pk) if original is not None else ""


def _witnesses(request: HttpRequest, entry: BookEntry) -> dict[str, object]:
    found = Attestation.objects.filter(witnessed_stream=entry.stream.name, witnessed_n=entry.n)
    return {
        "witnesses": [
            {
                "witness": one.witness,
                "office": field_words.word(one.held),
                "method": field_words.word(one.method),
                "at": moment(one.recorded_at),
                "url": url_of("witnessed/1", one.pk),
            }
            for one in found
        ],
        "witness_url": reverse("admin:casino_witness", args=[entry.pk])
        if access_policy.actor(request, Witnessed.kind) is not None
        else "",
    }
