"""Nobody is ever accused of what he did not do: whole evenings, with all that can happen in a house
that alters nothing, verify as intact, by the inspector's program and where they lie.

Each run tells another evening (any_evening.py); its seed is printed where it fails. `KILL_SEED`
plays the same evenings again.
"""

import json
import random
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from audit.exporting import Scope, export_bundle, export_record
from audit.verifier.command import main as verifier
from casino.signer.signer_places import places
from tests.casino.signer_house import Connect, OlderBook, SignerHouse
from tests.faults.kills.any_evening import EXPORT, Evening, witnessed
from tests.faults.kills.striking import SEED
from tests.gate import size
from tests.servers import Databases

RUNS = size(1, 10, 300)


@pytest.fixture
def evening(
    run: int,
    fresh_db: str,
    tmp_path: Path,
    databases: Databases,
    database_environment: dict[str, str],
    connect_as: Connect,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> Iterator[Evening]:
    house = SignerHouse(tmp_path, database_environment, connect_as)
    settings.BOOK_PUBLIC = str(house.at.public)
    older = OlderBook(house, databases)
    one = Evening(random.Random(SEED + run), house, older, monkeypatch, tmp_path)
    witnessed(house, tmp_path, one.witness)
    house.at = places(house.recorded)
    yield one
    older.forget()


@pytest.mark.parametrize("run", range(RUNS))
def test_an_evening_in_which_nothing_was_altered_is_intact(evening: Evening, run: int) -> None:
    sys.stdout.write(f"seed {SEED + run}\n")
    call_command("schema", "--record", stdout=StringIO())
    evening.go_on(evening.rng.randint(8, 40))
    evening.submits()
    evening.all_sealed()
    rng, folder, house = evening.rng, evening.folder, evening.house
    full = export_bundle(folder / "full", Scope(), EXPORT, openings=rng.random() < 0.5)
    must_be_intact(full.place, evening, receipts=evening.kept)
    for table in sorted({each.stream for each in evening.kept if "/" in each.stream})[:1]:
        scope = Scope("table", table=table.removeprefix("table/"))
        must_be_intact(export_bundle(folder / "table", scope, EXPORT).place, evening)
    first, end = sorted(rng.sample(range(full.size + 1), 2))
    some = export_bundle(folder / "range", Scope("range", first=first, end=end), EXPORT)
    must_be_intact(some.place, evening)
    record = rng.choice(evening.kept)
    proof = export_record(folder / "one.tlog-proof", record.entry_id, EXPORT)
    must_be_intact(proof.place, evening, receipts=[record], older=False)
    evening.all_sealed()
    call_command("verify_book", language="en", older_checkpoint=older_files(evening))
    house.must_agree()


def must_be_intact(
    place: Path, evening: Evening, *, receipts: Any = (), older: bool = True
) -> None:
    """The inspector's program says so: with the keys, the receipts and every older checkpoint."""
    words = [str(place), "--json", "--language=en", f"--policy={evening.house.at.policy}"]
    if older:
        words += [f"--older-checkpoint={file}" for file in older_files(evening)]
    file = evening.folder / "receipts"
    file.write_text("".join(f"{line(receipt)}\n" for receipt in receipts))
    words += [f"--receipt={file}"] if receipts else []
    with redirect_stdout(StringIO()) as said:
        code = verifier(words)
    value = json.loads(said.getvalue())
    alarms = [each for each in value["found"] if each["severity"] != "note"]
    assert not code, "\n".join(f"{each['code']}: {each['sentence']}" for each in alarms)
    assert value["counts"].get("receipt-kept", 0) == len(receipts)


def older_files(evening: Evening) -> list[str]:
    """The checkpoints that were seen, each in a file."""
    files = []
    for number, note in enumerate(dict.fromkeys(evening.seen)):
        file = evening.folder / f"older-{number}"
        file.write_text(note)
        files.append(str(file))
    return files


def line(receipt: Any) -> str:
    """A receipt as it is given out."""
    values = {
        "format": "livro-da-sala-receipt/1",
        "leaf": receipt.leaf,
        "n": receipt.n,
        "recorded": f"{receipt.recorded_at:%Y-%m-%dT%H:%M:%S.%fZ}",
        "stream": receipt.stream,
    }
    return json.dumps(values, sort_keys=True, separators=(",", ":"))
