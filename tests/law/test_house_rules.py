"""What the other books ask of their own, and what they do not state."""

from datetime import date

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook import UnknownParameter
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.rounds import (
    a_round,
    box,
    even_money,
    hand,
    insurance,
    main,
    misdealt,
    special,
)
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    PLAYER,
    UNDECIDED,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

CONSENT, FACE_UP, VOIDED = (
    "others_with_consent",
    "face_up_card_out_of_play",
    "voided_round_returns_stakes",
)
MOST_BOXES, LEAST_BOXES = "player_boxes_within_maximum", "lone_player_boxes"
HALF, ACES_ONCE = "insurance_exactly_half", "aces_split_once"
IBERIAN = [
    ("es", "jugadores/apuestas-de-otros", "desarrollo/carta-boca-arriba", "desarrollo/separador"),
    (
        "br",
        "jogadores/apostas-de-outros",
        "desenvolvimento/carta-aberta-no-sabot",
        "desenvolvimento/separador",
    ),
]
BOOKS = pytest.mark.parametrize("book", ["es", "br"])

# Spain and the Brazilian handbook: consent, face-up cards, the separator


def shared(consent: bool | None) -> RoundPlayed:
    wagers = main(1000, 2000), main(1000, 2000, "J5")
    return a_round(box(1, "TS 8D", *wagers, consent=consent))


@upholds_case(CONSENT, "lawful")
@BOOKS
def test_others_stake_with_the_holders_consent(book: str) -> None:
    assert said(CONSENT, shared(True), book) == LAWFUL


@upholds_case(CONSENT, "unlawful")
@pytest.mark.parametrize(("book", "section"), [row[:2] for row in IBERIAN])
def test_and_not_without_it(book: str, section: str) -> None:
    found = the_finding(CONSENT, shared(False), book)
    assert (found.rulebook, found.article, found.where) == (book, section, {"box": 1})
    assert found.expected == {"consent": "yes"}


@upholds_case(CONSENT, "boundary")
@BOOKS
def test_where_nobody_told_it_is_not_decidable_and_alone_one_needs_none(book: str) -> None:
    assert said(CONSENT, shared(None), book) == UNDECIDED
    alone = a_round(box(1, "TS 8D", main(1000, 2000), consent=False))
    assert said(CONSENT, alone, book) == NOT_ASKED
    stranger = main(1000, 2000, "J5")
    assert said(CONSENT, a_round(box(1, "TS 8D", stranger, vacant=True)), book) == NOT_ASKED


@pytest.mark.parametrize("book", ["pt", "fr", "pt-summary"])
def test_the_other_books_ask_for_no_consent(book: str) -> None:
    assert said(CONSENT, shared(False), book) == NOT_ASKED


def face_up(fate: str) -> RoundPlayed:
    to = {"to": (1, 1)} if fate == "hand" else {}
    boxes = box(1, "TS 2D 5H", main(1000, 0), does="hit stand"), box(2, "TS TD", main(1000, 2000))
    bank = "TH 3C 5H" if fate == "bank" else "TH 8C"
    return a_round(*boxes, bank=bank, misdealt=[misdealt("5H", "shoe", fate, **to)])


@upholds_case(FACE_UP, "lawful")
@BOOKS
def test_a_card_found_face_up_goes_to_the_used_ones(book: str) -> None:
    assert said(FACE_UP, face_up("discard"), book) == LAWFUL


@upholds_case(FACE_UP, "unlawful")
@pytest.mark.parametrize(("book", "section"), [(row[0], row[2]) for row in IBERIAN])
@pytest.mark.parametrize("fate", ["hand", "bank"])
def test_and_is_not_played(book: str, section: str, fate: str) -> None:
    played = face_up(fate)
    found = the_finding(FACE_UP, played, book)
    assert (found.article, found.observed["went_to"]) == (section, fate)
    assert found.expected == {"goes_to": "discard"}
    wager_verdict = verdict(played, owner="J2", book=book)
    assert (wager_verdict.outcome, wager_verdict.why) == (UNDECIDED, "face_up_card_kept")


