"""Who may write what: offices by kind, and what a second person must not be.

Only authority is asked here, never whether an act was lawful. Source: the matrix of permissions
typed by hand into tests/permissions.toml.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from casino import clock
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.event import RECONCILER
from casino.models import (
    BookEntry,
    EpochApproval,
    Passkey,
    PasskeyRevocation,
    PrivateValue,
    Supersession,
)
from casino.models.corrections_projections import Correction
from casino.models.shufflers_projections import Attestation
from casino.recording import office_rules as offices
from casino.recording.attaching import ATTACHMENTS, holds_files
from casino.recording.preparing import Prepared
from casino.recording.refusals import (
    ANOTHER_KIND,
    ANOTHER_TABLE,
    ANOTHERS_PASSKEY,
    APPROVED_ALREADY,
    CORRECTED_SINCE,
    DECIDED_ALREADY,
    DECIDED_IT,
    KNOWN_PASSKEY,
    NO_SUCH_ACT,
    NO_SUCH_PASSKEY,
    NOT_ONES_OWN,
    NOT_WAITING,
    OWN_ACT,
    OWN_LOCK,
    OWN_PASSKEY,
    TOO_LATE,
    USED_ALREADY,
    WITHDRAWN_SINCE,
    CorrectionPending,
    NeverCorrected,
    NeverWithdrawn,
    NotAllowed,
    NothingToCorrect,
    NothingToErase,
    NothingToWithdraw,
    OwnDuty,
    OwnOffice,
    Refused,
    SecretRefused,
    StandsInTheWay,
    WithdrawnAlready,
    WitnessRefused,
)
from casino.recording.second_persons import acted, why_not_decide
from casino.recording.withdrawing import RUN, resting_on, why_never

PIT: Final = "fiscal_de_banca"
HEAD: Final = "fiscal_chefe"
MANAGER: Final = "chefia_da_sala"
ADMIN: Final = "administrador"
INSPECTOR: Final = "inspetor"
DEVICE: Final = "dispositivo"
SYSTEM: Final = "sistema"

_FLOOR: Final = frozenset({PIT, HEAD, MANAGER})
_HOUSE: Final = frozenset({MANAGER, ADMIN})

# Those who look at the floor from outside it, and the doors through which a book is opened.
_OVERSEERS: Final = frozenset({INSPECTOR, "auditor"})
_FOUNDING: Final = frozenset({"local"})
# Who asks that a run be withdrawn, and who decides on it: two persons, each of one of these.
_OF_RUNS: Final = frozenset({MANAGER, "auditor"})

_ASKED: Final = frozenset(
    {"witnessed/1", "corrected/1", "withdrawal-asked/1", "erased/1", "epoch-approved/1"}
    | {"passkey-registered/1", "passkey-revoked/1", "witness-unlocked/1"}
    | {"office-granted/1", "office-ended/1"}
)

# Others act on these as they stand (the signer, the verifiers): a later word would not be heard.
_NEVER_CORRECTED: Final = frozenset(
    {"signing-key-named/1", "epoch-begun/1", "epoch-approved/1", "schema-recorded/1"}
    | {"book-restored/1", "book-verified/1", "jackpot-replayed/1", "export-made/1"}
    | {"passkey-registered/1", "passkey-revoked/1", "witness-failed/1", "witness-unlocked/1"}
    # A meter was shown and prizes were paid by them: it is adjusted instead, by two people.
    | {"terms-approved/1", "terms-confirmed/1", "jackpot-started/1", "jackpot-won/1"}
    | {"jackpot-paid/1", "jackpot-adjusted/1", "jackpot-sealed/1", "jackpot-read/1"}
    | {"withdrawal-asked/1"}
    # What the inspection service said it says anew: its last word counts.
    | {"inspection-leave-decided/1", "notice-acknowledged/1"}
)


def never_corrected(kind: str) -> bool:
    """Whether another record takes the place of such a one, and no correction."""
    return kind in _NEVER_CORRECTED


# What is done to decks and shoes is told by whoever stands at the table, or by his head inspector.
_AT_THE_TABLE: Final = frozenset({PIT, HEAD})

# Kinds not named here are the floor's.
WRITERS: Final = {
    "deck-inspected/1": _AT_THE_TABLE,
    "cards-shuffled/1": _AT_THE_TABLE,
    "cut-made/1": _AT_THE_TABLE,
    "carta-aviso-placed/1": _AT_THE_TABLE,
    "card-burned/1": _AT_THE_TABLE,
    "last-round-announced/1": _AT_THE_TABLE,
    "cards-spread/1": _AT_THE_TABLE,
    "play-interrupted/1": _AT_THE_TABLE,
    "play-resumed/1": _AT_THE_TABLE,
    "deck-received/1": frozenset({HEAD, MANAGER}),
    "decks-destroyed/1": frozenset({HEAD, MANAGER}),
    "deck-withdrawn/1": _FLOOR,  # at a table, or in store
    "card-replaced/1": _AT_THE_TABLE,
    "shuffler-found-empty/1": _AT_THE_TABLE,
    "incident-reported/1": _FLOOR | {DEVICE},
    "incident-step/1": _FLOOR | {DEVICE},
    "shuffler-opened/1": frozenset({PIT, HEAD, DEVICE}),
    # Cards in dispute wait until whoever answers for the table says they were looked at.
    "dispute-reviewed/1": _FLOOR,
    "complaint-decided/1": frozenset({HEAD, MANAGER}),
    "notice-sent/1": frozenset({HEAD, MANAGER}),
    "footage-held/1": frozenset({HEAD, MANAGER}),
    "dealer-took-table/1": _AT_THE_TABLE,
    "dealer-left-table/1": _AT_THE_TABLE,
    "table-handed-over/1": _AT_THE_TABLE,
    "seat-taken/1": frozenset({PIT, HEAD, DEVICE}),
    "seat-left/1": frozenset({PIT, HEAD, DEVICE}),
    "chips-counted/1": _AT_THE_TABLE,
    "rounds-deferred/1": frozenset({PIT, HEAD, DEVICE}),
    "partida-reopened/1": frozenset({MANAGER}),
    # What the inspection service decides the house tells as well, with the document; that a notice
    # reached it, the service alone.
    "inspection-leave-asked/1": frozenset({HEAD, MANAGER}),
    "inspection-leave-decided/1": frozenset({MANAGER, INSPECTOR}),
    "limits-approved/1": frozenset({MANAGER, INSPECTOR}),
    "notice-acknowledged/1": frozenset({INSPECTOR}),
    "table-registered/1": _HOUSE,
    "limits-set/1": frozenset({MANAGER}),
    "staff-registered/1": _HOUSE,
    "office-granted/1": _HOUSE,
    "office-ended/1": _HOUSE,
    "shuffler-registered/1": _HOUSE,
    "round-played/1": frozenset({PIT, DEVICE, SYSTEM}),
    # A head inspector witnesses a loading; he does not tell of one.
    "shuffler-loaded/1": frozenset({PIT, DEVICE}),
    "shuffler-unloaded/1": frozenset({PIT, DEVICE}),
    "jackpot-incremented/1": frozenset({PIT, DEVICE}),
    "terms-approved/1": frozenset({MANAGER}),
    "terms-confirmed/1": frozenset({HEAD}),
    "jackpot-started/1": frozenset({MANAGER}),
    "jackpot-won/1": _AT_THE_TABLE,
    "jackpot-paid/1": frozenset({PIT}),
    "jackpot-adjusted/1": frozenset({HEAD, MANAGER}),
    "jackpot-sealed/1": frozenset({SYSTEM}),
    "jackpot-read/1": _FLOOR | {DEVICE},
    # Whoever confirms is recorded; that he holds no rank for it is a finding, not a refusal.
    "witnessed/1": _FLOOR,
    "passkey-registered/1": _FLOOR,
    "passkey-revoked/1": _FLOOR | {ADMIN},
    "witness-failed/1": frozenset({SYSTEM}),
    "witness-unlocked/1": frozenset({MANAGER}),
    "corrected/1": frozenset({HEAD, MANAGER}),
    # And of these, whoever may write the kind that is withdrawn; of a run, `withdrawers_of`.
    "withdrawal-asked/1": _FLOOR,
    "erased/1": frozenset({MANAGER}),
    "shelf-rebuilt/1": frozenset({SYSTEM}),
    "signing-key-named/1": frozenset({ADMIN}),
    "epoch-begun/1": frozenset({ADMIN}),
    "epoch-approved/1": frozenset({MANAGER}),
    "schema-recorded/1": frozenset({SYSTEM}),
    "book-restored/1": frozenset({ADMIN, SYSTEM}),
    **dict.fromkeys(("book-verified/1", "jackpot-replayed/1"), frozenset({SYSTEM})),
    # Whoever may hold a copy of the book: the matrix's column X, and the house itself.
    "export-made/1": _OVERSEERS | {MANAGER, ADMIN, SYSTEM},
    "reconciliation-started/1": frozenset({SYSTEM}),
    "reconciliation-finished/1": frozenset({SYSTEM}),
    "game-judged/1": frozenset({SYSTEM}),
    **dict.fromkeys(("finding-raised/1", "finding-raised/2"), frozenset({SYSTEM})),
    **dict.fromkeys(("finding-superseded/1", "finding-superseded/2"), frozenset({SYSTEM})),
}


def writers_of(kind: str) -> frozenset[str]:
    """The offices that may write a kind of record."""
    return WRITERS.get(kind, _FLOOR)


def withdrawers_of(kind: str) -> frozenset[str]:
    """The offices that may ask that a record of this kind be withdrawn."""
    return _OF_RUNS if kind == RUN else writers_of(WithdrawalAsked.kind) & writers_of(kind)


def deciders_in(stream: str) -> frozenset[str]:
    """The offices that may decide on a correction or a withdrawal in a stream."""
    return _OF_RUNS if stream == RECONCILER else writers_of(Corrected.kind)


def check_office(one: Prepared) -> None:
    """Raises: NotAllowed, when the actor's office may not write this kind."""
    by = one.submission.by
    allowed = writers_of(one.kind)
    if by.door == "import" and one.kind == "round-played/1":
        allowed |= {MANAGER}  # who answers for the file
    if one.kind == WithdrawalAsked.kind:
        allowed = withdrawers_of(one.submission.event.act)
    if one.kind == Corrected.kind:
        allowed = deciders_in(one.stream)
    if by.office not in allowed:
        raise NotAllowed(
            place=one.place,
            staff=by.staff,
            office=by.office,
            kind=one.submission.event.act if one.kind == WithdrawalAsked.kind else one.kind,
            offices=", ".join(sorted(allowed)),
        )
    if one.kind == "office-granted/1" and by.door not in _FOUNDING:
        _check_grant(one)
    if one.kind in ("duty-begun/1", "duty-ended/1") and by.office == PIT:
        _check_duty(one)


