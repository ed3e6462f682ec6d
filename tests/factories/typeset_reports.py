"""Reports made up, as their JSON: whatever texts, however many rows."""

from typing import Any

from audit.reports import report_cells as cells
from casino.tlog.canonical import canonical

WORDS = (
    *("checkpoint", "code_alt", "continued", "entries", "json", "json_what", "of", "page"),
    *("proofs_what", "root", "rules", "unsealed", "unsealed_why", "volume"),
)


def row(*texts: str, n: int = 0) -> dict[str, Any]:
    value: dict[str, Any] = {"cells": [cells.text(text) for text in texts]}
    return value | ({"entry": {"n": n, "stream": "table/BJ-01"}} if n else {})


def report(rows: list[dict[str, Any]], title: str = "Relatório") -> bytes:
    columns = [{"align": "left", "name": "O quê", "width": 50}] * 2
    section = {"columns": columns, "empty": "", "heading": "Registos", "level": 2}
    return canonical(
        {
            "about": [{"name": "Documento", "value": cells.text("REL-2026-000001")}],
            "checkpoint": {"origin": "book.example/1", "root": "a" * 64, "size": cells.whole(9)},
            "house": {"casino": "Casino", "holder": ""},
            "issued": {"at": "2026-11-26T06:00:00.123456+00:00", "by": "I-1"},
            "language": "pt",
            "number": "REL-2026-000001",
            "rules_sha256": "b" * 64,
            "sections": [
                section | {"level": 1, "pairs": [], "rows": [], "texts": ["Começo"]},
                section | {"pairs": [], "rows": rows, "texts": []},
            ],
            "title": title,
            "words": {word: word for word in WORDS},
        }
    )
