"""The words of the law beside each finding of a copy of the book, without the house:

    python -m audit.cited_law COPY [--finding N] [--text FILE] [--language pt|en]

COPY is a bundle or an unpacked evidence pack (docs/bundle.md). An official text is one that an
entry of it names by its SHA-256, and it is read here again, by the reader the house uses. Which
entry stands under a signature is for `audit.verifier` to say, which is asked first.

It ends with 0 where every finding of an article has its words, 1 where a file is not the one that
was recorded, 2 where something is not in the copy, 3 where there is nothing to read.
"""

import argparse
import base64
import gettext
import json
import os
import pkgutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from audit.attested import LANGUAGES, Body, Book
from casino.events import Malformed
from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text
from casino.law.text.text_citing import Passage, article_of, passages_of

FINDINGS: Final = ("finding-raised/1", "finding-raised/2")
RECEIVED: Final = "regulation-text-received/1"
PACKED: Final = "bound.json"  # in the archive: what `bound` comes to when it is packed
FOLDERS: Final = ("private/attachments/{}", "../textos/{}.txt")  # where a copy has the file, by use
SAME, OTHER, MISSING, BAD = 0, 1, 2, 3
_UNREADABLE: Final = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "house": (
        "Constatações de controlos da casa, que nenhum artigo pede: {n}.",
        "Findings of the house's own controls, which no article asks for: {n}.",
    ),
    "none": (
        "Não há constatações de artigos nesta cópia.",
        "There is no finding of an article in this copy.",
    ),
    "no-text": (
        "FALTA: nesta cópia não se vê texto oficial de {rulebook} que vigorasse em {day}.",
        "MISSING: this copy shows no official text of {rulebook} in force on {day}.",
    ),
    "no-file": (
        "FALTA: o ficheiro do texto {sha256}. Dê-o com --text.",
        "MISSING: the file of the text {sha256}. Bring it with --text.",
    ),
    "no-article": (
        "FALTA: neste texto não se reconhece o artigo {article}.",
        "MISSING: in this text the article {article} is not recognised.",
    ),
    "other": (
        "OUTRO FICHEIRO: {file} não é o texto registado: o seu SHA-256 é {sha256}.",
        "ANOTHER FILE: {file} is not the text that was recorded: its SHA-256 is {sha256}.",
    ),
    "unreadable": (
        "Não se consegue ler {file}: {reason}",
        "{file} cannot be read: {reason}",
    ),
}
ENDS: Final[Mapping[int, tuple[str, str]]] = {
    SAME: (
        "Cada constatação tem as suas palavras. Se a cópia é do livro assinado, di-lo"
        " livro-verifier.pyz.",
        "Every finding has its words. Whether the copy is of the signed book, livro-verifier.pyz"
        " says.",
    ),
    OTHER: (
        "Um ficheiro não é o que foi registado.",
        "A file is not the one that was recorded.",
    ),
    MISSING: ("INCOMPLETO: falta o que está acima.", "INCOMPLETE: what is named above is missing."),
    BAD: ("ENTRADA INVÁLIDA: não se pode dizer nada.", "BAD INPUT: nothing can be said."),
}


class Lacking(Exception):
    """Words that cannot be shown: a code of WORDS, and its values."""

    def __init__(self, code: str, **values: str) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Received(NamedTuple):
    """An official text as an entry names it; `in_force` is a day, ``2026-03-01``, or ''."""

    stream: str
    n: int
    rulebook: str
    title: str
    sha256: str
    in_force: str


