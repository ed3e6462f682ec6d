"""The signer's commands. Ends with 0; with 1 where it refuses; with 2 where a command is no use."""

import argparse
import logging
import os
import secrets
import signal
import sys
from types import FrameType

import psycopg

from casino.logs.log_lines import lines
from casino.signer import document_seals, keyring
from casino.signer.last import load
from casino.signer.rotating import retire
from casino.signer.signer_book import opened
from casino.signer.signer_files import PRIVATE, make_folder, write_whole
from casino.signer.signer_places import Places, must_be_ours, places
from casino.signer.signer_trouble import Refused, Trouble


def parser() -> argparse.ArgumentParser:
    """What may be typed."""
    top = argparse.ArgumentParser(prog="python -m casino.signer", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="sign until told to stop")
    commands.add_parser("init", help="make the folders, the log's name and its first key, once")
    commands.add_parser("status", help="say what was signed and whether the tree follows from it")
    commands.add_parser("adopt", help="sign on in a new epoch that two persons began in the book")
    key = commands.add_parser("key", help="change keys, one beside the other").add_subparsers(
        dest="what", required=True
    )
    key.add_parser("new", help="make a key that signs beside the others once two persons named it")
    seal = commands.add_parser("seal", help="the seal of documents").add_subparsers(
        dest="what", required=True
    )
    request = seal.add_parser("request", help="print a request for a certificate of the seal")
    request.add_argument("name", help="whose seal it is: the certificate's common name")
    retire = key.add_parser("retire", help="destroy a key whose successor two persons named")
    retire.add_argument("id", help="the key's id, 8 hex digits")
    return top


def announce(line: str) -> None:
    """Tell whoever typed the command, or reads the log."""
    print(line, flush=True)  # noqa: T201


def init(at: Places) -> None:
    """Make what is missing. Nothing that is there is changed. Raises: Trouble, OSError."""
    make_folder(at.home, 0o700)
    must_be_ours(at.home)
    for folder in (at.public, at.drop):
        make_folder(folder, 0o755)
    make_folder(at.keys, 0o700)
    if not at.origin.exists():
        if at.last.exists():
            raise Trouble(f"{at.last} is there and {at.origin} is not: put it back from a copy.")
        # Without a name of its own it is a demonstration, and every verifier says so.
        name = at.asked_origin or f"demo.invalid/{secrets.token_hex(6)}"
        write_whole(at.origin, f"{name}\n", PRIVATE)
    own = load(at.last, at.origin)
    if not keyring.are_there(at):
        if own.size:
            raise Trouble(
                f"{own.size} entries were signed and {at.keys} is empty: put the keys back from a"
                " copy. Without one, `key new` makes another, which two persons have to name."
            )
        keyring.add(at, own.origin)
    if own.origin.startswith("demo.invalid/"):
        document_seals.make_test_seal(at, own.origin)
    announce(f"The log is called {own.origin}. Its keys, for whoever verifies it:")
    for key in keyring.vkeys(keyring.load(at)):
        announce(key.text())


def run(at: Places) -> None:
    """Sign until SIGTERM or Ctrl-C. Raises: Trouble, psycopg.Error."""
    from casino.signer.signer_loop import run as sign_on

    stopping = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    announce("signer: at work")
    sign_on(at, lambda: stopping)
    announce("signer: stopped")


def status(at: Places) -> None:
    """Say where the signer stands. Raises: Refused, psycopg.Error, OSError."""
    from casino.signer.signer_state import report

    must_be_ours(at.home)
    for line in report(at):
        announce(line)


def adopt(at: Places) -> None:
    """Begin the epoch that the book tells of. Raises: Trouble, Refused, psycopg.Error, OSError."""
    from casino.signer.adopting import adopt as begin

    new = begin(at)
    announce(
        f"The log is called {new.origin} from here on; {new.size} entries are signed under it."
    )
    announce("Change LOG_ORIGIN where it is set, and record each key that bears the new name:")
    for key in keyring.vkeys(keyring.load(at)):
        announce(key.text())


def key_new(at: Places) -> None:
    """Make a key beside the others. Raises: Trouble, Refused, OSError."""
    must_be_ours(at.home)
    own = load(at.last, at.origin)
    key = keyring.add(at, own.origin, waits=True)
    announce(f"{key.verifier().text()}\nwaits. It signs once two persons have named it, beside:")
    for other in keyring.load(at):
        announce(other.verifier().text())
    announce("Now the administrator records it in the book (signing-key-named/2), with the key it")
    announce("replaces, and somebody of the management approves that. `key retire` destroys the")
    announce("old one as soon as a checkpoint signed by both covers the approval.")


def key_retire(at: Places, number: str) -> None:
    """Destroy a key that has a successor. Raises: Trouble, Refused, psycopg.Error, OSError."""
    must_be_ours(at.home)
    with opened(at) as book:
        retire(at, book, load(at.last, at.origin), number)
    announce(f"{number} signs no more: its private half is destroyed, what it signed stays valid.")


def seal_request(at: Places, name: str) -> None:
    """Print a request for a certificate of the seal. Raises: Trouble, OSError."""
    must_be_ours(at.home)
    announce(document_seals.request_certificate(at, name).rstrip())
    announce(f"Lay what the authority answers, those above it below, as {at.seal}/certificate.pem")


def obey(options: argparse.Namespace) -> None:
    """Run one command. Raises: Trouble, Refused, psycopg.Error, OSError."""
    at = places(os.environ)
    if options.command == "seal":
        seal_request(at, options.name)
        return
    if options.command == "key":
        if options.what == "new":
            key_new(at)
        else:
            key_retire(at, options.id)
        return
    {"run": run, "init": init, "status": status, "adopt": adopt}[options.command](at)


def main(arguments: list[str]) -> int:
    """Obey, and say in one line what is in the way."""
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(lines())
    logging.basicConfig(handlers=[to_stderr], level="INFO")
    try:
        obey(parser().parse_args(arguments))
    except Refused as refused:
        announce(f"REFUSES     {refused.why}")
        return 1
    except (Trouble, OSError, psycopg.OperationalError) as trouble:
        print(trouble, file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
