"""What `make run` and its sisters do: the house on this machine, started, asked, forgotten."""

import argparse
import sys
from pathlib import Path

from casino import __version__
from casino.local.local_trouble import Trouble

PROGRAM = "python -m casino.local"


def parser() -> argparse.ArgumentParser:
    """What may be typed."""
    top = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    top.add_argument("--version", action="version", version=f"Livro da Sala {__version__}")
    commands = top.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="open the house: database, services, first page")
    run.add_argument("--only", metavar="NAMES", help="only these services, comma-separated")
    psql = commands.add_parser("psql", help="look into the book's database, as one of its roles")
    psql.add_argument("role", nargs="?", default="reader")
    manage = commands.add_parser("manage", help="run a command of manage.py with every address")
    manage.add_argument("words", nargs=argparse.REMAINDER)
    signer = commands.add_parser("signer", help="run a command of the signer, as its account")
    signer.add_argument("words", nargs=argparse.REMAINDER)
    commands.add_parser("forget", help="remove the database and everything else that was kept")
    keep = commands.add_parser("keep", help="keep a throwaway server while a process lives")
    keep.add_argument("home", type=Path)
    keep.add_argument("--while", dest="pid", type=int, required=True)
    keep.add_argument("--server", choices=("embedded", "debian"), default="embedded")
    return top


def obey(options: argparse.Namespace) -> int:
    """Run one command, and load no more than it needs. Raises: Trouble."""
    if options.command == "run":
        from casino.local.run_house import run

        return run(options.only)
    if options.command == "keep":
        from casino.local.keeper import keep

        keep(options.home, options.pid, options.server)
        return 0
    if options.command == "forget":
        from casino.local.forgetting import forget_all

        return forget_all()
    from casino.local import visit

    if options.command == "psql":
        return visit.psql(options.role)
    if options.command == "signer":
        return visit.signer(options.words)
    return visit.manage(options.words)


def main(arguments: list[str]) -> int:
    """The exit code is the command's own, or 1 with a text that says what is in the way."""
    try:
        return obey(parser().parse_args(arguments))
    except Trouble as trouble:
        print(trouble, file=sys.stderr)  # noqa: T201
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
