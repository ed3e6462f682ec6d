"""From an answer to `witnessed/1`, or to a refusal that is recorded too."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import uuid4

from casino import clock
from casino.events.event import EntryRef
from casino.events.witnessing import PasskeyAnswer, Witnessed, WitnessedHow
from casino.models import BookEntry
from casino.recording import Actor, NotAllowed, Receipt, Source, WitnessRefused, record
from casino.recording.refusals import OWN_ACT
from casino.recording.second_persons import acted
from casino.witnessing.failing import NO_OFFICE, WRONG_PASSKEY, failed
from casino.witnessing.inviting import Asked, read
from casino.witnessing.passkeys import verified
from casino.witnessing.proving import LOCKED_OUT, WRONG, how_proved, office_of
from casino.witnessing.tries import Try, one_try


@dataclass(frozen=True, slots=True)
class _Answer:
    """Who answers for which act, where, under which article."""

    entry: BookEntry
    token: str
    staff: str
    article: str
    asked_by: str
    door: str


def confirm(
    entry: BookEntry,
    token: str,
    staff: str,
    secret: str,
    article: str,
    *,
    asked_by: str = "",
    door: str = "admin",
) -> Receipt:
    """Record that `staff` confirms the act, if the secret is his. `asked_by` is logged in there.

    Raises: WitnessRefused (`values["why"]`, for a wrong secret also how many tries are `left` and
    `until` when nobody looks), for a wrong secret, a person locked out, the actor himself, a token
    of another act, used or out of time; NotAllowed, for whoever holds no office of the floor. What
    was refused is counted, and told to the book.
    """
    answer = _Answer(entry, token, staff, article, asked_by or staff, door)

    def prove(asked: Asked) -> Witnessed:
        tried: Try[WitnessedHow] = one_try(
            answer.asked_by, staff, lambda: how_proved(staff, secret)
        )
        if tried.found is None:
            why = LOCKED_OUT if tried.locked else WRONG
            _report(answer, why, tried=tried)
            raise _Counted(why=why, left=tried.left, until=tried.locked_until)
        return _event(answer, asked, tried.found)

    return _recorded(answer, prove)


def confirm_by_passkey(
    entry: BookEntry,
    token: str,
    staff: str,
    sent: Mapping[str, str],
    article: str,
    *,
    origin: str,
    asked_by: str = "",
    door: str = "admin",
) -> Receipt:
    """Record that `staff` confirms the act with his passkey.

    `sent` is what the device answered: credential, client_data, authenticator_data and signature,
    each base64url; `origin` the address of the page that asked; `asked_by` is logged in there, on
    his own device he himself. Raises: as `confirm`.
    """
    answer = _Answer(entry, token, staff, article, asked_by or staff, door)

    def prove(asked: Asked) -> Witnessed:
        look = partial(verified, staff, sent, asked.challenge, origin)
        tried = one_try(answer.asked_by, None, look)
        if tried.found is None:
            why = LOCKED_OUT if tried.locked else WRONG_PASSKEY
            _report(answer, why, method="passkey", tried=tried)
            raise _Counted(why=why, left=tried.left, until=tried.locked_until)
        return _event(answer, asked, "passkey", tried.found)

    return _recorded(answer, prove)


class _Counted(WitnessRefused):
    """A refusal that was counted and told already."""


def _recorded(answer: _Answer, prove: Callable[[Asked], Witnessed]) -> Receipt:
    """Raises: as `confirm`."""
    try:
        asked = read(answer.token, answer.entry)
        if acted(answer.entry, answer.staff):
            raise WitnessRefused(why=OWN_ACT)
        event = prove(asked)
        by = Actor(answer.staff, event.office, answer.door)
        # A key of its own: sent twice, it is refused for its nonce, as any other use of it is.
        return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())
    except _Counted as error:
        raise WitnessRefused(**error.values) from error
    except WitnessRefused as error:
        _report(answer, error.values["why"])
        raise
    except NotAllowed:
        _report(answer, NO_OFFICE)
        raise


def _report(answer: _Answer, why: str, **more: Any) -> None:
    failed(
        answer.entry, why, asked_by=answer.asked_by, claimed=answer.staff, door=answer.door, **more
    )


def _event(
    answer: _Answer, asked: Asked, method: WitnessedHow, passkey: PasskeyAnswer | None = None
) -> Witnessed:
    entry = answer.entry
    return Witnessed(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        witnessed=EntryRef(stream=entry.stream.name, n=entry.n, leaf=asked.leaf),
        act=entry.kind,
        staff=answer.staff,
        office=office_of(answer.staff),
        method=method,
        nonce=asked.nonce,
        expires_at=asked.expires_at,
        text_sha256=asked.text_sha256,
        article=answer.article,
        passkey=passkey,
    )
