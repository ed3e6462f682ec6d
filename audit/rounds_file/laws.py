"""Which law judges a record: the one named on the command line, else the one the record names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from audit.rounds_file import Unusable
from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.law_text import LawError, listed, spelled
from casino.law.rulebook.rulebook import Law, RecordedSet
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file, rulebook_ids
from casino.reading.file_trouble import why


@dataclass
class Laws:
    """The laws of one run, with the readings asked for.

    `book` is None where each record names its own. `sets` are the figures set in a book that go
    with its rulebooks.
    """

    book: str | Path | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    sets: tuple[RecordedSet, ...] = ()
    used: dict[str, Law] = field(default_factory=dict)

    def check(self) -> None:
        """Look for every rulebook and reading named on the command line before any round is read.

        Where each record names its own rulebook, a reading has to exist in at least one of those of
        the house. Raises: Unusable, saying which there are; LawError, where a file is no rulebook.
        """
        books = rulebook_ids()
        if isinstance(self.book, str) and self.book not in books:
            unknown = Unusable("no rulebook is called {rulebook}; there are:", rulebook=self.book)
            raise unknown.naming(books)
        if isinstance(self.book, Path):
            _check_opens(self.book)
        laws = [law_of_file(book) for book in ([self.book] if self.book is not None else books)]
        for name, choice in self.readings.items():
            _check_reading(laws, name, choice)
        if self.book is not None:
            law = self._law(self.book)
            self.used[law.id] = law

    def of(self, record: RoundPlayed) -> Law:
        """The law that judges this record.

        Raises: Malformed, where none is named or there is no such rulebook.
        """
        if self.book is not None:
            for law in self.used.values():
                return law
        book = record.rulebook
        if book is None:
            raise Malformed(
                "$.rulebook", "the record names no rulebook and none was given with --rulebook"
            )
        return self.called(book)

    def called(self, rulebook: str) -> Law:
        """The law of this run that has this id, readings and all."""
        return self.used.get(rulebook) or self._named(rulebook)

    def _named(self, book: str) -> Law:
        # Only an id is looked up here: no record may make the program open a file of its choice.
        try:
            law = self._law(book)
        except LawError as error:
            raise Malformed(
                "$.rulebook",
                "found {found}; asked is one of the rulebooks {asked}",
                found=book,
                asked=listed(rulebook_ids()),
            ) from error
        self.used[book] = law
        return law

    def _law(self, book: str | Path) -> Law:
        law = law_of_file(book)
        law = law if isinstance(book, Path) else law_in_use(law, self.sets)
        if not self.readings:
            return law
        # A reading that this rulebook does not leave open changes nothing in it; check() saw that
        # some other has it, unless this is the only law of the run.
        wanted = {
            name: choice
            for name, choice in self.readings.items()
            if self.book is not None or name in law.readings
        }
        return law.with_readings(wanted)


def _check_opens(file: Path) -> None:
    try:
        file.open("rb").close()
    except OSError as error:
        reason = why(error)
        raise Unusable(
            "{path} cannot be opened: {reason}", path=str(file), reason=reason
        ) from error


def _check_reading(laws: list[Law], name: str, choice: str) -> None:
    holders = [law.readings[name] for law in laws if name in law.readings]
    if not holders:
        unknown = Unusable("no reading is called {reading}; there are:", reading=name)
        raise unknown.naming({reading for law in laws for reading in law.readings})
    for reading in holders:
        choices = [spelled(each.value) for each in reading.choices]
        if choice not in choices:
            unknown = Unusable(
                "reading {reading} cannot be taken as {choice}; it can be taken as:",
                reading=name,
                choice=choice,
            )
            raise unknown.naming(choices)


def book_named(text: str) -> str | Path:
    """A rulebook as written on the command line: a path where it looks like one, else an id."""
    return Path(text) if "/" in text or text.endswith(".toml") else text


def readings_of(law: Law) -> dict[str, str]:
    """The readings taken otherwise than the rulebook adopts them, as its file spells them."""
    return {name: spelled(value) for name, value in law.switched.items()}
