"""S6, the second person: a code, a password or a passkey on the operator's tablet; every refusal in
words, told to the book, and the act itself untouched by it."""

import json
from collections.abc import Mapping
from datetime import timedelta
from html import unescape
from re import search
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.access import access_policy
from casino.events.incidents import IncidentReported
from casino.events.staff import DutyBegun, StaffRegistered
from casino.floor.closing.still_missing import missing_of
from casino.floor.game_view import last_game_view
from casino.floor.shuffler.witness_handover import likely_witnesses
from casino.models import Account, Attestation, BookEntry, FailedWitness
from casino.queries import load_entry
from casino.recording import Actor
from casino.witnessing import begin_registration, language_read, register, set_pin
from tests.casino.passkey_device import Device, b64
from tests.casino.sala_forms import address, errors_on, form_on
from tests.factories.people import PASSWORD, appoint, somebody, write
from tests.factories.recorded import entries
from tests.factories.tables import CHEFE, MINUTE, PIT, TABLE, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PIN = "482915"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def chefe() -> Account:
    chefe_on_duty()
    account = Account.objects.create_user(CHEFE, PASSWORD)
    set_pin(account, PIN)
    return account


@pytest.fixture
def load(pit: Client, chefe: Account) -> str:
    """The witness's page of a load told a minute ago."""
    return address("witness", a_load(a_table(), ago=MINUTE).entry_id)


def typed(pit: Client, url: str, secret: str = PIN, staff: str = CHEFE, **more: str) -> Any:
    return pit.post(url, form_on(pit.get(url)) | {"staff": staff, "secret": secret} | more)


def why_failed() -> list[str]:
    return list(FailedWitness.objects.order_by("n").values_list("why", flat=True))


# With a code


def test_the_fiscal_chefe_confirms_on_the_operators_tablet(pit: Client, load: str) -> None:
    page = pit.get(load)
    assert "Packets: 3" in page.content.decode()
    asked = {"token", "staff", "staff-pick", "staff-was", "secret", "page_shown"}
    assert set(form_on(page)) == asked  # nothing else
    assert form_on(page)["staff"] == CHEFE  # whom the act names; he has still to prove it
    assert form_on(page)["secret"] == ""
    answer = typed(pit, load)
    assert answer.status_code == 303
    attested = Attestation.objects.get()
    assert (attested.witness, attested.method, attested.article) == (CHEFE, "pin", "54")
    entry = BookEntry.objects.get(kind="witnessed/1")
    assert b'"door":"sala"' in bytes(entry.entry)
    assert "Hand the tablet back" in pit.get(load).content.decode()
    assert pit.get(address("load")).context["me"].staff == PIT.staff  # his session stayed


def test_article_54_what_he_lacks_is_said_before_he_confirms(pit: Client) -> None:
    said = "Whoever witnesses the loading is on duty as fiscal-chefe."
    appoint(CHEFE, "fiscal_chefe")
    table = a_table()
    url = address("witness", a_load(table, ago=MINUTE).entry_id)
    page = pit.get(url)
    assert said in page.content.decode()
    assert {one.article for one in page.context["warned"]} == {"n.º 54"}
    chefe_on_duty()
    # recorded after the loading, it is of no later use
    assert said in pit.get(url).content.decode()
    url = address("witness", a_load(table, ago=MINUTE).entry_id)
    assert said not in pit.get(url).content.decode()
    assert 'name="over"' not in pit.get(url).content.decode()


def test_article_54_the_manager_is_warned_of_and_confirms_in_two_steps(
    pit: Client, load: str
) -> None:
    """Typed in the stead of the fiscal-chefe: before the code is looked at, and never silently."""
    manager = Account.objects.create_user("S-0003", PASSWORD)
    appoint("S-0003", "chefia_da_sala")
    set_pin(manager, PIN)
    answer = typed(pit, load, PIN, "S-0003")
    assert answer.status_code == 200
    assert [one.check for one in answer.context["warned"]] == ["loading_witness_is_fiscal_chefe"]
    assert "over" in errors_on(answer)
    assert not Attestation.objects.exists()
    assert why_failed() == []
    values = form_on(answer) | {"secret": PIN}
    assert values["staff"] == "S-0003"
    assert pit.post(load, values | {"over": CHEFE}).status_code == 200  # ticked for somebody else
    assert pit.post(load, values | {"over": "S-0003"}).status_code == 303
    assert Attestation.objects.get().witness == "S-0003"


