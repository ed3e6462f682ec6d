"""`manage.py simulate_devices URL`: machines play at tables and send their rounds by the API.

Lines break, answers are lost, messages come twice, out of order and with a clock that is wrong.
What was acknowledged is then looked for in the house's own lists. docs/simulation.md explains it.
"""

import os
from argparse import ArgumentParser, Namespace
from datetime import date
from typing import Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.management.command_days import a_day
from casino.management.commands.simulate import DAY, a_count, a_share
from casino.simulation.devices.house_line import Line, Refused
from casino.simulation.devices.in_the_book import in_the_book
from casino.simulation.devices.planned_messages import Trouble
from casino.simulation.devices.playing import Machine, Plan, Tally, play, players_of, tally_of

# NUMBER:TABLE:SECRET of each machine, spaces between them; NUMBER:SECRET of a program that reads.
MACHINES: Final = "SIMULATED_DEVICES"
READER: Final = "SIMULATED_READER"
MOST: Final = 1_000  # rounds in a message


class Command(BaseCommand):
    """Ends with 0 where all was acknowledged and is in the book once, else with 1."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Let machines play at tables and send their rounds to a house by its API.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/simulation.md explains it."""
        parser.add_argument("url", metavar="URL", help=_("the house: http://127.0.0.1:8000"))
        parser.add_argument("--seed", type=int, default=0, metavar="N")
        parser.add_argument("--rounds", type=a_count, default=200, metavar="N")
        parser.add_argument("--batch", type=a_count, default=20, metavar="N")
        parser.add_argument("--error-rate", type=a_share, default=0.0, metavar="0..1")
        parser.add_argument("--day", type=a_day, default=DAY, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--first", type=a_count, default=1, metavar="N", help=_("the first message's number")
        )
        parser.add_argument(
            "--seconds", type=a_count, default=600, metavar="N", help=_("for how long at most")
        )
        parser.add_argument(
            "--rate", type=a_count, default=0, metavar="N", help=_("rounds a second")
        )
        for name, text in (
            ("lost", _("messages whose answer is lost")),
            ("doubled", _("messages that are sent once more")),
            ("reused", _("numbers used for another body, too")),
            ("gaps", _("numbers that are never used")),
            ("lying", _("messages whose clock tells another day")),
        ):
            parser.add_argument(f"--{name}", type=a_share, default=0.0, metavar="0..1", help=text)
        parser.add_argument(
            "--skew", type=a_count, default=0, metavar="SECONDS", help=_("how far clocks are off")
        )
        parser.add_argument(
            "--offline", action="store_true", help=_("send all of it afterwards, shuffled")
        )
        parser.add_argument(
            "--check", action="store_true", help=_("look for it in the house's lists afterwards")
        )
        parser.add_argument(
            "--make",
            type=a_count,
            default=0,
            metavar="N",
            help=_("make so many machines, in a book that is the demo's or empty"),
        )

    def handle(self, *args: object, **options: object) -> None:
        """Play, say what became of it."""
        asked = Namespace(**options)
        reader: Line | None
        try:
            plan = _plan(asked)
            if asked.make:
                machines, reader = made_machines(asked.url, asked.make, asked.day)
            else:
                machines, reader = _named(asked)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if asked.check and reader is None:
            raise CommandError(_("Name a program that reads in %s: NUMBER:SECRET.") % READER)
        players = players_of(machines, plan)
        took = play(players, asked.seconds)
        tally = tally_of(players)
        for line in said_of(tally, len(players), took):
            self.stdout.write(line)
        wrong = [*tally.wrong]
        if tally.open:
            wrong.append(_("%d messages were never acknowledged") % tally.open)
        if asked.check and reader is not None:
            wrong += self._checked(reader, tally)
        if wrong:
            raise CommandError("\n".join(wrong[:20]))

    def _checked(self, reader: Line, tally: Tally) -> list[str]:
        """What of the acknowledged rounds does not stand in the book once, in lines."""
        try:
            found = in_the_book(reader, tally.entries)
        except Refused as error:
            return [str(error)]
        said = _("In the book once: %(once)d of %(rounds)d rounds acknowledged.")
        self.stdout.write(said % {"once": found.once, "rounds": len(tally.entries)})
        return [
            *(_("%s was acknowledged and is missing") % key for key in found.missing),
            *(_("%s is in the book twice") % key for key in found.doubled),
            *(_("%s is in the book as another entry") % key for key in found.elsewhere),
        ]


