"""Offices that differ between the house's directory and the book."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import DIRECTION
from casino.floor.tables.todo_lists import Todo
from casino.web.login.directory_offices import differences


def waiting() -> Iterator[Todo]:
    """One for all of them: the page lists each."""
    found = list(differences())
    if found:
        yield Todo(
            what="directory-offices",
            words=_("Offices differ between the directory and the book"),
            do=_("See which"),
            url=reverse("directory-offices"),
            since=min(one.seen_at for one in found),
            offices=DIRECTION,
            of=len(found),
        )
