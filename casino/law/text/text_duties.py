"""The words of an official text that oblige, permit or forbid, and the small ones that turn a rule.

Read are verbs and participles that say so (`deve`, `pode`, `é vedado`, `cabe a`; `debe`, `doit`,
`shall`), and the future in which Portuguese, Spanish and French laws command (`será`, `deberá`). A
negation directly at one turns it, and so does *only*: what only one may do is forbidden to others.
A rule told in the plain present has no such word: it stands in the comparison with its article.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from casino.law.text.legal_text import Item, Paragraph, Span, Text

Modality = Literal["obliges", "permits", "forbids"]

_PT_IS: Final = (
    r"(?:(?:é|são|está|estão|fica|ficam|ficará|ficarão|ficando|sendo|será|serão|seja|sejam"
    r"|for|forem)(?:-lhes?)?\s+)?"
)
_ES_IS: Final = r"(?:(?:es|son|está|están|queda|quedan|será|serán|siendo)\s+)?"
_FR_IS: Final = r"(?:(?:est|sont|sera|seront|étant)\s+)?"
_EN_IS: Final = r"(?:(?:is|are|be|shall\s+be)\s+)?"

# By language: what commands (not: forbids), what is needed (not: permits), what permits, what bans.
_WORDS: Final = {
    "pt": {
        "needs": rf"{_PT_IS}(?:obrigad[oa]s?|obrigatóri[oa]s?|obrigatoriamente"
        r"|sujeit[oa]s?\s+(?:a|à|às|aos?)\b)"
        r"|(?:tem|têm|tendo|terá|terão)(?:\s+ainda)?\s+(?:de|que)(?=\s+\w+(?:[aei]r|ôr)\b)"
        r"|(?:cab|incumb|pertenc|compet)e(?:m|rá|rão)?|competir(?:á|ão)|incumbir(?:á|ão)",
        "permits": r"pode(?:m|rá|rão)?|podendo"
        rf"|{_PT_IS}(?:permitid[oa]s?|autorizad[oa]s?|livres?\s+de|opciona(?:l|is)|facultativ[oa]s?"
        r"|dispensad[oa]s?)|dispensam?",
        "forbids": rf"{_PT_IS}(?:vedad[oa]s?|proibid[oa]s?)|abst[êé]m-se|implicam?\s+que\s+não",
        "commands": r"deve(?:m|rá|rão)?|devendo|implicam?\s+que"
        r"|[^\W\d_]+(?:[aei]r|por)(?:á|ão)(?!-l[oa]s?\b)|[^\W\d_]+r?-(?:se|lhes?|[oa]s?)-(?:á|ão)",
    },
    "es": {
        "needs": rf"{_ES_IS}(?:obligad[oa]s?|obligatori[oa]s?|obligatoriamente)"
        r"|(?:tiene|tienen|tendrá|tendrán)\s+que|(?:ha|han|habrá|habrán)\s+de"
        r"|corresponde(?:n|rá|rán)?|competen?",
        "permits": r"pueden?|podrán?|pudiendo"
        rf"|{_ES_IS}(?:permitid[oa]s?|autorizad[oa]s?|opcional(?:es)?)",
        "forbids": rf"{_ES_IS}(?:prohibid[oa]s?|vedad[oa]s?)",
        "commands": r"debe(?:n|rá|rán)?|debiendo|[^\W\d_]+(?:[aei]r|[dbr]r)án?",
    },
    "fr": {
        "needs": rf"{_FR_IS}(?:obligée?s?|obligatoires?|obligatoirement|tenue?s?\s+(?:de|d['’]))"
        r"|faut|incombe(?:nt)?|appartient",
        "permits": r"peu(?:t|vent)|pourr(?:a|ont)|pouvant"
        rf"|{_FR_IS}(?:permise?s?|autorisée?s?|facultati(?:f|ve)s?|libres?\s+de)",
        "forbids": rf"{_FR_IS}(?:interdite?s?|défendue?s?|prohibée?s?)",
        "commands": r"doi(?:t|vent)|devr(?:a|ont)|[^\W\d_]+r(?:a|ont)",
    },
    "en": {
        "needs": r"(?:has|have)\s+to|needs?(?=\s+not\b)"
        rf"|{_EN_IS}(?:required|obliged|obligatory|mandatory)",
        "permits": r"(?<!\d\s)may(?!\s+\d)|can"
        rf"|{_EN_IS}(?:allowed|permitted|entitled|optional|free\s+to)",
        "forbids": rf"cannot|{_EN_IS}(?:prohibited|forbidden)",
        "commands": r"shall|must",
    },
}  # fmt: skip
_NOT_BEFORE: Final = {
    "pt": r"(?:não|nunca|jamais|nem|ninguém|em\s+momento\s+algum|nenhum(?:a|as)?(?:\s+\w+){0,2})"
    r"(?:\s+(?:se|lhes?|[oa]s?|mais|também))?",
    "es": r"(?:no|nunca|jamás|tampoco|ni|nadie|ningun[oa]?(?:\s+\w+)?|ningún\s+\w+)"
    r"(?:\s+(?:se|les?|l[oa]s?))?",
    "fr": r"(?:ne|jamais|ni|aucune?(?:\s+\w+)?|nul)(?:\s+(?:se|lui|leur|l[ea]s?))?",
    "en": r"(?:never|no|none|nor|nobody|no\s+\w+)",
}
_ONLY_BEFORE: Final = {
    "pt": r"(?:só|apenas|somente|unicamente)(?:\s+se)?",
    "es": r"(?:sólo|solo|solamente|únicamente)(?:\s+se)?",
    "fr": r"(?:seulement|uniquement)",
    "en": r"(?:only)",
}
# In English the small word stands behind: `may not`, `is allowed only one`.
_NOT_BEHIND: Final = re.compile(r"\s+(?:not|never)\b", re.IGNORECASE)
_ONLY_BEHIND: Final = re.compile(r"\s+only\b", re.IGNORECASE)
_LOOKED_BACK: Final = 60  # characters in which the word before is looked for
# Words that end as a future does.
_NO_VERB: Final = frozenset(
    ("verão", "barão", "tubarão", "varão", "extra", "contra", "front")
)  # fmt: skip

_TURNS: Final = {
    "pt": "não nunca jamais nem ninguém nada nenhum nenhuma nenhuns nenhumas sem salvo exceto"
    " excepto excluído excluídos excluída excluídas só apenas somente unicamente",
    "es": "no nunca jamás ni nadie nada ningún ninguno ninguna tampoco sin salvo excepto sólo solo"
    " solamente únicamente",
    "fr": "ne n non pas jamais ni aucun aucune sans sauf excepté seulement uniquement",
    "en": r"\w+n['’]t not never no nor neither none nobody cannot without except unless only",
}


def _compiled(language: str) -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{kind}>{words})" for kind, words in _WORDS[language].items())
    return re.compile(rf"\b(?:{kinds})(?<=[\w\s'’])(?!\w)", re.IGNORECASE)


_duty: Final = {language: _compiled(language) for language in _WORDS}
_not_before: Final = {
    language: re.compile(rf"\b(?:{words}\s+|n['’])$", re.IGNORECASE)
    for language, words in _NOT_BEFORE.items()
}
_only_before: Final = {
    language: re.compile(rf"\b{words}\s+$", re.IGNORECASE)
    for language, words in _ONLY_BEFORE.items()
}
_turn: Final = {
    language: re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.IGNORECASE)
    for language, words in _TURNS.items()
}


@dataclass(frozen=True, slots=True)
class DutyFound:
    """A word of duty in a node: the `n`th of that node, from 1, and what it does."""

    eid: str
    n: int
    modality: Modality
    span: Span
    written: str


@dataclass(frozen=True, slots=True)
class TurnFound:
    """A negation or an exception in a node, the `n`th from 1; `word` in small letters."""

    eid: str
    n: int
    word: str
    span: Span


def duties_in(text: Text) -> Iterator[DutyFound]:
    """Every word of duty of a text, in their order; none in a language that is not recognised."""
    if text.language in _duty:
        for leaf in text.leaves():
            for n, (modality, span) in enumerate(_in_leaf(text, leaf), 1):
                yield DutyFound(leaf.eid, n, modality, span, text.words_at(span))


def turns_in(text: Text) -> Iterator[TurnFound]:
    """Every word of a text that turns a rule, in their order."""
    form = _turn.get(text.language)
    if form is None:
        return
    for leaf in text.leaves():
        found = (one for at in leaf.pieces for one in form.finditer(text.source, at.start, at.end))
        for n, one in enumerate(found, 1):
            yield TurnFound(leaf.eid, n, one[0].lower(), Span(*one.span()))


def _in_leaf(text: Text, leaf: Paragraph | Item) -> Iterator[tuple[Modality, Span]]:
    for piece in leaf.pieces:
        for found in _duty[text.language].finditer(text.source, piece.start, piece.end):
            if found[0].lower() not in _NO_VERB:
                yield _modality(text, found, piece)


def _modality(text: Text, match: re.Match[str], piece: Span) -> tuple[Modality, Span]:
    """What a word does, with the words directly at it, and where it stands with them."""
    start, end = match.span()
    back = max(piece.start, start - _LOOKED_BACK)
    before = text.source[back:start]
    negation = _not_before[text.language].search(before)
    only = _only_before[text.language].search(before)
    behind = _NOT_BEHIND.match(text.source, end, piece.end) if text.language == "en" else None
    alone = _ONLY_BEHIND.match(text.source, end, piece.end) if text.language == "en" else None
    first = negation or only
    begins = back + first.start() if first else start
    last = behind or alone
    whole, kind = Span(begins, last.end() if last else end), match.lastgroup
    negated = bool(negation or behind)
    if kind in {"forbids", "needs"}:
        plain: Modality = "forbids" if kind == "forbids" else "obliges"
        turned = Span(back + negation.start() if negation else start, whole.end)
        return ("permits", turned) if negated else (plain, Span(start, end))
    if negated or only or alone:
        return "forbids", whole
    return ("permits" if kind == "permits" else "obliges"), whole