def _plan(asked: Namespace) -> Plan:
    """What was asked for. Raises: ValueError."""
    if not 1 <= asked.batch <= MOST:
        raise ValueError(_("--batch is from 1 to %d") % MOST)
    troubles = ("lost", "doubled", "reused", "gaps", "lying", "skew", "offline")
    known = ("seed", "day", "rounds", "batch", "error_rate", "rate")
    trouble = Trouble(**{name: getattr(asked, name) for name in troubles})
    return Plan(**{name: getattr(asked, name) for name in known}, trouble=trouble)


def _named(asked: Namespace) -> tuple[list[Machine], Line | None]:
    """Machines of the environment, and who reads. Raises: ValueError."""
    machines, url, first = [], asked.url, asked.first
    for one in os.environ.get(MACHINES, "").split():
        number, _colon, rest = one.partition(":")
        table, _colon, secret = rest.partition(":")
        if not (number and table and secret):
            raise ValueError(_("%s: each machine is NUMBER:TABLE:SECRET") % MACHINES)
        machines.append(Machine(Line(url, number, secret), table, first))
    if not machines:
        raise ValueError(
            _("Name machines in %s (NUMBER:TABLE:SECRET ...), or make some with --make.") % MACHINES
        )
    number, _colon, secret = os.environ.get(READER, "").partition(":")
    return machines, Line(url, number, secret) if secret else None


def made_machines(url: str, machines: int, day: date) -> tuple[list[Machine], Line]:
    """So many machines and a reader of this command's own, their secrets made anew; each goes on
    after its last message. Raises: CommandError, ValueError.
    """
    from casino.api.machine_tokens import make_machine, renew_secret
    from casino.demo import simulated_machines
    from casino.demo.load_demo import AnothersBook
    from casino.models import ApiClient

    try:
        places = simulated_machines.enter_machines(machines, day)
    except AnothersBook as refusal:
        raise CommandError(
            _("The book holds entries that are not the demo's; nothing was changed.")
        ) from refusal
    kept = {one.number: one for one in ApiClient.objects.all()}

    def secret_of(number: str, tables: list[str], scopes: list[str]) -> str:
        if number in kept:
            return renew_secret(kept[number])
        return make_machine(number, tables, scopes, "simulate_devices")[1]

    made = []
    for number, table in places:
        first = kept[number].highest + 1 if number in kept else 1
        secret = secret_of(number, [table], ["rounds"])
        made.append(Machine(Line(url, number, secret), table, first))
    reader = simulated_machines.READER
    return made, Line(url, reader, secret_of(reader, [], ["read"]))


def said_of(tally: Tally, machines: int, took: float) -> list[str]:
    """A tally in lines."""
    answers = ", ".join(
        f"{count} x {status or _('none')}" for status, count in sorted(tally.answers.items())
    )
    waits = sorted(tally.took) or [0.0]
    values = {
        "machines": machines,
        "rounds": len(tally.entries),
        "took": took,
        "rate": len(tally.entries) / max(took, 0.001),
        "sent": tally.sent,
        "lost": tally.lost,
        "again": tally.again,
        "reused": tally.reused,
        "answers": answers,
        "p50": 1000 * waits[len(waits) // 2],
        "p95": 1000 * waits[min(len(waits) - 1, int(len(waits) * 0.95))],
    }
    return [
        _(
            "%(machines)d machines: %(rounds)d rounds acknowledged in %(took).1f s,"
            " %(rate).0f a second."
        )
        % values,
        _(
            "Messages sent %(sent)d, answers lost %(lost)d, sent once more %(again)d, numbers used"
            " again %(reused)d."
        )
        % values,
        _("Answers: %(answers)s. Acknowledged after %(p50).0f ms, 95 of 100 within %(p95).0f ms.")
        % values,
    ]
