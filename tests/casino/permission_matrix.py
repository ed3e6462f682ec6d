"""Who may do what with every kind of record: the matrix typed by hand, and its addresses."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django.urls import reverse

from casino.web.entries.entry_page import PAGES


@cache
def matrix() -> dict[str, Any]:
    path = Path(__file__).parent.parent / "permissions.toml"
    return tomllib.loads(path.read_text("utf-8"))


def rows() -> list[tuple[str, dict[str, Any]]]:
    return [(kind, row) for row in matrix()["row"] for kind in row["kinds"]]


def address(kind: str, what: str) -> str:
    reverse("admin:index")
    return reverse(f"{PAGES[kind].removesuffix('_change')}_{what}")
