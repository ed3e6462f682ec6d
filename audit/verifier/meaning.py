"""What entries say of others: corrections, withdrawals, witnesses, erasures; keys and epochs."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .canonical import parse_objects
from .envelope import Amends, commitment, end_of, is_digest, parts_of
from .findings import KINDS, Findings
from .notes import LOG, read_key
from .tree import leaf_hash

if TYPE_CHECKING:
    from .pools import Pools

HOUSE: Final = "house"
WITHDRAWAL: Final = "withdrawal-asked/1"
MAX_NAMED: Final = 1000  # keys, or epochs, of one book
LONGEST: Final = 300  # characters of a name that is kept; the house's own have 264 at most
FILES: Final = "attachments"  # the digests of files, which can be erased like a private value
Earlier = Callable[[str, int], "bytes | None"]
Values = dict[str, Any]  # a payload


def _same(number: str, other: str) -> bool:
    """Whether two numbers are one person's, however they are written."""
    return number.casefold() == other.casefold()


def _named_by(withdrawal: bytes) -> Amends | None:
    """The entry a withdrawal's payload names; None where it names none."""
    named = (parse_objects([withdrawal])[0] or {}).get("entry")
    return named if type(named) is dict and type(named.get("n")) is int else None


def _references(value: Any) -> Iterator[dict[str, Any]]:
    """Everything in a payload that names an entry: its leaf, its number, its stream."""
    if type(value) is dict and value.keys() == {"leaf", "n", "stream"}:
        if (type(value["leaf"]), type(value["n"]), type(value["stream"])) == (str, int, str):
            yield value
    elif type(value) in (dict, list):
        for each in value.values() if type(value) is dict else value:
            yield from _references(each)


class Target(NamedTuple):
    """An earlier entry, as another one names it."""

    kind: str
    payload: bytes
    staff: str
    amends: Amends | None


