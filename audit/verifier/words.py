"""What the verifier says, in Portuguese first and in English. No part of the core.

A sentence may name what was reported with its code; `{...}` that was not becomes a dash.
"""

from typing import Final

from .sentences_around import AROUND
from .sentences_book import BOOK
from .sentences_pools import POOLS

WORDS: Final = {**BOOK, **AROUND, **POOLS}
SEVERITY: Final = {code: severity for code, (severity, _, _) in WORDS.items()}

VERDICTS: Final = {
    0: (
        "INTACTO: nada foi alterado.",
        "INTACT: nothing was altered.",
    ),
    1: (
        "ADULTERADO: o que está acima não podia acontecer a um livro íntegro.",
        "TAMPERED: what is told above cannot happen to a sound book.",
    ),
    2: (
        "PROVA INCOMPLETA: nada contradiz o livro, mas falta o que está acima.",
        "INCOMPLETE EVIDENCE: nothing contradicts the book, but what is told above is missing.",
    ),
    3: (
        "ENTRADA INVÁLIDA: não se pode dizer nada.",
        "BAD INPUT: nothing can be said.",
    ),
}

# In place of 1 where nothing but pools is broken.
POOL_BROKEN: Final = (
    "ACUMULADO QUE NÃO BATE CERTO: o livro está inteiro, mas o que está acima não resulta dos seus"
    " registos.",
    "POOL DOES NOT COME OUT: the book is whole, but what is told above does not follow from its"
    " entries.",
)

# The lines of the summary, by the name of a fact.
FACTS: Final = {
    "origin": ("livro", "book"),
    "size": ("registos assinados", "entries signed"),
    "root": ("raiz", "root"),
    "entries": ("registos mostrados e verificados", "entries shown and verified"),
    "not_shown": ("registos não mostrados", "entries not shown"),
    "streams": ("séries", "streams"),
    "checkpoints": ("pontos de controlo", "checkpoints"),
    "newest": ("último momento", "last moment"),
    "keys": ("chaves do livro", "keys of the book"),
    "witnesses": ("testemunhas", "witnesses"),
    "witnessed": ("registos confirmados por testemunhas", "entries confirmed by witnesses"),
    "opened": ("valores privados abertos", "private values opened"),
    "withheld": ("valores privados não mostrados", "private values withheld"),
    "erased": ("valores privados apagados", "private values erased"),
    "files": ("anexos mostrados", "attachments shown"),
    "files_named": ("anexos nomeados", "attachments named"),
    "pools": ("acumulado, em euros (+ por pagar)", "pool, in euros (+ not yet paid)"),
    "index": ("índice", "index"),
    "stream": ("série", "stream"),
    "n": ("n.º", "number"),
    "entry": ("registo", "entry"),
}
# Other words.
LABELS: Final = {
    "problem": ("PROBLEMA", "PROBLEM"),
    "incomplete": ("FALTA", "MISSING"),
    "note": ("nota", "note"),
    "index": ("índice", "index"),
    "more": ("... e mais {count} do mesmo género", "... and {count} more of the kind"),
    "progress": ("verificados", "verified"),
}
