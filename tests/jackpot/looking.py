"""Somebody looks at a page: browsers of several people of one office, and what a page says."""

import re
from itertools import count
from typing import Any, Final

from django.test import Client

from tests.factories.people import somebody

_NEXT: Final = count(800)


def looks(office: str) -> Client:
    """A browser of one more person with that office."""
    return somebody(office, f"S-0{next(_NEXT)}")


def said(answer: Any, first: str, last: str = "</main>") -> str:
    """What a page says between two marks of it, in single spaces."""
    assert answer.status_code == 200
    body = answer.content.decode()
    part = body[body.index(first) :]
    part = part[: part.index(last)]
    text = re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", " ", part, flags=re.DOTALL))
    return " ".join(text.replace("\xa0", " ").split())
