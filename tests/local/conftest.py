"""What the launcher's tests may ask for."""

import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from casino.local.local_places import open_folder
from tests.local.processes import running_with


@pytest.fixture
def state() -> Generator[Path]:
    """A folder for a house; afterwards nothing of it runs and nothing of it is left."""
    folder = open_folder(Path(tempfile.mkdtemp(prefix="livro-house-")))
    yield folder
    left = running_with(str(folder))
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder)
    assert not left, "the house left processes behind"
