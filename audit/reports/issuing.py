"""A report from its being asked for to its sealed files, in steps that may each be done twice.

Reading fixes the report: its number, its JSON, its proofs, and the entry of whoever asked, stand in
one transaction, so that numbers have no gap. All else is made from that JSON. Pages are made, then
each volume's seal is asked for in the book and the signer's answer is put in. Nothing can be
downloaded before all of it is there. What is only away is waited for, and said.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from json import loads
from pathlib import Path
from typing import Final
from uuid import UUID, uuid5

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509 import load_der_x509_certificate
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max
from django.utils import translation
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from audit.events import ReportIssued
from audit.exporting import ExportRefused
from audit.letter_events import LetterIssued, letter_number
from audit.models import Letter, PackPiece, ReportFile, ReportIssue, ReportRequest
from audit.models.audit_jobs import FAILED, FINISHED, OPEN
from audit.reports import letters, pdf_seal
from audit.reports.pdf_seal import Prepared, SealCertificate, SealRefused
from audit.reports.report_draft import number_text
from audit.reports.report_entries import Asked, PackFile, TooMuch
from audit.reports.report_reading import Head, ReportRead, draft_of, finished
from audit.reports.typesetting import NotTypeset, typeset_volumes
from audit.runs.advisory_locks import alone
from casino import clock, sealed
from casino.events import Malformed
from casino.events.event import Event
from casino.events.sealing import DocumentSealAsked
from casino.models import DocumentSignature
from casino.recording import Actor, Refused, Source, record
from casino.sealed import NotSealed

TOPIC: Final = "report"
KEPT: Final = timedelta(days=30)  # a file; the report can be made again from its JSON
LANGUAGES: Final = {code[:2]: code for code, _name in settings.LANGUAGES}
HOUSE: Final = Actor("export", "sistema", "job")  # as whom the seal is asked for
PART: Final = 20.0  # seconds after which the next volume is left to the next beginning
LOOK: Final = 0.05  # seconds between two looks for the signer's answer
READING, PAGES, SEALING = "reading", "pages", "sealing"

log = logging.getLogger(__name__)


class Waits(Exception):
    """Something is away that will come back; `words` say what, in the reader's language."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(words)


def go_on(request: UUID, make_pack: Callable[[ReportRequest], None]) -> bool:
    """Take a report, or a pack, as far as it can be; whether there is nothing left to do."""
    forget_expired(clock.now())
    order = ReportRequest.objects.filter(request=request).first()
    if order is None or order.state != OPEN:
        return True
    with translation.override(LANGUAGES[order.report_language]):
        try:
            (make_pack if order.pack_of else make)(order)
        except Waits as waits:
            note(order, refusal=waits.words)
            return False
        except NotSealed as waits:
            note(order, refusal=str(waits.words))
            return False
        except (TooMuch, Refused, Malformed, ExportRefused) as refused:
            note(order, state=FAILED, refusal=str(refused))
        except SealRefused as refused:
            note(order, state=FAILED, refusal=seal_words(refused))
        except NotTypeset as trouble:
            log.error("report %s: %s", order.number or order.request, trouble)
            note(order, state=FAILED, refusal=_not_typeset())
    return True


def _not_typeset() -> str:
    return _(
        "The pages could not be made; the worker's log says what was in the way. The document"
        " keeps its number and can be made again."
    )


def note(order: ReportRequest, **values: object) -> None:
    """Keep how far a report has come."""
    ReportRequest.objects.filter(request=order.request).update(**values)


def make(order: ReportRequest) -> None:
    """One report, to its end. Raises: Waits, NotSealed, and what `go_on` says in words."""
    prepare(order)
    seal(order)
    end(order, KEPT)


