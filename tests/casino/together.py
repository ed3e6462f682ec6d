"""Several acts at one moment, and several connections of one tablet."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.conf import settings
from django.db import connections
from django.test import Client


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """What each of them answered; all begin together."""
    begin = Barrier(len(acts))

    def do(act: Callable[[], Any]) -> Any:
        begin.wait(300)
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(do, acts))


def same_session(client: Client) -> Client:
    """Another connection of the same tablet."""
    other = Client(headers={"accept-language": "en"})
    name = settings.SESSION_COOKIE_NAME
    other.cookies[name] = client.cookies[name].value
    return other
