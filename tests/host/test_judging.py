"""Each thing the doctor looks at, as it should be and made wrong."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino.host import machine_judging as judging
from casino.machine.host_findings import Finding, Text, lines

NOW = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
GOOD = "k7Yt3-QmZ0_vLr9WxB5nHs2PdGc8JfUeTa6Ri4"
HELD = {"SECRET_KEY": (0o600, 0, GOOD), "APP_PASSWORD": (0o600, 0, GOOD)}
SERVER = {
    **dict.fromkeys(("fsync", "full_page_writes", "synchronous_commit", "data_checksums"), "on"),
    "ssl": "on",
    "archive_mode": "on",
    "password_encryption": "scram-sha-256",
    "server_version_num": "150020",
    "TimeZone": "UTC",
    "encoding": "UTF8",
    "collate": "C.UTF-8",
}
GB = 1024**3
TRACKED = "A9FE,10.0.0.1,3,1795724940.1,{offset},0.0,0.0,0,0,0,0,0,64.0,{leap}"


def said(one: Finding) -> str:
    """What a finding says in English, as a terminal shows it in both."""
    assert "\n".join(lines([one]))
    return one.found.en


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""),
        ({"APP_PASSWORD": (0o640, 0, GOOD)}, "APP_PASSWORD: 640"),
        ({"APP_PASSWORD": (0o600, 33, GOOD)}, "uid 33"),
        ({"APP_PASSWORD": (0o600, 0, "change-me")}, "known or short"),
        ({"APP_PASSWORD": (0o600, 0, GOOD[:31])}, "known or short"),
        ({"APP_PASSWORD": (0o600, 0, GOOD[:32])}, ""),
        ({"MAIL_PASSWORD": (0o600, 0, "short but theirs")}, ""),
        ({"MAIL_PASSWORD": (0o600, 0, "")}, "MAIL_PASSWORD is empty"),
    ],
)
def test_secrets(change: Any, words: str) -> None:
    one = judging.secrets(0o700, {**HELD, **change}, ("SECRET_KEY", "APP_PASSWORD"))
    assert one.state == ("wrong" if words else "ok")
    assert words in said(one)
    assert GOOD[:31] not in repr(one)


def test_a_secret_that_is_missing_and_a_folder_everybody_enters() -> None:
    assert "SIGNER_PASSWORD is missing" in said(
        judging.secrets(0o700, HELD, (*HELD, "SIGNER_PASSWORD"))
    )
    assert "755" in said(judging.secrets(0o755, HELD, HELD))
    assert judging.secrets(None, {}, HELD).state == "wrong"


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("server_version_num", "140009", "server-version"),
        ("fsync", "off", "server-safe"),
        ("data_checksums", "off", "server-safe"),
        ("ssl", "off", "server-safe"),
        ("archive_mode", "off", "server-safe"),
        ("password_encryption", "md5", "server-safe"),
        ("encoding", "SQL_ASCII", "locale"),
        ("collate", "pt_PT.ISO-8859-1", "locale"),
        ("TimeZone", "Europe/Lisbon", "zone"),
    ],
)
def test_the_server(name: str, value: str, check: str) -> None:
    assert {one.state for one in judging.server(SERVER)} == {"ok"}
    wrong = [one for one in judging.server({**SERVER, name: value}) if one.state != "ok"]
    assert [one.check for one in wrong] == [check]
    assert all(one.remedy.pt and one.expected.en for one in wrong)


@pytest.mark.parametrize(("free", "state"), [(20, "ok"), (15, "ok"), (14, "warning"), (4, "wrong")])
def test_the_disk(free: int, state: str) -> None:
    assert judging.disk("/srv", free * GB, 100 * GB).state == state


def test_a_small_disk_has_two_gigabytes_free_or_is_out() -> None:
    assert judging.disk("/srv", 2 * GB, 4 * GB).state == "ok"
    assert judging.disk("/srv", 2 * GB - 1, 4 * GB).state == "wrong"


@pytest.mark.parametrize(
    ("tracking", "state"),
    [
        (TRACKED.format(offset="0.4", leap="Normal"), "ok"),
        (TRACKED.format(offset="-0.6", leap="Normal"), "wrong"),
        (TRACKED.format(offset="0.0", leap="Not synchronised"), "wrong"),
        ("506 Cannot talk to daemon", "wrong"),
        (None, "wrong"),
    ],
)
def test_the_clock(tracking: str | None, state: str) -> None:
    assert judging.clock(tracking).state == state


def test_the_archive() -> None:
    last = NOW - timedelta(minutes=1)
    assert judging.archive(0, None, False, last, NOW).state == "ok"
    assert judging.archive(2, NOW - timedelta(minutes=10), False, last, NOW).state == "ok"
    assert "2 not archived" in said(
        judging.archive(2, NOW - timedelta(minutes=11), False, last, NOW)
    )
    assert "the last try failed" in said(judging.archive(1, last, True, last, NOW))
    assert judging.archive(0, None, False, None, NOW).state == "wrong"


def test_the_backup() -> None:
    def info(*hours: int) -> str:
        stops = [(NOW - timedelta(hours=each)).timestamp() for each in hours]
        return json.dumps([{"backup": [{"timestamp": {"stop": int(stop)}} for stop in stops]}])

    assert judging.backup(info(50, 26), NOW).state == "ok"
    assert judging.backup(info(50, 27), NOW).state == "wrong"
    assert said(judging.backup(info(), NOW)) == "no backup"
    assert "does not answer" in said(judging.backup("", NOW))
    assert judging.off_host("/mnt/far", False).state == "ok"
    assert judging.off_host("/var/backups", True).state == "wrong"


def test_a_certificate() -> None:
    later = NOW + timedelta(days=30)
    assert judging.certificate("x", later, NOW).state == "ok"
    assert judging.certificate("x", later - timedelta(days=1), NOW).state == "warning"
    assert judging.certificate("x", NOW + timedelta(days=6), NOW).state == "wrong"
    assert judging.certificate("x", later, NOW, own=True).state == "warning"
    assert judging.certificate("x", None, NOW).state == "wrong"
    assert "another name" in said(judging.certificate("x", later, NOW, names_host=False))
    assert judging.certificate("x", later, NOW, fits=False).state == "wrong"


def test_services_and_what_they_do() -> None:
    assert judging.services({"nginx": "active"}).state == "ok"
    assert "livro-web.service: failed" in said(
        judging.services({"nginx": "active", "livro-web.service": "failed"})
    )
    assert judging.pulse("worker", 150, 150).state == "ok"
    assert judging.pulse("worker", 151, 150).state == "wrong"
    assert judging.pulse("worker", None, 150).state == "wrong"
    names = ("database", "migrations", "broker", "sequencer", "signer")
    well = {"ready": True, "checks": dict.fromkeys(names, "ok")}
    assert {one.state for one in judging.ready(json.dumps(well))} == {"ok"}
    well["checks"] = {**dict.fromkeys(names, "ok"), "migrations": "not applied: casino.0042"}
    [wrong] = [one for one in judging.ready(json.dumps(well)) if one.state == "wrong"]
    assert said(wrong) == "not applied: casino.0042"
    for answer in (None, "", "[]", "503"):
        assert {one.state for one in judging.ready(answer)} == {"wrong"}


def test_the_drill() -> None:
    def left(days: int, code: int) -> str:
        return json.dumps(
            {"at": (NOW - timedelta(days=days)).isoformat(), "exit": code, "said": ""}
        )

    assert judging.drill(left(8, 0), NOW).state == "ok"
    assert judging.drill(left(9, 0), NOW).state == "warning"
    assert judging.drill(left(1, 1), NOW).state == "wrong"
    assert said(judging.drill(None, NOW)) == "none yet"
    assert judging.drill("{}", NOW).state == "warning"


def test_what_the_program_says_and_what_was_changed_by_hand() -> None:
    assert judging.schema(0, "as recorded").state == "ok"
    assert judging.schema(1, "- trigger gone").state == "wrong"
    assert judging.settings(1, "casino.E002 …").state == "wrong"
    assert judging.settings(0, "").state == "ok"
    assert judging.files([]).state == "ok"
    assert said(judging.files(["/etc/nginx/x"])) == "/etc/nginx/x"
    assert judging.ways_in([Text("a", "b")]).state == "wrong"
    assert judging.zones(["Europe/Lisbon"]).state == "wrong"
