"""Reads a report's PDF again: its seal, its JSON, its proofs, each by itself.

Plain functions of bytes: neither a database nor the house is asked. Whoever shows what they say
knows which house, which keys and which certificate he means.
"""

import io
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from asn1crypto import x509
from pyhanko.pdf_utils.misc import PdfReadError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from audit.reports.own_thread import in_own_thread
from audit.reports.report_draft import FORMAT, EntryNamed, EntryProof, ReportDocument
from casino.tlog.canonical import NotCanonical, canonical
from casino.tlog.merkle import leaf_hash
from casino.tlog.proof import ProofRefused, verify_inclusion
from casino.tlog.proof_file import ProofFile
from casino.tlog.strict import Unreadable

JSON: Final = "report.json"
PROOFS: Final = "proofs.json"
MOST: Final = 200_000_000  # bytes of a file
_END: Final = re.compile(rb"startxref\s+[0-9]+\s+%%EOF\r?\n?\Z")
SealState = Literal["none", "valid", "altered", "unknown"]

# That a certificate is not known is an answer here, and no trouble to be logged with its stack.
logging.getLogger("pyhanko.sign").setLevel(logging.CRITICAL)


class NoReport(ValueError):
    """The file is no report of ours; the text says why."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What the seal of a file says: "valid", "altered", "none"; "unknown" where it is whole but of
    a certificate that is not among those that were given. `whole` is whether it covers all bytes
    but those that were added for the archive. `stamped` is whether it bears a time stamp.

    `altered` says where: "content" (what it covers), "signature" (itself), "added" (after it).
    `signed_sha256` is the digest that was signed, in hex, as the book names it. `stamped_at` is
    that of the stamp, "" for none; `stamp_trusted` whether it is of an authority that was given.
    `archived` is whether a later stamp, itself whole, covers all but its own proofs; `demo`,
    whether the certificate vouches for itself alone.
    """

    state: SealState
    name: str = ""
    certificate_sha256: str = ""
    stamped: bool = False
    whole: bool = False
    altered: str = ""
    signed_sha256: str = ""
    stamped_at: str = ""
    stamp_trusted: bool = False
    archived: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class Proved:
    """The proofs of a report: how many lead to a signed root, and those that do not, by entry."""

    proved: int
    refused: tuple[str, ...]
    roots: frozenset[tuple[int, str]]  # size and root in hex, of the checkpoints they lead to


def embedded(pdf: bytes) -> dict[str, bytes]:
    """The files a report carries, by name. Raises: NoReport."""
    if len(pdf) > MOST:
        raise NoReport("the file is too large")
    try:
        names = PdfFileReader(io.BytesIO(pdf)).root["/Names"]["/EmbeddedFiles"]["/Names"]
        listed = [(str(names[place]), names[place + 1]) for place in range(0, len(names), 2)]
        return {name: bytes(one["/EF"]["/F"].data) for name, one in listed}
    except (PdfReadError, KeyError, IndexError, ValueError, AttributeError) as trouble:
        raise NoReport(f"it carries no report: {trouble}") from trouble


def report_of(pdf: bytes) -> tuple[ReportDocument, str]:
    """The report a file carries, and the SHA-256 of its JSON in hex. Raises: NoReport."""
    data = embedded(pdf).get(JSON)
    if data is None:
        raise NoReport(f"it carries no {JSON}")
    try:
        value: ReportDocument = json.loads(data)
        if value.get("format") != FORMAT or canonical(value) != data:
            raise NoReport(f"{JSON} is no report of this form")
    except (ValueError, AttributeError, NotCanonical) as trouble:
        raise NoReport(f"{JSON} cannot be read: {trouble}") from trouble
    return value, sha256(data).hexdigest()


def proofs_of(pdf: bytes) -> list[EntryProof]:
    """The proofs a file carries: each ``entry`` and ``proof``, a .tlog-proof. Raises: NoReport."""
    try:
        return list(json.loads(embedded(pdf)[PROOFS])["proofs"])
    except (KeyError, ValueError, TypeError) as trouble:
        raise NoReport(f"{PROOFS} cannot be read: {trouble}") from trouble


