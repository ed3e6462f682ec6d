"""PT art. 3, 51, 53 to 55: what a shuffler reports of itself, held against what people recorded."""

from typing import Any

import pytest

from casino.events.incidents import IncidentReported
from casino.events.inspection import FirmwareDecided
from casino.events.shoes import CardsShuffled, PlayInterrupted
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.events.shufflers import ShufflerOpened, ShufflerRegistered
from casino.law.rulebook.rulebook_file import rulebook_ids
from tests.factories.games import Game, evening, iso, moment, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

CYCLE = "shuffler_cycle_on_record"
SORTED = "no_deal_after_a_sort"
COUNTED = "shuffler_counts_whole_decks"
LIGHT = "warning_light_answered"
LID, LIT = "lid_opened_for_the_load", "warning_light_on_record"
FIRMWARE = "shuffler_firmware_approved"
SEALS = "shuffler_seals_intact"
ALL = (CYCLE, SORTED, COUNTED, LIGHT, FIRMWARE, SEALS, LID, LIT)
GOOD, OTHER = "a" * 64, "b" * 64


def reporting(*cycles: str, closed: bool = True) -> Game:
    """Loaded at 19:45, rounds at 20:10, 20:20 and 20:30; ``"19:47 ended shuffle 312"`` a report."""
    game = shuffler_evening(closed=closed)
    for one in cycles:
        at, phase, *rest = one.split()
        values: dict[str, Any] = {"mode": rest[0]} if rest else {}
        values |= {"cards": int(rest[1])} if rest[1:] else {}
        game.record(ShufflerCycle, at, "D-0700", shuffler="CSM-04", phase=phase, **values)
    return game


def signalled(*signals: str) -> Game:
    """The same with five rounds more, ten minutes apart from 20:40 on, and these signals."""
    game = shuffler_evening(closed=False)
    for number in range(4, 9):
        game.put_back(1, number, f"{20 + number // 6}:{number % 6}0")
    for one in signals:
        at, signal = one.split()
        game.record(ShufflerSignal, at, "D-0700", shuffler="CSM-04", signal=signal)
    return game


def checked(at: str = "19:40", approved: str = "approved", **said_by_it: Any) -> Game:
    """A self-check about the load of 19:45; of its model one program is approved, GOOD."""
    game = shuffler_evening()
    game.record(ShufflerSelfCheck, at, "D-0700", shuffler="CSM-04", **said_by_it)
    for decision in approved.split():
        decided(game, decision)
    return game


def decided(game: Game, decision: Any = "approved", since: str = "12:00", **known: Any) -> None:
    values = {"model": "Six", "firmware": "4.2", "firmware_sha256": GOOD, "document": "Despacho 7"}
    values |= {"decision": decision, "valid_from": moment(since), **known}
    game.in_house(FirmwareDecided(**values), since)


def test_a_house_whose_shufflers_report_nothing_is_asked_nothing() -> None:
    for game in (shuffler_evening(), evening()):
        assert {said(check, game) for check in ALL} == {NOT_ASKED}


def test_what_a_good_evening_reports_bears_out_what_was_recorded() -> None:
    game = reporting("19:46 started shuffle", "19:50 ended shuffle 312")
    game.record(ShufflerSignal, "19:44", "D-0700", shuffler="CSM-04", signal="lid_opened")
    game.record(ShufflerSignal, "20:15", "D-0700", shuffler="CSM-04", signal="lid_closed")
    game.beside(ShufflerSignal(shuffler="CSM-04", signal="light_on"), "12:00")  # of another game
    digest = {"firmware_sha256": GOOD, "seals": "intact"}
    game.record(ShufflerSelfCheck, "19:40", "D-0700", shuffler="CSM-04", **digest)
    decided(game)
    assert {said(check, game) for check in ALL} == {LAWFUL}
    assert cited(game) == []


# A cycle


@upholds_case(CYCLE, "lawful")
@pytest.mark.parametrize("at", ["19:05", "19:46", "20:10"])
def test_a_cycle_up_to_the_first_card_bears_out_a_load(at: str) -> None:
    assert said(CYCLE, reporting(f"{at} ended")) == LAWFUL


