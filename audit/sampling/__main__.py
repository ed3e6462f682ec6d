"""`python -m audit.sampling BUNDLE [--draw N]`: makes the draws of a copy of the book again.

0 the same, 1 differs, 2 the copy does not hold what is needed, 3 bad input or a failure.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from audit.sampling.draw_replay import Said, read_copy, replay
from audit.sampling.draw_words import BAD, DIFFERS, DRAW, MISSING, SAME, VERDICTS, WORDS
from audit.verify.tree import BadInput


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay, print, and give the exit code."""
    parser = argparse.ArgumentParser(prog="draw", description=__doc__)
    parser.add_argument("bundle")
    parser.add_argument("--draw", type=int, help="the number of one draw; else all of them")
    parser.add_argument("--language", choices=("pt", "en"), default="pt")
    asked = parser.parse_args(arguments)
    try:
        found = replay(read_copy(asked.bundle), asked.draw)
    except BadInput as refused:
        found = [Said(refused.args[0], None, {"file": refused.args[1]})]
    at = int(asked.language == "en")
    for one in found:
        file = str(one.details.get("file", ""))
        of = file if one.draw is None else f"{DRAW[at]} {one.draw}"
        sentences = WORDS[one.code][1:]
        show(": ".join(filter(None, (of, sentences[at].format(**one.details)))))
    ended = verdict(found)
    show(VERDICTS[ended][at])
    return ended


def verdict(said: Sequence[Said]) -> int:
    """The exit code: a difference before what cannot be read, and that before what is missing."""
    codes = {WORDS[one.code][0] for one in said}
    return next((code for code in (DIFFERS, BAD, MISSING) if code in codes), SAME)


def show(text: str) -> None:
    """One line, with nothing in it that moves the cursor."""
    clean = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    sys.stdout.write(f"{clean}\n")


def run() -> int:
    """The command. A failure of its own ends with 3, for Python's 1 would accuse the inspector."""
    try:
        code = main()
        sys.stdout.flush()
    except SystemExit as end:  # the command was not typed as it must be, or help was asked for
        return BAD if end.code else SAME
    except BaseException as trouble:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        sys.stderr.write(f"draw: {type(trouble).__name__}: {str(trouble)!a:.200}\n")
        return BAD
    return code


if __name__ == "__main__":
    sys.exit(run())
