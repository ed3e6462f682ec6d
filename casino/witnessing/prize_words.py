"""The words of a witness's text about a prize: its combination, its amount, why one was adjusted.

As fixed as the text itself, and therefore not from the catalogue (see `text_words`).
"""

import re
from collections.abc import Mapping
from typing import Final

# In Portuguese and in English, by the code.
COMBINATIONS: Final[Mapping[str, tuple[str, str]]] = {
    "one_ace": ("um ás", "one ace"),
    "two_aces": ("dois ases", "two aces"),
    "two_aces_same_colour": ("dois ases da mesma cor", "two aces of one colour"),
    "two_aces_same_suit": ("dois ases do mesmo naipe", "two aces of one suit"),
    "three_aces": ("três ases", "three aces"),
    "three_aces_same_colour": ("três ases da mesma cor", "three aces of one colour"),
    "three_aces_same_suit": ("três ases do mesmo naipe", "three aces of one suit"),
    "four_aces": ("quatro ases", "four aces"),
    "four_aces_same_colour": ("quatro ases da mesma cor", "four aces of one colour"),
    "four_aces_same_suit": ("quatro ases do mesmo naipe", "four aces of one suit"),
    "one_seven": ("um sete", "one seven"),
    "two_sevens": ("dois setes", "two sevens"),
    "two_sevens_same_colour": ("dois setes da mesma cor", "two sevens of one colour"),
    "two_sevens_same_suit": ("dois setes do mesmo naipe", "two sevens of one suit"),
    "three_sevens": ("três setes", "three sevens"),
    "three_sevens_same_colour": ("três setes da mesma cor", "three sevens of one colour"),
    "three_sevens_same_suit": ("três setes do mesmo naipe", "three sevens of one suit"),
    "pair": ("par", "pair"),
    "pair_same_colour": ("par da mesma cor", "pair of one colour"),
    "pair_same_suit": ("par do mesmo naipe", "pair of one suit"),
    "three_of_a_kind": ("trio", "three of a kind"),
    "three_of_a_kind_same_colour": ("trio da mesma cor", "three of a kind of one colour"),
    "three_of_a_kind_same_suit": ("trio do mesmo naipe", "three of a kind of one suit"),
    "four_of_a_kind": ("póquer de cartas iguais", "four of a kind"),
    "four_of_a_kind_same_colour": (
        "póquer de cartas iguais da mesma cor",
        "four of a kind of one colour",
    ),
    "four_of_a_kind_same_suit": (
        "póquer de cartas iguais do mesmo naipe",
        "four of a kind of one suit",
    ),
    "sequence_of_two_same_suit": (
        "sequência de duas do mesmo naipe",
        "sequence of two of one suit",
    ),
    "sequence_of_three": ("sequência de três", "sequence of three"),
    "sequence_of_three_same_colour": (
        "sequência de três da mesma cor",
        "sequence of three of one colour",
    ),
    "sequence_of_three_same_suit": (
        "sequência de três do mesmo naipe",
        "sequence of three of one suit",
    ),
    "sequence_of_four": ("sequência de quatro", "sequence of four"),
    "sequence_of_four_same_colour": (
        "sequência de quatro da mesma cor",
        "sequence of four of one colour",
    ),
    "sequence_of_four_same_suit": (
        "sequência de quatro do mesmo naipe",
        "sequence of four of one suit",
    ),
    "six_seven_eight": ("seis, sete e oito", "six, seven and eight"),
    "six_seven_eight_same_colour": (
        "seis, sete e oito da mesma cor",
        "six, seven and eight of one colour",
    ),
    "six_seven_eight_same_suit": (
        "seis, sete e oito do mesmo naipe",
        "six, seven and eight of one suit",
    ),
    "blackjack": ("blackjack", "blackjack"),
    "blackjack_same_colour": ("blackjack da mesma cor", "blackjack of one colour"),
    "blackjack_same_suit": ("blackjack do mesmo naipe", "blackjack of one suit"),
    "king_and_queen_same_suit": ("rei e dama do mesmo naipe", "king and queen of one suit"),
    "two_cards_same_colour": ("duas cartas da mesma cor", "two cards of one colour"),
    "two_cards_same_suit": ("duas cartas do mesmo naipe", "two cards of one suit"),
    "three_cards_same_colour": ("três cartas da mesma cor", "three cards of one colour"),
    "three_cards_same_suit": ("três cartas do mesmo naipe", "three cards of one suit"),
    "four_cards_same_colour": ("quatro cartas da mesma cor", "four cards of one colour"),
    "four_cards_same_suit": ("quatro cartas do mesmo naipe", "four cards of one suit"),
}
ADJUSTED: Final[Mapping[str, tuple[str, str]]] = {
    "device_fault": ("Avaria do equipamento", "Fault of the equipment"),
    "counting_error": ("Erro de contagem", "Counting error"),
    "limit_reached": ("Limite atingido", "Limit reached"),
    "pools_joined": ("Acumulados reunidos", "Pools joined"),
    "taken_out_of_service": ("Retirado de serviço", "Taken out of service"),
}
MEANS: Final[Mapping[str, tuple[str, str]]] = {
    "cash": ("dinheiro", "cash"),
    "cheque": ("cheque", "cheque"),
    "transfer": ("transferência", "transfer"),
    "chips": ("fichas", "chips"),
    "other": ("outro", "other"),
}
_CARD: Final = re.compile("[A2-9TJQK][CDHS]?")  # a rank alone is of any suit
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_MICRO: Final = 10**8  # microcents in a euro


def cards_of(code: str) -> str:
    """A combination spelled by its cards as they are printed: ``A♠ J♠``; any other as it is."""
    cards = code.split("-")
    if not all(_CARD.fullmatch(card) for card in cards):
        return code
    return " ".join(card[0].replace("T", "10") + _SUITS.get(card[1:], "") for card in cards)


def euros(cents: int, language: str) -> str:
    """``12 475,16 €`` or ``€12,475.16``."""
    whole, rest = divmod(abs(cents), 100)
    return _written(f"{whole:,}.{rest:02d}", cents < 0, language)


def fine_euros(microcents: int, language: str) -> str:
    """To the microcent: ``-0,00250000 €``."""
    whole, rest = divmod(abs(microcents), _MICRO)
    return _written(f"{whole:,}.{rest:08d}", microcents < 0, language)


def _written(amount: str, negative: bool, language: str) -> str:
    sign = "-" if negative else ""
    if language == "en":
        return f"{sign}€{amount}"
    whole, rest = amount.split(".")
    return f"{sign}{whole.replace(',', ' ')},{rest} €"