def _check_duty(one: Prepared) -> None:
    """A fiscal de banca tells of his own duty as one, and at which tables; his superiors of any.

    Raises: OwnDuty.
    """
    event, by = one.submission.event, one.submission.by
    tables = getattr(event, "tables", None)
    if (event.staff, event.office) != (by.staff, PIT) or tables == ():
        raise OwnDuty(place=one.place, staff=by.staff)


def _check_grant(one: Prepared) -> None:
    """Raises: OwnOffice. The house's own commands, which open a book, are not asked."""
    event, by = one.submission.event, one.submission.by
    himself = event.staff.casefold() == by.staff.casefold()
    if himself or (event.office in _OVERSEERS and by.office != ADMIN):
        raise OwnOffice(place=one.place, staff=by.staff, person=event.staff, office=event.office)


def asks_the_book(one: Prepared) -> bool:
    """Whether `check_against_book` has anything to ask about this one."""
    corrects = one.submission.supersedes is not None
    return corrects or one.kind in _ASKED or one.kind in settings.ASKED_OF_THE_BOOK


def check_against_book(prepared: Sequence[Prepared]) -> None:
    """What only the book can answer. Called with the streams' heads locked."""
    before = _Before(set(), set(), set(), set(), set())
    for place, one in enumerate(prepared):
        if one.submission.supersedes is not None:
            _check_correction(one, before.corrected)
        if one.kind in settings.ASKED_OF_THE_BOOK:
            import_string(settings.ASKED_OF_THE_BOOK[one.kind])(one, prepared[:place])
        if one.kind == "witnessed/1":
            _check_witness(one, before.nonces)
        elif one.kind == "corrected/1":
            _check_approval(one, before.decided, prepared)
        elif one.kind == "withdrawal-asked/1":
            _check_withdrawal(one, before.corrected, prepared)
        elif one.kind == "office-granted/1":
            offices.check_given(one, prepared[:place])
        elif one.kind == "office-ended/1":
            offices.check_ended(one, prepared[:place])
        elif one.kind == "erased/1":
            _check_erasure(one)
        elif one.kind == "epoch-approved/1":
            _check_epoch(one, before.epochs)
        elif one.kind.startswith("passkey-"):
            _check_passkey(one, before.passkeys)
        elif one.kind == "witness-unlocked/1":
            his_own = one.submission.event.staff == one.submission.by.staff
            _refuse_unless(not his_own, one, OWN_LOCK, SecretRefused)


