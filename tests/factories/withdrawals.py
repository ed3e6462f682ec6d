"""A record withdrawn by two persons, whatever it tells and wherever it stands."""

from uuid import uuid4

from casino import clock
from casino.events.corrections import WithdrawalAsked
from casino.models import BookEntry
from casino.recording import Actor, Receipt, Source, record
from tests.factories.usual_events import ref, second_word

ASKS = Actor("S-0187", "fiscal_de_banca", "sala")
DECIDES = Actor("S-0003", "chefia_da_sala", "admin")


def ask_to_withdraw(receipt: Receipt, by: Actor = ASKS) -> Receipt:
    """Somebody says that it did not happen."""
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    event = WithdrawalAsked(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        entry=ref(receipt),
        act=entry.kind,
        reason="tapped_by_mistake",
    )
    return _recorded(event, by)


def withdraw(receipt: Receipt, by: Actor = ASKS, word: Actor = DECIDES) -> Receipt:
    """And a second person agrees; the withdrawal as it was asked for."""
    asked = ask_to_withdraw(receipt, by)
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    where = {"table": entry.table_code or None, "partida": entry.partida_id or None}
    event = second_word(where, asked, receipt, reason="checked")
    _recorded(event, word)
    return asked


def _recorded(event: object, by: Actor) -> Receipt:
    return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())
