"""What the book says of a file, or of what the QR code of a page says: to be held against it."""

import re
from typing import Final, NamedTuple

from audit.models import Letter, ReportIssue
from audit.reports.check_document import Examined, Held, Part, Verdict, checkpoint_of
from casino import sealed
from casino.models import DocumentSeal
from casino.tlog.proof import ProofRefused

_NUMBER: Final = re.compile(r"\b(?:REL|CTA)-([0-9]{4})-([0-9]{6,9})\b", re.ASCII)
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b", re.ASCII)
_CHECKPOINT: Final = re.compile(r"\b([0-9]{1,15})\s+([0-9a-f]{64})\b", re.ASCII)


def issue_of(json_sha256: str) -> ReportIssue | Letter | None:
    """The report or letter that was issued with this JSON: who does not hold its digest is told of
    none.
    """
    if not json_sha256:
        return None
    found = ReportIssue.objects.filter(json_sha256=json_sha256).first()
    return found or Letter.objects.filter(json_sha256=json_sha256).first()


def held_by_book(file: Examined, kept: str = "") -> Held:
    """What the book says of a file, and of a checkpoint somebody kept. Raises: Unreadable."""
    newest = sealed.latest()
    of_note = None
    if kept:
        note = checkpoint_of(kept)
        of_note = _checkpoint(newest, note.origin, note.size, note.root.hex())
    if file.unreadable:
        return Held(kept=of_note)
    issued = issue_of(file.json_sha256) is not None
    origins = {sealed.published_origin(), newest.origin if newest else ""} - {""}
    point = _checkpoint(newest, file.origin, file.size, file.root) if file.root else None
    own = issued or file.origin in origins or point == "kept" if file.origin else None
    return Held(own, issued, _seal(file), point, of_note)


def _seal(file: Examined) -> str | None:
    if not file.seal.certificate_sha256:
        return None
    asked = DocumentSeal.objects.filter(certificate=file.seal.certificate_sha256)
    if not asked.exists():
        return "foreign"
    return "known" if asked.filter(digest=file.seal.signed_sha256).exists() else "unasked"


def _checkpoint(newest: sealed.Sealed | None, origin: str, size: int, root: str) -> str:
    """ "kept", "differs", or "unknown" where this book holds nothing to compare it with."""
    if newest is None or not 0 < size <= newest.size:
        return "unknown"
    signed = {(one.origin, one.root.hex()) for one in sealed.at_sizes([size])}
    if (origin, root) in signed:
        return "kept"
    if origin != newest.origin:
        return "unknown"
    try:
        return "kept" if sealed.tree(newest.size).root_at(size).hex() == root else "differs"
    except ProofRefused:
        return "unknown"


class CodeSays(NamedTuple):
    """What the QR code of a report says: parts nobody typed are None; `digest` is its JSON's."""

    number: str | None
    digest: str
    checkpoint: tuple[int, str] | None


def code_of(text: str) -> CodeSays | None:
    """What was typed or scanned; None where the digest of the JSON is not among it."""
    text = text[:2_000]
    number = _NUMBER.search(text.upper())
    digest = _DIGEST.search(text.lower())
    if digest is None:
        return None
    point = _CHECKPOINT.search(text.lower(), digest.end())
    return CodeSays(
        number[0] if number else None,
        digest[0],
        (int(point[1]), point[2]) if point else None,
    )


def judge_code(said: CodeSays) -> tuple[Verdict, list[Part], ReportIssue | Letter | None]:
    """What is to be said of what the QR code says, and the report it is of."""
    issue = issue_of(said.digest)
    if issue is None:
        return "unknown", [Part("json", "unknown", "never")], None
    parts = [Part("json", "kept", "issued")]
    if said.number is not None and said.number != str(issue):
        parts.append(Part("number", "altered", "another"))
    if said.checkpoint is not None:
        same = said.checkpoint == (issue.size, issue.root)
        parts.append(
            Part("checkpoint", "kept", "kept") if same else Part("number", "altered", "point")
        )
    altered = any(part.state == "altered" for part in parts)
    parts.append(Part("paper", "note", "compare"))
    return "altered" if altered else "valid", parts, issue


__all__ = ["CodeSays", "code_of", "held_by_book", "issue_of", "judge_code"]
