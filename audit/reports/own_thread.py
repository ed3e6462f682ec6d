"""Runs something in a thread of its own, where no event loop runs.

pyHanko's calls start an event loop each; in a thread that has one already (a test that drives a
browser, a server of another kind) they would be refused.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_own_thread(run: Callable[[], T]) -> T:
    """What it returns. Raises: whatever it raises."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()
