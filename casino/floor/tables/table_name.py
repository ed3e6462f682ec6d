"""What a table may not be called: a word that is the address of another page of the floor."""

from collections.abc import Sequence

from django.urls import resolve, reverse

from casino.events.phrases import Phrase
from casino.recording import Refused
from casino.recording.preparing import Prepared


class NameOfAPage(Refused):
    """Its page could not be opened: the address is another's."""

    template = Phrase(
        "Found the name {table} for a table: {address} is another page of the floor. Asked is a"
        " name that none of its pages has, BJ-01: choose another."
    )


def named_as_a_page(prepared: Prepared, _before: Sequence[Prepared]) -> None:
    """Whether its address leads to it. Raises: NameOfAPage."""
    table = prepared.submission.event.table
    address = reverse("sala:table", args=[table])
    if resolve(address).view_name != "sala:table":
        raise NameOfAPage(place=prepared.place, table=table, address=address)
