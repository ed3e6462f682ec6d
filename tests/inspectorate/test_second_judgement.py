"""The mirrored rounds judged again: where a casino's findings differ from what its rounds show."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client

from audit.inspectorate import log_mirror, second_judgement
from audit.inspectorate.__main__ import judge_all, turn
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.second_judgement import Entries, SecondJudgement, compare
from casino.bounded_http import Answer
from casino.law.round_judge import judge
from casino.models import BookEntry
from casino.recording import Actor
from tests.audit.reconciling import reconcile
from tests.factories.evenings import (
    EVENING,
    an_evening,
    correct,
    opened,
    partida_of,
    played,
    record_all,
    record_events,
)
from tests.factories.sealed_book import Connect, Seal
from tests.factories.served_log import LOG, TOKEN, codes, inspectorate, report_text_of
from tests.factories.usual_events import limits_set

pytestmark = pytest.mark.share
AMOUNT = "nearer_to_twenty_one_wins"
Alter = Callable[[dict[str, Any]], dict[str, Any] | bytes | None]


def unaltered(body: dict[str, Any]) -> dict[str, Any]:
    return body


def book(alter: Alter = unaltered, more: Sequence[dict[str, Any]] = ()) -> Entries:
    """The book's entries, each as a test alters it (None leaves it out), and more."""

    def read(first: int, wanted: Collection[int] | None) -> Iterator[tuple[int, bytes]]:
        rows = BookEntry.objects.order_by("recorded_at", "n")
        changed = [*(alter(json.loads(bytes(row.entry))) for row in rows), *more]
        for index, one in enumerate(one for one in changed if one is not None):
            if index >= first and (wanted is None or index in wanted):
                whole = isinstance(one, bytes)
                yield index, one if whole else json.dumps(one, separators=(",", ":")).encode()

    return read


def judged(
    alter: Alter = unaltered, more: Sequence[dict[str, Any]] = (), **days: str
) -> dict[str, Any]:
    """What the book's entries come to."""
    return dict(compare(book(alter, more), **days))


def differences(result: dict[str, Any]) -> tuple[int, int, int]:
    """Findings alike, missing at the casino, the casino's alone."""
    return result["alike"], result["missing"], result["unfounded"]


def of_amount(body: dict[str, Any]) -> bool:
    return body["kind"] == "finding-raised/2" and body["payload"]["check"] == AMOUNT


@pytest.mark.django_db
def test_who_judges_alike_finds_alike() -> None:
    an_evening(rounds=5, wrong=[2, 4])
    reconcile("first")
    result = judged()
    assert differences(result) == (2, 0, 0)
    assert (result["rounds"], result["waiting"], result["unreadable"]) == (5, 0, 0)
    assert result["editions"] == []


@pytest.mark.django_db
def test_a_finding_the_casino_left_out_is_missing() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    result = judged(lambda body: None if of_amount(body) else body)
    assert differences(result) == (0, 1, 0)
    (missing,) = result["listed_missing"]
    assert (missing["stream"], missing["n"]) == (receipts[2].stream, receipts[2].n)
    assert (missing["rulebook"], missing["article"], missing["check"]) == ("pt", "23", AMOUNT)
    assert missing["owed_cents"] == 500


@pytest.mark.django_db
def test_a_finding_of_what_no_round_shows_is_the_casinos_alone() -> None:
    """It says that the player was owed less than he was."""
    an_evening(rounds=3, wrong=[2])
    reconcile("first")

    def lowered(body: dict[str, Any]) -> dict[str, Any]:
        if of_amount(body):
            body["payload"] |= {"key": "f" * 64, "owed_cents": 100}
        return body

    result = judged(lowered)
    assert differences(result) == (0, 1, 1)
    assert result["listed_unfounded"][0]["owed_cents"] == 100


@pytest.mark.django_db
def test_a_finding_the_casino_took_back_is_missing() -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")
    (raised,) = [
        body
        for row in BookEntry.objects.filter(kind="finding-raised/2")
        if of_amount(body := json.loads(bytes(row.entry)))
    ]
    gone = {"finding": raised["payload"]["key"], "run": raised["payload"]["run"]}
    superseded = raised | {"kind": "finding-superseded/2", "payload": gone | {"reason": "cured"}}
    assert differences(judged(more=[superseded])) == (0, 1, 0)


