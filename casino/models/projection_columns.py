"""The columns projections are made of.

A text that nobody knows is '' in its column; any other unknown value is NULL. Short lists are JSON.
No column has a form of its own: the event was checked when it was recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def text(name: _StrPromise) -> models.TextField[str, str]:
    """A code, a word, a name; '' where it is unknown."""
    return models.TextField(name, editable=False)


def whole(name: _StrPromise) -> models.BigIntegerField[int, int]:
    """A whole number that is always recorded."""
    return models.BigIntegerField(name, editable=False)


def maybe_whole(name: _StrPromise) -> models.BigIntegerField[int | None, int | None]:
    """A whole number, NULL where it is unknown."""
    return models.BigIntegerField(name, null=True, editable=False)


def truth(name: _StrPromise) -> models.BooleanField[bool, bool]:
    """Yes or no."""
    return models.BooleanField(name, editable=False)


def maybe_truth(name: _StrPromise) -> models.BooleanField[bool | None, bool | None]:
    """Yes or no, NULL where it is unknown."""
    return models.BooleanField(name, null=True, editable=False)


def moment(name: _StrPromise) -> models.DateTimeField[object, Any]:
    """A moment that is always recorded."""
    return models.DateTimeField(name, editable=False)


def maybe_moment(name: _StrPromise) -> models.DateTimeField[object, Any]:
    """A moment, NULL where it is unknown."""
    return models.DateTimeField(name, null=True, editable=False)


def maybe_uuid(name: _StrPromise) -> models.UUIDField[object, Any]:
    """A UUID, NULL where it is unknown."""
    return models.UUIDField(name, null=True, editable=False)


def listed(name: _StrPromise) -> models.JSONField[object, Any]:
    """A short list or object that is always recorded."""
    return models.JSONField(name, editable=False)


def maybe_listed(name: _StrPromise) -> models.JSONField[object, Any]:
    """A short list, NULL where it is unknown."""
    return models.JSONField(name, null=True, editable=False)
