"""Every address the house answers to, and people who knock at it: each role, at his own table and
at another's. For tests/casino/test_every_address.py.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from audit.case_events import CaseEvent
from audit.draw_events import DrawCommitted
from audit.events import BookVerified, FindingRaised, ReconciliationStarted
from audit.models import DrawCommitment, Finding, Reconciliation
from casino import clock
from casino.admin.record_admin import RecordAdmin
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.event import EntryRef
from casino.events.witnessing import Witnessed
from casino.models import Account, BookEntry, Complaint, Incident, StagedImport, Supersession
from casino.recording import Actor, Receipt
from casino.recording.authority import writers_of
from jackpot.pages.shown import forget
from tests.factories import erasures
from tests.factories.events.every import FULL
from tests.factories.examples import example, with_its_case
from tests.factories.findings import a_sheet
from tests.factories.people import appoint, write
from tests.factories.pools import approve, start
from tests.factories.records import EVENING, HEAD, PARTIDA, burnt, corrects, loaded, recorded, soon

NO_OFFICE: Final = "no_office"
ANONYMOUS: Final = "anonymous"
AUTHOR: Final = "S-0777"  # wrote what the others look at; none of them
PIT: Final = "fiscal_de_banca"
OWN: Final = {"table": "BJ-06", "partida": PARTIDA}
OTHER: Final = {"table": "BJ-07", "partida": "BJ-07/2026-11-20/1"}
PROJECTION_PAGES: Final = ("changelist", "csv", "add", "change", "correct", "file")
NO_FILE: Final = "a" * 64


@cache
def matrix() -> dict[str, Any]:
    """What was typed by hand."""
    path = Path(__file__).parent.parent / "permissions.toml"
    return tomllib.loads(path.read_text("utf-8"))


def roles() -> list[str]:
    """Every role, whoever holds no office, and whoever is not logged in."""
    return [*matrix()["roles"], NO_OFFICE, ANONYMOUS]


def number_of(role: str) -> str:
    """The staff number of a role's one holder."""
    return f"S-06{roles().index(role):02d}"


def resolved() -> dict[str, str]:
    """The path of every route by its name; a route without one goes by its path."""
    found: dict[str, str] = {}
    for name, path in _walk(get_resolver(), "", ""):
        key = path if name.rpartition(":")[2] == "" else name
        assert key not in found, f"{key} names two routes"
        found[key] = path
    return found


def _walk(resolver: Any, space: str, path: str) -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            inner = f"{space}{each.namespace}:" if each.namespace else space
            yield from _walk(each, inner, f"{path}{each.pattern}")
        else:
            assert isinstance(each, URLPattern)
            yield f"{space}{each.name or ''}", f"{path}{each.pattern}" or "/"


def projection(name: str) -> RecordAdmin:
    """The projection a page belongs to: ``casino_burn``."""
    reverse("admin:index")  # what has a page registers when the addresses are first asked for
    found = {
        f"{one.opts.app_label}_{one.opts.model_name}": one
        for one in admin.site._registry.values()
        if isinstance(one, RecordAdmin)
    }
    return found[name]


TABLES_SHEET = {
    "name": "tables", "there": True, "headings": ["Mesa"], "first": [],
    "new": 0, "stands": 0, "faulty": 0,
}  # fmt: skip


