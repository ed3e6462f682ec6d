"""`python -m audit.verifier BUNDLE`; or, elsewhere, `python verifier/ BUNDLE`, or one .pyz."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType

PACKAGE = "livro_da_sala_verifier"
BROKEN = "verifier: interrompido por uma falha, nada se pode dizer / it failed, nothing can be said"


def run() -> int:
    """The command, whatever it was started as.

    What nobody foresaw ends with 3, for Python's own 1 would accuse the house.
    """
    try:
        code = _command()
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as trouble:
        _print_line(f"{BROKEN}: {type(trouble).__name__}: {trouble}")
        return 3
    return code


def _command() -> int:
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


def _print_line(text: str) -> None:
    """One line, if it can be; what waits to be printed and cannot be is let go."""
    line = "".join(each if each.isprintable() else " " for each in text)[:300]
    with suppress(Exception):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # at its end Python would try once more, and say 120
            with suppress(Exception):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(run())
