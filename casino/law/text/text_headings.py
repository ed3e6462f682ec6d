"""How headings, numbers and letters are written: of sections, articles, paragraphs, items."""

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

# A heading is no longer than this; a longer line is words.
LONGEST_HEADING: Final = 120
ENDS_A_SENTENCE: Final = (".", ";", ":", "!", "?", "…", ".»", ".”", '."', ".)", "»", "”")

_NUMBER = (
    r"(?P<number>(?:\d{1,4}(?:\.\d{1,3})*|[ÚU]NIC[OA]|[úu]nic[oa]|PREMIER|premier))"
    r"\s?(?:\.\s?[ºo°ª]|[ºo°ª]|er)?(?P<suffix>-[A-Z]\b|(?<=\d)[A-Z]\b|\s?(?:bis|ter|quater|quinquies)\b)?(?!\w)"
)
_REST = r"(?:\s*[.:]?\s*[-–—]{1,2}\s*|\s*[.:]\s*|\s+(?=[(«“\"A-ZÀ-Þ]))?(?P<rest>.*)"

_article = re.compile(
    rf"(?:ARTIGO|Artigo|ARTÍCULO|Artículo|Articulo|ARTICLE|Article|Art\.|ART\.)\s*{_NUMBER}{_REST}$"
)
_code = re.compile(
    r"(?P<number>\d{1,3}:\d{1,4}[A-Z]{0,2}(?:-\d{1,4})(?:\.\d{1,4})*[A-Z]?)\.?(?:\s+(?P<rest>.*))?$"
)
_pilcrow = re.compile(rf"§+\s*{_NUMBER}{_REST}$")
_dashed = re.compile(
    r"(?:-\s+)?(?:N\.º\s*)?(?P<number>\d{1,3})(?:\.?\s?º)?\.?\s*[-–—]\s+(?P<rest>[^\W\d_].*|[«“\"(].*)$"
)
_dotted = re.compile(r"(?P<number>\d{1,3})\.\s+(?P<rest>[^\W\d_].*|[«“\"(].*)$")
_bracketed = re.compile(r"\(?(?P<number>\d{1,3})(?:\)|\s?[°º])\s*(?P<rest>\S.*)$")
_lettered = re.compile(
    r"(?:-\s+)?(?:\((?P<in>[a-zA-Z]|[ivxlc]{2,5})\)|(?P<after>[a-zA-Z]|[ivxlc]{2,5})\)"
    r"|(?P<dot>[a-z]|[ivxlc]{2,5})\.(?=\s))\s*(?P<rest>\S.*)$"
)
_section = re.compile(
    r"(?P<word>LIVRO|PARTE|T[ÍI]TULO|CAP[ÍI]TULO|SUBSEC[CÇ][ÇC]?[ÃA]O|SEC[CÇ][ÃA]O|SEÇÃO|SECÇÃO|SECCIÓN"
    r"|BOOK|PART|TITLE|CHAPTER|SUBCHAPTER|SUBSECTION|SECTION|LIVRE|PARTIE|TITRE|CHAPITRE|ANEXO|ANNEX|ANNEXE)"
    r"(?:\s+(?P<number>[IVXLC]+|\d{1,3}[A-Z]?|[A-Z]|[ÚU]NIC[OA]|PREMIER|PREMIÈRE)(?:\.?[ºª°]|ER)?)?"
    r"(?:\s*[-–—.:]+\s*(?P<rest>.*))?$",
    re.IGNORECASE,
)
_LETTERED: Final = frozenset(").")
_bullet = re.compile(r"[-–—•*▪·]\s+\S")


class Rank(IntEnum):
    """How high a section stands; what is lower stands in what is higher."""

    BOOK = 1
    PART = 2
    TITLE = 3
    CHAPTER = 4
    SECTION = 5
    SUBSECTION = 6
    CAPITALS = 7
    NUMBERED = 8
    TITLED = 9


# The rank of each word, by its first letters, and how its eIds begin.
_RANKS: Final = (
    *(("liv", Rank.BOOK, "book"), ("boo", Rank.BOOK, "book"), ("par", Rank.PART, "part")),
    *(("ane", Rank.PART, "annex"), ("ann", Rank.PART, "annex"), ("tit", Rank.TITLE, "title")),
    *(("cap", Rank.CHAPTER, "chp"), ("cha", Rank.CHAPTER, "chp")),
    *(("subc", Rank.SECTION, "subchp"), ("subs", Rank.SUBSECTION, "subsec")),
    ("sec", Rank.SECTION, "sec"),
)


