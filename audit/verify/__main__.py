"""`python -m audit.verify BUNDLE`: what is read, what is held against it, and how it ends.

0 nothing contradicts the book, 1 tampered, 2 incomplete evidence, 3 bad input or a failure.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from .entries import SLACK, Entries, after, is_hash, moment, parse, read_entry, shaped
from .notes import MAX_NOTE, Note, Policy, Trust, read_note, signers
from .tree import BadInput, Folder, Tree, leaf_hash, read_entries
from .words import COPY, MISSING, NOTE, OTHER, PROBLEM, SAID, SOUND, VERDICTS, WORDS

Paths = Sequence[str]
CHECKPOINTS, MANIFEST, FORMAT = "checkpoints.jsonl", "bundle.json", "livro-da-sala-bundle/1"
KEPT = 200  # lines printed of one code
BUNDLE = {"digests": dict, "entries": int, "format": str, "origin": str, "root": str}
BUNDLE |= {"scope": dict, "size": int}
RECEIPT = {"format": str, "leaf": str, "n": int, "origin": str, "recorded": str, "stream": str}


class Report:
    """What was found: code, place and details of each."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def add(self, code: str, **info: Any) -> None:
        """One thing found."""
        self.lines.append((code, info))

    def graves(self) -> set[str]:
        """How grave what was found is."""
        return {WORDS[code][0] for code, _ in self.lines}

    def verdict(self) -> int:
        """The exit code."""
        return 1 if self.graves() & {PROBLEM, COPY, OTHER} else 2 if MISSING in self.graves() else 0


