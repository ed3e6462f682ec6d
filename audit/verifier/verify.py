"""One verification: what is looked at, what was brought along, what is reported about it."""

import os
from collections.abc import Sequence
from typing import Any, Final

from .bundle import MAX_POLICY, Bundle, Progress, read_manifest
from .envelope import place_of
from .files import Folder
from .following import Full, Part
from .meaning import HOUSE
from .meter import Given
from .notes import MAX_NOTE, Checkpoint, Policy, read_checkpoint
from .outside import Outside, Receipt, read_receipt
from .pack import BOOK, Pack, is_pack
from .record import MAX_RECORD, Record
from .report import BadInput, Report

MAX_RECEIPTS: Final = 1024 * 1024
DEMO: Final = "demo.invalid/"
BOM: Final = b"\xef\xbb\xbf"


def verify(
    path: str,
    report: Report,
    *,
    policy: str | None = None,
    receipts: Sequence[str] = (),
    older: Sequence[str] = (),
    progress: Progress = lambda done, size: None,
    processes: int = 1,
    readings: Given = (),
) -> None:
    """Check a bundle, an evidence pack or a record's proof; all that is found is in the report.

    Raises: BadInput.

    All are paths; a receipt may also be its own text, and a file may hold several, a line each.
    """
    own = _read_policy(policy) if policy else None
    kept = [_read_checkpoint(each) for each in older]
    promised = [receipt for each in receipts for receipt in _read_receipts(each)]
    if os.path.isdir(path):
        pack = Pack(path, report) if is_pack(path) else None
        if pack is not None:
            pack.check(own)
        folder = Folder(path if pack is None else f"{path}/{BOOK}", report)
        values = read_manifest(folder)
        kind = Full if values["scope"]["kind"] == "full" else Part
        sizes = [note.size for note in kept] + ([] if pack is None else pack.sizes())
        bundle = kind(folder, values, own, sizes, progress, processes, readings)
        bundle.check()
        if pack is not None:
            pack.hold_against(bundle.older_roots, bundle.size, bytes.fromhex(values["root"]))
        _summarize_bundle(report, bundle, own)
        outside = Outside(report, bundle.trust, bundle.walk, own is not None)
        for note in kept:
            root = bundle.older_roots.get(note.size)
            outside.compare(note, bundle.size, root, bundle.checker.newest.decode())
        heads = bundle.checker.heads() if bundle.whole else None
        for each in promised:
            head = heads.get(each.stream, (0, ""))[0] if heads is not None else -1
            newest = bundle.checker.newest.decode() if heads is not None else ""
            place = bundle.checker.place(each.stream, each.n)
            index = -1 if place is None else bundle.index_at(place)
            outside.find(each, bundle.earlier(each.stream, each.n), head, newest, index)
    else:
        _verify_record(path, report, own, kept, promised)


def _verify_record(
    path: str,
    report: Report,
    own: Policy | None,
    kept: Sequence[Checkpoint],
    promised: Sequence[Receipt],
) -> None:
    record = Record(_read_kept(path, MAX_RECORD), path, report, own)
    record.check()
    _summarize_record(report, record, own)
    outside = Outside(report, record.trust, record.walk, own is not None)
    for note in kept:
        same = record.note.root if note.size == record.note.size else None
        outside.compare(note, note.size, same, "")
    where = report.figures["stream"], report.figures["n"]
    for each in promised:
        outside.find(each, record.entry if (each.stream, each.n) == where else None, -1, "")


def _read(path: str, most: int) -> bytes:
    """A file the inspector named himself. Raises: BadInput."""
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError):
        raise BadInput("not-readable", path) from None
    if len(data) > most:
        raise BadInput("too-long", path)
    return data


def _read_kept(path: str, most: int) -> bytes:
    """What he kept himself, however an editor or the mail ended its lines. Raises: BadInput."""
    return _read(path, most).removeprefix(BOM).replace(b"\r\n", b"\n")


