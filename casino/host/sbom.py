"""What a version is made of, as a bill of materials in CycloneDX (1.5, JSON): ``make release``.

Made from the locks alone: every package with its version and the digests any file of it may have.
The same locks give the same bytes.
"""

import json
import re
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from casino import __version__

_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def pinned(lock: str) -> list[tuple[str, str, list[str]]]:
    """Each package of a lock: its name, its version, the SHA-256 of each of its files, in hex.

    Raises: ValueError, for one without a digest.
    """
    found: list[tuple[str, str, list[str]]] = []
    for line in lock.splitlines():
        if pin := _PIN.match(line):
            found.append((pin[1].lower(), pin[2], []))
        if found:
            found[-1][2].extend(_HASH.findall(line))
    for name, version, digests in found:
        if not digests:
            raise ValueError(f"{name} {version} is locked without a digest (make locks)")
    return found


def bill(lock: str) -> str:
    """The bill of what a lock installs, as JSON. Raises: ValueError."""
    parts = pinned(lock)
    house = f"livro-da-sala@{__version__}"
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            # A package has a file for each kind of machine: any of these may be the one installed.
            "properties": [{"name": "livro:sha256", "value": digest} for digest in digests],
        }
        for name, version, digests in sorted(parts)
    ]
    value = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, house + lock)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": house,
                "name": "livro-da-sala",
                "version": __version__,
            }
        },
        "components": components,
        "dependencies": [
            {"ref": house, "dependsOn": [str(one["bom-ref"]) for one in components]},
        ],
    }
    return json.dumps(value, indent=1) + "\n"


def write(checkout: Path, folder: Path) -> list[Path]:
    """A bill for each lock the house is installed with. Raises: ValueError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, lock in (("server", "requirements/server.txt"), ("run", "requirements.txt")):
        file = folder / f"livro-da-sala-{__version__}-{name}.cdx.json"
        file.write_text(bill((checkout / lock).read_text("utf-8")), "utf-8")
        written.append(file)
    return written
