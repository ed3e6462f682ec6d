"""Every word of duty, negation and parameter of a text is bound; what changes is named."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from django.utils import translation

from casino.law.rulebook.law_text import LawError, Value
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text import text_comparison
from casino.law.text.duty_bindings import DutyBound, duty_bindings
from casino.law.text.number_bindings import number_bindings
from casino.law.text.parameter_bindings import (
    compare_parameters,
    house_bindings,
    stated_bindings,
)
from casino.law.text.read_text import read_text
from casino.law.text.text_comparison import Comparison, compared
from casino.law.text.text_duties import duties_in, turns_in
from casino.law.text.text_file import TextFile, text_file
from casino.law.text.text_numbers import numbers_in
from tests.factories.invented_rules import BOUND, DAY, LAW, RULES, law_of

REGULATION: Final = "seeds/002_07ece81049b9d624.txt"
SECTIONS: Final = {
    "br": "seeds/000_9860a1ec129f999d.txt",
    "es": "seeds/001_32e54d4f6546ab44.txt",
    "pt-summary": "seeds/003_e49679e1a5c53cc2.txt",
    "fr": "seeds/004_47274f734f0fe2f2.txt",
}
PT: Final = load_law("pt")
OF_LANGUAGE: Final = {
    "pt": "O jogador pelo qual a mesa não é da casa, ou uma aposta são.",
    "es": "El jugador y los jugadores de una mesa sin apuesta del juego.",
    "fr": "Le joueur et les joueurs pour une mise dans les jeux du casino.",
    "en": "The player and the players of the stake by with in to.",
}


def duties(language: str, words: str) -> str:
    text = read_text(f"1 - {OF_LANGUAGE[language]}\n\n2 - {words}\n")
    assert text.language == language
    found = [one for one in duties_in(text) if one.eid == "art_2__para_1"]
    return "; ".join(f"{one.written} {one.modality}" for one in found)


@pytest.mark.parametrize(
    ("language", "words", "found"),
    [
        ("pt", "O pagador deve cortar, devendo dar.", "deve obliges; devendo obliges"),
        ("pt", "A carta será anulada e dar-se-á outra.", "será obliges; dar-se-á obliges"),
        ("pt", "Não deverá dar; nenhuma outra poderá sair.",
         "Não deverá forbids; nenhuma outra poderá forbids"),
        ("pt", "O jogador pode pedir, mas não se pode sentar.",
         "pode permits; não se pode forbids"),
        ("pt", "Só pode pedir uma; apenas contarão duas.",
         "Só pode forbids; apenas contarão forbids"),
        ("pt", "Tem de ficar, terá ainda de pagar.", "Tem de obliges; terá ainda de obliges"),
        ("pt", "Não tem de dizer; não é obrigado a pedir.",
         "Não tem de permits; não é obrigado permits"),
        ("pt", "É-lhe vedado sair; é proibido falar.", "É-lhe vedado forbids; é proibido forbids"),
        ("pt", "É permitido dobrar; não é permitido.",
         "É permitido permits; não é permitido forbids"),
        ("pt", "Cabe ao fiscal abrir, e compete-lhe fechar.", "Cabe obliges; compete obliges"),
        ("pt", "Quer mantê-la ou alterá-la no verão, com perdão.", ""),
        ("pt", "A banca tira uma carta e perde.", ""),
        ("es", "El crupier debe dar; no podrá pedir.", "debe obliges; no podrá forbids"),
        ("es", "Queda prohibido; tampoco puede pedir.",
         "Queda prohibido forbids; tampoco puede forbids"),
        ("es", "Tiene que pagar, y sólo puede doblar.", "Tiene que obliges; sólo puede forbids"),
        ("fr", "Le croupier doit servir et ne peut garder.", "doit obliges; ne peut forbids"),
        ("fr", "Il est interdit ; la carte sera rendue.", "est interdit forbids; sera obliges"),
        ("en", "The dealer shall deal and may not keep.", "shall obliges; may not forbids"),
        ("en", "He must stand, need not, may draw.", "must obliges; need not permits; may permits"),
        ("en", "He can only draw one, allowed only one.", "can only forbids; allowed only forbids"),
        ("pt", "Em momento algum seja permitido falar.", "Em momento algum seja permitido forbids"),
        ("en", "It is prohibited on 3 May 2020.", "is prohibited forbids"),
    ],
)  # fmt: skip
def test_words_of_duty_are_read_with_what_turns_them(language: str, words: str, found: str) -> None:
    assert duties(language, words) == found


def test_a_word_of_duty_is_found_where_it_stands() -> None:
    text = read_text(RULES)
    found = list(duties_in(text))
    assert [one.n for one in found if one.eid == "art_18__item_b"] == [1, 2]
    assert all(text.words_at(one.span) == one.written for one in found)


def test_a_text_in_no_known_language_has_no_word_of_duty() -> None:
    text = read_text("1 - Xyz deve debe doit must.\n")
    assert text.language == "und"
    assert (list(duties_in(text)), list(turns_in(text))) == ([], [])


def test_words_that_turn_a_rule_are_those_of_the_language() -> None:
    words = "Não há no baralho qualquer joker, salvo no início; só um, sem mais, nem isso."
    text = read_text(f"1 - {OF_LANGUAGE['pt']}\n\n2 - {words}\n")
    found = [one.word for one in turns_in(text) if one.eid == "art_2__para_1"]
    assert found == ["não", "salvo", "só", "sem", "nem"]


# The invented rules, every word of them bound.


def of_rules(rules: str = RULES, **more: object) -> Comparison:
    return compared(read_text(rules), replace(LAW, **more), DAY, BOUND)  # type: ignore[arg-type]


def named(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Of each thing that disagrees the article, of what sort it is, and how."""
    return [
        (part.article or part.eid, sort, why)
        for part in comparison.differing
        for sort, why in chain(
            [("article", part.lack)] if part.lack else [],
            (("number", one.why) for one in part.numbers),
            (("duty", one.why) for one in part.duties),
            (("word", f"{one.word} {one.found}") for one in part.turns),
            (("parameter", f"{one.why} {one.parameter}") for one in part.parameters),
        )
    ]


