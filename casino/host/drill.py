"""The weekly drill: a backup is made, restored beside the house, looked at, kept until the next.

Run as the account that may read everything, by `livro-drill.timer` or `livro drill`. What came of
it stands in a file the doctor reads.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from casino.host import plan

RESULT: Final = "last.json"
TAIL: Final = 2_000  # characters kept of what was said


def drill(announce: Callable[[str], None], place: Path = plan.DRILL) -> int:
    """Make a backup and see whether it gives the book back; 0 where it does, else the exit code of
    what failed.
    """
    fresh, last = place / "backup.new", place / "backup"
    shutil.rmtree(fresh, ignore_errors=True)
    said = []
    for words in (["backup", str(fresh)], ["restore_check", str(fresh)]):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "manage.py", *words], capture_output=True, text=True, check=False
        )
        said.append((done.stdout + done.stderr).strip())
        announce(said[-1])
        if done.returncode:
            break
    if not done.returncode:
        shutil.rmtree(last, ignore_errors=True)
        fresh.rename(last)
    result = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "exit": done.returncode,
        "said": "\n".join(said)[-TAIL:],
    }
    beside = place / f"{RESULT}.new"
    beside.write_text(json.dumps(result, ensure_ascii=False), "utf-8")
    os.replace(beside, place / RESULT)
    return done.returncode