class Bundle:
    """A copy of the whole book, as docs/bundle.md has it. Raises: BadInput."""

    def __init__(self, path: str, report: Report, own: Policy | None) -> None:
        self.report, self.own = report, own
        self.folder = Folder(path, report.add)
        self.manifest = self._manifest()
        self.size = self.manifest["size"]
        policy = self._digested("policy")
        self.ids = self._digested("ids")
        if len(self.ids) != 16 * self.size:
            report.add("file-length", file="ids")
        try:
            self.policy = own or Policy(policy)
        except ValueError:
            report.add("policy-form", file="policy")
            self.policy = Policy(b"quorum none\n")
        self.notes = self._checkpoints()
        self.entries = read_entries(self.folder, self.size)
        self._check_tree()
        self._follow()
        self.trust = Trust(self.policy, self.followed.named, self.notes)
        for code, info in self.trust.found:
            report.add(code, file=CHECKPOINTS, **info)
        if not self.trust.signed:
            report.add("checkpoint-unsigned", file="checkpoint", size=self.size)

    def _manifest(self) -> dict[str, Any]:
        """What the copy says of itself."""
        try:
            value = parse(self.folder.read(MANIFEST, most=65536))
            formed = shaped(value, BUNDLE) and is_hash(value["root"]) and value["format"] == FORMAT
            if not formed or not 0 <= value["entries"] <= value["size"] < 2**53:
                raise ValueError("bundle")
        except (BadInput, ValueError):
            raise BadInput("bundle-form", MANIFEST) from None
        if value["scope"] != {"kind": "full"}:
            raise BadInput("part", self.folder.path)
        if value["entries"] != value["size"]:
            self.report.add("manifest-wrong", file=MANIFEST, field="entries")
        return dict(value)

    def _digested(self, name: str) -> bytes:
        """A file of which bundle.json holds the digest."""
        data = self.folder.read(name)
        if sha256(data).hexdigest() != self.manifest["digests"].get(name):
            self.report.add("digest-wrong", file=name)
        return data

    def _checkpoints(self) -> list[Note]:
        """The signed notes, smallest first."""
        notes: list[Note] = []
        *lines, last = self._digested(CHECKPOINTS).split(b"\n")
        for number, line in enumerate([*lines, b""] if last else lines, 1):
            try:
                note = read_note(parse(line).encode())
                if not (notes[-1].size if notes else 0) < note.size <= self.size:
                    raise ValueError("size")
                notes.append(note)
            except (ValueError, AttributeError):
                self.report.add("checkpoint-form", file=CHECKPOINTS, line=number)
        newest = notes[-1] if notes else None
        for field in ("size", "origin", "root") if newest else ():
            found = getattr(newest, field)
            if (found.hex() if field == "root" else found) != self.manifest[field]:
                self.report.add("manifest-wrong", file=MANIFEST, field=field)
        if self.folder.read("checkpoint", most=MAX_NOTE) != (newest and newest.whole):
            self.report.add("checkpoint-differs", file="checkpoint")
        return notes

    def _check_tree(self) -> None:
        """The root of every checkpoint, and every tile."""
        self.tree, good, was_good = Tree(self.entries), 0, True
        for note in self.notes:
            right = self.tree.root_at(note.size) == note.root
            if not right and was_good:
                self.report.add("root-wrong", file=CHECKPOINTS, size=note.size, since=good)
            good, was_good = note.size if right else good, right
        self.tree.compare(self.folder, bytes.fromhex(self.manifest["root"]))

    def _follow(self) -> None:
        """The entries, one after the other."""
        numbers = {key[:2] for key in self.policy.witnesses.values()}
        limits, limit = dict[int, datetime](), datetime.max  # noqa: DTZ901 - nobody saw it
        for note in reversed(self.notes):
            times = [int.from_bytes(s[2][:8], "big") for s in note.signatures if s[:2] in numbers]
            limits[note.size], limit = limit, min([limit, *map(after, times)])
        limits[0] = limit
        roots = {note.size: note.root.hex() for note in self.notes}
        self.followed = Entries(self.report.add, self.size, roots, limits)
        for index, entry in enumerate(self.entries):
            self.followed.follow(index, entry)
        self.followed.finish()
        self._check_ids()

    def _check_ids(self) -> None:
        """The ids of the house's rows are those that entries told of them."""
        digest, done, good = sha256(), 0, True
        for here, size, text in sorted(self.followed.ids, key=lambda each: each[1]):
            digest.update(self.ids[16 * done : 16 * size])
            done, was_good, good = size, good, digest.hexdigest() == text
            if was_good and not good:
                self.report.add("ids-differ", file="ids", **here, size=size)

    # What was kept outside

    def compare(self, note: Note) -> None:
        """A checkpoint that was kept: the book must go on from it."""
        root = self.tree.root_at(note.size) if note.size <= self.size else None
        signed, _ = signers(note, self.trust.keys)
        confirmed, _ = signers(note, self.policy.witnesses.values())
        if note.origin not in self.trust.origins:
            code = "older-other-book"
        elif not signed and (self.own or root == note.root):
            code = "older-unsigned"
        elif root is not None:
            code = "older-kept" if root == note.root else "older-differs"
        else:  # newer than this copy, or the copy's end was cut off; a witness may show which
            forked = any(after(each) < self.followed.newest for each in confirmed.values())
            code = "older-forked" if forked else "older-longer"
        self.report.add(code, size=note.size, origin=note.origin)

    def find(self, text: bytes) -> None:
        """A receipt: the entry it promises must be there. Raises: BadInput."""
        try:
            value = parse(text)
            formed = shaped({"origin": "", **value}, RECEIPT) and is_hash(value["leaf"])
            if not formed or value["n"] < 1 or value["format"] != "livro-da-sala-receipt/1":
                raise ValueError("receipt")
            recorded, origin = moment(value["recorded"]), value.get("origin")
        except (ValueError, TypeError):
            raise BadInput("receipt-form", text.decode(errors="replace")[:200]) from None
        entry = self.followed.entry(value["stream"], value["n"])
        if origin is not None and origin not in self.trust.origins:
            code = "receipt-other-book"
        elif entry and leaf_hash(entry).hex() == value["leaf"]:
            kept = read_entry(entry)["at"] == value["recorded"]
            code = "receipt-kept" if kept else "receipt-wrong"
        elif entry or value["n"] <= self.followed.streams[value["stream"]].n:
            code = "receipt-wrong"
        else:
            overdue = recorded + SLACK < self.followed.newest
            code = "receipt-missing" if overdue else "receipt-not-yet"
        self.report.add(code, stream=value["stream"], n=value["n"], origin=origin)

    def summary(self) -> None:
        """Whose keys these are, and how far they reach."""
        signed = sorted(key.text for key in self.trust.signed)
        listed = [key.text for key in self.policy.logs]
        if self.own is None:
            self.report.add("keys-from-bundle", keys=", ".join(listed))
        elif signed and not {*signed} & {*listed}:
            self.report.add("key-not-listed", key=", ".join(signed))
        for size, index, new, old in self.trust.changes:
            self.report.add("key-named", index=index, size=size, key=new.text, old=old and old.text)
        if self.trust.witnessed < self.size:
            code = "quorum-unmet" if self.own else "quorum-unmet-by-own"
            self.report.add(code, witnessed=self.trust.witnessed, size=self.size)
        if any(name.startswith("demo.invalid/") for name in self.trust.origins):
            self.report.add("demo-key")
        self.report.add("unjudged")


