"""A trail as rows of a file: codes for machines, money in cents, moments with their offset."""

from collections.abc import Iterator, Mapping
from typing import Final

from audit.exposure.defects import Span
from audit.exposure.exposed_rounds import BoxSeen, Exposed
from audit.exposure.read_rounds import Trail
from casino.web.display.csv_answer import Cell

HEAD: Final = (
    "standing", "noticed", "decks", "proofs", "table", "partida", "gaming_day", "occurred_at",
    "shoe", "number", "round", "voided", "bank", "box", "hands", "owners", "staked_cents",
    "returned_cents", "result_cents", "rounds_untold", "entry", "stream", "n",
)  # fmt: skip
PROOF: Final = "proof"
UNRECORDED: Final = "untold"
NONE: Final = "none"  # no proof


def rows_of(trail: Trail) -> Iterator[list[Cell]]:
    """A row for each deck's last proof, one for every box of every round, then what is not
    recorded.

    `standing` is ``proof`` (the entry that shows a deck whole, and when), ``certain``, ``possible``
    or ``untold`` (so many rounds of a partida of which the book tells nothing); `noticed` whether
    the round began ``before`` or ``after`` the defect was noticed; `proofs` names for each of
    `decks`, in their order, what its trail begins with, ``none`` where nothing proves it whole;
    `result_cents` is what the players won, negative where they lost.
    """
    proofs = {span.deck: _proof(span) for span in trail.spans}
    for span in trail.spans:
        yield _proof_row(span)
    for one in trail.rounds():
        for box in one.seen.boxes or (None,):
            yield _row(one, box, proofs)
    days = {game.partida: game.gaming_day.isoformat() for game in trail.games}
    for lacking in trail.unrecorded():
        yield _cells(
            standing=UNRECORDED,
            table=lacking.partida.partition("/")[0],
            partida=lacking.partida,
            gaming_day=days[lacking.partida],
            rounds_untold=lacking.least,
        )


def _cells(**values: Cell) -> list[Cell]:
    """A row of which only these cells are filled in."""
    return [values.get(name) for name in HEAD]


def _proof(span: Span) -> str:
    return NONE if span.proof is None else span.proof.by


def _proof_row(span: Span) -> list[Cell]:
    if span.proof is None:
        return _cells(standing=PROOF, decks=span.deck, proofs=NONE)
    recorded = span.proof.recorded
    return _cells(
        standing=PROOF,
        decks=span.deck,
        proofs=_proof(span),
        table=recorded.event.table,
        partida=recorded.event.partida,
        gaming_day=recorded.gaming_day.isoformat(),
        occurred_at=recorded.occurred_at.isoformat(),
        entry=recorded.entry_id,
        stream=recorded.stream,
        n=recorded.n,
    )


def _row(exposed: Exposed, box: BoxSeen | None, proofs: Mapping[str, str]) -> list[Cell]:
    seen = exposed.seen
    return [
        exposed.standing,
        exposed.phase,
        " ".join(exposed.decks),
        " ".join(proofs[deck] for deck in exposed.decks),
        seen.table,
        seen.partida,
        seen.gaming_day.isoformat(),
        seen.occurred_at.isoformat(),
        seen.shoe,
        seen.number,
        seen.round,
        seen.voided,
        " ".join(seen.bank),
        None if box is None else box.number,
        None if box is None else " / ".join(box.hands),
        None if box is None else " ".join(box.owners),
        0 if box is None else box.staked,
        0 if box is None else box.returned,
        0 if box is None else box.returned - box.staked,
        None,
        seen.entry_id,
        seen.stream,
        seen.n,
    ]
