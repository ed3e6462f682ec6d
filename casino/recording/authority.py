"""Who may write what: offices by kind, and what a second person must not be.

Only authority is asked here, never whether an act was lawful. Source: the matrix of permissions
typed by hand into tests/permissions.toml; each event declares its own policy.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import QuerySet

from casino import clock
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.event import RECONCILER
from casino.events.event_policy import ADMIN, AUDITOR, DIRECTION, MANAGER, OVERSEERS, PIT, Policy
from casino.events.phrases import Phrase
from casino.events.sealing import BY_TWO
from casino.extensions import book_questions, event_kinds
from casino.models import (
    BookEntry,
    EpochApproval,
    HouseActDecision,
    Passkey,
    PasskeyRevocation,
    PrivateValue,
    Supersession,
)
from casino.models.corrections_projections import Correction
from casino.models.projection import Projection
from casino.models.shufflers_projections import Attestation
from casino.recording import figure_rules, office_rules
from casino.recording.attaching import ATTACHMENTS, holds_files
from casino.recording.from_paper import check_sheet_age, check_writer
from casino.recording.preparing import Prepared
from casino.recording.refusals import (
    ACT_DECIDED,
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
    OF_DIRECTION,
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

# The doors through which a book is opened.
_FOUNDING: Final = frozenset({"local"})
# Who asks that a run be withdrawn, and who decides on it: two persons, each of one of these.
_OF_RUNS: Final = frozenset({MANAGER, AUDITOR})

# A second person's word on an act upon the book's seal: the field that names the act, of which
# kinds it is, where such words stand, and why a second one is refused.
_SECOND_OF: Final[Mapping[str, tuple[str, frozenset[str], type[Projection], Phrase]]] = {
    "epoch-approved/1": ("begun", frozenset({"epoch-begun/1"}), EpochApproval, APPROVED_ALREADY),
    "house-act-decided/1": ("act", BY_TWO, HouseActDecision, ACT_DECIDED),
}

_ASKED: Final = frozenset(
    {"witnessed/1", "corrected/1", "withdrawal-asked/1", "erased/1", "epoch-approved/1"}
    | {"house-act-decided/1"}
    | {"passkey-registered/1", "passkey-revoked/1", "witness-unlocked/1"}
    | {"office-granted/1", "office-ended/1", "office-asked/1", "request-decided/1"}
    | {"login-reset-asked/1", "figures-asked/1", "figures-set/1"}
)


def policy_of(kind: str) -> Policy:
    """Who may write and read a kind of record, as its event declares."""
    return event_kinds()[kind].policy


def writers_of(kind: str) -> frozenset[str]:
    """The offices that may write a kind of record."""
    return policy_of(kind).writers


def withdrawers_of(kind: str) -> frozenset[str]:
    """The offices that may ask that a record of this kind be withdrawn; none, where this book has
    no such kind.
    """
    if kind == RUN:
        return _OF_RUNS
    if kind not in event_kinds():
        return frozenset()
    return writers_of(WithdrawalAsked.kind) & writers_of(kind)


def deciders_in(stream: str) -> frozenset[str]:
    """The offices that may decide on a correction or a withdrawal in a stream."""
    return _OF_RUNS if stream == RECONCILER else writers_of(Corrected.kind)


def check_office(prepared: Prepared) -> None:
    """Raises: NotAllowed, when the actor's office may not write this kind."""
    by = prepared.submission.by
    allowed = writers_of(prepared.kind)
    if prepared.kind == WithdrawalAsked.kind:
        allowed = withdrawers_of(prepared.submission.event.act)
    if prepared.kind == Corrected.kind:
        allowed = deciders_in(prepared.stream)
    if by.office not in allowed:
        raise NotAllowed(
            place=prepared.place,
            staff=by.staff,
            office=by.office,
            kind=prepared.submission.event.act
            if prepared.kind == WithdrawalAsked.kind
            else prepared.kind,
            offices=", ".join(sorted(allowed)),
        )
    if prepared.kind == "office-granted/1" and by.door not in _FOUNDING:
        _check_grant(prepared)
    if prepared.kind in ("duty-begun/1", "duty-ended/1") and by.office == PIT:
        _check_duty(prepared)


def _check_duty(prepared: Prepared) -> None:
    """A fiscal de banca tells of his own duty as one, and at which tables; his superiors of any.

    Raises: OwnDuty.
    """
    event, by = prepared.submission.event, prepared.submission.by
    tables = getattr(event, "tables", None)
    if (event.staff, event.office) != (by.staff, PIT) or tables == ():
        raise OwnDuty(place=prepared.place, staff=by.staff)


