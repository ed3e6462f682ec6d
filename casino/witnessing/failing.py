"""A confirmation that failed stands in the book, beside the act it was for.

No more than the failures before a lock and one for the lock: whoever goes on trying fills no book.
"""

import logging
from typing import Final, get_args
from uuid import uuid4

from casino import clock
from casino.events.event import EntryRef
from casino.events.event_policy import SYSTEM
from casino.events.witnessing import WhyFailed, WitnessedHow, WitnessFailed
from casino.models import Account, BookEntry
from casino.recording import Actor, Refused, Source, record
from casino.recording.refusals import (
    CORRECTED_SINCE,
    DECIDED_IT,
    OWN_ACT,
    TOO_LATE,
    USED_ALREADY,
    WITHDRAWN_SINCE,
)
from casino.witnessing.inviting import NOT_OURS
from casino.witnessing.proving import LOCKED_OUT, WRONG
from casino.witnessing.tries import Try, one_try

# Who tells of it: nobody's hand.
_BY: Final = "witnessing"
WRONG_PASSKEY: Final = "the passkey's answer is not right, or the passkey is not this person's."
# Never said to anybody: what he is recorded is that his office does not write this.
NO_OFFICE: Final = "no office"
_WORDS: Final[dict[str, WhyFailed]] = {
    WRONG: "wrong_secret",
    WRONG_PASSKEY: "wrong_passkey",
    OWN_ACT: "own_act",
    DECIDED_IT: "own_act",
    NOT_OURS: "not_ours",
    CORRECTED_SINCE: "corrected_since",
    WITHDRAWN_SINCE: "corrected_since",
    TOO_LATE: "too_late",
    USED_ALREADY: "used_already",
    LOCKED_OUT: "locked_out",
    NO_OFFICE: "no_office",
}
assert set(_WORDS.values()) | {"unknown_person"} == set(get_args(WhyFailed))
_log: Final = logging.getLogger("casino.witnessing")


def failed(
    entry: BookEntry,
    why: str,
    *,
    asked_by: str,
    claimed: str,
    door: str,
    method: WitnessedHow | None = None,
    tried: Try[WitnessedHow] | None = None,
) -> None:
    """Tell of one. `why` is the refusal's reason; without `tried` it is counted here.

    Where the book is too busy for it the log alone has it.
    """
    if why not in _WORDS:
        return
    if tried is None:
        tried = one_try(asked_by, None, lambda: None)
    if tried.locked and not tried.first:
        return
    known = Account.objects.filter(staff=claimed).exists()
    word: WhyFailed = "locked_out" if tried.locked else _WORDS[why]
    event = WitnessFailed(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        witnessed=EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex()),
        act=entry.kind,
        why="unknown_person" if word == "wrong_secret" and not known else word,
        count=tried.count,
        asked_by=asked_by,
        claimed=claimed if known else None,
        method=method,
        locked_until=tried.locked_until,
    )
    _log.warning("a confirmation at %s's login failed: %s", asked_by, event.why)
    by = Actor(_BY, SYSTEM, door)
    try:
        record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source("job"))
    except Refused:
        _log.exception("a confirmation that failed could not be told to the book")
