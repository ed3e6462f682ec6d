"""Invented amending acts in Spanish, French and English, and the texts they amend.

Each case is of a text, an act's body, and the words of the text that it makes others, by hand.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tests.gate import ROOT

REGULATIONS: Final = ROOT / "tests" / "factories" / "regulations"


class Language(NamedTuple):
    """An act around its amendments, a text with articles, and one of headings alone."""

    act: str
    numbered: str
    headed: str


SPANISH: Final = Language(
    """Orden 9/2027, de 1 de febrero, por la que se modifica el Reglamento del veintiuno

Artículo 1. Modificación del Reglamento.

{body}

Artículo 9. Entrada en vigor.

La presente orden entrará en vigor el 1 de marzo de 2027.
""",
    (REGULATIONS / "es.txt").read_text("utf-8"),
    """Veintiuno de la ribera

Plazas

En la mesa hay siete plazas.

Quien está de pie no pide carta.

Seguro

El seguro es la mitad de la apuesta y se paga 2 por 1.
""",
)
FRENCH: Final = Language(
    """Arrêté du 1er février 2027 modifiant le règlement du vingt-et-un des dunes

Article 1er
Modification du règlement

{body}

Article 9
Entrée en vigueur

Le présent arrêté entre en vigueur le 1er mars 2027.
""",
    (REGULATIONS / "fr.txt").read_text("utf-8"),
    """Vingt-et-un de la rive

Places

Il y a sept places à la table et pas une de plus.

Le joueur debout ne demande pas de carte.

Assurance

L'assurance est la moitié de la mise et se paie 2 pour 1.
""",
)
ENGLISH: Final = Language(
    """The Harbour Rules (Amendment) Order 2027

Section 1. Amendments

{body}

Section 9. Commencement

This order comes into force on 1 March 2027.
""",
    """RULES OF THE HARBOUR

Section 7. Cards

The game is played with eight decks of 52 cards, and no joker is used by the house.

Section 8. Wagers

(1) A wager is made before the first card is dealt to the players.

(2) A wager shall not exceed the maximum of the table, which is:

(a) at a small table, 100 times the minimum;

(b) at a large table, 300 times the minimum.

Section 9. Insurance

Insurance is paid at 2 to 1 to the player who took it.
""",
    """Twenty-one of the bank

Boxes

There are seven boxes at the table and no more.

A player who stands takes no card.

Insurance

