"""Many tablets at the very same moment, or one that sends many times: in threads, one server."""

from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from casino import holding
from casino.events.staff import DutyBegun
from casino.models import BookEntry, Correction, Cut, HeldRecord, Incident, Shuffle
from casino.recording import Actor
from tests.casino.sala_forms import form_on
from tests.casino.together import at_once, same_session
from tests.factories.floor import SHOE_TABLE, house, opened, register
from tests.factories.people import CAST, somebody, write
from tests.factories.records import burnt, corrects, recorded

pytestmark = [pytest.mark.share, pytest.mark.usefixtures("fresh_db", "english")]
CUT = f"/sala/{SHOE_TABLE}/cut/"
SEATED = f"{CUT}?seats=1+2+5"
MANY = 8


def test_one_form_sent_eight_times_at_once_is_recorded_once(fresh_db: str) -> None:
    house()
    opened()
    pit = somebody("fiscal_de_banca")
    form = form_on(pit.get(SEATED))
    before = BookEntry.objects.count()
    tablets = [same_session(pit) for _ in range(MANY)]
    answers = at_once([lambda one=one: one.post(CUT, form) for one in tablets])
    assert [answer.status_code for answer in answers] == [303] * MANY
    assert BookEntry.objects.count() == before + 2
    again = [answer["Location"].endswith("&again=1") for answer in answers]
    assert sorted(again) == [False] + [True] * (MANY - 1)


def test_of_supervisors_who_record_the_same_at_once_one_does_and_the_others_are_told(
    fresh_db: str,
) -> None:
    house()
    opened()
    staff = [f"S-02{n:02d}" for n in range(MANY)]
    people = [somebody("fiscal_de_banca", one) for one in staff]
    for one in staff:
        begun = DutyBegun(staff=one, office="fiscal_de_banca", tables=(SHOE_TABLE,))
        write(begun, by=Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin"))
    forms = [form_on(one.get(SEATED)) for one in people]
    acts = [
        lambda one=one, form=form: one.post(CUT, form)
        for one, form in zip(people, forms, strict=True)
    ]
    answers = at_once(acts)
    assert sorted(answer.status_code for answer in answers) == [200] * (MANY - 1) + [303]
    assert (Cut.objects.count(), Shuffle.objects.count()) == (1, 1)
    winner = staff[[answer.status_code for answer in answers].index(303)]
    for answer in answers:
        if answer.status_code == 200:
            assert [one.who for one in answer.context["meanwhile"]] == [winner, winner]


def test_incidents_of_many_tables_at_once_have_each_a_number_of_its_own_while_they_are_held(
    fresh_db: str, settings: Any
) -> None:
    """Each writes first what the others hold of the register."""
    settings.SALA_HOLD_SECONDS = 600
    house()
    tables = [f"BJ-1{n}" for n in range(MANY)]
    for n, table in enumerate(tables):
        register(table)
        opened(table, decks=(f"D-1{n}01",), shown=False)
    pit = somebody("fiscal_de_banca")
    urls = [f"/sala/{table}/incident/?category=conduct" for table in tables]
    forms = [form_on(pit.get(url)) | {"reason": "linguagem"} for url in urls]
    tablets = [same_session(pit) for _ in tables]
    acts = [
        lambda one=one, url=url, form=form: one.post(url, form)
        for one, url, form in zip(tablets, urls, forms, strict=True)
    ]
    answers = at_once(acts)
    assert [answer.status_code for answer in answers] == [303] * MANY
    listed = [
        event.incident for row in HeldRecord.objects.all() for event in holding.events_of(row)
    ]
    numbers = sorted([*listed, *Incident.objects.values_list("incident", flat=True)])
    assert [int(one.rpartition("-")[2]) for one in numbers] == list(range(1, MANY + 1))


def test_of_four_decisions_at_once_on_a_correction_one_stands() -> None:
    original = recorded(burnt(2))
    asked = recorded(burnt(1), supersedes=corrects(original))
    url = reverse("admin:casino_supersession_change", args=[asked.entry_id])
    sends = []
    for number in range(4):
        client = somebody("fiscal_chefe", f"S-06{number:02d}")
        form = client.get(url).context["form"]
        sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
        sent["decision"] = ("approved", "refused")[number % 2]
        sends.append(partial(client.post, url, sent))
    answers = [one.status_code for one in at_once(sends)]
    assert answers.count(302) == 1, answers
    assert Correction.objects.count() == 1