def _read_policy(path: str) -> Policy:
    try:
        return Policy(_read_kept(path, MAX_POLICY))
    except ValueError:
        raise BadInput("policy-form", path) from None


def _read_checkpoint(path: str) -> Checkpoint:
    try:
        return read_checkpoint(_read_kept(path, 2 * MAX_NOTE))
    except ValueError:
        raise BadInput("older-form", path) from None


def _read_receipts(text: str) -> list[Receipt]:
    try:
        data = text.encode() if text.startswith("{") else _read_kept(text, MAX_RECEIPTS)
        found = [read_receipt(line) for line in data.splitlines() if line]
    except ValueError:
        found = []
    if not found:
        raise BadInput("receipt-form", text[:200])
    return found


def _summarize(
    report: Report, checked: Any, own: Policy | None, size: int, origin: str, passkeys: int
) -> None:
    policy: Policy = checked.policy
    signed = sorted(key.vkey for key in checked.walk.signed)
    listed = [key.vkey for key in policy.logs]
    report.figures |= {
        "keys": signed,
        "keys_not_listed": [vkey for vkey in signed if vkey not in listed],
        "origin": origin,
        "own_policy": own is not None,
        "quorum": policy.quorum,
        "seen": checked.walk.seen,
        "size": size,
        "witnessed": checked.walk.witnessed if policy.quorum != "none" else None,
        "witnesses": [key.vkey for key in policy.witnesses.values()],
    }
    if own is None:
        report("keys-from-bundle", keys=listed)
    elif signed and not {*signed} & {*listed}:
        report("key-not-listed", key=", ".join(signed))
    if checked.walk.witnessed < size:
        report(
            "quorum-unmet" if own else "quorum-unmet-by-own",
            witnessed=checked.walk.witnessed,
            size=size,
        )
    for epoch in checked.trust.epochs:
        report(
            "epoch",
            index=epoch["index"],
            stream=epoch["stream"],
            n=epoch["n"],
            lost=epoch["lost_size"],
            origin=epoch["lost_origin"],
            now=epoch["origin"],
        )
    names = [origin, *checked.walk.origins, *(key.name for key in policy.logs)]
    demo = next((name for name in names if name.startswith(DEMO)), None)
    if demo is not None:  # also where a later epoch gave the book another name
        report("demo-key", origin=demo)
    if passkeys:
        report("passkeys-unseen", count=passkeys)


def _summarize_bundle(report: Report, bundle: Bundle, own: Policy | None) -> None:
    private = bundle.private
    checker = bundle.checker
    for size, index, new, old in bundle.walk.named:
        n, staff = checker.named_by[index]
        values: dict[str, Any] = {"size": size, "key": new.vkey, "old": old and old.vkey}
        code = "key-named" if old else "key-added"
        report(code, index=index, stream=HOUSE, n=n, staff=staff, **values)
    for n, (index, staff, decided) in checker.keys_asked.items():
        if not decided:
            report("key-waits", index=index, stream=HOUSE, n=n, staff=staff)
    _summarize(report, bundle, own, bundle.size, bundle.manifest["origin"], checker.passkeys)
    report.figures |= {
        "checkpoints": len(bundle.sizes),
        "entries": bundle.shown,
        "erased": len(private.erased),
        "files": len(private.present),
        "files_named": private.mentions,
        "newest": checker.newest.decode(),
        "not_shown": bundle.size - bundle.shown,
        "opened": private.opened,
        "pools": bundle.run_at,
        "root": bundle.manifest["root"],
        "scope": bundle.manifest["scope"],
        "streams": len(checker.streams),
        "withheld": private.committed - private.opened - len(private.erased),
    }


def _summarize_record(report: Report, record: Record, own: Policy | None) -> None:
    stream, n = place_of(record.entry)
    _summarize(report, record, own, record.note.size, record.note.origin, record.passkeys)
    report.figures |= {
        "entry": record.entry.decode(),
        "index": record.index,
        "n": n,
        "root": record.note.root.hex(),
        "stream": stream,
        "withheld": record.withheld,
    }
