"""What a defect is, what proves the contrary, what ends it, and which rounds fall between."""

from typing import Any

import pytest

from audit.exposure.defects import (
    COUNT,
    FACES,
    WHOLE,
    Defect,
    Proof,
    Span,
    defect_of,
    end_of,
    fault_found,
    last_proof,
    proofs_of,
    ruled_out,
)
from audit.exposure.exposed_rounds import (
    Exposed,
    Seen,
    Setting,
    Totals,
    Unrecorded,
    exposed,
    once,
    seen_in,
)
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import Times
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.law.dossier import RecordedEvent
from casino.reading.payload import payload_of
from tests.factories.games import Game, moment
from tests.factories.rounds import box, main

GOOD: dict[str, Any] = {
    "cards": 52, "order_complete": True, "faces": "regular", "backs": "regular",
    "result": "conform",
}  # fmt: skip


def looked_at(game: Game, at: str, deck: str = "D-1", **known: Any) -> RecordedEvent[DeckInspected]:
    """A deck looked through in store; whole unless said otherwise."""
    values: dict[str, Any] = {"moment": "store", **GOOD, **known}
    return game.record(DeckInspected, at, deck=deck, **values)


# What an inspection says


@pytest.mark.parametrize(
    ("known", "fault", "proves"),
    [
        ({}, None, WHOLE),
        ({"jokers": 0}, None, WHOLE),
        ({"cards": 51}, "missing", frozenset()),
        ({"cards": 53}, "extra", frozenset()),
        ({"jokers": 1}, "extra", frozenset()),
        ({"missing_cards": ("AS",)}, "missing", frozenset()),
        ({"result": "missing"}, "missing", frozenset()),
        ({"result": "foreign"}, "foreign", frozenset()),
        ({"backs": "foreign"}, "foreign", frozenset()),
        ({"faces": "damaged"}, "damaged", FACES),
        ({"backs": "marked"}, "marked", FACES),
        ({"damaged_cards": ("AS",)}, "damaged", FACES),
        ({"faces": "damaged", "backs": "damaged", "result": "damaged"}, "damaged", FACES),
        ({"faces": "damaged", "cards": 51}, "unknown", frozenset()),
        ({"order_complete": False}, "unknown", frozenset()),
        ({"order_complete": False, "backs": "marked"}, "marked", frozenset()),
    ],
)
def test_what_is_found_and_what_that_rules_out(
    known: dict[str, Any], fault: str | None, proves: frozenset[str]
) -> None:
    recorded = looked_at(Game(), "21:00", **known)
    assert fault_found(recorded.event) == fault
    assert ruled_out(recorded.event) == proves
    defect = defect_of(recorded)
    assert (defect is None) is (fault is None)


@pytest.mark.parametrize(
    ("cards", "fault"), [(312, None), (311, "missing"), (313, "extra"), (None, None)]
)
@pytest.mark.parametrize("kind", [ShufflerLoaded, ShufflerUnloaded])
def test_a_count_that_is_not_fifty_two_a_deck_is_a_defect(
    kind: Any, cards: int | None, fault: str | None
) -> None:
    game = Game("shuffler")
    recorded = game.load(cards=cards) if kind is ShufflerLoaded else game.unload(cards=cards)
    defect = defect_of(recorded)
    assert (None if defect is None else defect.fault) == fault
    proofs = list(proofs_of(recorded, "D-1"))
    assert [proof.rules_out for proof in proofs] == ([COUNT] if cards == 312 else [])


def test_cards_counted_at_the_close_prove_the_number_of_the_set() -> None:
    game = Game()
    closed = game.close(cards_counted=312)
    assert isinstance(closed.event, PartidaClosed)
    (proof,) = proofs_of(closed, "D-1", game.decks)
    assert (proof.by, proof.rules_out) == ("count", COUNT)
    assert list(proofs_of(closed, "D-9", game.decks)) == []
    few = game.close("03:10", cards_counted=311)
    assert list(proofs_of(few, "D-1", game.decks)) == []