class Meaning:
    """What was said so far. `here` is the entry in hand: index, stream, n; `staff` wrote it."""

    def __init__(self, report: Callable[..., None], earlier: Earlier, begun: bool) -> None:
        self.report, self.earlier, self.begun = report, earlier, begun
        self.here: dict[str, Any] = {}
        self.staff = self.at = ""
        self.corrections: dict[tuple[str, int], list[Any]] = {}  # (stream, n): [corrected by, held]
        self.keys_named: list[tuple[int, str, str | None]] = []  # index, vkey, the key it replaces
        self.named_by: dict[int, tuple[int, str]] = {}  # by index: number and author of such a one
        # Keys that two persons name, by the entry's n: index, who recorded it, and is it decided.
        self.keys_asked: dict[int, list[Any]] = {}
        self.passkeys = 0  # confirmations that hold a passkey's answer
        self.pools: Pools | None = None  # where a progressive prize is followed, too
        self.findings: Findings | None = None  # where these are held against their runs, too
        # what was recorded, with index, n, by, approved (index)
        self.epochs: list[dict[str, Any]] = []
        # Where the ids of rows were reported of, of how many, and their digest: see `Bundle`.
        self.row_digests: list[tuple[dict[str, object], int, str]] = []
        self.erased: list[tuple[str, int, str]] = []  # stream, n, field
        # What a finding rests on and was not met yet: the finding's place, and what it names.
        self.awaited: list[tuple[dict[str, object], dict[str, Any]]] = []

    def report_here(self, code: str, **details: Any) -> None:
        """Report something of the entry in hand."""
        self.report(code, **self.here, **details)

    def mean(self, kind: str, amends: Amends | None, values: dict[str, object]) -> None:
        """Take in what the entry in hand says."""
        if amends:
            self._amended(kind, amends, values)
        if kind in MEANINGS:
            MEANINGS[kind](self, values)
        if self.findings and kind in KINDS:
            self.findings.take(self.here, kind, values)

    def _rests(self, values: dict[str, object]) -> None:
        """A finding: each entry it names, of whatever stream, is what it says."""
        for named in _references(values):
            if self.earlier(named["stream"], named["n"]) is None:
                self.awaited.append((self.here, named))
            else:
                self._is(self.here, named)

    def _ids(self, values: dict[str, object]) -> None:
        """A verification: which ids the rows of the first so many entries had then."""
        size, ids = values.get("size"), str(values.get("ids"))
        if type(size) is int and size > 0 and is_digest(ids):
            self.row_digests.append((self.here, size, ids))

    def end_evidence(self, whole: bool) -> None:
        """After the last entry: what was awaited is there by now, or it is missing."""
        awaited, self.awaited = self.awaited, []
        for here, named in awaited:
            if self.earlier(named["stream"], named["n"]) is not None:
                self._is(here, named)
            else:
                code = "evidence-missing" if whole else "evidence-not-shown"
                self.report(code, **here, target=f"{named['stream']}/{named['n']}")

    def _is(self, here: dict[str, object], named: dict[str, Any]) -> None:
        entry = self.earlier(named["stream"], named["n"]) or b""
        if leaf_hash(entry).hex() != named["leaf"]:
            self.report("evidence-wrong", **here, target=f"{named['stream']}/{named['n']}")

    def _target(self, named: Any) -> Target | None:
        """The earlier entry of the same stream that is named; None, and a report, if none is."""
        entry, here = None, self.here
        if type(named) is dict and named.keys() == {"leaf", "n", "stream"}:
            if type(named["n"]) is int and 0 < named["n"] < here["n"]:
                if named["stream"] == here["stream"]:
                    entry = self.earlier(here["stream"], named["n"])
                    if entry is None:
                        self.report_here("reference-not-shown", target=named["n"])
                        return None
        if entry is None or leaf_hash(entry).hex() != named["leaf"]:
            self.report_here("reference-wrong")
            return None
        parts = parts_of(entry)
        end = parts and end_of(parts[9])
        if not parts or not end:
            return None
        return Target(parts[4].decode("utf-8", "replace"), parts[7], *end[1:])

    def _amended(self, kind: str, amends: Amends, values: Values) -> None:
        """A correction: of an entry of its kind."""
        self._asked(amends, kind, values.get("correction_reason"))

    def _withdrawn(self, values: dict[str, object]) -> None:
        """A withdrawal puts nothing in the place of an entry, which is of the kind it says."""
        self._asked(values.get("entry"), values.get("act"), values.get("reason"))

    def _asked(self, amends: object, kind: object, reason: object) -> None:
        """What is asked of an entry of which nothing else is asked, and that holds."""
        stream, n = self.here["stream"], self.here["n"]
        target = self._target(amends)
        if type(amends) is not dict or type(amends.get("n")) is not int:
            return
        if (target and target.kind != kind) or type(reason) is not str:
            self.report_here("correction-form", target=amends["n"])
        first = self.corrections.setdefault((stream, amends["n"]), [n, False])
        if first[0] != n and not self.begun and self.earlier(stream, first[0]) is None:
            first[:] = n, False  # what became of the other is not shown
        if first[0] != n:
            self.report_here("correction-second", target=amends["n"], by=first[0])
        if target and target.amends and self.begun:  # it corrects a correction, which must hold
            if self.corrections.get((stream, target.amends["n"])) != [amends["n"], True]:
                self.report_here("correction-undecided", target=amends["n"])

    def _corrected(self, values: Values) -> None:
        pending = self._target(values.get("pending"))
        if pending is None:
            return
        stream, n, asked = self.here["stream"], values["pending"]["n"], pending.amends
        persons = [pending.staff]
        if pending.kind == WITHDRAWAL:
            asked = _named_by(pending.payload)
            original = self._target(asked) if asked and values.get("original") == asked else None
            persons += [original.staff] if original else []
        state = self.corrections.get((stream, asked["n"])) if asked else None
        decision = values.get("decision")
        if state != [n, False] or values.get("original") != asked:
            self.report_here("decision-wrong", target=n)
        elif decision == "approved":
            state[1] = True
            if self.pools and asked:
                self.pools.approve(self.here["index"], self.at, stream, n, asked["n"])
        elif decision == "refused" and asked:
            del self.corrections[stream, asked["n"]]
        else:
            self.report_here("decision-wrong", target=n)
        if any(_same(person, self.staff) for person in persons):
            self.report_here("same-person", target=n, staff=self.staff)

    def _witnessed(self, values: Values) -> None:
        self.passkeys += "passkey" in values
        act = self._target(values.get("witnessed"))
        if act and (values.get("act") != act.kind or values.get("staff") != self.staff):
            self.report_here("witness-wrong")
        if act and _same(act.staff, self.staff):
            self.report_here("same-person", target=values["witnessed"]["n"], staff=self.staff)

    def _erased(self, values: Values) -> None:
        entry, field = self._target(values.get("entry")), values.get("field")
        if entry is None:
            return
        payload = parse_objects([entry.payload])[0] or {}
        value = payload.get(field) if type(field) is str and len(field) <= LONGEST else None
        if commitment(value) or (field == FILES and type(value) is list):
            self.erased.append((self.here["stream"], values["entry"]["n"], str(field)))
        else:
            self.report_here("erasure-wrong", target=values["entry"]["n"])

    def _is_key(self, values: Values) -> bool:
        """Whether a key is named as it must be; a report, if not."""
        vkey, replaces = values.get("vkey", ""), values.get("replaces")
        try:
            kinds = {read_key(each).kind for each in (vkey, replaces or vkey)}
        except (ValueError, AttributeError):
            kinds = set()
        many = max(len(self.keys_named), len(self.keys_asked)) >= MAX_NAMED
        if self.here["stream"] == HOUSE and kinds == {LOG} and not many:
            return True
        self.report_here("house-form")
        return False

    def _key_named(self, values: Values) -> None:
        """By one person: that was enough until a book first asked two."""
        if self._is_key(values):
            if self.keys_asked:
                self.report_here("key-alone")
            else:
                self._believe(values, self.staff)

    def _key_asked(self, values: Values) -> None:
        if self._is_key(values):
            self.keys_asked[self.here["n"]] = [self.here["index"], self.staff, False]

    def _act_decided(self, values: Values) -> None:
        act = self._target(values.get("act"))
        asked = act and self.keys_asked.get(values["act"]["n"])
        if act and _same(act.staff, self.staff):
            self.report_here("same-person", target=values["act"]["n"], staff=self.staff)
        elif act and asked and not asked[2]:  # who decides once more changes nothing
            asked[2] = True
            if values.get("decision") == "approved":
                payload = parse_objects([act.payload])[0] or {}
                self._believe(payload, f"{act.staff} + {self.staff}")

    def _believe(self, values: Values, staff: str) -> None:
        self.keys_named.append((self.here["index"], values["vkey"], values.get("replaces")))
        self.named_by[self.here["index"]] = self.here["n"], staff

    def _epoch_begun(self, values: Values) -> None:
        asked = {"origin": str, "lost_origin": str, "lost_size": int, "lost_root": str}
        formed = all(
            type(values.get(name)) is kind and len(str(values[name])) <= LONGEST
            for name, kind in asked.items()
        )
        if self.here["stream"] != HOUSE or not formed or len(self.epochs) >= MAX_NAMED:
            self.report_here("house-form")
        else:
            epoch = {name: values[name] for name in asked}
            self.epochs.append(
                {**epoch, **self.here, "at": self.at, "by": self.staff, "approved": None}
            )

    def _epoch_approved(self, values: Values) -> None:
        if self._target(values.get("begun")) is None:
            return
        begun = [each for each in self.epochs if each["n"] == values["begun"]["n"]]
        if self.here["stream"] != HOUSE or not begun:
            self.report_here("house-form")
        elif _same(begun[0]["by"], self.staff):
            self.report_here("same-person", target=begun[0]["n"], staff=self.staff)
        elif begun[0]["approved"] is None:  # who approves of it once more changes nothing
            begun[0]["approved"] = self.here["index"]


MEANINGS: Final[dict[str, Callable[[Any, dict[str, object]], None]]] = {
    "book-verified/1": Meaning._ids,
    "corrected/1": Meaning._corrected,
    "epoch-approved/1": Meaning._epoch_approved,
    "epoch-begun/1": Meaning._epoch_begun,
    "erased/1": Meaning._erased,
    "finding-raised/2": Meaning._rests,
    "finding-superseded/2": Meaning._rests,
    "house-act-decided/1": Meaning._act_decided,
    "signing-key-named/1": Meaning._key_named,
    "signing-key-named/2": Meaning._key_asked,
    WITHDRAWAL: Meaning._withdrawn,
    "witnessed/1": Meaning._witnessed,
}
