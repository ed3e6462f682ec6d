"""What is asked of the book before something is done with a pool: never whether it was lawful.

Asked by the writer with the pool's lock held alone and its stream's head locked, so two at once get
two answers. Refused is what names an entry there is not, a second person who is the first, and the
very same thing recorded twice; money that was really handed out twice is recorded as such
(`again`).
"""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Q

from casino.events.event import EntryRef, Event
from casino.events.phrases import Phrase
from casino.models import BookEntry
from casino.recording import Refused, WitnessRefused
from casino.recording.preparing import Prepared
from casino.recording.refusals import ANOTHER_KIND, NO_SUCH_ACT, OWN_ACT
from casino.recording.second_persons import acted
from jackpot.events import JackpotPaid, JackpotWon, TermsApproved, TermsConfirmed
from jackpot.models import JackpotAdjustment, JackpotPayment, JackpotTermsConfirmation, JackpotWin
from jackpot.queries.owed_prizes import given_cents
from jackpot.queries.pool_queries import payout_of, winner_name
from jackpot.queries.round_queries import names_of

CONFIRMED_ALREADY: Final = Phrase("the terms were confirmed already.")


class NoSuchWin(Refused):
    """An entry is named as a win that is none of this pool."""

    template = Phrase(
        "Entry {n} of {stream} is no win of this jackpot. Open the win's page and go on from there."
    )


class WonAlready(Refused):
    """The round's win is in the book: a second telling would hold its prizes twice."""

    template = Phrase(
        "The win of this round is recorded already (entry {n} of {stream}). If that one is wrong,"
        " the head of the room withdraws it on its page, and the win is recorded anew."
    )


class PaidAlready(Refused):
    """This winner's prize is paid: nobody is paid twice by a second tap."""

    template = Phrase(
        "{owner} was paid this prize already (entry {n} of {stream}). Nothing was recorded. If the"
        " money was really handed out a second time, say so in the record."
    )


def confirmation(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Terms there are, by another person than recorded them, once. Raises: WitnessRefused."""
    event = prepared.submission.event
    entry = _entry(event.confirms)
    if entry is None:
        raise WitnessRefused(place=prepared.place, why=NO_SUCH_ACT)
    if entry.kind != TermsApproved.kind:
        raise WitnessRefused(place=prepared.place, why=ANOTHER_KIND)
    if acted(entry, prepared.submission.by.staff):
        raise WitnessRefused(place=prepared.place, why=OWN_ACT)
    known = JackpotTermsConfirmation.objects.filter(jackpot=event.jackpot, terms_n=entry.n)
    listed = [each.confirms for each in _events(before, TermsConfirmed)]
    if known.exists() or event.confirms in listed:
        raise WitnessRefused(place=prepared.place, why=CONFIRMED_ALREADY)


def start(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The win it follows, where one is named. Raises: NoSuchWin."""
    _check_win(prepared)


def adjustment(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The win it withdraws, where one is named. Raises: NoSuchWin."""
    _check_win(prepared)


def win(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """A round wins once, unless its win was withdrawn since. Raises: WonAlready."""
    event: JackpotWon = prepared.submission.event
    refuse_known_win(event, prepared.place)
    for each in _events(before, JackpotWon):
        if (each.jackpot, each.partida) != (event.jackpot, event.partida):
            continue
        if names_of(each).same_as(names_of(event)):
            raise WonAlready(place=prepared.place, n="?", stream=event.stream)


def refuse_known_win(event: JackpotWon, place: int = 0) -> None:
    """Whether the round's win is in the book, by whichever of its names. Raises: WonAlready."""
    names = names_of(event)
    if not (names.rounds or names.places):
        return  # nobody knows which round it was
    same = Q(round__in=names.rounds)
    for shoe, number in names.places:
        same |= Q(shoe=shoe, number=number)
    known = JackpotWin.objects.filter(same, jackpot=event.jackpot, partida_id=event.partida)
    withdrawn = JackpotAdjustment.objects.filter(jackpot=event.jackpot, hit_n__isnull=False)
    found = known.exclude(n__in=withdrawn.values("hit_n")).order_by("n").first()
    if found is not None:
        raise WonAlready(place=place, n=found.n, stream=event.stream)


def payment(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """A win there is, and a prize not wholly paid yet, unless a second time is recorded as such.

    Raises: NoSuchWin, PaidAlready.
    """
    _check_win(prepared)
    event: JackpotPaid = prepared.submission.event
    if event.again:
        return
    refuse_known_payment(event, prepared.place)
    if any(_prize_of(each) == _prize_of(event) for each in _events(before, JackpotPaid)):
        raise PaidAlready(place=prepared.place, owner=event.owner, n="?", stream=event.stream)


def refuse_known_payment(event: JackpotPaid, place: int = 0) -> None:
    """Whether this winner's payment is in the book, and this one not what was missing of it.

    Raises: PaidAlready.
    """
    rows = JackpotPayment.objects.filter(
        jackpot=event.jackpot, hit_n=event.hit.n, owner=event.owner, box=event.box
    )
    found = list(rows.order_by("n"))
    if not found:
        return
    if not 0 < event.paid_cents <= _owed(event) - given_cents(found):
        raise PaidAlready(place=place, owner=event.owner, n=found[0].n, stream=event.stream)


def _owed(event: JackpotPaid) -> int:
    """What the winner's prize comes to; 0 where his win was withdrawn. Units: cents."""
    withdrawn = JackpotAdjustment.objects.filter(jackpot=event.jackpot, hit_n=event.hit.n)
    payout = None if withdrawn.exists() else payout_of(event.jackpot, event.hit.n)
    return 0 if payout is None else payout.owed_cents.get(winner_name(event.owner, event.box), 0)


def _check_win(prepared: Prepared) -> None:
    """Raises: NoSuchWin."""
    hit: EntryRef | None = prepared.submission.event.hit
    if hit is None:
        return
    entry = _entry(hit)
    if entry is None or entry.kind != JackpotWon.kind:
        raise NoSuchWin(place=prepared.place, n=hit.n, stream=hit.stream)


def _entry(ref: EntryRef) -> BookEntry | None:
    entry = BookEntry.objects.filter(stream__name=ref.stream, n=ref.n).first()
    return entry if entry is not None and bytes(entry.leaf_hash).hex() == ref.leaf else None


def _events(before: Sequence[Prepared], kind: type[Event]) -> list[Any]:
    return [each.submission.event for each in before if isinstance(each.submission.event, kind)]


def _prize_of(event: JackpotPaid) -> tuple[object, ...]:
    return event.jackpot, event.hit.n, event.owner, event.box
