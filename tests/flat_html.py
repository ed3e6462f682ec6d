"""HTML as a browser takes it: however its lines are broken, white space is one space or none."""

import re
from typing import Any


def flat(html: Any) -> str:
    """A page, or an answer that holds one, on one line; no white space before the end of a tag."""
    text = html if isinstance(html, str) else html.content.decode()
    return re.sub(r" (?=/?>)", "", re.sub(r"\s+", " ", text))
