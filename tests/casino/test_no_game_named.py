"""What names no game opens no other's table: the matrix's [[blank]] rows, through the forms; and
duty, by which tables become one's own.
"""

from dataclasses import fields, replace
from typing import Any

import pytest
from django.test import Client, RequestFactory

from casino.access import access_policy
from casino.events.floor_life import PartidaReopened
from casino.events.partidas import PartidaClosed
from casino.events.staff import DutyBegun, DutyEnded
from casino.models import Account, BookEntry
from casino.recording import Actor, OwnDuty
from casino.recording.authority import writers_of
from tests.casino.admin_forms import filled, over_warnings
from tests.casino.permission_matrix import address, matrix
from tests.factories.events.every import FULL
from tests.factories.people import somebody, write
from tests.factories.records import EVENING, HEAD, MANAGER, PIT, recorded
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
ME = "S-0600"
OTHER = "S-0777"  # answers for BJ-07
HIS = {"table": "BJ-06", "partida": "BJ-06/2026-11-20/1"}
OTHERS = {"table": "BJ-07", "partida": "BJ-07/2026-11-20/1"}
REFUSED = "Another answers for this game"
NO_TABLE = "Say at which table it was"


BY_OTHER_FORMS = {"witnessed/1", "withdrawal-asked/1"}  # on a page of what they are about


def blank_rows() -> list[tuple[str, dict[str, Any]]]:
    return [(kind, row) for row in matrix()["blank"] for kind in row["kinds"]]


CASES = [
    pytest.param(kind, row[column], at, id=f"{kind}-{what}")
    for kind, row in blank_rows()
    for what, column, at in (
        ("his own table", "his_table", {"table": "BJ-06", "partida": None}),
        ("another's table", "others_table", {"table": "BJ-07", "partida": None}),
        ("a game that is made up", "others_table", OTHERS | {"partida": "BJ-07/2026-11-20/9"}),
        ("no table", "no_table", {"table": None, "partida": None}),
    )
]
SUBJECTS = [
    pytest.param(kind, row["subject"][kind], id=kind)
    for kind, row in blank_rows()
    if "subject" in row
]


@recorded_once
def mine() -> Client:
    """A fiscal de banca who answers for BJ-06; somebody else does for BJ-07. Both are open."""
    for place, answers in ((HIS, ME), (OTHERS, OTHER)):
        opened = replace(FULL["partida-opened/1"], **place, fiscal_de_banca=answers)
        write(opened, by=MANAGER, at=EVENING)
    return somebody("fiscal_de_banca", ME)


def sent(client: Client, event: Any) -> str:
    """Send a form over whatever it warns of: "" where it was recorded, else the page."""
    url = f"{address(event.kind, 'add')}?kind={event.kind.split('/', maxsplit=1)[0]}"
    form = filled(event)
    answer = client.post(url, form)
    if answer.status_code == 200 and not answer.context["form"].errors:
        answer = over_warnings(client, url, form)
    return "" if answer.status_code == 302 else str(answer.content.decode())


def count(kind: str) -> int:
    return BookEntry.objects.filter(kind=kind).count()


def test_every_kind_a_fiscal_de_banca_may_tell_without_a_game_is_asked() -> None:
    optional = {
        kind
        for kind, event in FULL.items()
        if "fiscal_de_banca" in writers_of(kind)
        and any(one.name == "partida" and one.default is None for one in fields(type(event)))
    }
    assert {kind for kind, _ in blank_rows()} == optional - BY_OTHER_FORMS


@pytest.mark.parametrize(("kind", "may", "at"), CASES)
def test_a_blank_game_opens_no_table_but_his_own(
    mine: Client, kind: str, may: bool, at: dict[str, Any]
) -> None:
    page = sent(mine, replace(FULL[kind], **at))
    assert count(kind) == may
    if not may:
        assert (NO_TABLE if at["table"] is None else REFUSED) in page


@pytest.mark.parametrize("office", ["fiscal_chefe", "chefia_da_sala"])
def test_his_superiors_tell_of_the_store_and_of_any_table(mine: Client, office: str) -> None:
    client = somebody(office)
    for at in ({"table": None, "partida": None}, {"table": "BJ-07", "partida": None}):
        assert not sent(client, replace(FULL["deck-withdrawn/1"], **at))


def _about(kind: str, field: str, place: dict[str, str]) -> str:
    """An incident or a complaint of a table, on record; its number."""
    event = FULL["incident-reported/1" if field == "incident" else "complaint-received/1"]
    write(replace(event, **place), by=HEAD, at=EVENING)
    number: str = getattr(FULL[kind], field)
    return number