def brought(path: str, code: str, read: Callable[[bytes], Any], most: int = MAX_NOTE) -> Any:
    """What a file holds that was kept outside, however mail or an editor ended its lines.

    Raises: BadInput, with this code where it is not what is read of it.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError):
        raise BadInput("not-readable", path) from None
    if len(data) > most:
        raise BadInput("too-long", path)
    try:
        return read(data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))
    except ValueError:
        raise BadInput(code, path) from None


def verify(
    path: str, report: Report, policy: str | None = None, receipts: Paths = (), older: Paths = ()
) -> Bundle:
    """Check a bundle, and what was kept outside against it. Raises: BadInput."""
    own = brought(policy, "policy-form", Policy) if policy is not None else None
    kept = [brought(each, "older-form", read_note) for each in older]
    lines = list[bytes]()
    for each in receipts:
        text = each.encode() if each[:1] == "{" else brought(each, "receipt-form", bytes, 1 << 20)
        lines += [line for line in text.split(b"\n") if line]
    if receipts and not lines:
        raise BadInput("receipt-form", receipts[0])
    bundle = Bundle(path, report, own)
    bundle.summary()
    for note in kept:
        bundle.compare(note)
    for line in lines:
        bundle.find(line)
    return bundle


def last_sentence(code: int, report: Report, bundle: Bundle | None, at: int) -> str:
    """No more than was shown, by the most that was brought along."""
    if code or bundle is None:
        wrong = report.graves() & {PROBLEM, COPY, OTHER}
        only = next(iter(wrong)) if code == 1 and len(wrong) == 1 else PROBLEM
        return VERDICTS[only if only in VERDICTS else str(code)][at]
    size, said = bundle.size, Counter(found for found, _ in report.lines)
    kept = max((info["size"] for found, info in report.lines if found == "older-kept"), default=0)
    name = "receipts" if said["receipt-kept"] else "policy" if bundle.own else "nothing"
    if kept:
        name = "older" if kept >= size else "older-in-part"
    if bundle.own and bundle.policy.quorum != "none" and bundle.trust.witnessed >= size:
        name = "witnesses"
    return SOUND[name][at].format(size=size, kept=kept, receipts=said["receipt-kept"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify, print, and give the exit code."""
    parser = argparse.ArgumentParser(prog="verify", description=__doc__)
    parser.add_argument("bundle")
    parser.add_argument("--policy")
    parser.add_argument("--older-checkpoint", action="append", default=[])
    parser.add_argument("--receipt", action="append", default=[])
    parser.add_argument("--language", choices=("pt", "en"), default="pt")
    asked = parser.parse_args(arguments)
    at, report, bundle = int(asked.language == "en"), Report(), None
    try:
        bundle = verify(asked.bundle, report, asked.policy, asked.receipt, asked.older_checkpoint)
        code = report.verdict()
    except BadInput as bad:
        report.add(bad.args[0], file=bad.args[1])
        code = report.verdict() if bad.args[0] in ("file-missing", "file-odd", "cut", "part") else 3
    for grave in (NOTE, MISSING, OTHER, COPY, PROBLEM):  # what matters most is read last
        for found in dict.fromkeys(code for code, _ in report.lines if WORDS[code][0] == grave):
            some = [info for code, info in report.lines if code == found]
            for info in some[:KEPT]:
                entry = f"{info['stream']}/{info['n']}" if info.get("stream") else None
                index = f"{SAID['index'][at]} {info['index']}" if "index" in info else None
                words = [SAID[grave][at], index, entry, info.get("file")]
                words.append(WORDS[found][1 + at].format_map(Counter(info)))
                show(": ".join(word for word in words if word))
            if len(some) > KEPT:
                show(f"... + {len(some) - KEPT} ({found})")
    if bundle:
        show(SAID["shown"][at].format(shown=len(bundle.entries), size=bundle.size))
        show(f"{SAID['key'][at]}: {', '.join(key.text for key in bundle.trust.signed)}")
    show(last_sentence(code, report, bundle, at))
    return code


def show(text: str) -> None:
    """One line, with nothing in it that moves the cursor."""
    sys.stdout.write("".join(each if each.isprintable() else "\ufffd" for each in text) + "\n")


def run() -> int:
    """The command. A failure of its own ends with 3, for Python's 1 would accuse the house."""
    try:
        code = main()
        sys.stdout.flush()
    except SystemExit as end:  # the command was not typed as it must be, or help was asked for
        return 3 if end.code else 0
    except BaseException as trouble:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        sys.stderr.write(f"verify: {type(trouble).__name__}: {str(trouble)!a:.200}\n")
        return 3
    return code


if __name__ == "__main__":
    sys.exit(run())
