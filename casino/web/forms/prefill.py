"""What a new record's form begins with: the address says where, the last partida says the rest."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max
from django.http import HttpRequest

from casino import clock
from casino.access.open_games import still_open
from casino.events.complaints import ComplaintReceived
from casino.events.deck_life import CardReplaced, DeckReceived
from casino.events.decks import DeckInspected
from casino.events.event import EntryRef, Event, FloorEvent, PartidaEvent
from casino.events.floor_life import DealerTookTable, PartidaReopened
from casino.events.incidents import IncidentReported
from casino.events.notices import FootageHeld, NoticeSent
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.sealing import (
    BY_TWO,
    BookRestored,
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    PepperChanged,
    SigningKeyNamed,
)
from casino.events.shape import fields_of
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.events.staff import OfficeEnded, OfficeGranted
from casino.events.tables import LimitsSet
from casino.house_day import gaming_day_now
from casino.models import (
    BookEntry,
    Complaint,
    Dealing,
    DeckReceipt,
    Incident,
    Partida,
    Shuffle,
)
from casino.queries import load_entry
from casino.recording import Actor
from casino.sealed import latest, policy_text
from casino.tlog.note import SignatureRefused, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.strict import Unreadable
from casino.web.forms.running_numbers import COMPLAINTS, HOLDS, INCIDENTS, NOTICES, next_number
from casino.web.signer_status import refusal
from casino.witnessing.proving import newest_pepper, pepper_name

# What one partida's opening begins with, of the opening before it at the same table.
_CARRIED: Final = (
    "rulebook", "limits", "decks", "dealing", "shuffler", "cut_card", "carta_aviso", "jackpots",
    "fiscal_de_banca", "fiscal_chefe", "pagador",
)  # fmt: skip
# Of recordings those are kept that begin and end so much before and after what they show.
_AROUND: Final = timedelta(minutes=5)


def suggested(request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
    """Values by field, as far as the form has these fields. Nothing here is recorded unseen."""
    if issubclass(kind, RoundPlayed):
        return {}
    asked = {name: value for name in _ASKED if (value := _asked(request, name))}
    if "partida" in asked:
        asked.setdefault("table", asked["partida"].partition("/")[0])
    data: dict[str, object] = dict(asked)
    if issubclass(kind, PartidaOpened):
        data |= _opening(asked)
    elif issubclass(kind, PartidaEvent) or (issubclass(kind, FloorEvent) and _PLACE & set(asked)):
        data |= _of_partida(kind, asked)
    data |= _own(kind, by) | _of_a_deck(kind) | _of_trouble(kind, asked, by)
    data |= _of_the_seal(request, kind)
    known = {field.name for field in fields_of(kind)}
    return {name: value for name, value in data.items() if name in known}


def _asked(request: HttpRequest, name: str) -> str:
    """What the address says; nothing where it says what no text of the book can hold."""
    value = request.GET.get(name, "").strip()
    return "" if "\0" in value else value


_ASKED: Final = (
    "table", "partida", "shuffler", "deck", "incident", "complaint", "dispute", "hold", "staff",
    "office", "round", "notice", "reference", "to", "document", "leave", "suspension",
)  # fmt: skip
_PLACE: Final = frozenset({"table", "partida"})


def _opening(asked: Mapping[str, str]) -> dict[str, object]:
    """As that table was opened last, under its next name."""
    before = _last_partida(asked.get("table"))
    if before is None:
        return {"rulebook": "pt"}
    recorded = load_entry(before.entry_id)
    carried = {} if recorded is None else {name: getattr(recorded.event, name) for name in _CARRIED}
    table = before.table_code
    day = gaming_day_now().isoformat()
    today = Partida.objects.filter(table_code=table, gaming_day=day).count()
    return {**carried, "table": table, "partida": f"{table}/{day}/{today + 1}"}


def _of_partida(kind: type[Event], asked: Mapping[str, str]) -> dict[str, object]:
    """In the partida that was named, else in the last one that is still open."""
    undoes = issubclass(kind, PartidaReopened)
    partida = _last_partida(asked.get("table"), asked.get("partida"), among_open=not undoes)
    if partida is None:
        return {}
    data: dict[str, object] = {
        "table": partida.table_code,
        "partida": partida.partida_id,
        "shuffler": asked.get("shuffler") or partida.shuffler or None,
        "decks": tuple(partida.decks),
    }
    dealing = _dealer_of(partida)
    if issubclass(kind, DealerTookTable):
        data["relieves"] = dealing
    elif issubclass(kind, PartidaEvent):
        data["pagador"] = dealing
    if issubclass(kind, CardsShuffled):
        data["decks"] = tuple(DeckPasses(deck=deck, passes=None) for deck in partida.decks)  # type: ignore[arg-type]
    if issubclass(kind, PartidaClosed):
        data |= {name: getattr(partida, name) or None for name in _CREW} | {"pagador": dealing}
    if any(field.name == "shoe" and field.required for field in fields_of(kind)):
        last = Shuffle.objects.filter(partida_id=partida.partida_id).aggregate(n=Max("shoe"))["n"]
        data["shoe"] = (last or 0) + 1 if issubclass(kind, CardsShuffled) else last or 1
    if "jackpot" in {field.name for field in fields_of(kind)} and partida.jackpots:
        data["jackpot"] = partida.jackpots[0]
    return data


def _dealer_of(partida: Partida) -> str | None:
    """Who deals there: the last who came, unless he left; where nobody came, the opening's."""
    of = Dealing.objects.filter(partida_id=partida.partida_id).order_by("-n").first()
    if of is None:
        return partida.pagador or None
    return of.pagador if of.act == "took" else None