@upholds_case(CYCLE, "unlawful")
@pytest.mark.parametrize("at", ["18:59", "20:10:01", "20:25"])
def test_a_load_without_a_cycle_is_found_of_a_machine_that_reports_them(at: str) -> None:
    game = reporting(f"{at} ended")
    game.record(ShufflerSignal, "19:46", "D-0700", shuffler="CSM-04", signal="lid_closed")
    found = the_finding(CYCLE, game)
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert found.where == {"shoe": 1}
    assert found.observed == {"shuffler": "CSM-04", "cycles": 0}


@upholds_case(CYCLE, "boundary")
def test_a_machine_that_was_not_heard_all_evening_leaves_it_open() -> None:
    game = shuffler_evening()
    cycle = ShufflerCycle(shuffler="CSM-04", phase="ended")
    game.beside(cycle, "12:00")  # it does report cycles
    assert said(CYCLE, game) == UNDECIDED
    game.record(ShufflerSelfCheck, "19:46", "D-0700", shuffler="CSM-04", seals="intact")
    assert said(CYCLE, game) == BREACH
    game.beside(cycle, "19:50")  # it does not know of which game
    assert said(CYCLE, game) == LAWFUL


def test_nothing_is_found_before_the_first_card_nor_by_what_another_machine_did() -> None:
    game = Game("shuffler")
    game.load("19:45")
    game.record(ShufflerCycle, "19:47", "D-0700", shuffler="CSM-09", phase="ended")
    assert said(CYCLE, game) == NOT_ASKED
    game.beside(ShufflerCycle(shuffler="CSM-04", phase="ended", mode="sort"), "12:00")
    game.record(ShufflerSignal, "19:46", "D-0700", shuffler="CSM-04", signal="lid_closed")
    assert said(CYCLE, game) == UNDECIDED  # nothing is dealt yet
    game.put_back(1, 1, "20:10")
    assert said(CYCLE, game) == BREACH


def test_a_second_load_asks_for_a_cycle_of_its_own() -> None:
    game = reporting("19:46 ended", closed=False)
    game.report("20:40", emptied=True)
    game.unload("20:50", reason="jam")
    game.load("21:00")
    game.put_back(2, 1, "21:10")
    assert the_finding(CYCLE, game).where == {"shoe": 2}
    game.record(ShufflerCycle, "21:02", "D-0700", shuffler="CSM-04", phase="ended")
    assert said(CYCLE, game) == LAWFUL


def test_a_shuffle_by_machine_at_a_shoe_asks_for_a_cycle_at_the_table() -> None:
    game = evening()
    game.change(CardsShuffled, method="machine")
    assert said(CYCLE, game) == NOT_ASKED
    at_it = {"shuffler": "CSM-01", "phase": "ended"}
    elsewhere = ShufflerCycle(table="BJ-02", **at_it)
    game.beside(elsewhere, "20:40")
    assert said(CYCLE, game) == UNDECIDED  # none of this table
    early = game.record(ShufflerCycle, "20:05", "D-0700", **at_it)
    found = the_finding(CYCLE, game)
    assert (found.where, found.observed) == ({"shoe": 2}, {"cycles": 0})
    assert early.entry_id not in found.evidence
    game.record(ShufflerCycle, "20:25", "D-0700", **at_it)  # while the first shoe is dealt
    assert said(CYCLE, game) == LAWFUL


# Sorted


@upholds_case(SORTED, "lawful")
def test_cards_sorted_before_the_loading_or_after_the_game_are_no_matter() -> None:
    game = reporting("19:10 ended sort", "19:50 ended shuffle", "02:45 ended sort")
    assert said(SORTED, game) == LAWFUL
    assert said(SORTED, reporting("19:50 ended")) == NOT_ASKED


@upholds_case(SORTED, "unlawful")
@pytest.mark.parametrize(("mixed", "rounds"), [("20:15", 1), ("20:20", 1), ("20:25", 2)])
def test_rounds_dealt_after_a_sort_are_found(mixed: str, rounds: int) -> None:
    game = reporting("19:48 started sort", "19:50 ended sort", f"{mixed} ended shuffle")
    found = the_finding(SORTED, game)
    assert (found.article, found.observed) == ("house.devices", {"rounds": rounds})
    assert len(found.evidence) == 2 + rounds  # both reports, and the rounds


