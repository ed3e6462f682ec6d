"""Who may read and write which kind of record in the admin, by the offices held at this moment.

Writing is decided by `casino.recording` when something is recorded; here it is asked beforehand, so
that nobody is shown a door he cannot go through. Source: tests/permissions.toml.
"""

from typing import Any, Final, Literal

from django.db.models import Q
from django.http import HttpRequest

from casino.admin.offices import offices_of
from casino.models import Partida
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
    "reconciliation-started/1": _OVERSEE,
    "reconciliation-finished/1": _OVERSEE,
}
# Who reads of these no more than what he wrote; they are of no partida.
OWN_BY_AUTHOR: Final = {"export-made/1": frozenset({MANAGER, ADMIN})}
_READ_PRIVATE: Final = {"staff-registered/1": _PEOPLE}
_OWN_PARTIDAS: Final = 500  # the newest are one's own; older ones are asked of a superior
_KEPT_AS: Final = "_own_partidas"


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
    """The partidas he answered for, or opened; asked once a request."""
    kept: list[str] | None = getattr(request, _KEPT_AS, None)
    if kept is None:
        me = request.user.get_username()
        mine = Partida.objects.filter(Q(fiscal_de_banca=me) | Q(staff=me)).order_by("-pk")
        kept = list(mine.values_list("partida_id", flat=True)[:_OWN_PARTIDAS])
        setattr(request, _KEPT_AS, kept)
    return kept


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