def _check_grant(prepared: Prepared) -> None:
    """Raises: OwnOffice. The house's own commands, which open a book, are not asked."""
    event, by = prepared.submission.event, prepared.submission.by
    himself = event.staff.casefold() == by.staff.casefold()
    # In the admin two persons stand behind it, one of them an administrator.
    of_overseer = event.office in OVERSEERS and by.door != "admin"
    if himself or (of_overseer and by.office != ADMIN):
        raise OwnOffice(
            place=prepared.place, staff=by.staff, person=event.staff, office=event.office
        )


def asks_the_book(prepared: Prepared) -> bool:
    """Whether `check_against_book` has anything to ask about this one."""
    submission = prepared.submission
    corrects = submission.supersedes is not None
    from_paper = getattr(submission.event, "paper", None) is not None
    return corrects or from_paper or prepared.kind in _ASKED or prepared.kind in book_questions()


def check_against_book(prepared: Sequence[Prepared]) -> None:
    """What only the book can answer. Called with the streams' heads locked."""
    before = _Before(set(), set(), set(), set(), set())
    for place, one in enumerate(prepared):
        if one.submission.supersedes is not None:
            _check_correction(one, before.corrected)
        _check_paper(one)
        if one.kind in book_questions():
            book_questions()[one.kind](one, prepared[:place])
        if one.kind == "witnessed/1":
            _check_witness(one, before.nonces)
        elif one.kind == "corrected/1":
            _check_approval(one, before.decided, prepared)
        elif one.kind == "withdrawal-asked/1":
            _check_withdrawal(one, before.corrected, prepared)
        elif one.kind == "office-granted/1":
            office_rules.check_given(one, prepared[:place])
        elif one.kind == "office-ended/1":
            office_rules.check_ended(one, prepared[:place])
        elif one.kind in ("office-asked/1", "login-reset-asked/1"):
            office_rules.check_asked(one, prepared[:place])
        elif one.kind == "figures-asked/1":
            figure_rules.check_asked(one)
        elif one.kind == "figures-set/1":
            figure_rules.check_set(one, prepared[:place])
        elif one.kind == "request-decided/1":
            office_rules.check_decided(one, prepared[place + 1 :])
        elif one.kind == "erased/1":
            _check_erasure(one)
        elif one.kind in _SECOND_OF:
            _check_second(one, before.acts)
        elif one.kind.startswith("passkey-"):
            _check_passkey(one, before.passkeys)
        elif one.kind == "witness-unlocked/1":
            his_own = one.submission.event.staff == one.submission.by.staff
            _refuse_unless(not his_own, one, OWN_LOCK, SecretRefused)


def _check_paper(prepared: Prepared) -> None:
    """A correction keeps the sheet of what it corrects, however old. Raises: Malformed."""
    paper = getattr(prepared.submission.event, "paper", None)
    if paper is None:
        return
    if prepared.submission.supersedes is None:
        check_sheet_age(prepared.submission.occurred_at)
    check_writer(paper.written_by)


class _Before(NamedTuple):
    """What the ones before in the same batch do, which the book does not know yet."""

    corrected: set[tuple[str, int]]
    decided: set[tuple[str, int]]
    nonces: set[str]
    acts: set[tuple[str, int]]
    passkeys: set[tuple[str, str]]


def _entry(stream: str, n: int) -> BookEntry | None:
    return BookEntry.objects.select_related("stream").filter(stream__name=stream, n=n).first()


def _check_correction(prepared: Prepared, before: set[tuple[str, int]]) -> None:
    target = prepared.submission.supersedes
    assert target is not None
    if not policy_of(prepared.kind).correctable:
        raise NeverCorrected(place=prepared.place, kind=prepared.kind)
    entry = _entry(prepared.stream, target.n)
    if entry is None or entry.kind != prepared.kind or bytes(entry.leaf_hash).hex() != target.leaf:
        raise NothingToCorrect(
            place=prepared.place, n=target.n, kind=prepared.kind, stream=prepared.stream
        )
    _check_holds(
        prepared,
        target.n,
        NothingToCorrect(
            place=prepared.place, n=target.n, kind=prepared.kind, stream=prepared.stream
        ),
        before,
    )
    office_rules.check_corrected(prepared, entry)


