"""Messages of machines: numbered, each number for one body, with what the sender's clock said.

Every writing message of a machine has the headers ``Message-Number`` (1, 2, 3 ...) and
``Message-Sent-At`` (its own clock, with the offset). A number is used up when what was sent is
recorded, in the same transaction: one that was refused is still missing, and its machine may send
what is right under it. Sent again as it was, it is answered out of the book.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.utils.translation import gettext

from casino import clock
from casino.api.api_problems import Problem, error_of, malformed
from casino.api.machine_tokens import Machine
from casino.events import Malformed
from casino.models import ApiClient, ApiMessage
from casino.reading.payload import moment_of
from casino.recording.writing import waited_in_vain

NUMBER: Final = "Message-Number"
SENT_AT: Final = "Message-Sent-At"
_MOST: Final = 2**53 - 1


@contextmanager
def message_of(request: HttpRequest, body_sha256: str, key: str = "") -> Iterator[None]:
    """Around the recording of what a machine sent; of a person it asks nothing.

    A number stands for an address, a body and the `key` it is recorded under, where the body does
    not say that itself. Raises: Problem, for one that stands for another. Of one machine one
    message is recorded at a time.
    """
    machine = getattr(request, "auth", None)
    if not isinstance(machine, Machine):
        yield
        return
    number, sent_at = _number(request), _sent_at(request)
    what = f"{request.path}\n{key}\n{body_sha256}"
    digest = sha256(what.encode()).hexdigest()
    with transaction.atomic():
        with waited_in_vain():
            client = ApiClient.objects.select_for_update().get(pk=machine.client.pk)
        before = ApiMessage.objects.filter(client=client, number=number).first()
        if before is not None and before.sha256 != digest:
            raise Problem(
                422,
                "message-number-reused",
                gettext("Message %(n)s was another one. A new message has a new number.")
                % {"n": number},
            )
        yield
        if before is None:
            now = clock.now()
            ApiMessage.objects.create(
                client=client, number=number, sha256=digest, sent_at=sent_at, received_at=now
            )
            ApiClient.objects.filter(pk=client.pk).update(
                highest=Greatest("highest", number),
                taken=F("taken") + 1,
                last_at=now,
                skew_ms=(now - sent_at) // timedelta(milliseconds=1),
            )


def _number(request: HttpRequest) -> int:
    given = request.headers.get(NUMBER, "")
    plain = given.isascii() and given.isdigit() and len(given) <= 16
    if plain and 1 <= int(given) <= _MOST:
        return int(given)
    error = Malformed(
        "$",
        "found {found}; asked is a whole number from {low} to {high}",
        found=given[:40],
        low=1,
        high=_MOST,
    )
    raise malformed(error_of(error) | {"pointer": f"header:{NUMBER}", "code": "message-number"})


def _sent_at(request: HttpRequest) -> datetime:
    try:
        return moment_of(request.headers.get(SENT_AT), "$")
    except Malformed as error:
        named = {"pointer": f"header:{SENT_AT}", "code": "message-sent-at"}
        raise malformed(error_of(error) | named) from error
