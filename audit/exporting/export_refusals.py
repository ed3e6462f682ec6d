"""Why no copy is made, in words for whoever asked."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class ExportRefused(Exception):
    """Nothing was made. The sentence is translated when it is shown."""

    def __init__(self, words: str | Promise, **values: object) -> None:
        self.words = words
        self.values = values
        super().__init__(str(words), values)

    def __str__(self) -> str:
        return str(self.words).format(**self.values)


NO_CHECKPOINT: Final = _(
    "There is no signed checkpoint yet: the signer signs the first one some seconds after the first"
    " record. If it stays so, look after the signer (docs/operations.md)."
)
NO_POLICY: Final = _(
    "The signer's public keys are not there: BOOK_PUBLIC must name the folder in which the signer"
    " publishes the file policy."
)
STANDS_THERE: Final = _("{place} is there already: a copy is never written over another.")
UNFINISHED: Final = _(
    "{place} is there already: another export is writing it, or one was interrupted. In the second"
    " case remove it first."
)
NO_FOLDER: Final = _("There is no folder {place}.")
DISK_FULL: Final = _("The disk is full: nothing was kept of {place}. Make room and try again.")
NOT_WRITTEN: Final = _("{place} cannot be written: {trouble}.")
NO_SUCH_RANGE: Final = _(
    "There are no entries from {first} to before {end}: the signed tree has {size}, counted from 0."
)
NO_SUCH_TABLE: Final = _("No signed entry tells of the table {table}.")
NO_SUCH_ENTRY: Final = _("There is no entry {n} of the stream {stream}.")


@contextmanager
def plain_refusals(place: Path) -> Iterator[None]:
    """What the file system refuses, as a sentence. Raises: ExportRefused."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ExportRefused(DISK_FULL, place=place) from error
        raise ExportRefused(
            NOT_WRITTEN, place=error.filename or place, trouble=error.strerror or error
        ) from error
