"""One table of services, and on a server each has its account, its secrets and its bounds."""

import re
from typing import Any, Final

import pytest

from casino.host import house_conf, plan, server_files, unit_files
from casino.host.plan import HOSTED, environment_of, secrets_of
from casino.local.services import SERVICES, VARIABLES, Service

GIVEN: Final = {
    "HOUSE": "livro.casino.pt",
    "CASINO_NAME": 'Casino "Mar" 100%',
    "CONCESSION_HOLDER": "Mar, S.A.",
    "CASINO_PLACE": "Vila",
}
SETTINGS: Final = house_conf.derived(house_conf.read(house_conf.template(GIVEN), "house.conf"))
THERE: Final = frozenset({*plan.MADE, plan.BROKER_URL})
UNITS: Final = unit_files.unit_files(SETTINGS, THERE)


def values(unit: str, name: str) -> list[str]:
    """What a unit says under a name."""
    return re.findall(rf"^{name}=(.*)$", UNITS[unit], re.MULTILINE)


def unit_of(service: Service) -> str:
    return f"livro-{service.name}.service"


def test_what_is_hosted_is_what_the_launcher_runs() -> None:
    assert set(HOSTED) == {one.name for one in SERVICES}
    assert {unit_of(one) for one in SERVICES} <= set(UNITS)
    assert len(set(plan.ACCOUNTS)) == len(SERVICES) + 1


@pytest.mark.parametrize("service", SERVICES, ids=lambda one: one.name)
def test_a_service_runs_the_command_of_the_table_as_an_account_of_its_own(service: Any) -> None:
    [command] = values(unit_of(service), "ExecStart")
    assert all(word.split("{")[0] in command for word in service.command)
    assert "{" not in command
    assert values(unit_of(service), "User") == [f"livro-{service.name}"]
    assert values(unit_of(service), "Group") == ["livro"]


@pytest.mark.parametrize("service", SERVICES, ids=lambda one: one.name)
def test_a_service_gets_the_addresses_and_secrets_it_needs_and_no_others(service: Any) -> None:
    credentials = {line.split(":")[0] for line in values(unit_of(service), "LoadCredential")}
    environment = environment_of(HOSTED[service.name], service.needs, SETTINGS, THERE)
    addresses = {name for name in environment if name.endswith("DATABASE_URL")}
    assert addresses == set(service.needs) - {"BROKER_URL"}
    passwords = {
        f"{role.upper()}_PASSWORD" for role, name in VARIABLES.items() if name in addresses
    }
    assert {name for name in credentials if name.endswith("_PASSWORD")} == passwords
    assert ("BROKER_URL" in credentials) == ("BROKER_URL" in service.needs)
    assert "OWNER_PASSWORD" not in credentials
    # No secret in clear, nor a password in an address: a unit is to be read by everybody.
    assert not any("://" in value and ":" in value.split("@")[0].split("//")[1]
                   for name, value in environment.items() if name in addresses)  # fmt: skip


def test_only_who_needs_the_houses_keys_has_them() -> None:
    having = {
        one.name for one in SERVICES if "SECRET_KEY" in secrets_of(HOSTED[one.name], one.needs)
    }
    assert having == {"web", "worker"} == {one.name for one in SERVICES if one.keys}
    signer = next(one for one in SERVICES if one.name == "signer")
    assert secrets_of(HOSTED["signer"], signer.needs) == ("SIGNER_TOKEN_PIN", "SIGNER_PASSWORD")
    token = unit_files.unit_files({**SETTINGS, "SIGNER_TOKEN": "/usr/lib/driver.so livro"}, THERE)
    for name in ("signer", "web"):
        assert ("/usr/lib/driver.so livro" in token[f"livro-{name}.service"]) == (name == "signer")
    for name, hosted in HOSTED.items():
        assert (plan.SIGNER in hosted.writes) == (name == "signer")


@pytest.mark.parametrize("service", SERVICES, ids=lambda one: one.name)
def test_a_service_can_change_nothing_and_reach_nobody_it_need_not(service: Any) -> None:
    text = UNITS[unit_of(service)]
    for line in (
        *("NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict"),
        *("PrivateTmp=yes", "SystemCallFilter=@system-service", "ProtectHome=yes"),
    ):
        assert f"{line}\n" in text
    assert re.search(r"^MemoryMax=\d", text, re.MULTILINE)
    assert ("IPAddressDeny=any" in text) == (service.name != "worker")
    assert str(plan.HOME) not in " ".join(values(unit_of(service), "ReadWritePaths"))


def test_the_pages_reach_an_identity_provider_where_one_is_named() -> None:
    named = unit_files.unit_files({**SETTINGS, "OIDC_ISSUER": "https://sso.casino.pt"}, THERE)
    assert "IPAddressDeny=any" not in named["livro-web.service"]
    assert "Environment=OIDC_ISSUER=https://sso.casino.pt" in named["livro-web.service"]
    assert "OIDC" not in named["livro-worker.service"]


def test_what_is_typed_reaches_the_service_as_it_was_typed() -> None:
    """systemd reads % and quotation marks in its own way."""
    assert 'Environment="CASINO_NAME=Casino \\"Mar\\" 100%%"' in UNITS["livro-worker.service"]
    assert "Environment=SECRET_KEY_FILE=%d/SECRET_KEY" in UNITS["livro-web.service"]
    assert "CASINO_NAME" not in UNITS["livro-web.service"]


def test_a_secret_that_does_not_exist_is_not_loaded() -> None:
    assert "MIRROR_TOKENS" not in UNITS["livro-web.service"]
    more = unit_files.unit_files(SETTINGS, THERE | {"MIRROR_TOKENS"})
    assert "LoadCredential=MIRROR_TOKENS:" in more["livro-web.service"]


def test_the_database_takes_nobody_in_clear() -> None:
    rows = [line.split() for line in server_files.book_hba().splitlines()[1:]]
    assert [row[:3] for row in rows if row[0] == "local"] == [["local", "all", "postgres"]]
    assert {row[-1] for row in rows if row[0] == "hostssl"} == {"scram-sha-256"}
    assert rows[-1] == ["host", "all", "all", "all", "reject"]
    assert {row[0] for row in rows} == {"local", "hostssl", "host"}


def test_in_front_a_request_has_its_bounds_and_clear_is_sent_on() -> None:
    text = server_files.proxy(SETTINGS)
    assert "return 301 https://livro.casino.pt$request_uri;" in text
    assert "client_max_body_size 44m;" in text
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in text
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in text
    own = {**SETTINGS, "CERTIFICATE": "/x/a.pem", "CERTIFICATE_KEY": "/x/a.key"}
    assert "ssl_certificate     /x/a.pem;" in server_files.proxy(own)


def test_the_queue_listens_by_tls_on_this_machine_alone() -> None:
    text = server_files.queue_conf()
    assert "listeners.tcp = none" in text
    assert re.findall(r"^listeners\.ssl\.\d = (.*):\d+$", text, re.MULTILINE) == [
        "127.0.0.1",
        "::1",
    ]
    assert plan.broker_url("x").startswith("amqps://")
