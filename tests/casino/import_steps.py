"""The steps of a file that is brought, as somebody takes them on its page."""

from typing import Any

from django.test import Client
from django.urls import reverse

from casino.models import StagedImport


def staged() -> StagedImport:
    """The file that was brought last."""
    return StagedImport.objects.latest("brought_at")


def page(client: Client) -> str:
    """Its page."""
    return client.get(reverse("import", args=[staged().pk])).content.decode()


def step(client: Client, name: str, **more: str) -> Any:
    """A step of it: ``confirm``, ``discard``, ``go_on``."""
    return client.post(reverse("import", args=[staged().pk]), {"step": name, **more}, follow=True)
