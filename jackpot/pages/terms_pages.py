"""The approved terms of a pool with what they come to: exact chances, expected return, versions.

Reckoned is a player who takes every card the law gives him (reading of n.º 18: none at
`hit.until`), by the law in force when the terms began to hold. A process keeps the chances of a
table it has met: the longest take half a second.

Law: PT art. 38, 40 to 44.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino import clock
from casino.access.house_time import gaming_day_now
from casino.law.finding import Result
from casino.law.rulebook.controls import is_of_the_house
from casino.law.rulebook.inspectorate import inspectorate
from casino.law.rulebook.jackpot_law import (
    APPROVED,
    COUNTED,
    NOT_BACK,
    OPTION,
    PROPOSED,
    START,
    TOP,
)
from casino.law.rulebook.rulebook import LawInForce
from casino.law.rulebook.rulebook_file import load_law
from casino.web.display.cells import finely
from casino.web.display.money_and_time import moment, money
from casino.web.entries.entry_page import url_of
from jackpot.events import TermsApproved
from jackpot.models import JackpotTerms, JackpotTermsConfirmation
from jackpot.pages.amount_display import decimal, percent
from jackpot.pages.jackpot_access import for_staff, only, reads_terms
from jackpot.pages.meter_words import MARKING, MATCH, combination_word
from jackpot.pages.moments import happened
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.chances import Expectation, LineChance, chances, packs
from jackpot.progressive.prizes import PrizeLine, PrizeList
from jackpot.progressive.terms import Terms
from jackpot.queries import pool_now
from jackpot.queries.meter_preview import first_day
from jackpot.queries.pool_queries import RULEBOOK
from jackpot.queries.versions import read_terms
from jackpot.rules.pool_preview import of_terms

DECKS: Final = (4, 6)  # n.º 3
_LONGEST: Final = 18  # digits of an entry's number
CHANCE_DECIMALS, RETURN_DECIMALS, ONE_IN_DECIMALS = 8, 4, 2


@for_staff
@require_safe
def terms_page(request: HttpRequest, code: str) -> HttpResponse:
    """The versions in their order, and one of them whole (``?version=3``, its entry)."""
    only(reads_terms(request))
    rows = list(JackpotTerms.objects.filter(jackpot=code).order_by("valid_from", "n"))
    if not rows:
        raise Http404
    now = pool_now(code)
    moment_now = clock.now()
    held = next((one.entry for one in now.versions if one.terms.since <= moment_now), None)
    row = _chosen(rows, _number(request.GET.get("version", "")), held)
    words = {word.terms_n: word for word in _confirmations(code)}
    context = {
        **admin.site.each_context(request),
        "title": _("Terms of jackpot %(code)s") % {"code": code},
        "code": code,
        "versions": [_version(one, words.get(one.n), held, row) for one in reversed(rows)],
        "row": whole_terms(row),
        "checks": list(checked(row)),
        "inspectorate": inspectorate(load_law(RULEBOOK).on(gaming_day_now())),
        **_chances(row, now.meter.running if now.meter.begun else None),
    }
    return render(request, "jackpot/terms.html", context)


def _number(wanted: str) -> int | None:
    """An entry's number; None where nothing like one is asked for."""
    if not wanted.isascii() or not wanted.isdigit():
        return None
    return int(wanted) if len(wanted) <= _LONGEST else 0  # there is no entry 0


def _chosen(rows: Sequence[JackpotTerms], wanted: int | None, held: int | None) -> JackpotTerms:
    """The version asked for; else the one in force, else the latest. Raises: Http404."""
    if wanted is not None:
        for row in rows:
            if row.n == wanted:
                return row
        raise Http404
    return next((row for row in rows if row.n == held), rows[-1])


def _confirmations(code: str) -> Iterator[JackpotTermsConfirmation]:
    yield from JackpotTermsConfirmation.objects.filter(jackpot=code).order_by("-n")


def _version(
    one: JackpotTerms,
    word: JackpotTermsConfirmation | None,
    held: int | None,
    chosen: JackpotTerms,
) -> dict[str, Any]:
    return {
        "n": one.n,
        "name": one.terms,
        "since": moment(one.valid_from),
        "by": one.staff,
        "confirmed_by": "" if word is None else word.staff,
        "confirmed": None if word is None else happened(word.occurred_at, word.recorded_at),
        "approval": _document(one.approval_reference, one.approved_on),
        "option": _document(one.option_reference, one.communicated_on),
        "held": one.n == held,
        "chosen": one.n == chosen.n,
        "url": url_of(TermsApproved.kind, one.pk),
    }


def _document(reference: str, on: Any) -> str:
    texts = [reference, date_format(on, "SHORT_DATE_FORMAT") if on else ""]
    return ", ".join(part for part in texts if part)


def whole_terms(row: JackpotTerms) -> dict[str, Any]:
    """Terms in words, as a page shows them: all of them, with what they rest on."""
    reserve = row.reserve_millionths
    return {
        "name": row.terms,
        "n": row.n,
        "stake": money(row.stake_cents),
        "rate": finely(row.rate_millionths, "rate_millionths"),
        "start": money(row.start_cents),
        "counted": row.cards_counted,
        "match": MATCH[row.match],
        "marking": MARKING[row.marking],
        "tables": ", ".join(row.tables or ()),
        "limit": "" if row.limit_cents is None else money(row.limit_cents),
        "reserve": "" if reserve is None else finely(reserve, "reserve_millionths"),
        "conditions": row.conditions,
        "proposal": _document(row.proposal, row.proposed_on),
        "since": moment(row.valid_from),
        "approval": _document(row.approval_reference, row.approved_on),
        "option": _document(row.option_reference, row.communicated_on),
        "by": row.staff,
    }


