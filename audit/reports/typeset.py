"""Makes one volume's PDF in a process of its own: ``python -m audit.reports.typeset``.

Reads a zip of texts from its standard input (`report.json`, `frame.json`, `proofs.json`,
`code.svg`; of a manual `report.json` and its pictures) and writes the PDF to its standard output.
It is bounded in memory and time, uses no font and no package of the machine it runs on, and no
clock: the moment is that of the report.
Nothing of the house is imported here.
"""

import io
import json
import resource
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

HERE: Final = Path(__file__).parent
STANDARDS: Final = ["a-3a", "ua-1"]
MEMORY: Final = 2_000_000_000  # bytes of addresses; what is used is a third of it
SECONDS: Final = 45  # of the processor


def typeset(texts: dict[str, bytes]) -> bytes:
    """The PDF of one volume. Raises: typst.TypstError, where a text cannot be shown."""
    import typst

    report = json.loads(texts["report.json"])
    issued = datetime.fromisoformat(report["issued"]["at"])
    template = next((f"{one}.typ" for one in ("letter", "manual") if one in report), "report.typ")
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(HERE / "fonts")]
    )
    source: object = {"main.typ": (HERE / template).read_bytes(), **texts}
    with TemporaryDirectory() as folder:
        root = None
        if template == "manual.typ":  # pictures have to be files; of a report nothing is written
            root, source = folder, _written(texts, Path(folder), template)
        # Texts by name are taken as well; typst says so in its documentation, not in its types.
        compiled: bytes = typst.compile(  # type: ignore[call-overload]
            source,
            root=root,
            format="pdf",
            pdf_standards=STANDARDS,
            timestamp=issued.astimezone(UTC).replace(microsecond=0),
            font_paths=fonts,
        )
    return compiled


def _written(texts: dict[str, bytes], folder: Path, template: str) -> str:
    """Put them into a folder beside the template; the template's place there."""
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    (folder / template).write_bytes((HERE / template).read_bytes())
    return str(folder / template)


def main() -> None:
    """One volume, from the standard input to the standard output."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    with zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())) as packed:
        texts = {name: packed.read(name) for name in packed.namelist()}
    sys.stdout.buffer.write(typeset(texts))


if __name__ == "__main__":
    main()
