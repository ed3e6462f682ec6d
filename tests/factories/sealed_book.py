"""A book with a tree, checkpoints and keys, as the sequencer and the signer leave it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from casino import sequencer
from casino.recording import Submission, record_many
from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.note import COSIGNATURE, SigningKey, signed
from casino.tlog.policy import Policy
from tests.factories.records import EVENING, MANAGER, PIT, burnt, hired

ORIGIN = "book.example/sala/1"
Connect = Callable[..., psycopg.Connection]


class Seal:
    """Stands in for the signer: its key, its public folder, what it signs and witnesses sign."""

    def __init__(self, connect_as: Connect, public: Path, settings: Any) -> None:
        self.connect_as = connect_as
        self.public = public
        self.key = SigningKey.generate(ORIGIN)
        self.witness = SigningKey.generate("witness.example/1")
        public.mkdir(parents=True, exist_ok=True)
        settings.BOOK_PUBLIC = str(public)
        self.publish(Policy((self.key.verifier(),)))

    def publish(self, policy: Policy) -> None:
        """Put down which keys there are."""
        (self.public / "policy").write_text(policy.text())

    def sign(self, *keys: SigningKey) -> Checkpoint:
        """Give every waiting entry its place and sign the tree."""
        while sequencer.integrate():
            pass
        with self.connect_as("signer") as signer:
            size, root = signer.execute(
                "SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1"
            ).fetchone()
            checkpoint = Checkpoint(ORIGIN, size, bytes(root))
            note = signed(checkpoint.text(), list(keys) or [self.key])
            signer.execute(
                "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)",
                [size, root, note],
            )
        (self.public / "checkpoint").write_text(note)
        return checkpoint

    def cosign(self, checkpoint: Checkpoint, moment: int) -> str:
        """The witness signs a checkpoint, seconds since 1970."""
        line = cosign(self.witness, checkpoint.text(), moment)
        with self.connect_as("signer") as signer:
            signer.execute(
                "INSERT INTO book_cosignature (size, line, cosigned_at)"
                " VALUES (%s, %s, to_timestamp(%s))",
                [checkpoint.size, line, moment],
            )
        return line

    def witnessed_policy(self) -> Policy:
        """The log's key and the witness's, both needed."""
        witness = self.witness.verifier(COSIGNATURE)
        return Policy((self.key.verifier(),), {"w": witness}, {}, "w")


def seal_events(count: int, table: str = "BJ-06", *, people: int = 0) -> None:
    """So many records of a table, and of people hired (they have private values)."""
    events = [(burnt(1 + n % 5, table), PIT) for n in range(count)]
    events += [(hired(f"Ana Matos {n}"), MANAGER) for n in range(people)]
    for begin in range(0, len(events), 500):
        record_many(
            [Submission(event, uuid4(), by, EVENING) for event, by in events[begin : begin + 500]]
        )
