"""Accounts opened and closed by a file of the directory; the offices it gives."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override
from oauth2_provider.models import AccessToken

from casino import clock
from casino.api.machine_tokens import make_machine
from casino.apps import CasinoConfig
from casino.events.staff import OfficeEnded, OfficeGranted
from casino.models import Account, ApiClient, BookEntry, DirectoryOffices, PrivateValue, Staff
from casino.web.login.directory_offices import differences, groups_in
from tests.factories.people import PASSWORD, appoint, write
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
HEAD, MANAGER, ADMIN, DEVICE = "S-0021", "S-0003", "S-0009", "D-0001"
NEW = "S-0400"
HEADER = "number,name,active\n"


@recorded_once
def house() -> None:
    offices = {HEAD: "fiscal_chefe", MANAGER: "chefia_da_sala", ADMIN: "administrador"}
    for staff, office in {**offices, DEVICE: "dispositivo"}.items():
        appoint(staff, office)
    for staff in offices:
        Account.objects.create_user(staff, PASSWORD, language="en")


def taken(tmp_path: Path, text: str | bytes, *words: str) -> str:
    """What the command says of a file."""
    file, said = tmp_path / "people.csv", StringIO()
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with override("en"):
        call_command("accounts", str(file), *words, stdout=said)
    return said.getvalue()


def by(staff: str = ADMIN) -> tuple[str, ...]:
    return "--write", "--by", staff


def test_it_is_said_first_and_nothing_is_done(house: None, tmp_path: Path) -> None:
    before = BookEntry.objects.count()
    said = taken(tmp_path, f"{HEADER}{NEW},Ana Sá,true\n{HEAD},,FALSE\nS-0500,,false\n")
    assert f"{NEW}: registered, account opened\n{HEAD}: account closed\n" in said
    assert "S-0500: not active and without an account: nothing" in said
    assert f"not in the file, and stay so: {MANAGER}, {ADMIN}" in said
    assert "Nothing was changed" in said
    assert BookEntry.objects.count() == before
    assert not Account.objects.filter(staff=NEW).exists()
    assert Account.objects.get(staff=HEAD).is_active


def test_whoever_is_new_is_registered_and_has_an_account_without_a_password(
    house: None, tmp_path: Path
) -> None:
    text = f"\ufeffnumber;name;active\r\n s-0400 ; Ana Sá ;True\r\n\r\n{MANAGER};;true\r\n"
    assert f"{NEW}: registered, account opened\n1 person of 2." in taken(tmp_path, text, *by())
    account = Account.objects.get(staff=NEW)
    assert account.is_active
    assert account.password_is_temporary
    assert not account.has_usable_password()
    entry = BookEntry.objects.order_by("recorded_at").last()
    assert entry is not None
    assert (entry.kind, "Ana" in bytes(entry.entry).decode()) == ("staff-registered/1", False)
    assert PrivateValue.objects.get(entry_id=entry.pk).value == "Ana Sá"
    count = BookEntry.objects.count()
    assert taken(tmp_path, text, *by()).startswith("0 people of 2.")
    assert BookEntry.objects.count() == count


def test_who_is_no_longer_active_is_out_at_once_and_stays_in_the_book(
    house: None, tmp_path: Path
) -> None:
    client = Client()
    client.force_login(Account.objects.get(staff=HEAD))
    assert client.get("/admin/").status_code == 200
    taken(tmp_path, f"{HEADER}{HEAD},,false\n", *by(MANAGER))
    assert client.get("/admin/").status_code == 302
    assert not Account.objects.get(staff=HEAD).is_active
    assert Staff.objects.filter(person=HEAD).exists()
    again = taken(tmp_path, f"{HEADER}{HEAD},,true\n", *by())
    assert f"{HEAD}: closed here, stays closed" in again
    call_command("account", HEAD, stdout=StringIO())
    assert client.get("/admin/").status_code == 302  # the session is gone, not asleep


def test_an_account_that_is_closed_takes_its_tokens_with_it(house: None) -> None:
    client, _ = make_machine(DEVICE, ["BJ-01"], ["rounds"], ADMIN)
    AccessToken.objects.create(
        application=client.application, token="t" * 30, expires=clock.now(), scope="rounds"
    )
    call_command("account", DEVICE, "--close", stdout=StringIO())
    assert not AccessToken.objects.exists()
    assert ApiClient.objects.filter(number=DEVICE).exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", r"line 1: found ''; expected: number, name, active, \(groups\)"),
        (HEADER, "expected: a list of people"),
        ("number,name\nS-1,A\n", "line 1: found 'number, name'"),
        (f"{HEADER}{NEW},A\n", "line 2: found '2'; expected: 3 cells"),
        (f"{HEADER}{NEW},A,yes\n", "line 2: found 'yes'; expected: true, false"),
        (f"{HEADER}no number,A,true\n", "line 2: found 'no number'; expected: a staff number"),
        (f"{HEADER}{NEW},A,true\ns-0400,B,true\n", "line 3: found 's-0400'; expected: each"),
        (f"{HEADER}{NEW},{'n' * 5_000},true\n", "line 2: "),
        (f"{HEADER}{DEVICE},A,true\n", f"line 2: found '{DEVICE}'; expected: a person's"),
        (f"{HEADER}{ADMIN},,false\n", "every account of an administrador"),
        (f'{HEADER}"{NEW},A,true\n', "line 2: "),
        (f"{HEADER}{NEW},\0,true\n", "found no text"),
        (HEADER.encode() + b"S-0400,S\xe1,true\n", "no text in UTF-8"),
        (HEADER + f"{NEW},A,true\n" * 200_000, "too long"),
    ],
)
def test_a_file_with_a_fault_is_not_taken_at_all(
    house: None, tmp_path: Path, text: str | bytes, why: str
) -> None:
    make_machine(DEVICE, ["BJ-01"], ["rounds"], ADMIN)
    before = BookEntry.objects.count()
    with pytest.raises(CommandError, match=why) as refused:
        taken(tmp_path, text, *by())
    assert refused.value.returncode == 2
    assert BookEntry.objects.count() == before
    assert Account.objects.filter(is_active=True).count() == 4


@pytest.mark.parametrize("who", [(), ("--by", HEAD), ("--by", "S-4711"), ("--by", "x\0")])
def test_the_direction_alone_answers_for_it(
    house: None, tmp_path: Path, who: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError, match="--by: found"):
        taken(tmp_path, f"{HEADER}{NEW},,true\n", "--write", *who)
    assert not Account.objects.filter(staff=NEW).exists()


# Offices


GROUPS = {
    "fiscal_chefe": frozenset({"heads", "deputies"}),
    "fiscal_de_banca": frozenset({"pit"}),
}


@pytest.fixture
def asks(house: None, settings: Any) -> None:
    settings.HOUSE_GROUPS = GROUPS


def found() -> list[tuple[str, str, bool]]:
    return [one[:3] for one in differences()]


def desk(staff: str) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(Account.objects.get(staff=staff))
    return client


def test_offices_that_differ_are_shown_and_the_direction_records_them(
    asks: None, tmp_path: Path
) -> None:
    text = f"number,name,active,groups\n{HEAD},,true,pit|of no office\n{MANAGER},,true,\n"
    before = BookEntry.objects.count()
    taken(tmp_path, text, *by())
    assert BookEntry.objects.count() == before  # nothing follows by itself
    assert found() == [(HEAD, "fiscal_chefe", False), (HEAD, "fiscal_de_banca", True)]
    client = desk(MANAGER)
    page = client.get("/admin/directory/").content.decode()
    forms = {
        kind: f"/admin/casino/{form}/add/?staff={HEAD}&office={office}"
        for kind, form, office in (
            (OfficeEnded.kind, "officeend", "fiscal_chefe"),
            (OfficeGranted.kind, "officegrant", "fiscal_de_banca"),
        )
    }
    for url in forms.values():
        assert url.replace("&", "&amp;") in page
        form = client.get(url).content.decode()
        assert f'value="{HEAD}"' in form
    write(OfficeEnded(staff=HEAD, office="fiscal_chefe", ended_at=clock.now(), ended_by=MANAGER))
    assert found() == [(HEAD, "fiscal_de_banca", True)]
    assert "Nothing differs" not in client.get("/admin/directory/").content.decode()


def test_whose_account_is_closed_has_no_office_in_the_directory(asks: None, tmp_path: Path) -> None:
    taken(tmp_path, f"{HEADER}{HEAD},,false\n", *by())
    assert found() == [(HEAD, "fiscal_chefe", False)]
    waits = list(CasinoConfig.create("casino").todos(clock.now(), None))
    (one,) = [each for each in waits if each.what == "directory-offices"]
    assert (one.of, one.offices) == (1, {"chefia_da_sala", "administrador"})


def test_what_the_directory_was_not_asked_differs_in_nothing(
    asks: None, settings: Any, tmp_path: Path
) -> None:
    assert found() == []  # nobody was looked up yet
    taken(tmp_path, f"{HEADER}{HEAD},,true\n", *by())  # a file without groups
    assert not DirectoryOffices.objects.exists()
    assert "Nothing differs" in desk(ADMIN).get("/admin/directory/").content.decode()
    settings.HOUSE_GROUPS = {}
    taken(tmp_path, f"{HEADER.strip()},groups\n{HEAD},,true,pit\n", *by())
    assert not DirectoryOffices.objects.exists()
    assert "asks no directory" in desk(ADMIN).get("/admin/directory/").content.decode()


@pytest.mark.parametrize(
    ("claim", "groups"),
    [
        (["a", "b"], {"a", "b"}),
        ([], set()),
        ("one", {"one"}),
        (None, None),
        ([1], None),
        ({"src1": {}}, None),
        (5, None),
    ],
)
def test_a_claim_that_is_no_list_of_groups_says_nothing(claim: object, groups: Any) -> None:
    assert groups_in(claim) == groups
