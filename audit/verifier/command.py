"""The command line: what is asked for, how far it has come, what came of it."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

from .compare import compare
from .envelope import is_minute
from .meter import CHOICES
from .report import BAD_INPUT, INTACT, TAMPERED, BadInput, Line, Report
from .verify import verify
from .words import (
    COMPARED,
    COPY_DAMAGED,
    EVENTS,
    LABELS,
    POOL_BROKEN,
    RECEIPT_DENIED,
    SEVERITY,
    SOUND,
    VERDICTS,
    WORDS,
)

LANGUAGES = ("pt", "en")
# What takes the worth from a verdict is said whatever was asked.
ALWAYS = {
    "demo-key",
    "epoch",
    "key-added",
    "key-named",
    "key-waits",
    "keys-from-bundle",
    "passkeys-unseen",
}
ORDER = ("note", "incomplete", "problem")  # what matters most is read last
STEP = 0.5  # seconds
MANY = 4  # processes; beyond, one that follows what they read is not quicker


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify, print, and give the exit code: 0 sound, 1 tampered, 2 incomplete, 3 bad input."""
    asked = _asked(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    report, refused = Report(), None
    progress = _Progress(sys.stderr, asked.language)
    try:
        if asked.compare:
            compare(asked.compare, asked.bundle, report)
        else:
            verify(
                asked.bundle,
                report,
                policy=asked.policy,
                receipts=asked.receipt,
                older=asked.older_checkpoint,
                progress=progress if sys.stderr.isatty() and not asked.quiet else _no_progress,
                processes=asked.processes,
                readings=sorted(asked.reading, key=lambda texts: texts[2]),
            )
    except BadInput as refusal:
        refused = Line(refusal.code, file=refusal.file)
    except (OSError, MemoryError) as trouble:
        refused = Line("not-readable", file=f"{asked.bundle} ({type(trouble).__name__})")
    except KeyboardInterrupt:
        refused = Line("interrupted", file=asked.bundle)
    progress.end()
    code = BAD_INPUT if refused else report.verdict()
    lines = [*report.lines, *([refused] if refused else [])]
    if asked.json:
        _say(json.dumps(_as_json(code, lines, report, asked.language), indent=1))
    else:
        _print(code, lines, report, asked)
    return code


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(
        prog="verifier",
        description="Verifica um pacote do livro, ou a prova de um registo, sem a casa."
        " / Verifies a bundle of the book, or the proof of one record, without the house.",
        epilog="0 nada o contradiz/nothing contradicts it, 1 adulterado/tampered,"
        " 2 prova incompleta/incomplete evidence, 3 entrada inválida/bad input",
    )
    parser.add_argument("bundle", metavar="BUNDLE|FILE.tlog-proof")
    parser.add_argument("--compare", metavar="OLDER")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE|TEXT")
    parser.add_argument("--policy", metavar="FILE")
    parser.add_argument("--older-checkpoint", action="append", default=[], metavar="FILE")
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    parser.add_argument("--processes", type=_count, default=min(_cores(), MANY), metavar="N")
    parser.add_argument(
        "--reading", action="append", default=[], type=_reading, metavar="NAME=CHOICE[@DAY]"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args(arguments)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:9]) > 0:
        raise ValueError(text)
    return int(text[:9])


def _reading(text: str) -> tuple[str, str, str]:
    """How n.º 50 is read, and from which gaming day on: odd-cent=house@2027-01-01."""
    wording, _, day = text.partition("@")
    name, _, choice = wording.partition("=")
    if choice not in CHOICES.get(name, ()) or (day and not is_minute(f"{day}T00:00".encode())):
        raise ValueError(text)
    return name, choice, day


def _cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def sentence(line: Line, language: str) -> str:
    """What is reported of one line."""
    text = WORDS[line.code][1 + LANGUAGES.index(language)]
    known: dict[str, object] = {"index": line.index, "stream": line.stream, "n": line.n}
    return _clean(text.format_map(_Dashes(known | line.details)))


