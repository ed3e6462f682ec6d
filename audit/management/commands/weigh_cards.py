"""`manage.py weigh_cards COPY`: the cards of a copy of the book weighed again, outside the house.

COPY is an evidence pack unpacked, or a bundle; it is verified first. Never touches the database.

Ends with 0 where nothing is suspected, 1 where something is or was altered, 3 for bad input.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.pages.findings.cards_page import OPEN, run_words, said
from audit.reports.packs.cards_of_copy import OfGame, games_of, weighed
from audit.verifier import command as verifier
from casino.events import Malformed
from casino.events.partidas import PartidaOpened
from casino.law.checks.rounds.shoe_frequency import Suspected
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law
from casino.management.ending import ends_with

NOTHING, FOUND, BAD = 0, 1, 3
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}


class Command(BaseCommand):
    """Weighs the cards of every game of a copy."""

    requires_system_checks = []  # noqa: RUF012 - as Django declares it; no check may need a database

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.description = _("Weigh the cards of a copy of the book again, game by game.")
        add = parser.add_argument
        add("copy", type=Path, metavar="COPY", help=_("an unpacked evidence pack, or a copy"))
        add("--partida", metavar="GAME", help=_("this game alone"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        """Verify, weigh, print, and end with the right number."""
        with translation.override(LANGUAGES[options["language"]]), ends_with(BAD):
            code = self._go(options["copy"], options["partida"], options["language"])
        if code:
            sys.exit(code)

    def _go(self, copy: Path, partida: str | None, language: str) -> int:
        if not copy.is_dir():
            folder = _("%(path)s is no folder: unpack the pack, and name its folder first.")
            raise CommandError(folder % {"path": copy}, returncode=BAD)
        self.stdout.flush()
        code = verifier.main([str(copy), "--quiet", "--language", language])
        if code in (FOUND, BAD):
            return code
        try:
            games = games_of(copy)
        except (OSError, ValueError, KeyError, Malformed) as trouble:
            raise CommandError(f"{copy}: {trouble}", returncode=BAD) from trouble
        if partida is not None and partida not in games:
            there = _("The copy has no game %(game)s.")
            raise CommandError(there % {"game": partida}, returncode=BAD)
        found = False
        for name in games if partida is None else [partida]:
            opened = next(iter(games[name].of(PartidaOpened)), None)
            try:
                law = load_law("" if opened is None else opened.event.rulebook)
                of_game = weighed(name, games, law.on(games[name].gaming_day))
            except LawError as lacks:
                self.stdout.write(f"{name}: {lacks}")
                continue
            for suspected, line in _lines(of_game):
                found = found or suspected
                self.stdout.write(line)
        return FOUND if found else NOTHING


def _lines(of_game: OfGame) -> Iterator[tuple[bool, str]]:
    """What is said of a game, line by line; whether it is a suspicion."""
    for shoes, course in of_game.sets:
        last = said(course.points[-1].strength) if course.points else "–"
        suspected = course.reached is not None
        card = course.what.card if suspected and isinstance(course.what, Suspected) else ""
        text = _("{game}, {shoes} shoes of the same decks, a card missing: {strength} {card}")
        line = text.format(game=of_game.partida, shoes=len(shoes), strength=last, card=card)
        yield suspected, line.rstrip()
    for shoe, course in of_game.shoes:
        most = max((one.strength for one in course.points), default=None)
        why = "" if shoe.order_open is None else str(OPEN[shoe.order_open])
        text = _("{game}, shoe {shoe}, an earlier order: {strength} {what}")
        strength = "–" if most is None else said(most)
        what = run_words(course) or why
        line = text.format(game=of_game.partida, shoe=shoe.number, strength=strength, what=what)
        yield course.reached is not None, line.rstrip()
    for owner, one in sorted(of_game.persons.known.items()):
        text = _("{game}, {owner}, a hidden card: {strength} ({right} of {decisions})")
        line = text.format(
            game=of_game.partida,
            owner=owner,
            strength=said(one.strength),
            right=one.right,
            decisions=one.decisions,
        )
        yield owner in of_game.persons.reached, line
