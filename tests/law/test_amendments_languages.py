"""Acts in Spanish, French and English make the new version sign for sign, as Portuguese ones do.

Texts and acts are invented. The new text is written here by hand, beside what makes it; what ends
or suspends an article and is no form is listed in each language.
"""

from datetime import date
from random import Random
from typing import Final

import pytest

from casino.law.text.amended_text import Amended, amend
from casino.law.text.amending_act import Act, read_act
from casino.law.text.read_text import read_text
from tests.factories.invented_acts import (
    CASES,
    FRENCH,
    NARROWING,
    REGULATIONS,
    SPOKEN,
    Pairs,
    narrowed,
)
from tests.gate import SEED, size

pytestmark = pytest.mark.share

DAY: Final = date(2027, 3, 1)
LATER: Final = date(2027, 7, 1)


def text_of(name: str) -> str:
    spoken = SPOKEN[name[:2]]
    return spoken.headed if name.endswith("headed") else spoken.numbered


def act_of(language: str, body: str) -> Act:
    return read_act(SPOKEN[language].act.format(body=body).encode())


def amended(name: str, body: str) -> Amended:
    act = act_of(name[:2], body)
    assert (act.language, act.unresolved, act.in_force) == (name[:2], (), DAY)
    return amend(read_text(text_of(name)), act, DAY)


@pytest.mark.parametrize(("name", "body", "pairs"), CASES.values(), ids=CASES)
def test_the_new_version_is_the_one_made_by_hand(name: str, body: str, pairs: Pairs) -> None:
    found = amended(name, body)
    assert found.undone == ()
    by_hand = text_of(name)
    for old, new in pairs:
        assert by_hand.count(old) == 1, old
        by_hand = by_hand.replace(old, new)
    ((day, source),) = found.versions
    assert (day, source) == (DAY, by_hand)


def test_a_text_of_an_inspector_with_codes_is_amended_too() -> None:
    codes = (REGULATIONS / "en.txt").read_text("utf-8")
    body = "In section 13:69X-2.11, for “2 to 1” substitute “3 to 1”."
    act = act_of("en", body)
    (version,) = amend(read_text(codes), act, DAY).versions
    assert version.source == codes.replace("2 to 1", "3 to 1")


@pytest.mark.parametrize(
    ("name", "first", "later"),
    [
        (
            "es",
            "es: renumbered",
            "Se suprime el artículo 2, con efectos desde el 1 de julio de 2027.",
        ),
        (
            "es",
            "es: renumbered",
            "Se suprime el artículo 2.\n\nLo dispuesto en el artículo 2 del Reglamento entrará en"
            " vigor el 1 de julio de 2027.",
        ),
        ("fr", "fr: renumbered", "L'article 2 est abrogé à compter du 1er juillet 2027."),
        (
            "fr",
            "fr: renumbered",
            "L'article 2 est abrogé.\n\nLes dispositions de l'article 2 du règlement entrent en"
            " vigueur le 1er juillet 2027.",
        ),
        ("en", "en: renumbered", "Section 7 is repealed with effect from July 1, 2027."),
        ("en", "en: renumbered", "Section 7 of the Rules is repealed on 1 July 2027."),
        ("es", "es: renumbered", "Se suprime el artículo 2 desde el 1 de julio de 2027."),
        ("fr", "fr: renumbered", "L'article 2 du règlement est abrogé au 1er juillet 2027."),
        (
            "es",
            "es: renumbered",
            "Se suprime el artículo 2 del Reglamento, aprobado por la Orden 3/2020, de 4 de mayo,"
            " con efectos desde el 1 de julio de 2027.",
        ),
        (
            "en",
            "en: renumbered",
            "Section 7 is repealed.\n\nThe repeal of section 7 takes effect on 1 July 2027.",
        ),
    ],
)  # fmt: skip
def test_what_begins_later_makes_a_version_of_its_own(name: str, first: str, later: str) -> None:
    earlier, both = amended(name, f"{CASES[first][1]}\n\n{later}").versions
    (alone,) = amended(name, CASES[first][1]).versions
    assert (earlier.day, both.day) == (DAY, LATER)
    assert earlier.source == alone.source
    repealed = {"es": "(Derogado.)", "fr": "(Abrogé.)", "en": "(Repealed.)"}[name]
    assert (earlier.source.count(repealed), both.source.count(repealed)) == (0, 1)


