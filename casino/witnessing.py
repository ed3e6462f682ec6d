"""A second person confirms an act with a secret of his own: what he is shown, asked, and refused.

The act was recorded before, alone; here `witnessed/1` follows it. Whoever confirms is shown one
text, and his confirmation is bound to that text, to the act's entry, to a nonce that is used once
and to a time after which it is void. His secret is never kept: his password as Django keeps it, or
a code of 6 to 8 digits as an Argon2 hash under a pepper that is not in the database.

Law: PT art. 51, 54, 55.
"""

import hashlib
import hmac
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import transaction

from casino import clock
from casino.facts.fact import EntryRef
from casino.facts.witnessing import Witnessed
from casino.models import Account, BookEntry, WitnessSecret
from casino.queries import offices_at
from casino.recording import Actor, Receipt, Source, record
from casino.recording.authority import HEAD, MANAGER, PIT
from casino.recording.refusals import OWN_ACT, TOO_LATE, WitnessRefused
from casino.tlog.canonical import instant_text

LASTS: Final = timedelta(seconds=120)
FAILURES: Final = 5
LOCKED: Final = timedelta(minutes=15)
SHORTEST_PIN: Final = 6
LONGEST_PIN: Final = 8
_SALT: Final = "casino.witnessing"
# As what a witness confirms, of the offices he holds: as fiscal-chefe where he is one.
_AS: Final = (HEAD, MANAGER, PIT)
_log: Final = logging.getLogger("casino.witnessing")

# Why a confirmation is refused here: msgids of their own, beside those of casino.recording.
WRONG: Final = "the number or the secret is not right."
LOCKED_OUT: Final = "too many wrong secrets; it is closed to this person for 15 minutes."
NOT_OURS: Final = "it was not made for this act by this house."

