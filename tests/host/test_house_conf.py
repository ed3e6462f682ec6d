"""house.conf is read strictly: half-written, unknown or unfit is refused with its line."""

import pytest

from casino.host.host_trouble import Trouble
from casino.host.house_conf import SETTINGS, derived, read, template

GIVEN = {
    "HOUSE": "livro.casino.pt",
    "CASINO_NAME": "Casino d'Oiro",
    "CONCESSION_HOLDER": "Oiro, S.A.",
    "CASINO_PLACE": "Vila",
}
LAWFUL = template(GIVEN)


def test_what_was_given_is_read_back_and_the_rest_has_its_default() -> None:
    found = read(LAWFUL, "house.conf")
    assert {name: found[name] for name in GIVEN} == GIVEN
    assert found["LOG_ORIGIN"] == "book.livro.casino.pt/sala/1"
    assert found["BACKUP_DAYS"] == "30"
    assert found["MAIL_HOST"] == ""
    assert derived(found)["HOUSE_URL"] == "https://livro.casino.pt"
    assert set(found) == {one.name for one in SETTINGS}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("MAIL_HOST", "expected NAME = value"),
        ("= x", "expected NAME = value"),
        ("MAILHOST = mail.casino.pt", "MAILHOST is not known"),
        ("HOUSE = other.casino.pt", "HOUSE stands there twice"),
        ("MAIL_USER = <user>", "MAIL_USER is half-written"),
        ("MAIL_USER = ${USER}", "MAIL_USER is half-written"),
        ('MAIL_USER = "livro', "MAIL_USER is half-written"),
        ("MAIL_USER = CHANGE-ME", "MAIL_USER is half-written"),
        ("MAIL_PORT = 0", "from 1 to 65535"),
        ("MAIL_PORT = 65536", "from 1 to 65535"),
        ("MAIL_PORT = 5e2", "from 1 to 65535"),
        ("MAIL_HOST = https://mail.casino.pt", "a name as livro.casino.pt"),
        ("MAIL_TLS = none", "starttls or tls"),
        ("CERTIFICATE = /etc/a.pem", "go together"),
        ("TSA_CERTIFICATES = a.pem", "a path that begins with /"),
        ("MIRROR_OPEN = yes", "0 or 1"),
    ],
)
def test_a_line_that_cannot_be_meant_is_refused(line: str, said: str) -> None:
    with pytest.raises(Trouble) as refused:
        read(f"{LAWFUL}{line}\n", "house.conf")
    assert said in refused.value.said.en
    assert (
        refused.value.said.pt.count("house.conf") == refused.value.said.en.count("house.conf") == 1
    )


@pytest.mark.parametrize(
    "line", ["MAIL_PORT = 1", "MAIL_PORT = 65535", "MIRROR_OPEN = 0", "", "# x"]
)
def test_at_the_boundary_it_is_taken(line: str) -> None:
    read(f"{LAWFUL}{line}\n", "house.conf")


@pytest.mark.parametrize(
    "house", ["livro", "Livro.casino.pt", "livro.casino.pt:443", "10.0.0.1", "-a.pt", "a..pt"]
)
def test_a_house_has_a_name_browsers_can_ask_for(house: str) -> None:
    with pytest.raises(Trouble, match="HOUSE"):
        read(template({**GIVEN, "HOUSE": house}), "house.conf")


def test_everything_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(Trouble) as refused:
        read(template({}), "house.conf")
    for one in SETTINGS:
        assert (f"{one.name} is missing" in refused.value.said.en) == one.must
        assert (f"falta {one.name}" in refused.value.said.pt) == one.must