def place(line: Line, language: str) -> str:
    """Where it was found."""
    texts = []
    if line.index is not None:
        texts.append(f"{LABELS['index'][LANGUAGES.index(language)]} {line.index}")
    if line.stream is not None:
        texts.append(f"{line.stream}/{line.n}")
    if line.file is not None:
        texts.append(line.file)
    return _clean(", ".join(texts))


class _Dashes(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return "—"


def _clean(text: str) -> str:
    """Nothing that moves the cursor or turns the direction of writing."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _print(code: int, lines: list[Line], report: Report, options: argparse.Namespace) -> None:
    at = LANGUAGES.index(options.language)
    if not options.quiet:
        for name, words in EVENTS.items():
            value = report.figures.get(name)
            for each in value if type(value) is list else [value]:
                if each is not None:
                    mark = _unlisted(each, report, at) if name == "keys" else ""
                    _say(f"{words[at]}: {_clean(str(each))}{mark}")
    for severity in ORDER:
        for line in lines:
            quiet = options.quiet and severity == "note" and line.code not in ALWAYS
            if SEVERITY[line.code] == severity and not quiet:
                texts = [LABELS[severity][at], place(line, options.language)]
                texts.append(sentence(line, options.language))
                _say(": ".join(each for each in texts if each))
        for name, count in report.counts.items():
            kept = sum(line.code == name for line in lines)
            if SEVERITY[name] == severity and count > kept:
                _say(f"{LABELS['more'][at].format(count=count - kept)} ({name})")
    _say(_verdict(code, report)[at])


def _unlisted(vkey: str, report: Report, at: int) -> str:
    """What is said beside a key that the list in hand does not have."""
    if vkey not in report.figures["keys_not_listed"]:
        return ""
    return f" ({LABELS['not-listed' if report.figures['own_policy'] else 'not-in-its-own'][at]})"


def _as_json(code: int, lines: list[Line], report: Report, language: str) -> dict[str, object]:
    return {
        "counts": report.counts,
        "facts": report.figures,
        "found": [
            {
                "code": line.code,
                "details": line.details,
                "file": line.file,
                "index": line.index,
                "n": line.n,
                "sentence": sentence(line, language),
                "severity": SEVERITY[line.code],
                "stream": line.stream,
            }
            for line in lines
        ],
        "sentence": _verdict(code, report)[LANGUAGES.index(language)],
        "verdict": code,
    }


def _verdict(code: int, report: Report) -> list[str]:
    """The last sentence, in each language."""
    if report.figures.get("compared") and code in COMPARED:
        return [*COMPARED[code]]
    if code == INTACT:
        name, figures = report.brought()
        return [each.format_map(figures) for each in SOUND[name]]
    wrong = report.only_wrong() if code == TAMPERED else set()
    special = {"copy": COPY_DAMAGED, "receipts": RECEIPT_DENIED, "pools": POOL_BROKEN}
    listed = [said for name, said in special.items() if name in wrong] or [VERDICTS[code]]
    return [" ".join(each) for each in zip(*listed, strict=True)]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _no_progress(done: int, size: int) -> None:
    pass


class _Progress:
    """How far it has come, on one line that is written again and again."""

    def __init__(self, out: TextIO, language: str) -> None:
        self.out, self.word = out, LABELS["progress"][LANGUAGES.index(language)]
        self.next, self.written = time.monotonic() + STEP, False

    def __call__(self, done: int, size: int) -> None:
        if time.monotonic() >= self.next:
            self.next, self.written = time.monotonic() + STEP, True
            self.out.write(f"\r{100 * done // max(size, 1):3d} %  {done} {self.word}")
            self.out.flush()

    def end(self) -> None:
        """Leave the line."""
        if self.written:
            self.out.write("\r\x1b[K")
