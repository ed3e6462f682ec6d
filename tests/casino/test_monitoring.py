"""Does it live, is it ready, how is it: what programs that look after the house are told."""

import json
import logging
import re
from collections import Counter
from datetime import timedelta
from typing import Any, Final

import pytest
import yaml
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from audit.models import Mail, WatchLook
from casino import clock
from casino.extensions import extensions
from casino.models import Account, BookEntry, HeldRecord, JobTry
from casino.recording.writing import add_job
from casino.web.monitoring import readiness
from tests.factories.findings import PEOPLE, client_of, finding, people, write
from tests.factories.records import burnt, recorded
from tests.gate import ROOT

TOKEN: Final = "k7Yt3-QmZ0_vLr9WxB5nHs2PdGc8JfUeTa6Ri4OoVbN"


def ready(path: str = "/readyz") -> tuple[int, dict[str, str]]:
    """The status of an answer, and what is not well by it."""
    answer = Client().get(path)
    said = answer.json()
    assert said["ready"] is (answer.status_code == 200)
    return answer.status_code, {name: it for name, it in said["checks"].items() if it != "ok"}


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that does not answer."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OperationalError("connection refused: password=secret")

    monkeypatch.setattr(connection, "cursor", refuse)


@pytest.mark.usefixtures("away")
@pytest.mark.django_db
def test_a_process_lives_whatever_became_of_the_database() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies


@pytest.mark.usefixtures("away")
@pytest.mark.django_db
def test_without_a_database_it_is_not_ready_and_nothing_else_is_asked() -> None:
    status, wrong = ready()
    assert status == 503
    assert wrong.pop("database") == "the database does not answer"
    assert set(wrong.values()) == {"not asked"}
    assert ready("/readyz/records")[0] == 503
    assert "secret" not in str(ready())


@pytest.mark.django_db
def test_a_house_at_work_is_ready() -> None:
    recorded(burnt())
    assert ready() == (200, {})


@pytest.mark.django_db
def test_tables_of_an_older_program_are_not_enough_to_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    newer = readiness._last_migrations() | {("casino", "9999_newer")}
    monkeypatch.setattr(readiness, "_last_migrations", lambda: newer)
    for path in ("/readyz", "/readyz/records"):
        assert ready(path) == (503, {"migrations": "not applied: casino.9999_newer"})


@pytest.mark.django_db
def test_what_waits_is_named_and_does_not_keep_anybody_from_recording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded(burnt())
    monkeypatch.setenv("CLOCK_OFFSET", "300")
    status, wrong = ready()
    assert status == 503
    assert set(wrong) == {"broker", "sequencer"}
    assert wrong["broker"].startswith("a job was due at 20")
    assert ready("/readyz/records") == (200, {})


@pytest.mark.django_db
@pytest.mark.parametrize(("refused", "said"), [('{"code": "shorter"}', "shorter"), ("", "unknown")])
def test_a_signer_that_refuses_is_named(
    refused: str, said: str, settings: Any, tmp_path: Any
) -> None:
    settings.BOOK_PUBLIC = str(tmp_path)
    (tmp_path / "refused").write_text(refused)
    assert ready() == (503, {"signer": f"refuses: {said}"})
    assert ready("/readyz/records") == (200, {})


