"""An act that amends a regulation, read as what it does: replace, insert, repeal, renumber, put
other words in the place of some, and from which day.

Nothing is guessed. A sentence that speaks of amending and is none of the forms below is listed with
its line, and no new version is made of an act that has one. Acts are read in Portuguese.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NamedTuple

from casino.law.text.text_source import source_of

Kind = Literal["replace", "insert", "repeal", "renumber", "words"]


class Target(NamedTuple):
    """What of the regulation an act is about: an article, a paragraph or a lettered item of it."""

    article: str
    paragraph: str = ""
    item: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.article, self.paragraph, self.item and f"{self.item})")))


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing an act does. `wording` are the new words as they stand in the act, with their
    layout; `old` the words that go, of `words`; `number` the new number, of `renumber`.
    """

    kind: Kind
    targets: tuple[Target, ...]
    line: int
    wording: str = ""
    old: str = ""
    number: str = ""


class Sentence(NamedTuple):
    """A sentence of an act outside quotation marks, and the line of the file it begins in."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Act:
    """`in_force` is the day the act says, None of none; `delays` the days of single targets.

    `unresolved` are sentences that speak of amending and were not understood, `others` the rest.
    """

    operations: tuple[Operation, ...]
    in_force: date | None
    delays: tuple[tuple[Target, date], ...]
    unresolved: tuple[Sentence, ...]
    others: tuple[Sentence, ...]


_MONTHS: Final = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)
_AMENDS: Final = re.compile(
    r"alterad|altera[çr]|redaç|aditad|aditam|revog|renumer|eliminad|suprimid|substitu|passam? a\b"
    r"|onde se lê|vigor|vigência|produz|republic|derrog|suspen[sd]|caduc|cessam?\b|deixam? de\b"
    r"|sem efeito|\x01",
    re.IGNORECASE,
).search
_N: Final = r"\d+(?:-[A-Z]{1,2})?"
_JOIN: Final = r"(?:, | e )"
_LETTERS: Final = rf"[a-z]{{1,3}}\)(?:{_JOIN}[a-z]{{1,3}}\))*"
_PLAIN: Final = rf"\d+(?:{_JOIN}\d+)*"
_NUMBERS: Final = rf"{_N}(?:{_JOIN}{_N})*"
_THE: Final = r"(?:(?:[oa]|[dn]?[oa]|ao|à)s? )?"
# `a alínea b) do n.º 2 do artigo 3.º`, in the form `_plainly` gives it.
_UNIT: Final = (
    rf"(?:{_THE}alíneas? (?P<items>{_LETTERS}) d[oae]s? )?"
    rf"(?:{_THE}n (?P<paragraphs>{_PLAIN}) d[oae]s? )?{_THE}artigos? (?P<articles>{_NUMBERS})"
)
_unit: Final = re.compile(_UNIT, re.IGNORECASE)
# Of a regulation whose articles are cited as n.º 37.
_numbered: Final = re.compile(
    rf"(?:{_THE}alíneas? (?P<items>{_LETTERS}) d[oae]s? )?(?P<paragraphs>)"
    rf"{_THE}n (?P<articles>{_NUMBERS})",
    re.IGNORECASE,
)
_OF: Final = r"(?: (?:d|n|a)[oae]s? (?!artigo|n \d)[^\x01]{3,160}?)?"  # which act is amended
_Q: Final = r"\x01(\d+)\x02"
_T: Final = r"(?P<targets>[^\x01]*?(?:artigo|\bn \d)[^\x01]*?)"
_DATE: Final = (
    r"(?:(?:a partir d[eo]|n?o|em|desde)(?: dia)? )?(?:dia )?"
    rf"(?P<day>\d{{1,2}}) de (?P<month>{'|'.join(_MONTHS)}) de (?P<year>\d{{4}})"
)
_Form = Kind | Literal["into", "delay", "force"]
_WRITTEN: Final[Sequence[tuple[_Form, str]]] = (
    ("replace", rf"{_T}{_OF},? passam? a ter a seguinte redação:? {_Q}"),
    (
        "replace",
        rf"(?:É|São) alterad[oa]s? {_T}{_OF},? (?:que passam? a ter|com) a seguinte"
        rf" redação:? {_Q}",
        ),
    ("insert", rf"(?:É|São) aditad[oa]s?{_OF},? {_T}{_OF},? com a seguinte redação:? {_Q}"),
    ("into", rf"(?:É|São) aditad[oa]s? (?P<new>[oa]s? (?:n|alíneas?) [^\x01]*?) (?P<targets>ao"
        rf"(?: n {_N} do)? artigo {_N}){_OF},? com a seguinte redação:? {_Q}"),
    ("repeal", rf"(?:É|São) revogad[oa]s? {_T}{_OF}"),
    ("renumber", rf"(?P<targets>[oa] artigo {_N}){_OF},? (?:passa a(?: ser o)?|é renumerado"
        rf" (?:como|para)(?: o)?) artigo (?P<number>{_N})"),
    ("words", rf"{_T}{_OF}, onde se lê:? {_Q},? deve ler-se:? {_Q}"),
    ("words", rf"{_T}{_OF}, a expressão {_Q} é substituída por {_Q}"),
    ("delay", rf"(?:a (?:alteração|nova redação)|o disposto|o aditamento) {_T}{_OF} (?:só )?"
        rf"(?:produz efeitos|entra em vigor) {_DATE}"),
    ("force", rf"(?:[oa] presente [^,;\x01]*?|[oa] mesm[oa]) entra em vigor {_DATE}"),
)  # fmt: skip
_FORMS: Final = tuple((kind, re.compile(rf"^{form}$", re.IGNORECASE)) for kind, form in _WRITTEN)
_list: Final = re.compile(rf"{_N}|[a-z]{{1,3}}(?=\))")


def read_act(content: bytes) -> Act:
    """What an act does, in its order. Raises: Malformed, of a file that is no text."""
    source = source_of(content)
    plain, quoted = _without_quotes(source)
    operations: list[Operation] = []
    delays: list[tuple[Target, date]] = []
    unresolved: list[Sentence] = []
    others: list[Sentence] = []
    in_force: date | None = None
    for one in _sentences(plain):
        read = _read(one, quoted)
        if isinstance(read, Operation):
            operations.append(read)
        elif isinstance(read, date):
            in_force = read
        elif isinstance(read, tuple):
            delays += read
        else:
            (unresolved if _AMENDS(one.words) else others).append(_shown(one, quoted))
    return Act(tuple(operations), in_force, tuple(delays), tuple(unresolved), tuple(others))


def _without_quotes(source: str) -> tuple[str, list[str]]:
    """An act with a mark in the place of each quotation, and what is quoted."""
    plain, quoted, depth, begun = list[str](), list[str](), 0, 0
    for at, sign in enumerate(source):
        if sign in "«“":
            begun = begun if depth else at + 1
            depth += 1
        elif sign in "»”" and depth:
            depth -= 1
            if not depth:
                lines = source.count("\n", begun, at)
                plain.append(f"\x01{len(quoted)}\x02" + "\x03" * lines)
                quoted.append(source[begun:at].strip("\n"))
        elif not depth:
            plain.append(sign)
    if depth:  # never closed: nothing after it can be told apart
        plain.append(source[begun - 1 :])
    return "".join(plain), quoted


_short: Final = re.compile(r"\bn\.?\s?(?:ºs|os|º|o)\s(?=\d)|\bn\.os\s", re.IGNORECASE)
_ordinal: Final = re.compile(r"(\d+)\.?[ºª]")
_before_quotation: Final = re.compile(r":\s*\n\s*(?=\x01)")
_heading: Final = re.compile(r"artigo \d+(?:-[A-Z])?|artigo único", re.IGNORECASE)


def _plainly(words: str) -> str:
    """Words in one line, `n.º 2` as `n 2`, `artigo 3.º` as `artigo 3`."""
    line = " ".join(words.replace("\x03", "").split())
    line = _ordinal.sub(r"\1", line)
    return re.sub(r"\bart\.\s?", "artigo ", _short.sub("n ", line), flags=re.IGNORECASE)


def _sentences(plain: str) -> Iterator[Sentence]:
    """The sentences outside quotations; the act's own articles' headings are none."""
    line, headed = 1, False
    # A quotation belongs to the sentence that ends before it.
    plain = _before_quotation.sub(lambda found: ": " + "\x03" * found[0].count("\n"), plain)
    for block in re.split(r"(\n[ \t]*\n)", plain):
        lines = block.split("\n")
        kept = list[str]()
        for one in lines:
            words = _plainly(one)
            if _heading.fullmatch(words):
                headed = True
            elif headed and words and not re.search(r"[.:;\x02]$", words) and len(words) < 80:
                headed = False  # its caption
            elif words:
                headed = False
                kept.append(re.sub(r"^(?:\d+|[a-z]\)) ?[-–.)] ", "", words))
        begins = line
        line += block.count("\n") + block.count("\x03")
        for words in re.split(
            r"(?<=[.;])\s+(?=[A-ZÀ-Ú])|(?<=\x02)\.?\s+(?=[A-ZÀ-Ú])", " ".join(kept)
        ):
            if words.strip(" .;"):
                yield Sentence(begins, words.strip(" .;"))


def _read(
    sentence: Sentence, quoted: Sequence[str]
) -> Operation | date | tuple[tuple[Target, date], ...] | None:
    """What a sentence does; None where it is of no form."""
    for kind, form in _FORMS:
        found = form.match(sentence.words)
        if not found:
            continue
        groups = found.groupdict()
        named = targets_in(groups.get("targets") or "")
        if kind == "force":
            return _day(groups)
        if kind == "delay":
            day = _day(groups)
            return tuple((one, day) for one in named if day is not None) or None
        if kind == "into":
            named = _into(groups["new"], named)
        if named:
            marks = [quoted[int(one)] for one in re.findall(_Q, sentence.words)]
            return Operation(
                "insert" if kind == "into" else kind,
                named,
                sentence.line,
                wording=marks[-1] if marks else "",
                old=marks[0] if kind == "words" else "",
                number=groups.get("number") or "",
            )
    return None


def targets_in(words: str) -> tuple[Target, ...]:
    """Every target of a list in an act's words; none, unless all of the words are understood."""
    for unit in (_unit, _numbered):
        found, at = list[Target](), 0
        while match := unit.match(words, at):
            found += _named(match.groupdict())
            at = match.end()
            if at == len(words):
                return tuple(found)
            joined = re.match(_JOIN, words[at:])
            if not joined:
                break
            at += joined.end()
    return ()


