"""Every finding has a heading that says what happened, in both languages, without a rule kept."""

import gettext
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from audit.runs import house_headings
from audit.runs.house_checks import STATEMENTS
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.finding import Finding
from casino.law.rulebook.rulebook_file import rulebook_ids
from casino.law.wording import headings, wording
from casino.law.wording.headings import Line
from casino.reading.round_reader import read_round
from tests.factories.partidas import GAMES
from tests.gate import ROOT
from tests.law.asking import judged as round_judged
from tests.law.floor_asking import judged
from tests.law.worked_examples import NAMES, records

CHECKS: Final = {*ALL_CHECKS, *wording.FORMER, *house_controls.BY_NAME, *STATEMENTS}
LINES: Final = {**wording.HEADINGS, **house_headings.HEADINGS}
BROKEN: Final = Path(__file__).parent / "once_broken.jsonl"
DAY: Final = date(2026, 11, 20)
GAP: Final = re.compile(r"\{([oew]\.\w+)")
ISO: Final = re.compile(r"\d{4}-\d\d-\d\dT|(?<!/)\b\d{4}-\d\d-\d\d\b(?!/)")  # a game's name has one


class AllWords(wording.FindingWords):
    """The words of a finding, the auditor's own with them."""

    lines = LINES


@pytest.fixture(scope="module")
def both() -> tuple[AllWords, AllWords]:
    catalogue = gettext.translation("django", ROOT / "locale", ["pt_PT"])
    return AllWords(catalogue.gettext, "pt"), AllWords(str, "en")


def test_every_check_has_a_heading_of_its_own() -> None:
    """Whoever adds a check adds its heading: `casino/law/headings_*.py`."""
    assert CHECKS - LINES.keys() == set()
    assert LINES.keys() - CHECKS == set()  # those of FORMER are among them: old findings name them


def test_both_languages_say_the_same_figures() -> None:
    for check, lines in LINES.items():
        for line in lines:
            assert line.pt != line.en, check
            pt, en = set(GAP.findall(line.pt)), set(GAP.findall(line.en))
            assert pt == en, check
            for text in (line.pt, line.en):
                assert text.count("[") == text.count("]"), check
                assert "  " not in text, check
                assert not text.endswith("."), check


def test_no_line_hides_one_behind_it() -> None:
    """A line without conditions and without figures is the last of its check."""
    for check, lines in LINES.items():
        for line in lines[:-1]:
            assert line.when or GAP.search(line.pt), check


def of_rounds() -> Iterator[Finding]:
    lines = [*BROKEN.read_bytes().splitlines()]
    lines += [line for name in NAMES for line in records(name).values()]
    for line in lines:
        for book in rulebook_ids():
            yield from round_judged(read_round(line), book).findings


def said(words: AllWords, finding: Finding) -> str:
    return words.heading(
        finding.check, finding.where, finding.observed, finding.expected, finding.gaming_day
    )


def is_a_sentence(words: AllWords, finding: Finding) -> None:
    lines = LINES[finding.check]
    money = words._of_money(finding.check, finding.observed, finding.expected)
    there = (finding.where, finding.observed, finding.expected)
    assert headings.fitting((*lines, *money), *there) is not None, finding
    text = said(words, finding)
    assert not {"_", "{", "[", "~"} & set(text), text
    assert "  " not in text, text
    assert not ISO.search(text), text
    assert text[0] == text[0].upper(), text


@pytest.mark.parametrize("name", GAMES)
def test_every_finding_of_a_game_is_headed(name: str, both: tuple[AllWords, AllWords]) -> None:
    for found in judged(GAMES[name]()).findings:
        for words in both:
            is_a_sentence(words, found)


def test_every_finding_of_a_broken_round_is_headed(both: tuple[AllWords, AllWords]) -> None:
    found = list(of_rounds())
    assert len({one.check for one in found}) > 40
    for one in found:
        for words in both:
            is_a_sentence(words, one)


