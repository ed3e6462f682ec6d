"""Pictures as a camera writes them, byte by byte: where they were taken, what stands behind."""

import struct
import zlib

WHERE = b"GPS 38.7169 N 9.1399 W"  # what nobody should find again
MARKUP = b"<html><script>alert(1)</script></html>"


def segment(marker: int, content: bytes) -> bytes:
    """A segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def jpeg(
    *notes: bytes, scan: bytes = b"\x12\xff\x00\x34\xff\xd0\x56", behind: bytes = b""
) -> bytes:
    """A JPEG of two scans, `notes` behind its first marker, `behind` behind its last."""
    body = segment(0xDB, b"\x00" + bytes(64)) + segment(0xC2, bytes(15))
    scans = (
        segment(0xDA, bytes(6)) + scan + segment(0xC4, bytes(17)) + segment(0xDA, bytes(6)) + scan
    )
    jfif = segment(0xE0, b"JFIF\x00" + bytes(9))
    return b"\xff\xd8" + jfif + b"".join(notes) + body + scans + b"\xff\xd9" + behind


NOTED = (
    segment(0xE1, b"Exif\x00\x00" + WHERE),
    segment(0xE1, b"http://ns.adobe.com/xap/1.0/\x00" + WHERE),
    segment(0xE2, b"MPF\x00" + WHERE),
    segment(0xED, b"Photoshop 3.0\x00" + WHERE),
    segment(0xFE, WHERE),
)
COLOURS = (segment(0xE2, b"ICC_PROFILE\x00\x01\x01" + bytes(8)), segment(0xEE, b"Adobe" + bytes(7)))


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )


def png(*notes: bytes, behind: bytes = b"") -> bytes:
    """A PNG of one point that any browser shows."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(b"\x00\x20\x80\x40"))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(notes) + data + chunk(b"IEND", b"") + behind


PNG_NOTED = (
    chunk(b"tEXt", b"Location\x00" + WHERE),
    chunk(b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + WHERE),
    chunk(b"eXIf", WHERE),
    chunk(b"tIME", WHERE[:7]),
)
PNG_COLOURS = (chunk(b"gAMA", bytes(4)), chunk(b"tRNS", bytes(6)))
