"""The reader in Go: built once a session, by the first worker that asks, from Debian's packages.

Nothing is fetched from a network.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MISSING_TOOL, REQUIRE_TOOLS
from tests.servers import one_at_a_time

SOURCES = Path(__file__).parent / "reader"
GOPATH = Path("/usr/share/gocode")
PACKAGES = GOPATH / "src/golang.org/x/mod/sumdb"
# What it said, and whether everything held.
Verdict = tuple[bool, str]
Reader = Callable[..., Verdict]


@pytest.fixture(scope="session")
def go_reader(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Call the reader (reader/main.go says how): ``go_reader("bundle", folder, *vkeys)``."""
    if not PACKAGES.is_dir():
        missing = f"{MISSING_TOOL}golang-golang-x-mod-dev"
        if REQUIRE_TOOLS:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    place = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        place = place.parent  # the workers' common one
    with one_at_a_time(place / "go"):
        if not (place / "go/reader").exists():
            build(place / "go")

    def ask(*asked: object) -> Verdict:
        command = [place / "go/reader", *map(str, asked)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode in (0, 1), done.stderr  # 2 is how Go ends when it panics
        return done.returncode == 0, done.stdout.strip()

    return ask


def build(place: Path) -> None:
    """Build it in this folder, which tells whether it was built."""
    environment = {name: value for name, value in os.environ.items() if name[:2] != "GO"}
    environment |= {"GO111MODULE": "off", "GOPATH": str(GOPATH), "GOCACHE": str(place / "cache")}
    environment |= {"GOPROXY": "off", "CGO_ENABLED": "0", "HOME": str(place)}
    built = subprocess.run(
        ["go", "build", "-o", str(place / "unfinished"), "."],
        cwd=SOURCES,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    (place / "unfinished").rename(place / "reader")
