"""What is asked of the book before anything of an erasure is written: two persons, and the law.

A value is erased by the second of two who are both persons: who proposed it or agreed to what the
house's job proposed, and who erases. Neither of them erases what he recorded himself. Refused is
what still has to be kept, or is held back; the database asks none of this, the writer does.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from audit.models import ErasureDecision, ErasureProposal, ErasureSuspension, SubjectRequest
from audit.retention.held_values import HeldValue, Keeping, Kept, values_of
from audit.retention_events import (
    Basis,
    ErasureDecided,
    ErasureProposed,
    ErasureSuspended,
    SubjectRequested,
    SuspensionLifted,
    ValueNamed,
)
from casino.events.event_policy import INSPECTOR, SYSTEM
from casino.events.keeping import Erased
from casino.events.phrases import Phrase
from casino.models import BookEntry
from casino.recording import NothingToErase, Refused
from casino.recording.preparing import Prepared
from casino.recording.second_persons import acted

if TYPE_CHECKING:
    from casino.extensions import BookQuestion


Named: TypeAlias = dict[str, Any]  # the gaps of a refusal


class StillKept(Refused):
    """Its time is not over."""

    template = Phrase(
        "Nothing of entry {n} of {stream} is erased before {until}: the law has it kept for {years}"
        " years ({source}). Propose it again from that day on."
    )


class KeptByHouse(Refused):
    """The same, where the figure is the house's own."""

    template = Phrase(
        "Nothing of entry {n} of {stream} is erased before {until}: the house keeps it for {years}"
        " years, a figure of its own. Propose it again from that day on."
    )


class KeptForGood(Refused):
    """It is about nobody: an official text."""

    template = Phrase(
        "Nothing of entry {n} of {stream} is erased: it is an official text, which is kept for"
        " good. Bring another text, and that one is shown."
    )


class TimeNotBegun(Refused):
    """Its time has not even begun."""

    template = Phrase(
        "The time for which entry {n} of {stream} is kept has not begun: the complaint is not"
        " decided, or the person still holds an office. Propose it again afterwards."
    )


class KeptByInspection(Refused):
    """The inspection service's own is not the house's to erase."""

    template = Phrase("Entry {n} of {stream} is the inspection service's: the house erases none.")


class ErasureHeldBack(Refused):
    """An order, an open case or an open complaint holds it back."""

    template = Phrase(
        "Nothing of entry {n} of {stream} is erased while {by} holds it back: a suspension, an open"
        " case or a complaint nobody has decided. Propose it again once that is over."
    )


class NotProposed(Refused):
    """Nothing is erased that nobody proposed."""

    template = Phrase(
        "No erasure of this value of entry {n} of {stream} was proposed, or it was refused. Propose"
        " it first; another person then erases."
    )


class SecondPersonErases(Refused):
    """Two persons erase, never one."""

    template = Phrase(
        "Two persons erase, and {staff} is the only one so far. Let another person of the direction"
        " agree, or erase what this one proposed."
    )


class OwnRecordErased(Refused):
    """Nobody erases what he recorded himself."""

    template = Phrase(
        "{staff} recorded entry {n} of {stream} himself. Let another person of the chefia da sala"
        " erase of it; where there is none, an administrador grants one the office."
    )


class NoSuchProposal(Refused):
    """A proposal that is not in the book, or was refused."""

    template = Phrase("There is no such proposal of erasure, or it was refused.")


class OwnProposal(Refused):
    """One word a person."""

    template = Phrase("{staff} has said his word on this proposal. Now another has to.")


class NumberUsed(Refused):
    """A number names one thing for ever."""

    template = Phrase("The number {number} is used already. Give the next one.")


class NoSuchSuspension(Refused):
    """Nothing of that number is in force."""

    template = Phrase("No suspension {number} is in force. Its number is on the page of retention.")


class InspectorLifts(Refused):
    """What an inspector suspended, an inspector lifts."""

    template = Phrase("The inspection service suspended {number}: it lifts it itself.")


class NoSuchRequest(Refused):
    """A request that is not in the book, or does not ask for that."""

    template = Phrase("There is no request {number} that asks for erasure. Record it first.")


def refuse_kept(value: HeldValue, kept: Kept, place: int = 0) -> Refused:
    """Why a value is kept, as the writer says it."""
    named: Named = {"place": place, "n": value.n, "stream": value.stream}
    if kept.why == "never":
        return KeptByInspection(**named)
    if kept.why == "for_good":
        return KeptForGood(**named)
    if kept.why == "not_begun":
        return TimeNotBegun(**named)
    if kept.why == "runs":
        period = value.period
        named |= {"until": str(kept.until), "years": period.years, "source": period.cite}
        return (StillKept if period.source == "law" else KeptByHouse)(**named)
    return ErasureHeldBack(**named, by=kept.by)


