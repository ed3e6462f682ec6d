"""HTML as a browser takes it: however its lines are broken, white space is one space or none."""

import re
from typing import Any, Final

BLOCK: Final = "div|p|section|ul|ol|li|dl|dt|dd|table|tr|td|th|form|fieldset|legend|h1|h2|h3|main"


def flat(html: Any) -> str:
    """A page, or an answer that holds one, on one line.

    No white space before the end of a tag, nor where a block begins or ends.
    """
    text = html if isinstance(html, str) else html.content.decode()
    text = re.sub(r" (?=/?>)", "", re.sub("[ \t\n]+", " ", text))
    text = re.sub(rf"(<(?:{BLOCK})\b[^<>]*>) ", r"\1", text)
    return re.sub(rf" (?=</(?:{BLOCK})>)", "", text)
