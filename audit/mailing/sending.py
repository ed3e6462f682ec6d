"""Mails handed to the mail server, tried again while it is away, given up after a day.

A mail has one Message-ID, whatever happens: a worker that is killed between the server's word and
its own note sends it once more, and servers and readers know the second for the first. That it was
sent is an entry of the book, once.
"""

import logging
import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet

from audit.mail_events import AlertSent, MailWhat
from audit.models import Mail
from audit.models.mails import Outgoing
from casino import clock
from casino.events.phrases import marked
from casino.events.staff import Office
from casino.models import MailAddress
from casino.queries import offices_at
from casino.recording import Actor, Source, record
from casino.tasks import let_go, take_now

log = logging.getLogger(__name__)
KEPT_UP: Final = timedelta(days=1)  # so long a mail is tried again
LONGEST_REST: Final = 60  # minutes between two tries
MOST: Final = 100  # of one pass
_AN_ADDRESS: Final = re.compile(r"\S+@\S+")
One = TypeVar("One", bound=Outgoing)
SYSTEM: Final = Actor("sistema", "sistema", "job")
_ENTRY: Final = UUID("0193479e-7777-7c3e-9a54-0c6f2b1d7e10")
NO_ADDRESS: Final = marked("He has no address any more.")
NO_OFFICE: Final = marked("He does not hold the office any more in which he was to be told.")


def send_due(until: float = float("inf")) -> int:
    """Send the mails that are due; how many left. Stops where `time.monotonic()` passes `until`,
    and where the server is away: the others would wait for it too.
    """
    return each_due(Mail.objects.all(), _send, until)


def each_due(
    outgoing: QuerySet[One], send: Callable[[One], bool], until: float = float("inf")
) -> int:
    """Send each that is due, in one process at a time; how many left. `send` says whether another
    could be sent too.
    """
    due = outgoing.filter(next_at__lte=clock.now()).order_by("next_at", "id")
    sent = 0
    for key in due.values_list("id", flat=True)[:MOST]:
        if time.monotonic() > until:
            break
        held = f"mail/{key}"
        if not take_now(held):
            continue
        try:
            one = outgoing.filter(id=key, next_at__lte=clock.now()).first()
            if one is not None and not send(one):
                break
            sent += one is not None and one.sent_at is not None
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # what one breaks must not cost the others
            log.exception("%s could not be dealt with", key)
        finally:
            let_go(held)
    return sent


def _send(mail: Mail) -> bool:
    """Send one, or note why not; false where no other could be sent either."""
    now = clock.now()
    if mail.sent_at is None:
        address = MailAddress.objects.filter(account=mail.account).values_list("address", flat=True)
        to = address.first()
        if to is None or mail.office not in offices_at(mail.account.staff, now):
            give_up(mail, NO_ADDRESS if to is None else NO_OFFICE, now)
            return True
        try:
            message_of(mail, to).send()
        except Exception as trouble:  # the way of sending decides what it raises
            note(mail, trouble, now)
            return isinstance(trouble, (SMTPRecipientsRefused, SMTPDataError, ValueError))
        mail.sent_at = now
        # At once: an entry that has to wait sends nothing anew.
        mail.save(update_fields=["sent_at"])
    _record(mail)
    return True


def message_of(mail: Mail, to: str) -> EmailMessage:
    """The mail as it is handed over: one recipient, plain text, our Message-ID."""
    domain = urlsplit(settings.HOUSE_URL).hostname or "livro.invalid"
    headers = {"Message-ID": f"<{mail.id}@{domain}>", "Auto-Submitted": "auto-generated"}
    return EmailMessage(mail.subject, mail.text, to=[to], headers=headers)


def _record(mail: Mail) -> None:
    """Its entry, once, whoever comes to it; then nothing is left to do."""
    assert mail.sent_at is not None
    event = AlertSent(
        recipient=mail.account.staff,
        for_office=cast("Office", mail.office),
        what=cast("MailWhat", mail.what),
        about=tuple(mail.about),
        alerts=len(mail.about),
        text_sha256=sha256(mail.text.encode()).hexdigest(),
        message=str(mail.id),
    )
    key = uuid5(_ENTRY, str(mail.id))
    with transaction.atomic():
        record(event, key=key, by=SYSTEM, occurred_at=mail.sent_at, source=Source())
        Mail.objects.filter(id=mail.id).update(next_at=None, trouble="")


def note(mail: Outgoing, trouble: Exception, now: datetime) -> None:
    """What went wrong, and when it is tried again; the address stands in no note and no log."""
    mail.tries += 1
    text = _AN_ADDRESS.sub("…", f"{type(trouble).__name__}: {trouble}")
    mail.trouble = " ".join(text.split())[:300]
    log.warning("%s was not taken (try %s): %s", mail.id, mail.tries, mail.trouble)
    if now - mail.made_at >= KEPT_UP:
        give_up(mail, mail.trouble, now)
        return
    mail.next_at = now + timedelta(minutes=min(2**mail.tries, LONGEST_REST))
    mail.save(update_fields=["tries", "trouble", "next_at"])


def give_up(mail: Outgoing, why: str, now: datetime) -> None:
    """It does not leave any more, and why."""
    mail.trouble, mail.given_up_at, mail.next_at = why, now, None
    mail.save(update_fields=["tries", "trouble", "given_up_at", "next_at"])
