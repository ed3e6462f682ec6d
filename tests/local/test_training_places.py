"""A house to train in has nothing in common with another: folder, port, database, log."""

from pathlib import Path

import pytest

from casino.local import addresses
from casino.local.local_places import state_of
from casino.local.local_trouble import Trouble
from casino.local.run_house import is_demo, usual_port

OF_DATABASES = ("DATABASE_URL", "OWNER_DATABASE_URL", "BROKER_URL")


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*addresses.roles.VARIABLES.values(), "BROKER_URL", "LOG_ORIGIN", "LIVRO_STATE"):
        monkeypatch.delenv(name, raising=False)


def test_its_folder_and_its_port_are_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIVRO_STATE", str(tmp_path / "house"))
    real, port = state_of(), usual_port()
    monkeypatch.setenv("TRAINING", "1")
    assert state_of() == tmp_path / "house-training"
    assert (real, port, usual_port()) == (tmp_path / "house", 8000, 8100)


@pytest.mark.parametrize("name", OF_DATABASES)
def test_it_takes_no_address_of_another_house(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TRAINING", "1")
    assert addresses.wanted() == addresses.Wanted(book=True, queue=True)
    monkeypatch.setenv(name, "postgres://somewhere.invalid/casino")
    with pytest.raises(Trouble, match=rf"of its own; found: {name}"):
        addresses.wanted()


def test_its_log_is_a_demonstration_whatever_the_environment_calls_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOG_ORIGIN", "book.casino.example/sala/1")
    known = {"SIGNER_DATABASE_URL": "postgres://signer@127.0.0.1/casino"}
    earnest = addresses.of_the_signer(known, tmp_path)["LOG_ORIGIN"]
    monkeypatch.setenv("TRAINING", "1")
    training = addresses.of_the_signer(known, tmp_path)["LOG_ORIGIN"]
    assert earnest == "book.casino.example/sala/1"
    assert training.startswith("demo.invalid/training/")
    assert is_demo(training)
