"""Lists the changes that can be planted in a function: ``python -m tests.faults FILE NAME``."""

import ast
import sys
from pathlib import Path

from tests.faults.changes import changed, scope, usual


def main(file: str, name: str) -> None:
    """Print each change and the lines it makes."""
    source = Path(file).read_text(encoding="utf-8")
    sound = set(ast.unparse(ast.parse(source)).splitlines())
    for change in usual(scope(ast.parse(source), name)):
        lines = ast.unparse(changed(source, name, change)).splitlines()
        new = [line.strip() for line in lines if line not in sound]
        sys.stdout.write(f"{change:24} {' / '.join(new)[:150]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
