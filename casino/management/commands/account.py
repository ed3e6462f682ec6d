"""``manage.py account STAFF``: a login for somebody of the house; ``--begin`` for the very first.

What a person may do follows from the offices he holds, which are records and are given in the
admin: high ones by two persons of the direction. The first administrator cannot be given his
there: he is recorded here, once. Where so few are left that nobody could decide, an office is ended
here, in the name of one of the direction; it is found as done by one alone.
"""

import secrets
from argparse import ArgumentParser
from typing import Any, Final
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from casino import clock
from casino.events import Malformed
from casino.events.event_policy import DIRECTION
from casino.events.staff import OfficeEnded, OfficeGranted, StaffRegistered
from casino.management.accounts_from_file import close_account
from casino.models import Account, OfficeGrant, Staff
from casino.queries import offices_at
from casino.recording import Actor, Source, Submission, record_many
from casino.witnessing import forget

_OFFICE: Final = "administrador"


class Command(BaseCommand):
    """Prints the password once; whoever logs in with it chooses his own before anything else.

    Ends with 0, or with 1 and the reason; nothing changes then.
    """

    help = "Gives a registered staff number a login, or a new password, or takes the login away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("staff", help="the staff number, as it is registered")
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--begin",
            metavar="NAME",
            help="record this person as the first administrator of a house that never had one",
        )
        how.add_argument(
            "--forget-second-factor",
            action="store_true",
            help="he lost his authenticator and his recovery codes: let him set it up anew",
        )
        how.add_argument(
            "--end-office",
            metavar="OFFICE",
            help="end an office of somebody who is gone, where no two persons are left to do it",
        )
        parser.add_argument("--by", metavar="STAFF", help="who of the direction answers for that")
        how.add_argument("--close", action="store_true", help="let nobody log in with it any more")

    def handle(self, *args: object, **options: Any) -> None:
        """Do it whole or not at all."""
        staff: str = options["staff"]
        with transaction.atomic():
            if options["begin"]:
                _begin(staff, options["begin"])
            elif not Staff.objects.filter(person=staff).exists():
                raise CommandError(f"{staff} is not registered in the book.")
            if options["end_office"]:
                _end(staff, options["end_office"], options["by"] or "")
                self.stdout.write(f"{staff} is {options['end_office']} no more.")
                return
            if options["close"]:
                for account in Account.objects.filter(staff=staff):
                    close_account(account, "account --close")
                self.stdout.write(f"{staff} cannot log in any more.")
                return
            if options["forget_second_factor"]:
                for account in Account.objects.filter(staff=staff):
                    forget(account)
                self.stdout.write(f"{staff} sets up a second factor at the next log-in.")
                return
            password = secrets.token_urlsafe(15)
            account, _ = Account.objects.get_or_create(staff=staff)
            account.set_password(password)
            account.password_is_temporary = account.is_active = True
            account.save(update_fields=["password", "password_is_temporary", "is_active"])
        self.stdout.write(f"{staff} / {password}")


def _end(staff: str, office: str, by: str) -> None:
    """Record that an office ended. Raises: CommandError."""
    now = clock.now()
    if office not in offices_at(staff, now):
        raise CommandError(f"{staff} does not hold the office {office!r}.")
    held = sorted(offices_at(by, now) & DIRECTION)
    if not held or by.casefold() == staff.casefold():
        raise CommandError(
            "--by: asked is the number of another person who is administrador or chefia_da_sala,"
            " and answers for it."
        )
    event = OfficeEnded(staff=staff, office=office, ended_at=now, ended_by=by)  # type: ignore[arg-type]
    record_many([Submission(event, uuid4(), Actor(by, held[0], "local"), now, Source())])


def _begin(staff: str, name: str) -> None:
    """Record the first administrator. Raises: CommandError, where there was one before."""
    if OfficeGrant.objects.filter(held=_OFFICE).exists():
        raise CommandError("The house has had an administrator; offices are given in the admin.")
    now = clock.now()
    try:
        by = Actor(staff, _OFFICE, "local")
        events = (
            StaffRegistered(staff=staff, name=name),
            OfficeGranted(staff=staff, office=_OFFICE, valid_from=now, granted_by=staff),
        )
    except Malformed as malformed:
        raise CommandError(str(malformed)) from malformed
    record_many([Submission(event, uuid4(), by, now, Source()) for event in events])
