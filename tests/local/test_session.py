"""The tests' own server: started when it is asked for, gone with the session however that ends."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator

import pytest

from casino.local.local_places import CHECKOUT
from tests.local.processes import running_with, wait_until_gone
from tests.patience import PATIENCE, wait_until
from tests.servers import quick_folder

# Whoever runs these tests in the background may have taught us to ignore Ctrl-C.
SESSION = """
import signal, sys, pytest
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(pytest.main(["-q", "-n", "1", "tests/local/sleeper.py"]))
"""


@pytest.fixture
def asleep() -> Generator[subprocess.Popen[bytes]]:
    """A session of its own, with a worker, whose one test sleeps."""
    values = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    with subprocess.Popen(
        [sys.executable, "-c", SESSION],
        cwd=CHECKOUT,
        env=values,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as session:
        folder = quick_folder() / f"livro-tests-{session.pid}"
        try:
            wait_until((folder / "embedded" / "ready").exists, "the server", needs=[session])
            yield session
        finally:
            if session.poll() is None:
                os.killpg(session.pid, signal.SIGKILL)
            shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.check
@pytest.mark.parametrize(
    "how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name
)
def test_the_server_ends_with_its_session(
    asleep: subprocess.Popen[bytes], how: signal.Signals
) -> None:
    folder = quick_folder() / f"livro-tests-{asleep.pid}"
    assert running_with(str(folder))
    asleep.send_signal(how)
    asleep.wait(PATIENCE)
    wait_until_gone(str(folder), "the server of the session")
    wait_until(lambda: not folder.exists(), "the end of the server's files")
