"""The text a page shows, and which of it is in another language or in the program's own codes."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

from babel.messages.pofile import read_po
from django.core.signals import request_finished
from django.db import close_old_connections
from django.test import Client
from django.urls import Resolver404, resolve

from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.web.words.place_words import PROGRAMS
from tests.gate import ROOT

WORD: Final = re.compile(r"[^\W\d_]{2,}", re.UNICODE)
SAID: Final = frozenset({"jackpot"})  # of one language in the catalogue, and said in both
PLACE: Final = re.compile(r"%\(\w+\)s|%[sd]|\{\w*\}")
# What nobody who is not a programmer reads: a code, a kind, a date as a file has it.
CODES: Final = {
    "underscore": re.compile(r"(?<![\w/.@-])[a-z]+(?:_[a-z0-9]+)+(?![\w/@-])"),
    "kind": re.compile(r"(?<![\w/])[a-z]+(?:-[a-z]+)+/\d\b"),
    "date": re.compile(r"(?<![\w/-])\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?![\w/-])"),
    "place": PLACE,
    "plural": re.compile(
        r"(?<![\w.,:/–-])1 (?:[a-zà-ú]+ )?[a-zà-ú]{2,}(?:as|os|ões|ais|eis|ens)\b"
    ),
    "escape": re.compile(r"\\u[0-9a-f]{4}"),
    "money": re.compile(r"(?<![\d,. \u00a0\u202f])\d{4,},\d\d\s?€|(?<![\d,. \u00a0\u202f])\d+\s€"),
}
ADDRESS: Final = re.compile(r"https?://\S+")  # of the page itself, on paper
# Names that are words of the page's too.
PLAIN: Final = frozenset(
    {"jackpot", "import", "export", "rebuild", "recover", "schema", "house", "interruption"}
)
# Said in code on purpose: what machines type, what is kept under its own name or quoted.
QUOTED: Final = frozenset({"code", "pre", "script", "style", "kbd", "samp", "textarea", "svg"})
SPOKEN: Final = ("placeholder", "title", "aria-label", "alt")


@cache
def names() -> re.Pattern[str]:
    """What the program alone calls something by: checks, readings, figures, parts of itself."""
    books = [load_law(book) for book in rulebook_ids()]
    said = {*ALL_CHECKS, *PROGRAMS, *rulebook_ids()}
    for book in books:
        said |= {*book.readings, *book.parameters}
        said |= {number for number in book.articles if "-" in number}
    said = {name for name in said - PLAIN if len(name) > 2}
    longest_first = sorted(said, key=len, reverse=True)
    return re.compile(rf"(?<![\w/.=-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w/.-])")


class Text(HTMLParser):
    """The visible pieces of text of a page, and where its links lead."""

    VOID: Final = frozenset(("br", "hr", "img", "input", "link", "meta", "source", "wbr"))

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.pieces: list[str] = []
        self.coded: list[str] = []  # what stands as a code: a hash or a number, never a name
        self.links: list[str] = []
        self.open: list[tuple[str, bool, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag: what lies in it is said, or it is quoted or in another language."""
        has = dict(attrs)
        foreign = (has.get("lang") or self.language)[:2] != self.language[:2]
        classes = (has.get("class") or "").split()
        coded = "code" in classes and tag != "textarea" and not foreign
        quoted = tag in QUOTED or "code" in classes or foreign or self.quiet
        if not quoted:
            self.pieces += [str(has[name]) for name in SPOKEN if has.get(name)]
            if tag == "input" and has.get("type") in ("submit", "button"):
                self.pieces.append(str(has.get("value") or ""))
        if tag == "a" and has.get("href"):
            self.links.append(str(has["href"]))
        if tag not in self.VOID:
            self.open.append((tag, quoted, coded))

    def handle_endtag(self, tag: str) -> None:
        """The end of the nearest tag of that name."""
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at][0] == tag:
                del self.open[at:]
                return

    def handle_data(self, data: str) -> None:
        """Text."""
        if data.strip() and self.coding:
            self.coded.append(" ".join(data.split()))
        elif not self.quiet and data.strip():
            self.pieces.append(" ".join(data.split()))

    @property
    def quiet(self) -> bool:
        """Whether what stands here is quoted."""
        return bool(self.open) and self.open[-1][1]

    @property
    def coding(self) -> bool:
        """Whether what stands here is shown as a code."""
        return bool(self.open) and self.open[-1][2]


