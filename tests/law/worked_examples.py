"""The examples worked by hand: their names, and the rounds they judge."""

import json
from pathlib import Path

from casino.law.rulebook.rulebook_file import DATA

EXAMPLES = DATA / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))


def records(name: str, folder: Path = EXAMPLES) -> dict[str, bytes]:
    """The lines of one examples file by the id of their round."""
    lines = (folder / f"{name}.jsonl").read_bytes().splitlines()
    return {json.loads(line)["round"]: line for line in lines}