_CREW: Final = ("fiscal_de_banca", "fiscal_chefe", "pagador")


def _own(kind: type[Event], by: Actor) -> dict[str, object]:
    """What follows from who asks and when."""
    now = clock.now().replace(microsecond=0)
    if issubclass(kind, OfficeGranted):
        return {"valid_from": now, "granted_by": by.staff}
    if issubclass(kind, OfficeEnded):
        return {"ended_at": now, "ended_by": by.staff}
    if issubclass(kind, LimitsSet):
        return {"valid_from": now, "approved_by": by.staff}
    if issubclass(kind, DeckInspected):
        return {"cards": 52, "fiscal_de_banca": by.staff}
    if issubclass(kind, CardReplaced):
        return {"replaced_by": by.staff, "replaced_by_office": by.office}
    if issubclass(kind, PartidaReopened):
        return {"authorised_by": by.staff}
    return {}


def _of_a_deck(kind: type[Event]) -> dict[str, object]:
    """Decks come as the last one came."""
    if not issubclass(kind, DeckReceived):
        return {}
    last = DeckReceipt.objects.order_by("-pk").first()
    if last is None:
        return {"cards": 52}
    names = ("maker", "back_colour", "serial", "cards", "document")
    return {name: getattr(last, name) or None for name in names}


def _of_trouble(kind: type[Event], asked: Mapping[str, str], by: Actor) -> dict[str, object]:
    """The next number of its register, and what it is about."""
    now = clock.now().replace(microsecond=0)
    if issubclass(kind, IncidentReported):
        return {"incident": next_number(INCIDENTS)}
    if issubclass(kind, ComplaintReceived):
        return {"complaint": next_number(COMPLAINTS), "received_at": now}
    if issubclass(kind, NoticeSent):
        about = next((name for name in ("incident", "complaint", "deck") if name in asked), None)
        return {
            "notice": next_number(NOTICES),
            "to": asked.get("to") or "inspection_service",
            "about": about or ("other" if asked.get("to") == "other" else None),
            "sent_at": now,
            "sent_by": by.staff,
            "sent_by_office": by.office,
        }
    if issubclass(kind, FootageHeld):
        return {"hold": asked.get("hold") or next_number(HOLDS), **recorded_around(asked)}
    return {}


def recorded_around(asked: Mapping[str, str]) -> dict[str, datetime]:
    """From when to when the cameras saw what is asked about."""
    seen: datetime | None = None
    if "incident" in asked:
        incident = Incident.objects.filter(incident=asked["incident"]).order_by("pk").first()
        seen = None if incident is None else incident.noticed_at or incident.occurred_at
    elif "complaint" in asked:
        came = Complaint.objects.filter(complaint=asked["complaint"]).order_by("pk").first()
        seen = None if came is None else came.received_at or came.occurred_at
    if seen is None:
        return {}
    seen = seen.replace(microsecond=0)
    until = min(seen + _AROUND, max(seen, clock.now().replace(microsecond=0)))
    return {"recorded_from": seen - _AROUND, "recorded_until": until}


def _of_the_seal(request: HttpRequest, kind: type[Event]) -> dict[str, object]:
    """Keys as they are published, what was signed last, the epoch that waits for its second."""
    if issubclass(kind, SigningKeyNamed):
        return _replaced()
    if issubclass(kind, PepperChanged):
        return {"pepper": pepper_name(newest_pepper())}
    if issubclass(kind, BookRestored):
        newest = latest()
        found = {} if newest is None else {"size": newest.size, "root": newest.root.hex()}
        return found | {"entries": 0, "source": "backup"}
    if issubclass(kind, EpochBegun):
        return _signed_last()
    if issubclass(kind, EpochApproved):
        return _act(request, "begun", {EpochBegun.kind})
    if issubclass(kind, HouseActDecided):
        return _act(request, "act", BY_TWO)
    return {}


def _act(request: HttpRequest, field: str, kinds: Collection[str]) -> dict[str, object]:
    """The entry somebody is to decide on, as the address names it."""
    with suppress(ValueError):
        asked = BookEntry.objects.filter(pk=UUID(_asked(request, field)), kind__in=kinds)
        for entry in asked.select_related("stream"):
            leaf = bytes(entry.leaf_hash).hex()
            return {field: EntryRef(stream=entry.stream.name, n=entry.n, leaf=leaf)}
    return {}


def _replaced() -> dict[str, object]:
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


def _signed_last() -> dict[str, object]:
    """The last checkpoint as the signer knows it; where it says nothing, as the book does."""
    newest, refused = latest(), refusal()
    if newest is None:
        return {}
    data: dict[str, object] = {"lost_origin": newest.origin}
    if refused is not None and refused.own_size and refused.own_root:
        data["lost_origin"] = refused.origin or newest.origin
        return data | {"lost_size": refused.own_size, "lost_root": refused.own_root}
    return data | {"lost_size": newest.size, "lost_root": newest.root.hex()}


def _last_partida(
    table: str | None = None, partida: str | None = None, *, among_open: bool = False
) -> Partida | None:
    rows = Partida.objects.order_by("-pk")
    if partida:
        return rows.filter(partida_id=partida).first()
    if table:
        rows = rows.filter(table_code=table)
    if among_open:
        rows = rows.filter(still_open())
    return rows.first()