class House:
    """One holder of each role; the partida that the fiscal de banca answers for, and another's."""

    def __init__(self) -> None:
        self.at: Final = {True: OWN, False: OTHER}
        self._recorded: dict[tuple[str, bool, Actor | None], UUID] = {}
        self.clients = {role: self._browser(role) for role in roles()}
        opened = FULL["partida-opened/1"]
        for place, answers in ((OWN, number_of(PIT)), (OTHER, AUTHOR)):
            write(replace(opened, **place, fiscal_de_banca=answers), by=_writer(opened), at=EVENING)

    def _browser(self, role: str) -> Client:
        client = Client(headers={"accept-language": "en"})
        if role == ANONYMOUS:
            return client
        if role != NO_OFFICE:
            appoint(number_of(role), role)
        account = Account.objects.create_user(number_of(role), None, language="en")
        # Django's own mark of an all-powerful account opens nothing here: offices do.
        account.is_superuser = role == NO_OFFICE
        account.save()
        client.force_login(account)
        return client

    def entry(self, kind: str, mine: bool, role: str = "") -> BookEntry | None:
        """An entry of a kind in one's own partida, or in another's; of no partida, written by him.

        None where it can be nobody's own: of no partida, and not his to write. The same entry at
        every call: it is recorded at the first.
        """
        by: Actor | None = None
        if mine and kind not in _REFERRING and not has_partida(FULL[kind]):
            if role not in writers_of(kind):
                return None
            by = Actor(number_of(role), role, "job")
        if (kind, mine, by) not in self._recorded:
            self._recorded[kind, mine, by] = self._record(kind, mine, by).entry_id
        return BookEntry.objects.get(pk=self._recorded[kind, mine, by])

    def _record(self, kind: str, mine: bool, by: Actor | None) -> Receipt:
        if kind in _REFERRING:
            return _REFERRING[kind](self.at[mine])
        event = example(kind)
        if has_partida(event):
            event = replace(event, **self.at[mine])
            if kind == "partida-opened/1":
                event = replace(event, fiscal_de_banca=number_of(PIT) if mine else AUTHOR)
            return write(event, by=_writer(event), at=EVENING)
        by = by or _writer(event)
        if kind.startswith("duty-"):  # everybody tells of his own
            event = replace(event, staff=by.staff, office=by.office)
        if kind.startswith("passkey-"):
            return _passkey(kind, by)
        return write(event, by=by, at=EVENING)

    def shoe_table(self, mine: bool) -> str:
        """A table where a shoe deals, open too."""
        table = "BJ-08" if mine else "BJ-09"
        event = replace(
            FULL["partida-opened/1"],
            table=table,
            partida=f"{table}/2026-11-20/1",
            dealing="shoe",
            shuffler=None,
            fiscal_de_banca=number_of(PIT) if mine else AUTHOR,
        )
        write(event, by=_writer(event), at=EVENING)
        return table

    def pool(self, mine: bool) -> list[Any]:
        """A table whose partida's opening names a pool, and that pool."""
        table, pool = "BJ-18" if mine else "BJ-19", FULL["jackpot-won/1"].jackpot
        event = replace(
            FULL["partida-opened/1"],
            table=table,
            partida=f"{table}/2026-11-20/1",
            jackpots=(pool,),
            fiscal_de_banca=number_of(PIT) if mine else AUTHOR,
        )
        write(event, by=_writer(event), at=EVENING)
        return [table, pool]

    def win(self, mine: bool) -> list[Any]:
        """A win of a pool, at that table."""
        entry = self.entry("jackpot-won/1", mine)
        assert entry is not None
        return [entry.table_code, entry.stream.name.removeprefix("jackpot/"), entry.n]

    def correction(self, mine: bool) -> str:
        """A correction that waits for its second person."""
        asked, _ = _asked(self.at[mine])
        return str(Supersession.objects.get(entry_id=asked.entry_id).pk)

    def incident(self, mine: bool) -> str:
        """The number of an incident that is not settled."""
        entry = self.entry("incident-reported/1", mine)
        assert entry is not None
        return str(Incident.objects.get(entry_id=entry.pk).incident)

    def complaint(self, mine: bool) -> str:
        """The number of a complaint."""
        entry = self.entry("complaint-received/1", mine)
        assert entry is not None
        return str(Complaint.objects.get(entry_id=entry.pk).complaint)

    def staged(self, content: str = "rounds", **judged: object) -> str:
        """A file that waits for a second person."""
        listed = StagedImport.objects.filter(content=content)
        row = listed.first() or StagedImport.objects.create(
            id=uuid4(),
            content=content,
            judged=judged,
            by_staff=AUTHOR,
            by_office="chefia_da_sala",
            brought_at=clock.now(),
            file_name="evening.jsonl",
            file_sha256=NO_FILE,
            file_bytes=1,
            state="waiting",
        )
        return str(row.pk)

    def finding(self, mine: bool) -> str:
        """A finding on a partida."""
        event = FULL[FindingRaised.kind]
        receipt = write(replace(event, **self.at[mine]), by=_writer(event), at=EVENING)
        return str(Finding.objects.get(entry_id=receipt.entry_id).pk)

    def address(self, name: str, about: str, mine: bool) -> str:
        """The address of a route, with what `about` says in the place of its arguments."""
        if "/" in name and about not in _UNNAMED:
            return f"/{name.lstrip('/')}"
        if about in _UNNAMED:
            return f"/{name.partition('<')[0].partition('(')[0]}{_UNNAMED[about](self, mine)}"
        return reverse(name, args=_ARGUMENTS[about](self, mine) if about else [])