class _Before(NamedTuple):
    """What the ones before in the same batch do, which the book does not know yet."""

    corrected: set[tuple[str, int]]
    decided: set[tuple[str, int]]
    nonces: set[str]
    epochs: set[tuple[str, int]]
    passkeys: set[tuple[str, str]]


def _entry(stream: str, n: int) -> BookEntry | None:
    return BookEntry.objects.select_related("stream").filter(stream__name=stream, n=n).first()


def _check_correction(one: Prepared, before: set[tuple[str, int]]) -> None:
    target = one.submission.supersedes
    assert target is not None
    if one.kind in _NEVER_CORRECTED:
        raise NeverCorrected(place=one.place, kind=one.kind)
    entry = _entry(one.stream, target.n)
    if entry is None or entry.kind != one.kind or bytes(entry.leaf_hash).hex() != target.leaf:
        raise NothingToCorrect(place=one.place, n=target.n, kind=one.kind, stream=one.stream)
    _check_holds(one, target.n, NothingToCorrect(
        place=one.place, n=target.n, kind=one.kind, stream=one.stream
    ), before)  # fmt: skip
    offices.check_corrected(one, entry)


def _check_holds(one: Prepared, n: int, refused: Refused, before: set[tuple[str, int]]) -> None:
    """That an entry counts and nothing else is asked of it. Raises: `refused`, CorrectionPending,
    WithdrawnAlready.
    """
    itself = Supersession.objects.filter(stream=one.stream, n=n).first()
    if itself is not None:  # it was a correction: it holds once it is approved
        decision = _decision(one.stream, n)
        if decision is None:
            raise CorrectionPending(place=one.place, n=itself.original_n, stream=one.stream, by_n=n)
        if decision == "refused":
            raise refused
    for earlier in Supersession.objects.filter(stream=one.stream, original_n=n):
        if _decision(one.stream, earlier.n) != "refused":
            why = WithdrawnAlready if earlier.withdraws else CorrectionPending
            raise why(place=one.place, n=n, stream=one.stream, by_n=earlier.n)
    if (one.stream, n) in before:
        raise CorrectionPending(place=one.place, n=n, stream=one.stream, by_n="?")
    before.add((one.stream, n))


