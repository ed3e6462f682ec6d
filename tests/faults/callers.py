"""Which tests come through which functions of the program."""

import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from tests.gate import ROOT

ENOUGH: Final = 50_000  # calls of one test that are listened to: what comes later came before


class Callers:
    """A plug-in of pytest: keeps, for each function, the tests that called it."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)
        self._places: dict[int, tuple[CodeType, str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Listen while one test runs, its fixtures included."""
        called: dict[int, CodeType] = {}
        left = ENOUGH

        def listen(frame: FrameType, event: str, _: Any) -> None:
            nonlocal left
            if event == "call":
                called[id(frame.f_code)] = frame.f_code
                left -= 1
                if not left:
                    sys.setprofile(None)

        sys.setprofile(listen)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            for place in {self._place(code) for code in called.values()} - {""}:
                self.tests[place].append(item.nodeid)

    def _place(self, code: CodeType) -> str:
        """The file and the name of a function of the program, "" for any other."""
        if id(code) not in self._places:
            path = Path(code.co_filename)
            name = code.co_qualname.partition(".<locals>")[0]
            inside = path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "tests")
            place = f"{path.relative_to(ROOT)}:{name}" if inside else ""
            self._places[id(code)] = code, place
        return self._places[id(code)][1]
