"""A partida told as short as a fiscal de banca would: what is not mentioned went as it should.

``Game()`` is a table with a shoe, opened and its six decks shown at 19:30; ``game.prepare(1)``
shuffles, has seat 1 cut, places the warning card and burns a card; ``game.tell(CutMade, "20:10",
...)`` tells any event. Times are UTC on the evening of 2026-11-20 and after midnight on the next.
The book's own clock is a minute behind what is recorded, unless said otherwise.
"""

import hashlib
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from casino.events.incidents import IncidentReported
from casino.events.inspection import LimitsApproved
from casino.events.partidas import Attested, PartidaClosed, SpecialCard
from casino.events.round.round_played import RoundPlayed, Times
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CartaAvisoPlaced,
    CutMade,
    CutOffer,
    DeckPasses,
    LastRoundAnnounced,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.events.staff import DutyBegun, OfficeGranted
from casino.events.tables import LimitsSet
from casino.events.witnessing import Witnessed
from casino.law.dossier import Dossier, RecordedEvent, Signed
from tests.factories.rounds import a_round, box, main
from tests.factories.usual_events import DECKS, machine, opening, ref, registered, whole

DAY: Final = date(2026, 11, 20)
PAGADOR, FISCAL, CHEFE, CHEFE_2, MANAGER = "S-104", "S-187", "S-200", "S-201", "S-300"
LEFT_OUT: Final = object()  # a step nobody recorded
SEATS: Final = (1, 2, 5)


def moment(text: str) -> datetime:
    """``"21:05"`` or ``"21:05:30"`` of the evening; before noon it is past midnight."""
    clock = datetime.strptime(text, "%H:%M:%S" if text.count(":") == 2 else "%H:%M").replace(
        year=DAY.year, month=DAY.month, day=DAY.day, tzinfo=UTC
    )
    return clock + timedelta(days=1) if clock.hour < 12 else clock


def iso(text: str) -> str:
    """A moment of the evening as a finding tells it."""
    return moment(text).isoformat()


def offers(text: str) -> tuple[CutOffer, ...]:
    """``"1- 2+"``: seat 1 declined, seat 2 accepted."""
    return tuple(CutOffer(seat=int(one[:-1]), accepted=one[-1] == "+") for one in text.split())


def attested(articles: str) -> tuple[Attested, ...]:
    """``"13 58"``: the fiscal de banca answers for these."""
    return tuple(
        Attested(article=article, staff=FISCAL, office="fiscal_de_banca", at=moment("03:00"))
        for article in articles.split()
    )


def _minutes(at: str, later: int) -> datetime:
    return moment(at) + timedelta(minutes=later)


def _clock(at: datetime) -> str:
    return at.strftime("%H:%M:%S")


def cut_by(who: int | str, offered: str = "", **known: Any) -> dict[str, Any]:
    """The fields of a cut by a seat or by a word of the house: ``cut_by(2, "1-")``."""
    if isinstance(who, int):
        return {"cut_by": "seat", "seat": who, "offers": offers(offered), **known}
    return {"cut_by": who, "seat": None, "offers": offers(offered), **known}


