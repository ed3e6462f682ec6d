"""Anular: what the floor sends can be taken back for five seconds; then it is in the book, once.

Nobody waits here: a test moves the moment until which it is held.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localtime

from casino import clock, holding
from casino.events import Malformed
from casino.events.decks import DeckInspected
from casino.events.shoes import CutMade, LastRoundAnnounced
from casino.floor.game_view import last_game_view
from casino.floor.gathering import dossiers
from casino.floor.tables.todo_lists import everything
from casino.management.commands.backup import PASSING, PRIVATE_TABLES
from casino.models import BookEntry, Correction, HeldRecord, JobOutbox, Supersession
from casino.recording import Busy, KeyReused, Submission, record_many
from casino.tasks import TRIES
from tests.casino.admin_forms import filled, warned_in
from tests.casino.sala_forms import fill, form_on, over_it, send
from tests.factories.floor import DECKS, PIT, SHOE_TABLE, game, house, opened, prepared, shown_deck
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.rounds import a_round, box, main
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("english", "five_seconds"),
    pytest.mark.share,
]
TABLE = f"/sala/{SHOE_TABLE}/"
CUT, SHOE, LAST = f"{TABLE}cut/", f"{TABLE}shoe/", f"{TABLE}last-round/"
SEATED = f"{CUT}?seats=1+2+5"
BACK = f"{TABLE}take-back/"


@pytest.fixture
def five_seconds(settings: Any, db: None) -> None:
    """As in the product."""
    settings.SALA_HOLD_SECONDS = 5


@recorded_once
def pit() -> Client:
    """The fiscal de banca, at his open table."""
    house()
    opened()
    return somebody("fiscal_de_banca")


def held() -> list[HeldRecord]:
    """What is held, the oldest first."""
    return list(HeldRecord.objects.order_by("made_at"))


def the_key() -> UUID:
    """The form of the one act that is held."""
    [row] = held()
    return row.key


def five_seconds_later() -> None:
    """The time of all that is held is over."""
    HeldRecord.objects.update(due_at=clock.now())


def cut_at(client: Client) -> Any:
    """Shuffled, and cut by the seat whose turn it is."""
    answer = send(client, SEATED)
    assert answer.status_code == 303, answer.content.decode()
    return answer


# Held, said so, written once


def test_it_is_held_and_said_so_never_that_it_is_recorded(pit: Client) -> None:
    before = entries()
    page = pit.get(cut_at(pit)["Location"]).content.decode()
    assert entries() == before
    [row] = held()
    assert [event.kind for event in holding.events_of(row)] == ["cards-shuffled/1", "cut-made/1"]
    assert "Cut, seat 1" in page
    assert "Being recorded…" in page
    assert 'data-held="5"' in page
    assert "Undo" in page
    assert "Recorded at" not in page


def test_after_five_seconds_whoever_looks_writes_it(pit: Client) -> None:
    tapped = clock.now()
    onward = cut_at(pit)["Location"]
    five_seconds_later()
    page = pit.get(onward).content.decode()
    assert "Recorded at" in page
    assert "Being recorded" not in page
    assert held() == []
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert abs(entry.occurred_at - tapped) < timedelta(seconds=2)
    assert entry.recorded_at > entry.occurred_at
    assert len(events_of("cut-made/1")) == len(events_of("cards-shuffled/1")) == 1


def test_before_that_looking_writes_nothing(pit: Client) -> None:
    cut_at(pit)
    before = entries()
    for url in (TABLE, SHOE, "/sala/", f"{TABLE}incident/"):
        assert pit.get(url).status_code == 200
    assert entries() == before
    assert len(held()) == 1


def test_the_job_writes_it_where_nobody_looks(pit: Client) -> None:
    cut_at(pit)
    job = JobOutbox.objects.get(topic=holding.TOPIC)
    assert job.due_at == held()[0].due_at
    assert do_jobs(job.due_at - timedelta(milliseconds=1), topic=holding.TOPIC) == []
    assert do_jobs(job.due_at, topic=holding.TOPIC) == [job.key]
    assert held() == []
    the_event("cut-made/1")
    job.refresh_from_db()
    assert job.done_at is not None


@pytest.mark.parametrize("first", ["a look", "the job", "the next act"])
def test_whoever_comes_second_writes_nothing_more(pit: Client, first: str) -> None:
    cut_at(pit)
    firsts: dict[str, Callable[[], Any]] = {
        "a look": lambda: pit.get(TABLE),
        "the job": lambda: do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC),
        "the next act": lambda: send(pit, SHOE),
    }
    five_seconds_later()
    for one in [firsts.pop(first), *firsts.values()]:
        one()
    five_seconds_later()
    pit.get(TABLE)
    assert len(events_of("cut-made/1")) == 1
    assert len(events_of("carta-aviso-placed/1")) == 1


# Taken back


def test_taken_back_nothing_is_recorded_and_the_step_is_due_again(pit: Client) -> None:
    before = entries()
    cut_at(pit)
    answer = pit.post(BACK, {"key": str(the_key())})
    assert answer["Location"] == f"{TABLE}cut/?undone=1&seats=1+2+5"  # as it was filled in
    answer = pit.get(answer["Location"])
    page = answer.content.decode()
    assert "Taken back: nothing was recorded." in page
    assert form_on(answer)["seats"] == "1 2 5"
    assert "Record shuffle by hand and cut" in page
    do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC)
    assert (held(), entries()) == ([], before)


def test_at_the_fifth_second_it_is_too_late_and_said_so(pit: Client) -> None:
    cut_at(pit)
    form = the_key()
    five_seconds_later()
    answer = pit.post(BACK, {"key": str(form)})
    page = pit.get(answer["Location"]).content.decode()
    assert "It can no longer be taken back: recorded at" in page
    assert "by S-0187" in page
    assert "Already recorded" not in page
    assert "Correct" in page
    assert f"{reverse('sala:withdraw', args=[BookEntry.objects.get(kind='cut-made/1').pk])}" in page
    the_event("cut-made/1")


def test_after_the_next_act_it_is_too_late_and_the_banner_says_who_wrote_it(pit: Client) -> None:
    cut_at(pit)
    form = the_key()
    send(pit, SHOE)
    answer = pit.post(BACK, {"key": str(form)})
    assert answer["Location"] == f"{TABLE}?recorded={form}&again=1&late=1"
    page = pit.get(answer["Location"]).content.decode()
    assert "It can no longer be taken back" in page
    assert "the next record at the table needed it" in page
    assert "This did not happen" in page


def test_a_form_sent_twice_is_not_said_to_be_too_late_to_take_back(pit: Client) -> None:
    form = fill(pit, SEATED)
    pit.post(CUT, form)
    five_seconds_later()
    pit.get(TABLE)
    page = pit.get(pit.post(CUT, form)["Location"]).content.decode()
    assert "Already recorded at" in page
    assert "no longer be taken back" not in page


def test_another_person_does_not_take_it_back(pit: Client) -> None:
    cut_at(pit)
    head = somebody("fiscal_chefe")
    page = head.get(TABLE).content.decode()
    assert "Being recorded…" in page
    assert BACK not in page
    head.post(BACK, {"key": str(the_key())})
    assert len(held()) == 1


@pytest.mark.parametrize("key", ["", "x", "00000000-0000-4000-8000-000000000001"])
def test_what_names_nothing_takes_nothing_back(pit: Client, key: str) -> None:
    cut_at(pit)
    assert pit.post(BACK, {"key": key})["Location"] == TABLE
    assert len(held()) == 1


def test_at_another_table_it_is_not_taken_back(pit: Client) -> None:
    cut_at(pit)
    pit.post("/sala/BJ-02/take-back/", {"key": str(the_key())})
    assert len(held()) == 1


def test_the_same_form_sent_again_after_that_is_an_act_anew(pit: Client) -> None:
    form = fill(pit, SEATED)
    pit.post(CUT, form)
    pit.post(BACK, {"key": form["key"]})
    pit.post(CUT, form)
    jobs = JobOutbox.objects.filter(topic=holding.TOPIC)
    assert (jobs.count(), jobs.filter(done_at=None).count()) == (2, 1)
    do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC)
    the_event("cut-made/1")


# The next act


def test_a_shoe_is_still_three_taps_and_each_act_writes_the_one_before(pit: Client) -> None:
    prepared()
    table = pit.get(TABLE)
    announced = pit.post(LAST, form_on(table) | {"came_out": "during_round"})
    table = pit.get(announced["Location"])
    assert "Record shuffle by hand and cut" in table.content.decode()
    assert events_of("last-round-announced/1") == []
    cut = pit.post(CUT, form_on(table))
    assert len(events_of("last-round-announced/1")) == 1
    assert len(events_of("cut-made/1")) == 1  # of the shoe before
    shoe = pit.get(cut["Location"])
    assert "begin the shoe" in shoe.content.decode()
    begun = pit.post(SHOE, form_on(shoe))
    assert begun["Location"].startswith(f"{TABLE}?recorded=")
    assert len(events_of("cut-made/1")) == 2
    pit.get(begun["Location"])
    five_seconds_later()
    pit.get(TABLE)
    assert len(events_of("carta-aviso-placed/1")) == 2


def test_the_same_form_sent_twice_is_no_next_act(pit: Client) -> None:
    form = fill(pit, SEATED)
    first, second = pit.post(CUT, form), pit.post(CUT, form)
    assert (first.status_code, second["Location"]) == (303, first["Location"])
    assert len(held()) == 1
    assert events_of("cut-made/1") == []


def test_what_stood_on_the_page_while_it_was_held_is_nobody_elses(pit: Client) -> None:
    """Two decks exhibited one after the other are the same kind of act twice."""
    url = f"{TABLE}exhibit/?deck={DECKS[0]}"
    first = fill(pit, url) | {"result-0": "conform"}
    assert pit.post(url, first).status_code == 303
    second = fill(pit, url) | {"result-0": "conform"}
    assert second["held"] == first["key"]
    before = len(events_of("deck-inspected/1"))
    answer = pit.post(url, second)
    if answer.status_code == 200 and "over" in form_on(answer):
        answer = over_it(pit, url, answer)
    assert answer.status_code == 303, answer.context["meanwhile"]
    assert len(events_of("deck-inspected/1")) > before


def test_what_another_tablet_sent_meanwhile_is_written_and_said(pit: Client) -> None:
    mine = fill(pit, SEATED)
    head = somebody("fiscal_chefe")
    cut_at(head)
    answer = pit.post(CUT, mine)
    assert [one.who for one in answer.context["meanwhile"]] == [CAST["fiscal_chefe"]] * 2
    assert held() == []
    the_event("cut-made/1")


def test_a_closing_writes_it_and_is_itself_written_at_once(pit: Client) -> None:
    cut_at(pit)
    url = f"{TABLE}close/?confirm=1"
    answer = send(pit, url, attest="all")
    if answer.status_code == 200:
        answer = over_it(pit, url, answer)
    assert answer.status_code == 303
    assert held() == []
    order = list(BookEntry.objects.order_by("pk").values_list("kind", flat=True))
    assert order.index("cut-made/1") < order.index("partida-closed/1")


def test_the_page_that_withdraws_a_record_writes_what_may_rest_on_it(pit: Client) -> None:
    cut_at(pit)
    entry = BookEntry.objects.filter(kind="deck-inspected/1").latest("pk")
    assert pit.get(f"/sala/entry/{entry.pk}/withdraw/").status_code == 200
    assert held() == []
    the_event("cut-made/1")


def test_the_admins_page_that_withdraws_one_writes_it_too(pit: Client) -> None:
    cut_at(pit)
    entry = BookEntry.objects.filter(kind="deck-inspected/1").latest("pk")
    url = reverse("admin:casino_bookentry_withdraw", args=[entry.pk])
    assert pit.get(url).status_code == 200
    assert held() == []
    the_event("cut-made/1")


def test_what_was_sent_since_a_withdrawal_was_asked_for_is_in_the_book_before_it_is_decided(
    pit: Client,
) -> None:
    """Else it would be written under a game that never was."""
    entry = BookEntry.objects.get(kind="partida-opened/1")
    ask = reverse("admin:casino_bookentry_withdraw", args=[entry.pk])
    key = str(pit.get(ask).context["form"]["key"].value())
    assert pit.post(ask, {"key": key, "reason": "never_happened"}).status_code == 302
    cut_at(pit)
    head = somebody("fiscal_chefe")
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.earliest("pk").pk])
    form = head.get(url).context["form"]
    sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    answer = head.post(url, sent | {"decision": "approved"})
    assert answer.status_code == 200
    assert "rests on it. Withdraw that one first." in answer.content.decode()
    assert not Correction.objects.exists()
    the_event("cut-made/1")


def test_the_admins_form_at_that_table_writes_it_first(pit: Client) -> None:
    cut_at(pit)
    announced = LastRoundAnnounced(**game(), shoe=1, came_out="during_round", audible=True)
    now = f"{localtime(clock.now()):%Y-%m-%dT%H:%M:%S}"
    url = reverse("admin:casino_lastround_add")
    somebody("fiscal_chefe").post(url, filled(announced, occurred_at=now))
    assert held() == []
    the_event("cut-made/1")


def test_a_round_recorded_in_the_admin_is_recorded_while_the_floor_holds_something(
    pit: Client,
) -> None:
    cut_at(pit)
    url = reverse("admin:casino_round_add")
    played = replace(a_round(box(1, "TS 8D", main(1000, 2000)), bank="TH 7C"), **game(SHOE_TABLE))
    sent = filled(played)
    again = sent | {f"despite-{check}": "other" for check in warned_in(pit.post(url, sent))}
    pit.post(url, again)
    assert held() == []
    the_event("round-played/1")


# What is held, and what is not


def test_a_note_which_is_a_private_value_is_not_held() -> None:
    assert holding.may_be_held([shown_deck("D-1")])
    noted = DeckInspected(
        **game(),
        deck="D-1",
        moment="exhibition",
        cards=52,
        order_complete=True,
        result="conform",
        faces="regular",
        backs="regular",
        note="the seal was torn",
    )
    assert not holding.may_be_held([noted])


def test_of_two_games_nothing_is_held_and_with_no_seconds_nothing(settings: Any) -> None:
    assert not holding.may_be_held([shown_deck("D-1"), shown_deck("D-2", "BJ-02")])
    settings.SALA_HOLD_SECONDS = 0
    assert not holding.may_be_held([shown_deck("D-1")])


def test_what_is_held_tells_the_fact_whole(pit: Client) -> None:
    cut_at(pit)
    [one] = [one for one in recorded() if isinstance(one.event, CutMade)]
    five_seconds_later()
    pit.get(TABLE)
    assert one.event == the_event("cut-made/1")


def recorded() -> list[Any]:
    """What is held of the game at the table, as it will be recorded."""
    return [one.recorded for one in holding.held_in([game()["partida"]]).get(game()["partida"], [])]


def test_held_and_written_it_stands_in_a_game_once(pit: Client) -> None:
    cut_at(pit)
    partida = game()["partida"]
    before = holding.held_in([partida])  # asked before somebody else writes it
    for at in ("held", "written"):
        game_view = last_game_view(SHOE_TABLE, clock.now())
        assert game_view is not None
        gathered, _ = dossiers([partida], clock.now())[partida]
        for dossier in (game_view.dossier, gathered, holding.with_held(gathered, before[partida])):
            assert len(dossier.of(CutMade)) == 1, at
        five_seconds_later()
        pit.get(TABLE)


# What cannot be written


def refused_later(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """From now on the writer says no."""

    def refuse(_: Any) -> None:
        raise error

    monkeypatch.setattr(holding, "record_many", refuse)


WRONG = KeyReused(key="k", kind="cut-made/1", stream="table/BJ-01", n=7)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (WRONG, "already names another record (cut-made/1, table/BJ-01 number 7)"),
        (RuntimeError("a fault of ours"), "The server could not write it."),
    ],
)
def test_what_cannot_be_written_stays_until_somebody_has_read_it(
    pit: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    cut_at(pit)
    five_seconds_later()
    refused_later(monkeypatch, error)
    head = somebody("fiscal_chefe")
    before = entries()
    for _ in range(2):
        page = pit.get(TABLE).content.decode()
        assert "Not recorded (sent at" in page
        assert says in page
        assert "Being recorded" not in page
    assert "Record shuffle by hand and cut" in page  # it is due as before
    assert [one.url for one in everything(clock.now()) if one.what == "not written"] == [TABLE]
    assert head.post(BACK, {"key": str(the_key())})["Location"] == f"{TABLE}?undone=1"
    assert (held(), entries()) == ([], before)


def test_the_list_of_things_to_do_is_read_again_for_what_is_held_or_given_up(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither changes the book, and the list is kept as long as that stands still."""
    before = everything(clock.now())
    assert everything(clock.now()) is before
    cut_at(pit)
    sent = everything(clock.now())
    assert sent is not before
    five_seconds_later()
    refused_later(monkeypatch, WRONG)
    pit.get(TABLE)
    assert "not written" in [one.what for one in everything(clock.now())]


