"""What the tests of notes draw: names, keys, checkpoints; and every byte of a text changed."""

from collections.abc import Iterator
from typing import Final

from hypothesis import strategies as st

from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SigningKey

_SPACES: Final = "\x85\xa0\u1680\u2000\u2007\u2028\u2029\u202f\u205f\u3000"
CHARACTERS: Final = st.characters(
    min_codepoint=0x21, exclude_characters="+" + _SPACES, exclude_categories=("Cs", "Zs")
)
NAMES: Final = st.text(CHARACTERS, min_size=1, max_size=40)
KEYS: Final = st.builds(SigningKey, NAMES, st.binary(min_size=32, max_size=32))
MOMENTS: Final = st.integers(0, 2**63 - 1)
TEXTS: Final = st.text(
    st.characters(min_codepoint=0x20, exclude_categories=("Cs",)) | st.just("\n"), max_size=60
).map(lambda text: text + "\n")
CHECKPOINTS: Final = st.builds(
    Checkpoint, NAMES, st.integers(1, 2**63 - 1), st.binary(min_size=32, max_size=32)
)


def changed(text: str) -> Iterator[bytes]:
    """The text with each bit of each byte flipped, each byte left out, and each doubled."""
    data = text.encode()
    for at, byte in enumerate(data):
        for bit in range(8):
            yield data[:at] + bytes([byte ^ 1 << bit]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[: at + 1] + data[at:]
    yield data + b"\n"
    yield b""
