"""What a comparison comes to by article, and its digest: the same for whoever makes it again.

Pure. Entries are named as the book names them, never by ids of rows, and everything stands in an
order of its own: neither how a run was cut nor which house's tables were read changes a byte.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Literal, NamedTuple, TypedDict, cast

from casino.events.round.round_played import RoundPlayed
from casino.tlog.canonical import canonical

FORMAT: Final = "livro-da-sala-comparison/1"
Differs = Literal["vanish", "change", "appear"]
CHANGES: Final[tuple[Differs, ...]] = ("vanish", "change", "appear")  # as they are listed
SIDES: Final = ("now", "then", "differ")
# What is counted of findings, as `Tally.as_json` has it.
COUNTED: Final = (
    *("findings", "rounds", "boxes", "owners", "without_round", "without_box", "without_owner"),
    *("to_players", "to_house"),
)
Round = tuple[str, int]  # its entry: stream and number
_Under = Callable[["Spelled"], tuple[str, str]]

_KEPT: Final = (
    *("article", "check", "expected", "observed", "owed_cents", "owed_to", "partida", "rulebook"),
    *("severity", "where"),
)


class NamedEntry(NamedTuple):
    """An entry of the book: its leaf in 64 hex digits, its kind."""

    stream: str
    n: int
    leaf: str
    kind: str


Named = Mapping[str, NamedEntry]  # by what a finding's evidence calls it


class EntryRead(TypedDict):
    """An entry, as it is hashed."""

    kind: str
    leaf: str
    n: int
    stream: str


class Spelled(TypedDict):
    """A finding as it is hashed; cents, and to whom they are owed, "" for nobody."""

    article: str
    check: str
    evidence: list[EntryRead]
    expected: Mapping[str, object]
    observed: Mapping[str, object]
    owed_cents: int
    owed_to: str
    partida: str
    rulebook: str
    severity: str
    where: Mapping[str, object]


class OfArticle(TypedDict):
    """The sums of one article: what stands, what would hold, what differs."""

    rulebook: str
    article: str
    now: dict[str, int]
    then: dict[str, int]
    differ: dict[str, int]


def moved(of_article: OfArticle) -> bool:
    """Whether anything of an article would be otherwise."""
    return of_article["now"] != of_article["then"] or of_article["differ"]["findings"] > 0


class OfCheck(TypedDict):
    """What the differences of one change touch, of a check or ("") of its whole article."""

    change: str
    rulebook: str
    article: str
    check: str
    touched: dict[str, int]


class Whole(TypedDict):
    """A comparison whole, as it is hashed."""

    asked: dict[str, object]
    differences: list[dict[str, object]]
    format: str
    looked_at: dict[str, int]
    sums: list[OfArticle]
    whole: dict[str, dict[str, int]]


Difference = tuple[str, Spelled | None, Spelled | None]  # its change, now, then


def spelled(one: Mapping[str, object], by_id: Named) -> Spelled:
    """A finding whose evidence are entries by stream, number, leaf and kind; in their order."""
    ids = cast("list[str]", one["evidence"])
    evidence = sorted({by_id[each] for each in ids if each in by_id})
    values = {name: one[name] for name in _KEPT}
    return cast("Spelled", values | {"evidence": [each._asdict() for each in evidence]})


@dataclass(slots=True)
class Tally:
    """What some findings touch.

    A round is an entry of a round among the evidence; a box is one of a single round; an owner is
    the person a stake belongs to, as a game's records name him. `without` counts the findings that
    name no round, no box, no owner: nothing is guessed of them. Cents.
    """

    findings: int = 0
    rounds: set[Round] = field(default_factory=set)
    boxes: set[tuple[Round, object]] = field(default_factory=set)
    owners: set[tuple[str, object]] = field(default_factory=set)
    without: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("round", "box", "owner"), 0)
    )
    to_players: int = 0
    to_house: int = 0

    def add(self, sides: Sequence[Spelled]) -> None:
        """One finding, or both sides of one difference, as `spelled`; money is not added."""
        self.findings += 1
        rounds, boxes, owners = set[Round](), set[tuple[Round, object]](), set[tuple[str, object]]()
        for one in sides:
            here = rounds_of(one)
            rounds |= here
            where = one["where"]
            if "box" in where and len(here) == 1:
                boxes.add((next(iter(here)), where["box"]))
            if "owner" in where:
                owners.add((one["partida"], where["owner"]))
        for name, found in (("round", rounds), ("box", boxes), ("owner", owners)):
            self.without[name] += not found
        self.rounds |= rounds
        self.boxes |= boxes
        self.owners |= owners

    def owe(self, side: Spelled, times: int = 1) -> None:
        """Add what a finding owes, so many times."""
        if side["owed_to"] == "player":
            self.to_players += times * side["owed_cents"]
        elif side["owed_to"] == "house":
            self.to_house += times * side["owed_cents"]

    def as_json(self) -> dict[str, int]:
        """As it is kept, shown and hashed: whole numbers."""
        return {
            "findings": self.findings,
            "rounds": len(self.rounds),
            "boxes": len(self.boxes),
            "owners": len(self.owners),
            **{f"without_{name}": n for name, n in self.without.items()},
            "to_players": self.to_players,
            "to_house": self.to_house,
        }


def rounds_of(side: Spelled) -> set[Round]:
    """The rounds a finding rests on, as `spelled`."""
    named = side["evidence"]
    return {(each["stream"], each["n"]) for each in named if each["kind"] == RoundPlayed.kind}


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison as `spelled`: what stands, what would hold, and of each difference its change
    with both sides, None where there is none.
    """

    now: Sequence[Spelled]
    then: Sequence[Spelled]
    differences: Sequence[Difference]

    def sums(self) -> list[OfArticle]:
        """By rulebook and article, in the order of their names: now, then, what differs.

        A difference stands under the articles of both its sides; money under each what that article
        would owe more, be it of a finding that is the same but for its article.
        """
        found: dict[tuple[str, str], dict[str, Tally]] = {}
        for one in (*self.now, *self.then):
            found.setdefault(_of(one), {side: Tally() for side in SIDES})
        self._fill(found, _of)
        return [
            {
                "rulebook": book,
                "article": article,
                "now": sides["now"].as_json(),
                "then": sides["then"].as_json(),
                "differ": sides["differ"].as_json(),
            }
            for (book, article), sides in sorted(found.items(), key=lambda pair: pair[0])
        ]

    def whole(self) -> dict[str, dict[str, int]]:
        """The same of all articles."""
        every = {("", ""): {side: Tally() for side in SIDES}}
        self._fill(every, lambda _one: ("", ""))
        return {side: tally.as_json() for side, tally in every["", ""].items()}

    def _fill(self, found: dict[tuple[str, str], dict[str, Tally]], under: _Under) -> None:
        for side, findings, times in (("now", self.now, -1), ("then", self.then, 1)):
            for one in findings:
                of = found[under(one)]
                of[side].add([one])
                of[side].owe(one)
                of["differ"].owe(one, times)
        for _change, now, then in self.differences:
            sides = [one for one in (now, then) if one is not None]
            for place in {under(one) for one in sides}:
                found[place]["differ"].add(sides)

    def by_check(self) -> list[OfCheck]:
        """What the differences touch by change, article and check: as a page lists them."""
        found: dict[tuple[str, str, str, str], Tally] = {}
        for change, now, then in self.differences:
            one = now or then
            assert one is not None
            sides = [each for each in (now, then) if each is not None]
            for check in ("", one["check"]):  # the whole article first
                key = change, *_of(one), check
                found.setdefault(key, Tally()).add(sides)
        return [
            OfCheck(
                change=change,
                rulebook=book,
                article=article,
                check=check,
                touched=found[change, book, article, check].as_json(),
            )
            for change, book, article, check in sorted(found)
        ]

    def rounds_of_other_money(self) -> int:
        """How many rounds there are of which more, or less, would be owed to anybody."""
        rounds: set[Round] = set()
        for _change, now, then in self.differences:
            if _owed(now) != _owed(then):
                rounds |= {each for one in (now, then) if one for each in rounds_of(one)}
        return len(rounds)