def _check_withdrawal(
    one: Prepared, before: set[tuple[str, int]], prepared: Sequence[Prepared]
) -> None:
    """Something that counts, may be withdrawn, and takes all with it that rests on it."""
    event = one.submission.event
    named = {"n": event.entry.n, "kind": event.act, "stream": one.stream}
    nothing = NothingToWithdraw(place=one.place, **named)
    entry = _entry(one.stream, event.entry.n)
    if entry is None or bytes(entry.leaf_hash).hex() != event.entry.leaf or entry.kind != event.act:
        raise nothing
    if (entry.table_code, entry.partida_id) != (one.table_code, one.partida_id):
        raise nothing
    why = why_never(entry)
    if why is not None:
        raise NeverWithdrawn(place=one.place, why=why, **named)
    _check_holds(one, event.entry.n, nothing, before)
    _check_nothing_rests(one, entry, prepared)


def _check_nothing_rests(one: Prepared, entry: BookEntry, prepared: Sequence[Prepared]) -> None:
    """What cannot stand without an entry is withdrawn in the same act. Raises: StandsInTheWay."""
    with_it = set()
    for each in prepared:
        value = each.submission.event
        if each.kind == WithdrawalAsked.kind:
            with_it.add((value.entry.stream, value.entry.n))
        elif each.kind == Corrected.kind and value.decision == "approved":
            with_it.add((value.original.stream, value.original.n))
    resting = resting_on(entry)
    for other in (*resting.in_the_way, *resting.falls):
        if (other.stream.name, other.n) not in with_it:
            raise StandsInTheWay(
                place=one.place,
                n=entry.n,
                stream=entry.stream.name,
                by_n=other.n,
                by_stream=other.stream.name,
                kind=other.kind,
            )