def prepare(order: ReportRequest) -> None:
    """Read it and make its pages, as far as that was not done; its seals are asked for."""
    if order.document is None:
        note(order, step=READING)
        _read(order)
    if order.step != SEALING:
        note(order, step=PAGES)
        _set_pages(order)
    if order.files.filter(content=None, seal_entry=None).exists():
        _ask_for_seals(order)


def end(order: ReportRequest, keep: timedelta) -> None:
    """From now on it is there to be downloaded, so long."""
    with transaction.atomic():
        order.files.update(prepared=None, covered=None)
        note(order, state=FINISHED, step="", refusal="", expires_at=clock.now() + keep)


# -- Reading ---------------------------------------------------------------------------------------


def _read(order: ReportRequest) -> None:
    asked = asked_of(order)
    with one_moment():
        draft = draft_of(asked, order.by_office)
    proved = _proved(draft.cited)
    certificate = published_certificate()
    now = clock.now()
    if certificate is not None:
        certificate.must_hold(now)
    with transaction.atomic():
        letter = asked.report in letters.LETTERS
        year, number = _next_number(now, Letter if letter else ReportIssue)
        by = Actor(order.by_staff, order.by_office, order.by_door)
        head = Head(
            order.request,
            letter_number(year, number) if letter else number_text(year, number),
            now,
            by,
            order.report_language,
            level() if certificate is not None else "",
            certificate.name if certificate is not None else "",
            certificate.digest if certificate is not None else "",
            certificate is not None and certificate.demo,
        )
        made = finished(draft, asked, head, proved)
        event = _issued(order, made, year, number)
        key, source = uuid5(order.request, "issued"), Source("job", str(order.request))
        record(event, key=key, by=by, occurred_at=now, source=source)
        order.document, order.proofs, order.number = made.document, made.proofs, head.number
        order.save(update_fields=["document", "proofs", "number"])


def _issued(order: ReportRequest, made: ReportRead, year: int, number: int) -> Event:
    """The entry of whoever asked: of a report, or of a letter."""
    values: dict[str, object] = {
        "year": year,
        "number": number,
        "request": str(order.request),
        "json_sha256": made.json_sha256,
        "proofs_sha256": sha256(made.proofs).hexdigest(),
        "entries": made.entries,
        "size": made.checkpoint.size,
        "root": made.checkpoint.root.hex(),
    }
    if order.report in letters.LETTERS:
        values |= {
            "letter": order.report,
            "matter": loads(made.document)["letter"]["matter"],
            "letter_language": order.report_language,
            "reply_to": order.reply_to or None,
        }
        return LetterIssued(**values)  # type: ignore[arg-type]  # the event asks what each is
    values |= {
        "report": order.report,
        "report_language": order.report_language,
        "from_day": order.from_day,
        "to_day": order.to_day,
        "of_table": order.of_table or None,
        "of_jackpot": order.of_jackpot or None,
    }
    return ReportIssued(**values)  # type: ignore[arg-type]  # likewise


def asked_of(order: ReportRequest) -> Asked:
    """What a request is of."""
    return Asked(
        order.report,
        order.from_day,
        order.to_day,
        order.of_table,
        order.of_jackpot,
        tuple(order.findings),
        order.pack_of,
        order.of_partida,
        order.kept,
        tuple(PackFile(*one) for one in order.listed or ()),
        tuple((str(stream), int(n)) for stream, n in order.cited),
        order.reply_to,
    )


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees the book as it is now, whatever is written meanwhile."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _proved(
    cited: set[tuple[str, int]],
) -> tuple[sealed.Sealed, list[sealed.RecordProof]]:
    """The proofs of these entries; the newest of them may wait seconds for their checkpoint.

    Raises: NotSealed.
    """
    until = time.monotonic() + settings.SEAL_PATIENCE
    while True:
        try:
            return sealed.record_proofs(cited)
        except NotSealed as waits:
            if waits.words is sealed.NO_PROOF or time.monotonic() >= until:
                raise
        time.sleep(LOOK)


