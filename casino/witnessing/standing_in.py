"""A second person's word given at somebody else's tablet: his secret proves him, and he records."""

from casino.events.witnessing import WitnessedHow as How
from casino.models import BookEntry
from casino.recording import Actor, WitnessRefused
from casino.witnessing.failing import failed
from casino.witnessing.proving import LOCKED_OUT, WRONG, how_proved, office_of
from casino.witnessing.tries import Try, one_try


def second_person(entry: BookEntry, staff: str, secret: str, *, asked_by: str, door: str) -> Actor:
    """Who records a word on that entry, if the secret is his. `asked_by` is logged in there.

    Raises: WitnessRefused (`values["why"]`, how many tries are `left`, `until` when nobody looks),
    for a wrong secret and a person locked out; the try is counted, and told to the book.
    """
    tried: Try[How] = one_try(asked_by, staff, lambda: how_proved(staff, secret))
    if tried.found is None:
        why = LOCKED_OUT if tried.locked else WRONG
        failed(entry, why, asked_by=asked_by, claimed=staff, door=door, tried=tried)
        raise WitnessRefused(why=why, left=tried.left, until=tried.locked_until)
    return Actor(staff, office_of(staff), door)
