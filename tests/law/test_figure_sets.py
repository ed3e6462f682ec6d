"""Figures two persons set in the book: which sets count, and the law in use with them."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from typing import Any, Final

import pytest

from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.requests import FiguresAsked, FigureValue, RequestDecided
from casino.law.dossier import RecordedEvent, Signed
from casino.law.rulebook.figure_sets import (
    changes_nothing,
    digest_on,
    paired,
    proposed,
    replaced_by,
    set_of,
    state_on,
    with_sets,
)
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_of_file

LIMIT: Final = "limits.maximum_over_minimum"  # n.º 37: thirty minimums
DAY: Final = date(2027, 3, 1)
RECORDED: Final = datetime(2027, 2, 20, 18, 0, tzinfo=UTC)


def entry(n: int, event: Any, staff: str = "S-0009", at: datetime = RECORDED) -> Any:
    leaf = sha256(f"{n} {event}".encode()).hexdigest()
    by = Signed(staff, "administrador", "admin")
    return RecordedEvent(f"house/{n}", "house", n, leaf, at, at, at.date(), by, event)


def figures(**values: str) -> tuple[FigureValue, ...]:
    return tuple(FigureValue(parameter=k.replace("__", "."), value=v) for k, v in values.items())


def wanted(since: date = DAY, rulebook: str = "pt", **values: str) -> FiguresAsked:
    return FiguresAsked(
        rulebook=rulebook,
        since=since,
        figures=figures(**(values or {"limits__maximum_over_minimum": "25"})),
        basis="act",
        source="Decreto 1/2027",
        grounds="novo limite",
    )


def act(n: int, event: FiguresAsked, **other: Any) -> list[Any]:
    """What three entries from `n` on say: asked for, approved, set. `other` changes one of them."""
    asked = entry(n, event, "S-0003")
    named = EntryRef(stream="house", n=n, leaf=asked.leaf)
    word = RequestDecided(asked=named, decision="approved", reason="checked")
    listed = [asked, entry(n + 1, word), entry(n + 2, set_of(event, named))]
    return [replace(one, **other.get(str(place), {})) for place, one in enumerate(listed)]


def in_use(*events: FiguresAsked, of: str = "pt") -> Law:
    recorded = [one for place, event in enumerate(events) for one in act(1 + 3 * place, event)]
    sets = paired(recorded)
    assert not sets.alone
    return with_sets(law_of_file(of), sets.counting)


def held(law: Law, day: date, name: str = LIMIT) -> Any:
    return law.on(day)[name]


# From a day on


def test_a_figure_two_persons_set_holds_from_its_first_day() -> None:
    law = in_use(wanted())
    day_before = DAY - timedelta(days=1)
    assert [held(law, one) for one in (day_before, DAY, DAY + timedelta(days=1))] == [30, 25, 25]
    dated = law.parameters[LIMIT].on(DAY)
    assert dated is not None
    assert (dated.source, dated.confirmed_on) == ("Decreto 1/2027", RECORDED.date())
    assert not dated.of_house


def test_a_later_set_of_the_same_figure_holds_from_its_own_day_whatever_was_set_before() -> None:
    law = in_use(
        wanted(),
        wanted(date(2027, 9, 1), limits__maximum_over_minimum="20"),
        wanted(date(2027, 6, 1), limits__maximum_over_minimum="30"),
    )
    months = (2, 3, 5, 6, 9, 12)
    assert [held(law, date(2027, month, 15)) for month in months] == [30, 25, 25, 30, 30, 30]


def test_what_the_file_states_for_a_later_day_holds_from_then_and_of_one_day_the_set() -> None:
    law = law_of_file("pt")
    parameter = law.parameters[LIMIT]
    later = replace(parameter.values[0], since=date(2027, 6, 1), value=28)
    stated = replace(parameter, values=(*parameter.values, later))
    of_file = replace(law, parameters=law.parameters | {LIMIT: stated})
    before = with_sets(of_file, paired(act(1, wanted())).counting)
    assert [held(before, date(2027, month, 1)) for month in (2, 3, 5, 6)] == [30, 25, 25, 28]
    same_day = with_sets(of_file, paired(act(1, wanted(date(2027, 6, 1)))).counting)
    assert [held(same_day, date(2027, month, 1)) for month in (5, 6)] == [30, 25]


def test_a_reading_is_switched_on_a_day_and_was_what_it_was_before() -> None:
    law = in_use(wanted(bank__bust="nearer_wins"))
    reading = law.readings["bank-bust"]
    days = (DAY - timedelta(days=1), DAY)
    assert [law.adopted(reading, day) for day in days] == ["loses", "nearer_wins"]
    dated = law.parameters["bank.bust"].on(DAY)
    assert dated is not None
    assert dated.source == "Decreto 1/2027, reading bank-bust"
    other = law.with_readings({"bank-bust": "loses"})
    assert [other.adopted(other.readings["bank-bust"], day) for day in days] == ["loses", "loses"]


def test_a_choice_of_the_house_says_so() -> None:
    law = in_use(replace(wanted(witness__within="15"), basis="house"))
    dated = law.parameters["witness.within"].on(DAY)
    assert dated is not None
    assert dated.of_house


def test_every_form_of_figure_is_read_as_the_file_writes_it() -> None:
    law = in_use(
        wanted(
            blackjack__pays="6/5",
            double__totals="[9, 10, 11]",
            split__resplit="true",
            bank__second_card="after_players",
        )
    )
    names = ("blackjack.pays", "double.totals", "split.resplit", "bank.second_card")
    found = [held(law, DAY, name) for name in names]
    assert found == [Fraction(6, 5), (9, 10, 11), True, "after_players"]


def test_one_rulebooks_sets_are_no_other_ones() -> None:
    sets = paired(act(1, wanted())).counting
    assert with_sets(law_of_file("pt-summary"), sets) is law_of_file("pt-summary")


# Its digest


def test_without_sets_the_law_and_its_digest_are_the_files() -> None:
    law = law_of_file("pt")
    assert with_sets(law, ()) is law
    assert digest_on(law, DAY) == law.digest


def test_the_digest_is_over_the_files_and_the_sets_leaves() -> None:
    sets = paired([*act(1, wanted()), *act(4, wanted(date(2027, 6, 1)))]).counting
    law, file = with_sets(law_of_file("pt"), sets), law_of_file("pt").digest
    lines = "\n".join([file, sets[0].leaf, sets[1].leaf])
    assert law.digest == sha256(lines.encode()).hexdigest()
    days = (DAY - timedelta(days=1), DAY, date(2027, 6, 1))
    first = sha256(f"{file}\n{sets[0].leaf}".encode()).hexdigest()
    assert [digest_on(law, day) for day in days] == [file, first, law.digest]


# Which sets count


@pytest.mark.parametrize(
    "other",
    [
        {"0": {"by": Signed("S-0009", "chefia_da_sala", "admin")}},  # who decided had asked
        {"0": {"by": Signed("s-0009", "chefia_da_sala", "admin")}},
        {
            "0": {"by": Signed("S-0003", "fiscal_chefe", "admin")}
        },  # asked by nobody of the direction
        {"0": {"leaf": "b" * 64}},  # another request than is named
        {"0": {"event": wanted(date(2027, 3, 2))}},  # other figures than were asked for
        {"1": {"by": Signed("S-0004", "administrador", "admin")}},  # decided by another than set it
        {"1": {"by": Signed("S-0009", "auditor", "admin")}},
        {"1": {"n": 9}},  # not in one act
        {"1": {"event": None}},
    ],
)
def test_a_set_without_its_two_persons_does_not_count(other: Any) -> None:
    sets = paired(act(1, wanted(), **other))
    assert (sets.counting, [why for _one, why in sets.alone]) == ((), ["persons"])


def test_what_was_refused_does_not_count_nor_a_request_a_second_time() -> None:
    three = act(1, wanted())
    refused = replace(three[1], event=replace(three[1].event, decision="refused"))
    assert not paired([three[0], refused, three[2]]).counting
    again = [replace(three[1], n=8), replace(three[2], n=9)]
    sets = paired([*three, *again])
    assert ([one.n for one in sets.counting], [one.n for one, _why in sets.alone]) == ([3], [9])


@pytest.mark.parametrize(
    ("recorded", "counts"),
    [
        (datetime(2027, 2, 28, 23, 59, tzinfo=UTC), True),
        (datetime(2027, 3, 1, 2, 0, tzinfo=UTC), True),  # of the night of 28 February still
        (datetime(2027, 3, 1, 18, 0, tzinfo=UTC), False),
        (datetime(2027, 3, 2, 18, 0, tzinfo=UTC), False),
    ],
)
def test_a_set_that_came_on_its_first_day_or_later_does_not_count(
    recorded: datetime, counts: bool
) -> None:
    night = (recorded - timedelta(hours=12)).date()
    moments = {"occurred_at": recorded, "recorded_at": recorded, "gaming_day": night}
    sets = paired(act(1, wanted(), **{"2": moments}))
    assert (bool(sets.counting), [why for _one, why in sets.alone]) == (
        counts,
        [] if counts else ["day"],
    )


def test_a_set_that_dates_itself_back_does_not_count() -> None:
    backdated = {"recorded_at": datetime(2027, 3, 2, 18, 0, tzinfo=UTC)}
    assert not paired(act(1, wanted(), **{"2": backdated})).counting


# What no rulebook could hold


@pytest.mark.parametrize(
    ("values", "found", "asked"),
    [
        ({"limits__maximum": "25"}, "does not have", "one of ace.values"),
        ({"limits__maximum_over_minimum": "25.5"}, "'25.5'", "a whole number"),
        ({"limits__maximum_over_minimum": "-1"}, "-1", "a whole number"),
        ({"limits__maximum_over_minimum": "true"}, "True", "a whole number"),
        ({"limits__maximum_over_minimum": "NaN"}, "nan", "a whole number"),
        ({"limits__maximum_over_minimum": "vinte"}, "'vinte'", "a whole number"),
        ({"limits__maximum_over_minimum": "[20, 25]"}, "[20, 25]", "one number"),
        ({"double__totals": "9"}, "9", "several numbers"),
        ({"double__totals": "[11, 9]"}, "[11, 9]", "in rising order"),
        ({"blackjack__pays": "1.2"}, "'1.2'", 'like "3/2"'),
        ({"blackjack__pays": "6/0"}, "'6/0'", 'like "3/2"'),
        ({"blackjack__pays": "0/1"}, "0/1", "from 1/1000 to 1000"),
        ({"blackjack__pays": "1001/1"}, "1001/1", "from 1/1000 to 1000"),
        ({"surrender__loses": "3/2"}, "3/2", "from 1/1000 to 1"),
        ({"limits__maximum_over_minimum": "0"}, "0", "from 1 to 1000000"),
        ({"limits__maximum_over_minimum": f"1{'0' * 20}"}, "0" * 20, "from 1 to 1000000"),
        ({"double__totals": "[9, 101]"}, "[9, 101]", "from 1 to 100"),
        ({"split__resplit": "yes"}, "'yes'", "true or false"),
        ({"bank__second_card": "face_up"}, "face_up", "one of"),
        ({"bank__bust": "ties"}, "ties", "one of loses, nearer_wins"),
    ],
)
def test_a_value_no_rulebook_could_hold_is_refused_in_the_words_of_the_file(
    values: dict[str, str], found: str, asked: str
) -> None:
    law = law_of_file("pt")
    with pytest.raises(LawError) as refused:
        proposed(law, law, wanted(**values), DAY)
    assert found in str(refused.value)
    assert asked in str(refused.value)
    assert str(refused.value).startswith('pt.toml: parameter."')
    assert with_sets(law, paired(act(1, wanted(**values))).counting) is law  # and is left out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limits__maximum_over_minimum", "1"),
        ("limits__maximum_over_minimum", "1000000"),
        ("warning_card__tolerance_warning", "0"),  # what a reading of the file chooses too
        ("csm__light_rounds", "0"),
        ("csm__deferred_within", "0"),
        ("tie__pays", "1/2"),
        ("surrender__loses", "1/1"),
    ],
)
def test_a_figure_may_be_as_little_and_as_much_as_makes_sense(name: str, value: str) -> None:
    law = law_of_file("pt")
    assert proposed(law, law, wanted(**{name: value}), DAY) is not None


def test_what_changes_nothing_is_known_whatever_comes_later() -> None:
    used = in_use(wanted(), wanted(date(2027, 9, 1), limits__maximum_over_minimum="20"))

    def nothing(since: date, value: str) -> bool:
        event = wanted(since, limits__maximum_over_minimum=value)
        after = proposed(law_of_file("pt"), used, event, DAY)
        return changes_nothing(used, after, LIMIT, since)

    assert nothing(date(2027, 9, 2), "20")
    assert not nothing(date(2027, 9, 2), "21")
    assert not nothing(date(2027, 8, 31), "25"), "what was to hold from September never would"


def test_a_set_is_replaced_before_its_day_comes_over_or_in_force() -> None:
    law = in_use(
        wanted(date(2027, 6, 1)),
        wanted(date(2027, 6, 1), limits__maximum_over_minimum="28"),
        wanted(date(2027, 9, 1), limits__maximum_over_minimum="20"),
    )
    first, second, _third = law.sets
    assert replaced_by(law, first, LIMIT) is second
    assert replaced_by(law, second, LIMIT) is None, "it holds until the third does"

    def states(day: date) -> list[str]:
        return [state_on(law, one, LIMIT, day) for one in law.sets]

    assert states(date(2027, 5, 31)) == ["replaced", "later", "later"]
    assert states(date(2027, 6, 1)) == ["replaced", "held", "later"]
    assert states(date(2027, 9, 1)) == ["replaced", "before", "held"]


def test_a_set_of_which_one_figure_cannot_be_held_is_left_out_whole_and_no_other() -> None:
    bad = wanted(limits__maximum_over_minimum="20", blackjack__pays="much")
    law = in_use(bad, wanted())
    assert held(law, DAY) == 25
    assert [one.event.figures[0].value for one in law.sets] == ["25"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"figures": ()}, "one figure at least"),
        ({"figures": figures(a__b="1") * 2}, "each figure once"),
        ({"basis": "answer"}, "its day is asked"),
        ({"basis": "custom"}, "one of act, answer, house"),
        ({"since": "2027-03-01"}, "asked is a day"),
        ({"grounds": " "}, "asked is a text"),
    ],
)
def test_a_request_that_contradicts_itself_is_none(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        replace(wanted(), **wrong)


def test_recorded_sets_are_what_the_law_names() -> None:
    (one,) = in_use(wanted()).sets
    found: RecordedSet = one
    assert (found.n, found.event.rulebook) == (3, "pt")