@pytest.mark.parametrize(
    ("category", "known", "fault"),
    [
        ("damaged_card", {}, "damaged"),
        ("deck_defect", {"damaged_cards": ("AS",)}, "damaged"),
        ("deck_defect", {}, "unknown"),
        ("warning_light", {}, "unknown"),
        ("jam", {}, "unknown"),
        ("conduct", {}, None),
        ("payment_error", {}, None),
    ],
)
def test_an_incident_about_the_cards_is_a_defect(
    category: str, known: dict[str, Any], fault: str | None
) -> None:
    recorded = Game().record(
        IncidentReported,
        "21:10",
        incident="IN-1",
        category=category,
        reason="x",
        people=(),
        noticed_at=moment("21:05"),
        **known,
    )
    defect = defect_of(recorded)
    assert (None if defect is None else (defect.fault, defect.noticed)) == (
        None if fault is None else (fault, moment("21:05"))
    )


# The last proof


def missing(noticed: str = "23:00", recorded: RecordedEvent[Any] | None = None) -> Defect:
    return Defect("missing", ("D-1",), moment(noticed), recorded, "BJ-01/2026-11-20/1")


def proof(recorded: RecordedEvent[Any]) -> Proof:
    return next(proofs_of(recorded, "D-1"))


def test_the_last_proof_before_it_was_noticed_counts() -> None:
    game = Game()
    early, late, after = (proof(looked_at(game, at)) for at in ("20:00", "21:00", "23:30"))
    assert last_proof([late, early, after], missing()) is late
    assert last_proof([after], missing()) is None


def test_a_proof_of_that_very_moment_is_none() -> None:
    at_once = proof(looked_at(Game(), "23:00"))
    assert last_proof([at_once], missing("23:00")) is None
    assert last_proof([at_once], missing("23:01")) is at_once


def test_a_proof_that_does_not_rule_the_fault_out_is_none() -> None:
    game = Game("shuffler")
    counted = proof(game.load("20:00", cards=312))
    assert last_proof([counted], missing()) is counted
    foreign = Defect("foreign", ("D-1",), moment("23:00"))
    unknown = Defect("unknown", ("D-1",), moment("23:00"))
    assert last_proof([counted], foreign) is None
    assert last_proof([counted], unknown) is None
    whole = proof(looked_at(game, "19:00"))
    assert last_proof([counted, whole], foreign) is whole


# The end


def test_the_first_thing_that_answers_it_ends_it() -> None:
    game = Game()
    later = looked_at(game, "23:40")
    withdrawn = game.record(DeckWithdrawn, "23:20", deck="D-1", reason="missing_card")
    game.record(DeckWithdrawn, "23:05", deck="D-2", reason="worn")
    end = end_of("D-1", missing(), [later, withdrawn, game.entries[-1]])
    assert end is not None
    assert (end.by, end.at) == ("withdrawn", moment("23:20"))
    end = end_of("D-1", missing(), [later])
    assert end is not None
    assert end.by == "proof"
    assert end_of("D-1", missing("23:50"), [later, withdrawn]) is None


@pytest.mark.parametrize(
    ("fault", "reason", "ends"),
    [
        ("missing", "missing", True),
        ("missing", "damaged", False),  # another card of that deck
        ("missing", "other", False),
        ("damaged", "damaged", True),
        ("damaged", "marked", False),
        ("foreign", "foreign", True),
        ("foreign", "damaged", False),
        ("unknown", "damaged", False),
        ("unknown", "other", False),  # nobody knows whether it was of this
    ],
)
def test_an_exchanged_card_ends_only_the_fault_it_was_exchanged_for(
    fault: Any, reason: Any, ends: bool
) -> None:
    """Law: PT art. 5, 51: an exchange puts right what was wrong with that card, no more."""
    exchanged = Game().record(CardReplaced, "23:20", deck="D-1", card="7S", reason=reason)
    found = end_of("D-1", Defect(fault, ("D-1",), moment("23:00")), [exchanged])
    assert (None if found is None else found.by) == ("card_replaced" if ends else None)