def test_who_is_on_duty_at_other_tables_is_said(pit: Client, chefe: Account) -> None:
    begun = DutyBegun(staff=CHEFE, office="fiscal_chefe", tables=("BJ-09",))
    write(begun, by=Actor("S-0003", "chefia_da_sala", "admin"), at=clock.now() - MINUTE / 2)
    url = address("witness", a_load(a_table(), ago=MINUTE).entry_id)
    assert f"{CHEFE} is on duty at BJ-09, not at {TABLE}." in pit.get(url).content.decode()


@pytest.mark.parametrize(
    ("staff", "said"),
    [
        ("s-0003", "did not hold the office of fiscal-chefe"),
        ("S-0022", "was not on duty as fiscal-chefe"),
        ("S-0023", "S-0023 is on duty at BJ-09, not at"),
        (PIT.staff, "Whoever acted cannot witness his own act."),
        ("S-4711", "S-4711: nobody of these offices is known by this number"),
        ("A-0001", "A-0001: nobody of these offices is known by this number"),
        ("\0;", "nobody of these offices is known by this number"),
    ],
)
@pytest.mark.parametrize("asked", ["by the script", "by a button"])
def test_articles_51_54_what_a_typed_number_lacks_is_said_before_any_code(
    pit: Client, chefe: Account, staff: str, said: str, asked: str
) -> None:
    appoint("S-0003", "chefia_da_sala")
    appoint("S-0022", "fiscal_chefe")
    appoint("S-0023", "fiscal_chefe")
    appoint("A-0001", "auditor")  # whom nobody is told of
    begun = DutyBegun(staff="S-0023", office="fiscal_chefe", tables=("BJ-09",))
    write(begun, by=Actor("S-0003", "chefia_da_sala", "admin"), at=clock.now() - 2 * MINUTE)
    url = address("witness", a_load(a_table(), ago=MINUTE).entry_id)
    if asked == "by the script":
        page = pit.get(url, {"by": staff, "anew": "1"})
    else:
        page = pit.post(url, form_on(pit.get(url)) | {"staff": staff, "look": "1"})
    assert page.status_code == 200
    assert said in page.content.decode()
    assert errors_on(page) == {}
    assert why_failed() == []
    can = page.context["why_not"] == ""
    assert (">I confirm" in page.content.decode()) is can
    assert ('class="primary" name="look"' in page.content.decode()) is not can


def test_a_code_typed_with_the_number_that_was_said_is_no_look(pit: Client, load: str) -> None:
    """The key that sends a form presses any of its buttons."""
    assert typed(pit, load, look="1").status_code == 303


