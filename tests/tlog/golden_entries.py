"""Entries whose bytes and leaves are written down for good."""

import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
_ENTRIES = (GOLDEN / "entries.txt").read_bytes().splitlines()

ENTRIES = [
    pytest.param(leaf, entry, id=json.loads(entry)["kind"])
    for leaf, entry in zip(_ENTRIES[::2], _ENTRIES[1::2], strict=True)
]
