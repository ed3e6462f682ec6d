"""The electronic seal of a PDF: PAdES, put on in two steps, because the key is not here.

`prepared` makes room for the seal and says what is to be signed (a SHA-256 digest: the signed
attributes of RFC 5652); the signer's account signs that digest; `completed` puts it in, with a time
stamp where there is an authority (B-T), and with what it takes to verify it years later (B-LTA).
The field is invisible and has a name that can be read out; the pages say in words that there is a
seal. Source: ETSI EN 319 142-1; RFC 3161.
"""

import asyncio
import io
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from asn1crypto import cms, crl, pem, tsp, x509
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.signers import ExternalSigner, PdfSignatureMetadata, PdfSigner, PdfTimeStamper
from pyhanko.sign.signers.pdf_byterange import PreparedByteRangeDigest
from pyhanko.sign.signers.pdf_signer import PdfTBSDocument
from pyhanko.sign.timestamps import TimeStamper, TimestampRequestError
from pyhanko.sign.validation.dss import async_add_validation_info
from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
from pyhanko.sign.validation.status import TimestampSignatureStatus
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

from audit.reports.own_thread import in_own_thread

FIELD: Final = "Seal"
ROOM: Final = 32_768  # hex digits kept for signature, certificates and time stamp
ANSWER: Final = 1_000_000  # bytes of a time-stamping authority's answer, at most
PATIENCE: Final = 10  # seconds for that answer
_HASH: Final = "sha256"


class SealRefused(RuntimeError):
    """There is no seal; `code` is the kind of refusal in one word, `detail` what was met.

    ``unreadable``, ``expired``, ``not-yet``, ``revoked``: the certificate; ``tsa-away``,
    ``tsa-another``: the time-stamping authority; ``invalid``: a signature that is not the key's.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


@dataclass(frozen=True)
class SealCertificate:
    """The seal's certificate and those above it, and lists of revoked ones; all in DER."""

    chain: tuple[bytes, ...]
    revoked_lists: tuple[bytes, ...] = ()

    @classmethod
    def of_pem(cls, text: bytes, revoked_lists: tuple[bytes, ...] = ()) -> "SealCertificate":
        """The first certificate of a PEM file is the seal's. Raises: SealRefused."""
        try:
            found = tuple(der for kind, _, der in pem.unarmor(text, multiple=True))
            for der in found:
                x509.Certificate.load(der).public_key.native  # noqa: B018 - read, or raised
        except ValueError as error:
            raise SealRefused("unreadable", str(error)) from None
        return cls(found, revoked_lists)

    @cached_property
    def own(self) -> x509.Certificate:
        """The seal's own."""
        return x509.Certificate.load(self.chain[0])

    @property
    def name(self) -> str:
        """Whose seal it is, as the certificate says."""
        return str(self.own.subject.native.get("common_name", self.own.subject.human_friendly))

    @property
    def digest(self) -> str:
        """The SHA-256 of the certificate, in hex."""
        return sha256(self.chain[0]).hexdigest()

    @property
    def ends_at(self) -> datetime:
        """When it ends, aware."""
        ends_at: datetime = self.own.not_valid_after
        return ends_at.astimezone(UTC)

    @property
    def demo(self) -> bool:
        """Whether it vouches for itself alone: that proves nothing."""
        return len(self.chain) == 1 and self.own.self_issued

    def must_hold(self, at: datetime) -> None:
        """Raises: SealRefused, where it does not hold at a moment."""
        if at >= self.ends_at:
            raise SealRefused("expired", self.ends_at.date().isoformat())
        if at < self.own.not_valid_before:
            raise SealRefused("not-yet", self.own.not_valid_before.date().isoformat())
        if any(map(self._is_revoked_by, self.revoked_lists)):
            raise SealRefused("revoked", self.name)

    def _is_revoked_by(self, der: bytes) -> bool:
        try:
            listed = crl.CertificateList.load(der)
            revoked = listed["tbs_cert_list"]["revoked_certificates"]
            numbers = {one["user_certificate"].native for one in revoked}
            return bool(listed.issuer == self.own.issuer and self.own.serial_number in numbers)
        except ValueError as trouble:
            raise SealRefused("unreadable", str(trouble)) from trouble

    def store(self) -> SimpleCertificateStore:
        """The certificates above it, for the signature to hold."""
        store = SimpleCertificateStore()  # type: ignore[no-untyped-call]
        store.register_multiple([x509.Certificate.load(der) for der in self.chain])
        return store


@dataclass(frozen=True, slots=True)
class Prepared:
    """A PDF with room for its seal, and what goes there: digests and offsets in bytes.

    `attributes` are the signed attributes in DER, whose SHA-256 (`digest`) the signer signs.
    """

    pdf: bytes
    covered: bytes
    start: int
    end: int
    attributes: bytes

    @property
    def digest(self) -> str:
        """What is signed, in hex."""
        return sha256(self.attributes).hexdigest()

    def as_json(self) -> dict[str, object]:
        """All but the PDF itself."""
        return {
            "attributes": self.attributes.hex(),
            "covered": self.covered.hex(),
            "end": self.end,
            "start": self.start,
        }

    @classmethod
    def of_json(cls, pdf: bytes, kept: dict[str, str | int]) -> "Prepared":
        """As `as_json` wrote it."""
        attributes, covered = (bytes.fromhex(str(kept[n])) for n in ("attributes", "covered"))
        return cls(pdf, covered, int(kept["start"]), int(kept["end"]), attributes)


