"""What counts after corrections: one view answers every reader, for every moment of a stream."""

import pytest

from casino.models import Burn, NotCounting
from casino.queries import not_counting, replaced, replaced_in, that_count
from casino.recording import Receipt
from tests.factories.records import HEAD, PARTIDA, burnt, corrects, recorded
from tests.factories.second_persons import decided

pytestmark = pytest.mark.django_db
STREAM = "table/BJ-06"


def answers() -> set[int]:
    """The numbers that do not count, by each reader: all say the same."""
    left_out = set(replaced(STREAM, PARTIDA))
    everything = {(STREAM, n) for n in Burn.objects.values_list("n", flat=True)}
    assert {n for _, n in not_counting(everything, None, "default")} == left_out
    assert {n for _, n in replaced_in([PARTIDA])} == left_out
    counting = set(that_count(Burn.objects.all()).values_list("n", flat=True))
    assert counting == {n for _, n in everything} - left_out
    return left_out


def test_what_nobody_corrected_counts() -> None:
    recorded(burnt())
    assert answers() == set()


def test_a_correction_counts_from_its_second_persons_word_on() -> None:
    first = recorded(burnt(1))
    second = recorded(burnt(2), supersedes=corrects(first))
    assert answers() == {second.n}
    word = recorded(decided(second, first), by=HEAD)
    assert answers() == {first.n}
    assert [replaced(STREAM, PARTIDA, up_to) for up_to in (first.n, second.n, word.n)] == [
        frozenset(),
        frozenset({second.n}),
        frozenset({first.n}),
    ]


def test_a_refused_correction_never_counts() -> None:
    first = recorded(burnt(1))
    second = recorded(burnt(2), supersedes=corrects(first))
    recorded(decided(second, first, "refused"), by=HEAD)
    assert answers() == {second.n}


def test_a_correction_of_a_correction_leaves_the_last_one() -> None:
    first = recorded(burnt(1))
    second = approved(burnt(2), first)
    third = approved(burnt(3), second)
    assert answers() == {first.n, second.n}
    assert that_count(Burn.objects.all()).get().n == third.n


def approved(event: object, instead_of: Receipt) -> Receipt:
    receipt = recorded(event, supersedes=corrects(instead_of))
    recorded(decided(receipt, instead_of), by=HEAD)
    return receipt


def test_the_view_is_read_and_never_written() -> None:
    from django.db import DatabaseError

    with pytest.raises(DatabaseError):
        NotCounting.objects.create(row="x", stream=STREAM, n=1, partida_id=PARTIDA, since_n=1)