@upholds_case(FACE_UP, "boundary")
@BOOKS
def test_a_face_up_card_of_the_bank_that_was_taken_out_is_lawful(book: str) -> None:
    played = a_round(box(1, "TS 8D", main(1000, 2000)), voided="5H face_up")
    assert said(FACE_UP, played, book) == LAWFUL
    assert said(FACE_UP, a_round(box(1, "TS 8D", main(1000, 2000))), book) == NOT_ASKED
    assert said(FACE_UP, face_up("bank"), "pt") == NOT_ASKED


def cut_short(returned: int, why: str = "separator") -> RoundPlayed:
    wagers = main(1000, returned), insurance(500, 500)
    return a_round(box(1, "TS 8D", *wagers), bank="AH", interrupted=why)


@upholds_case(VOIDED, "lawful")
@BOOKS
def test_a_round_voided_at_the_separator_gives_the_stakes_back(book: str) -> None:
    played = cut_short(1000)
    assert (owed(played, book=book), cited(played, book)) == ((1000, 0, None), [])


@upholds_case(VOIDED, "unlawful")
@pytest.mark.parametrize(("book", "section"), [(row[0], row[3]) for row in IBERIAN])
@pytest.mark.parametrize(("paid", "to"), [(0, PLAYER), (2000, HOUSE), (500, PLAYER)])
def test_whole_and_not_more(book: str, section: str, paid: int, to: str) -> None:
    played = cut_short(paid)
    assert owed(played, book=book) == (1000, abs(1000 - paid), to)
    assert cited(played, book) == [f"{section} {VOIDED}"]


@upholds_case(VOIDED, "boundary")
@BOOKS
def test_a_round_voided_for_another_reason_is_not_decidable(book: str) -> None:
    wager_verdict = verdict(cut_short(0, "incident"), book=book)
    assert (wager_verdict.outcome, wager_verdict.why) == (UNDECIDED, "round_voided")


@pytest.mark.parametrize("book", ["pt", "fr", "pt-summary"])
def test_where_the_book_voids_no_round_a_voided_one_is_not_decidable(book: str) -> None:
    assert verdict(cut_short(0), book=book).outcome == UNDECIDED
    assert cited(cut_short(0), book) == []


@pytest.mark.parametrize("book", ["pt", "es", "br", "fr", "pt-summary"])
def test_a_voided_round_may_have_stakes_on_hands_that_were_never_dealt(book: str) -> None:
    """The split was announced, the second stake laid, then the round was stopped."""
    stakes = main(1000, 1000), main(1000, 1000, hand=2), special(0, hand=3)
    played = a_round(box(1, "8S 8D", *stakes, does="split"), interrupted="separator")
    assert {one.outcome for one in (verdict(played, hand=at, book=book) for at in (1, 2))} == {
        LAWFUL if book in ("es", "br") else UNDECIDED
    }


# The French brochure: how many boxes a player holds


def holding(**boxes: int) -> RoundPlayed:
    """``J1=2, J2=1``: how many boxes each holds."""
    held = [name for name, count in boxes.items() for _ in range(count)]
    return a_round(
        *(box(at, "TS 8D", main(1000, 2000), holder=name) for at, name in enumerate(held, 1))
    )


@upholds_case(MOST_BOXES, "lawful")
def test_a_player_holds_up_to_three_boxes() -> None:
    assert said(MOST_BOXES, holding(J1=2, J2=1), "fr") == LAWFUL


@upholds_case(MOST_BOXES, "boundary")
def test_three_boxes_are_allowed() -> None:
    assert cited(holding(J1=3, J2=3), "fr") == []


@upholds_case(MOST_BOXES, "unlawful")
@pytest.mark.parametrize(("held", "count"), [({"J1": 4}, 4), ({"J1": 5, "J2": 2}, 5)])
def test_a_fourth_box_is_not(held: dict[str, int], count: int) -> None:
    found = the_finding(MOST_BOXES, holding(**held), "fr")
    assert (found.article, found.where) == ("order-of-play/boxes", {"owner": "J1"})
    assert (found.observed, found.expected) == ({"boxes": count}, {"at_most": 3})


@upholds_case(MOST_BOXES, "boundary")
def test_a_stake_on_another_players_box_is_not_a_box_of_ones_own() -> None:
    own = [box(at, "TS 8D", main(1000, 2000), holder="J1") for at in (1, 2, 3)]
    beside = box(4, "TS 8D", main(1000, 2000), main(1000, 2000, "J1"))
    assert said(MOST_BOXES, a_round(*own, beside), "fr") == LAWFUL