def prove(proofs: Sequence[EntryProof]) -> Proved:
    """Follow every proof from its entry to its root. Signatures under that root are for whoever
    knows the keys (`ProofFile.note`, `casino.tlog.policy`).
    """
    proved, refused, roots = 0, [], set()
    for one in proofs:
        entry = one["entry"]
        try:
            file = ProofFile.parse(one["proof"])
            text = json.loads(file.extra or b"")["entry"].encode()
            leaf = leaf_hash(text)
            if leaf.hex() != entry["leaf"] or not _is_of(text, entry):
                raise ProofRefused("another entry")
            point = file.checkpoint
            verify_inclusion(leaf, file.index, point.size, list(file.path), point.root)
            roots.add((point.size, point.root.hex()))
            proved += 1
        except (Unreadable, ProofRefused, ValueError, KeyError, TypeError):
            refused.append(f"{entry.get('stream')} {entry.get('n')}")
    return Proved(proved, tuple(refused), frozenset(roots))


def _is_of(text: bytes, entry: EntryNamed) -> bool:
    body = json.loads(text)
    return bool((body["stream"], body["n"]) == (entry["stream"], entry["n"]))


def seal_of(pdf: bytes, certificates: Sequence[bytes] = (), stamps: Sequence[bytes] = ()) -> Seal:
    """What the seal of a file says, held against certificates (DER) whoever asks trusts, and
    against those of the time-stamping authority.

    Raises: NoReport, where it is no PDF.
    """
    try:
        reader = PdfFileReader(io.BytesIO(pdf))
        found = reader.embedded_regular_signatures
    except (PdfReadError, ValueError, KeyError) as trouble:
        raise NoReport(f"it is no PDF that can be read: {trouble}") from trouble
    if not found:
        return Seal("none")
    try:
        known = _known(certificates), _known(stamps)
        status = in_own_thread(lambda: validate_pdf_signature(found[0], *known))
        own = status.signing_cert
        named = str(own.subject.native.get("common_name", ""))
        signed = found[0].signer_info["signed_attrs"].untag().dump()
    except (SignatureValidationError, ValueError, KeyError, TypeError, PdfReadError):
        return Seal("altered", altered="signature")
    # Nothing may be added after the seal but a time stamp for the archive, over all that is there:
    # not even bytes no reader shows.
    whole = status.coverage is SignatureCoverageLevel.ENTIRE_FILE
    archived = not whole and _is_archived(pdf, reader, stamps)
    altered = "" if status.docmdp_ok and (whole or archived) else "added"
    altered = altered if status.intact and status.valid else "signature"
    altered = altered if status.intact else "content"
    stamp = status.timestamp_validity
    sound = stamp is not None and stamp.valid and stamp.intact
    return Seal(
        "altered" if altered else "valid" if status.trusted else "unknown",
        named,
        sha256(own.dump()).hexdigest(),
        stamp is not None,
        whole,
        altered,
        sha256(signed).hexdigest(),
        stamp.timestamp.isoformat() if stamp is not None and sound else "",
        bool(stamp is not None and sound and stamp.trusted),
        archived,
        own.self_issued,
    )


def _is_archived(pdf: bytes, reader: PdfFileReader, stamps: Sequence[bytes]) -> bool:
    """Whether the last time stamp for the archive is whole, and nothing comes after it but what it
    takes to verify it: at most one revision, up to the end of the file.
    """
    try:
        stamp = reader.embedded_timestamp_signatures[-1]
        status = in_own_thread(lambda: validate_pdf_timestamp(stamp, _known(stamps)))
        covered = sum(int(one) for one in list(stamp.byte_range)[2:])
    except (IndexError, SignatureValidationError, ValueError, KeyError, PdfReadError):
        return False
    after = pdf[covered:]
    ends = not after or (after.count(b"startxref") == 1 and _END.search(after) is not None)
    return bool(ends and status.intact and status.valid)


def _known(certificates: Sequence[bytes]) -> ValidationContext:
    roots = [x509.Certificate.load(der) for der in certificates]
    return ValidationContext(trust_roots=roots, allow_fetching=False)
