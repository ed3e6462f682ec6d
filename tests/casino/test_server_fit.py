"""A machine or a server that cannot hold the book is refused at the start, in two languages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from casino.machine import server_fit
from casino.machine.server_fit import Unfit, refuse_unfit, unfit_machine, unfit_server


class Server:
    """A server that answers as an old one would, or one of another language: none is at hand."""

    def __init__(self, *answer: object) -> None:
        self.answer = answer

    def cursor(self) -> "Server":
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None: ...

    def execute(self, asked: str) -> None:
        assert "server_version_num" in asked

    def fetchone(self) -> tuple[object, ...]:
        return self.answer


def both(wrong: list[str]) -> str:
    """The one thing that is wrong, said in two languages."""
    [said] = wrong
    assert " / " in said
    return said


@pytest.mark.django_db
def test_the_tests_own_server_and_machine_are_fit() -> None:
    assert unfit_machine() == []
    assert unfit_server(connection) == []
    refuse_unfit(connection)


def test_an_old_server_is_refused_and_the_oldest_that_is_taken_is_taken() -> None:
    assert "PostgreSQL 14" in both(unfit_server(Server(14, "UTF8", "C.UTF-8")))
    assert unfit_server(Server(15, "UTF8", "C.UTF-8")) == []
    with pytest.raises(Unfit, match="15 or newer"):
        refuse_unfit(Server(9, "UTF8", "C.UTF-8"))


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_write_every_name_is_refused(encoding: str) -> None:
    assert encoding in both(unfit_server(Server(15, encoding, "C")))


def test_a_zone_nobody_knows_is_refused(settings: Any) -> None:
    for zone in ("Europe/Lisboa", "../etc/passwd", ""):
        settings.HOUSE_TIME_ZONE = zone
        assert "tzdata" in both(unfit_machine())


def test_a_process_that_cannot_write_every_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_fit.sys, "getfilesystemencoding", lambda: "iso8859-1")
    assert "LC_ALL=C.UTF-8" in both(unfit_machine())


def test_a_disk_without_room_is_refused(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = server_fit.ROOM

    monkeypatch.setattr(server_fit.shutil, "disk_usage", lambda place: Usage)
    assert unfit_machine() == []
    Usage.free -= 1
    settings.BOOK_PUBLIC = ""
    assert "make room" in both(unfit_machine())

    def none() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(server_fit.tempfile, "gettempdir", none)
    assert "TMPDIR" in both(unfit_machine())


@pytest.fixture
def old_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The database says it is older than it is."""
    monkeypatch.setattr(server_fit, "OLDEST", 99)
    return


@pytest.mark.django_db
def test_the_command_before_the_start_names_it(old_server: None) -> None:
    with pytest.raises(SystemCheckError, match=r"casino\.E002.*99 or newer is needed"):
        call_command("check", databases=["default"])