@pytest.mark.parametrize(("kind", "field"), SUBJECTS)
def test_what_is_anothers_is_not_settled_from_his_own_table(
    mine: Client, kind: str, field: str
) -> None:
    _about(kind, field, OTHERS)
    for at in (HIS, {"table": "BJ-06", "partida": None}, {"table": None, "partida": None}):
        assert REFUSED in sent(mine, replace(FULL[kind], **at))
    assert count(kind) == 0


@pytest.mark.parametrize(("kind", "field"), SUBJECTS)
def test_what_is_his_own_needs_no_table(mine: Client, kind: str, field: str) -> None:
    _about(kind, field, HIS)
    assert not sent(mine, replace(FULL[kind], table=None, partida=None))
    assert count(kind) == 1


def test_a_dispute_may_be_an_incident_of_anothers_table(mine: Client) -> None:
    number = _about("incident-step/1", "incident", OTHERS)
    event = replace(FULL["dispute-reviewed/1"], **HIS, dispute=number)
    assert REFUSED in sent(mine, event)


def test_nobody_takes_an_incident_over_by_reporting_it_again(mine: Client) -> None:
    _about("incident-step/1", "incident", OTHERS)
    assert REFUSED in sent(mine, replace(FULL["incident-reported/1"], **HIS))


def test_a_table_where_no_game_is_open_is_anybodys(mine: Client) -> None:
    """Decks are looked through before the opening; once a game is reopened, no more."""
    event = replace(FULL["deck-inspected/1"], table="BJ-07", partida=None)
    closed = replace(FULL["partida-closed/1"], **OTHERS)
    assert isinstance(closed, PartidaClosed)
    write(closed, by=MANAGER, at=EVENING.replace(hour=22))
    assert not sent(mine, event)
    write(
        PartidaReopened(**OTHERS, reason="error"),
        by=MANAGER,
        at=EVENING.replace(hour=22, minute=30),
    )
    assert REFUSED in sent(mine, event)


def test_a_correction_moves_nothing_to_anothers_table(mine: Client) -> None:
    """The form of a correction is the same form: the place left blank is asked there too."""
    request = RequestFactory().get("/")
    request.user = Account.objects.get(staff=ME)
    by = Actor(ME, "fiscal_de_banca", "admin")
    event = replace(FULL["deck-withdrawn/1"], incident=None, **HIS)
    assert not access_policy.why_not_there(request, by, event)
    assert access_policy.why_not_there(request, by, replace(event, **OTHERS))
    assert access_policy.why_not_there(request, by, replace(event, table="BJ-07", partida=None))
    assert access_policy.why_not_there(request, by, replace(event, table=None, partida=None))


# Duty


def begun(staff: str, office: str = "fiscal_de_banca", *tables: str) -> DutyBegun:
    return DutyBegun(staff=staff, office=office, tables=tables)  # type: ignore[arg-type]


def test_a_fiscal_de_banca_tells_of_his_own_duty_at_tables_he_names() -> None:
    recorded(begun(PIT.staff, "fiscal_de_banca", "BJ-06"), by=PIT)
    recorded(DutyEnded(staff=PIT.staff, office="fiscal_de_banca"), by=PIT)
    assert count("duty-begun/1") == count("duty-ended/1") == 1


@pytest.mark.parametrize(
    "event",
    [
        begun(HEAD.staff, "fiscal_chefe"),
        begun(HEAD.staff, "fiscal_chefe", "BJ-06"),
        begun("S-0190", "fiscal_de_banca", "BJ-06"),
        begun(PIT.staff, "fiscal_chefe", "BJ-06"),
        begun(PIT.staff, "fiscal_de_banca"),
        DutyEnded(staff="S-0190", office="fiscal_de_banca"),
        DutyEnded(staff=PIT.staff, office="fiscal_chefe"),
    ],
)
def test_he_puts_nobody_else_on_duty_nor_himself_everywhere(event: Any) -> None:
    with pytest.raises(OwnDuty, match="his own duty"):
        recorded(event, by=PIT)
    assert count(event.kind) == 0


@pytest.mark.parametrize("by", [HEAD, MANAGER])
def test_his_superiors_put_anybody_on_duty_anywhere(by: Actor) -> None:
    recorded(begun("S-0190"), by=by)
    recorded(begun("S-0022", "fiscal_chefe"), by=by)
    recorded(DutyEnded(staff="S-0190", office="fiscal_de_banca"), by=by)
    assert count("duty-begun/1") == 2


def test_the_form_says_whom_to_ask(mine: Client) -> None:
    assert "Ask the fiscal-chefe" in sent(mine, begun(HEAD.staff, "fiscal_chefe"))
    assert not sent(mine, begun(ME, "fiscal_de_banca", "BJ-07"))