@upholds_case(SORTED, "boundary")
@pytest.mark.parametrize(
    ("cycle", "expected"), [("20:30", BREACH), ("20:30:01", LAWFUL), ("20:29:59", BREACH)]
)
def test_of_the_last_round_the_moment_decides(cycle: str, expected: str) -> None:
    game = reporting("19:50 ended shuffle", f"{cycle} ended sort")
    assert said(SORTED, game) == expected


def test_a_round_nobody_timed_leaves_a_sort_open() -> None:
    game = reporting("20:35 ended sort", closed=False)
    game.round(1, 4, "20:40", times=None)
    assert said(SORTED, game) == UNDECIDED


# Counted


@upholds_case(COUNTED, "lawful")
def test_article_3_three_hundred_and_twelve_cards_of_six_decks() -> None:
    assert said(COUNTED, reporting("19:50 ended shuffle 312")) == LAWFUL
    assert said(COUNTED, reporting("19:46 started", "19:50 ended")) == NOT_ASKED


@upholds_case(COUNTED, "unlawful")
@pytest.mark.parametrize("counted", [311, 313, 0])
@pytest.mark.parametrize("book", rulebook_ids())
def test_article_3_another_count_is_found_in_every_rulebook(counted: int, book: str) -> None:
    game = reporting(f"19:50 ended shuffle {counted}")
    found = the_finding(COUNTED, game, book)
    assert (found.observed, found.expected) == ({"cards": counted}, {"cards": 312})
    assert found.where == {"load": 1}
    assert not found.article.startswith("house.")
    assert book != "pt" or found.article == "3"


@upholds_case(COUNTED, "boundary")
def test_article_3_a_count_counts_from_the_loading_to_the_first_card_that_came_out() -> None:
    assert said(COUNTED, reporting("19:44:59 ended sort 52")) == NOT_ASKED  # a deck by itself
    assert said(COUNTED, reporting("19:45 ended sort 311")) == BREACH
    assert said(COUNTED, reporting("19:58 ended shuffle 311")) == BREACH
    assert said(COUNTED, reporting("19:58:01 ended shuffle 311")) == NOT_ASKED  # one was burnt
    again = reporting("19:48 ended shuffle 311", "19:52 ended shuffle 312")
    assert said(COUNTED, again) == LAWFUL


# The light


@upholds_case(LIGHT, "lawful")
@pytest.mark.parametrize(
    "signals",
    [
        ("20:35 light_on", "20:39 light_off"),
        ("20:35 light_on", "20:50 lid_opened"),  # one round: begun as it went on
        ("20:05 lid_opened",),
        ("21:25 light_on",),  # after the last round
    ],
)
def test_article_51_a_light_that_is_seen_to(signals: tuple[str, ...]) -> None:
    assert said(LIGHT, signalled(*signals)) == LAWFUL


@upholds_case(LIGHT, "unlawful")
@pytest.mark.parametrize(("off", "rounds"), [("20:55", 2), ("21:05", 3)])
def test_article_51_rounds_dealt_under_the_light_are_found(off: str, rounds: int) -> None:
    game = signalled("20:05 light_on", "20:06 light_off", "20:35 light_on", f"{off} light_off")
    found = the_finding(LIGHT, game)
    assert (found.article, found.severity) == ("51", "breach")
    assert found.observed == {"rounds": rounds, "since": iso("20:35")}
    assert found.expected == {"at_most": 1}
    assert len(found.evidence) == 1 + rounds


@upholds_case(LIGHT, "boundary")
def test_article_51_one_round_is_allowed_and_not_two() -> None:
    assert said(LIGHT, signalled("20:39 light_on", "20:50 light_off")) == LAWFUL
    assert said(LIGHT, signalled("20:39 light_on", "20:50:01 light_off")) == BREACH
    assert said(LIGHT, signalled("20:40 light_on", "21:00 light_off")) == LAWFUL


