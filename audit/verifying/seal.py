"""Signed checkpoints as they were kept: their text, who signed, and those others have of before.

The verifier's rules, step by step: a key that the book names is believed once a checkpoint that
covers the entry is signed by a key believed already, and the one it replaces until a later
checkpoint goes without it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from audit.verifier.notes import Checkpoint, Key, Policy, read_checkpoint, read_key, signed_at
from audit.verifying.kept_checkpoint import BookHeld, against
from audit.verifying.phase import Phase, fetch
from casino import sealed
from casino.tlog.note import first_lines

STEP: Final = 400  # checkpoints

_CHECKPOINTS: Final = """
SELECT c.size, c.root, c.note,
    ARRAY(SELECT w.line FROM book_cosignature w WHERE w.size = c.size
          ORDER BY w.cosigned_at, w.line),
    ARRAY(SELECT w.cosigned_at FROM book_cosignature w WHERE w.size = c.size
          ORDER BY w.cosigned_at, w.line)
FROM book_checkpoint c WHERE c.size > %s AND c.size <= %s ORDER BY c.size LIMIT %s
"""


class Seal(Phase):
    """Every checkpoint, smallest first; then those that were handed in, and the published one."""

    name = "seal"

    def begin(self, kept: Mapping[str, Any] | None) -> None:
        """Begin with the keys of the policy and those they took over from."""
        self.policy = self._policy()
        self.named = [
            (index, read_key(vkey), read_key(replaces) if replaces else None)
            for index, vkey, replaces in self.verification.keys_named
        ]
        self.epochs = [each for each in self.verification.epochs if each["approved"]]
        self.after, self.before = 0, None
        self.ends: dict[str, int] = {}  # the last checkpoint under each name
        self.believed: set[Key] = set() if self.policy is None else set(self.policy.logs)
        if kept is not None:
            self.after, self.before, self.ends = kept["after"], kept["before"], kept["ends"]
            self.believed = {read_key(vkey) for vkey in kept["believed"]}
            return
        for _, new, old in reversed(self.named):
            if new in self.believed and old is not None:
                self.believed.add(old)

    def state(self) -> dict[str, Any]:
        """The last checkpoint, the last of each name, and the keys believed after it."""
        believed = sorted(key.vkey for key in self.believed)
        values = {"after": self.after, "before": self.before, "ends": self.ends}
        return values | {"believed": believed}

    def step(self) -> bool:
        """Some checkpoints."""
        rows = fetch(self.using, _CHECKPOINTS, self.after, self.verification.size, STEP)
        for size, root, note, lines, moments in rows:
            self.after = size
            self._checkpoint(size, bytes(root), note, list(zip(lines, moments, strict=True)))
        if len(rows) == STEP:
            return False
        if self.after == 0 and self.verification.size:
            self.report("no-checkpoint")
        elif self.after and self.policy is None:
            self.report("no-policy")
        for name, text in self.verification.older:
            self._older(name, text, theirs=True)
        for name, text in _published():
            self._older(name, text, theirs=False)
        self._strangers()
        return True

    def _strangers(self) -> None:
        """Keys the book names that are none of the signer's: verifiers believe them all the same.

        What it published as its own before a new epoch may be lost with the rest of its files.
        """
        ours = _policy_of(sealed.policy_text())
        if ours is None:
            return
        begun = max((each["approved"] for each in self.epochs), default=0)
        for index, key, _ in self.named:
            if key not in ours.logs and index >= begun:
                self.report("key-stranger", index=index, key=f"{key.name}+{key.key_id.hex()}")

    def _policy(self) -> Policy | None:
        text = self.verification.policy or sealed.policy_text()
        found = _policy_of(text)
        if text and found is None:
            self.report("policy-unreadable")
        return found

    def _checkpoint(
        self, size: int, root: bytes, text: str, lines: list[tuple[str, datetime]]
    ) -> None:
        shown = set(first_lines(text, [line for line, _ in lines]))
        lines = [(line, at) for line, at in lines if line in shown]
        try:
            note = read_checkpoint(sealed.with_lines(text, [line for line, _ in lines]).encode())
        except ValueError:
            self.report("checkpoint-unreadable", size=size)
            return
        if (note.size, note.root) != (size, root):
            self.report("checkpoint-note", size=size, told=note.size)
        if self.before is not None and note.origin != self.before[0] and not self._goes_on(note):
            self.report("origin-changed", size=size, origin=note.origin)
        self.before = [note.origin, note.size, note.root.hex()]
        self.ends[note.origin] = note.size
        if self.policy is not None:
            self._signed(note)
            self._cosigned(note, lines)

    def _signed(self, note: Checkpoint) -> None:
        known = self.believed | {new for index, new, _ in self.named if index < note.size}
        signed = {key for key in known if self._has_signed(note, key, self.after) is not None}
        if not signed & self.believed:
            self.report("checkpoint-unsigned", size=self.after)
            return
        for index, new, old in self.named:
            if index < note.size:
                self.believed.add(new)
                if old is not None and old not in signed:
                    self.believed.discard(old)

    def _has_signed(self, note: Checkpoint, key: Key, size: int) -> int | None:
        try:
            return signed_at(note, key)
        except ValueError:
            self.report("signature-wrong", size=size, key=key.name)
            return None

    def _cosigned(self, note: Checkpoint, lines: list[tuple[str, datetime]]) -> None:
        """What a witness the policy knows signed, and the moments kept beside the lines."""
        assert self.policy is not None
        for key in self.policy.witnesses.values():
            self._has_signed(note, key, self.after)
        for (_, kept), signature in zip(
            lines, note.signatures[len(note.signatures) - len(lines) :], strict=True
        ):
            moment = int.from_bytes(signature.made[:8], "big")
            if int(kept.astimezone(UTC).timestamp()) != moment:
                self.report("cosignature-moment", size=self.after, key=signature.name)

    def _goes_on(self, note: Checkpoint) -> bool:
        """Whether two persons put down, before, that the book goes on under this other name."""
        assert self.before is not None
        origin, size, root = self.before
        return any(
            each["origin"] == note.origin
            and each["lost_origin"] == origin
            and each["approved"] < note.size
            and each["lost_size"] >= size
            and (each["lost_size"] > size or each["lost_root"] == root)
            for each in self.epochs
        )

    def _older(self, name: str, text: str, *, theirs: bool) -> None:
        """A checkpoint of before: the tree must still hold all of it."""
        try:
            note = read_checkpoint(text.encode())
        except ValueError:
            self.report("older-unreadable", file=name)
            return
        keys = None
        if self.policy is not None:
            named = {key for _, *pair in self.named for key in pair if key}
            keys = {*self.believed, *named, *self.policy.logs}
        book = BookHeld(self.using, self.ends, self.epochs, keys)
        if against(note, book, self.report, name, theirs=theirs) and theirs:
            self.verification.held = max(self.verification.held or 0, note.size)


def _policy_of(text: str) -> Policy | None:
    """The policy a text tells of; None where it tells of none."""
    try:
        return Policy(text.encode()) if text else None
    except ValueError:
        return None


def _published() -> list[tuple[str, str]]:
    """The checkpoint the signer published last, which it keeps outside the database."""
    if not settings.BOOK_PUBLIC:
        return []
    place = Path(settings.BOOK_PUBLIC) / "checkpoint"
    try:
        return [(place.name, place.read_text("utf-8"))]
    except (FileNotFoundError, UnicodeDecodeError):
        return []
