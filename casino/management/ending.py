"""How a command ends that could not do its work: never as if it had and found something."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import DatabaseError, InterfaceError
from django.utils.translation import gettext as _


@contextmanager
def ends_with(code: int) -> Iterator[None]:
    """What goes wrong inside ends the command with that number: in a sentence where the database
    failed, with the traceback where the fault is ours.

    Raises: CommandError, SystemExit.
    """
    try:
        yield
    except CommandError:
        raise
    except (DatabaseError, InterfaceError) as trouble:
        text = _("The book did not answer: {trouble}. What was recorded stays; run it again.")
        said = text.format(trouble=str(trouble).strip().split("\n")[0].rstrip("."))
        raise CommandError(said, returncode=code) from trouble
    except Exception:
        traceback.print_exc()
        sys.exit(code)
