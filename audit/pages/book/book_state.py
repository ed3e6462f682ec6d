"""How the book stands at this moment, in few questions however long it has grown.

Nothing is counted over the entries: how many there are, the streams' heads and the tree know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import connection

from casino import clock, sealed
from casino.sealed import Sealed
from casino.tlog.note import COSIGNATURE, SignatureRefused, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.strict import Unreadable
from casino.web.signer_status import Refusal, refusal

COUNTED: Final = 10_000  # waiting entries; beyond this "more than" is said
LONG: Final = timedelta(seconds=60)  # after which a wait is no longer usual
DEMO: Final = "demo.invalid/"  # how the name of a log begins whose keys prove nothing

_FIGURES: Final = """
SELECT (SELECT coalesce(sum(head_n), 0)::bigint FROM book_stream),
    (SELECT count(*) FROM (SELECT FROM book_pending LIMIT %s) AS waiting),
    (SELECT e.recorded_at FROM book_pending p JOIN book_entry e ON e.id = p.entry_id
     ORDER BY p.entry_id LIMIT 1),
    coalesce((SELECT max(size) FROM book_tree), 0),
    (SELECT t.made_at FROM book_tree t
     WHERE t.size > coalesce((SELECT max(size) FROM book_checkpoint), 0)
     ORDER BY t.size LIMIT 1)
"""


@dataclass(frozen=True, slots=True)
class Signer:
    """A key that stands under a checkpoint. `valid` is None where nobody says whose key it is.

    `at` is the moment a witness names.
    """

    name: str
    key_id: str
    vkey: str
    valid: bool | None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Signatures:
    """Who signed a checkpoint: the house's keys, the witnesses, and lines of unknown keys.

    `trouble` is set where a signature that should be one of a known key is none, or where the note
    or the policy cannot be read; `policy` is whether any keys are published.
    """

    logs: Sequence[Signer]
    witnesses: Sequence[Signer]
    unknown: Sequence[Signer]
    policy: bool
    quorum_met: bool
    trouble: str = ""

    @property
    def by_house(self) -> bool:
        """Whether a key the house publishes signed it."""
        return any(one.valid for one in self.logs)


@dataclass(frozen=True, slots=True)
class BookState:
    """The book's size, what waits, and the newest checkpoint; `waiting` stops at COUNTED + 1."""

    now: datetime
    entries: int
    tree: int
    waiting: int
    waits_since: datetime | None
    newest: Sealed | None
    unsealed_since: datetime | None
    refusal: Refusal | None

    @property
    def unsealed(self) -> int:
        """Entries of the tree that no checkpoint covers yet."""
        return self.tree - (self.newest.size if self.newest else 0)

    @property
    def sequencer_late(self) -> bool:
        """Whether entries have waited too long for their place."""
        return self.waits_since is not None and self.now - self.waits_since > LONG

    @property
    def signer_late(self) -> bool:
        """Whether the tree has waited too long for its checkpoint."""
        return self.unsealed_since is not None and self.now - self.unsealed_since > LONG

    @property
    def young(self) -> bool:
        """Whether nothing was signed because there was no time for it yet."""
        late = self.sequencer_late or self.signer_late
        return self.newest is None and self.refusal is None and not late

    @property
    def demo(self) -> bool:
        """Whether the keys prove nothing."""
        return self.newest is not None and self.newest.origin.startswith(DEMO)

    @property
    def well(self) -> bool:
        """Whether everything goes its way."""
        late = self.sequencer_late or self.signer_late
        return self.newest is not None and self.refusal is None and not late


def book_state() -> BookState:
    """How it stands, in two questions."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, [COUNTED + 1])
        entries, waiting, waits_since, tree, unsealed_since = cursor.fetchone()
    return BookState(
        now=clock.now(),
        entries=entries,
        tree=tree,
        waiting=waiting,
        waits_since=waits_since,
        newest=sealed.latest(),
        unsealed_since=unsealed_since,
        refusal=refusal(),
    )


def signatures_of(newest: Sealed) -> Signatures:
    """Who signed it, as far as the published policy says whose keys there are."""
    text, trouble = sealed.policy_text(), ""
    policy = Policy()
    try:
        if text:
            policy = Policy.parse(text)
        note = parse_note(newest.note)
    except Unreadable as error:
        return Signatures((), (), (), bool(text), quorum_met=False, trouble=str(error))
    keys = policy.keys()
    valid: Mapping[str, int | None] = {}
    try:
        valid = valid_signatures(note, keys)
    except SignatureRefused as error:
        trouble = str(error)
    known = {(key.name, key.key_id): key for key in keys}
    logs, witnesses, unknown = [], [], []
    for line in note.signatures:
        key = known.get((line.name, line.key_id))
        vkey = key.text() if key else ""
        moment = valid.get(vkey)
        signer = Signer(
            name=line.name,
            key_id=f"{line.key_id:08x}",
            vkey=vkey,
            valid=vkey in valid if key else None,
            at=None if moment is None else _moment(moment),
        )
        if key is None:
            unknown.append(signer)
        elif key.algorithm == COSIGNATURE:
            witnesses.append(signer)
        else:
            logs.append(signer)
    met = policy.satisfied_by(valid, newest.origin)
    return Signatures(logs, witnesses, unknown, bool(text), quorum_met=met, trouble=trouble)


def _moment(seconds: int) -> datetime | None:
    """A witness's moment, where it is one a calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
