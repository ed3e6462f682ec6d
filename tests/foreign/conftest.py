"""The reader in Go: built once a session, from Debian's packages alone, without a network."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MISSING_TOOL, REQUIRE_TOOLS

SOURCES = Path(__file__).parent / "reader"
GOPATH = Path("/usr/share/gocode")
PACKAGES = GOPATH / "src/golang.org/x/mod/sumdb"
# What it said, and whether everything held.
Verdict = tuple[bool, str]
Reader = Callable[..., Verdict]


@pytest.fixture(scope="session")
def go_reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Call the reader (reader/main.go says how): ``go_reader("bundle", folder, *vkeys)``."""
    if not PACKAGES.is_dir():
        missing = f"{MISSING_TOOL}golang-golang-x-mod-dev"
        if REQUIRE_TOOLS:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    place = tmp_path_factory.mktemp("go")
    environment = {name: value for name, value in os.environ.items() if name[:2] != "GO"}
    environment |= {"GO111MODULE": "off", "GOPATH": str(GOPATH), "GOCACHE": str(place / "cache")}
    environment |= {"GOPROXY": "off", "CGO_ENABLED": "0", "HOME": str(place)}
    built = subprocess.run(
        ["go", "build", "-o", str(place / "reader"), "."],
        cwd=SOURCES,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr

    def ask(*asked: object) -> Verdict:
        done = subprocess.run(
            [place / "reader", *map(str, asked)], capture_output=True, text=True, timeout=120
        )
        assert done.returncode in (0, 1), done.stderr  # 2 is how Go ends when it panics
        return done.returncode == 0, done.stdout.strip()

    return ask