@cache
def catalogue(locale: str = "pt_PT") -> tuple[frozenset[str], frozenset[str]]:
    """A catalogue's English texts and its own, in Portuguese the titles of the laws too."""
    english: set[str] = set()
    portuguese: set[str] = set()
    with (ROOT / "locale" / locale / "LC_MESSAGES/django.po").open("rb") as file:
        for entry in read_po(file):
            for texts, kept in ((entry.id, english), (entry.string, portuguese)):
                kept.update(texts if isinstance(texts, tuple | list) else (texts,))
    for book in map(load_law, rulebook_ids()) if locale == "pt_PT" else ():
        english.add(book.title_en)
        portuguese.add(book.title_pt)
    return frozenset(english - {""}), frozenset(portuguese - {""})


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Their words."""
    return frozenset(word.lower() for text in texts for word in WORD.findall(PLACE.sub(" ", text)))


@cache
def english_only() -> frozenset[str]:
    """The words only the English texts of the catalogue have."""
    english, portuguese = catalogue()
    return words_of(english) - words_of(portuguese) - SAID


@cache
def portuguese_only() -> frozenset[str]:
    """The texts only the Portuguese side of the catalogue has.

    Whole texts and not their words: what people wrote in the book stays in their own language.
    """
    english, portuguese = ({text.casefold() for text in texts} for texts in catalogue())
    return frozenset(portuguese - english)


@cache
def of_others(locale: str) -> frozenset[str]:
    """The texts of the house's two languages that this one says in another way."""
    english, own = ({text.casefold() for text in texts} for texts in catalogue(locale))
    return frozenset((english | portuguese_only()) - own)


def wrong(page: str, language: str) -> list[str]:
    """What of a page's text is not in its language: each piece with what is wrong with it."""
    text = Text(language)
    text.feed(page)
    found = []
    for piece in dict.fromkeys(ADDRESS.sub("", one) for one in text.pieces):
        if language.startswith("pt"):
            strange = words_of([_without_names(piece)]) & english_only()
            hits = ((name, form.search(piece)) for name, form in CODES.items())
            said = [*sorted(strange), *(f"{name} {hit[0]}" for name, hit in hits if hit)]
        elif language.startswith("en"):
            said = ["Portuguese"] if piece.casefold() in portuguese_only() else []
        else:
            said = ["untranslated"] if piece.casefold() in of_others(language) else []
        said += [f"name {hit[0]}"] if (hit := names().search(piece)) else []
        found += [f"{', '.join(said)}: {piece[:160]}"] if said else []
    coded = dict.fromkeys(piece for piece in text.coded if names().search(piece))
    return found + [f"name as a code: {piece[:160]}" for piece in coded]


def _without_names(piece: str) -> str:
    """A piece without what carries digits or signs: numbers of tables, of people, addresses."""
    return re.sub(r"\S*[\d@/_]\S*", " ", piece)


def walk(client: Client, starts: list[str], most: int) -> Iterator[tuple[str, str]]:
    """The pages that can be reached by links, at most so many of one view: address and text."""
    seen: set[str] = set()
    times: Counter[str] = Counter()
    waiting = list(starts)
    while waiting:
        address = waiting.pop(0)
        view = _view(address)
        if view is None or address in seen or times[view] >= most:
            continue
        seen.add(address)
        answer = client.get(address)
        if answer.status_code in (301, 302):
            waiting.append(urljoin(address, answer["Location"]))
            continue
        if not answer.get("Content-Type", "").startswith("text/html"):
            request_finished.disconnect(close_old_connections)  # as Django's own client does
            answer.close()
            request_finished.connect(close_old_connections)
            continue
        times[view] += 1
        page = answer.content.decode()
        yield address, page
        text = Text("pt")
        text.feed(page)
        waiting += [urljoin(address, link).partition("#")[0] for link in text.links]


def _view(address: str) -> str | None:
    """The view an address of ours leads to; None for another's, a file or a way out."""
    parts = urlsplit(address)
    if parts.netloc or parts.scheme:
        return None
    try:
        found = resolve(parts.path)
    except Resolver404:
        return None
    name = found.view_name
    return (
        None
        if name in ("sala:leave", "admin:logout", "language")
        else f"{name} {bool(parts.query)}"
    )


def grouped(found: dict[str, list[str]]) -> list[str]:
    """What was found, once each, with one of the pages it was found on."""
    where: dict[str, list[str]] = defaultdict(list)
    for address, pieces in found.items():
        for piece in pieces:
            where[piece].append(address)
    return [f"{piece}   [{places[0]}, {len(places)}]" for piece, places in sorted(where.items())]
