"""Removing what `make run` kept. It needs nothing but Python: `make clean` may come first."""

from casino.local.local_places import forget, state_of
from casino.local.local_trouble import Trouble
from casino.local.lock import alone


def forget_all() -> int:
    """Remove everything that was kept for this checkout. Raises: Trouble, while it runs."""
    state = state_of()
    if state.exists():
        with alone(state):
            forget(state)
        if state.exists():
            raise Trouble(f"{state} could not be removed.")
    return 0
