"""`python -m audit.verifier BUNDLE`; or, elsewhere, `python verifier/ BUNDLE`, or one .pyz."""

import sys
from importlib import import_module
from types import ModuleType

PACKAGE = "livro_da_sala_verifier"


def run() -> int:
    """The command, whatever it was started as."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it is run wherever an inspector has a Python
        sys.stderr.write("Python 3.11 ou mais recente / Python 3.11 or newer\n")
        return 3
    name = __package__
    if not name:
        package = ModuleType(PACKAGE)
        package.__path__ = [sys.path.pop(0)]  # nothing else is looked for in here
        sys.modules[PACKAGE] = package
        name = PACKAGE
    try:
        command = import_module(f"{name}.command")
    except ModuleNotFoundError as missing:
        sys.stderr.write(f"pip install {missing.name}\n")
        return 3
    code: int = command.main()
    return code


if __name__ == "__main__":
    sys.exit(run())
