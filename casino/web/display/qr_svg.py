"""A text as a QR code, drawn as one path of an inline SVG: nothing a strict policy refuses."""

from typing import Final

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString

QUIET: Final = 4  # modules of empty ground around it, as the standard asks


def qr_svg(text: str, label: str) -> SafeString:
    """The SVG element; `label` says to whoever cannot see it what it is.

    Error correction M: what a creased slip still gives back. Raises: segno.DataOverflowError, for
    more than 2,300 bytes.
    """
    code = segno.make_qr(text, error="m", boost_error=False)
    rows = [bytes(row) for row in code.matrix]
    size = len(rows) + 2 * QUIET
    return format_html(
        '<svg class="qr" viewBox="0 0 {} {}" role="img" aria-label="{}"'
        ' shape-rendering="crispEdges"><rect class="qr-ground" width="{}" height="{}"/>'
        '<path class="qr-dark" d="{}"/></svg>',
        size,
        size,
        label,
        size,
        size,
        "".join(_runs(rows)),
    )


def _runs(modules: list[bytes]) -> list[str]:
    """Each run of dark modules as a rectangle one high."""
    drawn = []
    for y, row in enumerate(modules, start=QUIET):
        x = 0
        while x < len(row):
            if not row[x]:
                x += 1
                continue
            end = row.find(b"\x00", x)
            end = len(row) if end < 0 else end
            drawn.append(f"M{x + QUIET} {y}h{end - x}v1h-{end - x}z")
            x = end
    return drawn
