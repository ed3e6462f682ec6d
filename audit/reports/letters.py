"""Letters made from the record: what is communicated, leave that is asked for, a complaint's two.

A letter is a report of the same form, read, proved and sealed alike, with a `letter` beside its
sections: to whom, about what, who signs. Its facts are the record's; nobody types any. An article
is cited where the game is played by the house's own regulation; no other rulebook has these.

What is private (a player's name and address, reasons in words) stands on the page alone. The JSON
names the entry and the field, and the book's commitment to it is among the proofs; when the pages
are made again after it was erased they say so. Law: PT art. 5, 51, 55, 61.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from json import loads
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Field, Q, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, TooMuch
from casino.access.private_looks import kept_of, note_look
from casino.events.event_policy import HEADS, MANAGER
from casino.house_day import day_begins
from casino.law.rulebook.inspectorate import TODAY
from casino.models import (
    BookEntry,
    Complaint,
    ComplaintDecision,
    DeckReceipt,
    Erasure,
    Incident,
    IncidentStepRow,
    LeaveRequest,
    Partida,
    Replacement,
    Shuffler,
)
from casino.models.projection import Projection
from casino.previewing import RULEBOOK
from casino.queries import that_count
from casino.recording import Actor
from casino.web.display.cells import shown_column, titled
from casino.web.display.playing_cards import card_words
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import house_language

Pair = tuple[str, cells.Cell]
SERVICE, PLAYER = "inspection_service", "player"
ADDRESSEES: Final[Mapping[str, Promise]] = {
    SERVICE: gettext_lazy("inspection service"),
    PLAYER: gettext_lazy("player"),
}
# What the notice of a damaged card states even where no record does.
_ASKED: Final = frozenset({"noticed_at", "damaged_cards", "deck", "replaced"})
_OF_INCIDENT: Final = (
    *("incident", "gaming_day", "table_code", "partida_id", "level", "reason", "noticed_at"),
    *("damaged_cards", "deck", "shuffler", "called_at", "arrived_at", "opened_at", "opened_by"),
    *("lid_closed_at", "emptied", "technician_called_at", "technician_arrived_at", "replaced"),
    *("resolved_at", "resolved_by", "authorisation"),
)


class Letter(NamedTuple):
    """A letter there is: its name, to whom, who signs it, from which record, how it is read."""

    label: Promise
    to: str
    signed_by: frozenset[str]
    of: type[Projection]
    matter: str  # the column with its number
    read: Callable[..., None]  # of a draft and that record

    @property
    def kind(self) -> str:
        """The kind of the record it is made from."""
        return self.of.events[0].kind


def letter_draft(asked: Asked) -> Draft:
    """What a letter says. Raises: TooMuch, where the record it is made from counts no more."""
    letter = LETTERS[asked.report]
    record = record_of(letter, asked.findings[0])
    if record is None:
        raise TooMuch(_("The record this letter is made from no longer counts."))
    draft = Draft(letter={"to": letter.to, "reply_to": cells.clean(asked.reply_to)})
    draft.title = cells.clean(letter.label)
    letter.read(draft, record)
    draft.letter |= {"body": len(draft.sections), "matter": cells.clean(matter_of(letter, record))}
    _annex(draft)
    return draft


def record_of(letter: Letter, entry: str) -> Projection | None:
    """The record a letter is made from, by its entry; None where it does not count."""
    found: Projection | None = that_count(letter.of._default_manager.filter(pk=UUID(entry))).first()
    return found


def matter_of(letter: Letter, record: Projection) -> str:
    """The number of what a letter is about, in its register."""
    return str(getattr(record, letter.matter))


def in_full(
    letter: Mapping[str, object], number: str, issued_at: datetime, by: Actor
) -> dict[str, object]:
    """A letter as its JSON has it: with its head, and who signs."""
    place = cells.clean(settings.CASINO_PLACE)
    written = date_format(localtime(issued_at), _("j F Y"))
    day = written if house_language() == "en" else written.lower()  # months are small since 1990
    references = [(_("Our reference"), number), (_("Your reference"), letter["reply_to"])]
    references.append((_("Concerning"), letter["matter"]))
    return {
        **letter,
        "addressee": [_service()] if letter["to"] == SERVICE else [_("To the player")],
        "date": f"{place}, {day}" if place else day,
        "references": [{"name": one, "text": text} for one, text in references if text],
        "signature": [
            titled(field_words.word(by.office)),
            _("staff number %(number)s") % {"number": cells.clean(by.staff)},
        ],
        "closing": _("Yours faithfully,"),
        "erased": _("(erased, or not recorded)"),
        "salutation": _("Dear Sirs,") if letter["to"] == SERVICE else _("Dear Sir or Madam,"),
    }


def private_of_letter(document: bytes) -> dict[str, list[str]]:
    """What the pages of a letter show and its JSON does not, by where it stands, as lines."""
    return {
        place: [line for line in map(cells.clean, str(value or "").splitlines()) if line]
        for place, _entry, _field, value in _private(document)
    }


def _private(document: bytes) -> Iterator[tuple[str, BookEntry, str, object]]:
    """Where on a letter's pages a private value stands, of which entry and field; None: erased."""
    for one in loads(document).get("letter", {}).get("private", ()):
        entry = BookEntry.objects.get(stream__name=one["stream"], n=one["n"])
        yield one["place"], entry, one["field"], kept_of(entry).get(one["field"])