def test_names_are_said_to_those_who_may_see_them(
    pit: Client, chefe: Account, load: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = StaffRegistered(staff=CHEFE, name="Helena Prata")
    write(named, by=Actor("S-0001", "administrador", "local"), at=clock.now() - MINUTE)
    assert "Helena Prata" in str(pit.get(load, {"by": CHEFE.lower()}).context["who"])
    monkeypatch.setattr(access_policy, "sees_names", lambda request: False)
    page = pit.get(load, {"by": CHEFE})
    assert CHEFE in str(page.context["who"])
    assert "Helena" not in page.content.decode()


def test_whoever_else_may_confirm_is_one_tap_away(pit: Client, chefe: Account, load: str) -> None:
    another_chefe()
    page = pit.get(load)
    assert [one for one, _ in page.context["others"]] == ["S-0022"]
    assert form_on(pit.get(f"{load}?anew=1&by=S-0022"))["staff"] == "S-0022"


def test_on_his_own_tablet_nobody_hands_it_to_him(load: str) -> None:
    his = Client(headers={"accept-language": "en"})
    his.force_login(Account.objects.get(staff=CHEFE))
    page = his.get(load).content.decode()
    assert "The loading awaits your confirmation" in page
    assert "Hand the tablet" not in page
    assert typed(his, load).status_code == 303
    assert "Hand the tablet back" not in his.get(load).content.decode()


def test_he_reads_it_in_his_language_on_anybodys_tablet(pit: Client, load: str) -> None:
    assert '<html lang="en"' in pit.get(load).content.decode()
    page = pit.get(f"{load}?read=pt")
    assert '<html lang="pt-pt"' in page.content.decode()
    assert "Pacotes: 3" in page.context["text"]
    assert typed(pit, f"{load}?read=pt").status_code == 303
    act = BookEntry.objects.select_related("stream").get(kind="shuffler-loaded/1")
    assert language_read(act, Attestation.objects.get().text_sha256) == "pt"
    assert '<html lang="en"' in pit.get("/sala/").content.decode()


def test_the_field_that_is_still_to_be_filled_in_is_the_one_he_is_in(
    pit: Client, load: str
) -> None:
    assert search(r'id="id_secret"[^>]* autofocus', pit.get(load).content.decode())
    page = pit.get(f"{load}?by=").content.decode()
    assert search(r'id="id_staff"[^>]* autofocus', page)


def test_a_password_will_do_and_has_letters(pit: Client, load: str) -> None:
    assert 'inputmode="numeric"' in pit.get(load).content.decode()
    assert 'inputmode="numeric"' not in pit.get(f"{load}?letters=1").content.decode()
    assert typed(pit, f"{load}?letters=1", PASSWORD).status_code == 303
    assert Attestation.objects.get().method == "password"


def test_the_text_shown_is_the_text_that_is_signed(pit: Client, load: str) -> None:
    """What a page showed in English is confirmed in English, whatever is spoken later."""
    typed(pit, load)
    recorded = load_entry(BookEntry.objects.get(kind="witnessed/1").pk)
    assert recorded is not None
    act = BookEntry.objects.select_related("stream").get(kind="shuffler-loaded/1")
    assert language_read(act, recorded.event.text_sha256) == "en"


@pytest.mark.parametrize(
    ("secret", "staff", "why"),
    [
        ("000000", CHEFE, "wrong_secret"),
        (PIN, PIT.staff, "own_act"),
        (PIN, "S-4711", "unknown_person"),
        (PASSWORD + "x", CHEFE, "wrong_secret"),
    ],
)
def test_a_wrong_secret_or_the_actor_himself_confirms_nothing(
    pit: Client, load: str, secret: str, staff: str, why: str
) -> None:
    answer = typed(pit, load, secret, staff, over=staff)
    assert answer.status_code == 200
    assert all(errors_on(answer).values())
    page = answer.content.decode()
    assert PIN not in page
    assert PASSWORD not in page
    assert form_on(answer)["secret"] == ""  # emptied with every answer
    assert form_on(answer)["staff"] == staff  # the rest stays
    assert not Attestation.objects.exists()
    assert why_failed() == [why]
    assert typed(pit, load).status_code == 303  # and the right one is taken afterwards


@pytest.mark.parametrize(("secret", "staff", "field"), [("", CHEFE, "secret"), (PIN, "", "staff")])
def test_left_empty_is_asked_for_and_counts_as_no_try(
    pit: Client, load: str, secret: str, staff: str, field: str
) -> None:
    answer = typed(pit, load, secret, staff)
    assert field in errors_on(answer)
    assert why_failed() == []


def test_after_two_minutes_it_is_asked_again(
    pit: Client, load: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = form_on(pit.get(load)) | {"secret": PIN}
    shown_at = clock.now()
    monkeypatch.setattr(clock, "now", lambda: shown_at + timedelta(seconds=121))
    answer = pit.post(load, sent)
    assert answer.status_code == 200
    assert "run out" in " ".join(errors_on(answer).values())
    assert not Attestation.objects.exists()
    assert why_failed() == ["too_late"]
    again = form_on(answer) | {"secret": PIN}  # the page brought a fresh question
    assert pit.post(load, again).status_code == 303


def test_sent_twice_it_is_one_confirmation(pit: Client, load: str) -> None:
    sent = form_on(pit.get(load)) | {"secret": PIN}
    assert pit.post(load, sent).status_code == 303
    again = pit.post(load, sent)
    assert again.status_code == 200
    assert "used already" in " ".join(errors_on(again).values())
    assert Attestation.objects.count() == 1


def test_what_was_asked_of_one_load_confirms_no_other(pit: Client, load: str) -> None:
    other = address("witness", a_load(a_table_again(), ago=MINUTE).entry_id)
    sent = form_on(pit.get(other)) | {"secret": PIN}
    answer = pit.post(load, sent)
    assert "not made for this act" in " ".join(errors_on(answer).values())
    assert not Attestation.objects.exists()
    assert why_failed() == ["not_ours"]


def a_table_again() -> str:
    """The same game: a second load of it."""
    game = last_game_view(TABLE, clock.now())
    assert game is not None
    return game.partida


def test_after_five_wrong_ones_the_right_one_waits(pit: Client, load: str) -> None:
    for _ in range(5):
        assert typed(pit, load, "000000").status_code == 200
    answer = typed(pit, load)
    assert "too many" in " ".join(errors_on(answer).values())
    assert not Attestation.objects.exists()
    assert why_failed() == ["wrong_secret"] * 5 + ["locked_out"]


def test_a_refusal_leaves_the_act_and_its_want_of_a_witness_as_they_were(
    pit: Client, load: str
) -> None:
    before = entries()
    typed(pit, load, "000000")
    assert entries() == before + 1  # the failure itself
    game = last_game_view(TABLE, clock.now())
    assert game is not None
    assert "load_witness" in {one.what for one in missing_of(game.evening)}
    assert load in pit.get(address("close")).content.decode()  # from where it is asked again
    assert typed(pit, load).status_code == 303
    assert load not in pit.get(address("close")).content.decode()


def test_somebody_else_confirms_it_too(pit: Client, load: str) -> None:
    typed(pit, load)
    appoint("S-0022", "fiscal_chefe")
    Account.objects.create_user("S-0022", PASSWORD)
    assert "?anew=1" in pit.get(load).content.decode()
    assert typed(pit, f"{load}?anew=1", PASSWORD, "S-0022").status_code == 303
    assert set(Attestation.objects.values_list("witness", flat=True)) == {CHEFE, "S-0022"}


def test_an_act_nobody_witnesses_has_no_such_page(pit: Client) -> None:
    a_table()
    shown = BookEntry.objects.filter(kind="deck-inspected/1").first()
    assert shown is not None
    assert pit.get(address("witness", shown.pk)).status_code == 404


@pytest.mark.parametrize(("category", "owed"), [("damaged_card", True), ("jam", False)])
def test_article_51_a_missing_word_is_called_a_finding_only_where_it_is_one(
    pit: Client, chefe: Account, category: Any, owed: bool
) -> None:
    partida = a_table()
    reported = IncidentReported(
        table=TABLE,
        partida=partida,
        incident="IN-1",
        category=category,
        reason="outro",
        people=(),
        shuffler="CSM-04",
        noticed_at=clock.now() - MINUTE,
    )
    page = pit.get(address("witness", write(reported, by=PIT).entry_id)).content.decode()
    assert ("its absence is a finding" in page) is owed


def test_another_tables_fiscal_is_not_handed_this_page(load: str) -> None:
    other = somebody("fiscal_de_banca", "S-0999")
    assert other.get(load).status_code in (403, 404)


def test_the_session_that_ran_out_loses_the_secret_and_nothing_else(load: str) -> None:
    answer = Client(headers={"accept-language": "en"}).post(
        load, {"token": "x", "staff": CHEFE, "secret": PIN}
    )
    assert answer.status_code == 403
    page = answer.content.decode()
    assert PIN not in page  # it is the witness's, and the page is the operator's
    assert f'name="staff" value="{CHEFE}"' in page
    assert len(BookEntry.objects.filter(kind="shuffler-loaded/1")) == 1


# With a passkey


@pytest.fixture
def tablet(pit: Client, settings: Any) -> Client:
    """The operator's tablet at an address where a browser answers with a passkey."""
    settings.ALLOWED_HOSTS = ["localhost"]
    client = Client(headers={"host": "localhost:8000", "accept-language": "en"})
    client.force_login(Account.objects.get(staff=PIT.staff))
    return client


def with_a_passkey(account: Account) -> Device:
    device = Device(credential=f"the key of {account.staff}, on his telephone".encode())
    asked = begin_registration(account)
    register(account, asked.token, device.created(asked.options), PASSWORD, origin=device.origin)
    return device


def options_on(page: str) -> dict[str, Any]:
    options = search(r'data-options="([^"]+)"', page)
    assert options is not None
    values: dict[str, Any] = json.loads(unescape(options[1]))
    return values


def answered(tablet: Client, url: str, device: Device, **sent: str) -> Mapping[str, str]:
    page = tablet.get(url)
    options = options_on(page.content.decode())
    values = form_on(page)
    return {"token": values["token"], "by_passkey": "1"} | device.got(options["challenge"]) | sent


def test_no_passkey_is_asked_where_nobody_has_one(tablet: Client, load: str) -> None:
    assert "data-passkey" not in tablet.get(load).content.decode()


def test_no_passkey_is_asked_where_none_would_work(pit: Client, chefe: Account, load: str) -> None:
    with_a_passkey(chefe)
    assert "data-passkey" not in pit.get(load).content.decode()  # another host than the keys'


def test_he_confirms_with_his_passkey_and_types_no_number(
    tablet: Client, chefe: Account, load: str
) -> None:
    device = with_a_passkey(chefe)
    page = tablet.get(load).content.decode()
    assert 'name="secret"' in page  # the code is offered still
    allowed = options_on(page)["allowCredentials"]
    assert [one["id"] for one in allowed] == [b64(device.credential)]
    answer = tablet.post(load, answered(tablet, load, device))
    assert answer.status_code == 303
    attested = Attestation.objects.get()
    assert (attested.witness, attested.method) == (CHEFE, "passkey")
    recorded = load_entry(BookEntry.objects.get(kind="witnessed/1").pk)
    assert recorded is not None
    assert (recorded.by.staff, recorded.by.door) == (CHEFE, "sala")


def test_every_fiscal_chefe_on_duty_is_asked(tablet: Client, chefe: Account) -> None:
    first, second = with_a_passkey(chefe), with_a_passkey(another_chefe())
    load = address("witness", a_load(a_table(), ago=MINUTE).entry_id)
    allowed = options_on(tablet.get(load).content.decode())["allowCredentials"]
    assert [one["id"] for one in allowed] == [b64(first.credential), b64(second.credential)]
    assert tablet.post(load, answered(tablet, load, second)).status_code == 303
    assert Attestation.objects.get().witness == "S-0022"


def another_chefe() -> Account:
    from tests.factories.tables import HOUR, MANAGER

    appoint("S-0022", "fiscal_chefe")
    begun = DutyBegun(staff="S-0022", office="fiscal_chefe", tables=())
    write(begun, by=MANAGER, at=clock.now() - HOUR)
    return Account.objects.create_user("S-0022", PASSWORD)


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"signature": "AAAA"}, "wrong_passkey"),
        ({"credential": "bm9ib2R5cw"}, "wrong_passkey"),
        ({"client_data": "AAAA"}, "wrong_passkey"),
        ({"token": "x"}, "not_ours"),
    ],
)
def test_another_answer_is_refused_in_words_and_told(
    tablet: Client, chefe: Account, load: str, sent: dict[str, str], why: str
) -> None:
    device = with_a_passkey(chefe)
    answer = tablet.post(load, answered(tablet, load, device, **sent))
    assert answer.status_code == 200
    assert all(errors_on(answer).values())
    assert not Attestation.objects.exists()
    failed = FailedWitness.objects.get()
    assert (failed.why, failed.asked_by) == (why, PIT.staff)
    assert tablet.post(load, answered(tablet, load, device)).status_code == 303


