"""What the policy of the pages refuses."""

import re
from html.parser import HTMLParser


class Inline(HTMLParser):
    """Finds what the policy refuses: inline styles and scripts, handlers, foreign addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [f"{tag} {name}" for name in given if name == "style" or name[:2] == "on"]
        for name in ("src", "href", "action"):
            if re.match(r"(https?:)?//|javascript:", given.get(name) or ""):
                self.found.append(f"{tag} {name}={given[name]}")
        self._inside = tag if tag in ("style", "script") and "src" not in given else ""

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.found.append(f"<{self._inside}> {data.strip()[:40]}")
        self._inside = ""


def refused_in(page: str) -> list[str]:
    parser = Inline()
    parser.feed(page)
    return parser.found
