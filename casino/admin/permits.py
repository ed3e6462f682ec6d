"""Who may read and write which kind of record in the admin, by the offices held at this moment.

Writing is decided by `casino.recording` when something is recorded; here it is asked beforehand, so
that nobody is shown a door he cannot go through. Source: tests/permissions.toml.
"""

from typing import Any, Final, Literal

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.admin.offices import offices_of
from casino.models import Closing, Duty, Partida, Reopening
from casino.recording import Actor
from casino.recording.authority import ADMIN, HEAD, MANAGER, PIT, writers_of

Reads = Literal["all", "own", "none"]
DOOR: Final = "admin"
INSPECTOR: Final = "inspetor"
AUDITOR: Final = "auditor"
# In which order a person's offices are asked who writes: the one that stands highest writes.
_BY_RANK: Final = (MANAGER, HEAD, PIT, ADMIN, INSPECTOR, AUDITOR)

_OVERSEE: Final = frozenset({HEAD, MANAGER, INSPECTOR, AUDITOR})
_PEOPLE: Final = frozenset({MANAGER, INSPECTOR, AUDITOR, ADMIN})
_EVERYBODY: Final = _OVERSEE | {PIT, ADMIN}
_SEAL: Final = _OVERSEE | {ADMIN}
# Kinds not named here are the floor's: overseen as a whole, read by a pit supervisor as his own.
_READERS: Final = {
    "table-registered/1": _EVERYBODY,
    "limits-set/1": _EVERYBODY,
    "shuffler-registered/1": _EVERYBODY,
    "staff-registered/1": _PEOPLE,
    "office-granted/1": _PEOPLE,
    "office-ended/1": _PEOPLE,
    "shelf-rebuilt/1": _PEOPLE,
    "signing-key-named/1": _SEAL,
    "epoch-begun/1": _SEAL,
    "epoch-approved/1": _SEAL,
    "schema-recorded/1": _PEOPLE,
    "book-restored/1": _PEOPLE,
    "book-verified/1": _SEAL,
    # The house does not look over an inspector's shoulder.
    "export-made/1": frozenset({INSPECTOR, AUDITOR}),
    # The store's register and what the house decides and tells: no part of it is a table's own.
    "deck-received/1": _OVERSEE,
    "decks-destroyed/1": _OVERSEE,
    "complaint-decided/1": _OVERSEE,
    "notice-sent/1": _OVERSEE,
    "footage-held/1": _OVERSEE,
    "passkey-registered/1": _SEAL,
    "passkey-revoked/1": _SEAL,
    "witness-failed/1": _OVERSEE,
    "witness-unlocked/1": _OVERSEE,
    "reconciliation-started/1": _OVERSEE,
    "reconciliation-finished/1": _OVERSEE,
}
# Who reads of these no more than what he wrote; they are of no partida.
OWN_BY_AUTHOR: Final = {
    "export-made/1": frozenset({MANAGER, ADMIN}),
    "passkey-registered/1": frozenset({PIT}),
    "passkey-revoked/1": frozenset({PIT}),
}
_READ_PRIVATE: Final = {"staff-registered/1": _PEOPLE}
_OWN_PARTIDAS: Final = 500  # the newest are one's own; older ones are asked of a superior
_KEPT_AS: Final = "_own_partidas"
_DUTY_AS: Final = "_tables_of_duty"
NOT_HIS_TABLE: Final = _(
    "Another answers for this game, and you are not on duty at its table. Record first that you"
    " went on duty there, or ask him or the fiscal-chefe to record it."
)


def reads(request: HttpRequest, kind: str) -> Reads:
    """What of a kind whoever asks may read."""
    held = offices_of(request)
    if held & _READERS.get(kind, _OVERSEE):
        return "all"
    own = OWN_BY_AUTHOR.get(kind, frozenset() if kind in _READERS else frozenset({PIT}))
    return "own" if held & own else "none"


def reads_private(request: HttpRequest, kind: str, author: str) -> bool:
    """Whether he may read what the book itself only commits to: names, notes."""
    if reads(request, kind) == "none":
        return False
    held = offices_of(request)
    return author == request.user.get_username() or bool(held & _READ_PRIVATE.get(kind, _OVERSEE))


def actor(request: HttpRequest, kind: str) -> Actor | None:
    """As whom he would write this kind; None where he may not."""
    held = offices_of(request) & writers_of(kind)
    office = next((office for office in _BY_RANK if office in held), None)
    return None if office is None else Actor(request.user.get_username(), office, DOOR)


def own_partidas(request: HttpRequest) -> list[str]:
    """The partidas he answered for, or opened, and those now open where he is on duty.

    The newest first of those he was named for; asked once a request.
    """
    kept: list[str] | None = getattr(request, _KEPT_AS, None)
    if kept is None:
        me = request.user.get_username()
        mine = Partida.objects.filter(Q(fiscal_de_banca=me) | Q(staff=me)).order_by("-pk")
        kept = list(mine.values_list("partida_id", flat=True)[:_OWN_PARTIDAS])
        tables = duty_tables(request)
        if tables is not None:
            there = Partida.objects.filter(still_open()).exclude(partida_id__in=kept)
            there = there.filter(table_code__in=tables) if tables else there
            kept += there.values_list("partida_id", flat=True)
        setattr(request, _KEPT_AS, kept)
    return kept


def duty_tables(request: HttpRequest) -> tuple[str, ...] | None:
    """The tables his duty as fiscal de banca names, () for the whole room; None when off duty."""
    if not hasattr(request, _DUTY_AS):
        me = request.user.get_username()
        said = Duty.objects.filter(person=me, held=PIT, occurred_at__lte=clock.now())
        last = said.order_by("-occurred_at", "-pk").first()
        told = tuple(last.tables) if last is not None and last.begins else None
        setattr(request, _DUTY_AS, told)
    found: tuple[str, ...] | None = getattr(request, _DUTY_AS)
    return found


def still_open() -> Any:
    """Of openings, those whose last word is no closing: it never came, or was undone since."""
    undone = Reopening.objects.filter(partida_id=OuterRef("partida_id"), n__gt=OuterRef("n"))
    closed = Closing.objects.filter(partida_id=OuterRef("partida_id"))
    return ~Exists(closed.filter(~Exists(undone)))


def may_record_at(request: HttpRequest, by: Actor, partida: str) -> bool:
    """Whether he may record in that game: a fiscal de banca does so in those he answers for.

    Of a game that is not on record nobody knows whose it is, and of none ('') there is no question.
    """
    if by.office != PIT or not partida or partida in own_partidas(request):
        return True
    return not Partida.objects.filter(partida_id=partida).exists()


def own(request: HttpRequest, *, by_author: bool = True) -> Q:
    """Of a shelf's rows, those of his partidas and those he wrote.

    Without `by_author` the former alone: of a million rounds an index finds those.
    """
    of_his = Q(partida_id__in=own_partidas(request))
    return of_his | Q(staff=request.user.get_username()) if by_author else of_his


def may_read_entry(request: HttpRequest, kind: str, partida: str, author: str) -> bool:
    """Whether he may read one entry."""
    how = reads(request, kind)
    if how == "own":
        mine = author == request.user.get_username()
        return mine or (bool(partida) and partida in own_partidas(request))
    return how == "all"


def readable_kinds(request: HttpRequest, kinds: Any) -> dict[str, Reads]:
    """Of these kinds, those he may read, and how far."""
    how = {kind: reads(request, kind) for kind in kinds}
    return {kind: each for kind, each in how.items() if each != "none"}