def shown_to(request: HttpRequest, document: bytes, made_at: datetime) -> bool:
    """Note what private of a letter's pages somebody is handed; False where some of it was erased
    since they were made, and they are not to be handed out any more.
    """
    private = list(_private(document))
    for _place, entry, field, _value in private:
        erased = Erasure.objects.filter(entry_stream=entry.stream.name, entry_n=entry.n)
        if erased.filter(field=field, recorded_at__gte=made_at).exists():
            return False
    for _place, entry, field, value in private:
        if value is not None:
            note_look(request, entry.kind, [field], entry.pk)
    return True


# -- To the inspection service ---------------------------------------------------------------------


def _read_notice(draft: Draft, incident: Incident) -> None:
    """What article 51 has communicated, or another incident. Law: PT art. 51, 55."""
    number, table = incident.incident, incident.table_code
    of_it = IncidentStepRow.objects.filter(incident=number, table_code=table)
    steps = list(that_count(of_it).order_by("n"))
    exchanged = list(that_count(Replacement.objects.filter(incident=number)).order_by("n"))
    draft.cite((one.stream, one.n) for one in (incident, *steps, *exchanged))
    stated = [
        *_stated(incident, _OF_INCIDENT),
        *[_done(field_words.word(one.step, "step"), one, one.by, one.by_office) for one in steps],
        *[
            _done(
                f"{_('Card exchanged')}: {card_words(one.card)}",
                *(one, one.replaced_by, one.replaced_by_office),
            )
            for one in exchanged
        ],
        *_registered(draft, DeckReceipt.objects.filter(deck=incident.deck), "back_colour"),
        *_registered(draft, Shuffler.objects.filter(shuffler=incident.shuffler), "model"),
    ]
    subject, said = _words_of(incident)
    after = [_("We remain at your disposal for whatever you find necessary.")]
    _letter(draft, subject, [said % {"table": table or "–"}], stated, after)


def _words_of(incident: Incident) -> tuple[str, str]:
    """The subject of its notice, and how it begins."""
    if incident.level == "damaged_card" and incident.shuffler:
        if _under_ours(Q(partida_id=incident.partida_id)):
            return _("Damaged card: communication under article 51"), _(
                "Under article 51 of the rules of blackjack/21 we communicate that a card came out"
                " damaged at table %(table)s, and what was done about it."
            )
        return _("Damaged card: communication"), _(
            "We communicate that a card came out damaged at table %(table)s, and what was done"
            " about it."
        )
    if incident.level == "deck_defect":
        said = _("We communicate that a deck in use at table %(table)s was found irregular.")
        return _("Irregular deck: communication"), said
    level = field_words.word(incident.level, "category")
    said = _("We communicate an incident at table %(table)s, and what was done about it.")
    return _("Incident: communication (%(what)s)") % {"what": level}, said


def _under_ours(game_filter: Q) -> bool:
    """Whether the last of these games is played by the house's own regulation, whose articles a
    letter may name; under another rulebook they say nothing. A record of no game is the house's.
    """
    last = that_count(Partida.objects.filter(game_filter)).order_by("-occurred_at").first()
    return last is None or last.rulebook == RULEBOOK


