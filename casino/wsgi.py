"""The door for a web server: ``casino.wsgi:application``."""

import logging
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import OperationalError, connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()

# Asking for the key once makes a server without one fail when it starts, not at the first visitor.
_ = settings.SECRET_KEY


def _look_at_the_guards() -> None:
    """Do not start above a book that could be altered, that could not be kept here, or that is for
    training where this is not, or the other way round.

    Raises: Unguarded, Unfit, OtherBook.

    A database that cannot be reached now is looked at when it can be: by beat's job.
    """
    from casino.demo.training_book import refuse_other_book
    from casino.guards import refuse_unguarded
    from casino.machine.server_fit import refuse_unfit

    try:
        refuse_unfit(connections["default"])
        refuse_unguarded(connections["default"])
        refuse_other_book(connections["default"])
    except OperationalError as trouble:
        logging.getLogger(__name__).warning("the book's guards were not looked at: %s", trouble)
    finally:
        connections.close_all()  # a server that forks now must not share it


def _read_what_pages_need() -> None:
    """Addresses and rulebooks, once, before the first visitor has to wait for them."""
    from django.urls import get_resolver

    from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids

    _ = get_resolver().url_patterns
    for rulebook in rulebook_ids():
        law_of_file(rulebook)  # not the book: a connection must not be shared with who forks


_look_at_the_guards()
_read_what_pages_need()
