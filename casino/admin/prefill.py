"""What a new record's form begins with: the address says where, the last partida says the rest."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, Max, OuterRef
from django.http import HttpRequest

from casino import clock
from casino.admin.house_time import gaming_day_now
from casino.admin.signer_says import refusal
from casino.facts.decks import DeckInspected
from casino.facts.fact import EntryRef, PartidaFact
from casino.facts.incidents import IncidentReported
from casino.facts.partidas import PartidaClosed, PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.sealing import EpochApproved, EpochBegun, SigningKeyNamed
from casino.facts.shape import fields_of
from casino.facts.shoes import CardsShuffled, DeckPasses
from casino.facts.staff import OfficeEnded, OfficeGranted
from casino.facts.tables import LimitsSet
from casino.models import BookEntry, Closing, Incident, Partida, Shuffle
from casino.queries import entry_told
from casino.recording import Actor
from casino.sealed import latest, policy_text
from casino.tlog.note import SignatureRefused, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.strict import Unreadable

# What one partida's opening begins with, of the opening before it at the same table.
_CARRIED: Final = (
    "rulebook", "limits", "decks", "dealing", "shuffler", "cut_card", "carta_aviso", "jackpots",
    "fiscal_de_banca", "fiscal_chefe", "pagador",
)  # fmt: skip
_running = re.compile(r"(.*?)(\d+)").fullmatch


def suggested(request: HttpRequest, kind: type[Any], by: Actor) -> dict[str, Any]:
    """Values by field, as far as the form has these fields. Nothing here is recorded unseen."""
    if issubclass(kind, RoundPlayed):
        return {}
    asked = {name: value for name in _ASKED if (value := _asked(request, name))}
    if "partida" in asked:
        asked.setdefault("table", asked["partida"].partition("/")[0])
    told: dict[str, Any] = dict(asked)
    if issubclass(kind, PartidaOpened):
        told |= _opening(asked)
    elif issubclass(kind, PartidaFact):
        told |= _of_partida(kind, asked)
    told |= _own(kind, by) | _of_the_seal(request, kind)
    known = {field.name for field in fields_of(kind)}
    return {name: value for name, value in told.items() if name in known}


def _asked(request: HttpRequest, name: str) -> str:
    """What the address says; nothing where it says what no text of the book can hold."""
    value = request.GET.get(name, "").strip()
    return "" if "\0" in value else value


_ASKED: Final = ("table", "partida", "shuffler", "deck", "incident", "staff", "round")


def _opening(asked: Mapping[str, str]) -> dict[str, Any]:
    """As that table was opened last, under its next name."""
    before = _last_partida(asked.get("table"))
    if before is None:
        return {"rulebook": "pt"}
    told = entry_told(before.entry_id)
    carried = {} if told is None else {name: getattr(told.fact, name) for name in _CARRIED}
    table = before.table_code
    day = gaming_day_now().isoformat()
    today = Partida.objects.filter(table_code=table, gaming_day=day).count()
    return {**carried, "table": table, "partida": f"{table}/{day}/{today + 1}"}


def _of_partida(kind: type[Any], asked: Mapping[str, str]) -> dict[str, Any]:
    """In the partida that was named, else in the last one that is still open."""
    partida = _last_partida(asked.get("table"), asked.get("partida"), still_open=True)
    if partida is None:
        return {}
    told: dict[str, Any] = {
        "table": partida.table_code,
        "partida": partida.partida_id,
        "shuffler": partida.shuffler or None,
        "decks": tuple(partida.decks),
    }
    if issubclass(kind, CardsShuffled):
        told["decks"] = tuple(DeckPasses(deck=deck, passes=None) for deck in partida.decks)  # type: ignore[arg-type]
    if issubclass(kind, PartidaClosed):
        told |= {name: getattr(partida, name) or None for name in _CREW}
    if any(field.name == "shoe" and field.required for field in fields_of(kind)):
        last = Shuffle.objects.filter(partida_id=partida.partida_id).aggregate(n=Max("shoe"))["n"]
        told["shoe"] = (last or 0) + 1 if issubclass(kind, CardsShuffled) else last or 1
    if "jackpot" in {field.name for field in fields_of(kind)} and partida.jackpots:
        told["jackpot"] = partida.jackpots[0]
    return told


_CREW: Final = ("fiscal_de_banca", "fiscal_chefe", "pagador")


def _own(kind: type[Any], by: Actor) -> dict[str, Any]:
    """What follows from who asks and when."""
    now = clock.now().replace(microsecond=0)
    if issubclass(kind, OfficeGranted):
        return {"valid_from": now, "granted_by": by.staff}
    if issubclass(kind, OfficeEnded):
        return {"ended_at": now, "ended_by": by.staff}
    if issubclass(kind, LimitsSet):
        return {"valid_from": now, "approved_by": by.staff}
    if issubclass(kind, IncidentReported):
        return {"incident": _next_incident()}
    if issubclass(kind, DeckInspected):
        return {"cards": 52, "fiscal_de_banca": by.staff}
    return {}


def _of_the_seal(request: HttpRequest, kind: type[Any]) -> dict[str, Any]:
    """Keys as they are published, what was signed last, the epoch that waits for its second."""
    if issubclass(kind, SigningKeyNamed):
        return _replaced()
    if issubclass(kind, EpochBegun):
        return _signed_last()
    if issubclass(kind, EpochApproved):
        with suppress(ValueError):
            asked = BookEntry.objects.filter(
                pk=UUID(_asked(request, "begun")), kind=EpochBegun.kind
            )
            for entry in asked.select_related("stream"):
                leaf = bytes(entry.leaf_hash).hex()
                return {"begun": EntryRef(stream=entry.stream.name, n=entry.n, leaf=leaf)}
    return {}


def _replaced() -> dict[str, Any]:
    """Of the published keys the one that signs longest: the policy names the oldest first, those
    that were retired too.
    """
    try:
        keys = Policy.parse(policy_text()).logs
        newest = latest()
        signing = valid_signatures(parse_note(newest.note), keys) if newest is not None else {}
    except (Unreadable, SignatureRefused):
        return {}
    published = [key.text() for key in keys]
    found = [key for key in published if key in signing] or published
    return {"replaces": found[0]} if found else {}


def _signed_last() -> dict[str, Any]:
    """The last checkpoint as the signer knows it; where it says nothing, as the book does."""
    newest, refused = latest(), refusal()
    if newest is None:
        return {}
    told: dict[str, Any] = {"lost_origin": newest.origin}
    if refused is not None and refused.own_size and refused.own_root:
        told["lost_origin"] = refused.origin or newest.origin
        return told | {"lost_size": refused.own_size, "lost_root": refused.own_root}
    return told | {"lost_size": newest.size, "lost_root": newest.root.hex()}


def _next_incident() -> str:
    """The register's next number, after the last that was given."""
    year = clock.now().year
    last = Incident.objects.order_by("-pk").values_list("incident", flat=True).first() or ""
    found = _running(last)
    if found is None or str(year) not in found[1]:
        return f"IN-{year}-0001"
    return f"{found[1]}{int(found[2]) + 1:0{len(found[2])}d}"


def _last_partida(
    table: str | None = None, partida: str | None = None, *, still_open: bool = False
) -> Partida | None:
    rows = Partida.objects.order_by("-pk")
    if partida:
        return rows.filter(partida_id=partida).first()
    if table:
        rows = rows.filter(table_code=table)
    if still_open:
        closed = Closing.objects.filter(partida_id=OuterRef("partida_id"))
        rows = rows.filter(~Exists(closed))
    return rows.first()