def _done(what: str, record: Projection, by: str, office: str) -> Pair:
    """What was done, when and by whom."""
    moment = cells.dated(record.occurred_at, day_begins(record.gaming_day))
    who = ", ".join(filter(None, (by or record.staff, field_words.word(office))))
    return titled(what), {**moment, "text": f"{moment['text']} ({cells.clean(who)})"}


def _registered(
    draft: Draft, records: QuerySet[DeckReceipt] | QuerySet[Shuffler], look: str
) -> list[Pair]:
    """A deck or a machine by its maker's marks, as it was entered last."""
    one = that_count(records).order_by("-n").first()
    if one is None:
        return []
    draft.cite([(one.stream, one.n)])
    marks = [one.maker, shown_column(look, getattr(one, look)), one.serial]
    label = _("Maker's marks of %(code)s") % {"code": cells.clean(one)}
    return [(label, cells.joined([mark for mark in marks if mark]))]


def _read_leave(draft: Draft, leave: LeaveRequest) -> None:
    """Leave to exchange single cards, on grounds. Law: PT art. 5."""
    draft.cite([(leave.stream, leave.n)])
    stated = _stated(leave, ("leave", "deck", "cards", "grounds", "incident", "document"))
    stated += _registered(draft, DeckReceipt.objects.filter(deck=leave.deck), "back_colour")
    incidents = that_count(Incident.objects.filter(incident=leave.incident or None))
    games = Q(partida_id__in=incidents.exclude(partida_id="").values("partida_id"))
    if _under_ours(games | Q(decks__contains=[leave.deck])):
        subject = _("Leave to exchange single cards: request under article 5")
        said = _(
            "Under article 5 of the rules of blackjack/21 we ask for leave to exchange only the"
            " cards named below, instead of the whole deck, on the grounds stated."
        )
    else:
        subject = _("Leave to exchange single cards: request")
        said = _(
            "We ask for leave to exchange only the cards named below, instead of the whole deck,"
            " on the grounds stated."
        )
    _letter(draft, subject, [said], stated, [_("We await your decision and its reference.")])


# -- To a player -----------------------------------------------------------------------------------


def _read_receipt(draft: Draft, complaint: Complaint) -> None:
    """A complaint was received, and what comes of it. Law: PT art. 61."""
    draft.cite([(complaint.stream, complaint.n)])
    days = settings.HOUSE_DEADLINES["complaint"].days
    _letter(
        draft,
        _("Your complaint %(number)s was received") % {"number": cells.clean(complaint.complaint)},
        [
            _(
                "We have received your complaint and entered it in the register under the number"
                " above. What was recorded of it is stated below: if anything is not as you said"
                " it, please tell us."
            )
        ],
        _of_complaint(complaint),
        [
            ngettext(
                "It will be looked into and decided on with reasons, within %(n)s day.",
                "It will be looked into and decided on with reasons, within %(n)s days.",
                days,
            )
            % {"n": days},
            _further(),
        ],
        [(complaint, "contact", "addressee")],
    )


def _read_answer(draft: Draft, decision: ComplaintDecision) -> None:
    """What was decided on a complaint, why, and how to go further. Law: PT art. 61."""
    of_it = that_count(Complaint.objects.filter(complaint=decision.complaint))
    complaint = of_it.order_by("pk").first()
    draft.cite((one.stream, one.n) for one in filter(None, (decision, complaint)))
    stated = [] if complaint is None else _of_complaint(complaint)
    stated += _stated(decision, ("outcome", "reason", "paid_cents"))
    decided = _cell(decision, "occurred_at", decision.occurred_at)
    private: list[tuple[Projection, str, str]] = [(decision, "text", "reasons")]
    if complaint is not None:
        private.append((complaint, "contact", "addressee"))
    _letter(
        draft,
        _("Your complaint %(number)s: decision") % {"number": cells.clean(decision.complaint)},
        [_("We looked into your complaint and decided on it as follows.")],
        [*stated, (titled(_("date of the decision")), decided)],
        [_further()],
        private,
    )


def _of_complaint(complaint: Complaint) -> list[Pair]:
    at = complaint.received_at or complaint.occurred_at
    return [
        *_stated(complaint, ("complaint",)),
        (titled(_("received at")), _cell(complaint, "received_at", at)),
        *_stated(complaint, ("table_code", "box", "subject", "amount_cents", "sheet")),
    ]