def test_what_rests_on_it_is_not_recorded_in_its_stead(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_at(pit)
    form = fill(pit, SHOE)
    refused_later(monkeypatch, WRONG)
    before = entries()
    page = pit.post(SHOE, form)
    assert page.status_code == 200
    assert "already names another record" in page.content.decode()
    assert "Not recorded yet." in page.content.decode()
    assert entries() == before
    monkeypatch.undo()


def test_a_job_that_finds_the_table_busy_comes_again(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_at(pit)
    refused_later(monkeypatch, Busy())
    due = clock.now() + timedelta(minutes=1)
    for _ in range(TRIES + 1):
        do_jobs(due, topic=holding.TOPIC)
    assert pit.get(TABLE).status_code == 200
    assert [row.failed_at for row in held()] == [None]
    monkeypatch.undo()
    do_jobs(due, topic=holding.TOPIC)
    the_event("cut-made/1")


def test_a_moment_to_come_is_refused_when_it_is_sent_not_when_it_is_written(pit: Client) -> None:
    event = LastRoundAnnounced(**game(), shoe=1, came_out="during_round", audible=True)
    late = clock.now() + timedelta(minutes=2)
    with pytest.raises(Malformed, match="still to come"):
        holding.hold(uuid4(), PIT.staff, [Submission(event, uuid4(), PIT, late)])
    assert held() == []


def test_written_already_under_its_keys_it_is_not_written_again(pit: Client) -> None:
    """As where a backup held it, and the book put back from a bundle has it."""
    cut_at(pit)
    [row] = held()
    record_many([holding._submission(one) for one in row.submissions])
    before = entries()
    five_seconds_later()
    pit.get(TABLE)
    assert (held(), entries()) == ([], before)


def test_others_write_at_the_table_and_it_is_still_held(pit: Client) -> None:
    """What no form of the floor sends (a round of a device) waits for nothing."""
    cut_at(pit)
    write(shown_deck("D-0301"), by=PIT)
    assert len(held()) == 1


# Backup


def test_a_backup_brings_along_what_is_held() -> None:
    assert HeldRecord._meta.db_table not in (*PRIVATE_TABLES, *PASSING)
