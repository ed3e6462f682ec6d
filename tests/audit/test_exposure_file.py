"""The file of rounds in doubt: what each row says, and which proof the trail begins with."""

from typing import Any

import pytest

from audit.exposure.exposure_rows import HEAD, rows_of
from audit.exposure.read_rounds import Trail, defect_at, trail_of
from casino.events.partidas import DeckInUse
from casino.models import BookEntry
from tests.factories.exposed_evenings import DAY, at, deal, open_table, short, trail

pytestmark = pytest.mark.django_db


def recorded(found: Trail) -> list[dict[str, Any]]:
    """Its rows by the names of their cells."""
    return [dict(zip(HEAD, row, strict=True)) for row in rows_of(found)]


def test_the_file_has_a_row_for_every_box_and_what_is_untold() -> None:
    open_table()
    deal(1, 3)
    rows = recorded(trail(short()))
    assert [(row["standing"], row["number"], row["box"]) for row in rows] == [
        ("proof", None, None),
        ("certain", 1, 1),
        ("certain", 1, 3),
        ("certain", 3, 1),
        ("certain", 3, 3),
        ("untold", None, None),
    ]
    assert rows[2]["staked_cents"] == 2500
    assert rows[2]["result_cents"] == -2500
    assert rows[2]["hands"] == "TC 6D"
    assert (rows[-1]["rounds_untold"], rows[-1]["partida"]) == (1, f"BJ-01/{DAY}/1")


def test_the_file_names_the_proof_of_each_deck_or_none() -> None:
    open_table()
    open_table("BJ-02", shown=False, decks=(DeckInUse(deck="D-8"),))
    deal(1)
    rows = recorded(trail(short()))
    assert [row["proofs"] for row in rows] == ["exhibition"] * 3
    shown = BookEntry.objects.get(pk=rows[0]["entry"])
    assert (rows[0]["decks"], rows[0]["occurred_at"]) == ("D-2", shown.occurred_at.isoformat())
    assert (shown.kind, shown.n, shown.partida_id) == (
        "deck-inspected/1",
        rows[0]["n"],
        rows[0]["partida"],
    )
    (never,) = [
        row
        for row in recorded(trail_of(defect_at("D-8", at("22:00"))))
        if row["standing"] == "proof"
    ]
    assert (never["decks"], never["proofs"], never["entry"]) == ("D-8", "none", None)
