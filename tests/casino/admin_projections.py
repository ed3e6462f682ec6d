"""The lists of records in the admin, and somebody who may add to one."""

from typing import Any

from django.contrib import admin
from django.urls import reverse

from casino.admin.record_admin import RecordAdmin
from tests.factories.events.every import FULL


def projections() -> list[RecordAdmin]:
    reverse("admin:index")
    return [one for one in admin.site._registry.values() if isinstance(one, RecordAdmin)]


def by_anybody(kind: str) -> Any:
    from casino.recording import Actor
    from casino.recording.authority import writers_of

    offices = writers_of(kind)
    if kind == "withdrawal-asked/1":  # only whoever may record what he says did not happen
        offices &= writers_of(FULL[kind].act)
    return Actor("S-0600", min(offices), "job")  # of whom no event tells
