"""What an inspector carries, packed: ``python -m audit.offline_programs FOLDER``.

The same sources give the same bytes, wherever and whenever they are packed: `make verifier` and
every evidence pack hand out these very files.
"""

import io
import json
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from zipfile import ZipFile, ZipInfo

from audit.cited_law import PACKED, bound

HERE: Final = Path(__file__).parent
SHEBANG: Final = b"#!/usr/bin/env python3\n"
MADE: Final = (2000, 1, 1, 0, 0, 0)  # the moment every file of an archive bears
MODE: Final = 0o100644 << 16
# What `audit.cited_law` reads a text with.
_READER: Final = (
    *(f"casino/{name}.py" for name in ("__init__", "events/__init__", "events/phrases")),
    *(f"casino/law/{name}.py" for name in ("__init__", "text/__init__", "text/legal_text")),
    *(f"casino/law/text/{name}.py" for name in ("read_text", "text_building", "text_citing")),
    *(f"casino/law/text/text_{name}.py" for name in ("headings", "lines", "numbers", "source")),
)
_START: Final = "import sys\n\nfrom {module} import run\n\nsys.exit(run())\n"


def programs() -> dict[str, bytes]:
    """Each program by the name of its file."""
    verify, draw = _START.format(module="verify.__main__"), "audit.sampling.__main__"
    tree = [HERE / "verify" / name for name in ("__init__.py", "tree.py")]
    sampling = {f"audit/sampling/{one.name}": one for one in _sources("sampling")}
    return {
        "livro-verify.pyz": _archive(
            {f"verify/{one.name}": one for one in _sources("verify")}, verify
        ),
        "livro-verifier.pyz": _archive({one.name: one for one in _sources("verifier")}),
        "livro-draw.pyz": _archive(
            {"audit/__init__.py": HERE / "__init__.py"}
            | sampling
            | {f"audit/verify/{one.name}": one for one in tree},
            _START.format(module=draw),
        ),
        "livro-law.pyz": _archive(
            {
                f"audit/{name}.py": HERE / f"{name}.py"
                for name in ("__init__", "attested", "cited_law")
            }
            | {name: HERE.parent / name for name in _READER},
            _START.format(module="audit.cited_law"),
            {f"audit/{PACKED}": json.dumps(bound(), ensure_ascii=False, sort_keys=True).encode()},
        ),
        "livro-attested.py": (HERE / "attested.py").read_bytes(),
    }


def _sources(folder: str) -> list[Path]:
    return list((HERE / folder).glob("*.py"))


def _archive(
    files: dict[str, Path], start: str = "", made: Mapping[str, bytes] | None = None
) -> bytes:
    """An archive Python runs; `start` is its ``__main__.py``, where none of its files is; `made`
    are files of it that lie nowhere.
    """
    texts = {name: path.read_bytes() for name, path in files.items()} | dict(made or {})
    if start:
        texts["__main__.py"] = start.encode()
    kept = io.BytesIO(SHEBANG)
    kept.seek(0, io.SEEK_END)
    with ZipFile(kept, "a") as archive:
        for name in sorted(texts):
            entry = ZipInfo(name, MADE)
            entry.external_attr = MODE
            entry.create_system = 3  # Unix, wherever it is packed
            archive.writestr(entry, texts[name])
    return kept.getvalue()


def main() -> None:
    """Write every program into the folder that is named, and say its digest."""
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    for name, data in programs().items():
        (place / name).write_bytes(data)
        (place / name).chmod(0o755)
        sys.stdout.write(f"{sha256(data).hexdigest()}  {place / name}\n")


if __name__ == "__main__":
    main()
