"""A draw from the commitment to its replay: the book, the pages, and a copy that is drawn again."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.draw_events import DrawCommitted, DrawMade
from audit.draws.draw_questions import (
    CommitmentUsed,
    MadeAlready,
    NoSuchDraw,
    NotTheNext,
    SecretDoesNotFit,
)
from audit.exporting import Scope, export_bundle
from audit.models import DrawCommitment, DrawResult
from audit.sampling.__main__ import main as draw_again
from casino import clock, sequencer
from casino.events import Malformed
from casino.events.corrections import WithdrawalAsked
from casino.models import BookEntry
from casino.recording import Actor, NotAllowed, Receipt, Source, Submission, record, record_many
from casino.recording.writing import add_job
from casino.web.entries.entry_page import url_of
from tests.factories import draws_by_hand as by_hand
from tests.factories.evenings import an_evening, correct, played
from tests.factories.events.draws import FULL
from tests.factories.findings import PEOPLE, client_of, people, said
from tests.factories.people import appoint, write
from tests.factories.sealed_book import Seal
from tests.factories.usual_events import ref
from tests.jobs_inline import do_jobs

pytestmark = pytest.mark.share

INSPECTOR = Actor(PEOPLE["inspetor"], "inspetor", "job")
SECRET = "5f" * 32
DAY = date(2025, 11, 20)
ASKED = DrawCommitted(
    draw=1,
    from_day=DAY,
    to_day=DAY,
    tables=(),
    tables_wanted=1,
    tables_in_reserve=1,
    rounds_wanted=3,
    rounds_in_reserve=2,
    commitment=by_hand.committed(SECRET),
)
FORM = {
    "draw": "1",
    "from_day": "2025-11-20",
    "to_day": "2025-11-20",
    "tables_wanted": "1",
    "tables_in_reserve": "1",
    "rounds_wanted": "3",
    "rounds_in_reserve": "2",
    "commitment": by_hand.committed(SECRET),
}
NEW, ONE = "/audit/draws/new/", "/audit/draws/1/"
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """A book of two evenings and people, its sequencer and its signer."""
    people()
    evening = an_evening("BJ-01", rounds=8)
    correct(evening[2], played("r2", place=2))
    an_evening("BJ-02", rounds=7)
    an_evening("BJ-02", "2025-12-31", rounds=3)
    seal = Seal(connect_as, tmp_path / "public", settings)
    seal.sign()
    return seal


def commit(event: DrawCommitted = ASKED) -> Receipt:
    return write(event, by=INSPECTOR)


def moment_of(page: Any) -> dict[str, str]:
    """What a form sends of its own accord."""
    found = dict(re.findall(r'name="(key|occurred_at(?:_\w+)?)"[^>]*value="([^"]*)"', page))
    assert "key" in found, page[:2000]
    return found


def sent(client: Client, url: str, values: dict[str, str]) -> Any:
    """A form filled in and sent, as often as its page asks."""
    page = client.get(url)
    hidden = moment_of(page.content.decode())
    answer = client.post(url, hidden | values)
    if answer.status_code == 200 and b'name="read"' in answer.content:
        answer = client.post(url, hidden | values | {"read": "1"})
    return answer


# -- The book --------------------------------------------------------------------------------------


def test_an_inspector_draws_from_the_first_page_to_the_replay(
    seal: Seal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client = client_of("inspetor", "en")
    answer = client.post(NEW, moment_of(client.get(NEW).content.decode()) | FORM)
    shown = answer.content.decode()
    assert (answer.status_code, DrawCommitment.objects.count()) == (200, 0), "first it is read"
    assert "there are 15 rounds in the signed book" in " ".join(shown.split())
    assert sent(client, NEW, FORM).url == ONE
    page = said(client, ONE)
    assert "Waits for a checkpoint" in page
    assert b'name="secret"' not in client.get(ONE).content
    checkpoint = seal.sign()
    an_evening("BJ-03", rounds=2)  # after the root: not drawn from
    seal.sign()
    page = said(client, ONE)
    assert checkpoint.root.hex() in page
    assert "not revealed" in page
    assert sent(client, ONE, {"secret": SECRET}).url == ONE
    made = DrawResult.objects.get()
    assert (made.size, made.root) == (checkpoint.size, checkpoint.root.hex())
    assert (made.population, made.population_tables) == (15, 2)
    page = said(client, ONE)
    for words in (
        "draw made",
        SECRET,
        by_hand.seeded(SECRET, made.root),
        made.digest,
        "in reserve",
    ):
        assert words in page
    seal.sign()
    export_bundle(tmp_path / "bundle", Scope("full"), Actor("export", "sistema", "local"))
    assert draw_again([str(tmp_path / "bundle"), "--language", "en"]) == 0
    assert "draw 1: THE SAME" in capsys.readouterr().out


def test_another_hand_draws_the_same_from_the_database(seal: Seal) -> None:
    committed = commit()
    head = seal.sign()
    sent(client_of("inspetor"), ONE, {"secret": SECRET})
    made = DrawResult.objects.get()
    entries = BookEntry.objects.filter(
        kind="round-played/1", gaming_day=DAY, table_code__in=["BJ-01", "BJ-02"]
    )
    first = [one for one in entries.order_by("id") if b'"supersedes":null' in bytes(one.entry)]
    leaves = {
        bytes(one.leaf_hash).hex(): {
            "stream": f"table/{one.table_code}",
            "n": one.n,
            "leaf": bytes(one.leaf_hash).hex(),
        }
        for one in first
    }
    with seal.connect_as("reader") as reader:
        rows = reader.execute(
            "SELECT encode(e.leaf_hash, 'hex') FROM book_leaf l"
            " JOIN book_entry e ON e.id = l.entry_id WHERE l.idx < %s ORDER BY l.idx",
            [head.size],
        ).fetchall()
    population = [leaves[leaf] for (leaf,) in rows if leaf in leaves]
    drawn = by_hand.drawn(by_hand.seeded(SECRET, head.root.hex()), population, (1, 1, 3, 2))
    assert {name: getattr(made, name) for name in drawn} == drawn
    assert committed.n == DrawCommitment.objects.get().n


def test_a_corrected_or_withdrawn_round_stays_among_those_drawn_from(seal: Seal) -> None:
    round_entry = BookEntry.objects.filter(kind="round-played/1", table_code="BJ-02").earliest("id")
    withdrawal = WithdrawalAsked(
        table="BJ-02",
        partida=round_entry.partida_id,
        entry=ref_to(round_entry),
        act="round-played/1",
        reason="tapped_by_mistake",
    )
    write(withdrawal, by=Actor("S-0187", "fiscal_de_banca", "job"))
    none = {"tables_wanted": 0, "tables_in_reserve": 0, "rounds_in_reserve": 0}
    commit(replace(ASKED, rounds_wanted=15, **none))
    seal.sign()
    client = client_of("inspetor", "en")
    sent(client, ONE, {"secret": SECRET})
    made = DrawResult.objects.get()
    assert (made.population, len(made.rounds)) == (15, 15), "exactly as many as there are"
    assert round_entry.n in [one["n"] for one in made.rounds if one["stream"] == "table/BJ-02"]
    page = said(client, ONE)
    assert "withdrawal asked for" in page
    assert "corrected" in page or "correction asked for" in page
    assert "there are fewer" not in page


def ref_to(entry: BookEntry) -> Any:
    return replace(
        FULL[1].committed,
        stream=f"table/{entry.table_code}",
        n=entry.n,
        leaf=bytes(entry.leaf_hash).hex(),
    )


def test_draws_are_numbered_without_a_gap_and_by_their_own_secrets(seal: Seal) -> None:
    with pytest.raises(NotTheNext):
        commit(replace(ASKED, draw=2))
    commit()
    for event, refusal in (
        (replace(ASKED, commitment="b" * 64), NotTheNext),
        (replace(ASKED, draw=2), CommitmentUsed),
    ):
        with pytest.raises(refusal):
            commit(event)
    two = [replace(ASKED, draw=2, commitment="b" * 64), replace(ASKED, draw=3, commitment="b" * 64)]
    with pytest.raises(CommitmentUsed):
        record_many([Submission(one, uuid4(), INSPECTOR, clock.now(), Source()) for one in two])
    assert DrawCommitment.objects.count() == 1


def test_only_what_was_committed_to_is_revealed_and_once(seal: Seal) -> None:
    made = replace(FULL[1], draw=1, secret=SECRET)
    with pytest.raises(NoSuchDraw):
        write(made, by=INSPECTOR)
    committed = ref(commit())
    with pytest.raises(NoSuchDraw):
        write(replace(made, committed=replace(committed, leaf="a" * 64)), by=INSPECTOR)
    with pytest.raises(SecretDoesNotFit):
        write(replace(made, committed=committed, secret="6a" * 32), by=INSPECTOR)
    write(replace(made, committed=committed), by=INSPECTOR)
    with pytest.raises(MadeAlready):
        write(replace(made, committed=committed, size=7), by=INSPECTOR)
    assert DrawResult.objects.count() == 1


@pytest.mark.parametrize("office", [one for one in PEOPLE if one != "inspetor"])
def test_nobody_else_draws(seal: Seal, office: str) -> None:
    by = Actor(PEOPLE[office], office, "job")
    for event in (ASKED, replace(FULL[1], draw=1, secret=SECRET)):
        with pytest.raises(NotAllowed):
            record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


@pytest.mark.parametrize(
    "change",
    [
        {"to_day": date(2025, 11, 19)},
        {"tables": ("BJ-01", "BJ-01")},
        {"tables_wanted": 0, "tables_in_reserve": 0, "rounds_wanted": 0, "rounds_in_reserve": 0},
        {"tables_wanted": 0},  # a reserve of nothing
        {"rounds_wanted": 0},
        {"tables_wanted": 100},
        {"rounds_wanted": 299},
        {"rounds_wanted": 301},
        {"commitment": "A" * 64},
        {"draw": 0},
    ],
)
def test_a_commitment_that_cannot_be(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        replace(ASKED, **change)


def test_the_largest_draw_is_one_and_fits_an_entry(seal: Seal) -> None:
    """300 rounds of a table with the longest name there is, and 100 tables."""
    largest = replace(
        ASKED, tables_wanted=99, tables_in_reserve=1, rounds_wanted=299, rounds_in_reserve=1
    )
    committed = ref(commit(largest))
    codes = [f"{n:0>40}" for n in range(100)]
    rounds = [
        replace(committed, stream=f"table/{codes[0]}", n=2**53 - 1 - n, leaf=f"{n:064x}")
        for n in range(300)
    ]
    made = DrawMade(
        draw=1,
        committed=committed,
        secret=SECRET,
        size=2**53 - 1,
        root="a" * 64,
        population=10**9,
        population_tables=100,
        digest="a" * 64,
        tables=tuple(codes[:99]),
        reserve_tables=tuple(codes[99:]),
        rounds=tuple(rounds[:299]),
        reserve_rounds=tuple(rounds[299:]),
    )
    write(made, by=INSPECTOR)
    assert len(DrawResult.objects.get().rounds) == 299


def test_a_draw_is_neither_withdrawn_nor_corrected(seal: Seal) -> None:
    receipt = commit()
    page = said(client_of("inspetor", "en"), url_of(ASKED.kind, receipt.entry_id))
    assert "Withdraw" not in page
    assert "Correct" not in page


# -- The pages -------------------------------------------------------------------------------------


def test_a_secret_that_does_not_fit_is_refused_in_words(seal: Seal) -> None:
    commit()
    seal.sign()
    client = client_of("inspetor")
    answer = sent(client, ONE, {"secret": "6a" * 32})
    text = answer.content.decode()
    assert (answer.status_code, DrawResult.objects.count()) == (200, 0)
    assert "Este segredo não é o do sorteio 1" in text
    assert by_hand.committed("6a" * 32) in text
    for odd in ("", "5f5f", "ç" * 40, "a" * 500, "a" * 40 + "\u202e", "<b>" * 20):
        answer = sent(client, ONE, {"secret": odd})
        assert (answer.status_code, DrawResult.objects.count()) == (200, 0), odd
        assert "Ainda nada ficou registado." in answer.content.decode()


def test_sent_twice_it_is_one_draw(seal: Seal) -> None:
    commit()
    seal.sign()
    client = client_of("inspetor")
    values = moment_of(client.get(ONE).content.decode()) | {"secret": SECRET}
    for _ in range(2):
        assert client.post(ONE, values).url == ONE
    assert DrawResult.objects.count() == 1


def test_who_reveals_before_the_root_reveals_nothing(seal: Seal) -> None:
    commit()
    client = client_of("inspetor", "en")
    answer = client.post(ONE, {"secret": SECRET, "key": str(uuid4())})
    assert (answer.status_code, DrawResult.objects.count()) == (200, 0)
    assert SECRET not in answer.content.decode()
    sequencer.integrate()
    assert "Waits for a checkpoint" in said(client, ONE)


def test_a_draw_of_nothing_says_so_before_and_after(seal: Seal) -> None:
    client = client_of("inspetor", "en")
    none = FORM | {"from_day": "2024-01-01", "to_day": "2024-01-01"}
    answer = client.post(NEW, moment_of(client.get(NEW).content.decode()) | none)
    assert "there is no round in the signed book" in " ".join(answer.content.decode().split())
    assert sent(client, NEW, none).url == ONE
    seal.sign()
    assert "there was no round" in said(client, ONE)
    sent(client, ONE, {"secret": SECRET})
    made = DrawResult.objects.get()
    assert (made.population, made.rounds, made.tables) == (0, [], [])
    assert "there was no round" in said(client, ONE)


def test_more_than_there_are_is_said(seal: Seal) -> None:
    client = client_of("inspetor", "en")
    many = {"tables_wanted": "2", "tables_in_reserve": "3", "rounds_wanted": "200"}
    sent(client, NEW, FORM | many)
    seal.sign()
    page = said(client, ONE)
    assert "5 tables were asked for with the reserve, and there are fewer" in page
    assert "202 rounds were asked for with the reserve, and there are fewer" in page
    sent(client, ONE, {"secret": SECRET})
    assert len(DrawResult.objects.get().rounds) == 15
    assert "202 rounds were asked for with the reserve, and there are fewer" in said(client, ONE)


def test_the_list_shows_what_nobody_revealed(seal: Seal) -> None:
    client = client_of("inspetor")
    assert "Ainda ninguém sorteou" in said(client, "/audit/draws/")
    commit()
    assert "espera por um ponto de controlo" in said(client, "/audit/draws/")
    seal.sign()
    for office in ("inspetor", "auditor", "fiscal_chefe", "chefia_da_sala"):
        page = said(client_of(office), "/audit/draws/")
        assert "não revelado" in page
        assert PEOPLE["inspetor"] in page
        assert ("Novo sorteio" in page) == (office == "inspetor")
        assert b'name="secret"' not in client_of("auditor").get(ONE).content


def test_the_secret_is_in_no_field_before_it_is_revealed(seal: Seal) -> None:
    """What the browser makes stands in an element that no form sends."""
    page = client_of("inspetor").get(NEW).content.decode()
    names = set(re.findall(r'<(?:input|select|textarea)[^>]*name="([^"]+)"', page))
    assert "commitment" in names
    assert "secret" not in names
    assert re.search(r'<output id="secret-text"></output>', page)


def test_a_field_that_is_wrong_is_said_beside_it(seal: Seal) -> None:
    client = client_of("inspetor", "en")
    nothing = dict.fromkeys((one for one in FORM if one[:6] in ("tables", "rounds")), "0")
    for wrong, words in (
        ({"commitment": "abc"}, "64 lower-case hex digits"),
        (nothing, "nothing to draw"),
        ({"to_day": "2025-11-19"}, "no earlier than 2025-11-20"),
        ({"draw": "7"}, "is not the next one: that is number 1"),
        ({"tables": "BJ-01 BJ-01"}, "each once"),
        ({"from_day": "yesterday"}, "asked is a day"),
    ):
        answer = sent(client, NEW, FORM | wrong)
        text = " ".join(answer.content.decode().split())
        assert (answer.status_code, words in text) == (200, True), (wrong, text[:3000])
        assert DrawCommitment.objects.count() == 0


def test_there_is_no_draw_of_another_number(seal: Seal) -> None:
    client = client_of("inspetor")
    for number in ("2", "0", "99999999999999999999"):
        assert client.get(f"/audit/draws/{number}/").status_code == 404


def test_the_demo_draws_step_by_step(seal: Seal) -> None:
    """Committed to at once; revealed by the next try that finds a root over it; nothing twice."""
    appoint("I-0007", "inspetor")
    with transaction.atomic():
        add_job("demo-draw", "demo-draw/2025-11-20", {"day": "2025-11-20"})
    for _ in range(2):
        assert do_jobs(topic="demo-draw") == ["demo-draw/2025-11-20"]
        assert (DrawCommitment.objects.count(), DrawResult.objects.count()) == (1, 0)
    seal.sign()
    do_jobs(topic="demo-draw")
    made = DrawResult.objects.get()
    assert (made.staff, made.population, len(made.rounds)) == ("I-0007", 15, 12)
    assert do_jobs(topic="demo-draw") == []


def test_a_page_asks_no_more_of_many_rounds_than_of_few(seal: Seal) -> None:
    client, asked = client_of("inspetor"), {}
    for number, rounds in ((1, 2), (2, 15)):
        secret = f"{number}" * 40
        few = {"tables_wanted": 0, "tables_in_reserve": 0, "rounds_in_reserve": 0}
        commitment = {"draw": number, "commitment": by_hand.committed(secret)}
        commit(replace(ASKED, rounds_wanted=rounds, **few, **commitment))
        seal.sign()
        for name in ("not revealed", "made"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/audit/draws/{number}/").status_code == 200
            asked[number, name] = len(queries)
            if name != "made":
                sent(client, f"/audit/draws/{number}/", {"secret": secret})
                seal.sign()
                client.get("/audit/draws/")  # which says what was recorded
        with CaptureQueriesContext(connection) as queries:
            client.get("/audit/draws/")
        asked[number, "list"] = len(queries)
    for name in ("not revealed", "made", "list"):
        # How a correction stands is asked where one of the rounds has any.
        assert asked[2, name] <= asked[1, name] + 1, asked
