"""An amending act makes the new version sign for sign, and what it does not say is not guessed.

Text and acts are invented. The new text is written here by hand, beside what makes it.
"""

from datetime import date
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.law.text.amended_text import Amended, amend
from casino.law.text.amending_act import Act, Operation, Target, read_act, targets_in
from casino.law.text.read_text import read_text
from casino.law.text.text_changes import changes
from tests.factories.invented_acts import NARROWING, narrowed
from tests.gate import ROOT, SEED, size

TEXT: Final = (ROOT / "tests" / "factories" / "regulations" / "pt.txt").read_text("utf-8")
BASE: Final = read_text(TEXT.encode())
DAY: Final = date(2027, 3, 1)
FORCE: Final = """

Artigo 9.º
Entrada em vigor

A presente portaria entra em vigor em 1 de março de 2027.
"""


def act_of(body: str) -> Act:
    return read_act(f"Portaria n.º 9/2027\n\nArtigo 1.º\nAlteração\n\n{body}{FORCE}".encode())


def amended(body: str) -> Amended:
    act = act_of(body)
    assert act.unresolved == ()
    assert act.in_force == DAY
    return amend(BASE, act, DAY)


def made(body: str) -> str:
    found = amended(body)
    assert found.undone == ()
    ((day, source),) = found.versions
    assert day == DAY
    return source


def by_hand(*pairs: tuple[str, str]) -> str:
    text = TEXT
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


CASES: Final = {
    "an article in other words": (
        "O artigo 8.º do Regulamento passa a ter a seguinte redação:\n\n«Artigo 8.º\nPrazo\n\nO"
        " prazo é de 20 segundos.»",
        [("O prazo é de 15 segundos, contado pelo relógio da mesa.", "O prazo é de 20 segundos.")],
    ),
    "one paragraph of it": (
        "O n.º 2 do artigo 3.º passa a ter a seguinte redação:\n\n«2 - As cartas riscadas são"
        " trocadas.»",
        [
            (
                "2 - As cartas dobradas são trocadas antes do lance seguinte.",
                "2 - As cartas riscadas são trocadas.",
            )
        ],
    ),
    "what stays is left out": (
        "Os artigos 3.º e 11.º do Regulamento do Vinte e Um passam a ter a seguinte redação:\n\n"
        "«Artigo 3.º\n[...]\n\n1 - [...]\n\na) [...]\n\nb) De três cores.\n\n2 - [...]\n\n"
        "Artigo 11.º\n[...]\n\nCom 20 não pede.»",
        [
            (
                "b) De duas cores em partes iguais, quando sejam mais, devendo:\n\ni) Ser contados"
                " à vista de todos;\n\nii) Ser guardados em três caixas seladas.",
                "b) De três cores.",
            ),
            ("O apostador fica com 12 pontos ou mais. Com 21 não pede.", "Com 20 não pede."),
        ],
    ),
    "an article more": (
        "É aditado ao Regulamento o artigo 8.º-A, com a seguinte redação:\n\n«Artigo 8.º-A\nSinal"
        "\n\nO prazo acaba com um sinal.»",
        [
            (
                "contado pelo relógio da mesa.",
                "contado pelo relógio da mesa.\n\nArtigo 8.º-A\nSinal\n\nO prazo acaba com um"
                " sinal.",
            )
        ],
    ),
    "a paragraph more": (
        "É aditado o n.º 3 ao artigo 3.º, com a seguinte redação:\n«3 - As novas são exibidas.»",
        [
            (
                "trocadas antes do lance seguinte.",
                "trocadas antes do lance seguinte.\n\n3 - As novas são exibidas.",
            )
        ],
    ),
    "repealed": (
        "São revogados o n.º 2 do artigo 3.º e o artigo 8.º do Regulamento.",
        [
            ("As cartas dobradas são trocadas antes do lance seguinte.", "(Revogado.)"),
            (
                "Artigo 8.º\nPrazo\n\nO prazo é de 15 segundos, contado pelo relógio da mesa.",
                "Artigo 8.º\n\n(Revogado.)",
            ),
        ],
    ),
    "the article first, then its part": (
        "No artigo 3.º do Regulamento, o n.º 2 passa a ter a seguinte redação: «2 - As novas.»",
        [
            (
                "2 - As cartas dobradas são trocadas antes do lance seguinte.",
                "2 - As novas.",
            )
        ],
    ),
    "renumbered": (
        "O artigo 25.º passa a artigo 26.º",
        [("Artigo 25.º", "Artigo 26.º")],
    ),
    "other words in the place of some": (
        "No artigo 21.º, onde se lê «5 mil vezes» deve ler-se «6 mil vezes».",
        [("arranca em 5 mil vezes", "arranca em 6 mil vezes")],
    ),
}