NOT_UNDERSTOOD: Final = {
    "es": (
        "El artículo 2 deja de aplicarse.",
        "Queda sin efecto el artículo 2.",
        "El artículo 2 cesa en su vigencia.",
        "Se suspende el artículo 2.",
        "Queda suspendida la aplicación del artículo 2.",
        "El artículo 2 caduca el año próximo.",
        "El artículo 2 no rige en las mesas de práctica.",
        "Se prorroga el plazo del artículo 2.",
        "Se anula el artículo 2.",
        "Se derogan las disposiciones que se opongan a la presente orden.",
        "Se deroga el artículo 2 del Reglamento, salvo para las mesas de práctica.",
        "Se deroga el artículo 2 del Reglamento y el artículo 3 del anexo.",
        "Se suprime el artículo 2 hasta el 1 de julio de 2027.",
        "Se deroga el artículo 2 del Reglamento para las mesas de práctica.",
        "Se deroga el artículo 2 del Reglamento, cualquiera que sea la mesa.",
        "El artículo 2 se modifica para que haya cinco plazas.",
        "El artículo segundo queda redactado como sigue: «Artículo 2.\n\nNada.»",
        "El artículo 2 queda redactado como sigue:\n\n«Artículo 2.\n\nFalta el fin de la cita.",
        "El artículo 2 queda redactado como sigue:\n\n«Artículo 2.\n\n«Hay» cinco.» Más.»",
        "Lo dispuesto en el artículo 2 de esta orden entrará en vigor el 1 de julio de 2027.",
        "Lo dispuesto en el artículo 2 de la presente orden surtirá efectos el 1 de julio de 2027.",
        "Artículo 3. Derogación del artículo 2.",
    ),
    "fr": (
        "L'article 2 cesse de s'appliquer.",
        "L'article 2 est privé d'effet.",
        "L'article 2 n'est plus en vigueur.",
        "L'application de l'article 2 est suspendue.",
        "L'article 2 devient caduc.",
        "L'article 2 ne vaut pas aux tables d'essai.",
        "L'article 2 est rapporté.",
        "L'article 2 est annulé.",
        "L'article 2 est prorogé d'un an.",
        "Les dispositions contraires au présent arrêté sont abrogées.",
        "L'article 2 du règlement, sauf pour les tables d'essai, est abrogé.",
        "L'article 2 du règlement et l'article 3 de son annexe sont abrogés.",
        "L'article 2 est abrogé jusqu'au 1er juillet 2027.",
        "L'article 2 du règlement pour les tables d'essai est abrogé.",
        "L'article 2 du règlement, quelle que soit la table, est abrogé.",
        "L'article 2 est ainsi modifié : les figures valent onze points.",
        "L'article deux est ainsi rédigé : « Article 2\n\n« Rien. »",
        "L'article 2 est ainsi rédigé :\n\n« Article 2\n\n« La fin de la citation manque.",
        "Les dispositions de l'article 2 du présent arrêté entrent en vigueur le 1er juillet 2027.",
        "Article 3\nAbrogation de l'article 2",
    ),
    "en": (
        "Section 7 shall cease to apply.",
        "Section 7 is of no effect.",
        "Section 7 is no longer in force.",
        "Section 7 is suspended.",
        "Section 7 shall lapse.",
        "Section 7 has no bearing on practice tables.",
        "Section 7 expires next year.",
        "Section 7 is void.",
        "Section 7 is withdrawn.",
        "Section 7 does not apply.",
        "Strike out section 7.",
        "Provisions contrary to this order are repealed.",
        "Section 7 of the Rules, except for practice tables, is repealed.",
        "Section 7 of the Rules and section 9 of the schedule are repealed.",
        "Section 7 is repealed until 1 July 2027.",
        "Section 7 of the Rules for practice tables is repealed.",
        "Section 7 of the Rules, whatever the table, is repealed.",
        "Section 7 is amended so that six decks are used.",
        "Section seven is amended to read: “Section 7. Cards\n\n“None.”",
        "Section 7 is amended to read:\n\n“Section 7. Cards\n\n“The end is missing.",
        "The repeal of section 7 of this order takes effect on 1 July 2027.",
        "Section 3. Repeal of section 7",
    ),
}
SENTENCES: Final = [(name, body) for name, bodies in NOT_UNDERSTOOD.items() for body in bodies]


