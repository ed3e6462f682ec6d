"""``manage.py law_text --rulebook pt [FILE]``: the numbers of an official text nobody explained."""

import json
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.events import Malformed
from casino.events.phrases import said
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook.law_text import LawError, Value, spelled
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Text
from casino.law.text.number_bindings import Binding, Difference, bindings_of, compare
from casino.law.text.read_text import read_text
from casino.law.text.text_numbers import numbers_in
from casino.management.command_days import a_day
from casino.management.ending import ends_with
from casino.reading.file_trouble import why

DIFFERENT: Final = 1
UNUSABLE: Final = 2


class Command(BaseCommand):
    """Ends with 0 where every number is explained and agrees, with 1 where not, else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Hold every number of an official text against the rulebook's figures.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/law.md explains it."""
        parser.add_argument(
            "file", type=Path, nargs="?", help=_("the text (default: the stored one in force)")
        )
        parser.add_argument("--rulebook", required=True, help=", ".join(rulebook_ids()))
        parser.add_argument("--on", type=a_day, metavar="DATE", help=_("the day (default: today)"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))

    def handle(self, *args: object, **options: Any) -> None:
        """Read, compare, list."""
        with ends_with(UNUSABLE):
            day = options["on"] or gaming_day_now()
            try:
                law = load_law(options["rulebook"])
                bindings = bindings_of(law.id)
            except LawError as error:
                raise CommandError(error.text(_), returncode=UNUSABLE) from error
            text = _text(options["file"], law.id, day)
            found = list(compare(text, law, bindings, day))
        total = sum(1 for _number in numbers_in(text))
        if options["json"]:
            answer = {
                "rulebook": law.id,
                "day": day.isoformat(),
                "sha256": text.sha256,
                "articles": len(text.articles),
                "numbers": total,
                "differences": [_as_json(one) for one in found],
            }
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))
        else:
            for one in found:
                self.stdout.write(difference_line(one))
            summary = _("numbers: %(total)d; to be looked at: %(found)d")
            self.stdout.write(summary % {"total": total, "found": len(found)})
        if found:
            raise SystemExit(DIFFERENT)


def _text(file: Path | None, rulebook: str, day: date) -> Text:
    if file is not None:
        try:
            return read_text(content_of(file))
        except Malformed as error:
            raise CommandError(said(error.reason, _), returncode=UNUSABLE) from error
    row = regulation_texts.in_force_on(rulebook, day)
    text = None if row is None else regulation_texts.text_of(row)
    if text is None:
        none = _("No official text of %(rulebook)s is stored for that day: name a file.")
        raise CommandError(none % {"rulebook": rulebook}, returncode=UNUSABLE)
    return text


def content_of(file: Path) -> bytes:
    """The bytes of a file of the command line. Raises: CommandError, where it cannot be opened."""
    try:
        return file.read_bytes()
    except OSError as error:
        values = {"path": file, "reason": said(why(error), _)}
        refused = _("%(path)s cannot be opened: %(reason)s") % values
        raise CommandError(refused, returncode=UNUSABLE) from error


def difference_line(difference: Difference) -> str:
    """A number and what is said of it, in one line."""
    bound = difference.bound
    values = {
        "eid": difference.eid,
        "n": difference.n,
        "written": difference.found.written if difference.found else "",
        "said": f"{bound.value} ({_what(bound)})" if bound else "",
        "stated": "" if difference.stated is None else ", ".join(figures_of(difference.stated)),
    }
    if difference.why == "unexplained":
        return _("%(eid)s, number %(n)d: «%(written)s» is explained nowhere") % values
    if difference.why == "absent":
        return _("%(eid)s, number %(n)d: %(said)s is not in the text") % values
    line = _("%(eid)s, number %(n)d: the text has «%(written)s», expected is %(said)s") % values
    if not values["stated"]:
        return line
    return line + _("; the rulebook has %(stated)s") % values


def _what(bound: Binding) -> str:
    """A parameter by its name, a reason in words."""
    reasons = {
        "citation": _("cites an article or an act"),
        "condition": _("says when a rule holds"),
        "counts": _("counts what the sentence speaks of"),
        "date": _("belongs to a date"),
        "name": _("belongs to a name"),
        "rank": _("is a card's rank"),
    }
    return reasons.get(bound.of, bound.of)


def figures_of(value: Value) -> list[str]:
    """A rulebook's value as plain figures."""
    return [spelled(one) for one in (value if isinstance(value, tuple) else (value,))]


def _as_json(difference: Difference) -> dict[str, object]:
    bound, stated = difference.bound, difference.stated
    plain = None if stated is None else figures_of(stated)
    return {
        "why": difference.why,
        "eid": difference.eid,
        "n": difference.n,
        "span": list(difference.found.span) if difference.found else None,
        "written": difference.found.written if difference.found else None,
        "said": str(bound.value) if bound else None,
        "parameter": (bound.parameter or None) if bound else None,
        "reason": bound.of if bound and not bound.parameter else None,
        "stated": plain if isinstance(stated, tuple) or plain is None else plain[0],
    }