@pytest.mark.parametrize(("body", "pairs"), CASES.values(), ids=CASES)
def test_the_new_version_is_the_one_made_by_hand(body: str, pairs: list[tuple[str, str]]) -> None:
    assert made(body) == by_hand(*pairs)


def test_an_act_that_does_everything_makes_one_version() -> None:
    bodies = [body for name, (body, _pairs) in CASES.items() if name not in TWICE]
    pairs = [
        pair for name, (_body, listed) in CASES.items() if name not in TWICE for pair in listed
    ]
    assert made("\n\nArtigo 2.º\nMais\n\n".join(bodies)) == by_hand(*pairs)


TWICE: Final = (
    *("an article in other words", "one paragraph of it", "a paragraph more", "repealed"),
    "the article first, then its part",
)


@pytest.mark.parametrize(
    "body",
    [
        "É revogado o artigo 8.º a partir de 1 de julho de 2027.",
        "É revogado o artigo 8.º do Regulamento em 1 de julho de 2027.",
        "É revogado o artigo 8.º do Regulamento, aprovado pela Portaria n.º 3/2020, de 4 de maio,"
        " com efeitos a partir de 1 de julho de 2027.",
    ],
)
def test_a_day_in_the_sentence_is_the_day_of_what_it_does(body: str) -> None:
    (version,) = amended(body).versions
    assert version.day == date(2027, 7, 1)


def test_what_begins_later_makes_a_version_of_its_own() -> None:
    body = (
        f"{CASES['an article in other words'][0]}\n\nArtigo 2.º\n\n{CASES['renumbered'][0]}.\n\n"
        "O disposto no artigo 8.º só produz efeitos a partir de 1 de julho de 2027."
    )
    first, second = amended(body).versions
    assert (first.day, second.day) == (DAY, date(2027, 7, 1))
    renumbered, worded = CASES["renumbered"][1], CASES["an article in other words"][1]
    assert first.source == by_hand(*renumbered)
    assert second.source == by_hand(*renumbered, *worded)


@pytest.mark.parametrize(
    "body",
    [
        "O artigo 8.º passa a ter, com as devidas adaptações, outra redação.",
        "É alterado o prazo do artigo 8.º para 20 segundos.",
        "O artigo 8.º deixa de se aplicar.",
        "Fica sem efeito o artigo 8.º.",
        "O artigo 8.º cessa a sua vigência.",
        "É suspenso o artigo 8.º.",
        "São revogadas as disposições que contrariem a presente portaria.",
        "É revogado o artigo 8.º do Regulamento, exceto quanto às mesas de treino.",
        "São revogados o artigo 8.º do Regulamento e o artigo 9.º do anexo.",
        "É revogado o artigo 8.º até 1 de julho de 2027.",
        "É revogado o artigo 8.º do Regulamento para as mesas de treino.",
        "É revogado o artigo 8.º do Regulamento, seja qual for a mesa.",
        "O disposto no artigo 8.º da presente portaria produz efeitos em 1 de julho de 2027.",
        "Artigo 2.º\nFica sem efeito o artigo 8.º",
        "Artigo 2.º\nRevogação do artigo 8.º",
        "O artigo 8.º passa a ter a seguinte redação: «Artigo 8.º\n\nO «prazo» é de 9.» E mais.»",
        "O artigo oitavo passa a ter a seguinte redação:\n\n«Artigo 8.º\n\nNada.»",
        "O artigo 8.º passa a ter a seguinte redação:\n\n«Artigo 8.º\n\nFalta o fim da citação.",
    ],
)
def test_what_is_not_understood_is_listed_and_not_guessed(body: str) -> None:
    act = act_of(body)
    assert act.operations == ()
    assert len(act.unresolved) >= 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("É revogado o artigo 99.º", "the article 99 is not in the text"),
        ("É revogado o n.º 7 do artigo 3.º", "3 7 is not in the text, or not once"),
        ("O artigo 24.º passa a artigo 25.º", "then this number is there 2 times"),
        ("No artigo 8.º, onde se lê «horas» deve ler-se «dias».", "stands there 0 times"),
        (
            "É aditado o artigo 8.º, com a seguinte redação: «Artigo 8.º\n\nOutro.»",
            "the article 8 is there already",
        ),
        (
            "O artigo 8.º passa a ter a seguinte redação: «Artigo 9.º\n\nOutro.»",
            "its new wording is of the articles 9",
        ),
        (
            "O artigo 8.º passa a ter a seguinte redação: «Artigo 8.º\n\n1 - Um.\n\n2 - [...]»",
            "stands for words the article has not",
        ),
        (
            "É aditado o n.º 3 ao artigo 3.º, com a seguinte redação: «4 - As novas.»",
            "its new wording is of the articles 4",
        ),
        (
            "O n.º 2 do artigo 3.º passa a ter a seguinte redação: «3 - As novas.»",
            "its new wording is of the articles 3",
        ),
        (
            "O artigo 8.º e o n.º 2 do artigo 3.º passam a ter a seguinte redação: «Artigo 8.º\n\n"
            "Nada.\n\nArtigo 3.º\n\n2 - As riscadas são trocadas.»",
            "its new wording is of the articles 8",
        ),
        (
            "O n.º 2 do artigo 3.º e o artigo 8.º passam a ter a seguinte redação: «Artigo 3.º\n\n"
            "2 - As riscadas são trocadas.\n\nArtigo 8.º\n\nNada.»",
            "its new wording leaves out 2",
        ),
    ],
)
def test_what_cannot_be_done_as_it_is_said_is_undone_and_no_version_made(
    body: str, reason: str
) -> None:
    found = amended(body)
    assert found.versions == ()
    assert reason in str(found.undone[0].reason)