def _writer(event: Any) -> Actor:
    return Actor(AUTHOR, min(writers_of(event.kind)), "job")


def has_partida(event: Any) -> bool:
    """Whether an event says of which partida it is."""
    return {"table", "partida"} <= {field.name for field in fields(event) if field.init}


# -- What refers to another entry ------------------------------------------------------------------


def _ref(of: Receipt) -> EntryRef:
    return EntryRef(stream=of.stream, n=of.n, leaf=of.leaf)


def _asked(at: Mapping[str, str]) -> tuple[Receipt, Receipt]:
    """A correction that was asked for, and what it corrects."""
    by = Actor(AUTHOR, PIT, "job")
    original = write(burnt(2, at["table"]), by=by, at=EVENING)
    asked = recorded(burnt(1, at["table"]), by=by, supersedes=corrects(original))
    return asked, original


def _decided(at: Mapping[str, str]) -> Receipt:
    asked, original = _asked(at)
    event = Corrected(
        **at, pending=_ref(asked), original=_ref(original), decision="approved", reason="checked"
    )
    return write(event, by=HEAD)


def _withdrawn(at: Mapping[str, str]) -> Receipt:
    by = Actor(AUTHOR, PIT, "job")
    original = write(burnt(2, at["table"]), by=by, at=EVENING)
    event = WithdrawalAsked(
        **at, entry=_ref(original), act="card-burned/1", reason="tapped_by_mistake"
    )
    return write(event, by=by)


def _witnessed(at: Mapping[str, str]) -> Receipt:
    act = write(replace(loaded(), **at), by=Actor(AUTHOR, PIT, "job"), at=EVENING)
    event = Witnessed(
        **at,
        witnessed=_ref(act),
        act="shuffler-loaded/1",
        staff=HEAD.staff,
        office=HEAD.office,
        method="pin",
        nonce=str(uuid4()),
        expires_at=soon(),
        text_sha256=NO_FILE,
    )
    return write(event, by=HEAD)


def _failed(at: Mapping[str, str]) -> Receipt:
    act = write(replace(loaded(), **at), by=Actor(AUTHOR, PIT, "job"), at=EVENING)
    event = FULL["witness-failed/1"]
    return write(replace(event, **at, witnessed=_ref(act)), by=_writer(event))


def _erased(at: Mapping[str, str]) -> Receipt:
    noted = replace(FULL["deck-inspected/1"], **at)
    act = write(noted, by=_writer(noted), at=EVENING)
    erasures.proposed((_ref(act), "note"))
    event = replace(FULL["erased/1"], **at, entry=_ref(act), field="note")
    return write(event, by=erasures.ERASER)


def _of_case(kind: str) -> Callable[[Mapping[str, str]], Receipt]:
    def made(at: Mapping[str, str]) -> Receipt:
        event = with_its_case(replace(FULL[kind], **at))
        return write(event, by=_writer(event))

    return made


def _passkey(kind: str, by: Actor) -> Receipt:
    own = replace(FULL["passkey-registered/1"], staff=by.staff, credential=uuid4().hex)
    holder = by if by.office in writers_of(own.kind) else Actor(by.staff, PIT, "job")
    registered = write(own, by=holder)
    if kind == own.kind:
        return registered
    lost = replace(FULL["passkey-revoked/1"], staff=by.staff, credential=own.credential)
    return write(lost, by=by)


_REFERRING: Final[dict[str, Callable[[Mapping[str, str]], Receipt]]] = {
    "corrected/1": _decided,
    "withdrawal-asked/1": _withdrawn,
    "witnessed/1": _witnessed,
    "witness-failed/1": _failed,
    "erased/1": _erased,
    **{kind: _of_case(kind) for kind, event in FULL.items() if isinstance(event, CaseEvent)},
}


def _run(kind: str) -> str:
    event = FULL[kind]
    write(event, by=_writer(event), at=clock.now() - timedelta(minutes=1))
    return str(event.run)


def _of(kind: str) -> Callable[[House, bool], list[Any]]:
    def made(house: House, mine: bool) -> list[Any]:
        entry = house.entry(kind, mine)
        assert entry is not None
        return [entry.pk]

    return made


