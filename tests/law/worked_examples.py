"""The examples worked by hand: their names, and the rounds they judge."""

import json
from pathlib import Path

EXAMPLES = Path(__file__).parent / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))


def records(name: str) -> dict[str, bytes]:
    """The lines of one examples file by the id of their round."""
    lines = (EXAMPLES / f"{name}.jsonl").read_bytes().splitlines()
    return {json.loads(line)["round"]: line for line in lines}