Recorded = dict[str, Any]
HEADED: Final[list[tuple[str, Recorded, Recorded, Recorded, str, str]]] = [
    (
        "cut_by_rightful_seat", {"shoe": 1}, {"seat": 5}, {"seat": 3},
        "Sabot 1: cortou o lugar 5; era a vez do lugar 3",
        "Shoe 1: seat 5 cut; it was seat 3's turn",
    ),
    (
        "cut_by_rightful_seat", {"shoe": 1}, {"seat": 5, "declined": [1]}, {"seat": 2},
        "Sabot 1: cortou o lugar 5, depois de recusar o lugar 1; era a vez do lugar 2",
        "Shoe 1: seat 5 cut after seat 1 declined; it was seat 2's turn",
    ),
    (
        "table_has_lawful_boxes", {}, {"boxes": 5}, {"boxes": (6, 7)},
        "A mesa tem 5 lugares; deviam ser 6 ou 7",
        "The table has 5 boxes; 6 or 7 are lawful",
    ),
    (
        "damaged_deck_withdrawn", {"deck": "D-2"}, {"rounds": 1}, {"rounds": 0},
        "Baralho D-2: fez-se 1 jogada depois do defeito, com o baralho ainda em jogo",
        "Deck D-2: 1 round was dealt after the defect, the deck still in play",
    ),
    (
        "damaged_deck_withdrawn", {"deck": "D-2"}, {"rounds": 2}, {"rounds": 0},
        "Baralho D-2: fizeram-se 2 jogadas depois do defeito, com o baralho ainda em jogo",
        "Deck D-2: 2 rounds were dealt after the defect, the deck still in play",
    ),
    (
        "bank_keeps_the_cards_it_draws", {}, {"taken_out": "KS", "why": "extra", "after": ["TH"]},
        {"goes_to": "bank"},
        "Foi retirada à banca a carta R♠, que ela tinha de tirar, depois de 10♥",
        "K♠, which the bank had to draw, was taken from it, after 10♥",
    ),
    (
        "jackpot_terms_are_approved", {"jackpot": "JP-1", "terms": "T-1"}, {"reference": ""},
        {"by_day": "2026-11-20"},
        "Acumulado JP-1, condições T-1 (aprovação da inspeção): não consta documento até"
        " 20/11/2026, dia em que se jogou",
        "Jackpot JP-1, terms T-1 (approval by the inspectorate): no document is on record by"
        " 20/11/2026, the day of play",
    ),
    (
        "equal_is_null", {"box": 2, "hand": 1, "owner": "J2", "kind": "main"},
        {"returned_cents": 200_000}, {"returned_cents": 100_050},
        "Lugar 2, mão 1, J2 (empate): foram entregues 2 000,00 e eram devidos 1 000,50",
        "Box 2, hand 1, J2 (tie): 2,000.00 was handed over where 1,000.50 was due",
    ),
    (
        "stakes_before_the_deal", {}, {"stakes_closed": "2026-11-20T22:14:09.400001+00:00"},
        {"not_after": "2026-11-20T22:14:09.400000+00:00"},
        "As apostas fecharam às 22:14:09,400001; a primeira carta saiu às 22:14:09,400000",
        "The stakes closed at 22:14:09.400001; the first card came out at 22:14:09.400000",
    ),
    (
        "decks_ordered_at_closing", {"deck": "D-2"}, {"moment": "2026-11-20T23:59:00+00:00"},
        {"not_before": "2026-11-21T02:38:00+00:00"},
        "O baralho D-2 foi ordenado às 23:59:00 de 20/11/2026, antes de sair do baralhador, às"
        " 02:38:00 de 21/11/2026",
        "Deck D-2 was put in order at 23:59:00 on 20/11/2026, before it left the shuffler, at"
        " 02:38:00 on 21/11/2026",
    ),
]  # fmt: skip


COUNTED: Final[list[tuple[str, Recorded, Recorded, Recorded, str, str]]] = [
    (
        "people_hold_their_office", {"staff": "S-9"}, {"on_record": "nothing"},
        {"office": "pagador"},
        "S-9 foi indicado como pagador, cargo que então não tinha (nenhum cargo em registo)",
        "S-9 was named as dealer, an office not held then (no office on record)",
    ),
    (
        "people_hold_their_office", {"staff": "S-9"}, {}, {"office": "pagador"},
        "S-9 foi indicado como pagador, cargo que então não tinha",
        "S-9 was named as dealer, an office not held then",
    ),
    (
        "decks_of_two_colours_alike", {}, {"of_each_colour": [4, 2]}, {"of_each_colour": [3, 3]},
        "Por cor de verso, os baralhos eram 4 e 2; deviam ser 3 e 3",
        "By back colour, the decks were 4 and 2; 3 and 3 were due",
    ),
    (
        "record_judged", {}, {"error": "ValueError: x"}, {},
        "O programa não pôde julgar o registo, por um erro seu («ValueError: x»)",
        "The program could not judge the record, by a fault of its own (“ValueError: x”)",
    ),
]  # fmt: skip


