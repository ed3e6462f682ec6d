"""The list behind "not decidable": record, check, what is missing, and where it is recorded."""

import csv
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from audit.models import Export, GameAnswers
from audit.pages.law.article_states import house_articles
from audit.pages.law.undecided import _one
from audit.pages.page_words import words
from audit.reconcile.judge_partida import Unanswered
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.tables import TableRegistered
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.finding import LAWFUL, UNDECIDED
from casino.law.rulebook.lacking import LACKING, NAMED, Undecided, about
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.web.words.kind_words import kind_word
from tests.audit.reconciling import reconcile
from tests.factories.evenings import (
    DAY,
    MANAGER,
    an_evening,
    closed,
    correct,
    opened,
    played,
    record_all,
    record_events,
)
from tests.factories.events.every import KINDS
from tests.factories.findings import client_of, people, said
from tests.factories.rounds import box, main
from tests.gate import size

pytestmark = pytest.mark.share

LIST = "/law/pt/undecided/"


def shared_box(name: str, decided_by: str | None = None) -> Any:
    """A round in which another stakes on the holder's box; who decided may be recorded or not."""
    one = played(name, place=1)
    both = box(1, "TS 8D", main(1000, 2000), main(1000, 2000, owner="J9"))
    return replace(one, boxes=(replace(both, decided_by=decided_by),))


@pytest.fixture
def inspector(db: None) -> Client:
    people()
    return client_of("inspetor")


def rows(page: Any) -> list[tuple[str, str, str]]:
    return [
        (one.record, one.missing, one.form_name)
        for game in page.context["games"]
        for one in game.shown
    ]


def test_a_record_that_lacks_something_is_named_with_what_it_lacks(inspector: Client) -> None:
    receipts = record_all([opened(), shared_box("a"), closed()])
    reconcile("first")
    page = inspector.get(LIST, {"check": "holder_decides"})
    assert rows(page) == [("jogada, sabot 1, n.º 1", "quem decidiu no lugar", "jogada")]
    (game,) = page.context["games"]
    assert str(receipts[1].entry_id) in game.shown[0].record_url
    assert inspector.get(game.shown[0].record_url).status_code == 200
    article = said(inspector, f"{LIST}?article=15")
    assert "Quem decidiu no lugar" in article
    assert "Num lugar ocupado, o titular decide por todas as apostas." in article
    assert "Who decided for the box" in said(client_of("inspetor", "en"), f"{LIST}?article=15")


def test_what_was_told_since_is_seen_before_the_next_run(inspector: Client) -> None:
    receipts = record_all([opened(), shared_box("a"), closed()])
    reconcile("first")
    correct(receipts[1], shared_box("a", decided_by="J1"))
    page = inspector.get(LIST, {"check": "holder_decides"})
    (game,) = page.context["games"]
    assert (game.shown, game.since) == ([], True)
    assert "Agora tudo se pode decidir" in said(inspector, f"{LIST}?check=holder_decides")
    reconcile("again")
    assert inspector.get(LIST, {"check": "holder_decides"}).context["games"] == []


def test_an_answer_about_the_whole_game_or_a_deck_is_named_so(inspector: Client) -> None:
    record_events(TableRegistered(table="BJ-01", boxes=7), by=MANAGER)
    an_evening(rounds=2)
    reconcile("first")
    assert ("toda a partida", "o formato da mesa", "mesa registada") in rows(
        inspector.get(LIST, {"check": "table_is_semicircular"})
    )


def test_whoever_may_tell_it_gets_the_form(inspector: Client) -> None:
    record_events(TableRegistered(table="BJ-01", boxes=7), by=MANAGER)
    an_evening(rounds=2)
    reconcile("first")

    def ways(client: Client) -> set[str]:
        page = client.get(LIST, {"check": "table_is_semicircular"})
        return {one.form_url for game in page.context["games"] for one in game.shown}

    assert ways(inspector) == {""}
    (way,) = ways(client_of("chefia_da_sala"))
    assert client_of("chefia_da_sala").get(way).status_code == 200


def test_why_an_amount_is_open_is_said_as_with_its_wager(inspector: Client) -> None:
    bare = replace(played("a", place=1), bank=replace(played("a").bank, cards=(), open=None))
    record_all([opened(), bare, closed()])
    reconcile("first")
    undecided = {
        check
        for checks in GameAnswers.objects.get().answers.values()
        for check, answers in checks.items()
        if answers[2]
    }
    assert "nearer_to_twenty_one_wins" in undecided
    (texts,) = rows(inspector.get(LIST, {"check": "nearer_to_twenty_one_wins"}))
    assert texts[1] == "a banca ficou cedo de mais e ninguém sabe que cartas teriam saído"


def test_in_days_without_anything_undecided_that_is_said(inspector: Client) -> None:
    assert "Nenhuma partida destes dias foi ainda julgada" in said(inspector, LIST)
    an_evening(rounds=2)
    reconcile("first")
    decided = f"{LIST}?check=two_cards_to_each_place"
    assert "Nestes dias nada ficou por decidir." in said(inspector, decided)
    assert "Nothing was left undecided in these days." in said(client_of("inspetor", "en"), decided)


