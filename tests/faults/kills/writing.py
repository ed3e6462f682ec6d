"""A client that writes into the book and keeps its own list of receipts: ``writing NUMBER FOLDER``.

It writes until it is asked to end. What was not acknowledged is sent again under the same key,
until it is. A receipt counts as had once it stands on the disk.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import django

PAUSE: Final = 0.05  # seconds before something is sent again
TABLES: Final = 2  # fewer than writers: they meet at the streams' heads
MOST: Final = 3  # facts in one transaction


def facts_of(writer: int) -> Iterator[list[Any]]:
    """What one writer tells, a transaction at a time; every fact is told once.

    Now a burnt card, now a round, now several facts that go to two tables at once.
    """
    from casino.facts.shoes import CardBurned
    from tests.audit.evenings_in_book import partida_of, played

    turn = 0
    while True:
        facts: list[Any] = []
        for _ in range(1 + turn % MOST):
            turn += 1
            table = f"BJ-{1 + (writer + turn) % TABLES:02d}"
            if turn % 2:
                partida = partida_of(table, number=writer)
                facts.append(CardBurned(table=table, partida=partida, shoe=turn, cards=1))
            else:
                facts.append(played(f"r{turn}", table=table, number=writer, shoe=turn, place=1))
        yield facts


def send(submissions: list[Any]) -> tuple[list[Any], int]:
    """Record them; where no receipt comes, the same again. The receipts, and how often it took."""
    from django.db import InterfaceError, OperationalError, connection

    from casino.recording import record_many

    tries = 0
    while True:
        tries += 1
        try:
            return record_many(submissions), tries
        except (OperationalError, InterfaceError) as error:
            sys.stdout.write(f"{time.time():.3f} {str(error).strip().splitlines()[0]}\n")
            connection.close()
            time.sleep(PAUSE)


def main(writer: int, folder: Path) -> None:
    """Write until SIGTERM; what was begun by then is brought to its end."""
    django.setup()
    from casino.recording import Source, Submission
    from tests.audit.evenings_in_book import EVENING, PIT

    asked_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: asked_to_end.append(number))
    with (folder / f"receipts-{writer}.jsonl").open("a", encoding="ascii") as kept:
        for facts in facts_of(writer):
            if asked_to_end:
                return
            told = [Submission(fact, uuid4(), PIT, EVENING, Source()) for fact in facts]
            receipts, tries = send(told)
            for one, receipt in zip(told, receipts, strict=True):
                line = {
                    "key": str(one.key), "entry": str(receipt.entry_id), "leaf": receipt.leaf,
                    "stream": receipt.stream, "n": receipt.n, "repeated": receipt.repeated,
                    "tries": tries,
                }  # fmt: skip
                kept.write(json.dumps(line) + "\n")
            kept.flush()
            os.fsync(kept.fileno())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    main(int(sys.argv[1]), Path(sys.argv[2]))
