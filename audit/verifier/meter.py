"""A pool's meter and its payouts made again, event by event: docs/decisions/0009-the-meter.md.

What the house's program reckoned, and what it lets nobody tell, must come out the same; what was
recorded unlawfully counts for nothing and is noted. Microcents, unless a name says cents.
"""

from collections.abc import Mapping, Sequence
from itertools import product, repeat
from typing import Any, Final, NamedTuple

from .displays import Displays, M
from .entries import LATE
from .pool_entries import ADJUSTED, INCREMENT, PAID, READ, STARTED, WON, since, whole
from .terms import NOBODYS, Event

# What n.º 50 leaves open; the first is taken where the inspector does not say.
CHOICES: Final = {
    "odd-cent": ("player", "house"),
    "jackpot-remainder": ("top_combination", "highest_winner"),
    "jackpot-share-of": ("value_when_won", "what_is_left"),
}
BROKEN: Final = {"pool-seal-wrong", "pool-paid-beyond", "pool-paid-twice"}
Given = Sequence[tuple[str, str, str]]  # how it is read: name, choice, from which day on


class Meter(Displays):
    """One pool. `came`: its chips before each of its events, and after the last."""

    def __init__(self, name: str, events: list[Event], checker: Any) -> None:
        super().__init__(name, events, checker)
        self.heads = {stream: n for stream, (n, _) in checker.heads().items()}
        self.came, self.marks, self.of_terms = [0], list[int](), self.found

    def report_misfits(self, given: Given) -> str:
        """Report what does not come out, unless n.º 50 is read otherwise; what it runs at."""
        if not self._replay(given) and self.shared and not given:
            ways = (list(zip(CHOICES, way, repeat(""))) for way in product(*CHOICES.values()))
            fitting = next((way for way in ways if self._replay(way)), [])
            read = [f"{name}={choice}" for name, choice, _ in fitting if choice != CHOICES[name][0]]
            if self._replay(fitting):
                self.remark("pool-reading", self.shared[0], reading=" ".join(read))
        for code, event, details in self.found:
            n, own = event.n % NOBODYS or None, event.n < NOBODYS
            stream = self.name if own else event.staff or None  # an increment's, or nobody's
            self.checker.report(code, index=event.where, stream=stream, n=n, **details)
        runs, held = (f"{each // M / 100:.2f}" for each in (self.running, self.held))
        return f"{self.name.partition('/')[2]}: {runs}{f' + {held}' if self.held else ''}"

    @property
    def running(self) -> int:
        """What the next round plays for."""
        return self.started + self.contributed + self.adjusted - self.paid - self.held

    def _replay(self, given: Given) -> bool:
        """Go through all events; whether everything comes out."""
        self.read_as, self.found, self.shared = given, [*self.of_terms], list[Event]()
        self.started = self.contributed = self.adjusted = self.paid = self.held = 0
        self.owed, self.due = dict[int, dict[Any, int]](), dict[int, int]()
        self.handed, self.begun, self.emptied_by, self.right = dict[Any, int](), False, 0, 0
        self.look_anew()
        for came, event in zip(self.came, self.events):  # noqa: B905 - what came last follows
            self.contributed += came if self.begun else 0
            if not self.begun and event.kind in ACTS and event.kind != STARTED:
                self.remark("pool-before-start", event)
            if event.kind in ACTS and (self.begun or event.kind in (STARTED, PAID)):
                before = self.running
                self.do(ACTS[event.kind], event)
                self.went_by(event, self.running - before)
        self.contributed += self.came[-1] if self.begun else 0
        self.went_by(None)
        return not BROKEN & {code for code, _, _ in self.found}

    def _start(self, event: Event, value: Any) -> None:
        cents = whole(value["start_cents"])
        if "hit" in value:
            self.named(event, value["hit"], WON)
        if self.begun and not self.emptied_by:
            self.remark("pool-started-running", event)
        else:
            self.started += cents * M
            self.begun, self.emptied_by = True, 0

    def _win(self, event: Event, value: Any) -> None:
        terms, running = self.version(event.occurred, event.at), self.running
        lines = terms.lines if terms else {}
        made = [Winner(w["owner"], w["box"], w["code"], w.get("seat")) for w in value["winners"]]
        first = {one[:2]: one for one in reversed(made) if one.code in lines}
        read = {name: self._read_as(name, event.day.decode()) for name in CHOICES}
        self.owed[event.n], full = payout(running, lines, list(first.values()), read)
        self.due[event.n] = sum(self.owed[event.n].values()) * M
        self.held += self.due[event.n]
        self.emptied_by = self.emptied_by or (event.n if full else 0)
        self.shared += [event] if len(first) > 1 else []
        if value.get("running_microcents", running) != running:
            self.remark("pool-misread", event, found=value["running_microcents"], expected=running)
        if len(first) < len(made):
            self.remark("pool-not-in-table" if terms else "pool-without-terms", event)

    def _read_as(self, asked: str, day: str) -> str:
        said = [choice for name, choice, since in self.read_as if name == asked and since <= day]
        return said[-1] if said else CHOICES[asked][0]

    def _pay(self, event: Event, value: Any) -> None:
        hit, cents = self.named(event, value["hit"], WON), whole(value["paid_cents"])
        prize, due = (value["owner"], value["box"]), self.due.get(hit, 0)
        had, again = self.handed.get((hit, prize)), value.get("again") is True
        most = self.owed.get(hit, {}).get(prize, 0) - (had or 0)  # or what is missing of it
        if had is None or not again:
            self.handed[hit, prize] = (had or 0) + cents
        if had is not None and (again or not 0 < cents <= most):
            self.remark("pool-paid-again" if again else "pool-paid-twice", event, found=cents)
            return
        if cents > most:
            self.remark("pool-paid-beyond", event, found=cents, expected=most, owner=prize[0])
        if cents * M <= due:
            self.due[hit] = due - cents * M
            self.held -= cents * M
            self.paid += cents * M

    def _adjust(self, event: Event, value: Any) -> None:
        if "hit" in value:
            hit = self.named(event, value["hit"], WON)
            back, self.owed[hit] = self.due.pop(hit, 0), {}
            self.held -= back
            if self.emptied_by == hit and back and all(hit != paid for paid, _ in self.handed):
                self.emptied_by = 0  # all of it is there again
        elif (change := whole(value["microcents"], -(2**53))) < -self.running:
            self.remark("pool-below-zero", event, found=change, expected=self.running)
        else:
            self.adjusted += change

    def _seal(self, event: Event, value: Any) -> None:
        made = {
            "contributed_microcents": self.contributed,
            "adjusted_microcents": self.adjusted,
            "started_cents": self.started // M,
            "paid_cents": self.paid // M,
            **{f"held {hit}": due // M for hit, due in self.due.items() if due},
            "emptied_by": self.emptied_by,
            "microcents": self.running,
        }
        says = {name: whole(value.get(name, 0), -(2**53)) for name in made if " " not in name}
        says |= {f"held {whole(one['hit'])}": whole(one["cents"]) for one in value["held"]}
        beyond = any(whole(to["n"]) > self.heads.get(to["stream"], 0) for to in value["up_to"])
        if beyond and since(event.at, self.checker.newest) < LATE:  # what it counts may yet come
            self.remark("pool-seal-beyond", event)
            return
        off = {one: gap for one in (*made, *says) if (gap := says.get(one, 0) - made.get(one, 0))}
        if off and off != self.off:  # the same gap as before is that seal's
            name = next(iter(off))
            says_made = {"found": says.get(name, 0), "expected": made.get(name, 0)}
            self.remark("pool-seal-wrong", event, field=name, since=self.right, **says_made)
        self.off, self.right = off, self.right if off else event.n


class Winner(NamedTuple):
    """Whose chip won, on which box, by which combination."""

    owner: object
    box: object
    code: Any
    seat: object


def payout(
    running: int, lines: Mapping[str, tuple[Any, Any]], winners: Sequence[Winner], read: Any
) -> tuple[dict[object, int], bool]:
    """What each winner is owed, in cents, and whether the remainder was taken: n.º 50."""
    share_of, left, owed = read["jackpot-share-of"], running, dict[Any, int]()

    def due(winner: Winner, of: int) -> int:
        share, cents = lines[winner.code]
        return int(of * share // (M * M) if cents is None else cents)

    def seat(winner: Winner) -> Any:
        return winner.seat is None, winner.seat or 0, winner.box, winner.owner

    takers = [one for one in winners if lines[one.code][0] == M]
    if not takers and len(winners) > 1 and read["jackpot-remainder"] == "highest_winner":
        most = max(due(one, running) for one in winners)
        takers = [one for one in winners if due(one, running) == most]
    smaller = [one for one in winners if one not in takers]
    for one in sorted(smaller, key=lambda one: (due(one, running), seat(one))):
        owed[one[:2]] = min(due(one, running if share_of == "value_when_won" else left), left // M)
        left -= owed[one[:2]] * M
    for place, one in enumerate(sorted(takers, key=seat)):
        each, odd = divmod(left // M, len(takers))
        owed[one[:2]] = each + (place < odd and read["odd-cent"] == "player")
    return owed, bool(takers)


ACTS: Final = {
    STARTED: Meter._start,
    WON: Meter._win,
    PAID: Meter._pay,
    ADJUSTED: Meter._adjust,
    b"jackpot-sealed/1": Meter._seal,
    READ: Meter.look,
    INCREMENT: Meter.show,
}