@upholds_case(LEAST_BOXES, "lawful")
def test_a_player_alone_plays_three_boxes() -> None:
    assert said(LEAST_BOXES, holding(J1=3), "fr") == LAWFUL


@upholds_case(LEAST_BOXES, "boundary")
def test_or_two_and_with_company_one_is_enough() -> None:
    assert said(LEAST_BOXES, holding(J1=2), "fr") == LAWFUL
    assert said(LEAST_BOXES, holding(J1=1, J2=1), "fr") == NOT_ASKED


@upholds_case(LEAST_BOXES, "unlawful")
@pytest.mark.parametrize("name", ["J1", "J7"])
def test_a_player_alone_does_not_play_one(name: str) -> None:
    found = the_finding(LEAST_BOXES, holding(**{name: 1}), "fr")
    assert (found.article, found.where) == ("order-of-play/boxes", {"owner": name})
    assert (found.observed, found.expected) == ({"boxes": 1}, {"at_least": 2})


@pytest.mark.parametrize("book", ["pt", "es", "br", "pt-summary"])
def test_the_other_books_count_no_boxes(book: str) -> None:
    assert {said(check, holding(J1=5), book) for check in (MOST_BOXES, LEAST_BOXES)} == {NOT_ASKED}


# Insurance of exactly half; aces split once


def insured(cents: int, stake: int = 1000) -> RoundPlayed:
    boxes = (
        box(1, "TS 8D", main(stake, stake), insurance(cents, 0)),
        box(2, "TS 8D", main(1000, 1000)),
    )
    return a_round(*boxes, bank="AH 7C")


@upholds_case(HALF, "lawful")
@pytest.mark.parametrize("book", ["fr", "pt-summary"])
def test_insurance_is_half_the_stake(book: str) -> None:
    assert cited(insured(500), book) == []


@upholds_case(HALF, "boundary")
@pytest.mark.parametrize("book", ["fr", "pt-summary"])
@pytest.mark.parametrize("cents", [500, 501])
def test_half_of_an_odd_stake_may_be_rounded_either_way(book: str, cents: int) -> None:
    assert said(HALF, insured(cents, 1001), book) == LAWFUL


@upholds_case(HALF, "unlawful")
@pytest.mark.parametrize("book", ["fr", "pt-summary"])
@pytest.mark.parametrize("odd_cent", ["player", "house"])
@pytest.mark.parametrize("cents", [499, 502])
def test_but_not_by_a_whole_cent_more(book: str, odd_cent: str, cents: int) -> None:
    found = the_finding(HALF, insured(cents, 1001), book, {"odd-cent": odd_cent})
    assert found.readings == ("insurance-of-first-stake", "unlawful-stake", "odd-cent")


@upholds_case(HALF, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"), [("fr", "insurance"), ("pt-summary", "opcoes/seguro")]
)
@pytest.mark.parametrize("cents", [499, 501, 1000, 250])
def test_not_less_and_not_more(book: str, section: str, cents: int) -> None:
    found = the_finding(HALF, insured(cents), book)
    assert (found.article, found.observed) == (section, {"stake_cents": cents})
    assert found.expected == {"stake_cents": 500}


@pytest.mark.parametrize("book", ["fr", "pt-summary"])
def test_who_staked_nothing_has_nothing_to_insure(book: str) -> None:
    stranger = insurance(500, 0, "J9")
    boxes = box(1, "TS 8D", main(1000, 1000), stranger), box(2, "TS 8D", main(1000, 1000))
    assert the_finding(HALF, a_round(*boxes, bank="AH 7C"), book).expected == {"stake_cents": 0}


@pytest.mark.parametrize("book", ["pt", "es", "br"])
def test_where_the_book_says_up_to_half_less_will_do(book: str) -> None:
    assert cited(insured(250), book) == []


def aces(count: int) -> RoundPlayed:
    hands = [hand("AS 4D", "split " * (count - 1))]
    hands += [hand(f"A{suit} 4D", "", out_of=1) for suit in "DCHS"[: count - 1]]
    stakes = [main(1000, 2000, hand=at) for at in range(1, count + 1)]
    other = box(2, "TS 8D", main(1000, 2000))
    return a_round(box(1, hands, *stakes), other, bank="TH 6C KD")


