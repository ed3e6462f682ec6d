"""A finding's heading: one sentence that says what happened, with subject, place and values.

Each check has one line or several, in both languages side by side (the `headings_*` of its
subject); the first whose conditions and values are there is said. Where none is, the rule is named
with what was found.

A gap is ``{o.seat}``: of ``o`` observed, ``e`` expected or ``w`` where. Its name says its form
(``_cents`` money, a card's code a card, a moment the hour); ``{o.rounds|n:jogada,jogadas}`` is a
number with its noun, ``{o.rounds|s:foi,foram}`` the noun alone, ``|and`` and ``|or`` join a list,
``|who`` and ``|by`` are an office with its article, ``|to`` and ``|into`` where a card belonged or
went, ``|full`` a moment with its day. What stands in ``[brackets]`` is left out where one of its
values is not there. The places of `where` that the line does not name itself stand before it, and
beside them in brackets what a line begins with in brackets. A line that begins with ``~`` has the
last of those places as its subject: ``~foi exibido`` is said as ``O baralho D-2 foi exibido``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, Protocol

from casino.cards import CODES, Card

Language = Literal["pt", "en", "es", "fr"]
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """One way to say it. `when`: values that must be as given, ``{"o.cuts": 0}``; a tuple lists
    several of them, ``...`` asks only that there is one.
    """

    pt: str
    en: str
    when: Mapping[str, object] = field(default_factory=dict)


Headings = Mapping[str, tuple[Line, ...]]

_GAP: Final = re.compile(r"\{([oew])\.(\w+)(?:\|([^}]*))?\}")
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_GROUPED: Final = 10_000
DAYS: Final = frozenset({"day", "by_day", "confirmed_on", "remedied_from"})
# The places of a finding in the order in which they are said.
PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "jackpot": ("acumulado {}", "jackpot {}"),
    "terms": ("condições {}", "terms {}"),
    "run": ("execução {}", "run {}"),
    "shoe": ("sabot {}", "shoe {}"),
    "load": ("carregamento {}", "load {}"),
    "unload": ("extração {}", "unloading {}"),
    "round": ("jogada {}", "round {}"),
    "number": ("jogada {}", "round {}"),
    "shuffler": ("baralhador {}", "shuffler {}"),
    "deck": ("baralho {}", "deck {}"),
    "incident": ("incidente {}", "incident {}"),
    "complaint": ("reclamação {}", "complaint {}"),
    "hold": ("preservação {}", "hold {}"),
    "case": ("processo {}", "case {}"),
    "box": ("lugar {}", "box {}"),
    "hand": ("mão {}", "hand {}"),
    "seat": ("lugar {}", "seat {}"),
    "owner": ("{}", "{}"),
    "staff": ("{}", "{}"),
    "witness": ("{}", "{}"),
    "stream": ("série {}", "stream {}"),
    "n": ("registo {}", "entry {}"),
    "index": ("lugar {} da árvore", "place {} of the tree"),
}
# The article a place takes as a subject in Portuguese; ``o`` where it is not here.
_THE: Final = {
    "terms": "as", "run": "a", "unload": "a", "round": "a", "number": "a", "complaint": "a",
    "hold": "a", "hand": "a", "stream": "a", "owner": "", "staff": "", "witness": "",
}  # fmt: skip
_SUBJECT: Final = "~"
_STEM: Final = 5  # of a word: whether a line speaks of it already
_SIDE_STAKES: Final = frozenset({"insurance", "special", "jackpot"})
_INTO: Final = re.compile(r"^(à|ao) ")
_PARA: Final = {"à ": "para a ", "ao ": "para o "}
JOINED: Final = {"and": ("e", "and"), "or": ("ou", "or"), "run": ("{} a {}", "{} to {}")}
LONG_RUN: Final = 8  # of so many numbers in a row nobody reads each
WHO: Final[Mapping[str, tuple[str, str]]] = {
    "pagador": ("o pagador", "the dealer"),
    "fiscal_de_banca": ("o fiscal de banca", "the fiscal de banca"),
    "fiscal_chefe": ("o fiscal-chefe", "the fiscal-chefe"),
    "chefia_da_sala": ("a chefia da sala", "the chefia da sala"),
    "seat": ("um jogador", "a player"),
    "nobody": ("ninguém", "nobody"),
}
BY: Final[Mapping[str, tuple[str, str]]] = {
    "pagador": ("pelo pagador", "by the dealer"),
    "fiscal_de_banca": ("pelo fiscal de banca", "by the fiscal de banca"),
    "fiscal_chefe": ("pelo fiscal-chefe", "by the fiscal-chefe"),
    "chefia_da_sala": ("pela chefia da sala", "by the chefia da sala"),
}
DESTINATIONS: Final[Mapping[str, tuple[str, str]]] = {
    "bank": ("à banca", "to the bank"),
    "discard": ("ao canto de descarte", "to the discard corner"),
    "hand": ("à mão de um jogador", "to a player's hand"),
    "box": ("ao lugar {}", "to box {}"),
    "hand of a box": ("à mão {} do lugar {}", "to hand {} of box {}"),
}
# What is said where no line fits: the rule that was not kept, with the figures; and a moment.
OTHER: Final[Mapping[str, tuple[str, str]]] = {
    "rule": ("não se cumpriu: {}", "not kept: {}"),
    "found": ("encontrado: {}", "found: {}"),
    "asked": ("exigido: {}", "asked: {}"),
    "moment": ("{} de {}", "{} on {}"),
}
# A card is of a colour (feminine in Portuguese).
COLOURS: Final = {
    "red": "vermelha", "blue": "azul", "green": "verde", "yellow": "amarela", "black": "preta",
    "white": "branca", "grey": "cinzenta", "purple": "roxa", "orange": "laranja",
    "brown": "castanha",
}  # fmt: skip


class Words(Protocol):
    """What a heading asks of the words of a page or a file."""

    thousands: str  # what stands between groups of three digits

    @property
    def language(self) -> Language:
        """Which."""

    def either(self, pt: str, en: str) -> str:
        """Of a text in two languages that of these words, or a third's translation of it."""

    def money(self, cents: int) -> str:
        """An amount."""

    def card(self, card: Card) -> str:
        """A card."""

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards in their order."""

    def local(self, moment: datetime) -> datetime:
        """A moment by the clock the reader goes by."""

    def value(self, name: str, value: object) -> str:
        """Any other value."""


def day_words(day: str) -> str:
    """A day told as ``2026-11-20`` as people write it: ``20/11/2026``; anything else as it is."""
    try:
        return date.fromisoformat(day).strftime("%d/%m/%Y")
    except ValueError:
        return day


def gaps(line: Line) -> list[tuple[str, str, str]]:
    """The figures a line names, in order: of which part, which, and in which form."""
    return _GAP.findall(line.pt)


def spoken(text: str) -> str:
    """Every word a line may say: its own, and each form of the nouns in its gaps."""
    words = _GAP.sub(lambda gap: _forms(gap[3] or ""), text)
    return re.sub(r"[\[\]~]", "", words)


def _forms(form: str) -> str:
    kind, _, nouns = form.partition(":")
    if kind in ("n", "s"):
        return nouns.replace(",", " ")
    pairs = {"who": WHO, "by": BY}.get(kind, {})
    return " ".join(word for pair in pairs.values() for word in pair)


def fitting(
    lines: Iterable[Line], where: Values, observed: Values, expected: Values
) -> Line | None:
    """The first of these lines that can be said of these values."""
    values = {"w": where, "o": observed, "e": expected}
    for line in lines:
        if all(_is(values, name, asked) for name, asked in line.when.items()):
            needed = _GAP.findall(_OPTIONAL.sub("", line.pt))
            if all(_there(values[part], name) for part, name, _ in needed):
                return line
    return None


def _is(values: Mapping[str, Values], name: str, asked: object) -> bool:
    part, _, key = name.partition(".")
    found = values[part].get(key)
    if asked is ...:
        return found is not None
    if isinstance(found, tuple):
        found = list(found)
    return found in asked if isinstance(asked, tuple) else bool(found == asked)


def _there(values: Values, name: str) -> bool:
    found = values.get(name)
    return isinstance(found, int) or bool(found)


class HeadingWriter:
    """Says the lines of one finding."""

    def __init__(
        self,
        words: Words,
        where: Values,
        observed: Values,
        expected: Values,
        day: date | None = None,
    ) -> None:
        self._words = words
        self._pt = words.language == "pt"
        self._values = {"w": where, "o": observed, "e": expected}
        self._moments = _Moments(words, [*observed.values(), *expected.values()], day)

    def line(self, line: Line) -> str:
        """The sentence, behind the places it does not name."""
        text = self._words.either(line.pt, line.en)
        named = {name for part, name, _ in _GAP.findall(text) if part == "w"}
        said = self._filled(text.removeprefix(_SUBJECT))
        return self.behind_its_place(said, named, subject=text.startswith(_SUBJECT))

    def by_the_rule(self, statement: str, observed: str, expected: str) -> str:
        """What is said where no line fits: the rule that was not kept, with the figures."""
        said = {"rule": statement, "found": observed, "asked": expected}
        texts = [self._words.either(*OTHER[name]).format(text) for name, text in said.items()]
        there = (True, bool(observed), bool(expected))
        return self.behind_its_place(
            "; ".join(t for t, is_there in zip(texts, there, strict=True) if is_there)
        )

    def behind_its_place(
        self, text: str, named: Iterable[str] = (), *, subject: bool = False
    ) -> str:
        """A sentence behind the place it is about, without those it names; the last of them is
        its subject where it has none of its own.
        """
        places = dict(self._places(set(named), text))
        last = next((name for name in reversed(places) if name in PLACES), "") if subject else ""
        if last:
            gap = "" if text.startswith(",") else " "
            text = f"{self._subject(last, places.pop(last))}{gap}{text}"
        wording = ", ".join(places.values())
        if text.startswith("("):
            about, _, text = text.partition(") ")
            wording = f"{wording} {about})" if wording else about[1:]
        return _capital(f"{wording}: {text}" if wording else text)

    def _subject(self, name: str, place: str) -> str:
        """A place as the subject of a sentence: with its article, where its language has one."""
        if self._words.language == "en":
            return place
        if self._pt:
            return f"{_THE.get(name, 'o')} {place}".lstrip()
        the = self._words.either("", f"the {PLACES[name][1]}")
        return the.format(self._values["w"][name])

    def _places(self, named: set[str], text: str) -> Iterable[tuple[str, str]]:
        where = self._values["w"]
        for name, forms in PLACES.items():
            if name in where and name not in named:
                yield name, self._words.either(*forms).format(where[name])
        kind = where.get("kind", "")
        if kind in _SIDE_STAKES:
            word = self._words.value("kind", kind)
            if word[:_STEM] not in text:
                yield "kind", word

    def _filled(self, text: str) -> str:
        def kept(part: re.Match[str]) -> str:
            gaps = _GAP.findall(part[1])
            return part[1] if all(_there(self._values[of], name) for of, name, _ in gaps) else ""

        return _GAP.sub(
            lambda gap: self._said(gap[2], self._values[gap[1]][gap[2]], gap[3] or ""),
            _OPTIONAL.sub(kept, text),
        )

    def _said(self, name: str, value: Any, form: str) -> str:
        kind, _, forms = form.partition(":")
        if kind in ("n", "s"):
            count = len(value) if isinstance(value, list | tuple) else value
            noun = forms.split(",")[0 if count == 1 else 1]
            return noun if kind == "s" else f"{self._number(value)} {noun}"
        if kind in ("and", "or", "list"):
            return self._listed(name, value, kind)
        if kind in ("who", "by"):
            pair = (WHO if kind == "who" else BY).get(str(value))
            return self._words.either(*pair) if pair else self._words.value(name, value)
        if kind in ("to", "into"):
            there = self._destination(str(value))
            into = kind == "into" and self._pt
            return _INTO.sub(lambda to: _PARA[to[0]], there) if into else there
        if kind == "colour":
            colours = [self._words.either(COLOURS.get(c, c), c) for c in _list(value)]
            return f" {self._words.either(*JOINED['and'])} ".join(colours)
        return self._plain(name, value, full=kind == "full")

    def _plain(self, name: str, value: object, *, full: bool = False) -> str:
        words = self._words
        if name.endswith("_cents") and isinstance(value, int):
            return words.money(value)
        if isinstance(value, int):
            return self._number(value)
        if isinstance(value, list | tuple):
            if value and all(one in CODES for one in value):
                return words.cards(value)
            return self._listed(name, value, "and")
        text = str(value)
        if name in DAYS:
            return day_words(text)
        moment = self._moments.format(text, full=full)
        return moment or words.value(name, value)

    def _number(self, value: int) -> str:
        """A count, grouped from ten thousand on: a seat or a place is recorded as it is."""
        text = f"{value:,}" if abs(value) >= _GROUPED else str(value)
        return text.replace(",", self._words.thousands.replace(" ", "\u00a0"))

    def _listed(self, name: str, value: object, joined: str) -> str:
        run = run_of(value)
        if joined == "or" and run:
            return self._words.either(*JOINED["run"]).format(*run)
        texts = [self._plain(name, one) for one in _list(value)]
        if joined == "list":
            return ", ".join(texts)
        word = self._words.either(*JOINED["or" if joined == "or" else "and"])
        return f" {word} ".join(filter(None, (", ".join(texts[:-1]), texts[-1]))) if texts else ""

    def _destination(self, place: str) -> str:
        box, sign, hand = place.partition("/")
        if sign and box.isdecimal():
            return self._words.either(*DESTINATIONS["hand of a box"]).format(hand, box)
        if place.isdecimal():
            return self._words.either(*DESTINATIONS["box"]).format(place)
        return self._words.either(*DESTINATIONS[place]) if place in DESTINATIONS else place


def run_of(value: object) -> tuple[int, int] | None:
    """First and last of many whole numbers in a row; None for anything else."""
    if not isinstance(value, list | tuple) or len(value) < LONG_RUN:
        return None
    first = value[0]
    in_a_row = isinstance(first, int) and [*value] == [*range(first, first + len(value))]
    return (first, value[-1]) if in_a_row else None


class _Moments:
    """The moments of one finding: hours alone where all are of its night, else with their days."""

    def __init__(self, words: Words, values: Iterable[object], day: date | None) -> None:
        self._words = words
        found = {m for m in map(_moment, values) if m is not None}
        days = {words.local(moment).date() for moment in found}
        night = {day, day + timedelta(days=1)} if day is not None else days
        self._with_day = len(days) > 1 or not days <= night
        seconds = {moment.replace(microsecond=0) for moment in found}
        self._exact = len(seconds) < len(found)

    def format(self, text: str, *, full: bool) -> str:
        """The moment in words; '' where the text is none."""
        moment = _moment(text)
        if moment is None:
            return ""
        local = self._words.local(moment)
        hour = local.strftime("%H:%M:%S")
        if self._exact:
            hour += f"{'.' if self._words.language == 'en' else ','}{local.microsecond:06d}"
        if not (full or self._with_day):
            return hour
        return self._words.either(*OTHER["moment"]).format(hour, f"{local:%d/%m/%Y}")


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str) or len(value) < len("2026-11-20T20:10") or value[10:11] != "T":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