def _check_holds(
    prepared: Prepared, n: int, refused: Refused, before: set[tuple[str, int]]
) -> None:
    """That an entry counts and nothing else is asked of it. Raises: `refused`, CorrectionPending,
    WithdrawnAlready.
    """
    itself = Supersession.objects.filter(stream=prepared.stream, n=n).first()
    if itself is not None:  # it was a correction: it holds once it is approved
        decision = _decision(prepared.stream, n)
        if decision is None:
            raise CorrectionPending(
                place=prepared.place, n=itself.original_n, stream=prepared.stream, by_n=n
            )
        if decision == "refused":
            raise refused
    for earlier in Supersession.objects.filter(stream=prepared.stream, original_n=n):
        if _decision(prepared.stream, earlier.n) != "refused":
            why = WithdrawnAlready if earlier.withdraws else CorrectionPending
            raise why(place=prepared.place, n=n, stream=prepared.stream, by_n=earlier.n)
    if (prepared.stream, n) in before:
        raise CorrectionPending(place=prepared.place, n=n, stream=prepared.stream, by_n="?")
    before.add((prepared.stream, n))


def _check_withdrawal(
    prepared: Prepared, before: set[tuple[str, int]], batch: Sequence[Prepared]
) -> None:
    """Something that counts, may be withdrawn, and takes all with it that rests on it."""
    event = prepared.submission.event
    named = {"n": event.entry.n, "kind": event.act, "stream": prepared.stream}
    nothing = NothingToWithdraw(place=prepared.place, **named)
    entry = _entry(prepared.stream, event.entry.n)
    if entry is None or bytes(entry.leaf_hash).hex() != event.entry.leaf or entry.kind != event.act:
        raise nothing
    if (entry.table_code, entry.partida_id) != (prepared.table_code, prepared.partida_id):
        raise nothing
    why = why_never(entry)
    if why is not None:
        raise NeverWithdrawn(place=prepared.place, why=why, **named)
    _check_holds(prepared, event.entry.n, nothing, before)
    _check_nothing_rests(prepared, entry, batch)


