"""How to verify an evidence pack, in both languages: the texts that lie in it."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from audit.pages.page_words import PACK_WORDS
from audit.reports.report_entries import Asked

NAMES: Final = {"LEIA-ME.txt": "pt-pt", "README.txt": "en"}


def readmes(asked: Asked, *, whole: bool) -> dict[str, str]:
    """The texts by the names of their files; `whole`: the copy is of the whole book."""
    made = {}
    for name, language in NAMES.items():
        with override(language):
            made[name] = "\n".join([*_head(asked), *_files(asked), *_how(asked, whole), ""])
    return made


def _head(asked: Asked) -> list[str]:
    days = [date_format(one, "SHORT_DATE_FORMAT") for one in (asked.first, asked.last)]
    said = [str(PACK_WORDS[asked.pack]), asked.partida or asked.table]
    said.append(" – ".join(dict.fromkeys(days)))
    return [" · ".join(filter(None, said)), ""]


def _files(asked: Asked) -> list[str]:
    named: list[tuple[str, str]] = [
        ("manifesto/", _("the sealed list of all files, with their SHA-256: read this first")),
        ("relatorios/", _("the sealed reports; beside each its JSON and its proofs")),
        ("livro/", _("a copy of the entries of the book, with the signed tree and its keys")),
        ("listas/", _("the findings as data: CSV, JSON, spreadsheet")),
        ("programas/", _("the programs that verify, readable Python")),
        ("guardado/", _("the checkpoint you had kept")),
        ("SHA256SUMS", _("the SHA-256 of every file, for the command sha256sum")),
    ]
    if asked.pack.startswith("copy"):
        named = [one for one in named if one[0] not in ("relatorios/", "listas/")]
    if not asked.kept:
        named = [one for one in named if one[0] != "guardado/"]
    return [_("What is in it"), "", *[f"  {name:<13}{what}" for name, what in named], ""]


def _how(asked: Asked, whole: bool) -> list[str]:
    """Steps, each with its command, and what they rest on."""
    lines = [_("How to verify it"), ""]
    for number, (text, commands) in enumerate(_steps(asked, whole), start=1):
        lines += [*_wrapped(f"{number}. {text}"), *[f"     {one}" for one in commands], ""]
    said = [
        _(
            "The programs in here came with the pack. Whoever wants to rely on nothing in it takes"
            " them from a copy he had before: `make verifier` makes the same bytes."
        ),
        _("Private values are not in here: the book holds only what commits to them."),
    ]
    if not whole:
        said.append(
            _(
                "The copy shows a part of the book. What its entries refer to outside that part is"
                " told as a note, and is no fault."
            )
        )
    return [*lines, *[line for text in said for line in _wrapped(text)]]


def _wrapped(text: str) -> list[str]:
    return wrap(text, 96, break_long_words=False, break_on_hyphens=False)


def _steps(asked: Asked, whole: bool) -> list[tuple[str, Sequence[str]]]:
    kept = " --older-checkpoint guardado/checkpoint" if asked.kept else ""
    steps: list[tuple[str, Sequence[str]]] = [
        (
            _("Unpack the archive on your own computer. No network and no house is needed."),
            (),
        ),
        (
            _(
                "Everything at once: files, reports, proofs, book (Python 3.11 or newer, and the"
                " package cryptography):"
            ),
            ("pip install cryptography", f"python3 programas/livro-verifier.pyz .{kept}"),
        ),
        (
            _(
                "With what you hold yourself it proves more. Your own list of keys (policy), a"
                " checkpoint you kept, a receipt:"
            ),
            (
                "python3 programas/livro-verifier.pyz . --policy POLICY"
                " --older-checkpoint CHECKPOINT --receipt RECEIPT",
            ),
        ),
        (_("Without any program of ours, whether a file changed:"), ("sha256sum -c SHA256SUMS",)),
        (
            _(
                "The seal of the PDF files: with any reader of signed PDF files, or with pdfsig."
                " Whose certificate it is has to be known from elsewhere."
            ),
            ("pdfsig manifesto/manifesto.pdf",),
        ),
    ]
    if whole:
        steps.append(
            (
                _("The short program, to be read whole by whoever has to believe it:"),
                ("python3 programas/livro-verify.pyz livro",),
            )
        )
    return steps