class HttpTimeStamper(TimeStamper):
    """A time-stamping authority over HTTP (RFC 3161); a token of any other is refused."""

    def __init__(self, url: str, certificates: tuple[bytes, ...]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.url = url
        self.certificates = certificates

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """One question. Raises: SealRefused, where nobody answers."""
        asked = urllib.request.Request(  # noqa: S310 - whoever looks after the house names it
            self.url, req.dump(), {"Content-Type": "application/timestamp-query"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
                return tsp.TimeStampResp.load(answer.read(ANSWER))
        except (OSError, ValueError) as trouble:
            raise SealRefused("tsa-away", str(trouble)) from trouble

    async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> cms.ContentInfo:
        """A token, held against the authority's own certificates. Raises: SealRefused."""
        try:
            token = await super().async_timestamp(message_digest, md_algorithm)
        except (TimestampRequestError, ValueError) as trouble:
            raise SealRefused("tsa-away", str(trouble)) from trouble
        roots = [x509.Certificate.load(der) for der in self.certificates]
        known = ValidationContext(trust_roots=roots, allow_fetching=False)
        values = await validate_tst_signed_data(token["content"], known, lambda _: message_digest)
        status = TimestampSignatureStatus(**values)
        if not (status.valid and status.intact and status.trusted):
            raise SealRefused("tsa-another", status.summary())
        return token


def prepared(
    pdf: bytes, certificate: SealCertificate, at: datetime, *, name: str, place: str = ""
) -> Prepared:
    """A PDF with room for its seal. `name` is what the field is called aloud; `at` is aware.

    Raises: SealRefused.
    """
    certificate.must_hold(at)
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    about = PdfSignatureMetadata(
        field_name=FIELD,
        subfilter=SigSeedSubFilter.PADES,
        md_algorithm=_HASH,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
        name=certificate.name,
        location=place or None,
    )
    field = SigFieldSpec(FIELD, on_page=0, readable_field_name=name)
    signer = _signer(certificate)

    async def prepare() -> Prepared:
        put = PdfSigner(about, signer, new_field_spec=field)
        covered, _document, output = await put.async_digest_doc_for_signing(
            writer, bytes_reserved=ROOM
        )
        attributes = await signer.signed_attrs(covered.document_digest, _HASH, use_pades=True)
        output.seek(0)
        return Prepared(
            output.read(),
            covered.document_digest,
            covered.reserved_region_start,
            covered.reserved_region_end,
            attributes.dump(),
        )

    return in_own_thread(lambda: asyncio.run(prepare()))


def completed(
    made: Prepared,
    signature: bytes,
    certificate: SealCertificate,
    timestamper: TimeStamper | None = None,
    *,
    archive: tuple[bytes, ...] = (),
) -> bytes:
    """The sealed PDF: B-B, B-T with a time-stamping authority; B-LTA where `archive` names that
    authority's own certificates too. Raises: SealRefused.
    """
    signer = _signer(certificate, signature)
    attributes = cms.CMSAttributes.load(made.attributes)
    covered = PreparedByteRangeDigest(made.covered, made.start, made.end)

    async def complete() -> bytes:
        signed = await signer.async_sign_prescribed_attributes(
            _HASH, attributes, timestamper=timestamper
        )
        output = io.BytesIO(made.pdf)
        await PdfTBSDocument.async_finish_signing(output, covered, signed)
        if timestamper is None or not archive:
            return output.getvalue()
        return await _for_the_archive(output.getvalue(), certificate, timestamper, archive)

    return in_own_thread(lambda: asyncio.run(complete()))


async def _for_the_archive(
    pdf: bytes, certificate: SealCertificate, timestamper: TimeStamper, archive: tuple[bytes, ...]
) -> bytes:
    """The same with certificates, lists of revoked ones and a time stamp over all of it."""
    roots = [x509.Certificate.load(der) for der in (certificate.chain[-1], *archive)]

    def known() -> ValidationContext:
        return ValidationContext(
            trust_roots=roots,
            other_certs=[x509.Certificate.load(der) for der in certificate.chain],
            crls=[crl.CertificateList.load(der) for der in certificate.revoked_lists],
            allow_fetching=False,
            revocation_mode="soft-fail",
        )

    with_lists = io.BytesIO(pdf)
    seal = PdfFileReader(with_lists).embedded_regular_signatures[0]
    await async_add_validation_info(seal, known(), in_place=True)
    writer = IncrementalPdfFileWriter(with_lists)
    stamped = await PdfTimeStamper(timestamper).async_timestamp_pdf(writer, _HASH, known())
    stamped.seek(0)
    return bytes(stamped.read())


def _signer(certificate: SealCertificate, signature: bytes = bytes(256)) -> ExternalSigner:
    return ExternalSigner(certificate.own, certificate.store(), signature_value=signature)


def files_in(folder: str) -> tuple[bytes, ...]:
    """Lists of revoked certificates that lie in a folder, in DER."""
    if not folder:
        return ()
    found = sorted(Path(folder).glob("*.crl"))
    return tuple(_der(one.read_bytes()) for one in found)


def certificates_in(file: str) -> tuple[bytes, ...]:
    """The certificates of a PEM file, in DER. Raises: SealRefused, OSError."""
    return SealCertificate.of_pem(Path(file).read_bytes()).chain if file else ()


def _der(data: bytes) -> bytes:
    return pem.unarmor(data)[2] if pem.detect(data) else data