def _named(groups: dict[str, str | None]) -> Iterator[Target]:
    articles = _list.findall(groups["articles"] or "")
    paragraphs = _list.findall(groups["paragraphs"] or "") or [""]
    items = _list.findall(groups["items"] or "") or [""]
    for article in articles:
        for paragraph in paragraphs:
            for item in items:
                yield Target(article, paragraph, item)


def _into(new: str, named: tuple[Target, ...]) -> tuple[Target, ...]:
    """`o n.º 3` and `ao artigo 5.º` as the paragraph it becomes; letters likewise."""
    if len(named) != 1:
        return ()
    (above,) = named
    listed = _list.findall(new)
    if re.match(r"[oa]s? n ", new, re.IGNORECASE):
        return tuple(Target(above.article, one) for one in listed)
    return tuple(Target(above.article, above.paragraph, one) for one in listed)


def _day(groups: dict[str, str | None]) -> date | None:
    month = _MONTHS.index((groups["month"] or "").lower()) + 1
    try:
        return date(int(groups["year"] or 0), month, int(groups["day"] or 0))
    except ValueError:
        return None


def _shown(sentence: Sentence, quoted: Sequence[str]) -> Sentence:
    def words(match: re.Match[str]) -> str:
        return f"«{' '.join(quoted[int(match[1])].split())}»"

    return sentence._replace(words=re.sub(_Q, words, sentence.words))
