"""`manage.py weigh_cards COPY`: the cards of a copy of the book weighed again, outside the house.

COPY is an evidence pack unpacked, or a bundle; it is verified first. Never touches the database.

The law is this program's, with the figures two persons set that the copy holds. Ends with 0 where
nothing is suspected, 1 where something is or was altered, 2 where cards could not be weighed (a
pack of one finding does not hold a whole game), 3 for bad input.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.pages.findings.cards_page import OPEN, RATES, run_words, said
from audit.pages.page_words import words
from audit.reconcile.weighing import Open
from audit.reports.packs.cards_of_copy import OfGame, games_of, weighed
from audit.rounds_file import Unusable
from audit.rounds_file.recorded_entries import sets_of
from audit.verifier import command as verifier
from casino.events import Malformed
from casino.events.partidas import PartidaOpened
from casino.law.checks.rounds.shoe_frequency import Suspected
from casino.law.dossier import Dossier
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import RecordedSet
from casino.law.rulebook.rulebook_file import law_in_use, law_of_file
from casino.management.ending import ends_with

NOTHING, FOUND, NOT_DECIDABLE, BAD = 0, 1, 2, 3
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
            games, sets = games_of(copy), sets_of(copy)
        except (OSError, ValueError, KeyError, Malformed, Unusable) as trouble:
            raise CommandError(f"{copy}: {trouble}", returncode=BAD) from trouble
        if partida is not None and partida not in games:
            there = _("The copy has no game %(game)s.")
            raise CommandError(there % {"game": partida}, returncode=BAD)
        codes = {NOTHING}
        for name in games if partida is None else [partida]:
            codes.add(self._weigh(name, games, sets))
        return FOUND if FOUND in codes else max(codes)

    def _weigh(self, name: str, games: Mapping[str, Dossier], sets: tuple[RecordedSet, ...]) -> int:
        opened = next(iter(games[name].of(PartidaOpened)), None)
        if opened is None:
            why = _("{game}: not decidable; the copy does not hold this game from its opening on.")
            self.stdout.write(why.format(game=name))
            return NOT_DECIDABLE
        if opened.event.dealing != "shoe":
            why = _("{game}: dealt from a shuffler; there is no shoe to weigh.")
            self.stdout.write(why.format(game=name))
            return NOTHING
        try:
            law = law_in_use(law_of_file(opened.event.rulebook or ""), sets)
            rules = law.on(games[name].gaming_day)
        except LawError as lacks:
            self.stdout.write(f"{name}: {lacks}")
            return NOT_DECIDABLE
        if not all(map(rules.states, RATES)):
            why = _("{game}: its rulebook states no rate of false alarms; nothing is asked.")
            self.stdout.write(why.format(game=name))
            return NOTHING
        of_game = weighed(name, games, rules)
        lines = list(_lines(of_game))
        for _suspected, line in lines:
            self.stdout.write(line)
        if any(suspected for suspected, _line in lines):
            return FOUND
        weighable = any(course.points for _shoes, course in of_game.sets)
        return NOTHING if weighable else NOT_DECIDABLE


def _lines(of_game: OfGame) -> Iterator[tuple[bool, str]]:
    """What is said of a game, line by line; whether it is a suspicion."""
    for shoes, course in of_game.sets:
        suspected = course.reached is not None
        card = course.what.card if suspected and isinstance(course.what, Suspected) else ""
        why = next((one.open for one in shoes if one.open is not None), None)
        line = _("{game}, a card missing, shoes of the same decks: {shoes}; {times} {card}").format(
            game=of_game.partida,
            shoes=len(shoes),
            times=_times(course.points[-1].strength if course.points else None, why),
            card=card and words().card(card),
        )
        yield suspected, line.rstrip()
    for shoe, course in of_game.shoes:
        most = max((one.strength for one in course.points), default=None)
        line = _("{game}, an earlier order, shoe {shoe}: {times} {what}").format(
            game=of_game.partida,
            shoe=shoe.number,
            times=_times(most, shoe.order_open),
            what=run_words(course),
        )
        yield course.reached is not None, line.rstrip()
    for owner, one in sorted(of_game.persons.known.items()):
        line = _("{game}, a hidden card, {owner}: {times} ({right} of {decisions} right)").format(
            game=of_game.partida,
            owner=owner,
            times=_times(one.strength, None),
            right=one.right,
            decisions=one.decisions,
        )
        yield owner in of_game.persons.reached, line


def _times(strength: int | None, why: Open | None) -> str:
    """How many times likelier, or why nothing can be said."""
    if strength is not None:
        return _("times likelier: {n}").format(n=said(strength))
    return _("not decidable: {why}").format(why=OPEN[why or "decks"])