@pytest.mark.django_db
def test_a_correction_counts_once_it_is_approved_as_in_the_house() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    correct(receipts[2], played("r2", place=2), approve=False)
    assert differences(judged()) == (1, 0, 0)
    correct(receipts[3], played("r3", place=3, returned=1500))
    reconcile("after")
    assert differences(judged()) == (2, 0, 0)
    assert judged()["rounds"] == 3


@pytest.mark.django_db
def test_rounds_nobody_reconciled_yet_are_no_difference() -> None:
    an_evening(rounds=3, wrong=[2])
    result = judged()
    assert differences(result) == (0, 0, 0)
    assert result["waiting"] == 3
    reconcile("first")
    record_all([played("r9", place=9, returned=1)])
    result = judged()
    assert (differences(result), result["waiting"]) == ((1, 0, 0), 1)


@pytest.mark.django_db
def test_days_are_chosen() -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")
    assert judged(first_day="2099-01-01")["rounds"] == 0
    assert judged(last_day="2001-01-01")["rounds"] == 0
    assert judged(first_day="2001-01-01", last_day="2099-01-01")["rounds"] == 3


@pytest.mark.django_db
def test_another_edition_of_the_law_is_said() -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")

    def edited(body: dict[str, Any]) -> dict[str, Any]:
        for used in body["payload"].get("laws", ()):
            used["sha256"] = "e" * 64
        return body

    assert judged(edited)["editions"] == ["pt"]


@pytest.mark.django_db
def test_a_round_of_no_rulebook_here_is_not_judged() -> None:
    an_evening(rounds=3)
    reconcile("first")

    def elsewhere(body: dict[str, Any]) -> dict[str, Any]:
        if "rulebook" in body["payload"]:
            body["payload"]["rulebook"] = "mars"
        return body

    result = judged(elsewhere)
    assert (result["not_judged"], differences(result)) == (3, (0, 0, 0))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "hostile",
    [
        *(b"", b"\xff", b"[]", b"3", b"{}", b'{"kind":"round-played/1"}', b"[" * 60_000),
        b'{"kind":"round-played/1","payload":[],"stream":"x","n":"x","supersedes":null}',
        b'{"kind":"finding-raised/2","payload":{"key":[]},"stream":"x","n":1,"supersedes":null}',
        b'{"kind":"corrected/1","payload":{"decision":"approved"},"stream":"x","n":1}',
        b'{"kind":["round-played/1"],"payload":{},"stream":"x","n":1,"supersedes":null}',
        b'{"kind":"reconciliation-finished/1","payload":{},"stream":"x","n":1,"supersedes":null}',
        b'{"kind":"finding-raised/2","payload":{"key":"k","rulebook":["x"],"law":1},'
        b'"stream":"x","n":1,"supersedes":null}',
    ],
)
def test_whatever_an_entry_says_the_judgement_ends(hostile: bytes) -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("first")

    def altered(body: dict[str, Any]) -> dict[str, Any] | bytes:
        return hostile if body["kind"] == "partida-closed/1" else body

    assert differences(judged(altered)) == (1, 0, 0)


@pytest.mark.django_db
def test_limits_that_were_put_right_hold_from_their_first_record() -> None:
    """A round played and recorded in between is below the minimum, for both."""
    an_evening(rounds=1, close=False)
    head, hour = Actor("S-0002", "chefia_da_sala", "admin"), EVENING + timedelta(hours=1)
    low = replace(limits_set("BJ-01", hour), minimum_cents=500)
    limits = record_events(low, hour, head)
    record_all([played("r9", place=2)], hour + timedelta(hours=1))
    correct(limits, replace(low, minimum_cents=2000), hour, by=head)
    reconcile("first")
    alike, missing, unfounded = differences(judged())
    assert alike >= 1
    assert (missing, unfounded) == (0, 0)


def sorted_out(result: dict[str, Any]) -> dict[str, Any]:
    """A result whose lists stand in one order."""
    lists = {name for name, one in result.items() if isinstance(one, list)}
    return {name: sorted(map(str, one)) if name in lists else one for name, one in result.items()}