@pytest.mark.parametrize(("name", "body"), SENTENCES)
def test_what_ends_or_suspends_and_is_no_form_is_never_passed_over(name: str, body: str) -> None:
    act = act_of(name, body)
    assert act.language == name
    assert act.operations == ()
    assert act.delays == ()
    line = " ".join(body.split())
    assert any(one.words[:24] in line for one in act.unresolved), act.unresolved


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("es", "Queda derogado el artículo 99.", "the article 99 is not in the text"),
        ("fr", "Le deuxième alinéa de l'article 3 est abrogé.", "3 2 is not in the text, or not"),
        ("fr", "L'article 2 est ainsi rédigé : « Article 4\n\n« Rien. »", "is of the articles 4"),
        (
            "es",
            "Se añade un apartado 4 al artículo 3 con la siguiente redacción: «5. Nada más.»",
            "is of the articles 5",
        ),
        ("en", "Section 8 is renumbered as section 9.", "then this number is there 2 times"),
        ("en headed", "The section “Chips” is repealed.", "the article «Chips» is not in the text"),
    ],
)
def test_what_cannot_be_done_as_it_is_said_is_undone(name: str, body: str, reason: str) -> None:
    found = amended(name, body)
    assert found.versions == ()
    assert reason in str(found.undone[0].reason)


@pytest.mark.parametrize("name", CASES)
def test_what_narrows_an_amendment_is_never_passed_over(name: str) -> None:
    """No such act makes the version of the act without it."""
    text, body, _pairs = CASES[name]
    base, (whole,) = read_text(text_of(text)), amended(text, body).versions
    tried = [one for phrase in NARROWING[text[:2]] for one in narrowed(body, phrase)]
    for narrow in Random(SEED).sample(tried, min(len(tried), size(20, 400, 400))):
        act = act_of(text[:2], narrow)
        found = amend(base, act, DAY)
        assert act.unresolved or not found.versions or found.versions[-1] != whole, narrow


@pytest.mark.parametrize("name", CASES)
def test_an_act_cut_anywhere_crashes_nothing(name: str) -> None:
    language, body, _pairs = CASES[name]
    for end in range(0, len(body), 7):
        found = amend(read_text(text_of(language)), act_of(language[:2], body[:end]), DAY)
        assert not (found.versions and found.undone)


def test_an_act_of_another_language_than_the_text_is_not_carried_out() -> None:
    act = act_of("es", CASES["es: renumbered"][1])
    found = amend(read_text(FRENCH.numbered), act, DAY)
    assert found.versions == ()
    assert "another language (es) than the text (fr)" in str(found.undone[0].reason)


def test_the_title_of_an_act_is_left_aside_and_shown() -> None:
    for name in SPOKEN:
        act = act_of(name, CASES[f"{name}: renumbered"][1])
        assert [one.line for one in act.others] == [1]
        assert act.others[0].words == SPOKEN[name].act.partition("\n")[0]