def test_an_answer_is_good_for_one_confirmation(tablet: Client, chefe: Account, load: str) -> None:
    sent = answered(tablet, load, with_a_passkey(chefe))
    assert tablet.post(load, sent).status_code == 303
    assert tablet.post(load, sent).status_code == 200
    assert Attestation.objects.count() == 1


def test_no_script_has_answered(tablet: Client, chefe: Account, load: str) -> None:
    with_a_passkey(chefe)
    answer = tablet.post(load, {"by_passkey": "1", "token": form_on(tablet.get(load))["token"]})
    assert "Use the code instead" in " ".join(errors_on(answer).values())
    assert why_failed() == []


def test_who_told_of_it_is_not_asked_to_confirm_it(chefe: Account) -> None:
    receipt = a_load(a_table(), ago=MINUTE)
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    assert likely_witnesses(entry) == [CHEFE]
    reported = IncidentReported(
        table=TABLE,
        partida=entry.partida_id,
        incident="IN-1",
        category="jam",
        reason="outro",
        people=(),
        noticed_at=clock.now() - MINUTE,
    )
    own = write(reported, by=Actor(CHEFE, "fiscal_chefe", "sala"))
    entry = BookEntry.objects.select_related("stream").get(pk=own.entry_id)
    assert likely_witnesses(entry) == []
