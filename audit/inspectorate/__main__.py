"""`python -m audit.inspectorate`: witness and mirror casinos' logs, and judge what they recorded.

Exit: 0 well, 1 something contradicts a casino or differs from its findings, 3 bad input.
"""

import argparse
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from audit.inspectorate import supervised
from audit.inspectorate.inspectorate_report import report_text
from audit.inspectorate.inspectorate_words import LANGUAGES, say
from audit.inspectorate.log_mirror import NotFollowed, ask_others, compare_checkpoints, follow
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.second_judgement import SecondJudgement
from audit.inspectorate.supervised import SETTINGS, BadSettings, Inspectorate
from audit.inspectorate.witness_desk import Desk
from casino.bounded_http import Unanswered
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import keep_also
from casino.tlog.note import COSIGNATURE

HOME: Final = ".local/inspectorate"
EVERY: Final = 30.0  # seconds between two turns of following
REST: Final = 10  # times as long as judging takes it rests; the first look judges all rounds
NAME: Final = "inspectorate.invalid/demo"
RULEBOOKS: Final = "rulebooks"


def parser() -> argparse.ArgumentParser:
    """What may be typed."""
    top = argparse.ArgumentParser(prog="python -m audit.inspectorate", description=__doc__)
    top.add_argument("--home", type=Path, default=Path(HOME), help="the inspectorate's folder")
    top.add_argument("--language", choices=LANGUAGES, default="pt")
    commands = top.add_subparsers(dest="command")
    init = commands.add_parser("init", help="make the folder and a key, once")
    init.add_argument("name", help="as inspectorate.example/w1")
    add = commands.add_parser("add", help="follow a casino's log")
    add.add_argument("url", help="its prefix, as https://livro.example/log")
    add.add_argument("--key", required=True, help="the log's public key, name+id+base64")
    add.add_argument("--token-file", default="", help="the file with the token of the mirror")
    commands.add_parser("mirror", help="fetch what is new, once")
    judge = commands.add_parser("judge", help="judge the mirrored rounds, and compare findings")
    judge.add_argument("--from", dest="first", default="", help="gaming day, as 2026-11-20")
    judge.add_argument("--to", dest="last", default="9999")
    commands.add_parser("report", help="print what is known")
    commands.add_parser("serve", help="witness over HTTP, and mirror and judge meanwhile")
    return top


def announce(line: str) -> None:
    """Say a line to whoever typed the command."""
    print(line, flush=True)  # noqa: T201


def turn(inspectorate: Inspectorate, language: str) -> None:
    """Follow every casino, ask the other witnesses. What cannot be believed is kept."""
    with closing(Store(inspectorate.home)) as store:
        for origin, casino in inspectorate.casinos.items():
            try:
                held = follow(store, casino)
                announce(say(language, "followed", origin=origin, held=held))
            except NotFollowed as error:
                store.note_trouble(origin, error.code, error.details, *error.notes)
                announce(say(language, error.code, **error.details))
            except Unanswered as error:
                announce(say(language, "away", what=error))
        for what in ask_others(store, inspectorate):
            announce(say(language, "away", what=what))
        for origin in inspectorate.casinos:
            compare_checkpoints(store, origin)


def judge_all(inspectorate: Inspectorate, before: dict[str, SecondJudgement]) -> None:
    """Judge what was mirrored of every casino, going on from what was judged `before` of it."""
    with closing(Store(inspectorate.home)) as store:
        for origin in inspectorate.casinos:
            judgement = before.setdefault(origin, SecondJudgement())
            result = judgement.look(partial(store.entries, origin))
            store.put_comparison(origin, result)


def report(inspectorate: Inspectorate, language: str) -> int:
    """Print what is known; the exit code."""
    with closing(Store(inspectorate.home)) as store:
        announce(report_text(store, inspectorate, language).rstrip("\n"))
        for origin in inspectorate.casinos:
            compared = store.comparison(origin)
            differs = compared is not None and (compared[0]["missing"] or compared[0]["unfounded"])
            if differs or store.troubles(origin):
                return 1
    return 0


def serve(home: Path, language: str, stopping: threading.Event) -> None:
    """Witness until asked to stop; mirror, and judge what grew."""
    with Desk(lambda: Inspectorate.open(home), language) as desk:
        threading.Thread(target=desk.serve_forever, daemon=True).start()
        host, port = desk.server_address[:2]
        announce(say(language, "serving", place=f"{host!s}:{port}"))
        try:
            _follow_on(home, language, stopping)
        finally:
            desk.shutdown()


def _follow_on(home: Path, language: str, stopping: threading.Event) -> None:
    judged: dict[str, int] = {}
    before: dict[str, SecondJudgement] = {}
    rested = 0.0
    while not stopping.is_set():
        inspectorate = Inspectorate.open(home)
        turn(inspectorate, language)
        with closing(Store(home)) as store:
            held = {origin: store.held(origin) for origin in inspectorate.casinos}
        if held != judged and time.monotonic() >= rested:
            began = time.monotonic()
            judge_all(inspectorate, before)
            judged = held
            rested = time.monotonic() + REST * (time.monotonic() - began)
        stopping.wait(EVERY)


def _keep_rulebooks(home: Path) -> None:
    """Judge by the rulebooks in the inspectorate's folder too: those casinos brought themselves.

    Raises: BadSettings.
    """
    if (home / RULEBOOKS).is_dir():
        try:
            keep_also(home / RULEBOOKS)
        except LawError as error:
            raise BadSettings(str(error)) from error


def obey(options: argparse.Namespace) -> int:
    """Run one command; the exit code. Raises: BadSettings."""
    home, language = options.home, options.language
    begins = options.command in (None, "serve", "add") and not (home / SETTINGS).exists()
    if options.command == "init" or begins:
        supervised.begin(home, getattr(options, "name", NAME))
        inspectorate = Inspectorate.open(home)
        announce(say(language, "began", home=home))
        vkey, place = (
            inspectorate.key.verifier(COSIGNATURE).text(),
            ":".join(map(str, inspectorate.listen)),
        )
        announce(f"witness inspectorate {vkey} http://{place}")
    if options.command == "add":
        casino = supervised.add(home, options.key, options.url, options.token_file)
        announce(say(language, "added", origin=casino.origin, url=casino.url))
    inspectorate = Inspectorate.open(home)
    _keep_rulebooks(home)
    if options.command == "mirror":
        turn(inspectorate, language)
    if options.command == "judge":
        days = options.first, options.last
        judge_all(inspectorate, {one: SecondJudgement(*days) for one in inspectorate.casinos})
    if options.command in ("mirror", "judge", "report"):
        return report(inspectorate, language)
    if options.command in (None, "serve"):
        serve(home, language, threading.Event())
    return 0


def main(arguments: list[str]) -> int:
    """Obey, and say in a line what is in the way."""
    try:
        return obey(parser().parse_args(arguments))
    except (BadSettings, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 3
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
