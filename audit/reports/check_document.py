"""What a PDF is, read by a program that believes nothing of it, and what is to be said of it.

``python -m audit.reports.check_document FILE`` needs neither the house nor its database. It ends
with 0 for a valid report, 1 for an altered one, 2 where it is of another house, not known, or not
all that is needed was brought along, 3 where the file cannot be read. The page and
``manage.py verify_document`` run the same program with ``--examine`` as a process of its own,
bounded in memory and time, and hold what it read against the book.
"""

import argparse
import io
import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from asn1crypto import pem
from pyhanko.pdf_utils.reader import PdfFileReader

from audit.reports import check_report
from audit.reports.check_report import NoReport, Seal
from audit.reports.report_draft import ReportDocument
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.note import SignatureRefused, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.proof_file import ProofFile
from casino.tlog.strict import Unreadable

MOST: Final = 25 * 2**20  # bytes of a file
MOST_PAGES: Final = 500  # a volume has a hundred at most
MEMORY: Final = 1_500_000_000  # bytes of addresses
SECONDS: Final = 20  # of the processor
TEXT: Final = 200  # characters of a text of the file that are shown

Verdict = Literal["valid", "altered", "other", "unknown", "unreadable"]
State = Literal["kept", "altered", "other", "unknown", "note"]
ENDS: Final[dict[Verdict, int]] = {
    "valid": 0,
    "altered": 1,
    "other": 2,
    "unknown": 2,
    "unreadable": 3,
}


@dataclass(frozen=True, slots=True)
class Examined:
    """What a file says of itself; nothing of it is believed yet.

    `unreadable` is "" or why: "no-pdf", "encrypted", "too-large", "too-much". `broken` says why a
    report.json that is there cannot be read; `number` is "" where there is none. `refused` are the
    entries whose proofs do not hold, `note` the signed checkpoint they lead to.
    """

    unreadable: str = ""
    pages: int = 0
    seal: Seal = field(default_factory=lambda: Seal("none"))
    broken: str = ""
    number: str = ""
    json_sha256: str = ""
    report: str = ""
    issued_at: str = ""
    origin: str = ""
    size: int = 0
    root: str = ""
    level: str = ""
    proved: int = 0
    refused: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def of_json(cls, text: bytes) -> "Examined":
        """As `as_json` wrote it. Raises: ValueError, TypeError."""
        read = json.loads(text)
        seal = Seal(**read.pop("seal"))
        return cls(**{**read, "refused": tuple(read["refused"]), "seal": seal})

    def as_json(self) -> bytes:
        """For another process."""
        return json.dumps(asdict(self)).encode()


def examined(
    pdf: bytes, certificates: Sequence[bytes] = (), stamps: Sequence[bytes] = ()
) -> Examined:
    """What a file says of itself. Raises nothing for whatever bytes there are."""
    try:
        return _examined(pdf, certificates, stamps)
    except (MemoryError, RecursionError):
        return Examined(unreadable="too-much")
    except Exception:  # whatever a reader of PDF files meets in one that somebody made up
        return Examined(unreadable="no-pdf")


def _examined(pdf: bytes, certificates: Sequence[bytes], stamps: Sequence[bytes]) -> Examined:
    if len(pdf) > MOST:
        return Examined(unreadable="too-large")
    if b"%PDF-" not in pdf[:1024]:
        return Examined(unreadable="no-pdf")
    reader = PdfFileReader(io.BytesIO(pdf))
    if reader.encrypted:
        return Examined(unreadable="encrypted")
    pages = int(reader.root["/Pages"]["/Count"])
    if pages > MOST_PAGES:
        return Examined(unreadable="too-much")
    seal = check_report.seal_of(pdf, certificates, stamps)
    try:
        if check_report.JSON not in check_report.embedded(pdf):
            return Examined(pages=pages, seal=seal)
        value, digest = check_report.report_of(pdf)
        return _of_report(pdf, pages, seal, value, digest)
    except (MemoryError, RecursionError):
        raise
    except Exception as trouble:  # as above; what is known of the seal is not lost
        none = isinstance(trouble.__cause__, KeyError)  # no list of embedded files at all
        return Examined(pages=pages, seal=seal, broken="" if none else "unreadable")