def test_rules_whose_words_are_all_bound_have_no_difference() -> None:
    comparison = of_rules()
    assert named(comparison) == []
    assert comparison.unwritten == ()
    assert (comparison.numbers, comparison.duties, comparison.unjudged) == (26, 28, 1)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("deve ser retirado", "pode ser retirado", [("5", "duty", "differs")]),
        ("não poderão", "poderão", [("33", "duty", "differs"), ("33", "word", "não 0")]),
        ("dar a cortar", "dar a cortar, e deve esperar", [("8", "duty", "unbound")]),
        ("tem de baralhar e dar", "baralha e dá", [("8", "duty", "absent")]),
        ("salvo se exceder", "e se exceder", [("14", "word", "salvo 0")]),
        ("queimar-se-á uma", "queimar-se-á sempre uma", []),
        ("O máximo não passa", "O máximo passa", [("37", "word", "não 0")]),
    ],
)  # fmt: skip
def test_what_changes_in_the_rules_is_named_with_its_article(
    before: str, after: str, said: list[tuple[str, str, str]]
) -> None:
    assert before in RULES
    assert named(of_rules(RULES.replace(before, after))) == said


def test_an_article_under_another_number_is_named_under_both() -> None:
    found = named(of_rules(RULES.replace("36 - O jogador", "35 - O jogador")))
    assert [one for one in found if one[1] == "article"] == [
        ("art_35", "article", "rulebook"),
        ("36", "article", "text"),
    ]
    assert ("art_35", "duty", "unbound") in found


def test_a_parameter_the_rulebook_has_otherwise_is_named_with_the_words_that_state_it() -> None:
    second = LAW.parameters["bank.second_card"]
    up = replace(second, values=(replace(second.values[0], value="after_players"),))
    (found,) = of_rules(parameters={**LAW.parameters, "bank.second_card": up}).differing
    (one,) = found.parameters
    assert (found.article, one.why, one.said, one.held) == (
        *("17", "differs", "face_down", "after_players"),
    )


def test_a_parameter_that_is_bound_nowhere_is_named() -> None:
    more = {**LAW.parameters, "tie.pays": PT.parameters["tie.pays"]}
    found = named(of_rules(parameters=more))
    assert found == [("", "parameter", "nowhere tie.pays")]


