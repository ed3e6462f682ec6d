"""Runs a program of this package in a process of its own, which knows nothing of the house."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_CHECKOUT: Final = Path(__file__).resolve().parents[2]


def apart(
    module: str, sent: bytes, seconds: float, arguments: Sequence[str] = ()
) -> "subprocess.CompletedProcess[bytes]":
    """What ``python -m module`` makes of `sent` on its standard input, in so many seconds at most.

    Raises: subprocess.TimeoutExpired.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", module, *arguments],
        input=sent,
        capture_output=True,
        cwd=_CHECKOUT,
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=seconds,
        check=False,
    )