# What a witness reads, one text a kind and language. Not from the catalogue: its digest stands in
# the book, and a text that changed with a translation could no longer be shown to be the one he
# read. A text is never changed here; another one gets another name.
Texts = Mapping[str, Mapping[str, str]]
TEXTS: Final[Texts] = {
    "shuffler-loaded/1": {
        "pt": "Assisti ao carregamento do baralhador {shuffler}.\n{table} · {partida}\n"
        "Baralhos: {decks} ({deck_names})\nPacotes: {packets}\nOperador: {operator}\n{when}",
        "en": "I was present when shuffler {shuffler} was loaded.\n{table} · {partida}\n"
        "Decks: {decks} ({deck_names})\nPackets: {packets}\nOperator: {operator}\n{when}",
    },
    "shuffler-unloaded/1": {
        "pt": "Assisti à extração das cartas do baralhador {shuffler}.\n{table} · {partida}\n"
        "Baralhos: {decks} ({deck_names})\nOperador: {operator}\n{when}",
        "en": "I was present when the cards were taken out of shuffler {shuffler}.\n"
        "{table} · {partida}\nDecks: {decks} ({deck_names})\nOperator: {operator}\n{when}",
    },
    "incident-reported/1": {
        "pt": "Estive presente no incidente {incident}.\n{table} · {partida}\n"
        "{category} · {reason}\nBaralhador: {shuffler}\n{when}",
        "en": "I was present at incident {incident}.\n{table} · {partida}\n"
        "{category} · {reason}\nShuffler: {shuffler}\n{when}",
    },
}


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a witness is shown: the text, and the token that binds his answer to it."""

    text: str
    token: str
    expires_at: datetime


def can_be_witnessed(kind: str) -> bool:
    """Whether acts of a kind have a text to be confirmed."""
    return kind in TEXTS


def text_of(entry: BookEntry, language: str) -> str:
    """The text a witness of this act reads; the same entry and language always give the same."""
    payload: dict[str, Any] = json.loads(bytes(entry.entry))["payload"]
    decks = payload.get("decks", ())
    local = entry.occurred_at.astimezone(ZoneInfo(settings.HOUSE_TIME_ZONE))
    values = dict.fromkeys(_NAMED, "–") | {
        name: str(value) for name, value in payload.items() if isinstance(value, str | int)
    }
    return TEXTS[entry.kind][language].format_map(
        values
        | {
            "decks": len(decks),
            "deck_names": ", ".join(decks) or "–",
            "when": local.strftime("%Y-%m-%d %H:%M:%S %z"),
        }
    )


_NAMED: Final = (
    "table",
    "partida",
    "shuffler",
    "packets",
    "operator",
    "incident",
    "category",
    "reason",
)


def language_read(entry: BookEntry, digest: str) -> str | None:
    """In which language the text with this SHA-256 was read; None for a text that is not ours."""
    for language in TEXTS.get(entry.kind, ()):
        if hmac.compare_digest(_digest(text_of(entry, language)), digest):
            return language
    return None


def invite(entry: BookEntry, language: Literal["pt", "en"]) -> Invitation:
    """The text and a fresh token for it, good for `LASTS`."""
    text = text_of(entry, language)
    expires_at = clock.now() + LASTS
    told = {
        "entry": str(entry.pk),
        "leaf": bytes(entry.leaf_hash).hex(),
        "nonce": str(uuid4()),
        "expires": instant_text(expires_at),
        "text": _digest(text),
    }
    return Invitation(text, signing.dumps(told, salt=_SALT), expires_at)


def confirm(entry: BookEntry, token: str, staff: str, secret: str, article: str) -> Receipt:
    """Record that `staff` confirms the act, if the secret is his.

    Raises: WitnessRefused (`values["why"]`), for a wrong secret, a person locked out, the actor
    himself, a token of another act, used or out of time; NotAllowed, for whoever holds no office of
    the floor. A wrong secret counts; nothing else does.
    """
    told = _read(token)
    if told["entry"] != str(entry.pk) or told["leaf"] != bytes(entry.leaf_hash).hex():
        raise WitnessRefused(why=NOT_OURS)
    if language_read(entry, told["text"]) is None:
        raise WitnessRefused(why=NOT_OURS)
    expires_at = datetime.fromisoformat(told["expires"])
    if expires_at < clock.now():
        raise WitnessRefused(why=TOO_LATE)
    if staff in _actors(entry):
        raise WitnessRefused(why=OWN_ACT)
    method = _method(staff, secret)
    office = _office(staff)
    fact = Witnessed(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        witnessed=EntryRef(stream=entry.stream.name, n=entry.n, leaf=told["leaf"]),
        act=entry.kind,
        staff=staff,
        office=office,
        method=method,
        nonce=told["nonce"],
        expires_at=expires_at,
        text_sha256=told["text"],
        article=article,
    )
    by = Actor(staff, office, "admin")
    # A key of its own: sent twice, it is refused for its nonce, as any other use of the token is.
    return record(fact, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


def set_pin(account: Account, pin: str) -> None:
    """Keep a new code for a person, and forget his failures. Raises: ValueError, for no code."""
    if not (pin.isascii() and pin.isdigit() and SHORTEST_PIN <= len(pin) <= LONGEST_PIN):
        raise ValueError(f"asked is a code of {SHORTEST_PIN} to {LONGEST_PIN} digits")
    WitnessSecret.objects.update_or_create(
        account=account,
        defaults={"pin_hash": make_password(_peppered(pin)), "failures": 0, "locked_until": None},
    )


def _read(token: str) -> dict[str, str]:
    try:
        told: dict[str, str] = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise WitnessRefused(why=NOT_OURS) from error
    return told


def _actors(entry: BookEntry) -> set[str]:
    body = json.loads(bytes(entry.entry))
    return {body["who"]["staff"], body["payload"].get("operator", "")}


def _office(staff: str) -> Any:
    """The office he confirms in. One without any of the floor's is refused by the book's door."""
    held = offices_at(staff, clock.now())
    return next((office for office in _AS if office in held), None) or next(
        iter(sorted(held)), "pagador"
    )


def _method(staff: str, secret: str) -> Literal["password", "pin"]:
    """How the secret proves the person. Raises: WitnessRefused."""
    account = Account.objects.filter(staff=staff, is_active=True).first()
    if account is None:
        make_password(secret)  # as long as for somebody there is
        _log.warning("a confirmation was tried for %s, who has no account", staff)
        raise WitnessRefused(why=WRONG)
    kept = _locked(account)
    method = _proved(account, kept, secret)
    if method is None:
        _count(account, kept)
        raise WitnessRefused(why=WRONG)
    WitnessSecret.objects.filter(account=account).update(failures=0, locked_until=None)
    return method


def _locked(account: Account) -> WitnessSecret:
    """The person's failures. Raises: WitnessRefused, while he is locked out."""
    kept, _ = WitnessSecret.objects.get_or_create(account=account, defaults={"pin_hash": ""})
    if kept.locked_until is not None and kept.locked_until > clock.now():
        _log.warning("a confirmation was tried for %s, who is locked out", account.staff)
        raise WitnessRefused(why=LOCKED_OUT)
    return kept


def _proved(
    account: Account, kept: WitnessSecret, secret: str
) -> Literal["password", "pin"] | None:
    looks_like_pin = secret.isascii() and secret.isdigit() and len(secret) <= LONGEST_PIN
    if looks_like_pin and kept.pin_hash:
        return "pin" if check_password(_peppered(secret), kept.pin_hash) else None
    return "password" if account.check_password(secret) else None


def _count(account: Account, kept: WitnessSecret) -> None:
    """One more failure; the last of them locks him out. Kept whatever follows."""
    with transaction.atomic():
        row = WitnessSecret.objects.select_for_update().get(account=account)
        if row.locked_until is not None and row.locked_until <= clock.now():
            row.failures, row.locked_until = 0, None
        row.failures += 1
        if row.failures >= FAILURES:
            row.locked_until = clock.now() + LOCKED
        row.save(update_fields=["failures", "locked_until"])
    _log.warning("a wrong secret for %s, number %s", account.staff, row.failures)


def _peppered(pin: str) -> str:
    pepper = getattr(settings, "WITNESS_PEPPER", "") or settings.SECRET_KEY
    return hmac.digest(pepper.encode(), pin.encode(), "sha256").hex()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