def test_a_parameter_said_to_be_the_houses_has_the_house_as_source() -> None:
    time = LAW.parameters["witness.within"]
    of_text = replace(time, values=(replace(time.values[0], source="n.º 54"),))
    found = named(of_rules(parameters={**LAW.parameters, "witness.within": of_text}))
    assert found == [("54", "parameter", "chosen witness.within")]


def test_an_article_that_asks_for_something_has_a_check() -> None:
    bare = replace(LAW.articles["2"], upheld_by=())
    assert named(of_rules(articles={**LAW.articles, "2": bare})) == [("2", "article", "check")]


@pytest.mark.parametrize(
    "written",
    [
        '[chapters]\nart_5__para_1 = ["obliges"]\n',
        "[duties]\nart_5__para_1 = 3\n",
        '[duties]\nart_5__para_1 = ["obliges"]\n',
        '[duties]\nart_5__para_1 = ["asks damaged_deck_withdrawn"]\n',
        '[duties]\nart_5__para_1 = ["obliges no_such_check"]\n',
        '[duties]\nart_5__para_1 = ["obliges shoe_is_cut"]\n',  # it upholds 8
        '[duties]\nart_5__para_1 = ["obliges unjudged"]\n',
        '[duties]\nart_5__para_1 = ["obliges unjudged discretion"]\n',
        '[duties]\nart_5__para_1 = ["obliges manner"]\n',
        '[stated]\nart_5__para_1 = ["never"]\n',
        '[house]\nart_9__para_1 = ["5 warning_card.tolerance_warning"]\n',
        '[house]\nart_9__para_1 = ["5 warning_card.tolerance_warning mood"]\n',
    ],
)
def test_what_is_said_of_a_text_is_read_strictly(written: str, tmp_path: Path) -> None:
    file = tmp_path / "pt.toml"
    file.write_text(written, "utf-8")
    with pytest.raises(LawError):
        compared(read_text(RULES), PT, DAY, file)


def test_a_word_of_duty_is_bound_to_checks_or_to_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "pt.toml"
    file.write_text(
        '[duties]\nart_8__para_1 = ["obliges shoe_is_cut shoe_is_shuffled", "permits discretion",'
        ' "forbids unjudged manner"]\n',
        "utf-8",
    )
    assert duty_bindings(text_file("pt", file), PT) == {
        "art_8__para_1": (
            DutyBound("obliges", checks=("shoe_is_cut", "shoe_is_shuffled")),
            DutyBound("permits", reason="discretion"),
            DutyBound("forbids", reason="manner"),
        )
    }
    assert compared(read_text(RULES), PT, DAY, file).unwritten == (
        *("numbers", "turns", "stated", "house"),
    )


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_is_said_of_a_rulebooks_text_is_valid(book: str) -> None:
    """Its checks uphold those articles; where all is bound, every parameter is, with its value."""
    law, file = load_law(book), text_file(book)
    duty_bindings(file, law)
    numbers, stated, house = number_bindings(file), stated_bindings(file), house_bindings(file)
    whole = bool(numbers) and stated is not None and house is not None
    held = numbers, stated or {}, house or {}
    assert list(compare_parameters(stated or (), law, *held, DAY, whole=whole)) == []


