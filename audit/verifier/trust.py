"""Which keys are believed, checkpoint after checkpoint, and under which name a book goes on."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .notes import Checkpoint, Key, Policy, read_key, signed_at

CHECKPOINTS = "checkpoints.jsonl"
MAX_REPORTED = 1000


class Walk(NamedTuple):
    """What a walk over all checkpoints came to."""

    found: list[tuple[str, dict[str, Any]]]  # codes and details, to be reported
    signed: set[Key]  # the believed keys that signed the newest
    witnessed: int  # the size of the largest that enough witnesses cosigned
    origins: dict[str, int]  # the names it went under, each with its last size
    seen: int | None  # the latest moment a witness names under the newest
    # What the book made believed: from which size on, by which entry, which key in whose place.
    named: list[tuple[int, int, Key, Key | None]]


class Trust:
    """The keys a policy names, and those the book itself names while believed keys sign it.

    A key that the book names is believed from the first checkpoint that covers the entry and is
    signed by a key believed already; the key it replaces, until a later checkpoint goes without it.
    """

    def __init__(
        self,
        policy: Policy,
        named: Iterable[tuple[int, str, str | None]] = (),
        epochs: Iterable[dict[str, Any]] = (),
        whole: bool = True,
    ) -> None:
        self.policy, self.whole = policy, whole
        self.named = [
            (index, read_key(vkey), read_key(replaces) if replaces else None)
            for index, vkey, replaces in named
        ]
        self.epochs = [each for each in epochs if each["approved"] is not None]

    def keys(self) -> dict[tuple[Any, ...], Key]:
        """Every key that was ever named, whatever became of it, by name and id."""
        listed = {key for _, *pair in self.named for key in pair if key}
        return {key[:2]: key for key in (*self.policy.logs, *listed)}

    def follow(self, notes: Callable[[], Iterable[Checkpoint]]) -> Walk:
        """Walk over all checkpoints, smallest first.

        Who holds a policy with the newer key only believes the older one for what it signed before:
        the book names it, and the newer key signs the book.
        """
        believed = set(self.policy.logs)
        walk = self._walk(notes(), believed)
        unsigned = {"checkpoint-unsigned", "epoch-unsigned"}
        if walk.signed and any(code in unsigned for code, _ in walk.found):
            for _ in self.named:
                believed |= {old for _, new, old in self.named if old and new in believed}
            walk = self._walk(notes(), believed)
        return walk

    def _walk(self, notes: Iterable[Checkpoint], first: set[Key]) -> Walk:
        believed, found = set(first), list[tuple[str, dict[str, Any]]]()
        known = {key[:2]: key for key in believed}
        witnesses = {key[:2]: key for key in self.policy.witnesses.values()}
        waiting, active = deque(self.named), list[tuple[Key, Key]]()
        origins, witnessed, good, seen = dict[str, int](), 0, set[Key](), None
        named = list[tuple[int, int, Key, Key | None]]()
        before: Checkpoint | None = None
        for note in notes:
            fresh = list[tuple[int, Key, Key | None]]()
            while waiting and waiting[0][0] < note.size:
                fresh.append(waiting.popleft())
            known |= {new[:2]: new for _, new, _ in fresh}
            signed, wrong = signers(note, known)
            cosigned, wrong_too = signers(note, witnesses)
            good, values = set(signed) & believed, dict[str, Any](size=note.size)
            codes = [("signature-wrong", values | {"key": key.name}) for key in wrong + wrong_too]
            codes += [(code, values | {"key": name}) for code, name in misnamed(note, witnesses)]
            if good:
                named += [(note.size, *each) for each in fresh]
                believed |= {new for _, new, _ in fresh}
                active += [(new, old) for _, new, old in fresh if old]
                believed -= {old for _, old in active if old not in signed}
                active = [each for each in active if each[1] in believed]
                good = set(signed) & believed
            elif self.whole:
                waiting.extendleft(reversed(fresh))
                codes.append((self._unsigned(note, believed), values))
            if before and self.whole and not self._goes_on(before, note):
                codes.append(("origin-changed", values | {"origin": note.origin}))
            found += codes if len(found) < MAX_REPORTED else []
            if note.origin in origins or len(origins) < MAX_REPORTED:
                origins[note.origin] = note.size
            witnessed = note.size if self.policy.met(set(cosigned)) else witnessed
            before, seen = note, max(cosigned.values(), default=None)
        if not {key.name for key in self.policy.logs} & origins.keys():
            code = "origin-unknown" if self.whole else "origin-not-shown"
            found.append((code, {"origin": before.origin if before else ""}))
        return Walk(found, good, witnessed, origins, seen, named)

    def _unsigned(self, note: Checkpoint, believed: set[Key]) -> str:
        """What to call it: of a book that two persons declared lost nobody here may hold a key."""
        ended = any(each["lost_origin"] == note.origin for each in self.epochs)
        known = any(key.name == note.origin for key in believed)
        return "epoch-unsigned" if ended and not known else "checkpoint-unsigned"

    def _goes_on(self, checkpoint: Checkpoint, note: Checkpoint) -> bool:
        """Whether two persons put down, before, that the book goes on under this other name."""
        return note.origin == checkpoint.origin or any(
            each["origin"] == note.origin
            and each["lost_origin"] == checkpoint.origin
            and each["approved"] < note.size
            and each["lost_size"] >= checkpoint.size
            and (each["lost_size"] > checkpoint.size or each["lost_root"] == checkpoint.root.hex())
            for each in self.epochs
        )


def signers(
    note: Checkpoint, keys: Mapping[tuple[Any, ...], Key]
) -> tuple[dict[Key, int], list[Key]]:
    """Who signed, and when; and in whose name there is a signature that is none.

    `keys` are those that are known, by name and id.
    """
    signed, wrong = dict[Key, int](), list[Key]()
    for named in dict.fromkeys((each.name, each.key_id) for each in note.signatures):
        if (key := keys.get(named)) is not None:
            try:
                signed[key] = signed_at(note, key) or 0
            except ValueError:
                wrong.append(key)
    return signed, wrong


def misnamed(note: Checkpoint, witnesses: Mapping[tuple[Any, ...], Key]) -> list[tuple[str, str]]:
    """Signatures that are no witness's, though half of what names one is: code, name.

    A name with another key's number may be a key the policy does not have yet; the number of a key
    under another name is nobody's, for it is made of the name.
    """
    names, numbers = ({named[half] for named in witnesses} for half in (0, 1))
    return [
        ("cosignature-unknown" if each.name in names else "signature-wrong", each.name)
        for each in note.signatures
        if (each.name, each.key_id) not in witnesses
        and (each.name in names or each.key_id in numbers)
    ]