@upholds_case(ACES_ONCE, "lawful")
def test_in_france_aces_split_once() -> None:
    assert said(ACES_ONCE, aces(2), "fr") == LAWFUL
    assert cited(aces(2), "fr") == []


@upholds_case(ACES_ONCE, "unlawful")
@pytest.mark.parametrize("count", [3, 4])
def test_in_france_aces_do_not_split_again(count: int) -> None:
    assert cited(aces(count), "fr") == [f"splitting-pairs/aces {ACES_ONCE}"] * (count - 2)


@upholds_case(ACES_ONCE, "boundary")
def test_other_pairs_split_again_in_france_and_aces_elsewhere() -> None:
    hands = [hand("8S 4D", "split split"), hand("8D 5H", out_of=1), hand("8C 6S", out_of=1)]
    stakes = [main(1000, 2000, hand=at) for at in (1, 2, 3)]
    played = a_round(box(1, hands, *stakes), box(2, "TS 8D", main(1000, 2000)), bank="TH 6C KD")
    assert said(ACES_ONCE, played, "fr") == NOT_ASKED
    assert cited(played, "fr") == []
    for book in ("pt", "es", "br"):
        assert cited(aces(3), book) == []


# What a book does not state

SURRENDERED = a_round(box(1, "TS 6D", main(1000, 500), does="surrender"), bank="9H 8C")
EVEN = a_round(box(1, "AS KD", even_money(1000, 2000)), bank="AH 7C")
SPLIT_DOUBLE = a_round(
    box(
        1,
        [hand("8S 3D TC", "split double"), hand("8D TH", out_of=1)],
        main(2000, 4000, first=1000),
        main(1000, 2000, hand=2),
    ),
    bank="TH 7C",
)
OPTIONS = [
    (SURRENDERED, "main", "surrender.loses", ("es", "br", "fr", "pt-summary")),
    (EVEN, "even_money", "even_money.pays", ("es", "br", "fr", "pt-summary")),
    (SPLIT_DOUBLE, "main", "double.after_split", ("pt-summary",)),
    (aces(3), "main", "split.resplit", ("pt-summary",)),
]


@pytest.mark.parametrize(
    ("played", "kind", "parameter", "book"),
    [(*row[:3], book) for row in OPTIONS for book in row[3]],
)
def test_an_option_the_book_does_not_state_is_not_decidable(
    played: RoundPlayed, kind: str, parameter: str, book: str
) -> None:
    wager_verdict = verdict(played, kind, book=book)
    assert (wager_verdict.outcome, wager_verdict.due_cents, wager_verdict.why) == (
        UNDECIDED,
        None,
        f"not_stated:{parameter}",
    )


@pytest.mark.parametrize(("played", "kind", "parameter", "books"), OPTIONS)
def test_where_the_book_states_it_the_same_wager_is_settled(
    played: RoundPlayed, kind: str, parameter: str, books: tuple[str, ...]
) -> None:
    assert verdict(played, kind).due_cents is not None
    assert load_law("pt").on(date(2026, 11, 20)).states(parameter)


@pytest.mark.parametrize(
    ("book", "parameter"),
    [
        ("es", "surrender.loses"),
        ("es", "stand.above"),
        ("br", "hit.until"),
        ("fr", "special.pays"),
        ("pt-summary", "boxes.maximum"),
        ("pt", "player.boxes_maximum"),
    ],
)
def test_asking_for_a_figure_a_book_does_not_state_names_both(book: str, parameter: str) -> None:
    rules = load_law(book).on(date(2026, 11, 20))
    assert not rules.states(parameter)
    with pytest.raises(UnknownParameter) as unknown:
        rules[parameter]
    assert (unknown.value.rulebook, unknown.value.parameter) == (book, parameter)


def test_a_plain_win_is_paid_alike_in_every_book() -> None:
    for book in ("pt", "pt-summary", "es", "br", "fr"):
        played = holding(J1=1, J2=1)
        assert (owed(played, book=book), cited(played, book)) == ((2000, 0, None), [])
        assert said("nearer_to_twenty_one_wins", played, book) != BREACH
