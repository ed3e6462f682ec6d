"""A client that writes into the book and keeps its own list of receipts: ``writing NUMBER FOLDER``.

It writes until it is asked to end. What was not acknowledged is sent again under the same key,
until it is. Before it sends anything it notes what, on disk: killed and started again, it goes on
with what it had begun. A receipt counts as had once it stands on the disk.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO
from uuid import UUID, uuid4

import django

PAUSE: Final = 0.05  # seconds before something is sent again
TABLES: Final = 2  # fewer than writers: they meet at the streams' heads
MOST: Final = 3  # events in one transaction
LOADED: Final = 5  # of sixteen turns this one tells of a shuffler: a checkpoint is signed at once
HIRED: Final = 11  # and this one of a person, whose name is a private value


def events_of(writer: int, turn: int) -> list[Any]:
    """What one writer tells in a transaction that begins with that turn; every event is recorded
    once.

    Now a burnt card, now a round, now several events that go to two tables at once.
    """
    return [event_of(writer, turn + each) for each in range(1, 2 + turn % MOST)]


def event_of(writer: int, turn: int) -> Any:
    """One event."""
    from casino.events.shoes import CardBurned
    from casino.events.shufflers import ShufflerLoaded
    from casino.events.staff import StaffRegistered
    from tests.factories.evenings import partida_of, played

    table = f"BJ-{1 + (writer + turn) % TABLES:02d}"
    partida = partida_of(table, number=writer)
    if turn % 16 == HIRED:
        return StaffRegistered(staff=f"S-{writer}-{turn}", name=f"Rita {turn}")
    if turn % 16 == LOADED:
        return ShufflerLoaded(
            table=table,
            partida=partida,
            shuffler=f"CSM-{turn}",
            packets=3,
            decks=("D-1", "D-2", "D-3", "D-4", "D-5", "D-6"),
            operator="P-104",
        )
    if turn % 2:
        return CardBurned(table=table, partida=partida, shoe=turn, cards=1)
    return played(f"r{turn}", table=table, number=writer, shoe=turn, place=1)


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


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file; one that was being written is cut off."""
    text = file.read_text("ascii") if file.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        os.truncate(file, len(whole))
    return [json.loads(line) for line in whole.splitlines()]


def keep(file: TextIO, lines: list[dict[str, Any]]) -> None:
    """Write lines, and wait for the disk."""
    file.writelines(json.dumps(line) + "\n" for line in lines)
    file.flush()
    os.fsync(file.fileno())


def begun(folder: Path, writer: int, intents: TextIO) -> Iterator[tuple[list[Any], list[UUID]]]:
    """What is to be recorded, with its keys, noted on disk before it is given: first what may have
    been begun when this writer was killed.
    """
    turn = 0
    for intent in lines_of(folder / f"intents-{writer}.jsonl")[-1:]:
        yield events_of(writer, intent["turn"]), [UUID(key) for key in intent["keys"]]
        turn = intent["turn"] + len(intent["keys"])
    while True:
        events = events_of(writer, turn)
        keys = [uuid4() for _ in events]
        keep(intents, [{"turn": turn, "keys": [str(key) for key in keys]}])
        yield events, keys
        turn += len(events)


def main(writer: int, folder: Path) -> None:
    """Write until SIGTERM; what was begun by then is brought to its end."""
    django.setup()
    from casino.recording import Source, Submission
    from tests.factories.evenings import EVENING, MANAGER, PIT

    asked_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: asked_to_end.append(number))
    had = {line["key"] for line in lines_of(folder / f"receipts-{writer}.jsonl")}
    with (
        (folder / f"receipts-{writer}.jsonl").open("a", encoding="ascii") as kept,
        (folder / f"intents-{writer}.jsonl").open("a", encoding="ascii") as intents,
    ):
        for events, keys in begun(folder, writer, intents):
            listed = [
                Submission(
                    event, key, MANAGER if event.stream == "house" else PIT, EVENING, Source()
                )
                for event, key in zip(events, keys, strict=True)
            ]
            answers, tries = send(listed)
            keep(
                kept,
                [
                    {
                        "key": str(key),
                        "entry": str(receipt.entry_id),
                        "leaf": receipt.leaf,
                        "stream": receipt.stream,
                        "n": receipt.n,
                        "tries": tries,
                        "recorded": f"{receipt.recorded_at:%Y-%m-%dT%H:%M:%S.%fZ}",
                        "repeated": receipt.repeated,
                    }
                    for key, receipt in zip(keys, answers, strict=True)
                    if str(key) not in had
                ],
            )
            if asked_to_end:
                return


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    main(int(sys.argv[1]), Path(sys.argv[2]))
