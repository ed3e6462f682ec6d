"""What is kept of a photograph, and what is none."""

from typing import Any

import pytest

from casino.events import Malformed
from casino.recording.attached_files import LARGEST_FILE
from casino.recording.photographs import BROKEN, NO_PHOTOGRAPH, photograph
from tests.factories.pictures import (
    COLOURS,
    MARKUP,
    NOTED,
    PNG_COLOURS,
    PNG_NOTED,
    WHERE,
    jpeg,
    png,
)


@pytest.mark.parametrize(
    ("taken", "kept"),
    [
        (jpeg(*NOTED, behind=WHERE), jpeg()),
        (jpeg(*COLOURS, *NOTED), jpeg(*COLOURS)),
        (png(*PNG_NOTED, behind=WHERE), png()),
        (png(*PNG_COLOURS, *PNG_NOTED), png(*PNG_COLOURS)),
        (jpeg(behind=MARKUP), jpeg()),
        (png(behind=b"PK\x03\x04" + MARKUP), png()),
    ],
)
def test_of_a_photograph_the_picture_is_kept_alone(taken: bytes, kept: bytes) -> None:
    assert photograph(taken).content == kept
    assert photograph(kept).content == kept


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a text that is called card.jpg", NO_PHOTOGRAPH),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', NO_PHOTOGRAPH),
        (MARKUP, NO_PHOTOGRAPH),
        (b"GIF89a" + MARKUP, NO_PHOTOGRAPH),
        (b"%PDF-1.7 a report", NO_PHOTOGRAPH),
        (b"", NO_PHOTOGRAPH),
        (b"\xff\xd8\xff\xe0" + MARKUP, BROKEN),
        (png()[:8] + MARKUP, BROKEN),
        (png().replace(b"IDAT", b"IDAU"), BROKEN),
        *[(jpeg()[:n], BROKEN) for n in (3, 20, 120, -2, -1)],
        *[(png()[:n], BROKEN) for n in (8, 20, -5, -1)],
    ],
)
def test_what_is_no_whole_picture_is_refused_in_words(content: bytes, why: Any) -> None:
    with pytest.raises(Malformed) as refused:
        photograph(content)
    assert refused.value.reason.template == why.template


def test_eight_megabytes_are_a_photograph_and_one_byte_more_is_none() -> None:
    full = jpeg(scan=bytes((LARGEST_FILE - len(jpeg(scan=b""))) // 2))
    assert photograph(full + bytes(LARGEST_FILE - len(full))).content == full
    with pytest.raises(Malformed, match="larger than 8 MB"):
        photograph(full + bytes(LARGEST_FILE + 1 - len(full)))