def bound() -> Body:
    """What the house says of its rulebooks, for whoever has none of its programs: articles by
    number, the parameter of each number of the text by eId, what each check asks and rests on.
    """
    from casino.law.check_registry import ALL_CHECKS
    from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids
    from casino.law.text.number_bindings import bindings_of
    from casino.law.text.text_bearing import bearing_of

    locale = Path(__file__).parent.parent / "locale"
    pt = gettext.translation("django", locale, ["pt_PT"]).gettext
    laws = {name: law_of_file(name) for name in rulebook_ids()}
    return {
        "checks": {
            name: [pt(rule.statement), str(rule.statement)]
            for name, rule in sorted(ALL_CHECKS.items())
        },
        "rulebooks": {
            name: {
                "articles": {
                    one.number: [one.heading_pt, one.heading_en] for one in law.articles.values()
                },
                "bearing": {
                    check: sorted(eids) for check, eids in sorted(bearing_of(name).items())
                },
                "cites": law.cites,
                "parameters": {
                    eid: [(str(each.value), each.parameter) for each in listed]
                    for eid, listed in bindings_of(name).items()
                },
            }
            for name, law in laws.items()
        },
    }


def _known() -> Body:
    try:
        packed = pkgutil.get_data("audit", PACKED)
    except OSError:
        packed = None
    known: Body = bound() if packed is None else json.loads(packed)
    return known


def proved_in(pack: Path) -> Iterator[Body]:
    """The entries that reports of an unpacked evidence pack cite with a proof.

    Raises: `_UNREADABLE`.
    """
    for file in sorted(pack.glob("relatorios/*.proofs.json")):
        for one in json.loads(file.read_bytes())["proofs"]:
            extra = next(x for x in one["proof"].split("\n") if x.startswith("extra "))
            yield json.loads(json.loads(base64.b64decode(extra[6:]))["entry"])


class Copy:
    """The findings and official texts of a copy, and the files of these. Raises: `_UNREADABLE`."""

    def __init__(self, place: Path, files: Sequence[Path]) -> None:
        inner = place / "livro"
        self.place = inner if inner.is_dir() else place
        self.book = Book(self.place)
        self.pack = place if inner.is_dir() else None
        self.brought = {sha256(data).hexdigest(): data for data in (f.read_bytes() for f in files)}
        proved = [] if self.pack is None else list(proved_in(self.pack))
        # A pack is of some findings; its stretch of the book may show others.
        self.of_pack = {(body["stream"], body["n"]) for body in proved if body["kind"] in FINDINGS}
        named = [*self.book.manifest(RECEIVED), *proved]
        self.received = sorted({_received(body) for body in named if body["kind"] == RECEIVED})
        self._read: dict[str, Text] = {}

    def findings(self) -> Iterator[Body]:
        """What each finding's entry says, in the copy's order; of a pack, those it is of."""
        for body in self.book.manifest(*FINDINGS):
            if not self.of_pack or (body["stream"], body["n"]) in self.of_pack:
                yield body

    def held(self, rulebook: str, day: str) -> Received | None:
        """The text of a rulebook in force on a day: the last to begin, and of one day the last
        received.
        """
        of_it = [one for one in self.received if one.rulebook == rulebook and one.in_force <= day]
        return max(of_it, key=lambda one: (one.in_force, one.n), default=None)

    def text(self, digest: str) -> Text:
        """The text itself, read. Raises: Lacking."""
        if digest not in self._read:
            self._read[digest] = read_text(self._file(digest))
        return self._read[digest]

    def _file(self, digest: str) -> bytes:
        if digest in self.brought:
            return self.brought[digest]
        for name in FOLDERS:
            file = self.place / name.format(digest)
            if file.is_file() and not file.is_symlink():
                data = file.read_bytes()
                if (found := sha256(data).hexdigest()) != digest:
                    raise Lacking("other", file=file.name, sha256=found)
                return data
        raise Lacking("no-file", sha256=digest)


def _received(body: Body) -> Received:
    payload = body["payload"]
    return Received(
        body["stream"],
        body["n"],
        payload["rulebook"],
        payload["title"],
        payload["file_sha256"],
        payload.get("in_force", ""),
    )