@dataclass(frozen=True, slots=True)
class SectionHead:
    """A section's heading: its rank, its number, its caption where it stands in the same line."""

    rank: Rank
    prefix: str
    number: str
    caption: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number at the beginning of a line; the words begin `skip` characters into it.

    `series` is how it is written: `article`, `code`, `pilcrow`, `dashed`, `dotted`, `bracketed`.
    """

    series: str
    number: str
    skip: int
    rest: str


_SERIES: Final = (
    *(("article", _article), ("code", _code), ("pilcrow", _pilcrow), ("dashed", _dashed)),
    *(("dotted", _dotted), ("bracketed", _bracketed)),
)


def number_of(line: str) -> Number | None:
    """The number a line begins with: of an article, or of a paragraph."""
    if line[:1] not in "-(§NnAa0123456789":
        return None
    for series, form in _SERIES:
        found = form.match(line)
        if not found:
            continue
        rest = found["rest"] or ""
        if series in {"article", "pilcrow"} and (rest[:1].islower() or rest[:1].isspace()):
            return None  # «Artigo 5.º do presente …» names an article, and heads none
        groups = found.groupdict()
        number = plain_number(groups["number"]) + plain_number(groups.get("suffix") or "")
        return Number(series, number, len(line) - len(rest), rest)
    return None


def plain_number(written: str) -> str:
    """A number without blanks: `12-A`, `12bis`, `1` for the first or only one in words."""
    short = re.sub(r"\s", "", written)
    return "1" if short.lower().startswith(("ú", "u", "premi")) else short


_LATIN: Final = {"bis": 1, "ter": 2, "quater": 3, "quinquies": 4}


def order_of(number: str) -> tuple[tuple[int, str], ...]:
    """What numbers are sorted by: `12` before `12-A` before `13`."""
    parts = re.findall(r"\d+|[A-Za-z]+", number)
    return tuple(
        (int(part), "") if part.isdecimal() else (_LATIN.get(part, 0), part) for part in parts
    )


def letter_of(line: str) -> tuple[str, int] | None:
    """The letter of an item a line begins with, and where its words begin."""
    found = _lettered.match(line) if _LETTERED.intersection(line[:6]) else None
    if not found:
        return None
    letter = found["in"] or found["after"] or found["dot"]
    return letter, found.start("rest")


ROMANS: Final = (
    *("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"),
    *("xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx"),
)


def section_of(line: str) -> SectionHead | None:
    """A heading that says what it heads: `CAPÍTULO II — Das apostas`."""
    if line[:1] not in "LPTCSBA" or len(line) > LONGEST_HEADING or line.endswith((";", ",")):
        return None
    found = _section.match(line)
    if not found:
        return None
    word, number, rest = found["word"], found["number"] or "", found["rest"] or ""
    if not number and word != word.upper():
        return None
    key = bare(word)
    rank, prefix = next((r, p) for begins, r, p in _RANKS if key.startswith(begins))
    return SectionHead(rank, prefix, plain_number(number), rest)


def in_capitals(line: str) -> bool:
    """Whether a line is a heading in plain capitals."""
    letters = [sign for sign in line if sign.isalpha()]
    return (
        len(letters) >= 4
        and len(line) <= LONGEST_HEADING
        and line == line.upper()
        and line != line.lower()
        and "\t" not in line
        and not line.endswith((".", ";", ",", ":"))
    )


def titled(line: str) -> bool:
    """Whether a line by itself has the form of a title: short, no figure, no end of a sentence."""
    return (
        2 < len(line) <= 60
        and len(line.split()) <= 8
        and line[0].isupper()
        and not line.endswith((*ENDS_A_SENTENCE, ",", "-"))
        and not re.search(r"[\t=:;!]", line)
        and (not re.search(r"\d", line) or "/" in line)
    )


def is_bullet(line: str) -> bool:
    """Whether a line begins with a dash or a point, as lines of a list do."""
    return bool(_bullet.match(line))


def bare(text: str) -> str:
    """Small letters without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).lower()


def slug(text: str) -> str:
    """A heading as part of an eId, without what it has in brackets."""
    words = re.sub(r"\([^)]*\)", " ", text) or text
    return re.sub(r"[^a-z0-9]+", "_", bare(words)).strip("_")[:48].strip("_")