def test_other_words_in_several_articles_stand_once_in_each() -> None:
    body = "Nos artigos 8.º e 21.º, onde se lê «{}» deve ler-se «relógios»."
    found = amended(body.format("relógio"))
    assert "stands there 0 times" in str(found.undone[0].reason), "article 21 has no such word"


def test_two_days_for_one_thing_are_listed() -> None:
    act = act_of("A presente portaria entra em vigor em 2 de março de 2027.")
    assert len(act.unresolved) == 1
    delayed = "O disposto no artigo 8.º produz efeitos em {} de julho de 2027."
    act = act_of(f"É revogado o artigo 8.º.\n\n{delayed.format(1)}\n\n{delayed.format(2)}")
    assert len(act.unresolved) == 1


def test_what_names_an_article_in_the_acts_own_articles_is_never_left_aside() -> None:
    act = act_of("O artigo 8.º não rege as mesas de treino.")
    assert [one.words for one in act.unresolved] == ["O artigo 8.º não rege as mesas de treino"]
    before = "Ao abrigo do artigo 5.º da Lei n.º 3/2020, manda a casa o seguinte.\n\n"
    act = read_act(f"{before}Artigo 1.º\n\nÉ revogado o artigo 8.º.\n".encode())
    assert (len(act.operations), act.unresolved, len(act.others)) == (1, (), 1)


def test_an_act_whose_language_is_not_recognised_is_read_in_the_one_asked_or_not_at_all() -> None:
    short = "Artigo 1.º\n\nÉ revogado o artigo 8.º.\n".encode()
    assert [one.kind for one in read_act(short, "pt").operations] == ["repeal"]
    assert (read_act(short).operations, len(read_act(short).unresolved)) == ((), 1)


def test_a_title_that_suspends_is_no_title() -> None:
    for title in ("Decreto que suspende o artigo 8.º", "Portaria que faz caducar o artigo 8.º"):
        act = read_act(f"{title}\n\nArtigo 1.º\n\nÉ revogado o artigo 9.º.\n".encode(), "pt")
        assert [one.words for one in act.unresolved] == [title]


@pytest.mark.share
@pytest.mark.parametrize("name", CASES)
def test_what_narrows_an_amendment_is_never_passed_over(name: str) -> None:
    body = CASES[name][0]
    whole = made(body)
    tried = [one for phrase in NARROWING["pt"] for one in narrowed(body, phrase)]
    for narrow in Random(SEED).sample(tried, min(len(tried), size(20, 400, 400))):
        act = act_of(narrow)
        found = amend(BASE, act, DAY)
        unread = act.unresolved or not found.versions
        assert unread or found.versions[-1].source != whole, narrow


def test_words_that_begin_with_a_figure_do_not_take_the_place_of_their_number() -> None:
    found = amended("O n.º 2 do artigo 3.º passa a ter a seguinte redação: «2 cartas bastam.»")
    assert found.versions == (), "«2 - 2 cartas» is read as no paragraph: nothing is made of it"
    assert "then it is not read" in str(found.undone[0].reason)


