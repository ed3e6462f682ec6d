"""Which logs and witnesses are believed, and how many of them are needed. Source: C2SP tlog-policy.

Nobody is called over a network here: the addresses (URL) of witnesses are kept for whoever does,
and are no part of the policy that is published.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from casino.tlog.note import COSIGNATURE, ED25519, VerifierKey
from casino.tlog.strict import Unreadable, brief

NONE: Final = "none"  # the quorum that asks for no witness
MOST_POLICY: Final = 1_000_000  # bytes
MOST_NAMES: Final = 100  # logs, and witnesses with groups; the format asks for 32 of each

_unwritable: Final = re.compile(rb"[^\t\n\x20-\x7e\x80-\xff]").search
_is_number: Final = re.compile(r"[1-9][0-9]{0,3}").fullmatch
_words: Final = re.compile(r"[^ \t]+").findall


class Group(NamedTuple):
    """`least` of the members, each a witness or a group, must have signed."""

    least: int
    members: tuple[str, ...]


@dataclass(frozen=True)
class Policy:
    """Logs by their keys, witnesses and groups by their names in this policy, in order.

    `quorum` is one of these names, or "none"; `addresses` are those of witnesses, by these names.
    Raises: Unreadable, for a policy that contradicts itself.
    """

    logs: tuple[VerifierKey, ...] = ()
    witnesses: Mapping[str, VerifierKey] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    quorum: str = NONE
    addresses: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for what, keys, algorithm in (
            ("log", self.logs, ED25519),
            ("witness", tuple(self.witnesses.values()), COSIGNATURE),
        ):
            if len({key.public for key in keys}) != len(keys):
                raise Unreadable(f"a policy: one key twice as a {what}")
            if any(key.algorithm != algorithm for key in keys):
                raise Unreadable(f"a policy: a {what}'s key is of kind {algorithm}")
        names = [*self.witnesses, *self.groups]
        if len(self.logs) > MOST_NAMES or len(names) > MOST_NAMES:
            raise Unreadable(f"a policy: more than {MOST_NAMES} logs, or witnesses and groups")
        if len(set(names)) != len(names) or NONE in names:
            raise Unreadable("a policy: one name twice, or a name that is taken")
        if any(_words(name) != [name] or _unfit(name) for name in names):
            raise Unreadable("a policy: a name that cannot stand in one")
        self._check_groups()
        if self.quorum not in {NONE, *names}:
            raise Unreadable(f"a policy: the quorum {brief(self.quorum)} is not defined")

    def _check_groups(self) -> None:
        """A group names what stands before it, and nothing is a member of two groups."""
        free = set(self.witnesses)
        for name, group in self.groups.items():
            if not 1 <= group.least <= len(group.members):
                raise Unreadable(f"a policy: group {brief(name)} asks for more than it has")
            for member in group.members:
                if member not in free:
                    raise Unreadable(
                        f"a policy: {brief(member)} in group {brief(name)}"
                        " is not defined before it, or is a member already"
                    )
                free.remove(member)
            free.add(name)

    def keys(self) -> tuple[VerifierKey, ...]:
        """All keys, for `valid_signatures`."""
        return (*self.logs, *self.witnesses.values())

    def satisfied_by(self, valid: Mapping[str, int | None], origin: str | None = None) -> bool:
        """Whether these keys' signatures (see `valid_signatures`) are enough for a checkpoint.

        One log's, and the quorum's. With `origin`, only logs of that name count. A policy that
        names no log is satisfied by nothing: ask `quorum_met` where the log is known otherwise.
        """
        signed = (key.text() in valid and origin in (None, key.name) for key in self.logs)
        return any(signed) and self.quorum_met(valid)

    def quorum_met(self, valid: Mapping[str, int | None]) -> bool:
        """Whether enough witnesses are among these keys."""
        met = {name for name, key in self.witnesses.items() if key.text() in valid}
        for name, group in self.groups.items():
            if sum(member in met for member in group.members) >= group.least:
                met.add(name)
        return self.quorum == NONE or self.quorum in met

    def text(self) -> str:
        """The policy as a file."""
        lines = [f"log {key.text()}" for key in self.logs]
        lines += [f"witness {name} {key.text()}" for name, key in self.witnesses.items()]
        lines += [
            f"group {name} {group.least} {' '.join(group.members)}"
            for name, group in self.groups.items()
        ]
        return "".join(f"{line}\n" for line in [*lines, f"quorum {self.quorum}"])

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """Read a policy. Raises: Unreadable, with the number of the line."""
        drawn = _Draft()
        for number, words in _lines(text):
            try:
                drawn.take(words)
            except Unreadable as error:
                raise Unreadable(f"a policy, line {number}: {error}") from None
        if drawn.quorum is None:
            raise Unreadable("a policy: no quorum")
        return cls(tuple(drawn.logs), drawn.witnesses, drawn.groups, drawn.quorum, drawn.addresses)


class _Draft:
    """What the lines of a policy have said so far."""

    def __init__(self) -> None:
        self.logs: list[VerifierKey] = []
        self.witnesses: dict[str, VerifierKey] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self.addresses: dict[str, str] = {}

    def take(self, words: list[str]) -> None:
        match words:
            case ["log", key] | ["log", key, _]:
                self.logs.append(VerifierKey.parse(key))
            case ["witness", name, key, *address] if len(address) <= 1:
                self._name(name)
                self.witnesses[name] = VerifierKey.parse(key)
                if address:
                    self.addresses[name] = address[0]
            case ["group", name, least, *members] if members:
                self._name(name)
                for member in members:
                    self._must_stand(member)
                self.groups[name] = Group(_least(least, len(members)), tuple(members))
            case ["quorum", name] if self.quorum is None:
                if name != NONE:
                    self._must_stand(name)
                self.quorum = name
            case ["quorum", _]:
                raise Unreadable("a second quorum")
            case _:
                raise Unreadable(f"not a line of a policy: {brief(' '.join(words))}")

    def _name(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise Unreadable(f"{brief(name)} is taken")
        if _unfit(name):
            raise Unreadable(f"{brief(name)} is not UTF-8")
        if len(self.witnesses) + len(self.groups) >= MOST_NAMES:
            raise Unreadable(f"more than {MOST_NAMES} witnesses and groups")

    def _must_stand(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise Unreadable(f"{brief(name)} is not defined before")


def _lines(text: str | bytes) -> Iterator[tuple[int, list[str]]]:
    """The lines that say something, cut into words at spaces and tabs. Raises: Unreadable."""
    if len(text) > MOST_POLICY:
        raise Unreadable(f"a policy: longer than {MOST_POLICY} bytes")
    try:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeError:
        raise Unreadable("a policy: not UTF-8") from None
    if _unwritable(data):
        raise Unreadable("a policy: a control character")
    if data and not data.endswith(b"\n"):
        raise Unreadable("a policy: its last line has no line feed")
    # The format lets comments and addresses hold any bytes; names and keys are UTF-8.
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), start=1):
        words = _words(line)
        if words and not words[0].startswith("#"):
            yield number, words


def _least(text: str, members: int) -> int:
    """How many members a group needs. Raises: Unreadable."""
    if text in ("any", "all"):
        return 1 if text == "any" else members
    if not _is_number(text):
        raise Unreadable(f"{brief(text)} is not any, all or a number")
    return int(text)


def _unfit(name: str) -> bool:
    """Whether a name could not be written as UTF-8, or would break the line it stands in."""
    try:
        return bool(_unwritable(name.encode())) or "\n" in name or not name
    except UnicodeError:
        return True
