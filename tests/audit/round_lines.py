"""Rounds as lines of a file, and the command run on them as somebody at a terminal would."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.core.management import CommandError, call_command

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = "postgres://nobody@nowhere.invalid:1/nothing"
WON = 2000  # what a stake of 1000 that won brings back


class Ran(NamedTuple):
    """How a run ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """What was written as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The records of one kind."""
        return [record for record in self.records if record["record"] == kind]

    @property
    def summary(self) -> dict[str, Any]:
        """The last record."""
        return self.records[-1]


def round_id(n: int) -> str:
    """A round's id, made of its number."""
    return str(UUID(int=n + (1 << 100), version=4))


def a_round(n: int = 1, returned: int = WON, **fields: Any) -> dict[str, Any]:
    """Box 4 stands on 19 against the bank's 18: its stake of 10,00 wins."""
    record: dict[str, Any] = {
        "schema": "round/1",
        "round": round_id(n),
        "table": "BJ-06",
        "partida": "BJ-06/2026-11-20/1",
        "rulebook": "pt",
        "boxes": [
            {
                "box": 4,
                "holder": "J4",
                "vacant": False,
                "hands": [{"hand": 1, "cards": ["TS", "9D"], "actions": ["stand"]}],
                "wagers": [a_wager(returned)],
            }
        ],
        "bank": {"cards": ["TC", "8H"], "voided": []},
        "misdealt": [],
    }
    return {name: value for name, value in {**record, **fields}.items() if value is not None}


def a_wager(returned: int, **fields: Any) -> dict[str, Any]:
    """The stake of 10,00 on box 4."""
    wager = {"owner": "J4", "seat": 4, "kind": "main", "hand": 1, "stake_cents": 1000}
    return {**wager, "returned_cents": returned, **fields}


def undecided_round(n: int = 1) -> dict[str, Any]:
    """Nothing is wrong with it, but a jackpot's terms are not in the record."""
    record = a_round(n)
    chip = {"owner": "J4", "kind": "jackpot", "chip": 1, "stake_cents": 250, "returned_cents": 0}
    record["boxes"][0]["wagers"].append(chip)
    return record


def breach_of_play(n: int = 1) -> dict[str, Any]:
    """Box 4 asks for a card at 21, and the card leaves it at 21."""
    record = a_round(n)
    cards = ["TS", "6D", "5C", "TD"]
    record["boxes"][0]["hands"] = [{"hand": 1, "cards": cards, "actions": ["hit", "hit"]}]
    record["boxes"][0]["wagers"] = [a_wager(0)]
    return record


def written(path: Path, *records: dict[str, Any] | bytes) -> str:
    """A file with these lines; bytes stand in it as they are."""
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return str(path)


def reconcile(*args: str) -> Ran:
    """The command, run here with one worker."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    try:
        call_command("reconcile_file", *args, "--workers", "1", stdout=out, stderr=err)
    except SystemExit as end:
        code = end.code
    except CommandError as error:
        code, message = error.returncode, f"{error}\n"
        return Ran(code, out.getvalue(), err.getvalue() + message)
    return Ran(code, out.getvalue(), err.getvalue())


def command(*args: str) -> list[str]:
    """The command line of a process of its own."""
    return [sys.executable, "manage.py", "reconcile_file", *args]


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a process of its own: no database, no key."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "DATABASE_URL": NOWHERE, **more}


def run_process(*args: str, **more: Any) -> Ran:
    """The command in a process of its own."""
    options: dict[str, Any] = {"cwd": ROOT, "env": surroundings(), "timeout": PATIENCE, **more}
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run(command(*args), stderr=subprocess.PIPE, **options)
    return Ran(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())