def say_words(
    copy: Copy, out: Callable[[str], object], language: str = "pt", only: int | None = None
) -> int:
    """Each finding of an article and the words it rests on; how it ends, see above."""
    at, known, ended = LANGUAGES.index(language), _known(), set[int]()
    of_house = shown = 0
    for body in copy.findings():
        if only is not None and body["n"] != only:
            continue
        finding = body["payload"]
        if finding["rulebook"] not in known["rulebooks"]:
            of_house += 1
            continue
        shown += 1
        for line in _finding_lines(body, known, at):
            out(line)
        try:
            for line in _law_lines(copy, finding, known, at):
                out(line)
        except Lacking as lacking:
            out("    " + WORDS[lacking.code][at].format(**lacking.values))
            ended.add(OTHER if lacking.code == "other" else MISSING)
    if of_house:
        out(WORDS["house"][at].format(n=of_house))
    if not shown:
        out(WORDS["none"][at])
    return OTHER if OTHER in ended else MISSING if ended else SAME


def _finding_lines(body: Body, known: Body, at: int) -> Iterator[str]:
    finding = body["payload"]
    book = known["rulebooks"][finding["rulebook"]]
    article = finding["article"]
    heading = book["articles"].get(article, ["", ""])[at]
    number = f"{book['cites']} {article}" if article.isdecimal() else article
    where = " · ".join(
        filter(None, (finding["rulebook"], number, heading, finding.get("table", "")))
    )
    yield f"{body['stream']} {body['n']}: {where} · {finding['gaming_day']}"
    check = known["checks"].get(finding["check"])
    yield f"    {finding['check']}: {check[at]}" if check else f"    {finding['check']}"


def _law_lines(copy: Copy, finding: Body, known: Body, at: int) -> Iterator[str]:
    """Raises: Lacking."""
    rulebook, day = finding["rulebook"], finding["gaming_day"]
    received = copy.held(rulebook, day)
    if received is None:
        raise Lacking("no-text", rulebook=rulebook, day=day)
    text = copy.text(received.sha256)
    article = article_of(text, finding["article"])
    if article is None:
        raise Lacking("no-article", article=finding["article"])
    book = known["rulebooks"][rulebook]
    parameters, bears = book["parameters"], book["bearing"].get(finding["check"], ())
    passages = passages_of(text, article, parameters, bears)
    yield f"    «{received.title}» ({received.stream} {received.n}; SHA-256 {received.sha256})"
    for one in passages:
        if one.bears:
            yield from _passage_lines(one)


def _passage_lines(passage: Passage) -> Iterator[str]:
    spans = " ".join(f"[{start}:{end}]" for start, end in passage.pieces)
    figures = "; ".join(f"«{one.written}» {one.parameter}" for one in passage.figures)
    yield "    " + " ".join(filter(None, (passage.eid, spans, figures)))
    words = f"{passage.label} {passage.words}".strip()
    yield textwrap.fill(words, 100, initial_indent="      ", subsequent_indent="      ")


def show(text: str) -> None:
    """Lines, with nothing in them that moves the cursor."""
    clean = "".join(
        each if each.isprintable() or each == "\n" else "\N{REPLACEMENT CHARACTER}" for each in text
    )
    sys.stdout.write(f"{clean}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. How it ends, see above."""
    parser = argparse.ArgumentParser(prog="livro-law.pyz")
    parser.add_argument("copy", type=Path, metavar="COPY", help="the folder of an evidence pack")
    parser.add_argument("--finding", type=int, metavar="N", help="the number of its entry")
    parser.add_argument(
        "--text",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a text that is not in it",
    )
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    asked = parser.parse_args(arguments)
    at = LANGUAGES.index(asked.language)
    try:
        code = say_words(Copy(asked.copy, asked.text), show, asked.language, asked.finding)
    except (Malformed, *_UNREADABLE) as trouble:
        show(WORDS["unreadable"][at].format(file=asked.copy, reason=trouble))
        code = BAD
    show(ENDS[code][at])
    return code


def run() -> int:
    """The command. A failure of its own ends with 3, for Python's 1 would accuse somebody."""
    try:
        code = main()
        sys.stdout.flush()
    except SystemExit as end:  # the command was not typed as it must be, or help was asked for
        return BAD if end.code else SAME
    except BaseException as trouble:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        sys.stderr.write(f"cited_law: {type(trouble).__name__}: {str(trouble)!a:.200}\n")
        return BAD
    return code


if __name__ == "__main__":
    sys.exit(run())