@pytest.mark.parametrize(
    "answer",
    [
        (IncidentReported, {"incident": "I-1", "category": "warning_light", "reason": "card"}),
        (ShufflerOpened, {"reason": "jam"}),
        (PlayInterrupted, {"reason": "shuffler"}),
    ],
)
@pytest.mark.parametrize(("at", "expected"), [("20:35", LAWFUL), ("21:01", BREACH)])
def test_article_51_what_people_record_answers_it(
    answer: tuple[Any, dict[str, Any]], at: str, expected: str
) -> None:
    kind, fields = answer
    game = signalled("20:35:20 light_on")
    fields = fields if kind is PlayInterrupted else {"shuffler": "CSM-04", **fields}
    game.record(kind, at, **({"people": ()} if kind is IncidentReported else {}), **fields)
    assert said(LIGHT, game) == expected


def test_article_51_a_light_in_a_trouble_that_goes_on_is_part_of_it() -> None:
    game = signalled("20:35 light_on")
    game.report("20:12", shuffler="CSM-04")
    assert said(LIGHT, game) == LAWFUL
    game.change(IncidentReported, resolved_at=moment("20:14"))
    assert said(LIGHT, game) == BREACH


def test_article_51_a_round_nobody_timed_leaves_a_light_open() -> None:
    game = signalled("21:25 light_on")
    game.round(1, 9, "21:30", times=None)
    assert said(LIGHT, game) == UNDECIDED


# Its program and its seals


@upholds_case(FIRMWARE, "lawful")
@pytest.mark.parametrize("at", ["14:00", "19:45", "20:15"])
def test_an_approved_program_is_lawful_about_the_loading(at: str) -> None:
    assert said(FIRMWARE, checked(at, firmware_sha256=GOOD)) == LAWFUL
    assert said(FIRMWARE, checked(at, seals="intact")) == NOT_ASKED


@upholds_case(FIRMWARE, "unlawful")
@pytest.mark.parametrize("at", ["14:00", "19:45", "20:15"])
def test_a_program_nobody_approved_is_found(at: str) -> None:
    found = the_finding(FIRMWARE, checked(at, firmware="4.3", firmware_sha256=OTHER))
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert found.observed == {"decision": "none", "firmware": "4.3", "digest": "b" * 16}
    revoked = the_finding(FIRMWARE, checked(at, "approved revoked", firmware_sha256=GOOD))
    assert revoked.observed == {"decision": "revoked", "digest": "a" * 16}


@upholds_case(FIRMWARE, "boundary")
def test_an_approval_is_of_a_model_and_from_a_moment() -> None:
    game = checked(firmware_sha256=GOOD, approved="")
    assert said(FIRMWARE, game) == UNDECIDED  # of this model nothing is on record
    decided(game, model="Eight")
    assert said(FIRMWARE, game) == UNDECIDED
    decided(game, since="19:45:01")
    assert said(FIRMWARE, game) == BREACH
    decided(game, since="19:45", model="SIX")
    assert said(FIRMWARE, game) == LAWFUL
    game.outside(ShufflerRegistered)  # nobody registered it: by the digest alone
    assert said(FIRMWARE, game) == LAWFUL


def test_the_last_self_check_before_the_loading_is_the_one_that_counts() -> None:
    game = checked("14:00", firmware_sha256=OTHER)
    game.record(ShufflerSelfCheck, "19:44", "D-0700", shuffler="CSM-04", firmware_sha256=GOOD)
    assert said(FIRMWARE, game) == LAWFUL


@upholds_case(SEALS, "lawful")
def test_whole_seals_are_lawful() -> None:
    assert said(SEALS, checked(seals="intact")) == LAWFUL
    assert said(SEALS, checked(firmware_sha256=GOOD)) == NOT_ASKED


@upholds_case(SEALS, "unlawful")
@pytest.mark.parametrize("at", ["19:40", "20:15"])
def test_a_broken_seal_is_found(at: str) -> None:
    found = the_finding(SEALS, checked(at, seals="broken"))
    assert (found.article, found.where) == ("house.devices", {"load": 1})
    assert found.observed == {"seals": "broken"}


@upholds_case(SEALS, "boundary")
def test_a_seal_put_on_again_before_the_loading_is_whole() -> None:
    game = checked("19:00", seals="broken")
    game.record(ShufflerSelfCheck, "19:45", "D-0700", shuffler="CSM-04", seals="intact")
    assert said(SEALS, game) == LAWFUL


# The lid, and a light nobody recorded


