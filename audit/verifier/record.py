"""The proof of one record: a file as c2sp.org/tlog-proof has it, with the entry in its `extra`."""

import re
from typing import Any, Final

from .canonical import parse
from .entries import EntryChecker
from .envelope import place_of, read_all
from .notes import NEVER, Policy, read_checkpoint, unbase64, whole
from .private import commitments, is_opening, opens
from .report import BadInput, Report
from .tree import climb, leaf_hash
from .trust import Trust, Walk

FORMAT: Final = "livro-da-sala-record/1"
MAX_RECORD: Final = 4 * 1024 * 1024
_head: Final = re.compile(
    r"c2sp\.org/tlog-proof@v1\n(?:extra ([^\n]*)\n)?index ([^\n]*)\n((?:[^\n]+\n){0,63})"
).fullmatch


class Record:
    """A record and the proof that it stands in a signed book. Raises: BadInput."""

    def __init__(self, data: bytes, name: str, report: Report, policy: Policy | None) -> None:
        self.report = report
        try:
            head, _, note = data.decode().partition("\n\n")
            match = _head(f"{head}\n")
            if match is None:
                raise ValueError("no proof")
            self.note = read_checkpoint(note.encode())
            self.index, self.path = whole(match[2]), [*map(unbase64, match[3].split("\n")[:-1])]
            if any(len(each) != 32 for each in self.path):
                raise ValueError("no hash")
            self._take_extra(parse(unbase64(match[1] or "")))
            self.policy = policy or Policy(self.own_policy)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadInput("record-form", name) from None

    def _take_extra(self, value: Any) -> None:
        if value.keys() != {"entry", "format", "openings", "policy"} or value["format"] != FORMAT:
            raise ValueError("no record")
        if not all(map(is_opening, value["openings"])):
            raise ValueError("no openings")
        self.entry, self.openings = value["entry"].encode(), value["openings"]
        self.own_policy = value["policy"].encode()

    def check(self) -> None:
        """The entry, its place in the tree, the signatures."""
        stream, n = place_of(self.entry)
        where: dict[str, Any] = {"index": self.index, "stream": stream, "n": n}
        try:
            root = climb(leaf_hash(self.entry), self.index, self.note.size, self.path)
        except ValueError:
            root = b""
        if root != self.note.root:
            self.report("record-not-in-tree", **where)
        checker = EntryChecker(self._say, lambda stream, n: None, begun=False)
        witnesses = {key[:2] for key in self.policy.witnesses.values()}
        times = [each.made[:8] for each in self.note.signatures if each[:2] in witnesses]
        seen = min((int.from_bytes(each, "big") for each in times), default=NEVER)
        checker.not_after = seen if seen < NEVER else None
        checker.feed(self.index, self.entry)
        self.passkeys = checker.passkeys
        self._open(where)
        self.trust = Trust(self.policy, whole=False)
        self.walk: Walk = self.trust.follow(lambda: [self.note])
        for code, details in self.walk.found:
            self.report(code, **details)
        if not self.walk.signed:
            self.report("key-unknown")

    def _say(self, code: str, **values: Any) -> None:
        if code != "cp-unknown":  # which checkpoints there were is not shown here
            self.report(code, **values)

    def _open(self, where: dict[str, Any]) -> None:
        read = read_all([self.entry])
        fields = commitments(read[1][0]) if read else {}
        for opening in self.openings:
            digest = fields.pop(opening["field"], None)
            if digest is None:
                self.report("opening-unasked", **where, field=opening["field"])
            elif not opens(opening, digest):
                self.report("opening-wrong", **where, field=opening["field"])
        for field in sorted(fields) if self.openings else ():
            self.report("withheld", **where, field=field)
        self.withheld = len(fields)
