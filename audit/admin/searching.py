"""What the search of findings understands: whatever their pages show of them, word by word."""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Final
from uuid import UUID

from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL
from django.forms import ValidationError

from audit import audit_queries
from audit.admin.filters import NUMBER_SIGN, staff_number
from audit.models import CaseNumber
from audit.pages.page_words import (
    GRAVITY,
    HOUSE,
    PageWords,
    counted,
    gravity_word,
    problems_saying,
    words,
)
from audit.runs.house_checks import STATEMENTS
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.wording.headings import PLACES, Line, spoken
from casino.law.wording.wording import MONEY_LINES, NAMES, VALUES
from casino.models import BookEntry
from casino.web.display.folded_text import spellings
from casino.web.forms.form_fields import card_of, cents_of

ALL_STATEMENTS: Final = (*ALL_CHECKS, *STATEMENTS, *house_controls.BY_NAME)
_HEX: Final = re.compile(r"[0-9a-f]{6,64}")
_SUM: Final = r"\d{1,3}(?:[.,\s]?\d{3}){0,4}(?:[.,]\d{1,2})?"
# An amount with its sign is one word of the search, whatever stands between them.
_WORD: Final = re.compile(rf"€\s*{_SUM}(?!\d)|(?<!\S){_SUM}\s*€|\S+")
_AMOUNT: Final = re.compile(r"\d{1,3}(?:[., ]?\d{3}){0,3}[,.]\d\d")
_CENTS: Final = re.compile(r"[.,](\d{1,2})$")
_CARD: Final = re.compile(r"(10|[2-9AJQKVDRT])[♣♦♥♠]", re.IGNORECASE)
# What a finding names by a code: a player, a deck, a shuffler, an incident.
_CODE: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9._-]{2,40}")
_NUMBER_OF_STAFF: Final = re.compile(r"[A-Za-z]-\d{1,6}")  # dealers too, whom no register may know
_COUNTED: Final = ("number", "box", "hand", "shoe", "seat")  # the places of a finding in numbers
# A case's number, whole or as far as it was typed: its hyphens may be left out.
_CASE: Final = re.compile(r"CST-?(?:(\d{4})-?(\d{0,9}))?", re.IGNORECASE)
_WHOLE_NUMBER: Final = 6  # digits of a case's
_SHORTEST_WORD: Final = 3
_LONGEST_NUMBER: Final = 16  # digits
# Read as text: taking every object apart is ten times slower.
_EVERY_VALUE: Final = """(audit_finding."where"::text || audit_finding.observed::text ||
    audit_finding.expected::text) ~* %s"""
_EDGE: Final = "[^A-Za-z0-9_.-]"
_PAID: Final = ("returned_cents", "stake_cents")


def searched(
    queryset: audit_queries.Findings, asked: str, *, in_days: bool = False
) -> audit_queries.Findings:
    """The findings that fit every word asked, in whichever case and with or without accents.

    A word may be an article (``n.º 36`` is nothing else), a table, a partida, a person, a player,
    the number of its case (``CST-2026-000123``, ``123``), of the finding's own entry, of a round,
    shoe, box or hand, an amount (``10,00``,
    ``25 €``), a card (``10♥``), a check, the beginning of a finding's key, an entry's id or name
    (``table/BJ-01#98``), a gravity, or part of a sentence or name the page shows: what a check
    asks, what happened, what a value is called. What stands in values or entries that have to be
    read one by one, persons among them, is looked for in the days asked (`in_days`), else in the
    last `queries.PERSON_DAYS` days of play; what a player or an owed sum is, in all of them.
    """
    within = Q() if in_days else audit_queries.lately()
    text = NUMBER_SIGN.sub("", asked.strip())
    if text != asked.strip() and text:
        article, *rest = text.split(maxsplit=1)
        return _all(queryset.filter(article=article.lower()), "".join(rest), within)
    return _all(queryset, text, within)


def _all(queryset: audit_queries.Findings, text: str, within: Q) -> audit_queries.Findings:
    found = [word[0] for word in _WORD.finditer(text)]
    # "de" and "a" stand nearly everywhere; beside another word they tell nothing.
    recording = [word for word in found if len(word) >= _SHORTEST_WORD or not word.isalpha()]
    for word in recording or found:
        queryset = queryset.filter(_fits(word, within))
    return queryset


def _fits(word: str, within: Q) -> Q:
    spelled = [each.upper() for each in spellings(word)]
    fits = (
        Q(article=word.lower())
        | Q(table_code__in=spelled)
        | Q(partida_id__in={word, word.upper()})
        | Q(check_name=word)
    )
    lower = word.lower()
    if _HEX.fullmatch(lower):
        fits |= Q(key__startswith=lower)
    with suppress(ValueError):
        fits |= _resting_on(UUID(word))
    stream, mark, n = word.partition("#")
    if mark and n.isdecimal() and len(n) < _LONGEST_NUMBER:
        fits |= Q(evidence__contains=[{"stream": stream, "n": int(n)}])
    if case := _CASE.fullmatch(word):
        typed = "-".join(("CST", *(part for part in case.groups() if part)))
        whole = len(case[2] or "") >= _WHOLE_NUMBER
        fits |= _of_cases(**{"case" if whole else "case__startswith": typed})
    if word.isdecimal() and len(word) < _LONGEST_NUMBER:
        fits |= Q(n=int(word)) | _of_cases(number=int(word))
        for place in _COUNTED:
            fits |= Q(**{f"where__{place}": int(word)})
    fits |= _valued(word, within)
    # A number is plain letters and digits; in whichever case it is asked for once.
    asked = {each.upper(): each for each in (*spelled, word)}
    known = staff_number(*asked.values()) if word.isascii() else ""
    numbers = (each for each in spelled if _NUMBER_OF_STAFF.fullmatch(each))
    if staff := known or next(numbers, ""):
        fits |= within & Q(audit_queries.acted(staff))
    return fits | _saying(_folded(word), within) if len(word) >= _SHORTEST_WORD else fits