@pytest.mark.parametrize("reason", ["damaged", "marked", "missing", "foreign", "other"])
def test_an_exchange_that_tells_of_a_fault_ends_it_itself(reason: Any) -> None:
    exchanged = Game().record(CardReplaced, "23:20", deck="D-1", card="7S", reason=reason)
    defect = defect_of(exchanged)
    assert defect is not None
    found = end_of("D-1", defect, [exchanged])
    assert found is not None
    assert (found.by, found.at) == ("card_replaced", moment("23:20"))


@pytest.mark.parametrize(
    ("known", "proves"),
    [
        ({"cards": 312, "empty": True}, True),
        ({"cards": 312, "empty": None}, True),
        ({"cards": 312, "empty": False}, False),  # more than came out lay in it
        ({"cards": None, "empty": True}, False),  # nobody counted
        ({"cards": 311, "empty": True}, False),
    ],
)
def test_only_cards_counted_out_of_an_empty_machine_prove_a_number(
    known: dict[str, Any], proves: bool
) -> None:
    unload = Game("shuffler").unload(**known)
    found = [proof.by for proof in proofs_of(unload, "D-1")]
    assert found == (["unload"] if proves else [])


def test_what_answers_the_incident_ends_it_by_any_clock() -> None:
    game = Game()
    reported = game.record(
        IncidentReported,
        "21:06",
        incident="IN-1",
        category="damaged_card",
        reason="x",
        people=(),
        deck="D-1",
        noticed_at=moment("21:06"),
    )
    mine = game.record(
        CardReplaced, "21:05", deck="D-1", card="7S", reason="damaged", incident="IN-1"
    )
    other = game.record(CardReplaced, "21:04", deck="D-1", card="7S", reason="damaged")
    defect = defect_of(reported)
    assert defect is not None
    end = end_of("D-1", defect, [mine])
    assert end is not None
    assert (end.by, end.at) == ("card_replaced", moment("21:06"))
    assert end_of("D-1", defect, [other]) is None


def test_an_incident_solved_by_exchanging_says_its_own_end() -> None:
    values = {"incident": "IN-1", "category": "damaged_card", "reason": "x", "people": ()}
    values |= {"deck": "D-1", "noticed_at": moment("21:05"), "resolved_at": moment("21:09")}
    for replaced, at in (("card", moment("21:09")), ("nothing", None)):
        defect = defect_of(Game().record(IncidentReported, "21:06", replaced=replaced, **values))
        assert defect is not None
        end = end_of("D-1", defect, [])
        assert (None if end is None else end.at) == at


# The rounds between


def span(since: str | None = "20:00", until: str | None = "23:00", noticed: str = "22:00") -> Span:
    end = None
    game = Game()
    if until is not None:
        withdrawn = game.record(DeckWithdrawn, until, deck="D-1", reason="damaged")
        end = end_of("D-1", Defect("damaged", ("D-1",), moment(until)), [withdrawn])
    found = None if since is None else proof(looked_at(game, since))
    return Span("D-1", found, moment(noticed), end)


def a_round_at(
    over: str, begins: str | None = None, game: Game | None = None, shoe: int | None = 1
) -> Seen:
    """A round that was over, and recorded, at one moment and begun at another."""
    game = game or Game()
    times = None if begins is None else Times(first_card=moment(begins))
    boxes = (box(2, "TS 8D", main(1000, 2000), main(500, 0, "J7")), box(5, "TC 9D", main(2000, 0)))
    recorded = game.round(shoe, 1, over, times=times, boxes=boxes)
    return Seen(
        entry_id=recorded.entry_id,
        stream=recorded.stream,
        n=recorded.n,
        gaming_day=recorded.gaming_day,
        occurred_at=recorded.occurred_at,
        **seen_in(payload_of(recorded.event)),
    )


def judged(seen: Seen, *spans: Span, game: Game | None = None) -> tuple[str, str] | None:
    found = exposed(seen, spans or (span(),), Setting("", (game or Game()).entries))
    return None if found is None else (found.standing, found.phase)


