"""What entries only commit to: private values, their salts, files. Nothing of it is ever shown."""

import hmac
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from .canonical import dumps, parse
from .entries import EntryChecker
from .envelope import commitment, is_digest, read_all
from .files import Folder
from .meaning import FILES

OPENINGS: Final = "private/openings.jsonl"
ATTACHMENTS: Final = "private/attachments"
MAX_LINE: Final = 1024 * 1024
MAX_WITHHELD: Final = 10_000  # named one by one


def is_opening(value: object) -> bool:
    """Whether this is what opens a commitment: a field's name, its salt and its value."""
    return (
        type(value) is dict
        and value.keys() == {"field", "salt", "value"}
        and type(value["field"]) is str
        and type(value["salt"]) is str
        and bool(is_digest(value["salt"]))
    )


def opens(values: dict[str, Any], digest: str) -> bool:
    """Whether an opening is the one that was committed to."""
    made = hmac.digest(bytes.fromhex(values["salt"]), dumps(values["value"]), "sha256")
    return hmac.compare_digest(made.hex(), digest)


def commitments(values: dict[str, Any]) -> dict[str, str]:
    """The private fields of a payload, with the digests they are committed to."""
    found = ((name, commitment(value)) for name, value in values.items())
    return {name: digest for name, digest in found if digest}


def files_of(values: dict[str, Any]) -> set[str]:
    """The digests of the files that a payload names."""
    files = values.get(FILES)
    named = files if type(files) is list else []
    return {each for each in named if type(each) is str and is_digest(each)}


class Private:
    """Goes along with the entries and takes from `private/` what belongs to each."""

    def __init__(self, folder: Folder, checker: EntryChecker, opened: bool) -> None:
        self.folder, self.report, self.checker = folder, folder.report, checker
        self.committed = self.opened = 0
        self.erased: set[tuple[int, str]] = set()  # index, field
        # What a copy that was made with its private values does not open: index, stream, n, field.
        self.withheld: list[tuple[int, str, int, str]] = []
        self.present = set(folder.names(ATTACHMENTS))  # digests of files
        self.named: Counter[str] = Counter()  # of these, how many entries name each
        self.mentions = 0
        self.gaps: deque[range] = deque()  # indices of entries that are not here, ascending
        self._has_openings = opened
        self._pending = self._openings(say=True)
        self._next = next(self._pending, None)
        checker.private = self.take

    def _openings(self, say: bool = False) -> Iterator[tuple[int, dict[str, object]]]:
        """Index and opening, in the order of the entries and of their fields."""
        last = (-1, "")
        lines = self.folder.lines(OPENINGS, MAX_LINE) if self._has_openings else ()
        for number, line in enumerate(lines, 1):
            try:
                value = parse(line)
                index = value.pop("index")
                if (
                    type(index) is not int
                    or not is_opening(value)
                    or (index, value["field"]) <= last
                ):
                    raise ValueError("no opening")
            except (ValueError, AttributeError, KeyError):
                if say:
                    self.report("opening-form", file=OPENINGS, line=number)
            else:
                last = (index, value["field"])
                yield index, value

    def take(self, index: int, stream: str, n: int, values: dict[str, object]) -> None:
        """An entry that commits to something, or names files."""
        fields, where = commitments(values), {"index": index, "stream": stream, "n": n}
        self.committed += len(fields)
        unopened, files = set(fields), files_of(values)
        self.named.update(files & self.present)
        self.mentions += len(files)
        while self._next and self._next[0] <= index:
            of, opening = self._next
            while self.gaps and self.gaps[0].stop <= of:
                self.gaps.popleft()
            if self.gaps and of in self.gaps[0]:
                pass  # nobody can tell
            elif of < index or opening["field"] not in fields:
                self.report("opening-unasked", file=OPENINGS, index=of, field=opening["field"])
            elif opens(opening, fields[opening["field"]]):
                self.opened += 1
                unopened.discard(opening["field"])
            else:
                unopened.discard(opening["field"])
                self.report("opening-wrong", file=OPENINGS, **where, field=opening["field"])
            self._next = next(self._pending, None)
        if self._has_openings and len(self.withheld) < MAX_WITHHELD:
            missing = [*sorted(unopened), *([FILES] if files - self.present else [])]
            self.withheld += [(index, stream, n, field) for field in missing]

    def finish(self, index_at: Callable[[int], int], whole: bool, all_shown: bool) -> None:
        """After the last entry: what is left over, what was erased, the files.

        `whole`: every entry of the bundle was read; `all_shown`: it is the whole book.
        """
        while self._next and whole:
            index, opening = self._next
            self.report("opening-unasked", file=OPENINGS, index=index, field=opening["field"])
            self._next = next(self._pending, None)
        left, gone = self.named.copy(), set[tuple[str, int]]()  # whose files were erased
        for stream, n, field in self.checker.erased:
            entry, place = self.checker.earlier(stream, n), self.checker.place(stream, n)
            read = read_all([entry]) if entry else None
            if read and field == FILES:
                left.subtract(files_of(read[1][0]))
                gone.add((stream, n))
            elif place is not None:
                self.erased.add((index_at(place), field))
        for index, opening in self._openings() if self.erased else ():
            if (index, opening["field"]) in self.erased:
                self.report("opening-erased", file=OPENINGS, index=index, field=opening["field"])
        for index, stream, n, field in self.withheld:
            erased = (stream, n) in gone if field == FILES else (index, field) in self.erased
            if not erased:
                self.report("withheld", index=index, stream=stream, n=n, field=field)
        for name in sorted(self.present):
            path = f"{ATTACHMENTS}/{name}"
            if (self.folder.digest(path) or ("", 0))[0] != name:
                self.report("attachment-wrong", file=path)
            elif name not in self.named and whole:
                self.report("attachment-unnamed", file=path)
            elif left[name] < 1 and all_shown:
                self.report("attachment-erased", file=path)