def _of_cases(**asked: object) -> Q:
    """The findings of a case: by its whole number, or by its running one in any year."""
    return Q(key__in=CaseNumber.objects.filter(**asked).values("finding"))


def _valued(word: str, within: Q) -> Q:
    """Whether a word is a value of a finding: an amount, a card, a player, a deck."""
    cents = _cents(word)
    if cents is not None:
        fits = Q(owed_cents=cents)
        for name in _PAID:
            fits |= Q(**{f"observed__{name}": cents}) | Q(**{f"expected__{name}": cents})
        return fits | within & _matching(rf'cents": [^"]*\m{cents}\M')
    if _CARD.fullmatch(word):
        return within & _one_of([card_of(word)])
    if not _CODE.fullmatch(word):
        return Q(pk__in=())
    player = word.upper()
    return (
        Q(where__owner=player)
        | Q(observed__decided_by=player)
        | Q(expected__decided_by=player)
        | within & _one_of(spellings(word))
    )


def _cents(word: str) -> int | None:
    """The amount a word is; None where it is none: a number alone is a place or an entry."""
    if not (_AMOUNT.fullmatch(word) or ("€" in word and any(map(str.isdigit, word)))):
        return None
    text = "".join(word.strip("€").split())
    # A point before two digits parts the cents; any other groups the thousands.
    cents = _CENTS.search(text)
    whole = re.sub(r"\D", "", text[: cents.start()] if cents else text)
    with suppress(ValidationError):
        return cents_of(f"{whole},{cents[1]}" if cents else whole)
    return None


def _matching(pattern: str) -> Q:
    """Whether places and values of a finding, as the text of JSON, match a pattern."""
    return Q(RawSQL(_EVERY_VALUE, [pattern], output_field=BooleanField()))  # noqa: S611 - parameters


def _one_of(codes: Iterable[str]) -> Q:
    """Whether one of these codes is a value or a word of one, in whichever case."""
    text = "|".join(code.replace(".", "[.]") for code in codes)
    return _matching(f'{_EDGE}({text})(?!":){_EDGE}')


def _folded(text: str) -> str:
    """Without case and accents: ``infracao`` finds what stands as ``Infração``."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def _saying(word: str, within: Q) -> Q:
    """The findings of which a page says a word: in the rule, in what happened, in its place, in
    what a value is called or is, in how grave it is.
    """
    say = words()

    def has(line: Line) -> bool:
        return word in _folded(spoken(say.either(line.pt, line.en)))

    named = {name for name in ALL_STATEMENTS if word in _folded(say.statement(name))}
    named |= {name for name, lines in say.lines.items() if any(map(has, lines))}
    fits = Q(check_name__in=sorted(named)) | _grave(word)
    if any(map(has, MONEY_LINES)):
        fits |= Q(observed__has_key="returned_cents", expected__has_key="returned_cents")
    problems = problems_saying(lambda sentence: word in _folded(sentence))
    if problems:
        fits |= Q(observed__problem__in=problems)
    places = [
        place
        for place, forms in PLACES.items()
        if word in _folded(say.either(*forms)).replace("{}", "").split()
    ]
    if places:
        fits |= Q(where__has_any_keys=places)
    return fits | _called(word, say, within)


def _grave(word: str) -> Q:
    """The findings of a gravity, by its word alone or beside a number."""
    found = [
        audit_queries.is_of_gravity(gravity)
        for gravity in GRAVITY
        if word in {_folded(counted(gravity, number)) for number in (1, 2)}
    ]
    if word in _folded(gravity_word("breach", HOUSE)).split():
        found.append(Q(severity="breach") & ~audit_queries.is_of_gravity("breach"))
    return reduce(or_, found, Q(pk__in=()))


def _called(word: str, say: PageWords, within: Q) -> Q:
    """The findings with a value of that name, or with one that is said with that word."""
    names = [name for name in NAMES if word in _folded(say.name(name))]
    fits = Q(pk__in=())
    if names:
        fits |= Q(observed__has_any_keys=names) | Q(expected__has_any_keys=names)
    codes = [code for code, text in VALUES.items() if word in _folded(say.say(text))]
    return fits | within & _one_of(codes) if codes else fits


def _resting_on(entry_id: UUID) -> Q:
    """The findings that rest on an entry, by whichever name of it they tell."""
    fits = Q(evidence__contains=[str(entry_id)])
    there = BookEntry.objects.filter(id=entry_id).values_list("stream__name", "n").first()
    if there is not None:
        fits |= Q(evidence__contains=[{"stream": there[0], "n": there[1]}])
    return fits
