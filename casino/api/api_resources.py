"""What the API offers: a noun for each kind, with the list of the back office that reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.contrib import admin
from django.utils.module_loading import autodiscover_modules

from casino.admin.record_admin import RecordAdmin
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.extensions import event_kinds, extensions


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind of record under its noun.

    `listed` is the list it stands on, whose filters and rights hold here too; `posts` whether it
    can be recorded here: what a form of the back office records, and that one asks for a
    withdrawal.
    """

    noun: str
    event: type[Event]
    listed: RecordAdmin | None
    posts: bool

    @property
    def kind(self) -> str:
        """The kind's name in the book."""
        return self.event.kind

    @property
    def is_round(self) -> bool:
        """Whether it is told as its own record, docs/round-record.md."""
        return self.event is RoundPlayed


@cache
def resources() -> tuple[Resource, ...]:
    """Every resource, in the order of the packages."""
    autodiscover_modules("admin.records", register_to=admin.site)  # whoever asks first
    kinds = event_kinds()
    return tuple(
        _resource(noun, kinds[kind])
        for package in extensions()
        for kind, noun in package.api_nouns().items()
    )


def _resource(noun: str, event: type[Event]) -> Resource:
    listed = sorted(_lists_of(event), key=lambda one: not one.recordable)
    records = bool(listed and listed[0].recordable) or event is WithdrawalAsked
    return Resource(noun, event, listed[0] if listed else None, records)


def _lists_of(event: type[Event]) -> Iterator[RecordAdmin]:
    for one in admin.site._registry.values():
        if isinstance(one, RecordAdmin) and event in one.kinds:
            yield one