def _check_nothing_rests(prepared: Prepared, entry: BookEntry, batch: Sequence[Prepared]) -> None:
    """What cannot stand without an entry is withdrawn in the same act. Raises: StandsInTheWay."""
    with_it = set()
    for each in batch:
        value = each.submission.event
        if each.kind == WithdrawalAsked.kind:
            with_it.add((value.entry.stream, value.entry.n))
        elif each.kind == Corrected.kind and value.decision == "approved":
            with_it.add((value.original.stream, value.original.n))
    resting = resting_on(entry)
    for other in (*resting.in_the_way, *resting.falls):
        if (other.stream.name, other.n) not in with_it:
            raise StandsInTheWay(
                place=prepared.place,
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


def _check_erasure(prepared: Prepared) -> None:
    named, field = prepared.submission.event.entry, prepared.submission.event.field
    entry = _entry(named.stream, named.n)
    if (
        entry is None
        or bytes(entry.leaf_hash).hex() != named.leaf
        or not _can_be_erased(entry, field)
    ):
        raise NothingToErase(place=prepared.place, n=named.n, stream=named.stream, field=field)


def _can_be_erased(entry: BookEntry, field: str) -> bool:
    if field == ATTACHMENTS:
        return holds_files(entry)
    return PrivateValue.objects.filter(entry=entry, field=field, salt__isnull=False).exists()


def _check_second(prepared: Prepared, before: set[tuple[str, int]]) -> None:
    """That an act upon the book's seal is decided on by another person, once."""
    field, kinds, projection, why = _SECOND_OF[prepared.kind]
    named, by = getattr(prepared.submission.event, field), prepared.submission.by
    entry = _entry(named.stream, named.n)
    _refuse_unless(
        entry is not None and bytes(entry.leaf_hash).hex() == named.leaf, prepared, NO_SUCH_ACT
    )
    assert entry is not None
    _refuse_unless(entry.kind in kinds, prepared, ANOTHER_KIND)
    _refuse_unless(not acted(entry, by.staff), prepared, OWN_ACT)
    act = (named.stream, named.n)
    # Every such word stands in the stream of the house, whose head this writer holds.
    of_it = {f"{field}_stream": act[0], f"{field}_n": act[1]}
    decided = projection._default_manager.filter(**of_it).exists()
    _refuse_unless(not decided and act not in before, prepared, why)
    before.add(act)


def _refuse_unless(
    holds: bool, prepared: Prepared, why: str, refusal: type[Refused] = WitnessRefused
) -> None:
    if not holds:
        raise refusal(place=prepared.place, why=why)


def _check_witness(prepared: Prepared, before: set[str]) -> None:
    event, by = prepared.submission.event, prepared.submission.by
    entry = _entry(event.witnessed.stream, event.witnessed.n)
    _refuse_unless(
        entry is not None and bytes(entry.leaf_hash).hex() == event.witnessed.leaf,
        prepared,
        NO_SUCH_ACT,
    )
    assert entry is not None
    _refuse_unless(entry.kind == event.act, prepared, ANOTHER_KIND)
    _refuse_unless(
        (event.table_code or "") == entry.table_code
        and (event.partida_id or "") == entry.partida_id,
        prepared,
        ANOTHER_TABLE,
    )
    _refuse_unless(by.staff == event.staff, prepared, NOT_ONES_OWN)
    _refuse_unless(not acted(entry, event.staff), prepared, OWN_ACT)
    decided = _decisions(entry.stream.name, entry.n)
    _refuse_unless(not decided.filter(staff=event.staff).exists(), prepared, DECIDED_IT)
    approved = _approved_since(entry)
    withdrawn = approved is not None and approved.withdraws
    _refuse_unless(approved is None, prepared, WITHDRAWN_SINCE if withdrawn else CORRECTED_SINCE)
    _refuse_unless(event.expires_at >= clock.now(), prepared, TOO_LATE)
    used = Attestation.objects.filter(nonce=event.nonce).exists()
    _refuse_unless(not used and event.nonce not in before, prepared, USED_ALREADY)
    before.add(event.nonce)


def _approved_since(entry: BookEntry) -> Supersession | None:
    """What a second person approved in this entry's place, if anything: nothing, or another."""
    since = Supersession.objects.filter(stream=entry.stream.name, original_n=entry.n)
    approved = (each for each in since if _decision(entry.stream.name, each.n) == "approved")
    return next(approved, None)


def _check_passkey(prepared: Prepared, known_ones: set[tuple[str, str]]) -> None:
    """Whose it is. Every passkey is recorded in the house's stream, whose head this writer
    holds.
    """
    event, by = prepared.submission.event, prepared.submission.by
    known = Passkey.objects.filter(credential=event.credential)
    why = ""
    if prepared.kind == "passkey-registered/1":
        why = KNOWN_PASSKEY if known.exists() else ""
        why = OWN_PASSKEY if by.staff != event.staff else why
    else:
        revoked = PasskeyRevocation.objects.filter(credential=event.credential).exists()
        why = NO_SUCH_PASSKEY if revoked or not known.filter(person=event.staff).exists() else ""
        why = ANOTHERS_PASSKEY if by.staff != event.staff and by.office not in DIRECTION else why
    if (prepared.kind, event.credential) in known_ones:
        why = KNOWN_PASSKEY
    _refuse_unless(not why, prepared, why, SecretRefused)
    known_ones.add((prepared.kind, event.credential))


def _check_approval(
    prepared: Prepared, before: set[tuple[str, int]], batch: Sequence[Prepared]
) -> None:
    event, by = prepared.submission.event, prepared.submission.by
    named = (event.pending.stream, event.pending.n)
    pending = Supersession.objects.filter(stream=named[0], n=named[1]).first()
    entry = _entry(*named)
    _refuse_unless(
        pending is not None
        and entry is not None
        and bytes(entry.leaf_hash).hex() == event.pending.leaf
        and (event.original.stream, event.original.n, event.original.leaf)
        == (pending.stream, pending.original_n, pending.supersedes_leaf),
        prepared,
        NOT_WAITING,
    )
    assert pending is not None
    _refuse_unless((event.partida_id or "") == pending.partida_id, prepared, ANOTHER_TABLE)
    assert entry is not None
    why = why_not_decide(entry, by.staff)
    _refuse_unless(why is None, prepared, why or "")
    original = _entry(pending.stream, pending.original_n)
    assert original is not None
    its = office_rules.check_correction_decided(entry, original, by.office)
    _refuse_unless(its, prepared, OF_DIRECTION)
    _refuse_unless(_decision(*named) is None and named not in before, prepared, DECIDED_ALREADY)
    if pending.withdraws and event.decision == "approved":  # more may have been recorded meanwhile
        _check_nothing_rests(prepared, original, batch)
    before.add(named)