@pytest.mark.parametrize(
    ("begins", "over", "said"),
    [
        ("19:58", "19:59", None),
        ("19:59", "20:00", None),  # over as the deck was looked through
        ("20:00", "20:01", ("certain", "before")),
        ("19:59", "20:01", ("possible", "before")),  # the moments contradict each other
        ("21:59", "22:01", ("certain", "before")),
        ("22:00", "22:01", ("certain", "before")),
        ("22:01", "22:02", ("certain", "after")),
        ("22:59", "23:01", ("certain", "after")),  # it was taken out during this round
        ("23:00", "23:01", ("certain", "after")),
        ("23:01", "23:02", None),
        (None, "20:00", None),
        (None, "20:01", ("certain", "before")),
        (None, "23:00", ("certain", "after")),
        (None, "23:01", ("possible", "after")),
    ],
)
def test_a_round_between_the_proof_and_the_end(
    begins: str | None, over: str, said: tuple[str, str] | None
) -> None:
    assert judged(a_round_at(over, begins)) == said


def test_without_a_proof_or_an_end_every_round_is_in_doubt() -> None:
    assert judged(a_round_at("12:30", "12:29"), span(None)) == ("certain", "before")
    assert judged(a_round_at("05:00", "04:59"), span(until=None)) == ("certain", "after")


def test_a_deck_that_is_not_in_the_set_was_not_dealt_from() -> None:
    assert judged(a_round_at("21:00", "20:59"), game=Game(decks=("D-2", "D-3"))) is None


def test_a_shoe_is_dealt_from_the_decks_shuffled_for_it() -> None:
    with_it, without = Game(decks=("D-1", "D-2")), Game(decks=("D-2", "D-3"))
    for game in (with_it, without):
        game.prepare(1)
        game.decks = ("D-1",) if game is without else ("D-2",)
        game.prepare(2, "21:00")
    said = [
        [judged(a_round_at("21:30", "21:29", shoe=shoe), game=game) for shoe in (1, 2, 3)]
        for game in (with_it, without)
    ]
    sure, perhaps = ("certain", "before"), ("possible", "before")
    assert said == [[sure, None, perhaps], [None, sure, perhaps]]


def test_a_machine_deals_from_what_was_loaded_last() -> None:
    game = Game("shuffler", decks=("D-1", "D-2"))
    game.load("20:30")
    game.load("21:30", decks=("D-2", "D-3"))
    early, late = a_round_at("21:00", "20:59"), a_round_at("21:40", "21:39")
    assert judged(early, game=game) == ("certain", "before")
    assert judged(late, game=game) is None
    assert Setting("", game.entries).decks_at(moment("21:00")) == ("D-1", "D-2")
    assert Setting("", game.entries).decks_at(moment("22:00")) == ("D-2", "D-3")


# Sums


def test_money_is_summed_by_box_and_by_how_sure_it_is() -> None:
    seen, totals = a_round_at("21:00", "20:59"), Totals()
    totals.add(Exposed(seen, "certain", "before", ("D-1",)))
    totals.add(Exposed(seen, "possible", "after", ("D-1",)))
    assert (seen.staked, seen.returned) == (3500, 2000)
    whole = totals.whole
    assert (whole.certain.rounds, whole.certain.staked, whole.certain.result) == (1, 3500, -1500)
    assert whole.possible.staked == 3500
    assert (totals.noticed.certain.rounds, totals.noticed.possible.rounds) == (0, 1)
    second, fifth = totals.boxes["BJ-01", 2].certain, totals.boxes["BJ-01", 5].certain
    assert (second.staked, second.returned) == (1500, 2000)
    assert (fifth.staked, fifth.returned) == (2000, 0)
    assert totals.tables["BJ-01"].certain.staked == 3500


def test_a_round_told_again_is_the_same_round() -> None:
    seen = a_round_at("21:00")
    assert list(once([seen, seen])) == [seen]


@pytest.mark.parametrize(
    ("counted", "recorded", "gaps", "least"),
    [(10, 10, 0, 0), (10, 7, 0, 3), (None, 7, 2, 2), (10, 9, 3, 3), (7, 9, 0, 0)],
)
def test_rounds_nobody_told_are_as_many_as_are_sure(
    counted: int | None, recorded: int, gaps: int, least: int
) -> None:
    assert Unrecorded("BJ-01/2026-11-20/1", counted, recorded, gaps).least == least
