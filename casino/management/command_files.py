"""Files on a command line."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from casino.events.phrases import said
from casino.reading.file_trouble import why


def content_of(file: Path, refused: int) -> bytes:
    """The bytes of a file. Raises: CommandError with this number, where it cannot be opened."""
    try:
        return file.read_bytes()
    except OSError as error:
        values = {"path": file, "reason": said(why(error), _)}
        text = _("%(path)s cannot be opened: %(reason)s") % values
        raise CommandError(text, returncode=refused) from error
