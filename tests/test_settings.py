"""A database is described without being asked; nothing is served without a key of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino.machine.environment_values import database_from, mirrors_from
from casino.web.login.provider_settings import (
    directory_from_environment,
    groups_from,
    provider_from_environment,
)
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python from the checkout with no settings but these."""
    left_out = {"SECRET_KEY", "DEBUG", "DATABASE_URL", "BROKER_URL", "DJANGO_SETTINGS_MODULE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_a_database_url_is_taken_apart() -> None:
    found = database_from("postgres://ana:p%40ss@db.invalid:5433/livro?sslmode=verify-full")
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "livro",
        "USER": "ana",
        "PASSWORD": "p@ss",
        "HOST": "db.invalid",
        "PORT": "5433",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"sslmode": "verify-full"},
    }


@pytest.mark.parametrize(
    "url",
    ["mysql://a:secret@b/c", "postgres://a:secret@b", "postgres://a:secret@b:port/c", "secret"],
)
def test_another_kind_of_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as refusal:
        database_from(url)
    assert "secret" not in str(refusal.value)


def test_mirrors_have_a_name_and_a_token_nobody_guesses() -> None:
    long, other = "a" * 32, "b" * 40
    assert mirrors_from(f" sri:{long}\n lab:{other} ") == {"sri": long, "lab": other}
    assert mirrors_from("") == {}
    for text in (f"sri:{long[1:]}", long, f":{long}", f"sri:{long} lab"):
        with pytest.raises(ImproperlyConfigured, match="name:token") as refused:
            mirrors_from(text)
        assert long[1:] not in str(refused.value)


def test_checks_pass_where_there_is_no_database() -> None:
    checked = run("manage.py", "check", DATABASE_URL="postgres://nowhere.invalid/x")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.share
def test_nothing_is_served_without_a_key() -> None:
    refused = run("-c", "import casino.wsgi")
    assert refused.returncode != 0
    assert "SECRET_KEY" in refused.stderr
    assert run("-c", "import casino.wsgi", SECRET_KEY="one-of-its-own").returncode == 0
    assert run("-c", "import casino.wsgi", DEBUG="1").returncode == 0


def test_a_job_is_handed_back_by_a_worker_that_dies() -> None:
    asked = ("task_acks_late", "task_reject_on_worker_lost")
    code = f"from casino.celery import app; print([app.conf[name] for name in {asked}])"
    assert run("-c", code).stdout.strip() == "[True, True]"


OIDC = {
    "OIDC_ISSUER": "https://sso.example/realms/casa",
    "OIDC_CLIENT_ID": "livro",
    "OIDC_CLIENT_SECRET": "s3cret",
    "OIDC_NUMBER_CLAIM": "employee_number",
}


@pytest.fixture
def no_provider(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in list(os.environ):
        if name.startswith("OIDC_"):
            monkeypatch.delenv(name)
    return monkeypatch


def test_there_is_no_provider_unless_it_is_named(no_provider: pytest.MonkeyPatch) -> None:
    assert provider_from_environment() is None
    for name, value in OIDC.items():
        no_provider.setenv(name, value)
    found = provider_from_environment()
    assert found is not None
    assert (found.host, found.groups_claim, found.second_factors) == (
        *("sso.example", "groups"),
        frozenset(),
    )


def test_passwords_are_switched_off_only_where_there_is_another_way(
    no_provider: pytest.MonkeyPatch,
) -> None:
    no_provider.delenv("PASSWORD_LOGIN", raising=False)
    assert directory_from_environment() == (None, {}, True)
    for value in ("0", "no"):
        no_provider.setenv("PASSWORD_LOGIN", value)
        with pytest.raises(ImproperlyConfigured, match="PASSWORD_LOGIN: encontrado"):
            directory_from_environment()
    no_provider.setenv("PASSWORD_LOGIN", "0")
    for name, text in OIDC.items():
        no_provider.setenv(name, text)
    assert directory_from_environment()[2] is False


@pytest.mark.parametrize("name", OIDC)
def test_a_provider_is_named_whole(name: str, no_provider: pytest.MonkeyPatch) -> None:
    for each, value in OIDC.items():
        no_provider.setenv(each, value)
    no_provider.setenv(name, "http://in-clear.example" if name == "OIDC_ISSUER" else "")
    with pytest.raises(ImproperlyConfigured, match=f"{name}: encontrado .*expected") as refused:
        provider_from_environment()
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('fiscal = ["a"]', "fiscal'; esperado um cargo: administrador, "),
        ('dispositivo = ["a"]', "expected one of administrador, "),
        ("auditor = []", "expected auditor = ['grupo']"),
        ('auditor = "a"', "auditor = 'a'"),
        ('auditor = ["a", ""]', "auditor"),
        ("auditor = [1]", "auditor"),
        ("auditor", "expected a TOML file"),
    ],
)
def test_a_file_of_groups_is_read_strictly(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "offices.toml"
    file.write_text(text)
    with pytest.raises(ImproperlyConfigured, match="DIRECTORY_OFFICES") as refused:
        groups_from(file)
    assert why in str(refused.value).replace('"', "'")
    with pytest.raises(ImproperlyConfigured, match="DIRECTORY_OFFICES"):
        groups_from(tmp_path / "none.toml")


def test_the_groups_of_an_office_are_any_of_those_named(tmp_path: Path) -> None:
    file = tmp_path / "offices.toml"
    file.write_text('fiscal_chefe = ["Chefes", "Adjuntos"]\nauditor = ["Auditoria"]\n', "utf-8")
    assert groups_from(file) == {
        "fiscal_chefe": {"Chefes", "Adjuntos"},
        "auditor": {"Auditoria"},
    }


def asked(name: str, **environment: str) -> str:
    """What the settings call something under these; what they say where they refuse."""
    shown = f"from casino import settings; print(settings.{name})"
    done = run("-c", shown, **({"DEBUG": "1"} | environment))
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_a_house_to_train_in_is_named_so_and_reaches_nobody_outside() -> None:
    assert asked("CASINO_NAME", TRAINING="1", CASINO_NAME="Casino X") == "TREINO · Casino X"
    assert asked("CASINO_NAME", CASINO_NAME="Casino X") == "Casino X"
    outside = {"MAIL_HOST": "mail.casino.example", "WEBHOOK_HOSTS": "srij.example"}
    for name, value in {**outside, "TSA_URL": "http://tsa.example/"}.items():
        said = asked("TRAINING", TRAINING="1", **{name: value})
        assert f"{name}: found with TRAINING=1" in said


@pytest.mark.parametrize("address", ["javascript:alert(1)", "http://treino.casino.example/"])
def test_the_way_to_the_training_is_an_address_over_tls(address: str) -> None:
    assert asked("HOUSE_TRAINING", HOUSE_TRAINING="https://t.example/") == "https://t.example/"
    assert "HOUSE_TRAINING: found" in asked("HOUSE_TRAINING", HOUSE_TRAINING=address)