def test_each_sentence_is_listed_with_its_own_line_and_as_it_is_written() -> None:
    act = act_of("Ninguém fuma. Fica sem efeito o n.º 37.º,\ncomo se disse.\nÉ suspenso o 8.º.")
    assert [(one.line, one.words) for one in act.unresolved] == [
        (6, "Fica sem efeito o n.º 37.º, como se disse"),
        (8, "É suspenso o 8.º"),
    ]
    assert (6, "Ninguém fuma") in act.others


def test_two_operations_about_the_same_words_are_undone() -> None:
    found = amended("É revogado o artigo 8.º.\n\nÉ revogado o artigo 8.º do Regulamento.")
    assert "about the same words" in str(found.undone[0].reason)


def test_an_act_that_says_no_day_leaves_it_open() -> None:
    act = read_act("É revogado o artigo 8.º.\n\nEntra em vigor no dia seguinte.".encode())
    assert act.in_force is None
    assert [one.kind for one in act.operations] == ["repeal"]
    assert len(act.unresolved) == 1


@pytest.mark.parametrize("first", ["1 de", "1.º de", "1º de"])
def test_the_first_of_a_month_is_a_day_however_it_is_written(first: str) -> None:
    act = read_act(
        f"Portaria n.º 9/2027\n\nArtigo 1.º\nAlteração\n\nÉ revogado o artigo 8.º do Regulamento."
        f"{FORCE.replace('1 de', first)}".encode()
    )
    assert (act.in_force, act.unresolved) == (DAY, ())


def test_targets_of_every_form() -> None:
    assert targets_in("a alínea b) do n 2 do artigo 3 e os artigos 5, 6-A e 7") == (
        Target("3", "2", "b"),
        Target("5"),
        Target("6-A"),
        Target("7"),
    )
    assert targets_in("os n 1 e 3 do artigo 4") == (Target("4", "1"), Target("4", "3"))
    assert targets_in("o n 37") == (Target("37"),), "of a regulation cited by numbers alone"
    assert targets_in("o artigo 3 na parte final") == ()


def test_a_regulation_of_dashed_numbers_is_amended_too() -> None:
    dashed = "- 1 - Joga-se a 21.\n\n- 2 - O máximo é 30 vezes o mínimo.\n\n- 3 - Nada mais.\n"
    act = act_of("O n.º 2 passa a ter a seguinte redação:\n«- 2 - O máximo é 20 vezes o mínimo.»")
    (version,) = amend(read_text(dashed.encode()), act, DAY).versions
    assert version.source == dashed.replace("30", "20")
    for quoted in ("2 - ", "2 – ", "2. "):  # as acts quote it, under the number as the text prints
        act = act_of(
            f"O n.º 2 passa a ter a seguinte redacção:\n«{quoted}O máximo é 20 vezes o mínimo.»"
        )
        (version,) = amend(read_text(dashed.encode()), act, DAY).versions
        assert version.source == dashed.replace("30", "20")
    act = act_of("O n.º 2 passa a ter a seguinte redação:\n«3 - O máximo é 20 vezes o mínimo.»")
    assert amend(read_text(dashed.encode()), act, DAY).versions == ()
    act = act_of("É revogado o n.º 2 do Regulamento.")
    (version,) = amend(read_text(dashed.encode()), act, DAY).versions
    assert version.source == dashed.replace("O máximo é 30 vezes o mínimo.", "(Revogado.)")


def test_the_consolidated_text_is_compared_with_what_the_act_makes() -> None:
    source = made(CASES["an article in other words"][0])
    consolidated = source.replace("20 segundos", "25 segundos").replace("\n\n", "\n\n\n")
    (found,) = changes(read_text(source.encode()), read_text(consolidated.encode()))
    assert found.number == "8"


@given(st.data())
def test_junk_is_no_act_and_nothing_crashes(data: st.DataObject) -> None:
    body = CASES[data.draw(st.sampled_from(sorted(CASES)))][0]
    at = data.draw(st.integers(0, len(body)))
    cut = data.draw(st.integers(0, 12))
    junk = data.draw(st.text("«»“ nº.)–-\n1aoé", max_size=8))
    try:
        act = read_act((body[:at] + junk + body[at + cut :]).encode())
    except Malformed:
        return
    found = amend(BASE, act, DAY)
    assert not (found.versions and found.undone)
    assert all(isinstance(one, Operation) for one in act.operations)
