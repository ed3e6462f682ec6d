"""Before something grave the second factor is given anew, unless that was not long ago."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.models import Account, BookEntry, Correction, Supersession
from casino.recording import Actor
from casino.web.login.factor_given import GIVEN
from casino.witnessing import ask_second, new_recovery_codes
from tests.factories.people import somebody
from tests.factories.records import burnt, corrects, recorded
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
ASK = "/admin/second-factor/"
PIT = Actor("S-0187", "fiscal_de_banca", "admin")


@recorded_once
def head() -> tuple[Client, list[str]]:
    """A fiscal-chefe before a correction of somebody else's; his recovery codes."""
    original = recorded(burnt(2), by=PIT)
    recorded(burnt(1), by=PIT, supersedes=corrects(original))
    client = somebody("fiscal_chefe")
    account = Account.objects.get(staff="S-0021")
    ask_second(account)
    return client, new_recovery_codes(account)


def given_ago(client: Client, ago: timedelta, how: str = "app") -> None:
    session = client.session
    session[GIVEN] = {"how": how, "at": int((clock.now() - ago).timestamp())}
    session.save()


def decision(client: Client) -> tuple[str, dict[str, str]]:
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.get().pk])
    form = client.get(url).context["form"]
    fields = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    return url, fields | {"decision": "approved"}


def test_within_ten_minutes_nothing_is_asked(head: Any) -> None:
    client, _ = head
    given_ago(client, timedelta(minutes=9, seconds=30))
    url, sent = decision(client)
    assert client.post(url, sent)["Location"] == url
    assert Correction.objects.get().decision == "approved"


@pytest.mark.parametrize("how", ["app", "remembered"])
def test_after_them_it_is_asked_and_then_what_was_chosen_is_recorded(head: Any, how: str) -> None:
    client, codes = head
    given_ago(client, timedelta(minutes=10, seconds=30), how)
    url, sent = decision(client)
    before = BookEntry.objects.count()
    asked = client.post(url, sent)
    page = asked.content.decode()
    assert asked.status_code == 403
    assert "shows once more that it is he" in page
    assert 'name="decision" value="approved"' in page
    waits = {**sent, "factor-onward": url}
    assert client.post(ASK, waits | {"factor-code": "000000"}).status_code == 403
    assert BookEntry.objects.count() == before
    assert client.post(ASK, waits | {"factor-code": codes[0]})["Location"] == url
    assert (Correction.objects.get().staff, Correction.objects.get().decision) == (
        "S-0021",
        "approved",
    )


def test_a_page_is_read_without_it(head: Any) -> None:
    client, _ = head
    given_ago(client, timedelta(hours=5))
    url, _ = decision(client)
    assert client.get(url).context["may_decide"]


def test_to_ask_for_a_withdrawal_takes_it_too(head: Any) -> None:
    client, codes = head
    given_ago(client, timedelta(hours=1))
    own = recorded(burnt(3), by=Actor("S-0021", "fiscal_chefe", "admin"))
    url = reverse("admin:casino_bookentry_withdraw", args=[own.entry_id])
    key = str(client.get(url).context["form"]["key"].value())
    sent = {"key": key, "reason": "never_happened"}
    before = Supersession.objects.count()
    assert client.post(url, sent).status_code == 403
    assert Supersession.objects.count() == before
    done = client.post(ASK, {**sent, "factor-onward": url, "factor-code": codes[0]})
    assert done.status_code == 302
    assert Supersession.objects.count() == before + 1


def test_who_has_no_second_factor_is_not_asked(head: Any) -> None:
    client, _ = head
    Account.objects.update(asks_second=False)
    url, sent = decision(client)
    assert client.post(url, sent)["Location"] == url