def table_lines(row: JackpotTerms) -> list[dict[str, Any]]:
    """The approved table in its order: each combination with its prize, and what it starts at."""
    terms = read_terms(row)
    start = terms.start_cents * MICROCENTS
    return [
        {
            "combination": combination_word(line.code),
            "prize": _prize(line),
            "top": line.top,
            "at_start": money(line.due_cents(start)),
        }
        for line in terms.prizes.lines
    ]


# What the law asks of them


def checked(row: JackpotTerms) -> Iterator[dict[str, Any]]:
    """What n.os 38 to 44 and 50 ask of terms, and whether these have it: by the law of their day.

    Terms are taken as told when their author says so, like the check of n.º 40 takes them.
    """
    rules = _law_of(row)
    terms = replace(read_terms(row), recorded_at=row.occurred_at)
    for check, result in of_terms(terms, first_day(row.valid_from), rules):
        words = _ASKED[check.name]() if check is not START else _start_asked(terms, rules)
        yield _check(rules.article_of(check.name) or "", words, result)


def _law_of(row: JackpotTerms) -> LawInForce:
    """The law in force when they began to hold."""
    return load_law(RULEBOOK).on(first_day(row.valid_from))


_ASKED: Final[dict[str, Callable[[], str]]] = {
    OPTION.name: lambda: _("communicated"),
    APPROVED.name: lambda: _("approved"),
    PROPOSED.name: lambda: _("proposed"),
    NOT_BACK.name: lambda: _("not retroactive"),
    COUNTED.name: lambda: _("cards that count"),
    TOP.name: lambda: _("a top combination"),
}


def _start_asked(terms: Terms, rules: LawInForce) -> str:
    times = rules["jackpot.start_times"]
    return _("starting value at least %(times)s times the stake: %(least)s") % {
        "times": decimal(Fraction(times), 0),
        "least": money(times * terms.stake_cents),
    }


def _check(article: str, words: str, result: Result) -> dict[str, Any]:
    of_the_house = is_of_the_house(article)
    if result == "lawful":
        tone, said = "kept", _("conform")
    elif result == "not_decidable":
        tone, said = "idle", _("not told enough to decide")
    elif of_the_house:
        tone, said = "deviation", _("deviation")
    else:
        tone, said = "breach", _("breach")
    cited = _("House control") if of_the_house else f"n.º {article}"
    return {"cited": cited, "words": words, "tone": tone, "said": said}


# What they come to


def _chances(row: JackpotTerms, running: int | None) -> dict[str, Any]:
    """Reckoned by the law of their day; with the meter as it runs now, by today's."""
    terms, rules = read_terms(row), _law_of(row)
    start = terms.start_cents * MICROCENTS
    found = [expected(terms.prizes, terms.stake_cents, start, decks, rules) for decks in DECKS]
    today = load_law(RULEBOOK).on(gaming_day_now())
    return {
        "lines": [
            line | {"decks": [_line(one.lines[place], one) for one in found]}
            for place, line in enumerate(table_lines(row))
        ],
        "decks": DECKS,
        "sums": [_sums(one) for one in found],
        "now": _returned_now(terms.prizes, terms.stake_cents, running, today),
        "running": "" if running is None else money(running // MICROCENTS),
    }


def _prize(line: PrizeLine) -> str:
    if line.fixed_cents is not None:
        return money(line.fixed_cents)
    return finely(line.share_millionths or 0, "share_millionths")


def _line(one: LineChance, whole: Expectation) -> dict[str, str]:
    return {
        "one_in": "–" if one.one_in is None else decimal(one.one_in, ONE_IN_DECIMALS),
        "percent": percent(one.chance, CHANCE_DECIMALS),
        "fraction": f"{one.chance.numerator}/{one.chance.denominator}",
        "returned": percent(one.expected_cents / whole.stake_cents, RETURN_DECIMALS),
    }


def _sums(one: Expectation) -> dict[str, str]:
    return {
        "one_in": decimal(1 / one.chance, ONE_IN_DECIMALS) if one.chance else "–",
        "percent": percent(one.chance, CHANCE_DECIMALS),
        "returned": percent(one.returned, RETURN_DECIMALS),
    }


def _returned_now(
    prizes: PrizeList, stake: int, running: int | None, rules: LawInForce
) -> list[str]:
    if running is None:
        return []
    found = [expected(prizes, stake, max(0, running), decks, rules) for decks in DECKS]
    return [percent(one.returned, RETURN_DECIMALS) for one in found]


def expected(
    prizes: PrizeList, stake_cents: int, microcents: int, decks: int, rules: LawInForce
) -> Expectation:
    """What a stake can expect with so much on the meter. Units: exact cents."""
    until: int | None = rules["hit.until"] if rules.states("hit.until") else None
    ranked = tuple(line.code for line in prizes.ranked(microcents))
    found = _kept(prizes, ranked, decks, until)
    lines = [
        LineChance(line.code, found[line.code], line.due_cents(microcents)) for line in prizes.lines
    ]
    return Expectation(tuple(lines), stake_cents)


@lru_cache(maxsize=64)
def _kept(
    prizes: PrizeList, ranked: tuple[str, ...], decks: int, until: int | None
) -> dict[str, Fraction]:
    """The chances of a table; the meter matters to them only by the order it gives the lines."""
    in_order = PrizeList(
        prizes.cards_counted, tuple(prizes.line(code) for code in ranked), match="first"
    )
    return chances(in_order, 0, packs(decks), no_card_at=until)