Insurance is half of the stake and is paid at 2 to 1.
""",
)
SPOKEN: Final = {"es": SPANISH, "fr": FRENCH, "en": ENGLISH}
Pairs = list[tuple[str, str]]

CASES: Final[Mapping[str, tuple[str, str, Pairs]]] = {
    "es: an article in other words": (
        "es",
        "El artículo 2 del Reglamento queda redactado como sigue:\n\n«Artículo 2. Plazas.\n\nHay"
        " cinco plazas.»",
        [("Hay en la mesa siete plazas y ninguna más.", "Hay cinco plazas.")],
    ),
    "es: modified, with a day behind": (
        "es",
        "Se modifica el apartado 3 del artículo 3, que queda redactado del siguiente modo: «3. Los"
        " demás, a la par.»",
        [("3. Los demás lances se pagan a la par.", "3. Los demás, a la par.")],
    ),
    "es: a letter": (
        "es",
        "La letra b) del apartado 2 del artículo 3 queda redactada en los siguientes términos:\n"
        "«b) la apuesta no pase del tercio.»",
        [("b) la apuesta no pase de la mitad.", "b) la apuesta no pase del tercio.")],
    ),
    "es: an article more": (
        "es",
        "Se añade un artículo 2 ter al Reglamento, con la siguiente redacción:\n\n«Artículo 2 ter."
        " Sentado.\n\nQuien está sentado pide.»",
        [
            (
                "Quien está de pie apuesta una vez y sin pedir carta.",
                "Quien está de pie apuesta una vez y sin pedir carta.\n\nArtículo 2 ter."
                " Sentado.\n\nQuien está sentado pide.",
            )
        ],
    ),
    "es: an article behind another": (
        "es",
        "Tras el artículo 2 bis se inserta un artículo 2 ter, con el siguiente tenor: «Artículo 2"
        " ter.\n\nQuien está sentado pide.»",
        [
            (
                "una vez y sin pedir carta.",
                "una vez y sin pedir carta.\n\nArtículo 2 ter.\n\nQuien está sentado pide.",
            )
        ],
    ),
    "es: a paragraph more": (
        "es",
        "Se añade un apartado 4 al artículo 3 con la siguiente redacción: «4. Nada más.»",
        [("a la par.\n", "a la par.\n4. Nada más.\n")],
    ),
    "es: repealed": (
        "es",
        "Quedan derogados el artículo 4 y el apartado 3 del artículo 3.",
        [
            ("3. Los demás lances se pagan a la par.", "3. (Derogado.)"),
            (
                "Artículo 4. Multas.\n\nLa falta se castiga con multa de 300 euros cuando la comete"
                " el jugador.",
                "Artículo 4.\n\n(Derogado.)",
            ),
        ],
    ),
    "es: suppressed": (
        "es",
        "Se suprime el artículo 2 bis.",
        [
            (
                "Artículo 2 bis. De pie.\n\nQuien está de pie apuesta una vez y sin pedir carta.",
                "Artículo 2 bis.\n\n(Derogado.)",
            )
        ],
    ),
    "es: renumbered": (
        "es",
        "El artículo 4 pasa a ser el artículo 5.",
        [("Artículo 4. Multas.", "Artículo 5. Multas.")],
    ),
    "es: other words in the place of some": (
        "es",
        "En el artículo 4, la expresión «300 euros» se sustituye por «500 euros».",
        [("300 euros", "500 euros")],
    ),
    "es: where it says": (
        "es",
        "En el artículo 2, donde dice: «siete», debe decir: «nueve».",
        [("siete", "nueve")],
    ),
    "es: the article first, then its part": (
        "es",
        "En el artículo 3 del Reglamento, el apartado 1 queda redactado así: «1. Se paga 2 por 1.»",
        [("1. El veintiuno de mano se paga a razón de 3 por 2.", "1. Se paga 2 por 1.")],
    ),
    "es: a list under a frame": (
        "es",
        "El Reglamento se modifica como sigue:\n\nUno. En el artículo 2, donde dice: «siete», debe"
        " decir: «nueve».\n\nDos. Se suprime el apartado 1 del artículo 3.",
        [
            ("siete", "nueve"),
            ("El veintiuno de mano se paga a razón de 3 por 2.", "(Derogado.)"),
        ],
    ),
    "es: a section": (
        "es headed",
        "La sección «Seguro» queda redactada como sigue:\n\n«Seguro\n\nNo hay seguro.»",
        [("El seguro es la mitad de la apuesta y se paga 2 por 1.", "No hay seguro.")],
    ),
    "es: a section behind one": (
        "es headed",
        "Tras la sección «Plazas» se añade una sección, con la siguiente redacción: «Mirones\n\n"
        "Nadie mira.»",
        [
            (
                "Quien está de pie no pide carta.",
                "Quien está de pie no pide carta.\n\nMirones\n\nNadie mira.",
            )
        ],
    ),
    "es: a paragraph of a section": (
        "es headed",
        "En el párrafo segundo de la sección «Plazas», las palabras «de pie» se sustituyen por"
        " «lejos».",
        [("de pie", "lejos")],
    ),
    "fr: an article in other words": (
        "fr",
        "L'article 2 du règlement est remplacé par les dispositions suivantes :\n\n« Article 2\n\n"
        "« Les figures valent onze points. »",
        [
            (
                "Les figures valent dix points et les autres cartes leur nombre.",
                "Les figures valent onze points.",
            )
        ],
    ),
    "fr: an alinéa": (
        "fr",
        "Le premier alinéa de l'article 2 est ainsi rédigé : « Les figures valent onze points. »",
        [
            (
                "Les figures valent dix points et les autres cartes leur nombre.",
                "Les figures valent onze points.",
            )
        ],
    ),
    "fr: a numbered item": (
        "fr",
        "Le 2° de l’article 3 est ainsi rédigé :\n« 2° pour tous les autres. »",
        [("2° pour les joueurs debout.", "2° pour tous les autres.")],
    ),
    "fr: an article more": (
        "fr",
        "Après l'article 3, il est inséré un article 3 bis ainsi rédigé :\n\n« Article 3 bis\n\n"
        "« Nul ne mise deux fois. »",
        [
            (
                "2° pour les joueurs debout.",
                "2° pour les joueurs debout.\n\nArticle 3 bis\n\nNul ne mise deux fois.",
            )
        ],
    ),
    "fr: an item more": (
        "fr",
        "L'article 3 est complété par un 3° ainsi rédigé : « 3° pour la banque. »",
        [
            (
                "2° pour les joueurs debout.",
                "2° pour les joueurs debout.\n\n3° pour la banque.",
            )
        ],
    ),
    "fr: repealed": (
        "fr",
        "Les articles 1er et 2 sont abrogés.",
        [
            (
                "Article premier\n\nLe jeu se joue avec six jeux de 52 cartes dans un sabot.",
                "Article premier\n\n(Abrogé.)",
            ),
            (
                "Article 2\n\nLes figures valent dix points et les autres cartes leur nombre.",
                "Article 2\n\n(Abrogé.)",
            ),
        ],
    ),
    "fr: renumbered": (
        "fr",
        "L'article 4 devient l'article 5.",
        [("Article 4 - Assurance", "Article 5 - Assurance")],
    ),
    "fr: other words in the place of some": (
        "fr",
        "À l'article 3, les mots : « cent fois » sont remplacés par les mots : « trente fois ».",
        [("cent fois", "trente fois")],
    ),
    "fr: the article first, then its part": (
        "fr",
        "À l'article 3 du règlement, le 2° est remplacé par un 2° ainsi rédigé :\n« 2° pour tous »",
        [("2° pour les joueurs debout.", "2° pour tous")],
    ),
    "fr: a list under a frame": (
        "fr",
        "Le règlement est ainsi modifié :\n\nI. - Au 1° de l'article 3, le mot « assis » est"
        " remplacé par le mot « présent » ;\n\nII. - L'article 2 est abrogé.",
        [
            ("assis", "présent"),
            (
                "Article 2\n\nLes figures valent dix points et les autres cartes leur nombre.",
                "Article 2\n\n(Abrogé.)",
            ),
        ],
    ),
    "fr: a section": (
        "fr headed",
        "La section « Assurance » est ainsi rédigée :\n\n« Assurance\n\n« Il n'y a pas"
        " d'assurance. »",
        [
            (
                "L'assurance est la moitié de la mise et se paie 2 pour 1.",
                "Il n'y a pas d'assurance.",
            )
        ],
    ),
    "fr: a section is repealed": (
        "fr headed",
        "La section « Places » est abrogée.",
        [
            (
                "Il y a sept places à la table et pas une de plus.\n\nLe joueur debout ne demande"
                " pas de carte.",
                "(Abrogé.)",
            )
        ],
    ),
    "en: a section in other words": (
        "en",
        "Section 9 of the Harbour Rules is amended to read as follows:\n\n“Section 9. Insurance\n\n"
        "“There is no insurance.”",
        [("Insurance is paid at 2 to 1 to the player who took it.", "There is no insurance.")],
    ),
    "en: an item of a paragraph": (
        "en",
        "For section 8(2)(b) substitute—\n\n“(b) at a large table, 400 times.”",
        [("(b) at a large table, 300 times the minimum.", "(b) at a large table, 400 times.")],
    ),
    "en: a section more": (
        "en",
        "After section 8 insert:\n\n“Section 8A. Late wagers\n\n“A late wager is returned.”",
        [
            (
                "300 times the minimum.",
                "300 times the minimum.\n\nSection 8A. Late wagers\n\nA late wager is returned.",
            )
        ],
    ),
    "en: a paragraph more": (
        "en",
        "In section 8, after paragraph (2) insert—\n“(3) A wager is not moved.”",
        [
            (
                "300 times the minimum.",
                "300 times the minimum.\n\n(3) A wager is not moved.",
            )
        ],
    ),
    "en: repealed": (
        "en",
        "Paragraph (1) of section 8 and section 9 are repealed.",
        [
            ("A wager is made before the first card is dealt to the players.", "(Repealed.)"),
            ("Insurance is paid at 2 to 1 to the player who took it.", "(Repealed.)"),
        ],
    ),
    "en: renumbered": (
        "en",
        "Section 9 is renumbered as section 10.",
        [("Section 9. Insurance", "Section 10. Insurance")],
    ),
    "en: other words in the place of some": (
        "en",
        "In section 9, for ‘2 to 1’ substitute ‘3 to 1’.",
        [("2 to 1", "3 to 1")],
    ),
    "en: the section first, then its part": (
        "en",
        "In section 8 of the Harbour Rules, paragraph (1) shall be repealed.",
        [("A wager is made before the first card is dealt to the players.", "(Repealed.)")],
    ),
    "en: a section is hereby repealed": (
        "en",
        "Section 9 of the Harbour Rules is hereby repealed.",
        [("Insurance is paid at 2 to 1 to the player who took it.", "(Repealed.)")],
    ),
    "en: a list under a frame": (
        "en",
        "The Rules are amended as follows:\n\n(a) in section 7, the words “eight decks” are"
        " replaced by “six decks”;\n\n(b) section 9 is repealed.",
        [
            ("eight decks", "six decks"),
            ("Insurance is paid at 2 to 1 to the player who took it.", "(Repealed.)"),
        ],
    ),
    "en: a section by its heading": (
        "en headed",
        "The section “Insurance” is replaced by the following:\n\n“Insurance\n\n“There is none.”",
        [("Insurance is half of the stake and is paid at 2 to 1.", "There is none.")],
    ),
    "en: a section behind one": (
        "en headed",
        "After the section “Boxes” insert:\n\n“Seats\n\n“A seat is taken for one shoe.”",
        [
            (
                "A player who stands takes no card.",
                "A player who stands takes no card.\n\nSeats\n\nA seat is taken for one shoe.",
            )
        ],
    ),
}  # fmt: skip

# What narrows an amendment, put anywhere into its sentence: never passed over.
NARROWING: Final = {
    "pt": (
        *("por um ano", "se for caso disso", "em parte", "provisoriamente", "nas mesas de treino"),
        *("ou o artigo 24.º", "não", "de noite", "até janeiro", "a título de ensaio", "em 2028"),
        *("na sua parte final", "no que toca aos ases", "exceto aos sábados"),
    ),
    "es": (
        *("por un año", "si procede", "en parte", "provisionalmente", "en las mesas de práctica"),
        *("o el artículo 3", "no", "de momento", "sólo de noche", "hasta enero", "en 2028"),
        *("a título de prueba", "en su inciso final", "salvo los sábados"),
    ),
    "fr": (
        *("pour un an", "le cas échéant", "en partie", "provisoirement", "aux tables d'essai"),
        *("ou l'article 1er", "pour moitié", "la nuit", "jusqu'en janvier", "à titre d'essai"),
        *("en 2028", "in fine", "sauf le samedi"),
    ),
    "en": (
        *("for one year", "if need be", "in part", "provisionally", "at practice tables", "not"),
        *("or section 7", "for now", "at night", "until January", "by way of trial", "in 2028"),
        *("so far as it concerns aces", "in its last sentence", "except on Saturdays"),
    ),
}


def narrowed(body: str, phrase: str) -> Iterator[str]:
    """An act's body with a phrase at each blank outside quotations, with commas and without."""
    depth = 0
    for place, sign in enumerate(body):
        depth += (sign in "«“‘") - (sign in "»”’" and depth > 0)
        if sign == " " and not depth:
            for put in (f" {phrase}", f", {phrase},"):
                yield body[:place] + put + body[place:]