class Game:
    """One partida as it is recorded, entry by entry."""

    def __init__(
        self, dealing: Any = "shoe", *, table: str = "BJ-01", opened: bool = True, **known: Any
    ) -> None:
        self.table = table
        self.partida = f"{table}/{DAY.isoformat()}/1"
        self.entries: list[RecordedEvent[Any]] = []
        self.house: list[RecordedEvent[Any]] = []
        self.around: list[RecordedEvent[Any]] = []
        self.elsewhere: list[RecordedEvent[Any]] = []
        self.decks: tuple[str, ...] = known.pop("decks", DECKS)
        self.dealing = dealing
        self.furnish()
        if opened:
            self.open(**known)
        self.grant(PAGADOR, "pagador")
        self.grant(FISCAL, "fiscal_de_banca")
        for staff, office in ((CHEFE, "fiscal_chefe"), (MANAGER, "chefia_da_sala")):
            self.grant(staff, office)
            self.on_duty(staff, office)

    # Any event

    @property
    def where(self) -> dict[str, str]:
        """Table and partida, as its events name them."""
        return {"table": self.table, "partida": self.partida}

    def record(
        self, kind: Any, at: str, by: str = FISCAL, recorded: str | None = None, **fields: Any
    ) -> RecordedEvent[Any]:
        """Add an entry of this partida; table and partida are filled in."""
        return self.add(kind(**self.where, **fields), at, by, recorded)

    def add(
        self, event: Any, at: str, by: str = FISCAL, recorded: str | None = None
    ) -> RecordedEvent[Any]:
        """Add an entry of a finished event."""
        n = len(self.entries) + 1
        recorded_event = entry(event, f"table/{self.table}", n, at, by, recorded)
        self.entries.append(recorded_event)
        return recorded_event

    def report(self, at: str, **known: Any) -> RecordedEvent[Any]:
        """An incident: a jam, unless said otherwise."""
        usual = {"incident": "I-1", "category": "jam", "reason": "card", "people": ()}
        return self.record(IncidentReported, at, **{**usual, **known})

    def drop(self, kind: Any, **fields: Any) -> None:
        """Nobody recorded this: take every entry of a kind out that has these values."""
        self.entries = [
            recorded
            for recorded in self.entries
            if not isinstance(recorded.event, kind)
            or any(getattr(recorded.event, name) != value for name, value in fields.items())
        ]

    def change(self, kind: Any, **fields: Any) -> None:
        """The last entry of a kind told otherwise."""
        place = max(
            n for n, recorded in enumerate(self.entries) if isinstance(recorded.event, kind)
        )
        recorded = self.entries[place]
        self.entries[place] = replace(recorded, event=replace(recorded.event, **fields))

    def dossier(self, as_of: str = "06:00") -> Dossier:
        """What the checks see, at the end of the night unless said otherwise."""
        return Dossier(
            partida=self.partida,
            table=self.table,
            gaming_day=DAY,
            as_of=moment(as_of),
            entries=tuple(self.entries),
            house=tuple(self.house),
            around=tuple(self.around),
            elsewhere=tuple(self.elsewhere),
        )

    # The house

    def furnish(self) -> None:
        """A month of no change: a table of seven boxes, its limits, approved, and its machine."""
        self.beside(registered(self.table), "12:00")
        limits = {"minimum_cents": 1000, "maximum_cents": 30000, "valid_from": moment("12:00")}
        self.beside(LimitsSet(table=self.table, **limits), "12:00")
        approved = LimitsApproved(tables=(self.table,), document="Despacho 13/2026", **limits)
        self.in_house(approved, "12:00")
        if self.dealing == "shuffler":
            self.beside(machine(), "12:00")

    def beside(self, event: Any, at: str) -> RecordedEvent[Any]:
        """An entry outside the partida of what belongs to it: table, machine, decks."""
        recorded = entry(event, event.stream, 900 + len(self.around), at, "S-300")
        self.around.append(recorded)
        return recorded

    def outside(self, kind: Any, **fields: Any) -> None:
        """The last entry of a kind outside the partida told otherwise; without fields nobody."""
        place = max(n for n, recorded in enumerate(self.around) if isinstance(recorded.event, kind))
        recorded = self.around.pop(place)
        if fields:
            self.around.insert(place, replace(recorded, event=replace(recorded.event, **fields)))

    def grant(
        self, staff: str, office: Any, since: str = "12:00", until: str | None = None
    ) -> None:
        """An office for a person."""
        event = OfficeGranted(
            staff=staff,
            office=office,
            valid_from=moment(since),
            valid_until=moment(until) if until else None,
            granted_by="S-001",
        )
        self.in_house(event, since)

    def on_duty(self, staff: str, office: Any, since: str = "14:00") -> None:
        """Duty in the whole room."""
        self.in_house(DutyBegun(staff=staff, office=office, tables=()), since)

    def in_house(self, event: Any, at: str) -> RecordedEvent[Any]:
        """An entry that is nobody's partida."""
        recorded = entry(event, "house", len(self.house) + 1, at, "S-001")
        self.house.append(recorded)
        return recorded

    # The table

    def open(self, at: str = "19:00", *, shown: str | None = "19:30", **known: Any) -> None:
        """The opening, and every deck shown whole; ``shown=None``: nobody recorded that."""
        known.setdefault("cut_card", SpecialCard(front="red", back="red"))
        known.setdefault("carta_aviso", SpecialCard(front="yellow", back="yellow"))
        self.add(opening(self.where, self.decks, self.dealing, back="blue", **known), at)
        for deck in self.decks if shown else ():
            self.show(deck, shown)

    def show(self, deck: str, at: str | None, **otherwise: Any) -> RecordedEvent[Any]:
        """A deck exhibited, whole and in order."""
        known = {"seal": "intact", "pagador": PAGADOR, **otherwise}
        return self.add(whole(self.where, deck, **known), at or "")

    def close(self, at: str = "03:00", **known: Any) -> RecordedEvent[Any]:
        """The closing: what no round shows is attested.

        A shuffler that was loaded is emptied before a fiscal-chefe, and the decks put in order,
        unless that was recorded already or ``packed=False``.
        """
        packed = known.pop("packed", True)
        if packed and self.dealing == "shuffler":
            self.pack(at)
            known.setdefault("closing_announced_at", _minutes(at, -30))
        known.setdefault("attested", attested("13 17 58 59"))
        return self.record(PartidaClosed, at, **known)

    def pack(self, at: str = "03:00") -> None:
        """What is done with a loaded shuffler before the closing, so far as nobody recorded it."""
        loads = [
            recorded for recorded in self.entries if isinstance(recorded.event, ShufflerLoaded)
        ]
        unloaded = any(
            isinstance(recorded.event, ShufflerUnloaded) and recorded.event.reason == "closing"
            for recorded in self.entries
        )
        if loads and not unloaded:
            self.witness(self.unload(_clock(_minutes(at, -20)), decks=loads[-1].event.decks))
            for deck in loads[-1].event.decks:
                self.order(deck, _clock(_minutes(at, -10)))

    def unload(self, at: str = "02:40", **known: Any) -> RecordedEvent[Any]:
        """The shuffler emptied at the closing, by the pagador; ten minutes before it began."""
        values = {"shuffler": "CSM-04", "decks": self.decks, "operator": PAGADOR, "empty": True}
        values |= {"reason": "closing", "started_at": _minutes(at, -2), "ended_at": moment(at)}
        values |= known
        values.setdefault("cards", 52 * len(values["decks"]))
        return self.record(ShufflerUnloaded, at, **values)

    def order(self, deck: str, at: str = "02:50", **otherwise: Any) -> RecordedEvent[Any]:
        """A deck put in order at the closing, whole."""
        known = {"pagador": PAGADOR, **otherwise}
        return self.add(whole(self.where, deck, "close", **known), at)

    def prepare(self, shoe: int, at: str = "20:00", **steps: Any) -> None:
        """Shuffle, cut, warning card and burnt card of a shoe, two minutes apart.

        ``shuffle=``, ``cut=``, ``warning=``, ``burn=`` change a step's fields, LEFT_OUT leaves it
        out. Without more the cut is made by the seat whose turn it is among SEATS.
        """
        start = moment(at)
        seat = SEATS[(shoe - 1) % len(SEATS)]
        passes = tuple(DeckPasses(deck=deck, passes=3) for deck in self.decks)
        after = "start" if shoe == 1 else "next_shoe"
        usual: list[tuple[str, Any, dict[str, Any]]] = [
            ("shuffle", CardsShuffled, {"decks": passes, "shuffled_by": PAGADOR}),
            ("cut", CutMade, {"after": after, "seats_occupied": SEATS, "offers": (),
                              "cut_by": "seat", "seat": seat, "special_card": True}),
            ("warning", CartaAvisoPlaced, {"cards_from_end": 50, "players": 3}),
            ("burn", CardBurned, {"cards": 1, "to_discard_corner": True}),
        ]  # fmt: skip
        for place, (name, kind, fields) in enumerate(usual):
            otherwise = steps.get(name, {})
            if otherwise is not LEFT_OUT:
                when = (start + timedelta(minutes=2 * place)).strftime("%H:%M:%S")
                self.record(kind, otherwise.pop("at", when), shoe=shoe, **{**fields, **otherwise})

    def announce(
        self, shoe: int = 1, number: int | None = 3, at: str = "20:30:20", **known: Any
    ) -> RecordedEvent[Any]:
        """The last round of a shoe, announced aloud while it was played."""
        values = {"came_out": "during_round", "audible": True, **known}
        return self.record(LastRoundAnnounced, at, shoe=shoe, number=number, **values)

    def round(
        self, shoe: int | None = 1, number: int | None = 1, at: str = "20:10", **known: Any
    ) -> RecordedEvent[Any]:
        """A lawful round; its first card was dealt at `at`, unless ``times=None``."""
        first = moment(at)
        times = Times(stakes_closed=first - timedelta(seconds=4), first_card=first)
        boxes = known.pop("boxes", (box(1, "TS 8D", main(1000, 2000)),))
        values = {"times": times, "bank": "TH 7C", **known}
        played: RoundPlayed = replace(
            a_round(*boxes, shoe=shoe, number=number, **values),
            round=f"00000000-0000-4000-8000-{len(self.entries) + 1:012d}",
            table=self.table,
            partida=self.partida,
        )
        return self.add(played, at)

    def put_back(
        self, shoe: int = 1, number: int = 1, at: str = "20:10", **values: Any
    ) -> RecordedEvent[Any]:
        """A round at a shuffler: paid, collected and put back three minutes after its first card.

        ``collected=`` and ``inserted=`` say when, None that nobody timed it.
        """
        first = moment(at)
        after = {"paid": 2, "collected": 2, "inserted": 3}
        times = {name: first + timedelta(minutes=minutes) for name, minutes in after.items()}
        times |= {"stakes_closed": first - timedelta(seconds=4), "first_card": first}
        for name in times.keys() & values.keys():
            when = values.pop(name)
            times[name] = when and moment(when)
        return self.round(shoe, number, at, times=Times(**times), **values)

    def load(self, at: str = "19:45", *, by: str = FISCAL, **known: Any) -> RecordedEvent[Any]:
        """The shuffler loaded, in three packets, by the pagador, who shuffled by hand before it.

        ``shuffled=LEFT_OUT``: nobody recorded that; else its fields.
        """
        shuffled = known.pop("shuffled", {})
        values = {"shuffler": "CSM-04", "packets": 3, "operator": PAGADOR, "decks": self.decks}
        values |= known
        if shuffled is not LEFT_OUT:
            shoe = 1 + sum(isinstance(one.event, ShufflerLoaded) for one in self.entries)
            passes = tuple(DeckPasses(deck=deck, passes=3) for deck in values["decks"])
            usual = {"shoe": shoe, "decks": passes, "shuffled_by": PAGADOR, "method": "by_hand"}
            when = shuffled.pop("at", _clock(_minutes(at, -5)))
            self.record(CardsShuffled, when, by, **{**usual, **shuffled})
        return self.record(ShufflerLoaded, at, by, **values)

    def witness(
        self, act: RecordedEvent[Any], staff: str = CHEFE, at: str | None = None, **known: Any
    ) -> RecordedEvent[Any]:
        """A second person's word for an entry, two minutes after it."""
        when = at or (act.occurred_at + timedelta(minutes=2)).strftime("%H:%M:%S")
        event = word(act, staff, self.table, self.partida, when, **known)
        return self.add(event, when, staff)


