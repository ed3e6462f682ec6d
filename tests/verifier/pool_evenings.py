"""Evenings at tables with a progressive prize, written by hand as docs/events.md has them.

What the house would reckon goes along in the house's own meter: seals say what that one says.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from audit.verifier.entries import EntryChecker
from audit.verifier.pools import Pools
from audit.verifier.tree import leaves_of
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import Adjusted, Contributed, Paid, Read, Sealed, Started, Withdrawn
from jackpot.progressive.payout import ADOPTED, Payout, PayoutReadings, Winner
from jackpot.progressive.prizes import PrizeLine, PrizeList
from jackpot.progressive.running_meter import Pool, WonNow
from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book

TOP: Final = "four_aces_same_suit"
SEVENS: Final = "three_sevens_same_suit"
TENTH: Final = "four_aces"
ACE_JACK: Final = "AS-JS"
LINES: Final[tuple[PrizeLine, ...]] = (
    PrizeLine(TOP, 1_000_000),
    PrizeLine(SEVENS, 333_333),
    PrizeLine(TENTH, 100_000),
    PrizeLine(ACE_JACK, fixed_cents=5_000),
)
START_CENTS: Final = 2_500_000
MANAGER: Final = "S-0003"
Ref = dict[str, Any]
Seats = Sequence[tuple[int, str]]  # who sits there won by that


@dataclass
class Evening:
    """One pool of a book. `readings`: how the house reads n.º 50."""

    book: Book = field(default_factory=Book)
    code: str = "JP-1"
    readings: PayoutReadings = ADOPTED
    pool: Pool = field(default_factory=Pool)
    rate: int = 0
    by_round: bool = False
    worth: dict[str, int] = field(default_factory=dict)
    as_of: dict[str, tuple[int, bool, bool]] = field(default_factory=dict)

    @property
    def stream(self) -> str:
        """The pool's own."""
        return f"jackpot/{self.code}"

    def event(self, kind: str, values: dict[str, Any] | None = None, **how: Any) -> Ref:
        """An entry of the pool."""
        payload = {"jackpot": self.code} | (values or {})
        return self.book.add(kind, payload, **({"stream": self.stream} | how))

    def terms(self, rate: int = 25_000, *, confirmed: bool = True, **values: Any) -> Ref:
        """Terms, and another person's word on them."""
        lines = [
            {"code": code} | ({"fixed_cents": cents} if cents else {"share_millionths": share})
            for code, share, cents in map(astuple, LINES)
        ]
        usual = {
            "terms": "T-1", "valid_from": "2026-11-20T08:00:00.000000Z", "stake_cents": 250,
            "rate_millionths": rate, "start_cents": START_CENTS, "cards_counted": 4,
            "lines": lines, "match": "best", "marking": "manual",
        }  # fmt: skip
        made = self.event("terms-approved/1", usual | values, staff=MANAGER)
        if confirmed:
            self.event("terms-confirmed/1", {"confirms": made})
            self.rate, self.by_round = rate, values.get("marking") == "automatic"
        return made

    def start(self, cents: int = START_CENTS, **values: Any) -> Ref:
        """The starting value."""
        values = {"start_cents": cents, "reason": "first"} | values
        made = self.event("jackpot-started/1", values, staff=MANAGER)
        self._take(Started(entry=str(made["n"]), start_cents=cents))
        return made

    def opened(self, table: str = "BJ-06", *pools: str) -> None:
        """A partida that names pools."""
        at = {
            "table": table,
            "partida": f"{table}/2026-11-20/1",
            "jackpots": list(pools or (self.code,)),
        }
        self.book.add("partida-opened/1", at, stream=f"table/{table}")

    def chips(
        self, *counts: int, table: str = "BJ-06", amends: Ref | None = None, **values: Any
    ) -> Ref:
        """Chips that the dealer collected, at one box after the other."""
        chips = [{"box": at, "owner": f"J{at}", "n": n} for at, n in enumerate(counts, 1)]
        payload = {"table": table, "partida": f"{table}/2026-11-20/1", "jackpot": self.code}
        payload |= {"chips": chips, **values}
        made = self.book.add(
            "jackpot-incremented/1", payload, stream=f"table/{table}", supersedes=amends
        )
        self._came(made, sum(counts) * values.get("chip_cents", 250), amends)
        return made

    def round(self, *counts: int, table: str = "BJ-06", amends: Ref | None = None) -> Ref:
        """The same, told by the round."""
        boxes = [
            {
                "box": at,
                "wagers": [
                    {"kind": "main", "owner": f"J{at}", "stake_cents": 1000},
                    {"chip": n, "kind": "jackpot", "owner": f"J{at}", "stake_cents": 250 * n},
                ],
            }
            for at, n in enumerate(counts, 1)
        ]
        payload = {"table": table, "partida": f"{table}/2026-11-20/1", "boxes": boxes}
        made = self.book.add("round-played/1", payload, stream=f"table/{table}", supersedes=amends)
        self._came(made, sum(counts) * 250, amends, by_round=True)
        return made

    def _came(self, made: Ref, cents: int, amends: Ref | None, *, by_round: bool = False) -> None:
        """Chips count by what was known when they were first told."""
        entry, now = made["leaf"], (self.rate, self.by_round, self.pool.meter.begun)
        self.as_of[entry] = rate, rounds, begun = self.as_of[amends["leaf"]] if amends else now
        feeds = rounds == by_round
        self.worth[entry] = cents * rate if feeds and begun else 0
        if cents and feeds and not amends:
            self._take(Contributed(entry=entry, stake_cents=cents, rate_millionths=rate))

    def approve(self, pending: Ref, original: Ref, decision: str = "approved") -> Ref:
        """A second person's word on a correction."""
        values = {"pending": pending, "original": original, "decision": decision, "reason": "seen"}
        made = self.book.add("corrected/1", values, stream=pending["stream"], staff="S-0300")
        change = self.worth.get(pending["leaf"], 0) - self.worth.get(original["leaf"], 0)
        if change and decision == "approved":
            event = Adjusted(entry=made["leaf"], microcents=change, reason="counting_error")
            self._take(event)
        return made

    def take_back(self, original: Ref, act: str = "jackpot-incremented/1") -> Ref:
        """It never happened, by two persons: what it was worth is taken off now."""
        values = {"entry": original, "act": act, "reason": "tapped_by_mistake"}
        asked = self.book.add(
            "withdrawal-asked/1", values, stream=original["stream"], staff="S-0190"
        )
        return self.approve(asked, original)

    def won(self, *seats: tuple[int, str], table: str = "BJ-06", **values: Any) -> Ref:
        """Somebody won, at seats and by combinations."""
        winners = [{"owner": f"J{at}", "box": at, "code": code, "seat": at} for at, code in seats]
        at = {"table": table, "partida": f"{table}/2026-11-20/1", "winners": winners}
        made = self.event("jackpot-won/1", at | values)
        prizes = PrizeList(4, LINES)
        self._take(
            WonNow(
                entry=str(made["n"]),
                winners=tuple(Winner(f"J{at}", at, code, at) for at, code in seats),
                prizes=prizes if self.rate else None,
                readings=self.readings,
            )
        )
        return made

    def payout(self, hit: Ref) -> Payout:
        """What a win came to."""
        return self.pool.payouts[str(hit["n"])]

    def pay(self, hit: Ref, seat: int, cents: int | None = None, **values: Any) -> Ref:
        """One winner's money: what he is owed, unless another amount is named."""
        owed = {step.winner.box: step.paid_cents for step in self.payout(hit).steps}
        cents = owed[seat] if cents is None else cents
        at = {
            "table": "BJ-06",
            "partida": "BJ-06/2026-11-20/1",
            "hit": hit,
            "owner": f"J{seat}",
            "box": seat,
            "code": TOP,
            "paid_cents": cents,
        }
        made = self.event("jackpot-paid/1", at | values)
        name = f"J{seat}/{seat}"
        paid = Paid(
            entry=str(made["n"]),
            hit=str(hit["n"]),
            winner=name,
            cents=cents,
            again=values.get("again", False),
        )
        self._take(paid)
        return made

    def pay_all(self, hit: Ref) -> None:
        """Every winner of a round, in the order of n.º 50."""
        for step in self.payout(hit).steps:
            self.pay(hit, step.winner.box)

    def adjust(self, microcents: int, reason: str = "counting_error") -> Ref:
        """The meter was corrected."""
        values = {"microcents": microcents, "reason": reason}
        made = self.event("jackpot-adjusted/1", values, staff=MANAGER)
        self._take(Adjusted(entry=str(made["n"]), microcents=microcents, reason=reason))
        return made

    def withdraw(self, hit: Ref) -> Ref:
        """A win was none."""
        values = {"microcents": 0, "reason": "win_withdrawn", "hit": hit}
        made = self.event("jackpot-adjusted/1", values, staff=MANAGER)
        self._take(Withdrawn(entry=str(made["n"]), hit=str(hit["n"])))
        return made

    def read(self, cents: int | None = None) -> Ref:
        """Somebody read the display."""
        shown = self.pool.meter.displayed_cents if cents is None else cents
        made = self.event("jackpot-read/1", {"display_cents": shown})
        self._take(Read(entry=str(made["n"]), display_cents=shown))
        return made

    def seal(self, **otherwise: Any) -> Ref:
        """What the house's program says it all comes to."""
        meter = self.pool.meter
        heads = self.book.heads.items()
        values = {
            "microcents": meter.running,
            "started_cents": meter.started // MICROCENTS,
            "contributed_microcents": meter.contributed,
            "adjusted_microcents": meter.adjusted,
            "paid_cents": meter.paid // MICROCENTS,
            "held": [
                {"hit": int(hit), "cents": due // MICROCENTS}
                for hit, due in sorted(meter.due.items(), key=lambda one: int(one[0]))
                if due
            ],
            "up_to": [
                {"stream": name, "n": n} for name, (n, _) in sorted(heads) if name != "house"
            ],
        }
        if meter.emptied_by:
            values["emptied_by"] = int(meter.emptied_by)
        who = {"door": "job", "office": "sistema", "staff": "jackpot"}
        made = self.event("jackpot-sealed/1", values | otherwise, who=who)
        self._take(Sealed(entry=str(made["n"]), microcents=(values | otherwise)["microcents"]))
        return made

    def _take(self, event: Any) -> None:
        self.pool.take(event)


def an_evening(**how: Any) -> Evening:
    """Everything that happens to a pool, and nothing unlawful: 24 entries or so."""
    evening = Evening(**how)
    evening.terms()
    evening.start()
    evening.opened()
    evening.opened("BJ-07")
    evening.chips(1, 1, 1)
    evening.round(1, 1, 1)  # evidence: marking is by hand
    evening.seal()
    first = evening.chips(5, table="BJ-07")
    evening.book.sign()
    fixed = evening.chips(2, table="BJ-07", amends=first)
    evening.approve(fixed, first)
    evening.read()
    evening.seal()
    hit = evening.won((3, SEVENS), (5, ACE_JACK))
    evening.pay(hit, 5)
    evening.seal()
    evening.chips(2, 2, chip_cents=250)
    evening.pay(hit, 3)
    evening.adjust(-7 * MICROCENTS - 1)
    evening.seal()
    full = evening.won(
        (2, TOP), (4, TOP), (6, ACE_JACK), running_microcents=evening.pool.meter.running
    )
    evening.chips(1)
    evening.pay_all(full)
    evening.seal()
    evening.start(reason="after_full_payout", hit=full)
    evening.chips(1, 1)
    evening.seal()
    evening.book.now += timedelta(minutes=20)
    evening.chips(1)
    evening.book.sign(seen=True)
    assert evening.pool.misfits == []
    return evening


STEPS: Final = {
    "terms": lambda value, n: value.terms(n * 12_345, marking="automatic" if n == 3 else "manual"),
    "start": lambda value, n: value.start(n * 1_000_000),
    "chips": lambda value, n: value.chips(n, 1, table=f"BJ-0{5 + n % 4}"),
    "priced": lambda value, n: value.chips(n, chip_cents=100 + n),
    "round": lambda value, n: value.round(1, n),
    "adjust": lambda value, n: value.adjust((n - 4) * 300_000_000_001),
    "read": lambda value, n: value.read(None if n % 2 else n),
    "seal": lambda value, n: value.seal(),
    "one": lambda value, n: value.won((n, (TOP, SEVENS, TENTH, ACE_JACK)[n % 4])),
    "two": lambda value, n: value.won(
        (n, SEVENS), (n + 1, (TENTH, SEVENS, TOP, "two_aces")[n % 4])
    ),
    "all": lambda value, n: value.won((1, ACE_JACK), (2, TOP), (3, TENTH), (4, TOP), (5, TOP)),
}


def live(evening: Evening, steps: Sequence[tuple[str, int]]) -> None:
    """Let an evening go on, step by step; of wins and chips, the last ones are meant."""
    wins, unpaid, paid, laid, waiting = [], [], [], [], []  # type: ignore[var-annotated]
    for step, n in steps:
        if step == "pay" and unpaid:
            paid.append(unpaid.pop(n % len(unpaid)))
            evening.pay(*paid[-1], None if n > 1 else 1 + n)
        elif step == "again" and paid:
            evening.pay(*paid[n % len(paid)], again=True)
        elif step == "withdraw" and wins:
            evening.withdraw(wins.pop(n % len(wins)))
        elif step == "correct" and laid:
            first = laid.pop(n % len(laid))
            fixed = evening.chips(n, table=first["stream"].partition("/")[2], amends=first)
            waiting.append((fixed, first))
        elif step == "decide" and waiting:
            evening.approve(*waiting.pop(), "approved" if n % 4 else "refused")
        elif step in STEPS and (step != "seal" or evening.pool.meter.begun):
            made = STEPS[step](evening, n)
            if step in ("one", "two", "all"):
                wins.append(made)
                came_to = evening.pool.payouts.get(str(made["n"]))
                unpaid += [(made, each.winner.box) for each in (came_to.steps if came_to else ())]
            elif step in ("chips", "priced"):
                laid.append(made)


def moved(body: dict[str, Any], **values: Any) -> dict[str, Any]:
    """An entry's body with other words in its payload."""
    return body | {"payload": body["payload"] | values}


def verified(evening: Evening, place: Path, scope: Any = None, **how: Any) -> Found:
    """How the verifier ends with an evening's book."""
    if max(evening.book.notes, default=0) < len(evening.book.entries):
        evening.book.sign(seen=True)
    return checked(evening.book.write(place / "bundle", scope), **how)


def named(found: Found) -> list[tuple[str, str | None, int | None]]:
    """What is recorded besides notes, with the entry it is reported of."""
    return [(line.code, line.stream, line.n) for line in found.lines]


def euros(microcents: int) -> str:
    """A meter as the summary prints it."""
    cents = microcents // MICROCENTS
    return f"{cents // 100}.{cents % 100:02d}"


def in_euros(evening: Evening) -> str:
    """A pool as the summary prints it."""
    meter = evening.pool.meter
    held = f" + {euros(meter.held)}" if meter.held else ""
    return f"{evening.code}: {euros(meter.running)}{held}"


def followed(evening: Evening, readings: Any = ()) -> tuple[Any, list[tuple[str, int | None]]]:
    """What the verifier makes of the entries alone, without any file."""
    found = list[tuple[str, int | None]]()
    entries = evening.book.entries

    def report(code: str, n: int | None = None, **_: Any) -> None:
        found.append((code, n))

    def earlier(stream: str, n: int) -> bytes | None:
        place = checker.place(stream, n)
        return None if place is None else entries[place]

    checker = EntryChecker(report, earlier)
    checker.pools = pools = Pools(checker, readings)
    checker.feed_all(range(len(entries)), entries, leaves_of(entries), range(len(entries)))
    pools.finish(shown=True)
    return pools.made.get(evening.stream), found


def begun() -> Evening:
    """A pool that was started and played for."""
    evening = Evening()
    evening.terms()
    evening.start()
    evening.chips(3)
    return evening