def _refuse_what_is_kept(prepared: Prepared, values: Sequence[ValueNamed], basis: Basis) -> None:
    """Each is there, and its time over. Raises: NothingToErase, and as `refuse_kept`."""
    found: dict[tuple[str, int, str], HeldValue] = {}
    for stream in {one.stream for one in values}:
        leaves = {one.n: one.leaf for one in values if one.stream == stream}
        rows = BookEntry.objects.filter(stream__name=stream, n__in=leaves)
        there = [row.pk for row in rows if bytes(row.leaf_hash).hex() == leaves[row.n]]
        found |= {one.named: one for one in values_of(there)}
    keeping = Keeping(found.values())
    for one in values:
        value = found.get((one.stream, one.n, one.field))
        if value is None:
            named = {"n": one.n, "stream": one.stream, "field": one.field}
            raise NothingToErase(place=prepared.place, **named)
        kept = keeping.why(value, basis)
        if kept is not None:
            raise refuse_kept(value, kept, prepared.place)


def proposal(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Raises: NoSuchRequest, and as `_refuse_what_is_kept`."""
    event: ErasureProposed = prepared.submission.event
    asked = SubjectRequest.objects.filter(request=event.request or "", asks="erasure")
    if event.request is not None and not asked.exists():
        raise NoSuchRequest(place=prepared.place, number=event.request)
    _refuse_what_is_kept(prepared, event.values, event.basis)


def decision(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """One word a person, on what was proposed. Raises: NoSuchProposal, OwnProposal."""
    event: ErasureDecided = prepared.submission.event
    staff = prepared.submission.by.staff
    known = ErasureProposal.objects.filter(stream=event.proposed.stream, n=event.proposed.n).first()
    leaf = None if known is None else bytes(BookEntry.objects.get(pk=known.pk).leaf_hash).hex()
    if known is None or leaf != event.proposed.leaf or is_refused(known):
        raise NoSuchProposal(place=prepared.place)
    earlier = [one for one in before if isinstance(one.submission.event, ErasureDecided)]
    if staff.casefold() in persons_of(known) or earlier:
        raise OwnProposal(place=prepared.place, staff=staff)


def is_refused(proposal: ErasureProposal) -> bool:
    """Whether anybody refused it."""
    return ErasureDecision.objects.filter(proposed_n=proposal.n, decision="refused").exists()


def persons_of(proposal: ErasureProposal) -> set[str]:
    """Who stands behind a proposal: its author, if he is a person, and who agreed to it."""
    agreed = ErasureDecision.objects.filter(proposed_n=proposal.n, decision="approved")
    persons = {one.casefold() for one in agreed.values_list("staff", flat=True)}
    return persons if proposal.office == SYSTEM else persons | {proposal.staff.casefold()}


def proposals_of(stream: str, n: int, field: str) -> list[ErasureProposal]:
    """The proposals that name a value and were not refused, the newest first."""
    named = [{"stream": stream, "n": n, "field": field}]
    rows = ErasureProposal.objects.filter(values__contains=named).order_by("-n")
    return [row for row in rows if not is_refused(row)]


def erasure(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Raises: NotProposed, SecondPersonErases, OwnRecordErased, and as `_refuse_what_is_kept`."""
    event: Erased = prepared.submission.event
    staff, place = prepared.submission.by.staff, prepared.place
    named: Named = {"stream": event.entry.stream, "n": event.entry.n}
    proposals = proposals_of(event.entry.stream, event.entry.n, event.field)
    if not proposals:
        raise NotProposed(place=place, **named)
    others = [one for one in proposals if persons_of(one) - {staff.casefold()}]
    if not others:
        raise SecondPersonErases(place=place, staff=staff)
    value = ValueNamed(**named, leaf=event.entry.leaf, field=event.field)
    basis: Basis = others[0].basis  # type: ignore[assignment]  # as its event says
    _refuse_what_is_kept(prepared, [value], basis)
    entry = BookEntry.objects.select_related("stream").get(
        stream__name=event.entry.stream, n=event.entry.n
    )
    if acted(entry, staff):
        raise OwnRecordErased(place=place, staff=staff, **named)


def suspension(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """A number of its own. Raises: NumberUsed."""
    event: ErasureSuspended = prepared.submission.event
    if ErasureSuspension.objects.filter(suspension=event.suspension).exists():
        raise NumberUsed(place=prepared.place, number=event.suspension)


def lifting(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """One in force, lifted from the side that ordered it. Raises: NoSuchSuspension,
    InspectorLifts.
    """
    event: SuspensionLifted = prepared.submission.event
    rows = list(ErasureSuspension.objects.filter(suspension=event.suspension))
    if not rows or any(row.lifts for row in rows):
        raise NoSuchSuspension(place=prepared.place, number=event.suspension)
    if rows[0].office == INSPECTOR and prepared.submission.by.office != INSPECTOR:
        raise InspectorLifts(place=prepared.place, number=event.suspension)


def request(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """A number of its own. Raises: NumberUsed."""
    event: SubjectRequested = prepared.submission.event
    if SubjectRequest.objects.filter(request=event.request).exists():
        raise NumberUsed(place=prepared.place, number=event.request)


QUESTIONS: "Final[Mapping[str, BookQuestion]]" = {
    ErasureProposed.kind: proposal,
    ErasureDecided.kind: decision,
    Erased.kind: erasure,
    ErasureSuspended.kind: suspension,
    SuspensionLifted.kind: lifting,
    SubjectRequested.kind: request,
}