def _of_report(pdf: bytes, pages: int, seal: Seal, value: ReportDocument, digest: str) -> Examined:
    point = value["checkpoint"]
    size, root = int(point["size"]["n"]), str(point["root"])[:TEXT]
    named = {(one["stream"], one["n"]): one["leaf"] for one in value["entries"]}
    try:
        proofs = check_report.proofs_of(pdf)
        found = check_report.prove(proofs)
        strangers = [
            f"{one['entry']['stream']} {one['entry']['n']}"
            for one in proofs
            if named.get((one["entry"]["stream"], one["entry"]["n"])) != one["entry"]["leaf"]
        ]
        elsewhere = ["root"] if found.roots - {(size, root)} else []
        refused = tuple(dict.fromkeys([*found.refused, *strangers, *elsewhere]))
        proved, note = found.proved, _note(proofs[0]["proof"]) if proofs else ""
    except (NoReport, KeyError, TypeError):
        proved, refused, note = 0, (check_report.PROOFS,), ""
    return Examined(
        pages=pages,
        seal=seal,
        number=str(value["number"])[:TEXT],
        json_sha256=digest,
        report=str(value["report"])[:TEXT],
        issued_at=str(value["issued"]["at"])[:TEXT],
        origin=str(point["origin"])[:TEXT],
        size=size,
        root=root,
        level=str(value["seal"]["level"])[:TEXT],
        proved=proved,
        refused=tuple(one[:TEXT] for one in refused[:TEXT]),
        note=note,
    )


def _note(proof: str) -> str:
    try:
        return ProofFile.parse(proof).checkpoint_note
    except Unreadable:
        return ""


# -- What is to be said of it ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held:
    """What a file was held against; None is: nothing was at hand to hold it against.

    `own`: whether its origin is this book's. `issued`: whether the book says that a report with
    this JSON was issued. `seal`: "known" (the book asked for this very seal, or the certificate is
    among those brought along), "unasked" (the house's certificate, of a seal the book asked for
    nowhere), "foreign". `checkpoint`: "kept", "differs", or "unknown" for one that is not there to
    be compared.
    """

    own: bool | None = None
    issued: bool | None = None
    seal: str | None = None
    checkpoint: str | None = None
    kept: str | None = None  # a checkpoint that was brought along: as `checkpoint`


class Part(NamedTuple):
    """What is said of a part of a file: the seal, the JSON, the proofs, the checkpoint."""

    part: str
    state: State
    code: str


def judge(file: Examined, held: Held) -> tuple[Verdict, list[Part]]:
    """What is to be said of a file, and of each of its parts."""
    if file.unreadable:
        return "unreadable", [Part("file", "unknown", file.unreadable)]
    if not file.number and not file.broken:
        code = "not-ours" if file.seal.state != "none" else "no-seal"
        altered = held.seal in ("known", "unasked") and file.seal.state == "altered"
        return "altered" if altered else "unknown", [Part("file", "unknown", code)]
    parts = [_seal(file, held)]
    if held.own is False:
        parts.insert(0, Part("house", "other", "other"))
    if file.seal.state in ("valid", "unknown"):
        parts += _beside_seal(file.seal)
    if file.broken:
        parts.append(Part("json", "altered", "broken"))
    else:
        parts += [_json(held), _proofs(file)]
        if held.own is not False:
            code = held.checkpoint or "alone"
            states: dict[str, State] = {"kept": "kept", "differs": "altered"}
            parts.append(Part("checkpoint", states.get(code, "unknown"), code))
    if held.kept is not None:
        states = {"kept": "kept", "differs": "altered"}
        parts.append(Part("kept", states.get(held.kept, "unknown"), held.kept))
    found = {part.state for part in parts}
    worst: tuple[Verdict, ...] = ("altered", "other", "unknown")
    for state in worst:
        if state in found:
            return state, parts
    return "valid", parts


def _seal(file: Examined, held: Held) -> Part:
    seal = file.seal
    if seal.state == "altered":
        return Part("seal", "altered", seal.altered)
    if seal.state == "none":
        return (
            Part("seal", "altered", "stripped") if file.level else Part("seal", "unknown", "none")
        )
    if held.seal == "known":
        return Part("seal", "kept", "kept")
    if held.seal == "unasked":
        return Part("seal", "altered", "unasked")
    if held.issued:  # this house's report, under another's seal
        return Part("seal", "altered", "foreign")
    return Part("seal", "unknown", "foreign")