def _next_number(now: datetime, issued: type[ReportIssue | Letter]) -> tuple[int, int]:
    """Year and number of the next report or letter; nobody else is given one until the transaction
    ends.
    """
    year = localtime(now).year
    with alone(f"{issued._meta.db_table.removeprefix('audit_')}-number/{year}"):
        rows = issued._default_manager.filter(year=year)
        last = rows.aggregate(last=Max("number"))["last"]
    return year, (last or 0) + 1


# -- Pages -----------------------------------------------------------------------------------------


def _set_pages(order: ReportRequest) -> None:
    assert order.document is not None
    assert order.proofs is not None
    document, proofs = bytes(order.document), bytes(order.proofs)
    digest, to_seal = sha256(document).hexdigest(), bool(loads(document)["seal"]["level"])
    have = set(order.files.values_list("volume", flat=True))
    until = time.monotonic() + PART
    private = letters.private_of_letter(document)
    made = typeset_volumes(document, proofs, digest, sealed=to_seal, besides=have, private=private)
    for volume in made:
        ReportFile.objects.create(
            request=order,
            volume=volume.number,
            pages=volume.pages,
            unsealed_sha256=sha256(volume.pdf).hexdigest(),
            prepared=volume.pdf if to_seal else None,
            content=None if to_seal else volume.pdf,
            sha256="" if to_seal else sha256(volume.pdf).hexdigest(),
            bytes_count=0 if to_seal else len(volume.pdf),
        )
        if volume.number < volume.of and time.monotonic() > until:
            there = {"n": volume.number, "of": volume.of}
            raise Waits(_("%(n)s of %(of)s volumes are made; it goes on in a minute.") % there)
    order.step = SEALING
    note(order, step=SEALING, refusal="")


# -- The seal --------------------------------------------------------------------------------------


def published_certificate() -> SealCertificate | None:
    """The certificate the signer publishes; None where this house has no seal. Raises: SealRefused.

    An unreadable list of revoked certificates is no list: the seal is refused.
    """
    if not settings.BOOK_PUBLIC:
        return None
    try:
        text = (Path(settings.BOOK_PUBLIC) / "seal.pem").read_bytes()
        lists = pdf_seal.files_in(settings.SEAL_CRLS)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as trouble:
        raise SealRefused("unreadable", str(trouble)) from trouble
    return SealCertificate.of_pem(text, lists) if text.strip() else None


def level() -> str:
    """Which seal this house puts on: with a time stamp where it names an authority."""
    if not settings.TSA_URL:
        return "B-B"
    return "B-LTA" if settings.SEAL_CRLS else "B-T"


def _certificate() -> SealCertificate:
    certificate = published_certificate()
    if certificate is None:
        raise Waits(_("Waits for the signer: it publishes no certificate of the seal any more."))
    certificate.must_hold(clock.now())
    return certificate


def _ask_for_seals(order: ReportRequest) -> None:
    certificate = _certificate()
    for file in order.files.filter(content=None, seal_entry=None).order_by("volume"):
        _ask_for_seal(order, file, certificate)


def seal(order: ReportRequest) -> None:
    """Put in the seals that were asked for. Raises: Waits, SealRefused."""
    files = list(order.files.filter(content=None).order_by("volume"))
    if not files:
        return
    assert order.document is not None
    certificate = _certificate()
    answers = _answers({file.seal_entry for file in files if file.seal_entry is not None})
    said = str(loads(bytes(order.document))["seal"]["level"])
    for file in files:
        answer = answers[file.seal_entry]  # type: ignore[index]  # asked for by `prepare`
        if answer.signature is None:
            raise SealRefused(answer.refusal)
        _put_in(file, bytes(answer.signature), certificate, said)