SUBJECTS: Final[list[tuple[str, Recorded, Recorded, Recorded, str, str]]] = [
    (
        "no_joker_in_a_deck", {"deck": "D-2"}, {"jokers": 1}, {"jokers": 0},
        "O baralho D-2 foi exibido com 1 joker", "Deck D-2 was exhibited with 1 joker",
    ),
    (
        "late_complaint_not_upheld", {"complaint": "RC-1"},
        {"outcome": "upheld", "moment": "2026-11-20T22:14:00+00:00"},
        {"before": "2026-11-20T22:10:00+00:00"},
        "A reclamação RC-1 foi atendida, tendo chegado às 22:14:00; as cartas tinham entrado no"
        " baralhador às 22:10:00",
        "Complaint RC-1 was upheld, though it came at 22:14:00; the cards had gone into the"
        " shuffler at 22:10:00",
    ),
    (
        "stand_above_eleven", {"box": 2, "hand": 1}, {"stood_on": 9}, {"above": 11},
        "Lugar 2: a mão 1 ficou com 9; só podia ficar com mais de 11",
        "Box 2: hand 1 stood on 9; a hand stands only on more than 11",
    ),
    (
        "insurance_only_against_ace", {"box": 2, "owner": "J2", "kind": "insurance"},
        {"bank_shows": "9H"}, {"bank_shows": "ace"},
        "Lugar 2: J2 fez seguro com a banca a mostrar 9♥, que não é um ás",
        "Box 2: J2 took insurance while the bank showed 9♥, which is no ace",
    ),
    (
        "incident_number_of_one_table", {"incident": "I-1"}, {"also_at": "BJ-05"},
        {"table": "BJ-02"},
        "O incidente I-1, registado na mesa BJ-02, tem o número de um incidente da mesa BJ-05",
        "Incident I-1, recorded at table BJ-02, bears the number of an incident of table BJ-05",
    ),
    (
        "people_are_registered", {}, {"registered": "no"}, {"registered": "yes"},
        "Não consta do registo da casa", "Is not in the house's register",
    ),
    (
        "special_cards_are_told", {}, {"untold": ["cut_card", "carta_aviso"]}, {"untold": []},
        "A abertura da mesa não indica a carta de corte nem a carta-aviso",
        "The opening of the table tells neither of the cut card nor of the warning card",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "where", "observed", "expected", "pt", "en"), HEADED + SUBJECTS + COUNTED
)
def test_a_heading_says_what_happened(
    check: str,
    where: Recorded,
    observed: Recorded,
    expected: Recorded,
    pt: str,
    en: str,
    both: tuple[AllWords, AllWords],
) -> None:
    assert both[0].heading(check, where, observed, expected, DAY) == pt
    assert both[1].heading(check, where, observed, expected, DAY) == en


def test_a_count_is_no_amount() -> None:
    """A page says amounts with the euro, in English before them."""

    class Euros(AllWords):
        def money(self, cents: int) -> str:
            return f"€{cents // 100}.00"

    text = Euros(str, "en").heading(
        "rounds_tell_the_tables_limits",
        {},
        {"minimum_cents": 100, "maximum_cents": 3_000, "rounds": 12_345},
        {"minimum_cents": 500, "maximum_cents": 5_000},
    )
    assert text.startswith("12,345 rounds tell the limits €1.00 and €30.00")


def test_an_hour_of_another_night_has_its_day(both: tuple[AllWords, AllWords]) -> None:
    """Within the gaming day and the morning after it the hour alone says enough."""
    where, when = {"load": 1}, "2026-11-20T22:10:00+00:00"
    late = {"moment": when}, {"not_after": when}
    check = "shuffler_loaded_before_the_deal"
    assert "22:10:00 de" not in both[0].heading(check, where, *late, DAY)
    assert "22:10:00 de 20/11/2026" in both[0].heading(check, where, *late, date(2026, 12, 1))


def test_what_no_line_fits_names_the_rule_as_not_kept(both: tuple[AllWords, AllWords]) -> None:
    strange: tuple[Recorded, Recorded, Recorded] = {"shoe": 3}, {"seats": [2]}, {"at_least": 3}
    assert both[0].heading("cut_by_rightful_seat", *strange) == (
        "Sabot 3: não se cumpriu: Corta o lugar a quem cabe a vez, ou aquele a quem ela passa;"
        " encontrado: lugares ocupados 2; exigido: pelo menos 3"
    )
    text = both[1].heading("a_check_of_tomorrow", {}, {"reference": ""}, {})
    assert text == "Not kept: a_check_of_tomorrow; found: document nothing"


def test_a_line_with_what_is_not_there_is_not_said() -> None:
    lines = (Line("{o.seat}", "{o.seat}", {"e.cut_by": "fiscal_de_banca"}), Line("x", "y"))
    assert headings.fitting(lines, {}, {"seat": 0}, {"cut_by": "fiscal_de_banca"}) == lines[0]
    assert headings.fitting(lines, {}, {}, {"cut_by": "fiscal_de_banca"}) == lines[1]
    assert headings.fitting(lines, {}, {"seat": 1}, {"cut_by": "seat"}) == lines[1]
    assert headings.fitting(lines[:1], {}, {"seat": []}, {"cut_by": "fiscal_de_banca"}) is None
