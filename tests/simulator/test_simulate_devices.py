"""`simulate_devices`: what machines send is decided by a seed, and whatever goes wrong on the line,
what was acknowledged is in the book once.
"""

import os
from collections import Counter
from datetime import date
from io import StringIO
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command

from casino import clock
from casino.demo.simulated_machines import READER
from casino.management.commands.simulate_devices import made_machines
from casino.models import ApiClient, ApiMessage, BookEntry, Round
from casino.sequencer import integrate
from casino.simulation.devices.in_the_book import in_the_book
from casino.simulation.devices.planned_messages import (
    Sending,
    Trouble,
    in_order,
    messages,
    rounds_of,
)
from casino.simulation.devices.playing import Plan, play, players_of, tally_of
from tests.factories.records import burnt, recorded
from tests.gate import size

DAY: Final = date(2026, 11, 12)
ALL: Final = Trouble(lost=0.3, doubled=0.3, reused=0.3, gaps=0.2, lying=0.2, skew=90)
ROUNDS: Final = size(24, 160, 320)  # four hours at a table are some two hundred


def sendings(trouble: Trouble, seed: int = 3) -> list[Sending]:
    """What a machine sends of forty rounds."""
    played = [one for one, _ in rounds_of(0, "BJ-S01", 7, 40, 0.1, DAY)]
    rng = Random(seed)
    return list(in_order(messages(played, 4, 11, trouble, rng), trouble, rng))


def test_a_seed_decides_everything() -> None:
    assert sendings(ALL) == sendings(ALL) != sendings(ALL, 4)


def test_without_trouble_each_message_is_sent_once_in_its_order() -> None:
    sent = sendings(Trouble())
    assert [one.message.number for one in sent] == list(range(11, 21))
    assert not any(one.again or one.message.lost or one.message.ahead for one in sent)


def test_trouble_leaves_no_round_out() -> None:
    sent = sendings(ALL)
    first = [one.message for one in sent if not one.again]
    rounds = [key for message in first for key in message.rounds]
    assert len(rounds) == len(set(rounds)) == 40
    assert any(after.number - before.number == 2 for before, after in pairwise(first))
    assert any(one.again for one in sent)
    assert any(message.lost for message in first)


def test_hours_offline_are_sent_shuffled_and_doubled() -> None:
    sent = sendings(Trouble(doubled=0.5, offline=True))
    numbers = [one.message.number for one in sent]
    times = Counter(numbers)
    assert set(times) == set(range(11, 21))
    assert set(times.values()) == {1, 2}
    assert numbers != sorted(numbers)
    seen: set[int] = set()
    for one in sent:
        assert one.again is (one.message.number in seen)
        seen.add(one.message.number)


def test_what_a_machine_kept_for_hours_is_in_the_book_once(fresh_db: str, live_server: Any) -> None:
    """Two machines at once, shuffled, doubled, with lines that break and a used number."""
    trouble = Trouble(lost=0.3, doubled=0.5, reused=0.3, skew=90, offline=True)
    plan = Plan(seed=5, day=DAY, rounds=ROUNDS, batch=3, trouble=trouble)
    machines, reader = made_machines(live_server.url, 2, DAY)
    players = players_of(machines, plan)
    play(players, 600)
    tally = tally_of(players)
    assert (tally.wrong, tally.open) == ([], 0)
    assert len(tally.entries) == 2 * ROUNDS == Round.objects.count()
    assert min(tally.lost, tally.again, tally.reused) > 0
    assert {status for status in tally.answers if status >= 500} == set()
    while integrate():
        pass
    assert in_the_book(reader, tally.entries).once == 2 * ROUNDS
    assert [one.missing for one in ApiClient.objects.exclude(number=READER)] == [0, 0]
    # The same evening once more, as a machine does that has forgotten what it sent.
    again = players_of(made_machines(live_server.url, 2, DAY)[0], plan)
    play(again, 600)
    assert tally_of(again).entries == tally.entries
    assert Round.objects.count() == 2 * ROUNDS


def test_clocks_that_lie_and_numbers_left_out_are_seen(fresh_db: str, live_server: Any) -> None:
    trouble = Trouble(gaps=0.5, lying=1)
    machines, _ = made_machines(live_server.url, 1, DAY)
    players = players_of(machines, Plan(2, DAY, rounds=8, trouble=trouble))
    play(players, 600)
    assert len(tally_of(players).entries) == 8
    client = ApiClient.objects.exclude(number=READER).get()
    assert client.missing > 0
    days = {abs(one.sent_at - clock.now()).days for one in ApiMessage.objects.all()}
    assert max(days) > 300


def test_the_command_says_what_became_of_it(
    fresh_db: str, live_server: Any, english: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine,), reader = made_machines(live_server.url, 1, DAY)
    named = f"{machine.line.number}:{machine.table}:{machine.line.secret}"
    monkeypatch.setitem(os.environ, "SIMULATED_DEVICES", named)
    said = StringIO()
    call_command("simulate_devices", live_server.url, rounds=6, batch=2, stdout=said)
    assert "1 machines: 6 rounds acknowledged" in said.getvalue()
    # Under another seed other rounds come under the numbers of these: refused, not recorded.
    with pytest.raises(CommandError, match="message-number-reused"):
        call_command("simulate_devices", live_server.url, rounds=6, batch=2, seed=1, stdout=said)
    assert Round.objects.count() == 6
    monkeypatch.setitem(os.environ, "SIMULATED_READER", f"{reader.number}:wrong")
    with pytest.raises(CommandError, match="401"):
        call_command(
            "simulate_devices", live_server.url, rounds=2, first=9, check=True, stdout=said
        )


@pytest.mark.parametrize("given", ["", "SIM-01", "SIM-01:BJ-S01", "SIM-01::x"])
def test_machines_that_are_not_named_are_asked_for(
    given: str, english: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "SIMULATED_DEVICES", given)
    with pytest.raises(CommandError, match="NUMBER:TABLE:SECRET"):
        call_command("simulate_devices", "http://127.0.0.1:1")


def test_only_a_safe_address_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SIMULATED_DEVICES", "SIM-01:BJ-S01:x")
    with pytest.raises(CommandError, match="https"):
        call_command("simulate_devices", "http://livro.example")


@pytest.mark.django_db
def test_nothing_is_entered_in_a_book_people_use() -> None:
    recorded(burnt(1))
    before = BookEntry.objects.count()
    with pytest.raises(CommandError):
        made_machines("http://127.0.0.1:1", 1, DAY)
    assert BookEntry.objects.count() == before
