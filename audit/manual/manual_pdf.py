"""A manual's PDF, set as reports are: in a process of its own, with our fonts, accessible.

It is made when it is asked for first, and kept by the process that made it.
"""

from functools import cache
from typing import Final

from audit.manual.manual_texts import BY_NAME, PICTURES, blocks_of
from audit.reports.typesetting import in_a_process
from casino import __version__
from casino.tlog.canonical import canonical

# A document says when it was made; a manual is of its version, and the same bytes every time.
MADE: Final = "2026-11-27T12:00:00+00:00"
_WORDS: Final = {
    "pt": {"contents": "Índice", "page": "Página", "of": "de", "version": "versão"},
    "en": {"contents": "Contents", "page": "Page", "of": "of", "version": "version"},
}


@cache
def pdf_of(name: str) -> bytes:
    """Raises: KeyError, where there is no such manual; NotTypeset."""
    manual, blocks = BY_NAME[name], blocks_of(name)
    document = {
        "manual": name,
        "title": manual.title,
        "language": manual.language,
        "words": _WORDS[manual.language],
        "version": __version__,
        "guide": manual.is_guide,
        "issued": {"at": MADE},
        "blocks": list(blocks),
    }
    texts = {"report.json": canonical(document)}
    for block in blocks:
        if "picture" in block:
            file = f"{block['picture']}.jpg"
            texts[file] = (PICTURES / file).read_bytes()
    return in_a_process(texts)