def _decision(stream: str, n: int) -> str | None:
    """What was decided on a correction; None while it waits."""
    return _decisions(stream, n).values_list("decision", flat=True).first()


def _decisions(stream: str, n: int) -> QuerySet[Correction]:
    return Correction.objects.filter(pending_stream=stream, pending_n=n)


def _check_erasure(one: Prepared) -> None:
    named, field = one.submission.event.entry, one.submission.event.field
    entry = _entry(named.stream, named.n)
    if (
        entry is None
        or bytes(entry.leaf_hash).hex() != named.leaf
        or not _can_be_erased(entry, field)
    ):
        raise NothingToErase(place=one.place, n=named.n, stream=named.stream, field=field)


def _can_be_erased(entry: BookEntry, field: str) -> bool:
    if field == ATTACHMENTS:
        return holds_files(entry)
    return PrivateValue.objects.filter(entry=entry, field=field, salt__isnull=False).exists()


def _check_epoch(one: Prepared, before: set[tuple[str, int]]) -> None:
    named, by = one.submission.event.begun, one.submission.by
    entry = _entry(named.stream, named.n)
    _refuse_unless(
        entry is not None and bytes(entry.leaf_hash).hex() == named.leaf, one, NO_SUCH_ACT
    )
    assert entry is not None
    _refuse_unless(entry.kind == "epoch-begun/1", one, ANOTHER_KIND)
    _refuse_unless(not acted(entry, by.staff), one, OWN_ACT)
    begun = (named.stream, named.n)
    # Every approval stands in the stream of the house, whose head this writer holds.
    approved = EpochApproval.objects.filter(begun_stream=begun[0], begun_n=begun[1]).exists()
    _refuse_unless(not approved and begun not in before, one, APPROVED_ALREADY)
    before.add(begun)


def _refuse_unless(
    holds: bool, one: Prepared, why: str, refusal: type[Refused] = WitnessRefused
) -> None:
    if not holds:
        raise refusal(place=one.place, why=why)


