"""Why a file cannot be opened, read or written, in words that can be said in any language."""

import errno
from typing import Final

from casino.events.phrases import Phrase

_WHY: Final = {
    errno.ENOENT: Phrase("there is no such file or folder"),
    errno.ENOTDIR: Phrase("part of its path is no folder"),
    errno.EISDIR: Phrase("it is a folder"),
    errno.EACCES: Phrase("permission was refused"),
    errno.EPERM: Phrase("permission was refused"),
    errno.EROFS: Phrase("the disk can only be read"),
    errno.ENOSPC: Phrase("the disk is full"),
    errno.EIO: Phrase("the disk reports an error"),
    errno.ENAMETOOLONG: Phrase("its name is too long"),
}


def why(error: OSError) -> str:
    """What the system says of a file; in its own words where they are none of the usual ones."""
    return _WHY.get(error.errno or 0) or error.strerror or str(error)