def _ask_for_seal(order: ReportRequest, file: ReportFile, certificate: SealCertificate) -> None:
    assert file.prepared is not None
    ready = pdf_seal.prepared(
        bytes(file.prepared), certificate, clock.now(), name=_("Electronic seal of the document")
    )
    event = DocumentSealAsked(
        document=f"{order.number}/{file.volume}",
        sha256=file.unsealed_sha256,
        digest=ready.digest,
        certificate=certificate.digest,
    )
    with transaction.atomic():
        key, source = uuid5(order.request, ready.digest), Source("job", str(order.request))
        receipt = record(event, key=key, by=HOUSE, occurred_at=clock.now(), source=source)
        file.prepared, file.covered = ready.pdf, ready.as_json()
        file.seal_entry = receipt.entry_id
        file.save(update_fields=["prepared", "covered", "seal_entry"])


def _answers(entries: set[UUID]) -> dict[UUID, DocumentSignature]:
    """The signer's answers, waited for a while. Raises: Waits."""
    until = time.monotonic() + settings.SEAL_PATIENCE
    while True:
        found = DocumentSignature.objects.in_bulk(entries)
        if len(found) == len(entries):
            return found
        if time.monotonic() >= until:
            raise Waits(
                _(
                    "Waits for the signer's seal. If it stays so, the signer has to be looked"
                    " after; the document is made as soon as it answers."
                )
            )
        time.sleep(LOOK)


def _put_in(file: ReportFile, signature: bytes, certificate: SealCertificate, said: str) -> None:
    assert file.prepared is not None
    assert file.covered is not None
    ready = Prepared.of_json(bytes(file.prepared), file.covered)
    _must_be_of(certificate, signature, ready)
    authority = pdf_seal.certificates_in(settings.TSA_CERTIFICATES)
    stamper = pdf_seal.HttpTimeStamper(settings.TSA_URL, authority) if said != "B-B" else None
    try:
        archive = authority if said == "B-LTA" else ()
        made = pdf_seal.completed(ready, signature, certificate, stamper, archive=archive)
    except SealRefused as refused:
        if refused.code == "tsa-away":
            raise Waits(seal_words(refused)) from refused
        raise
    file.content, file.sha256, file.bytes_count = made, sha256(made).hexdigest(), len(made)
    file.save(update_fields=["content", "sha256", "bytes_count"])


def _must_be_of(certificate: SealCertificate, signature: bytes, ready: Prepared) -> None:
    """Raises: SealRefused, where a signature is not that of the certificate's key."""
    key = load_der_x509_certificate(certificate.chain[0]).public_key()
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, ready.attributes, padding.PKCS1v15(), hashes.SHA256())
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, ready.attributes, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise SealRefused("invalid") from None


def seal_words(refused: SealRefused) -> str:
    """Why there is no seal, and what to do about it."""
    words = {
        "unreadable": _("The certificate of the seal, or a list of revoked ones, cannot be read."),
        "expired": _("The certificate of the seal ended on %(detail)s: the house needs a new one."),
        "not-yet": _("The certificate of the seal holds from %(detail)s on."),
        "revoked": _("The certificate of the seal (%(detail)s) was revoked: no seal."),
        "tsa-away": _("Waits for the time-stamping authority, which does not answer."),
        "tsa-another": _("The time stamp is not of the authority this house names: refused."),
        "invalid": _("The signer's answer is no signature of the seal's certificate: refused."),
        "another-certificate": _("The signer holds another certificate now: ask again."),
        "certificate-expired": _("The certificate of the seal ended: the house needs a new one."),
    }  # fmt: skip
    return words.get(refused.code, refused.code) % {"detail": refused.detail}


# -- What was made long ago ------------------------------------------------------------------------


def forget_expired(now: datetime) -> None:
    """Files that expired go; the report stays, and can be made again from its JSON. A pack goes."""
    old = ReportFile.objects.filter(request__expires_at__lte=now).exclude(content=None)
    old.update(content=None, prepared=None, covered=None, seal_entry=None)
    PackPiece.objects.filter(request__expires_at__lte=now).delete()