def lit(*signals: str, closed: bool = True, **known: Any) -> Game:
    """Loaded at 19:45, rounds at 20:10, 20:20 and 20:30, and these signals."""
    game = shuffler_evening(closed=closed, **known)
    for one in signals:
        at, signal = one.split()
        game.record(ShufflerSignal, at, "D-0700", shuffler="CSM-04", signal=signal)
    return game


@upholds_case(LID, "lawful")
@pytest.mark.parametrize("at", ["19:00", "19:43", "19:46"])
def test_a_lid_opened_up_to_the_first_card_bears_out_a_load(at: str) -> None:
    assert said(LID, lit(f"{at} lid_opened")) == LAWFUL


@upholds_case(LID, "unlawful")
@pytest.mark.parametrize("at", ["18:59", "20:10:01", "23:00"])
def test_a_load_through_a_closed_lid_is_found(at: str) -> None:
    found = the_finding(LID, lit(f"{at} lid_opened", "19:46 lid_closed"))
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert found.where == {"load": 1}
    assert (found.observed, found.expected) == (
        {"shuffler": "CSM-04", "openings": 0}, {"at_least": 1},
    )  # fmt: skip


@upholds_case(LID, "boundary")
def test_the_lid_is_opened_at_the_first_card_at_the_latest() -> None:
    assert said(LID, lit("20:10 lid_opened")) == LAWFUL
    assert said(LID, lit("20:10:01 lid_opened", "19:46 lid_closed")) == BREACH


def test_a_machine_that_tells_of_no_opened_lid_leaves_it_open() -> None:
    assert said(LID, lit("19:46 lid_closed")) == UNDECIDED
    game = lit()
    game.beside(ShufflerSignal(shuffler="CSM-04", signal="lid_opened"), "12:00")
    assert said(LID, game) == UNDECIDED  # and was not heard in this game
    game.record(ShufflerSignal, "19:46", "D-0700", shuffler="CSM-04", signal="lid_closed")
    assert said(LID, game) == BREACH


@upholds_case(LIT, "lawful")
def test_a_light_is_borne_out_by_an_incident_a_lid_or_a_stop() -> None:
    for kind, known in (
        (ShufflerOpened, {"shuffler": "CSM-04", "reason": "jam", "opened_at": moment("20:33")}),
        (PlayInterrupted, {"reason": "shuffler"}),
    ):
        game = lit("20:32 light_on", "20:36 light_off")
        assert said(LIT, game) == BREACH
        game.record(kind, "20:33", **known)
        assert said(LIT, game) == LAWFUL
    game = lit("20:32 light_on", "20:36 light_off")
    game.report("20:33", shuffler="CSM-04", noticed_at=moment("20:32"))
    assert said(LIT, game) == LAWFUL


@upholds_case(LIT, "unlawful")
@pytest.mark.parametrize("off", ["20:32:10", "20:36"])
def test_a_light_nobody_recorded_is_found(off: str) -> None:
    found = the_finding(LIT, lit("20:32 light_on", f"{off} light_off"))
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert found.observed == {"moment": iso("20:32"), "records": 0}
    assert found.where == {"shuffler": "CSM-04"}


@upholds_case(LIT, "boundary")
def test_each_light_has_its_own_record_before_the_next() -> None:
    game = lit("20:32 light_on", "20:33 light_off", "20:40 light_on", "20:41 light_off")
    game.record(PlayInterrupted, "20:40", reason="shuffler")
    assert the_finding(LIT, game).observed["moment"] == iso("20:32")
    game.record(PlayInterrupted, "20:39:59", reason="shuffler")
    assert said(LIT, game) == LAWFUL


def test_a_light_under_which_play_went_on_is_the_articles_own() -> None:
    game = signalled("20:35 light_on", "21:05 light_off")
    game.close()
    assert (said(LIGHT, game), said(LIT, game)) == (BREACH, LAWFUL)


def test_a_machine_without_a_light_leaves_it_open_and_so_does_a_game_that_goes_on() -> None:
    assert said(LIT, lit("19:46 lid_closed")) == UNDECIDED
    assert said(LIT, lit("20:32 light_on", "20:36 light_off", closed=False)) == UNDECIDED