def _owed(side: Spelled | None) -> tuple[str, int]:
    return (
        (side["owed_to"], side["owed_cents"]) if side is not None and side["owed_to"] else ("", 0)
    )


def _of(side: Spelled) -> tuple[str, str]:
    return side["rulebook"], side["article"]


def whole_of(
    compared: Compared, asked: Mapping[str, object], looked_at: Mapping[str, int]
) -> Whole:
    """A comparison whole: what was asked, what was looked at, its sums and its differences.

    `asked` names the days or the game, tables, rulebook, readings and day of the law; what was not
    asked is left out.
    """
    return {
        "asked": {name: value for name, value in asked.items() if value},
        "differences": listed(compared.differences),
        "format": FORMAT,
        "looked_at": dict(looked_at) | {"rounds_of_other_money": compared.rounds_of_other_money()},
        "sums": compared.sums(),
        "whole": compared.whole(),
    }


def listed(differences: Iterable[Difference]) -> list[dict[str, object]]:
    """Differences as they are hashed, in an order of their own."""
    found: list[dict[str, object]] = [
        {"change": change} | {name: one for name, one in (("now", now), ("then", then)) if one}
        for change, now, then in differences
    ]
    return sorted(found, key=_in_order)


def _in_order(difference: Mapping[str, object]) -> tuple[int, bytes]:
    return CHANGES.index(cast("Differs", difference["change"])), canonical(difference)


def digest_of(whole: Whole) -> str:
    """What a comparison is known by: SHA-256 of its canonical bytes, 64 hex digits."""
    return sha256(canonical(whole)).hexdigest()


def asked_as_json(
    scope: Iterable[tuple[str, object]], readings: Iterable[tuple[str, str]]
) -> dict[str, object]:
    """What was asked, as it is hashed: days as texts, readings by name."""
    asked: dict[str, object] = {
        name: value if isinstance(value, list) else str(value) for name, value in scope if value
    }
    if taken := [{"choice": choice, "reading": name} for name, choice in sorted(readings)]:
        asked["readings"] = taken
    return asked