def answered(file: Path, *options: str) -> tuple[int, str]:
    out = StringIO()
    try:
        with translation.override("en"):
            on = ("--rulebook", "pt", "--on", DAY.isoformat())
            call_command("law_text", str(file), *on, *options, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_the_command_names_what_disagrees_article_by_article(tmp_path: Path) -> None:
    file = tmp_path / "law.txt"
    file.write_text(
        "1 - Nada.\n\n58 - O pagador não deve guardar cartas.\n\n"
        "61 - Só serão vistas as queixas feitas a tempo.\n\n62 - Pode falar-se.\n",
        "utf-8",
    )
    status, listed = answered(file)
    assert status == 1
    duty = "art_58__para_1, word of duty 1: «não deve» forbids, expected is what obliges"
    assert f"{duty} (discards_attested)\n" in listed
    assert "art_58__para_1: «não» is there 1 time, expected is 0; looked at by disc" in listed
    assert "art_62__para_1, word of duty 1: «Pode» (permits) is bound to nothing" in listed
    assert "art_62 is an article the rulebook does not have" in listed
    assert "article 57 of the rulebook is not in the text" in listed
    assert "art_61" not in listed
    assert "words of duty: 3, of which no check looks at 0" in listed
    answer = json.loads(answered(file, "--json")[1])
    of_58 = [one for one in answer["differences"] if one["article"] == "58"]
    assert [(one["of"], one["why"]) for one in of_58] == [("duty", "differs"), ("word", "differs")]
    assert of_58[0]["checks"] == ["discards_attested"]
    by_article = {one["article"]: one for one in answer["by_article"] if one["article"]}
    assert by_article["61"]["agrees"]
    assert not by_article["58"]["agrees"]
    assert by_article["61"]["parameters"] == ["complaint.cards", "complaint.window"]


def test_the_command_says_what_nobody_bound_for_a_rulebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = TextFile("br.toml", stated={})
    monkeypatch.setattr(text_comparison, "text_file", lambda *_asked: half)
    file = tmp_path / "law.txt"
    file.write_text("1 - O jogador pode pedir uma carta da mesa.\n", "utf-8")
    with translation.override("en"):
        out = StringIO()
        with pytest.raises(SystemExit, match="1"):
            call_command("law_text", str(file), "--rulebook", "br", stdout=out)
    assert "nobody wrote it down for this rulebook:" in out.getvalue()
    assert "numbers, duties, turns, house" in out.getvalue()


# The regulation itself, where it lies beside the checkout.


def test_every_word_of_duty_of_the_regulation_is_bound(shared_data: Callable[[str], Path]) -> None:
    comparison = compared(read_text(shared_data(REGULATION).read_bytes()), PT, DAY)
    assert named(comparison) == []
    assert (comparison.numbers, comparison.duties, comparison.unwritten) == (87, 99, ())
    unjudged = {part.article: part.unjudged for part in comparison.parts if part.unjudged}
    assert unjudged == {"18": 1, "22": 2, "41": 1, "54": 1}
    assert law_of(read_text(shared_data(REGULATION).read_bytes())).parameters == PT.parameters


def figures_of(value: Value) -> list[set[Fraction]]:
    """The ways to write a parameter's value in figures; none for nought, which is a word."""
    if isinstance(value, tuple):
        return [set(map(Fraction, value))]
    whole = Fraction(value)  # type: ignore[arg-type]
    sides = {Fraction(whole.numerator), Fraction(whole.denominator)}
    return [{whole}, sides] if whole else []


@pytest.mark.parametrize("book", SECTIONS)
def test_every_word_of_the_other_texts_is_accounted_for(
    book: str, shared_data: Callable[[str], Path]
) -> None:
    text = read_text(shared_data(SECTIONS[book]).read_bytes())
    comparison = compared(text, load_law(book), DAY)
    assert named(comparison) == []
    assert comparison.unwritten == ()
    counts = comparison.numbers, comparison.duties, comparison.unjudged
    assert (
        counts
        == {
            "br": (225, 74, 7),
            "es": (115, 59, 6),
            "pt-summary": (42, 13, 0),
            "fr": (195, 30, 0),
        }[book]
    )


@pytest.mark.parametrize("book", SECTIONS)
def test_nine_figures_of_ten_of_a_handbook_have_their_section(
    book: str, shared_data: Callable[[str], Path]
) -> None:
    """Its section, and the figure among the numbers that stand there."""
    law, text = load_law(book), read_text(shared_data(SECTIONS[book]).read_bytes())
    assert compared(text, law, DAY).differences == 0
    there: dict[str, set[Fraction]] = {}
    for number in numbers_in(text):
        there.setdefault(number.eid, set()).add(number.value)
    file = text_file(book)
    places = [(eid, one.parameter) for eid, of in number_bindings(file).items() for one in of]
    stated = stated_bindings(file) or {}
    places += [(eid, one.parameter) for eid, of in stated.items() for one in of]
    where: dict[str, set[Fraction]] = {}
    for eid, name in places:
        where.setdefault(name, set()).update(there.get(eid, ()))
    asked, lost = 0, []
    for name, parameter in law.parameters.items():
        last = parameter.values[-1]
        ways = [] if isinstance(last.value, bool | str) else figures_of(last.value)
        if not ways or last.of_house:
            continue
        asked += 1
        if not any(way <= where.get(name, set()) for way in ways):
            lost.append(name)
    assert len(lost) * 10 <= asked, lost
