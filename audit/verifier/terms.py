"""The terms of a pool, as a second person confirmed them, and what its chips are worth by them."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final, NamedTuple

from .canonical import loads
from .envelope import is_moment, parts_of
from .pool_entries import CONFIRMED, STARTED, TERMS, UNREADABLE, Feed, moment, whole
from .tree import leaf_hash

NOBODYS: Final = 2**53  # the number of what stands in another stream


class Event(NamedTuple):
    """What a pool's entry tells, as text; an approved correction of chips, by how much."""

    at: int
    n: int
    where: int  # its index in the tree
    staff: str
    kind: bytes
    occurred: int
    day: bytes
    payload: Any


class Terms(NamedTuple):
    """A version of the terms, `confirmed` by a second person, as he says when he `agreed`.

    `lines`: share or cents by code.
    """

    since: int
    n: int
    confirmed: int
    agreed: int
    staff: str
    stake: int
    rate: int
    by_round: bool
    tables: Any
    lines: dict[str, tuple[object, object]]


class Wrong(Exception):
    """An entry names another that is not what it should be."""


class Versions:
    """What a pool's terms allow; `found`: what is to be reported of its events."""

    def __init__(self, name: str, events: list[Event], checker: Any) -> None:
        self.name, self.events, self.checker = name, sorted(events), checker
        self.drafts, self.terms = dict[int, Terms](), list[Terms]()
        self.found = list[tuple[str, Event, dict[str, Any]]]()
        starts = [event.at for event in self.events if event.kind == STARTED]
        self.begun_at = min(starts, default=2**64)
        for event in self.events:
            if event.kind in (TERMS, CONFIRMED):
                self.do(Versions._draft if event.kind == TERMS else Versions._confirm, event)

    def version(self, occurred: int, at: int) -> Terms | None:
        """The terms of what happened and was recorded then: those that were confirmed before.

        Of a correction, `at` is when the first of what it corrects was recorded.
        """
        for each in self.terms:
            if max(each.since, each.agreed) <= occurred and each.confirmed < at:
                return each
        return None

    def worth(self, feed: Feed, occurred: int, at: int, amount: int) -> int:
        """What chips add to the meter; nothing where the terms name another source."""
        terms = self.version(occurred, at)
        if terms is None or terms.by_round != feed.by_round:
            return 0
        linked = terms.tables is None or feed.table in terms.tables
        return amount * (1 if feed.priced else terms.stake) * terms.rate if linked else 0

    def do(self, act: Callable[[Any, Event, Any], None], event: Event) -> None:
        """Let an event act; nothing comes of one that cannot be read, or names another wrongly."""
        try:
            value = loads(event.payload)
            if self.name != f"jackpot/{value['jackpot']}":
                raise ValueError("another pool")
            act(self, event, value)
        except Wrong:
            self.remark("reference-wrong", event)
        except UNREADABLE:
            self.remark("pool-form", event)

    def remark(self, code: str, event: Event, **details: Any) -> None:
        """Keep what is to be reported of an event."""
        self.found.append((code, event, details))

    def named(self, event: Event, named: Any, kind_bytes: bytes) -> int:
        """The number of an earlier entry of the pool. Raises: Wrong."""
        n, own = whole(named["n"]), named["stream"] == self.name
        entry = self.checker.earlier(self.name, n) if own and n < event.n else None
        parts = parts_of(entry) if entry else None
        leaf = leaf_hash(entry).hex() if entry else ""
        if not parts or parts[4] != kind_bytes or leaf != named["leaf"]:
            raise Wrong
        return n

    def _draft(self, event: Event, value: Any) -> None:
        since, tables, lines = (
            value["valid_from"],
            value.get("tables"),
            dict[str, tuple[Any, Any]](),
        )
        for one in value["lines"]:
            lines[one["code"]] = share, cents = one.get("share_millionths"), one.get("fixed_cents")
            whole(share if cents is None else cents)
        if not is_moment(since.encode()) or type(tables) not in (list, type(None)):
            raise ValueError("no terms")
        by_round = {"automatic": True, "manual": False}[value["marking"]]
        stake, rate = whole(value["stake_cents"]), whole(value["rate_millionths"])
        self.drafts[event.n] = Terms(
            moment(since.encode()), event.n, 0, 0, event.staff, stake, rate, by_round, tables, lines
        )

    def _confirm(self, event: Event, value: Any) -> None:
        terms = self.drafts[self.named(event, value["confirms"], TERMS)]
        if terms.staff.casefold() == event.staff.casefold():
            self.remark("same-person", event, target=terms.n, staff=event.staff)
        self.terms.append(terms._replace(confirmed=event.at, agreed=event.occurred))
        self.terms.sort(key=itemgetter(0, 1), reverse=True)
