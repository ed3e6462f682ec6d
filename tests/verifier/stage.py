"""A bundle in a folder, altered for one look and put back."""

from pathlib import Path
from typing import Any

from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, put
from tests.verifier.mutations import Mutated


class Stage:
    """A bundle in a folder, altered for one look and put back."""

    def __init__(self, book: Book, place: Path) -> None:
        self.book, self.files = book, book.files_of()
        self.place = put(place, self.files)

    def look(self, mutated: Mutated, **also: Any) -> Found:
        for name, data in mutated.files.items():
            if data is None:
                (self.place / name).unlink()
            else:
                put(self.place, {name: data})
        try:
            kept = {"older": mutated.older, "receipts": mutated.receipts}
            return checked(self.place, **kept, **also)
        finally:
            for name in mutated.files:
                if name in self.files:
                    put(self.place, {name: self.files[name]})
                else:
                    (self.place / name).unlink()