def word(
    act: RecordedEvent[Any], staff: str, table: str, partida: str, at: str, **known: Any
) -> Witnessed:
    """A witness's word for an act."""
    known.setdefault("office", "fiscal_chefe")
    return Witnessed(
        witnessed=ref(act),
        act=act.event.kind,
        table=table,
        partida=partida,
        staff=staff,
        method="pin",
        nonce="00000000-0000-4000-8000-00000000000f",
        expires_at=moment(at) + timedelta(minutes=2),
        text_sha256="0" * 64,
        **known,
    )


def entry(
    event: Any, stream: str, n: int, at: str, by: str, recorded: str | None = None
) -> RecordedEvent[Any]:
    """An entry of the book, with a leaf made up of its stream and number."""
    occurred = moment(at)
    digest = hashlib.sha256(f"{stream}#{n}".encode()).hexdigest()
    return RecordedEvent(
        entry_id=f"{digest[:8]}-{digest[8:12]}-7{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}",
        stream=stream,
        n=n,
        leaf=digest,
        occurred_at=occurred,
        recorded_at=moment(recorded) if recorded else occurred + timedelta(minutes=1),
        gaming_day=DAY,
        by=Signed(by, "fiscal_de_banca", "sala"),
        event=event,
    )


def evening(*, shoes: int = 2, closed: bool = True) -> Game:
    """A lawful partida dealt from a shoe: each shoe prepared and three rounds of it played.

    Where another shoe follows, the last round was announced.
    """
    game = Game()
    for shoe in range(1, shoes + 1):
        hour = 19 + shoe
        game.prepare(shoe, f"{hour}:00")
        for number in (1, 2, 3):
            game.round(shoe, number, f"{hour}:{10 * number}")
        if shoe < shoes:
            game.announce(shoe, 3, f"{hour}:30:20")
    if closed:
        game.close(rounds=3 * shoes)
    return game


def shuffler_evening(*, closed: bool = True) -> Game:
    """A lawful partida with a shuffler: loaded once, witnessed, a card burnt, three rounds."""
    game = Game("shuffler")
    game.witness(game.load())
    game.record(CardBurned, "19:58", shoe=1, cards=1, to_discard_corner=True)
    for number in (1, 2, 3):
        game.put_back(1, number, f"20:{10 * number}")
    if closed:
        game.close(rounds=3)
    return game
