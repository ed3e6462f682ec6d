"""What the verifier's tests may ask for."""

import pytest

from audit.verifier import canonical


@pytest.fixture(params=["orjson", "json"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test runs twice: with the quick reader of JSON, and as if it were not installed."""
    if request.param == "json":
        monkeypatch.setattr(canonical, "_quick", None)
    assert (canonical._quick is None) == (request.param == "json")
    return str(request.param)
