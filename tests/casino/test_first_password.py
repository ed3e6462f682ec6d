"""A password somebody else set is changed before anything else; what a password may not be."""

import json
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from casino.models import Account, LoginTry
from casino.web.login.throttle import TRIES
from tests.factories.people import PASSWORD, appoint
from tests.stages import recorded_once

STAFF = "S-0610"
NEW = "quatro gaivotas no telhado"
CHANGE = "/admin/password_change/"


@recorded_once
def account() -> Account:
    appoint(STAFF, "fiscal_chefe")
    found = Account.objects.create_user(STAFF, PASSWORD, language="en")
    found.password_is_temporary = True
    found.save()
    return found


def here(account: Account, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(account)
    return client


def changed(client: Client, old: str = PASSWORD, new: str = NEW, onward: str = "") -> Any:
    sent = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(CHANGE + onward, sent)


@pytest.mark.parametrize("path", ["/admin/", "/sala/", "/findings/", "/nothing/at/all/"])
def test_nothing_else_opens_before(account: Account, path: str) -> None:
    answer = here(account).get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{CHANGE}?next=")


def test_what_is_sent_before_is_not_taken(account: Account) -> None:
    assert here(account).post("/sala/duty/", {}).headers["Location"] == f"{CHANGE}?next="
    answer = here(account).post("/api/v1/cuts", "{}", content_type="application/json")
    assert answer.status_code == 403
    assert json.loads(answer.content)["type"].endswith("login-incomplete")


def test_to_leave_and_to_choose_the_language_stay_open(account: Account) -> None:
    assert here(account).post("/language/", {"language": "pt-pt"})["Location"] == "/"
    assert here(account).post("/admin/logout/").status_code == 200
    assert here(account).post("/sala/leave/")["Location"] == "/sala/"


def test_once_it_is_changed_everything_opens(account: Account) -> None:
    client = here(account)
    page = client.get(f"{CHANGE}?next=/sala/").content.decode()
    assert "Somebody else set the password" in page
    answer = changed(client, onward="?next=/sala/")
    assert (answer.status_code, answer["Location"]) == (302, "/sala/")
    assert client.get("/sala/").status_code == 200
    account.refresh_from_db()
    assert not account.password_is_temporary
    assert account.check_password(NEW)


def test_it_leads_on_to_the_house_alone(account: Account) -> None:
    answer = changed(here(account), onward="?next=https://elsewhere.example/")
    assert answer["Location"] == "/admin/password_change/done/"


def test_the_same_one_is_no_other(account: Account) -> None:
    answer = changed(here(account), new=PASSWORD)
    assert "It is the one you had" in answer.content.decode()
    account.refresh_from_db()
    assert account.password_is_temporary


def test_the_login_of_the_floor_leads_there_and_records_nothing(account: Account) -> None:
    client = Client(headers={"accept-language": "en"})
    typed = {"enter-number": STAFF, "enter-secret": PASSWORD, "enter-onward": "/sala/duty/"}
    answer = client.post("/sala/enter/", typed | {"key": "x"})
    assert answer["Location"] == f"{CHANGE}?next=%2Fsala%2Fduty%2F"
    assert "was not recorded" in client.get(answer["Location"]).content.decode()


def test_guesses_at_the_old_one_are_few(account: Account) -> None:
    client = here(account)
    for left in range(TRIES - 1, -1, -1):
        answer = changed(client, old="wrong")
        assert answer.status_code == 200
        said = "No try is left" if not left else f"{left} tr"
        assert said in answer.content.decode()
    answer = changed(client)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 14 * 60
    account.refresh_from_db()
    assert account.check_password(PASSWORD)


def test_a_right_one_forgives_the_wrong_ones(account: Account) -> None:
    client = here(account)
    for _ in range(TRIES - 1):
        changed(client, old="wrong")
    assert changed(client).status_code == 302
    assert not LoginTry.objects.exists()


def test_in_portuguese(account: Account) -> None:
    page = here(account, "pt-pt").get(CHANGE).content.decode()
    assert "Outra pessoa definiu a palavra-passe" in page
    assert "Não contém o seu número" in page


# What a password may not be

REFUSED = {
    "too short": "curta demais",
    "one character": "aaaaaaaaaaaaaaa",
    "figures in a row": "123456789012345",
    "a pair again and again": "abababababababab",
    "a common word and figures": "password1234567",
    "two common words": "dragonmonkey2026!!",
    "the house": "livrodasala2026",
    "the own number three times": "S-0610S-0610S-0610",
    "the own number in other spelling": "casa verde s0610 aqui",
    "nothing but figures": "918273645546372819",
}


@pytest.mark.parametrize("password", REFUSED.values(), ids=REFUSED)
def test_what_everybody_would_try_is_refused_and_not_repeated(password: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_password(password, Account(staff=STAFF))
    assert password not in str(refusal.value)


@pytest.mark.parametrize(
    "password",
    [NEW, PASSWORD, "zQ8fW3kTn6yXp1Lr", "correct horse battery staple", "o gato S-06 subiu ali"],
)
def test_what_is_ones_own_is_taken(password: str) -> None:
    validate_password(password, Account(staff=STAFF))


def test_without_an_account_the_number_is_nobodys() -> None:
    validate_password("casa verde s0610 aqui")
