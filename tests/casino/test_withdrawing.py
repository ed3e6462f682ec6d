"""What never happened is withdrawn by two persons: it counts nowhere, and nothing rests on it."""

from typing import Any

import pytest

from casino.events.corrections import WithdrawalAsked
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.models import Burn, Incident
from casino.queries import decisions_waiting, replaced, that_count
from casino.rebuilding import compare
from casino.recording import (
    Actor,
    CorrectionPending,
    NeverWithdrawn,
    NotAllowed,
    NothingToWithdraw,
    Receipt,
    StandsInTheWay,
    WithdrawnAlready,
    WitnessRefused,
    record_many,
)
from casino.recording.withdrawing import never_withdrawn
from tests.factories.records import (
    HEAD,
    PARTIDA,
    burnt,
    corrects,
    loaded,
    recorded,
    submission,
)
from tests.factories.second_persons import confirmation, decided
from tests.factories.usual_events import ref

pytestmark = pytest.mark.django_db
STREAM = "table/BJ-06"
HERE: dict[str, Any] = {"table": "BJ-06", "partida": PARTIDA}
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")


def withdrawal(
    of: Receipt, act: str = "card-burned/1", with_: Receipt | None = None, **at: Any
) -> WithdrawalAsked:
    return WithdrawalAsked(
        **(HERE | at),
        entry=ref(of),
        act=act,
        reason="tapped_by_mistake",
        falls_with=None if with_ is None else ref(with_),
    )


def test_it_counts_until_a_second_person_approved() -> None:
    first = recorded(burnt(1))
    asked = recorded(withdrawal(first))
    assert replaced(STREAM, PARTIDA) == {asked.n}
    assert decisions_waiting().get().original_n == first.n
    word = recorded(decided(asked, first), by=HEAD)
    assert replaced(STREAM, PARTIDA) == {first.n}
    assert first.n not in replaced(STREAM, PARTIDA, word.n - 1)  # as it stood before
    assert not that_count(Burn.objects.all()).exists()
    assert not decisions_waiting().exists()


def test_a_refused_withdrawal_changes_nothing() -> None:
    first = recorded(burnt(1))
    asked = recorded(withdrawal(first))
    recorded(decided(asked, first, "refused"), by=HEAD)
    assert that_count(Burn.objects.all()).count() == 1
    recorded(decided(recorded(withdrawal(first)), first), by=HEAD)  # and it may be asked again
    assert not that_count(Burn.objects.all()).exists()


@pytest.mark.parametrize(
    "by",
    [
        Actor("S-0187", "fiscal_chefe", "admin"),  # he asked, and wrote it
        Actor("s-0187", "chefia_da_sala", "sala"),  # the same person, written otherwise
    ],
)
def test_nobody_withdraws_alone(by: Actor) -> None:
    first = recorded(burnt(1))
    asked = recorded(withdrawal(first))
    with pytest.raises(WitnessRefused, match="second person"):
        recorded(decided(asked, first), by=by)


def test_whoever_wrote_the_record_does_not_approve_what_another_asks() -> None:
    first = recorded(burnt(1), by=HEAD)
    asked = recorded(withdrawal(first))
    with pytest.raises(WitnessRefused, match="second person"):
        recorded(decided(asked, first), by=HEAD)
    recorded(decided(asked, first), by=MANAGER)


def test_whoever_confirmed_the_act_does_not_approve_either() -> None:
    load = recorded(loaded(3))
    recorded(confirmation(load), by=HEAD)
    asked = recorded(withdrawal(load, "shuffler-loaded/1"))
    with pytest.raises(WitnessRefused, match="confirmed the act"):
        recorded(decided(asked, load), by=HEAD)
    recorded(decided(asked, load), by=MANAGER)
    with pytest.raises(WitnessRefused, match="withdrawn meanwhile"):
        recorded(confirmation(load, staff="S-0003", office="chefia_da_sala"), by=MANAGER)


def test_a_fiscal_de_banca_approves_nothing() -> None:
    first = recorded(burnt(1))
    asked = recorded(withdrawal(first))
    with pytest.raises(NotAllowed):
        recorded(decided(asked, first), by=Actor("S-0190", "fiscal_de_banca", "admin"))


def test_it_is_asked_by_whoever_may_record_that_kind() -> None:
    load = recorded(loaded(3))
    with pytest.raises(NotAllowed):  # the fiscal-chefe witnesses a loading; he records none
        recorded(withdrawal(load, "shuffler-loaded/1"), by=HEAD)