def _at_rest() -> str:
    """A table that was never opened."""
    laid_out = replace(FULL["table-registered/1"], table="BJ-10")
    write(laid_out, by=_writer(laid_out), at=EVENING)
    return "BJ-10"


def _pool() -> str:
    """A pool that runs.

    Displays ask once a second which pools there are: a test just before may have asked.
    """
    approve("JP-7")
    start("JP-7")
    forget()
    return "JP-7"


def _reconciliation(house: House, mine: bool) -> str:
    _run(ReconciliationStarted.kind)
    return str(Reconciliation.objects.latest("pk").pk)


def _draw(house: House) -> int:
    house.entry(DrawCommitted.kind, mine=False)
    return int(DrawCommitment.objects.latest("pk").draw)


# What the arguments of an address name, by the word for it in the matrix.
_ARGUMENTS: Final[dict[str, Callable[[House, bool], list[Any]]]] = {
    "entry": _of("card-burned/1"),
    "file of an entry": lambda house, mine: [*_of("card-burned/1")(house, mine), NO_FILE],
    "load": _of("shuffler-loaded/1"),
    "correction": lambda house, mine: [house.correction(mine)],
    "file of a correction": lambda house, mine: [house.correction(mine), NO_FILE],
    "finding": lambda house, mine: [house.finding(mine)],
    "staged import": lambda house, mine: [house.staged()],
    "staged first day": lambda house, mine: [house.staged("first_day", sheets=[TABLES_SHEET])],
    "reconciliation": lambda house, mine: [_reconciliation(house, mine)],
    "run": lambda house, mine: [_run(ReconciliationStarted.kind)],
    "run under way": lambda house, mine: [str(a_sheet().run)],
    "draw": lambda house, mine: [_draw(house)],
    "erasure proposed": lambda house, mine: _of("erasure-proposed/1")(house, False),
    "request of a data subject": lambda house, mine: _of("subject-requested/1")(house, False),
    "comparison": lambda house, mine: [str(a_sheet(compared={"counts": {}}).run)],
    "verification": lambda house, mine: [_run(BookVerified.kind)],
    "report": lambda house, mine: [str(uuid4())],
    "letter": lambda house, mine: ["leave", *_of("inspection-leave-asked/1")(house, False)],
    "report file": lambda house, mine: [str(uuid4()), "1"],
    "app": lambda house, mine: ["casino"],
    "rulebook": lambda house, mine: ["pt"],
    "tile": lambda house, mine: ["0/000.p/1"],
    "article": lambda house, mine: ["pt", "54"],
    "example": lambda house, mine: ["00000000-0000-4000-8000-000000600001"],
    "manual": lambda house, mine: ["fiscal-de-banca"],
    "table": lambda house, mine: [house.at[mine]["table"]],
    "table at rest": lambda house, mine: [_at_rest()],
    "shoe table": lambda house, mine: [house.shoe_table(mine)],
    "pool at a table": lambda house, mine: house.pool(mine),
    "win at a table": lambda house, mine: house.win(mine),
    "incident": lambda house, mine: [house.at[mine]["table"], house.incident(mine)],
    "complaint": lambda house, mine: [house.at[mine]["table"], house.complaint(mine)],
    "defect": _of("deck-withdrawn/1"),
    "partida": lambda house, mine: [house.at[mine]["partida"]],
    "deck": lambda house, mine: ["D-0231"],
    "day": lambda house, mine: ["2025-11-20"],
    "filter of another": lambda house, mine: [1],
    "shuffler": lambda house, mine: ["CSM-04"],
    "person": lambda house, mine: [AUTHOR],
    "pool": lambda house, mine: [_pool()],
    "hit": _of("jackpot-won/1"),
}
# The same for addresses that have no name: what stands behind the part that is always there.
_UNNAMED: Final[dict[str, Callable[[House, bool], str]]] = {
    "nothing": lambda house, mine: "no/such/page",
    "any finding": lambda house, mine: f"{house.finding(mine)}/",
    "any reconciliation": lambda house, mine: f"{_reconciliation(house, mine)}/",
}
_SIDES: Final = {
    *("entry", "load", "correction", "file of a correction", "finding", "any finding", "table"),
    *("shoe table", "incident", "defect", "partida", "hit", "pool at a table"),
    *("win at a table", "complaint", "file of an entry"),
}


def has_sides(about: str) -> bool:
    """Whether what an address names may be of one's own table or of another's."""
    return about in _SIDES