@pytest.mark.django_db
def test_looks_at_a_growing_log_come_to_what_one_look_comes_to() -> None:
    """Whatever came between two looks: rounds, a run, limits, corrections, what was taken back."""
    receipts = an_evening(rounds=3, wrong=[2], close=False)
    an_evening("BJ-02", rounds=2, wrong=[1], close=False)
    reconcile("first")
    reconcile("of the other", partida=partida_of("BJ-02"))
    head = Actor("S-0002", "chefia_da_sala", "admin")
    plain = limits_set("BJ-01", EVENING + timedelta(hours=1))
    low = replace(plain, minimum_cents=2000)
    limits = record_events(low, EVENING + timedelta(hours=1), by=head)
    later = EVENING + timedelta(hours=2)
    record_all([played("r8", place=4), played("r9", table="BJ-02", place=3, returned=1)], later)
    reconcile("second")
    correct(receipts[2], played("r2", place=2), approve=False)
    correct(receipts[3], played("r3", place=3, returned=1500))
    wide = replace(low, minimum_cents=500)
    correct(limits, wide, EVENING + timedelta(hours=1), by=head)
    other = opened(rulebook="es")
    correct(receipts[0], other)
    reconcile("third")
    read = book()
    whole = list(read(0, None))
    chance = Random(len(whole))
    for _ in range(6):
        growing, size = SecondJudgement(), 0
        while size < len(whole):
            size = min(len(whole), size + chance.randrange(1, 12))
            so_far = of_entries(whole[:size])
            result = sorted_out(dict(growing.look(so_far)))
            assert result == sorted_out(dict(compare(so_far))), size
    assert result["rounds"] == 7
    assert result["alike"] > 1


def of_entries(listed: Sequence[tuple[int, bytes]], asked: list[int] | None = None) -> Entries:
    """Some entries; what is asked for of them is noted."""

    def read(first: int, wanted: Collection[int] | None) -> Iterator[tuple[int, bytes]]:
        for index, entry in listed:
            if index >= first and (wanted is None or index in wanted):
                if asked is not None:
                    asked.append(index)
                yield index, entry

    return read


@pytest.mark.django_db
def test_only_games_that_something_new_touches_are_judged_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    an_evening(rounds=4, wrong=[2], close=False)
    an_evening("BJ-02", rounds=6, wrong=[1])
    reconcile("first")
    reconcile("of the other", partida=partida_of("BJ-02"))
    count: list[str] = []

    def counted(event: Any, *rest: Any) -> Any:
        count.append(event.table)
        return judge(event, *rest)

    monkeypatch.setattr(second_judgement, "judge", counted)
    growing = SecondJudgement()
    growing.look(book())
    assert len(count) == 10
    before = BookEntry.objects.count()
    record_all([played("r9", place=4)])
    for expected in (["BJ-01"] * 4, []):
        count.clear()
        asked: list[int] = []
        growing.look(of_entries(list(book()(0, None)), asked))
        assert count == expected
        assert sorted(one for one in asked if one >= before) == [before] * (2 if expected else 0)


@dataclass
class HouseSite:
    """The house's own pages, asked without a network."""

    prefix: str
    token: str

    def __enter__(self) -> "HouseSite":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get(self, path: str, most: int) -> Answer:
        answer = Client().get(f"/log/{path}", HTTP_AUTHORIZATION=f"Bearer {self.token}")
        assert len(answer.content) <= most
        return Answer(answer.status_code, answer["Content-Type"], answer.content)


def test_a_house_is_mirrored_judged_and_reported(
    fresh_db: str,
    connect_as: Connect,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the house's book to the inspectorate's report, as far as one process shows it."""
    settings.MIRROR_TOKENS = {"inspectorate": TOKEN}
    seal = Seal(connect_as, tmp_path / "public", settings)
    an_evening(rounds=300, wrong=[2, 250])
    reconcile("first")
    seal.sign()
    monkeypatch.setattr(log_mirror, "Site", HouseSite)
    of = inspectorate(tmp_path / "one", "https://house.example/log")
    casino = replace(of.casinos[LOG.name], keys=(seal.key.verifier(),))
    of = replace(of, casinos={seal.key.name: casino})
    turn(of, "en")
    judge_all(of, {})
    with closing(Store(of.home)) as store:
        assert store.held(seal.key.name) == BookEntry.objects.count()
        compared = store.comparison(seal.key.name)
    assert compared is not None
    result = dict(compared[0])
    assert (result["rounds"], differences(result)) == (300, (2, 0, 0))
    assert codes(of, seal.key.name) == []
    assert "entries mirrored" in capsys.readouterr().out
    assert "Judged 300 rounds again" in report_text_of(of)
