"""A book with people, partidas and findings in it, for the tests of the pages."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.test import Client

from audit.events import (
    FindingRaised,
    FindingSuperseded,
    LawUsed,
    ReconciliationFinished,
    ReconciliationStarted,
    RunScope,
)
from audit.game_events import CheckAnswers, GameJudged
from audit.models import Finding, RunSheet, ids_of, refs_of
from casino import clock
from casino.events.event import EntryRef
from casino.events.staff import OfficeGranted
from casino.ids import uuid7
from casino.law.rulebook.rulebook_file import law_of_file
from casino.models import Account
from casino.recording import Actor, Source, Submission, record_many
from tests.factories.evenings import DAY as EVENING

DAY: Final = date.fromisoformat(EVENING)
SYSTEM: Final = Actor("sistema", "sistema", "job")
OWNER: Final = Actor("S-0001", "administrador", "local")
PEOPLE: Final = {
    "fiscal_de_banca": "S-0187",
    "fiscal_chefe": "S-0104",
    "chefia_da_sala": "S-0003",
    "inspetor": "I-0021",
    "auditor": "V-0007",
    "administrador": "A-0001",
}
RUN: Final = "0193479e-9999-7c3e-9a54-0c6f2b1d7e10"
PT: Final = law_of_file("pt")
NOWHERE: Final = EntryRef(stream="table/BJ-01", n=9_999, leaf="9" * 64)  # of no book


def write(events: Iterable[Any], by: Actor = SYSTEM, at: datetime | None = None) -> list[UUID]:
    """Record events in one transaction; the entries' ids."""
    listed = [Submission(event, uuid7(), by, at or clock.now(), Source()) for event in events]
    return [receipt.entry_id for receipt in record_many(listed)]


def people() -> None:
    """One account for each office, with the office in the book."""
    long_ago = clock.now() - timedelta(days=3650)
    for staff in PEOPLE.values():
        account = Account(staff=staff, language="pt-pt")
        account.set_unusable_password()
        account.save()
    write(
        [
            OfficeGranted(staff=staff, office=office, valid_from=long_ago, granted_by="S-0001")
            for office, staff in PEOPLE.items()
        ],
        OWNER,
    )


def client_of(office: str, language: str = "pt-pt") -> Client:
    """A browser in which the holder of an office is logged in."""
    client = Client(headers={"accept-language": language})
    client.force_login(Account.objects.get(staff=PEOPLE[office]))
    return client


def key_of(number: int) -> str:
    """A finding's key."""
    return f"{number:064x}"


def finding(number: int, **known: Any) -> FindingRaised:
    """A blackjack that was paid at evens; `number` makes it another one."""
    values: dict[str, Any] = {
        "key": key_of(number),
        "rulebook": "pt",
        "article": "21",
        "check": "blackjack_paid_three_to_two",
        "severity": "breach",
        "gaming_day": DAY,
        "table": "BJ-01",
        "evidence": (NOWHERE,),
        "where": {"box": 4, "hand": 1, "owner": "J4", "kind": "main"},
        "observed": {"returned_cents": 4000},
        "expected": {"returned_cents": 5000},
        "owed_cents": 1000,
        "owed_to": "player",
        "readings": ("no-peek",),
        "run": RUN,
        "law": PT.digest,
    }
    values |= known
    return FindingRaised(**values | {"evidence": named(values["evidence"])})


def named(evidence: Iterable[Any]) -> tuple[EntryRef, ...]:
    """Entries by their ids as a finding names them; one that is named already is left so."""
    given = list(evidence)
    refs = refs_of(one for one in given if isinstance(one, str))
    listed = {one if isinstance(one, EntryRef) else refs[one] for one in given}
    return tuple(sorted(listed, key=lambda ref: (ref.stream, ref.n)))


def rests_on(row: Finding) -> list[str]:
    """The ids of the entries a finding rests on, in ascending order."""
    return sorted(ids_of([row])[row.pk])


def no_longer(number: int, reason: str = "cured") -> FindingSuperseded:
    """A finding that no longer holds."""
    return FindingSuperseded(finding=key_of(number), run=RUN, reason=reason)


def numbers(findings: Iterable[Finding]) -> list[int]:
    """The findings by the numbers they were made with."""
    return [int(finding.key, 16) for finding in findings]


def a_run(day: date, *, run: str = RUN, ended: bool = True, found: int = 3) -> None:
    """A reconciliation of one gaming day."""
    scope = RunScope(from_day=day, to_day=day)
    laws = (LawUsed(rulebook="pt", sha256=PT.digest),)
    write(
        [
            ReconciliationStarted(
                run=run, scope=scope, reason="nightly", code_version="1.0", laws=laws
            )
        ]
    )
    if ended:
        result = ReconciliationFinished(
            run=run,
            scope=scope,
            entries=260,
            rounds=212,
            findings=found,
            raised=found,
            superseded=0,
            undecided=5,
            digest=PT.digest,
            read_up_to=(),
        )
        write([result])


def judged(
    answers: Mapping[str, tuple[int, int, int]],
    *,
    table: str = "BJ-01",
    day: date = DAY,
    run: str = RUN,
    rulebook: str = "pt",
) -> None:
    """A game that a run judged, with its checks' answers: lawful, found, not decidable."""
    listed = [
        CheckAnswers(rulebook=rulebook, check=check, lawful=lawful, found=found, undecided=unknown)
        for check, (lawful, found, unknown) in answers.items()
    ]
    partida = f"{table}/{day.isoformat()}/1"
    write(
        [
            GameJudged(
                table=table,
                partida=partida,
                run=run,
                part=1,
                rounds=30,
                not_judged=0,
                answers=tuple(listed),
            )
        ]
    )
    a_run(day, run=run)


def text_of(page: str) -> str:
    """What a page says, without its marks and spaces."""
    inside = re.sub(r"(?s)<(script|style).*?</\1>", "", page.split("<main", 1)[-1])
    return " ".join(re.sub(r"<[^>]+>", " ", inside).split())


def said(client: Client, address: str) -> str:
    """What a page says that is there."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return text_of(answer.content.decode())


def a_sheet(run: str = RUN, state: str = "open", **values: Any) -> RunSheet:
    """A run under way, of four parts."""
    return RunSheet.objects.create(
        run=run,
        job="x",
        reason="asked",
        from_day=DAY,
        to_day=DAY,
        state=state,
        reach={},
        laws=[],
        as_of=clock.now(),
        code_version="1",
        parts_count=4,
        rounds_count=400,
        opened_at=clock.now(),
        **values,
    )