def _service() -> str:
    """What the inspection service of the house's country is called."""
    return cells.clean(settings.INSPECTION_SERVICE or TODAY)


def _further() -> str:
    """Where a player turns to; the complaints book is Portugal's."""
    said = (
        _("If you do not agree you may at any time turn to the %(service)s.")
        if settings.INSPECTION_SERVICE
        else _(
            "If you do not agree you may at any time turn to the %(service)s, or write in the"
            " complaints book, which is at your disposal in the room and in electronic form."
        )
    )
    return said % {"service": _service()}


# -- What all have in common -----------------------------------------------------------------------


def _stated(record: Projection, names: Sequence[str]) -> list[Pair]:
    """What a record says, by the names of its columns; what it leaves out only where it is asked
    for.
    """
    found = []
    for name in names:
        value = getattr(record, name)
        column = record._meta.get_field(name)
        label = titled(column.verbose_name if isinstance(column, Field) else name)
        if value not in (None, "", []):
            found.append((label, _cell(record, name, value)))
        elif name in _ASKED and getattr(record, "level", "") == "damaged_card":
            found.append((label, cells.text(_("not recorded"))))
    return found


def _cell(record: Projection, name: str, value: object) -> cells.Cell:
    if isinstance(value, datetime):
        return cells.dated(value, day_begins(record.gaming_day))
    if isinstance(value, date):
        return cells.day(value)
    if isinstance(value, int) and name.endswith("_cents"):
        return cells.cents(value)
    if isinstance(value, list):
        return cells.joined([card_words(one) for one in value])
    if name == "level":
        return cells.text(field_words.word(str(value), "category"))
    return cells.text(shown_column(name, value))


def _letter(
    draft: Draft,
    subject: str,
    before: Sequence[str],
    stated: Sequence[Pair],
    after: Sequence[str],
    private: Sequence[tuple[Projection, str, str]] = (),
) -> None:
    """Its two parts: what is said with the facts, and what follows. `private`: of which record
    which field stands where.
    """
    draft.letter |= {
        "subject": subject,
        "private": [
            {"field": field, "n": record.n, "place": place, "stream": record.stream}
            for record, field, place in private
        ],
    }
    draft.section(subject, texts=before, pairs=stated)
    draft.section("", texts=after)


def _annex(draft: Draft) -> None:
    """The records a letter rests on, and how to verify it."""
    marks = sorted(draft.cited)
    rows = []
    for stream, n in marks:
        entry = BookEntry.objects.get(stream__name=stream, n=n)
        named = {"n": n, "text": f"{stream} {n}"}
        what = cells.text(titled(kind_word(entry.kind)))
        rows.append(Row([named, what, cells.moment(entry.recorded_at)], (stream, n)))
    draft.section(
        _("Records this letter rests on"),
        columns=[Column(_("Entry"), 30), Column(_("What"), 35), Column(_("Recorded at"), 35)],
        rows=rows,
    )
    verified = _(
        "report.json, embedded in this file, holds the facts of this letter; proofs.json the"
        " records named above, each with its path to the checkpoint at the foot of the page."
        " Anybody verifies the file at the address /verify/ of the house's server."
    )
    apart = _(
        "Personal data of a player, and reasons in words, stand on these pages alone: the embedded"
        " files hold no more of them than the book's commitment."
    )
    texts = [verified, apart] if draft.letter["private"] else [verified]
    draft.section(_("How to verify this letter"), texts=texts)


LETTERS: Final[Mapping[str, Letter]] = {
    "notice": Letter(
        gettext_lazy("Communication to the inspection service"),
        *(SERVICE, frozenset({MANAGER}), Incident, "incident", _read_notice),
    ),
    "leave": Letter(
        gettext_lazy("Request for leave"), SERVICE, HEADS, LeaveRequest, "leave", _read_leave
    ),
    "complaint_receipt": Letter(
        gettext_lazy("Acknowledgement of a complaint"),
        *(PLAYER, HEADS, Complaint, "complaint", _read_receipt),
    ),
    "complaint_answer": Letter(
        gettext_lazy("Answer to a complaint"),
        *(PLAYER, HEADS, ComplaintDecision, "complaint", _read_answer),
    ),
}