def test_nothing_is_withdrawn_twice() -> None:
    first = recorded(burnt(1))
    asked = recorded(withdrawal(first))
    with pytest.raises(WithdrawnAlready):
        recorded(withdrawal(first))
    recorded(decided(asked, first), by=HEAD)
    with pytest.raises(WithdrawnAlready):
        recorded(withdrawal(first))
    with pytest.raises(WithdrawnAlready):  # and what did not happen is not put right
        recorded(burnt(2), supersedes=corrects(first))


def test_of_a_corrected_record_the_correction_is_withdrawn() -> None:
    first = recorded(burnt(1))
    second = recorded(burnt(2), supersedes=corrects(first))
    for one in (first, second):  # while the correction waits
        with pytest.raises(CorrectionPending):
            recorded(withdrawal(one))
    recorded(decided(second, first), by=HEAD)
    with pytest.raises(CorrectionPending):
        recorded(withdrawal(first))
    recorded(decided(recorded(withdrawal(second)), second), by=HEAD)
    assert not that_count(Burn.objects.all()).exists()  # the first does not come back


@pytest.mark.parametrize(
    "wrong", [{"act": "cut-made/1"}, {"partida": None}, {"partida": f"{PARTIDA[:-1]}9"}]
)
def test_it_names_what_it_withdraws_as_it_stands(wrong: dict[str, Any]) -> None:
    first = recorded(burnt(1))
    with pytest.raises(NothingToWithdraw):
        recorded(withdrawal(first, **wrong))


def test_what_a_machine_told_is_not_withdrawn() -> None:
    seat = recorded(burnt(1))
    asked = recorded(withdrawal(seat))
    with pytest.raises(NeverWithdrawn, match="another record"):
        recorded(withdrawal(asked, "withdrawal-asked/1"))


def incident(number: str = "IN-1") -> IncidentReported:
    return IncidentReported(**HERE, incident=number, category="conduct", reason="ameaca", people=())


def test_what_has_no_meaning_without_it_falls_with_it_or_not_at_all() -> None:
    trouble = recorded(incident())
    step = recorded(IncidentStep(**HERE, incident="IN-1", step="called"))
    with pytest.raises(StandsInTheWay):
        recorded(withdrawal(trouble, "incident-reported/1"))
    both = record_many(
        [
            submission(withdrawal(trouble, "incident-reported/1")),
            submission(withdrawal(step, "incident-step/1", trouble)),
        ]
    )
    with pytest.raises(StandsInTheWay):  # nothing is left hanging by half an approval
        recorded(decided(both[0], trouble), by=HEAD)
    late = recorded(IncidentClosed(**HERE, incident="IN-1", outcome="settled", reason="advertido"))
    pairs = [(both[0], trouble), (both[1], step)]
    with pytest.raises(StandsInTheWay):  # recorded since it was asked
        record_many([submission(decided(*pair), by=HEAD) for pair in pairs])
    recorded(decided(recorded(withdrawal(late, "incident-closed/1")), late), by=HEAD)
    record_many([submission(decided(*pair), by=HEAD) for pair in pairs])
    assert not that_count(Incident.objects.all()).exists()


def test_nothing_rests_on_what_was_told_twice() -> None:
    recorded(incident())
    again = recorded(incident())
    recorded(IncidentStep(**HERE, incident="IN-1", step="called"))
    recorded(withdrawal(again, "incident-reported/1"))


def test_the_shelf_of_what_was_asked_is_made_again_from_the_book() -> None:
    from casino.models import Supersession

    recorded(withdrawal(recorded(burnt(1))))
    recorded(burnt(3), supersedes=corrects(recorded(burnt(2))))
    assert Supersession.objects.count() == 2
    assert not list(compare(Supersession))


def test_every_kind_the_floor_tells_is_withdrawn_or_says_why_not() -> None:
    from casino.events.event_policy import HEAD as CHEFE
    from casino.events.event_policy import MANAGER as CHEFIA
    from casino.events.event_policy import PIT
    from casino.extensions import event_kinds
    from casino.recording.authority import writers_of

    for kind in event_kinds():
        if not writers_of(kind) & {PIT, CHEFE, CHEFIA}:
            assert never_withdrawn(kind), kind
    for kind in ("jackpot-read/1", "jackpot-incremented/1", "partida-opened/1", "round-played/1"):
        assert never_withdrawn(kind) is None


def test_a_kind_this_book_does_not_have_nobody_withdraws() -> None:
    first = recorded(burnt(1))
    with pytest.raises(NotAllowed):
        recorded(withdrawal(first, act="nothing/1"))
