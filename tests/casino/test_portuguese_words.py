"""Portuguese texts are Portuguese: translated, in the new spelling, without English words left in.

Of the catalogue, the rulebooks' own texts, the headings of findings and the verifiers' sentences.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final

import pytest
from babel.messages.pofile import read_po

from audit.runs import house_headings
from audit.verifier.words import WORDS as VERIFIER
from casino.law.wording import wording
from tests.gate import ROOT

CATALOGUE: Final = ROOT / "locale" / "pt_PT" / "LC_MESSAGES" / "django.po"
BOOKS: Final = ROOT / "casino" / "law" / "data"
# Texts that are the same in both languages: names, offices, and what holds only figures.
ALIKE: Final = frozenset({
    "%(n)s byte", "%(n)s bytes", "%(n)s volumes", "%(said)s: %(card)s: %(points)s.",
    "%(severity)s (%(law)s). %(heading)s.", "%(share)s %%: %(amount)s", "Fiscal", "Fiscal de banca",
    "Fiscal-chefe", "Livro da Sala", "Manual", "Menu", "Partida", "Total", "art.", "auditor",
    "blackjack", "chefia da sala", "cheque", "faces", "firmware", "fiscal de banca",
    "fiscal-chefe", "jokers",
    "manual", "pagador", "partida", "partidas", "portal", "semicircular", "total",
    "{ column = ... }", "{path}: {reason}", "Casino", "JSON", "JSON, SHA-256", "Volume %(n)s (PDF)",
    "fiscais de banca", "proofs.json", "report.json", "volume", "SHA-256", "Bytes", "bytes",
    "webhook", "webhooks",
})  # fmt: skip
# Beginnings that the spelling before the agreement of 1990 has; a word of the new one that begins
# so stands behind the stroke: `facto`, `contacto` and `secção` keep their consonant.
OLD: Final = re.compile(
    r"\b(?:"
    r"acç|act[oaiu]|act(?:iv|ual)|(?:re|des|in)activ|direct|indirect|object(?:o|iv)|excep[tç]"
    r"|recep[tç]|adop[tç]|[oó]ptim|detect|correc[tç]|incorrec|protec[tç]|project|selec[tç]|colec[tç]"
    r"|redac[tç]|infrac[tç]|efect|afect|(?:a|re)spectiv|aspecto|electr|eléctr|exact|inexact|reflect"
    r"|sector|extrac[tç]|abstrac[tç]|fracç|inspec[tç]|perspectiv|tecto|trajecto|factor|interac[tç]"
    r"|reac[tç]|transacç|contrac[çt]|subtrac[tç]|baptis|conect|desconect|vector|concepç|percepç"
    r"|intercep[tç]|assumpç|peremptóri|pára\b|v[êe]em\b|lêem\b|crêem\b|dêem\b|há-de\b|hão-de\b"
    r"|fim-de-semana\b|mini-|micro-|re-|inter-|co-)",
    re.IGNORECASE,
)
NEW_ALL_THE_SAME: Final = re.compile(r"veem|leem|creem|deem", re.IGNORECASE)
CAPITAL_MONTHS: Final = re.compile(
    r"(?<=de )(?:Janeiro|Fevereiro|Março|Abril|Maio|Junho|Julho|Agosto|Setembro|Outubro|Novembro"
    r"|Dezembro)\b"
)
ENGLISH: Final = re.compile(
    r"(?<![\w./<{%(=-])(?:the|and|with|without|from|into|which|when|where|what|who|this|that|these"
    r"|those|there|their|was|were|been|being|have|has|had|does|did|not|yes|every|each|only|between"
    r"|after|before|under|below|again|because|while|until|should|would|could|must|might|another"
    r"|first|last|next|same|than|then|they|our|its|table|round|deck|shuffler|seat|stake|dealer"
    r"|player|card|cards|rule|law|book|entry|record|report|list|page|file|day|night|hour|time|house"
    r"|finding|findings|owed|due|paid|open|closed|check|checked|draft|save|delete|change|update"
    r"|submit|cancel|warning|note|job|run|worker|queue|server|browser|password|user|key|log"
    r"|checkpoint|witness|tile|leaf|root|tree|bundle|receipt|proof|api|none|unknown)(?![\w./>}=-])",
    re.IGNORECASE,
)
# What may stand in English: gaps, commands and options, codes in quotation marks, addresses.
GAP: Final = re.compile(r"%\(\w+\)[sd]|\{[^}]*\}|\[[a-z_.]+\]")
QUOTED: Final = re.compile(
    r"`[^`]*`|--[\w-]+|«[^»]*»|“[^”]*”|<[^>]+>|\b\w+=\S+|\b\w+\.py \S+|\(DEMO KEY\)"
)


def of_catalogue() -> Iterator[tuple[str, str]]:
    """Each text with its translation, each form of a plural apart."""
    with CATALOGUE.open("rb") as held:
        for message in read_po(held):
            if message.id:
                ids = message.id if isinstance(message.id, list | tuple) else [message.id]
                texts = message.string if isinstance(message.string, tuple) else [message.string]
                yield from zip(ids, texts, strict=False)


def _own(of: Any, name: str = "") -> Iterator[str]:
    if isinstance(of, dict):
        for key, value in of.items():
            yield from _own(value, key)
    elif isinstance(of, list):
        for value in of:
            yield from _own(value, name)
    elif isinstance(of, str) and name.endswith("_pt"):
        yield of


def portuguese() -> Iterator[str]:
    """Every Portuguese text the program has."""
    yield from (text for _text, text in of_catalogue())
    for path in sorted(BOOKS.glob("*.toml")):
        yield from _own(tomllib.loads(path.read_text("utf-8")))
    for lines in (*wording.HEADINGS.values(), *house_headings.HEADINGS.values()):
        yield from (line.pt for line in lines)
    yield from (pt for _severity, pt, _en in VERIFIER.values())


TEXTS: Final = list(portuguese())


def old_spelling(text: str) -> list[str]:
    """The words of a text that are spelled as before 1990."""
    found = [word[0] for word in OLD.finditer(GAP.sub("", text))]
    return [one for one in found if not NEW_ALL_THE_SAME.fullmatch(one)] + CAPITAL_MONTHS.findall(
        text
    )


def english_words(text: str) -> list[str]:
    """The English words left in a text."""
    return ENGLISH.findall(QUOTED.sub("", GAP.sub("", text)))


def test_every_text_is_translated() -> None:
    assert len(TEXTS) > 4_000
    assert [text for text, wording in of_catalogue() if not wording] == []
    assert {text for text, wording in of_catalogue() if text == wording} == ALIKE


def test_no_text_is_spelled_as_before_the_agreement() -> None:
    assert {word: text for text in TEXTS for word in old_spelling(text)} == {}


def test_no_english_word_is_left_in_a_portuguese_text() -> None:
    assert {word: text for text in TEXTS for word in english_words(text)} == {}


def test_a_reconciliation_has_one_name() -> None:
    """Docs/glossary.md: conferência."""
    assert [text for text in TEXTS if re.search(r"[Rr]econcilia", text)] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Um acto da inspecção", 2),
        ("a correcção é exacta, excepto aqui", 3),
        ("de 3 de Novembro", 1),
        ("O facto consta da secção; o contacto e o pacto também", 0),
        ("um ato da inspeção, exceto a receção, em novembro", 0),
    ],
)
def test_the_old_spelling_is_told_from_the_new(text: str, words: int) -> None:
    assert len(old_spelling(text)) == words


def test_an_english_word_is_told_from_a_gap() -> None:
    assert english_words("a lista owed tem findings") == ["owed", "findings"]
    assert english_words("use `manage.py check` com --list ou {table}, «round» incluído") == []
