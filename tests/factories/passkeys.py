"""Passkeys registered and used, as somebody's telephone would."""

from typing import Any

from casino.models import Account, BookEntry
from casino.recording import Receipt
from casino.witnessing import Invitation, begin_registration, confirm_by_passkey, invite, register
from tests.casino.passkey_device import ORIGIN, Device, b64
from tests.factories.people import PASSWORD

HEAD = "S-0021"


def registered(account: Account, device: Device, **more: Any) -> Receipt:
    asked = begin_registration(account)
    sent = device.created(asked.options)
    return register(account, asked.token, sent, PASSWORD, origin=device.origin, **more)


def asked(receipt: Receipt) -> tuple[BookEntry, Invitation]:
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    return entry, invite(entry, "pt")


def confirmed(
    receipt: Receipt, device: Device, *, staff: str = HEAD, origin: str = ORIGIN, **client: Any
) -> Receipt:
    entry, shown = asked(receipt)
    sent = device.got(b64(shown.challenge), **client)
    return confirm_by_passkey(entry, shown.token, staff, sent, "54", origin=origin)
