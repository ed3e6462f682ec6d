"""Several acts at one moment, each on a connection of its own."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

from django.db import connection

from casino.recording import Refused


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act answers, or how it was refused; all begin together, each on its own."""
    answers: list[Any] = []
    barrier = Barrier(len(acts))

    def act(do: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            answers.append(do())
        except Refused as refused:
            answers.append(refused)
        finally:
            connection.close()

    threads = [Thread(target=act, args=(do,)) for do in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert not any(thread.is_alive() for thread in threads)
    return answers
