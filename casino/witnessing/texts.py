"""What a witness reads, one text a kind and language.

Not from the catalogue: its digest stands in the book, and a text that changed with a translation
could no longer be shown to be the one he read. A text is never changed: another is written in
its place, and it stays among the earlier ones.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from casino.house_day import house_zone
from casino.models import BookEntry
from casino.witnessing.prize_words import (
    ADJUSTED,
    COMBINATIONS,
    MEANS,
    cards_of,
    euros,
    fine_euros,
)
from casino.witnessing.text_words import CATEGORIES, REASONS, spelled

Texts = Mapping[str, Mapping[str, str]]
TEXTS: Final[Texts] = {
    "shuffler-loaded/1": {
        "pt": "Assisti ao carregamento do baralhador {shuffler}.\n{game}\n"
        "Baralhos: {decks} ({deck_names})\nPacotes: {packets}\nOperador: {operator}\n{moment}",
        "en": "I was present when shuffler {shuffler} was loaded.\n{game}\n"
        "Decks: {decks} ({deck_names})\nPackets: {packets}\nOperator: {operator}\n{moment}",
    },
    "shuffler-unloaded/1": {
        "pt": "Assisti à extração das cartas do baralhador {shuffler}.\n{game}\n"
        "Baralhos: {decks} ({deck_names})\nCartas: {cards} · Baralhador vazio: {empty} ·"
        " Encerramento anunciado: {closing_announced}\nOperador: {operator}\n{moment}",
        "en": "I was present when the cards were taken out of shuffler {shuffler}.\n"
        "{game}\nDecks: {decks} ({deck_names})\nCards: {cards} · Shuffler empty:"
        " {empty} · Closing announced: {closing_announced}\nOperator: {operator}\n{moment}",
    },
    "incident-reported/1": {
        "pt": "Estive presente no incidente {incident}.\n{game}\n"
        "{category} · {reason}\nBaralhador: {shuffler}\n{moment}",
        "en": "I was present at incident {incident}.\n{game}\n"
        "{category} · {reason}\nShuffler: {shuffler}\n{moment}",
    },
    "jackpot-paid/1": {
        "pt": "Assisti ao pagamento do prémio acumulado {jackpot}.\n{game}\n"
        "Lugar {box} · {owner} · {combination}\n"
        "Montante: {amount} · Meio de pagamento: {means} · Documento do pagamento: {document}\n"
        "{moment}",
        "en": "I was present when the jackpot {jackpot} was paid.\n{game}\n"
        "Box {box} · {owner} · {combination}\n"
        "Amount: {amount} · Means of payment: {means} · Payment document: {document}\n{moment}",
    },
    "jackpot-adjusted/1": {
        "pt": "Confirmo o acerto do prémio acumulado {jackpot}.\nDiferença: {difference}\n"
        "Motivo: {reason} · Documento: {reference}\n{moment}",
        "en": "I confirm the adjustment of the jackpot {jackpot}.\nDifference: {difference}\n"
        "Reason: {reason} · Document: {reference}\n{moment}",
    },
    "finding-settled/1": {
        "pt": "Confirmo a regularização do processo {case}.\n{game}\n"
        "Pago: {amount} · A quem: {payee} · Meio de pagamento: {means} · Documento: {document}\n"
        "Referência do serviço de inspeção: {reference}\n{moment}",
        "en": "I confirm the settlement of case {case}.\n{game}\n"
        "Paid: {amount} · To: {payee} · Means of payment: {means} · Document: {document}\n"
        "Reference of the inspection service: {reference}\n{moment}",
    },
}
# What witnesses read before: their words stand in the book, and it is still known what they read.
# Until 0.6.0 with the game's code, and the moment as machines write it.
_FIRST: Final[Texts] = {
    "shuffler-loaded/1": {
        "pt": "Assisti ao carregamento do baralhador {shuffler}.\n{table} · {partida}\n"
        "Baralhos: {decks} ({deck_names})\nPacotes: {packets}\nOperador: {operator}\n{when}",
        "en": "I was present when shuffler {shuffler} was loaded.\n{table} · {partida}\n"
        "Decks: {decks} ({deck_names})\nPackets: {packets}\nOperator: {operator}\n{when}",
    },
    "shuffler-unloaded/1": {
        "pt": "Assisti à extração das cartas do baralhador {shuffler}.\n{table} · {partida}\n"
        "Baralhos: {decks} ({deck_names})\nCartas: {cards} · Baralhador vazio: {empty} ·"
        " Encerramento anunciado: {closing_announced}\nOperador: {operator}\n{when}",
        "en": "I was present when the cards were taken out of shuffler {shuffler}.\n"
        "{table} · {partida}\nDecks: {decks} ({deck_names})\nCards: {cards} · Shuffler empty:"
        " {empty} · Closing announced: {closing_announced}\nOperator: {operator}\n{when}",
    },
    "incident-reported/1": {
        "pt": "Estive presente no incidente {incident}.\n{table} · {partida}\n"
        "{category} · {reason}\nBaralhador: {shuffler}\n{when}",
        "en": "I was present at incident {incident}.\n{table} · {partida}\n"
        "{category} · {reason}\nShuffler: {shuffler}\n{when}",
    },
    "jackpot-paid/1": {
        "pt": "Assisti ao pagamento do prémio acumulado {jackpot}.\n{table} · {partida}\n"
        "Lugar {box} · {owner} · {combination}\n"
        "Montante: {amount} · Meio de pagamento: {means} · Documento do pagamento: {document}\n"
        "{when}",
        "en": "I was present when the jackpot {jackpot} was paid.\n{table} · {partida}\n"
        "Box {box} · {owner} · {combination}\n"
        "Amount: {amount} · Means of payment: {means} · Payment document: {document}\n{when}",
    },
    "jackpot-adjusted/1": {
        "pt": "Confirmo o acerto do prémio acumulado {jackpot}.\nDiferença: {difference}\n"
        "Motivo: {reason} · Documento: {reference}\n{when}",
        "en": "I confirm the adjustment of the jackpot {jackpot}.\nDifference: {difference}\n"
        "Reason: {reason} · Document: {reference}\n{when}",
    },
}
EARLIER: Final[Mapping[str, tuple[Mapping[str, str], ...]]] = {
    "shuffler-loaded/1": (_FIRST["shuffler-loaded/1"],),
    "shuffler-unloaded/1": (
        {
            "pt": "Assisti à extração das cartas do baralhador {shuffler}.\n{table} · {partida}\n"
            "Baralhos: {decks} ({deck_names})\nOperador: {operator}\n{when}",
            "en": "I was present when the cards were taken out of shuffler {shuffler}.\n"
            "{table} · {partida}\nDecks: {decks} ({deck_names})\nOperator: {operator}\n{when}",
        },
        _FIRST["shuffler-unloaded/1"],
    ),
    "incident-reported/1": (_FIRST["incident-reported/1"],),
    "jackpot-paid/1": (
        {
            "pt": "Assisti ao pagamento do prémio acumulado {jackpot}.\n{table} · {partida}\n"
            "Lugar {box} · {owner} · {combination}\n"
            "Montante: {amount} · Documento: {document}\n{when}",
            "en": "I was present when the jackpot {jackpot} was paid.\n{table} · {partida}\n"
            "Box {box} · {owner} · {combination}\n"
            "Amount: {amount} · Document: {document}\n{when}",
        },
        _FIRST["jackpot-paid/1"],
    ),
    "jackpot-adjusted/1": (_FIRST["jackpot-adjusted/1"],),
}
_HOUSE: Final = {"pt": "a casa", "en": "the house"}
_YES_OR_NO: Final = {"pt": ("não", "sim"), "en": ("no", "yes")}
_NAMED: Final = (
    "table",
    "partida",
    "shuffler",
    "packets",
    "cards",
    "empty",
    "closing_announced",
    "operator",
    "incident",
    "category",
    "reason",
    "jackpot",
    "box",
    "owner",
    "document",
    "reference",
    "case",
)


def can_be_witnessed(kind: str) -> bool:
    """Whether acts of a kind have a text to be confirmed."""
    return kind in TEXTS


def text_of(entry: BookEntry, language: str) -> str:
    """The text a witness of this act reads; the same entry and language always give the same."""
    return _written(entry, TEXTS[entry.kind], language)


def _written(entry: BookEntry, texts: Mapping[str, str], language: str) -> str:
    payload: dict[str, Any] = json.loads(bytes(entry.entry))["payload"]
    decks = payload.get("decks", ())
    local = entry.occurred_at.astimezone(house_zone())
    values = dict.fromkeys(_NAMED, "–") | {
        name: _YES_OR_NO[language][value] if isinstance(value, bool) else str(value)
        for name, value in payload.items()
        if isinstance(value, str | int)
    }
    for name, words in (("category", CATEGORIES), ("reason", {**REASONS, **ADJUSTED})):
        values[name] = spelled(words, values[name], language)
    return texts[language].format_map(
        values
        | {
            "decks": len(decks),
            "deck_names": ", ".join(decks) or "–",
            "combination": spelled(COMBINATIONS, cards_of(str(payload.get("code", "–"))), language),
            "payee": payload.get("owner") or _HOUSE[language],
            "means": spelled(MEANS, str(payload.get("means", "–")), language),
            "amount": euros(payload.get("paid_cents", 0), language),
            "difference": fine_euros(payload.get("microcents", 0), language),
            "when": local.strftime("%Y-%m-%d %H:%M:%S %z"),
            "moment": local.strftime("%d/%m/%Y, %H:%M:%S"),
            "game": _game(entry, language),
        }
    )


def _game(entry: BookEntry, language: str) -> str:
    """``BJ-06 · partida 2 de 22/11/2026``: the table, and which game of which gaming day."""
    table, day, number = [*entry.partida_id.split("/"), "", ""][:3]
    if not number:
        return entry.table_code or "–"
    begun = date.fromisoformat(day)
    if language == "pt":
        return f"{table} · partida {number} de {begun:%d/%m/%Y}"
    return f"{table} · game {number} of {begun:%d/%m/%Y}"


def language_read(entry: BookEntry, digest: str) -> str | None:
    """In which language the text with this SHA-256 was read; None for a text that is not ours."""
    known = [TEXTS[entry.kind]] if can_be_witnessed(entry.kind) else []
    for texts in [*known, *EARLIER.get(entry.kind, ())]:
        for language in texts:
            if hmac.compare_digest(digest_of(_written(entry, texts, language)), digest):
                return language
    return None


def digest_of(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