def _check_witness(one: Prepared, before: set[str]) -> None:
    event, by = one.submission.event, one.submission.by
    entry = _entry(event.witnessed.stream, event.witnessed.n)
    _refuse_unless(
        entry is not None and bytes(entry.leaf_hash).hex() == event.witnessed.leaf,
        one,
        NO_SUCH_ACT,
    )
    assert entry is not None
    _refuse_unless(entry.kind == event.act, one, ANOTHER_KIND)
    _refuse_unless(
        (event.table_code or "") == entry.table_code
        and (event.partida_id or "") == entry.partida_id,
        one,
        ANOTHER_TABLE,
    )
    _refuse_unless(by.staff == event.staff, one, NOT_ONES_OWN)
    _refuse_unless(not acted(entry, event.staff), one, OWN_ACT)
    decided = _decisions(entry.stream.name, entry.n)
    _refuse_unless(not decided.filter(staff=event.staff).exists(), one, DECIDED_IT)
    approved = _approved_since(entry)
    withdrawn = approved is not None and approved.withdraws
    _refuse_unless(approved is None, one, WITHDRAWN_SINCE if withdrawn else CORRECTED_SINCE)
    _refuse_unless(event.expires_at >= clock.now(), one, TOO_LATE)
    used = Attestation.objects.filter(nonce=event.nonce).exists()
    _refuse_unless(not used and event.nonce not in before, one, USED_ALREADY)
    before.add(event.nonce)


def _approved_since(entry: BookEntry) -> Supersession | None:
    """What a second person approved in this entry's place, if anything: nothing, or another."""
    since = Supersession.objects.filter(stream=entry.stream.name, original_n=entry.n)
    approved = (each for each in since if _decision(entry.stream.name, each.n) == "approved")
    return next(approved, None)


def _check_passkey(one: Prepared, before: set[tuple[str, str]]) -> None:
    """Whose it is. Every passkey is told in the house's stream, whose head this writer holds."""
    event, by = one.submission.event, one.submission.by
    known = Passkey.objects.filter(credential=event.credential)
    why = ""
    if one.kind == "passkey-registered/1":
        why = KNOWN_PASSKEY if known.exists() else ""
        why = OWN_PASSKEY if by.staff != event.staff else why
    else:
        revoked = PasskeyRevocation.objects.filter(credential=event.credential).exists()
        why = NO_SUCH_PASSKEY if revoked or not known.filter(person=event.staff).exists() else ""
        why = ANOTHERS_PASSKEY if by.staff != event.staff and by.office not in _HOUSE else why
    if (one.kind, event.credential) in before:
        why = KNOWN_PASSKEY
    _refuse_unless(not why, one, why, SecretRefused)
    before.add((one.kind, event.credential))


def _check_approval(
    one: Prepared, before: set[tuple[str, int]], prepared: Sequence[Prepared]
) -> None:
    event, by = one.submission.event, one.submission.by
    named = (event.pending.stream, event.pending.n)
    pending = Supersession.objects.filter(stream=named[0], n=named[1]).first()
    entry = _entry(*named)
    _refuse_unless(
        pending is not None
        and entry is not None
        and bytes(entry.leaf_hash).hex() == event.pending.leaf
        and (event.original.stream, event.original.n, event.original.leaf)
        == (pending.stream, pending.original_n, pending.supersedes_leaf),
        one,
        NOT_WAITING,
    )
    assert pending is not None
    _refuse_unless((event.partida_id or "") == pending.partida_id, one, ANOTHER_TABLE)
    assert entry is not None
    why = why_not_decide(entry, by.staff)
    _refuse_unless(why is None, one, why or "")
    _refuse_unless(_decision(*named) is None and named not in before, one, DECIDED_ALREADY)
    if pending.withdraws and event.decision == "approved":  # more may have been told meanwhile
        original = _entry(pending.stream, pending.original_n)
        assert original is not None
        _check_nothing_rests(one, original, prepared)
    before.add(named)