@pytest.mark.django_db
def test_probes_are_answered_without_https_and_pages_are_not(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    statuses = {
        path: Client().get(path).status_code for path in ("/healthz", "/readyz", "/metrics")
    }
    assert statuses == {"/healthz": 200, "/readyz": 200, "/metrics": 401}
    assert Client().get("/admin/login/").status_code == 301


# The figures


def figures(**headers: str) -> dict[tuple[str, ...], float]:
    """Every figure by its name and the values of its labels, in the order of their names."""
    client = Client()
    answer = client.get("/metrics", headers=headers or {"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *dict(sorted(sample.labels.items())).values()): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


@pytest.fixture
def token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


@pytest.mark.django_db
@pytest.mark.parametrize(
    "said", ["", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, f"Basic {TOKEN}",
             "Bearer ção"],
)  # fmt: skip
@pytest.mark.usefixtures("token")
def test_another_token_opens_nothing_and_is_noted(
    said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "casino.security_log"):
        answer = Client().get("/metrics", headers={"authorization": said})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert b"livro_" not in answer.content
    assert "metrics-refused" in caplog.text
    assert TOKEN not in caplog.text


@pytest.mark.django_db
def test_without_a_token_of_the_house_no_token_opens_it() -> None:
    for said in ("", "Bearer ", "Bearer"):
        assert Client().get("/metrics", headers={"authorization": said}).status_code == 401


@pytest.mark.django_db
def test_an_administrador_reads_them_in_his_browser_and_nobody_else_does() -> None:
    people()
    statuses = {office: client_of(office).get("/metrics").status_code for office in PEOPLE}
    assert statuses.pop("administrador") == 200
    assert set(statuses.values()) == {403}


@pytest.mark.django_db
@pytest.mark.usefixtures("token")
def test_figures_of_an_empty_house_are_there_and_nothing() -> None:
    found = figures()
    assert found["livro_jobs", "unsent", "held-record"] == 0
    assert found["livro_stands_still", "watch_silent"] == 0
    for name in ("held_record_late", "unsealed", "run_oldest", "mail_oldest"):
        assert found[f"livro_{name}_seconds",] == 0
    assert not {"livro_checkpoint_timestamp_seconds"} & {name for name, *_ in found}


@pytest.mark.django_db
@pytest.mark.usefixtures("token")
def test_entries_wait_for_their_place_and_for_their_checkpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded(burnt())
    monkeypatch.setenv("CLOCK_OFFSET", "300")
    found = figures()
    entries = BookEntry.objects.count()
    assert found["livro_entries_total", "table/BJ-06"] == 1
    assert (found["livro_pending_entries",], found["livro_tree_size",]) == (entries, 0)
    assert 299 < found["livro_unsealed_seconds",] < 900
    assert 200 < found["livro_job_oldest_seconds", "unsent"] < 900
    assert found["livro_jobs", "unsent", "partida-touched"] == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("token")
def test_what_was_given_up_or_is_held_is_counted() -> None:
    now = clock.now()
    add_job("report", "one", {})
    JobTry.objects.create(key="one", topic="report", tries=3, began_at=now, failed_at=now)
    kept = {"table_code": "BJ-06", "partida_id": "", "staff": "S-1", "submissions": []}
    minute = timedelta(minutes=1)
    for key, failed in (("0" * 32, None), ("1" * 32, now)):
        HeldRecord.objects.create(
            key=key, made_at=now - minute, due_at=now - minute, failed_at=failed, **kept
        )
    account = Account.objects.create_user("S-9", None)
    mail = {"account": account, "about": [], "made_at": now - minute}
    Mail.objects.create(id="2" * 32, next_at=now, **mail)
    Mail.objects.create(id="3" * 32, given_up_at=now, **mail)
    WatchLook.objects.create(which="floor", at=now - timedelta(hours=1))
    found = figures()
    assert found["livro_jobs", "unsent", "report"] == found["livro_jobs_given_up",] == 1
    assert found["livro_held_records", "waiting"] == found["livro_held_records", "failed"] == 1
    assert 60 <= found["livro_held_record_late_seconds",] < 600
    assert found["livro_mails", "waiting"] == found["livro_mails", "given_up"] == 1
    assert found["livro_stands_still", "watch_silent"] == 1
    assert found["livro_stands_still", "mail_not_delivered"] == 1
    assert found["livro_watch_look_timestamp_seconds", "floor"] == pytest.approx(
        (now - timedelta(hours=1)).timestamp()
    )


@pytest.mark.django_db
@pytest.mark.usefixtures("token")
def test_a_finding_is_counted_by_article_and_gravity_and_names_nobody() -> None:
    write([finding(1), finding(2)])
    found = figures()
    assert {key: it for key, it in found.items() if key[0] == "livro_findings_open"} == {
        ("livro_findings_open", "21", "breach", "pt"): 2
    }
    assert not any(label.startswith("S-") for key in found for label in key)


@pytest.mark.django_db
@pytest.mark.usefixtures("token", "away")
def test_figures_nobody_can_ask_for_are_no_fault_of_the_program() -> None:
    answer = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 503
    assert b"secret" not in answer.content


# What is made for these figures: rules, a dashboard, the page that says what they mean

MADE: Final = ROOT / "docs" / "monitoring"
NAMED: Final = re.compile(r"(livro_[a-z_]+)(?:\{([^}]*)\})?")


def families() -> dict[str, tuple[str, ...]]:
    """The labels of every figure by its name, as it stands in the answer."""
    return {
        f"{one.name}_total" if one.type == "counter" else one.name: one._labelnames
        for package in extensions()
        for one in package.figures(clock.now())
    }


def expressions() -> dict[str, str]:
    """What rules and dashboard ask, by where it stands."""
    rules = yaml.safe_load((MADE / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
    board = json.loads((MADE / "dashboard.json").read_text("utf-8"))
    asked = {rule["alert"]: rule["expr"] for rule in rules}
    assert len(asked) == len(rules), "an alert stands there twice"
    for panel in board["panels"]:
        asked |= {f"{panel['title']} {one['refId']}": one["expr"] for one in panel["targets"]}
    return asked


@pytest.mark.django_db
def test_rules_and_dashboard_ask_for_figures_and_labels_there_are() -> None:
    there = families()
    for where, asked in expressions().items():
        named = NAMED.findall(asked)
        assert named, where
        for name, chosen in named:
            assert name in there, (where, name)
            by = re.findall(r"by \(([^)]*)\)", asked)
            of = [one.partition("=")[0] for one in chosen.split(",") if one]
            of += [one.strip() for group in by for one in group.split(",")]
            assert set(of) <= set(there[name]), (where, name, of)


@pytest.mark.django_db
def test_grafana_takes_the_dashboard_and_every_panel_has_its_place() -> None:
    """What Grafana's import asks of one: https://grafana.com/docs/grafana/latest/dashboards/ ."""
    text = (MADE / "dashboard.json").read_text("utf-8")
    board = json.loads(text)
    assert re.fullmatch(r"[\w-]{1,40}", board["uid"])
    assert "id" not in board  # whoever imports it gives one
    assert board["schemaVersion"] >= 36
    asked_for = {f"${{{one['name']}}}" for one in board["__inputs"]}
    asked_for |= {f"${one['name']}" for one in board["templating"]["list"]}
    assert set(re.findall(r"\$\{?\w+\}?", text)) <= asked_for
    panels, there, taken = board["panels"], families(), Counter[tuple[int, int]]()
    assert len({one["id"] for one in panels}) == len(panels)
    for panel in panels:
        title, place = panel["title"], panel["gridPos"]
        assert panel["type"] in ("stat", "timeseries"), title
        assert "" not in (title.strip(), panel["description"].strip())
        assert min(place["w"], place["h"]) > 0
        assert 0 <= place["x"] <= place["x"] + place["w"] <= 24, title
        taken.update(
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        )
        assert len({one["refId"] for one in panel["targets"]}) == len(panel["targets"]) > 0
        for one in (panel, *panel["targets"]):
            assert one["datasource"]["type"] == "prometheus", title
            assert one["datasource"]["uid"] in asked_for, title
        for one in panel["targets"]:
            labels = set(re.findall(r"\{\{\s*(\w+)\s*\}\}", one.get("legendFormat", "")))
            kept = re.findall(r"by \(([^)]*)\)", one["expr"])
            known = {part.strip() for group in kept for part in group.split(",")}
            known = known or {
                part for name, _ in NAMED.findall(one["expr"]) for part in there[name]
            }
            assert labels <= known, (title, one["expr"])
        levels = panel["fieldConfig"]["defaults"].get("thresholds", {}).get("steps", ())
        assert [one["value"] for one in levels[:1]] in ([], [None]), title
        values = [one["value"] for one in levels[1:]]
        assert values == sorted(values), title
    assert set(taken.values()) == {1}  # no panel lies over another


@pytest.mark.django_db
def test_the_page_says_what_each_figure_and_each_alert_is() -> None:
    page = (MADE.parent / "monitoring.md").read_text("utf-8")
    described = {name for name, _ in NAMED.findall(page)}
    assert described == set(families())
    rules = yaml.safe_load((MADE / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
    for rule in rules:
        assert f"| `{rule['alert']}` |" in page, rule["alert"]
        assert set(rule["annotations"]) == {"summary", "summary_en"}
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))
        assert rule["expr"].count("(") == rule["expr"].count(")")
        for text in rule["annotations"].values():
            labels = set(re.findall(r"\$labels\.(\w+)", text))
            name = NAMED.findall(rule["expr"])[0][0]
            assert labels <= set(families()[name])


@pytest.mark.django_db
@pytest.mark.usefixtures("token")
def test_every_statement_of_a_scrape_is_bounded_however_full_the_book() -> None:
    recorded(burnt())
    with CaptureQueriesContext(connection) as asked:
        figures()
    statements = [one["sql"] for one in asked.captured_queries]
    assert len(statements) <= 25
    assert "statement_timeout" in " ".join(statements[:3])
    (of_rounds,) = [one for one in statements if "casino_round" in one]
    assert '"gaming_day" = ' in of_rounds
    whole = [one for one in statements if "book_entry" in one and "LIMIT" not in one.upper()]
    assert whole == []