def _beside_seal(seal: Seal) -> list[Part]:
    code = "none" if not seal.stamped else "trusted" if seal.stamp_trusted else "untrusted"
    parts = [Part("stamp", "kept" if code == "trusted" else "note", code)]
    if seal.archived:
        parts.append(Part("stamp", "note", "archived"))
    return [*parts, Part("certificate", "note", "demo")] if seal.demo else parts


def _json(held: Held) -> Part:
    if held.issued is None:
        return Part("json", "note", "alone")
    return Part("json", "kept", "issued") if held.issued else Part("json", "unknown", "never")


def _proofs(file: Examined) -> Part:
    if file.refused:
        return Part("proofs", "altered", "refused")
    return Part("proofs", "kept", "proved" if file.proved else "empty")


# -- Without the house -----------------------------------------------------------------------------


def checkpoint_of(text: str) -> Checkpoint:
    """A checkpoint that was kept, however mail or an editor ended its lines. Raises: Unreadable."""
    return parse_checkpoint(parse_note(text.replace("\r\n", "\n")).text)


def held_without_house(file: Examined, *, certificates: bool, policy: str, kept: str) -> Held:
    """What a file is held against by whoever has a list of keys and what he kept. Raises:
    Unreadable.
    """
    point = None
    if policy and file.note:
        try:
            named = Policy.parse(policy)
            signed = valid_signatures(parse_note(file.note), named.keys())
            point = "kept" if named.satisfied_by(signed) else "unknown"
        except SignatureRefused:
            point = "differs"
    of_note = None
    if kept:
        own = checkpoint_of(kept)
        of_note = "unknown"
        if (own.origin, own.size) == (file.origin, file.size):
            of_note = "kept" if own.root.hex() == file.root else "differs"
            point = of_note
    seal = "known" if certificates and file.seal.state == "valid" else None
    return Held(seal=seal, checkpoint=point, kept=of_note)


def brought(name: str) -> bytes:
    """A file by its name, or the standard input (``-``); no more of it than is read. Raises:
    OSError.
    """
    if name == "-":
        return sys.stdin.buffer.read(MOST + 1)
    with Path(name).open("rb") as source:
        return source.read(MOST + 1)


def _certificates(name: str | None) -> tuple[bytes, ...]:
    if not name:
        return ()
    return tuple(der for _kind, _more, der in pem.unarmor(Path(name).read_bytes(), multiple=True))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("check_document", description="Verifies a sealed report.")
    parser.add_argument("file", help="the PDF; - for the standard input")
    parser.add_argument("--certificate", metavar="PEM", help="of the seal, or above it")
    parser.add_argument("--stamps", metavar="PEM", help="of the time-stamping authority")
    parser.add_argument("--policy", metavar="FILE", help="the keys of the book to believe")
    parser.add_argument("--checkpoint", metavar="FILE", help="a signed checkpoint that was kept")
    parser.add_argument("--examine", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """One file, from the command line or from the standard input."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    asked = _arguments()
    try:
        pdf = brought(asked.file)
        certificates, stamps = _certificates(asked.certificate), _certificates(asked.stamps)
        file = examined(pdf, certificates, stamps)
        if asked.examine:
            sys.stdout.buffer.write(file.as_json())
            return 0
        policy, kept = (
            Path(name).read_text("utf-8-sig") if name else ""
            for name in (asked.policy, asked.checkpoint)
        )
        held = held_without_house(file, certificates=bool(certificates), policy=policy, kept=kept)
    except (OSError, ValueError) as trouble:
        sys.stderr.write(f"{trouble}\n")
        return ENDS["unreadable"]
    verdict, parts = judge(file, held)
    for part in parts:
        sys.stdout.write(f"{part.state:8} {part.part}: {part.code}\n")
    for one in file.refused:
        sys.stdout.write(f"altered  proof of {one!a}\n")
    sys.stdout.write(f"{verdict.upper()} {file.number!a} {file.json_sha256}\n")
    return ENDS[verdict]


if __name__ == "__main__":
    sys.exit(main())
