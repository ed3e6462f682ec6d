"""That a letter went out and that it arrived, as the book says: of the page, the list, the watch.

It went out with the first notice whose reference is its number. It arrived when the inspection
service acknowledged such a notice, or when the house recorded a receipt.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Final, TypedDict, cast

from django.db.models import DateTimeField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from audit.models import Letter, LetterReceipt
from casino.models import Notice, NoticeReceipt
from casino.queries import that_count

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

_WHEN: Final = DateTimeField()


class LetterColumns(TypedDict):
    """When a letter went out and when it arrived; None where no record says so."""

    sent: datetime | None
    arrived: datetime | None


if TYPE_CHECKING:
    OnItsWay = WithAnnotations[Letter, LetterColumns]


def sent_as(number: str | OuterRef) -> QuerySet[Notice]:
    """The notices a letter of this number went out with, the first of them first."""
    return that_count(Notice.objects.filter(reference=number)).order_by("occurred_at", "n")


def acknowledged(number: str | OuterRef) -> QuerySet[NoticeReceipt]:
    """What the inspection service said of them; of an outer query its number, twice as far out."""
    named = sent_as(number).order_by().values("notice")
    return that_count(NoticeReceipt.objects.filter(notice__in=named)).order_by("n")


def received(number: str | OuterRef) -> QuerySet[LetterReceipt]:
    """What the house says of its arrival."""
    return that_count(LetterReceipt.objects.filter(document=number)).order_by("n")


def with_standing(letters: QuerySet[Letter]) -> "QuerySet[OnItsWay]":
    """Letters with `sent` and `arrived`."""
    mine = OuterRef("document")
    reached = Coalesce("received_at", "occurred_at")
    own = acknowledged(OuterRef(mine)).values_list(reached)[:1]
    houses = received(mine).values_list(reached)[:1]
    went = sent_as(mine).values_list(Coalesce("sent_at", "occurred_at"))[:1]
    found = letters.annotate(
        sent=Subquery(went, output_field=_WHEN),
        arrived=Coalesce(Subquery(own), Subquery(houses), output_field=_WHEN),
    )
    return cast("QuerySet[OnItsWay]", found)
