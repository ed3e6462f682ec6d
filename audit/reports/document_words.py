"""What is said of a document that was verified: what was found, what is expected, what to do."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.reports.check_document import Examined, Part, Verdict


class Said(NamedTuple):
    """What is said of a part; "" where there is nothing to be expected or done."""

    found: str
    expected: str
    what_to_do: str


VERDICTS: Final[dict[Verdict, Promise]] = {
    "valid": _("Valid"),
    "altered": _("Altered"),
    "other": _("Of another house"),
    "unknown": _("Unknown, or not all could be verified"),
    "unreadable": _("Could not be read"),
}
PARTS: Final = {
    "file": _("File"),
    "house": _("House"),
    "seal": _("Seal"),
    "stamp": _("Time stamp"),
    "certificate": _("Certificate"),
    "json": _("report.json"),
    "proofs": _("proofs.json"),
    "checkpoint": _("Checkpoint"),
    "kept": _("Checkpoint you kept"),
    "number": _("QR code"),
    "paper": _("The paper itself"),
}
_AS_DOWNLOADED: Final = _("Bring the file as it was downloaded; do not rely on this one.")
_ASK_WHOEVER_GAVE: Final = _(
    "Ask for the original whoever gave it to you, and the house for the report of that number."
)
_SEAL: Final = _("a seal over the whole file, as the house put it on")
_ISSUED: Final = _("the JSON of a report whose issue is an entry of the book")
_PROVED: Final = _("for every entry a path to the checkpoint of the report")
_POINT: Final = _("size and root as this book has them")
_Words = tuple[str | Promise, str | Promise, str | Promise]

WORDS: Final[dict[tuple[str, str], _Words]] = {
    ("file", "no-pdf"): (
        _("This is no PDF that can be read."),
        _("a PDF, as this house hands out reports"),
        _AS_DOWNLOADED,
    ),
    ("file", "encrypted"): (
        _("The PDF is encrypted: what it holds cannot be read."),
        _("a PDF without a password; reports have none"),
        _AS_DOWNLOADED,
    ),
    ("file", "too-large"): (
        _("The file is larger than any report."),
        _("at most 25 MB; a longer report comes in volumes"),
        _("Bring one volume at a time."),
    ),
    ("file", "too-much"): (
        _("To read it takes more memory, time or pages than any report."),
        _("a report of at most 100 pages in a volume"),
        _AS_DOWNLOADED,
    ),
    ("file", "no-seal"): (
        _("A PDF without a seal and without a report of this form."),
        _("a report with report.json in it, and with a seal"),
        _("If it was printed or saved anew, bring the original file: a copy loses seal and data."),
    ),
    ("file", "not-ours"): (
        _("A signed PDF without a report of this form. The signature is of: %(name)s."),
        _("a report with report.json in it"),
        _("Ask whoever signed it; this house can say nothing of it."),
    ),
    ("house", "other"): (
        _("The file says that it is of the book %(origin)s."),
        _("a report of this house's book"),
        _("Have it verified by that house. What follows holds of the file alone."),
    ),
    ("seal", "kept"): (
        _("Whole, and over all of the file; put on by %(name)s."),
        _SEAL,
        "",
    ),
    ("seal", "content"): (
        _("What the seal covers was changed after it was sealed."),
        _SEAL,
        _ASK_WHOEVER_GAVE,
    ),
    ("seal", "signature"): (
        _("The seal itself was changed: it is no signature of its certificate."),
        _SEAL,
        _ASK_WHOEVER_GAVE,
    ),
    ("seal", "added"): (
        _("Something was added to the file after it was sealed by %(name)s."),
        _("nothing after the seal but a time stamp for the archive"),
        _("Bring the file as it was downloaded; a note or a signature put on it counts as added."),
    ),
    ("seal", "stripped"): (
        _("There is no seal; its data say that it was issued to be sealed."),
        _SEAL,
        _ASK_WHOEVER_GAVE,
    ),
    ("seal", "none"): (
        _("There is no seal: the pages may show anything."),
        _SEAL,
        _("Rely on report.json, not on the pages."),
    ),
    ("seal", "unasked"): (
        _("The certificate is this house's, but the book asked for no such seal (%(name)s)."),
        _("an entry of the book that asks for this very seal"),
        _("Keep the file and show it to the inspectorate: somebody seals past the book."),
    ),
    ("seal", "foreign"): (
        _("A whole seal, of a certificate that is not this house's: %(name)s."),
        _("a seal the book asked for"),
        _ASK_WHOEVER_GAVE,
    ),
    ("stamp", "none"): (
        _("No time stamp: when it was sealed is the house's word."),
        "",
        "",
    ),
    ("stamp", "trusted"): (
        _("Of the authority this house names: %(stamped)s."),
        "",
        "",
    ),
    ("stamp", "untrusted"): (
        _("A time stamp of an authority that is not known here: %(stamped)s."),
        "",
        _("Have a reader of signed PDF files say whose it is."),
    ),
    ("stamp", "archived"): (
        _("A later stamp for the archive, over all of the file (PAdES B-LTA): whole."),
        "",
        "",
    ),
    ("certificate", "demo"): (
        _("TEST CERTIFICATE: it vouches for itself, and proves nothing to anybody outside."),
        "",
        "",
    ),
    ("json", "issued"): (
        _("The book says that a report with this JSON was issued."),
        _ISSUED,
        "",
    ),
    ("json", "withdrawn"): (
        _("The house withdrew this letter: it was not to be sent."),
        _("a letter that holds"),
        _("Ask the house which letter it sent instead."),
    ),
    ("json", "never"): (
        _("This house issued no report with this JSON: %(sha256)s."),
        _ISSUED,
        _ASK_WHOEVER_GAVE,
    ),
    ("json", "broken"): (
        _("report.json is not as a report is written: it cannot be read."),
        _ISSUED,
        _ASK_WHOEVER_GAVE,
    ),
    ("json", "alone"): (_("Read; held against no book."), _ISSUED, ""),
    ("proofs", "proved"): (_("%(proved)s entries, each proved up to the checkpoint."), _PROVED, ""),
    ("proofs", "empty"): (_("It cites no entry."), "", ""),
    ("proofs", "refused"): (
        _("The proof does not hold of: %(refused)s."),
        _PROVED,
        _ASK_WHOEVER_GAVE,
    ),
    ("checkpoint", "kept"): (_("%(size)s entries, root %(root)s: as the book has it."), _POINT, ""),
    ("checkpoint", "differs"): (
        _("%(size)s entries, root %(root)s: the book has another root."),
        _POINT,
        _("Keep the file and show it to the inspectorate: file or book was rewritten."),
    ),
    ("checkpoint", "unknown"): (
        _("%(size)s entries, root %(root)s: there is nothing here to compare it with."),
        _POINT,
        _("Bring a checkpoint that was kept, or have the whole book verified."),
    ),
    ("checkpoint", "alone"): (
        _("%(size)s entries, root %(root)s: held against nothing."),
        _POINT,
        _("Bring a checkpoint that was kept, or the list of keys."),
    ),
    ("kept", "kept"): (_("The book contains the checkpoint you kept."), "", ""),
    ("kept", "differs"): (
        _("The book does not continue the checkpoint you kept: another history."),
        _POINT,
        _("Keep both and show them to the inspectorate."),
    ),
    ("kept", "unknown"): (
        _("The checkpoint you kept is of another book, or newer than this one."),
        _POINT,
        _("Have the whole book verified with it."),
    ),
    ("number", "another"): (
        _("That JSON is of a report with another number."),
        _("the number the report was issued with"),
        _("Read the four parts again; if they are so, the paper was made up."),
    ),
    ("number", "point"): (
        _("That report was issued with another checkpoint."),
        _("size and root as the report was issued with"),
        _("Read the four parts again; if they are so, the paper was made up."),
    ),
    ("paper", "compare"): (
        _("Not looked at: a QR code can be copied onto another paper."),
        _("pages that show what report.json of that report says"),
        _("Ask for the PDF and verify it here; then compare it with the paper."),
    ),
}  # fmt: skip


def said_of(part: Part, file: Examined) -> Said:
    """What is said of a part of a file, in the reader's language."""
    values = {
        "name": file.seal.name or "–",
        "origin": file.origin,
        "proved": file.proved,
        "refused": ", ".join(file.refused[:5]) + (" …" if len(file.refused) > 5 else ""),
        "root": file.root,
        "sha256": file.json_sha256,
        "size": file.size,
        "stamped": file.seal.stamped_at or "–",
    }
    found, expected, what_to_do = (str(one) for one in WORDS[part.part, part.code])
    return Said(found % values, expected, what_to_do)