@pytest.mark.parametrize("asked", ["check=none", "article=999", "game=nowhere", "check=%00"])
def test_what_nobody_knows_is_as_if_not_asked(inspector: Client, asked: str) -> None:
    an_evening(rounds=2)
    reconcile("first")
    assert inspector.get(f"{LIST}?{asked}").context["games"]


def test_a_long_list_is_shown_in_part_and_says_so(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.pages.law.undecided.RECORDS", 2)
    an_evening(rounds=4)
    reconcile("first")
    page = inspector.get(LIST, {"check": "dealt_in_order"})
    (game,) = page.context["games"]
    assert (len(game.shown), game.left) == (2, 2)
    assert "e mais 2" in said(inspector, f"{LIST}?check=dealt_in_order")


def test_games_come_page_by_page(inspector: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.pages.law.undecided.ROUNDS", 1)
    for day in (DAY, "2025-11-21", "2025-11-22"):
        an_evening(rounds=2, day=day)
        reconcile(day, partida=f"BJ-01/{day}/1")
    address, seen = LIST, []
    while address:
        page = inspector.get(address)
        seen += [game.partida for game in page.context["games"]]
        address = page.context["next"]
    assert seen == [f"BJ-01/{day}/1" for day in ("2025-11-22", "2025-11-21", DAY)]


def test_the_checks_are_counted_the_most_often_first_and_led_to(inspector: Client) -> None:
    record_all([opened(), shared_box("a"), closed()])
    reconcile("first")
    page = inspector.get(LIST)
    times = [one.times for one in page.context["by_check"]]
    assert times == sorted(times, reverse=True)
    assert sum(times) == page.context["times"]
    one = next(one for one in page.context["by_check"] if "check=holder_decides" in one.url)
    assert (one.cited, one.times) == ("n.º 15", 1)
    assert rows(inspector.get(one.url)) == [
        ("jogada, sabot 1, n.º 1", "quem decidiu no lugar", "jogada")
    ]
    law = inspector.get("/law/pt/")
    assert law.context["undecided"] == sum(times)
    assert f"{LIST}?{law.context['stretch_query']}" in unescape(law.content.decode())


def test_what_the_houses_own_controls_could_not_decide_is_listed_too(inspector: Client) -> None:
    """Money at the table: no box was counted, nor the chips. It is under no rulebook."""
    record_all([opened(), shared_box("a"), closed()])
    reconcile("first")
    law = inspector.get("/law/pt/")
    way = f"/law/house/undecided/?{law.context['stretch_query']}"
    assert way in unescape(law.content.decode())
    page = inspector.get(way)
    assert law.context["house_undecided"] == sum(one.times for one in page.context["by_check"]) > 0
    (money,) = [one for one in page.context["by_check"] if "chips_are_those" in one.url]
    assert money.cited == "Controlo da casa: O dinheiro da mesa"
    assert [one[1] for one in rows(inspector.get(money.url))] == [
        "uma só contagem das fichas na abertura da partida"
    ]
    asked = "check=chips_are_those_of_the_game"
    file = b"".join(inspector.get(f"/law/house/undecided/csv/?{asked}")).decode("utf-8-sig")
    (told,) = csv.DictReader(StringIO(file))
    assert told["check"] == "chips_are_those_of_the_game"
    assert inspector.get("/law/house/").status_code == 404


def test_a_check_of_the_house_stands_under_one_article_of_it_alone() -> None:
    every = [check for one in house_articles().values() for check in one.upheld_by]
    assert {"chips_are_those_of_the_game", "cards_in_no_order_they_lay_in"} <= set(every)
    assert len(every) == len(set(every))


def test_it_is_taken_out_as_a_file_with_what_is_missing(inspector: Client) -> None:
    record_all([opened(), shared_box("a"), closed()])
    reconcile("first")
    answer = inspector.get(f"{LIST}csv/?check=holder_decides")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(StringIO(text))
    assert (row["table"], row["record"], row["cited"]) == (
        "BJ-01",
        "jogada, sabot 1, n.º 1",
        "n.º 15",
    )
    assert (row["missing"], row["recorded_as"]) == ("quem decidiu no lugar", "jogada")
    assert row["entry"].startswith("table/BJ-01#")
    every = inspector.get(f"{LIST}csv/")
    text = b"".join(every.streaming_content).decode("utf-8-sig")
    assert len(list(csv.DictReader(StringIO(text)))) == inspector.get(LIST).context["times"]
    taken = Export.objects.order_by("n").values_list("of_list", "entries")
    assert next(iter(taken)) == ("undecided", 1)
    assert client_of("chefia_da_sala").get(f"{LIST}csv/").status_code == 403


def test_no_file_judges_more_rounds_than_one_answer_may(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_evening(rounds=4)
    reconcile("first")
    monkeypatch.setattr("audit.pages.law.undecided.IN_FILE", 4)
    assert inspector.get(f"{LIST}csv/").status_code == 200
    monkeypatch.setattr("audit.pages.law.undecided.IN_FILE", 3)
    refused = inspector.get(f"{LIST}csv/")
    assert refused.status_code == 400
    assert "3 jogadas" in refused.content.decode()


# -- The words -------------------------------------------------------------------------------------


def test_every_name_among_them_is_a_checks_and_every_kind_can_be_told() -> None:
    assert set(LACKING) <= set(ALL_CHECKS) | set(house_controls.BY_NAME) | NAMED
    assert {one.kind for one in LACKING.values()} <= set(KINDS)
    assert all(kind_word(one.kind) for one in LACKING.values())


def test_no_check_of_a_rulebook_lacks_words_for_what_it_lacks() -> None:
    for book in rulebook_ids():
        asked = {one for article in load_law(book).articles.values() for one in article.upheld_by}
        assert asked - set(LACKING) == set(), book


def test_a_shuffle_that_is_on_record_is_not_itself_what_is_missing(inspector: Client) -> None:
    """Whether it came before the first card lies in the rounds, which tell no moment."""
    shuffled = CardsShuffled(
        table="BJ-01",
        partida=f"BJ-01/{DAY}/1",
        shoe=1,
        decks=tuple(DeckPasses(deck=one.deck, passes=7) for one in opened().decks),
    )
    record_all([opened(), shuffled, replace(played("a", place=1), times=None), closed()])
    reconcile("first")
    listed = rows(inspector.get(LIST, {"check": "shoe_is_shuffled"}))
    assert [one[1:] for one in listed] == [("quando saiu a primeira carta do sabot", "jogada")]


@pytest.mark.parametrize("why", ["not_stated:insurance.pays", "special_prize_of_others"])
def test_what_a_rulebook_does_not_say_is_lacking_in_no_record(why: str) -> None:
    asked = Unanswered("br", "insurance_loses", Undecided(why))
    with translation.override("en"):
        shown = _one(RequestFactory().get(LIST), asked, None, words())
    assert (shown.form_name, shown.form_url) == ("", "")
    assert "rulebook does not s" in shown.missing


def test_an_answer_with_what_it_lacks_is_the_same_answer() -> None:
    undecided = Undecided("first_stake_unknown", about="x")
    assert undecided == UNDECIDED
    assert {undecided: 1}[UNDECIDED] == 1
    assert about(undecided, "D-1") is undecided
    assert about(UNDECIDED, "D-1").subject == "D-1"
    assert about(LAWFUL, "D-1") is LAWFUL


# -- At size ---------------------------------------------------------------------------------------

_YEAR = """
WITH game AS (
    SELECT n, date '2025-01-01' + n / 20 AS day, 'BJ-' || lpad((n %% 20)::text, 2, '0') AS code
    FROM generate_series(1, %(games)s) AS n
), answers AS (
    SELECT jsonb_build_object('pt', jsonb_object_agg(name, jsonb_build_array(30, 0, 1))) AS told
    FROM unnest(%(checks)s::text[]) AS name
)
INSERT INTO audit_game_answers (entry_id, stream, n, gaming_day, table_code, partida_id,
    occurred_at, recorded_at, staff, office, supersedes_leaf, run, part, rounds, not_judged,
    answers)
SELECT gen_random_uuid(), 'reconciler', n, day, code, code || '/' || day || '/1', now(), now(), '',
    '', '', %(run)s::uuid, 1, 200, 0, told FROM game, answers"""
_ENDED = """
INSERT INTO audit_reconciliation_result (entry_id, stream, n, gaming_day, table_code, partida_id,
    occurred_at, recorded_at, staff, office, supersedes_leaf, run, rulebook, entries, rounds,
    findings, raised, superseded, undecided, digest, read_up_to)
VALUES (gen_random_uuid(), 'reconciler', 0, '2025-12-31', '', '', now(), now(), '', '', '',
    %(run)s, '', 0, 0, 0, 0, 0, 0, '', '[]')"""
RUN = "0193479e-9999-7c3e-9a54-0c6f2b1d7e10"
QUERIES = 14


@pytest.mark.check
def test_a_years_games_are_added_up_in_few_questions(
    fresh_db: str, connect_as: Callable[..., psycopg.Connection]
) -> None:
    people()
    games = size(400, 2_000, 7_300)
    with connect_as("postgres", autocommit=True) as vandal:
        vandal.execute("SET session_replication_role = replica")
        values = {"games": games, "checks": sorted(ALL_CHECKS), "run": RUN}
        vandal.execute(_YEAR, values)
        vandal.execute(_ENDED, values)
        vandal.execute("ANALYZE")
    inspector = client_of("inspetor")
    for page in ("/law/pt/", "/law/pt/15/"):
        for query in ("", "?from=2025-01-01&to=2025-12-31", "?from=2025-01-01&table=BJ-03"):
            with CaptureQueriesContext(connection) as asked:
                answer = inspector.get(f"{page}{query}")
            assert answer.status_code == 200
            assert len(asked) <= QUERIES, [one["sql"][:80] for one in asked.captured_queries]
    assert answer.context["judged"].games == len({n for n in range(1, games + 1) if n % 20 == 3})
