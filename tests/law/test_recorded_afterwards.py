"""What is recorded after an act and dated before it cures nothing, and is found by itself."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.decks import DeckInspected
from casino.events.event import Paper
from casino.events.incidents import IncidentReported
from casino.events.staff import DutyBegun, OfficeGranted
from casino.events.tables import LimitsSet
from casino.law.checks.table import house_controls, recorded_afterwards
from casino.law.finding import Finding
from casino.law.game_law import Game as GameLaw
from casino.law.rulebook.rulebook_file import load_law
from casino.law.wording.wording import FindingWords
from tests.factories.games import CHEFE, PAGADOR, Game, entry, evening, iso, moment
from tests.factories.usual_events import second_word
from tests.law import floor_asking
from tests.law.asking import BREACH, LAWFUL

OFFICE, DUTY, LIMITS = (
    "office_recorded_before_the_act", "duty_recorded_before_the_act", "limits_recorded_before_play",
)  # fmt: skip
SHOWN = "decks_exhibited_before_shuffle"
WITNESS, ON_DUTY = "loading_witness_is_fiscal_chefe", "loading_witness_on_duty"
NEW, MANAGER = "S-190", "S-003"
PAPER = Paper(sheet="12", written_by=CHEFE, why="no_power")


def loaded(witness: str = NEW) -> Game:
    """A shuffler loaded at 19:45 before somebody, who said so at 19:47."""
    game = Game("shuffler")
    game.witness(game.load("19:45"), witness)
    return game


def grant(game: Game, valid: str, text: str, recorded: str, office: str = "fiscal_chefe") -> None:
    event = OfficeGranted(  # type: ignore[arg-type]
        staff=NEW, office=office, valid_from=moment(valid), granted_by=MANAGER
    )
    add(game, event, text, recorded)


def duty(game: Game, began: str, recorded: str) -> None:
    add(game, DutyBegun(staff=NEW, office="fiscal_chefe", tables=()), began, recorded)


def add(game: Game, event: Any, at: str, recorded: str) -> None:
    game.house.append(entry(event, "house", len(game.house) + 1, at, MANAGER, recorded))


def house(game: Game) -> list[Finding]:
    judgement = house_controls.judge_house(game.dossier(), load_law("pt"))
    return [one for one in judgement.findings if one.article == recorded_afterwards.ARTICLE]


def answer(check: str, game: Game) -> str:
    return floor_asking.said(check, game)


# The office


@pytest.mark.parametrize(
    ("valid", "given", "recorded", "said"),
    [
        ("12:00", "12:00", "12:00", LAWFUL),  # given in time
        ("12:00", "12:00", "19:46", LAWFUL),  # in the book as the loading was (19:46)
        ("12:00", "12:00", "19:46:01", BREACH),  # a second later
        ("12:00", "19:45:01", "19:45:30", BREACH),  # given after it, and dated before it
        ("12:00", "12:00", "23:00", BREACH),
    ],
)
def test_article_54_an_office_counts_from_when_the_book_knew_it(
    valid: str, given: str, recorded: str, said: str
) -> None:
    game = loaded()
    grant(game, valid, given, recorded)
    assert answer(WITNESS, game) == said
    assert bool(house(game)) == (said == BREACH)


def test_a_late_office_is_found_by_itself_with_who_recorded_it_and_when() -> None:
    game = loaded()
    grant(game, "12:00", "12:00", "23:00")
    [one] = house(game)
    assert (one.rulebook, one.article, one.check) == ("house", "house.afterwards", OFFICE)
    assert one.where == {"staff": NEW, "office": "fiscal_chefe"}
    assert one.observed == {"moment": iso("23:00"), "recorded_by": MANAGER}
    assert one.expected["acted_at"] == iso("19:45")
    assert len(one.evidence) == 2
    assert game.house[-1].entry_id in one.evidence


def test_the_heading_tells_when_the_act_was_and_not_only_when_it_was_recorded() -> None:
    game = loaded()  # at 19:45, recorded the second after 19:46
    game.entries = [replace(one, recorded_at=moment("21:30")) for one in game.entries]
    grant(game, "12:00", "12:00", "23:00")
    duty(game, "18:00", "23:01")
    limits = LimitsSet(
        table="BJ-01", minimum_cents=500, maximum_cents=15_000, valid_from=moment("13:00")
    )
    game.around.append(entry(limits, "table/BJ-01", 990, "13:00", MANAGER, "23:02"))
    say = FindingWords(str, "en")
    found = house(game)
    assert {one.check for one in found} == {OFFICE, DUTY, LIMITS}
    for one in found:
        text = say.heading(one.check, one.where, one.observed, one.expected, one.gaming_day)
        at = hour(iso("19:00" if one.check == LIMITS else "19:45"))  # the opening, the loading
        assert f"after the act of {at} (recorded at {hour(iso('21:30'))})" in text, text
        before = {name: value for name, value in one.expected.items() if name != "acted_at"}
        text = say.heading(one.check, one.where, one.observed, before, one.gaming_day)
        assert f"before an act recorded at {hour(iso('21:30'))}" in text, text  # told by 0.7.0


def hour(moment_recorded: str) -> str:
    day, _, at = moment_recorded.partition("T")
    return f"{at[:8]} on {'/'.join(reversed(day.split('-')))}"


def test_who_holds_it_by_another_record_in_time_needs_no_late_one() -> None:
    game = loaded(CHEFE)
    event = OfficeGranted(
        staff=CHEFE, office="fiscal_chefe", valid_from=moment("12:00"), granted_by=MANAGER
    )
    add(game, event, "12:00", "23:00")
    assert answer(WITNESS, game) == LAWFUL
    assert house(game) == []


def test_an_evening_written_down_the_day_after_is_judged_by_what_was_written_before_it() -> None:
    game = loaded()
    game.entries = [replace(one, recorded_at=moment("11:00")) for one in game.entries]
    grant(game, "12:00", "12:00", "10:59")
    duty(game, "14:00", "10:59")
    assert (answer(WITNESS, game), answer(ON_DUTY, game)) == (LAWFUL, LAWFUL)
    assert house(game) == []


@pytest.mark.parametrize("recorded", ["20:10", "23:00"])
def test_article_51_who_opened_the_machine_held_the_office_when_that_was_recorded(
    recorded: str,
) -> None:
    game = loaded(CHEFE)
    game.record(
        IncidentReported,
        "20:10",
        incident="I-1",
        category="jam",
        reason="card",
        people=(),
        opened_by=NEW,
        opened_at=moment("20:10"),
        noticed_at=moment("20:08"),
    )
    grant(game, "12:00", "12:00", recorded)
    said = LAWFUL if recorded == "20:10" else BREACH
    assert answer("shuffler_opened_by_fiscal_chefe", game) == said
    assert [one.check for one in house(game)] == ([] if said == LAWFUL else [OFFICE])


def test_a_correction_of_the_act_knows_no_more_than_the_act_did() -> None:
    game = loaded()
    grant(game, "12:00", "12:00", "21:00")
    assert answer(WITNESS, game) == BREACH
    load = next(one for one in game.entries if one.event.kind == "shuffler-loaded/1")
    corrected = replace(load, n=90, leaf="9" * 64, entry_id="9", recorded_at=moment("22:00"))
    decided = second_word(game.where, corrected, load, reason="typing-error")
    game.entries[game.entries.index(load)] = corrected
    game.add(decided, "22:05")
    dossier = replace(game.dossier(), replaced=(load,))
    assert dossier.first_record(corrected) is load
    assert not dossier.holds_office(NEW, "fiscal_chefe", corrected.occurred_at, corrected)
    assert game.dossier().holds_office(NEW, "fiscal_chefe", corrected.occurred_at, corrected)


# Duty


@pytest.mark.parametrize(("recorded", "said"), [("19:46", LAWFUL), ("19:46:01", BREACH)])
def test_article_54_duty_counts_from_when_the_book_knew_it(recorded: str, said: str) -> None:
    game = loaded()
    grant(game, "12:00", "12:00", "12:00")
    duty(game, "18:00", recorded)
    assert answer(ON_DUTY, game) == said
    assert [one.check for one in house(game)] == ([] if said == LAWFUL else [DUTY])


@pytest.mark.parametrize(("recorded", "said"), [("19:46", LAWFUL), ("19:46:01", BREACH)])
def test_a_sheet_of_paper_makes_nothing_timely(recorded: str, said: str) -> None:
    """Written down at 18:00 by hand or not: the book knew it when it was recorded."""
    game = loaded()
    grant(game, "12:00", "12:00", "12:00")
    begun = DutyBegun(staff=NEW, office="fiscal_chefe", tables=(), paper=PAPER)
    add(game, begun, "18:00", recorded)
    assert answer(ON_DUTY, game) == said
    assert [one.check for one in house(game)] == ([] if said == LAWFUL else [DUTY])


@pytest.mark.parametrize(
    ("at", "said"), [("19:59", LAWFUL), ("20:00", LAWFUL), ("20:00:01", BREACH)]
)
def test_article_7_when_it_happened_is_what_the_sheet_says(at: str, said: str) -> None:
    """The first shuffle was at 20:00; the exhibition is recorded from paper hours later."""
    game = evening()
    game.drop(DeckInspected, deck="D-1")
    shown = game.show("D-1", at, paper=PAPER)
    game.entries[-1] = replace(shown, recorded_at=moment("23:00"))
    assert answer(SHOWN, game) == said


def test_a_duty_told_afterwards_does_not_put_a_dealer_on_duty_at_the_table() -> None:
    game = Game(opened=False)
    game.grant(NEW, "pagador")
    game.open(shown=None, pagador=NEW)
    add(game, DutyBegun(staff=NEW, office="pagador", tables=("BJ-09",)), "18:00", "18:00")
    add(game, DutyBegun(staff=NEW, office="pagador", tables=("BJ-01",)), "18:30", "23:00")
    found = house_controls.judge_house(game.dossier(), load_law("pt")).findings
    assert [one.observed for one in found if one.check == "people_on_duty_at_the_table"] == [
        {"on_duty_at": ["BJ-09"]}
    ]


# Limits


@pytest.mark.parametrize(("recorded", "maximum"), [("20:11", 60_000), ("20:11:01", 30_000)])
def test_article_14_limits_hold_for_what_was_recorded_after_them(
    recorded: str, maximum: int
) -> None:
    game = Game()
    played = game.round(1, 1, "20:10")
    new = LimitsSet(
        table="BJ-01", minimum_cents=2000, maximum_cents=60_000, valid_from=moment("19:30")
    )
    game.around.append(entry(new, "table/BJ-01", 990, "19:30", MANAGER, recorded))
    law = GameLaw(game.entries[0], game.dossier().anywhere(LimitsSet))
    limits = law.limits(played.event, played.occurred_at, played.recorded_at)
    assert limits is not None
    assert limits.maximum_cents == maximum
    assert [one.check for one in house(game)] == ([] if maximum == 60_000 else [LIMITS])


def test_article_14_an_opening_is_held_to_the_limits_known_when_it_was_recorded() -> None:
    game = Game()
    assert answer("opened_with_the_limits_set", game) == LAWFUL
    other = LimitsSet(
        table="BJ-01", minimum_cents=500, maximum_cents=15_000, valid_from=moment("13:00")
    )
    game.around.append(entry(other, "table/BJ-01", 990, "13:00", MANAGER, "23:00"))
    assert answer("opened_with_the_limits_set", game) == LAWFUL
    assert [one.check for one in house(game)] == [LIMITS]


def test_the_same_limits_told_again_afterwards_are_no_others() -> None:
    game = Game()
    game.round(1, 1, "20:10")
    again = LimitsSet(
        table="BJ-01", minimum_cents=1000, maximum_cents=30_000, valid_from=moment("13:00")
    )
    game.around.append(entry(again, "table/BJ-01", 990, "13:00", MANAGER, "23:00"))
    assert house(game) == []


def test_a_game_whose_people_and_limits_were_in_the_book_in_time_has_nothing_of_it() -> None:
    game = Game("shuffler")
    game.grant(PAGADOR, "pagador")
    game.witness(game.load("19:45"))
    game.close()
    assert house(game) == []
