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
from casino.house_day import gaming_day_now
from casino.law.finding import Verdict
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


def _chosen(versions: Sequence[JackpotTerms], wanted: int | None, held: int | None) -> JackpotTerms:
    """The version asked for; else the one in force, else the latest. Raises: Http404."""
    if wanted is not None:
        for row in versions:
            if row.n == wanted:
                return row
        raise Http404
    return next((row for row in versions if row.n == held), versions[-1])


def _confirmations(code: str) -> Iterator[JackpotTermsConfirmation]:
    yield from JackpotTermsConfirmation.objects.filter(jackpot=code).order_by("-n")


def _version(
    jackpot_terms: JackpotTerms,
    word: JackpotTermsConfirmation | None,
    held: int | None,
    chosen: JackpotTerms,
) -> dict[str, object]:
    return {
        "n": jackpot_terms.n,
        "name": jackpot_terms.terms,
        "since": moment(jackpot_terms.valid_from),
        "by": jackpot_terms.staff,
        "confirmed_by": "" if word is None else word.staff,
        "confirmed": None if word is None else happened(word.occurred_at, word.recorded_at),
        "approval": _document(jackpot_terms.approval_reference, jackpot_terms.approved_on),
        "option": _document(jackpot_terms.option_reference, jackpot_terms.communicated_on),
        "held": jackpot_terms.n == held,
        "chosen": jackpot_terms.n == chosen.n,
        "url": url_of(TermsApproved.kind, jackpot_terms.pk),
    }


def _document(reference: str, on: Any) -> str:
    texts = [reference, date_format(on, "SHORT_DATE_FORMAT") if on else ""]
    return ", ".join(part for part in texts if part)


def whole_terms(jackpot_terms: JackpotTerms) -> dict[str, object]:
    """Terms in words, as a page shows them: all of them, with what they rest on."""
    reserve = jackpot_terms.reserve_millionths
    return {
        "name": jackpot_terms.terms,
        "n": jackpot_terms.n,
        "stake": money(jackpot_terms.stake_cents),
        "rate": finely(jackpot_terms.rate_millionths, "rate_millionths"),
        "start": money(jackpot_terms.start_cents),
        "counted": jackpot_terms.cards_counted,
        "match": MATCH[jackpot_terms.match],
        "marking": MARKING[jackpot_terms.marking],
        "tables": ", ".join(jackpot_terms.tables or ()),
        "limit": "" if jackpot_terms.limit_cents is None else money(jackpot_terms.limit_cents),
        "reserve": "" if reserve is None else finely(reserve, "reserve_millionths"),
        "conditions": jackpot_terms.conditions,
        "proposal": _document(jackpot_terms.proposal, jackpot_terms.proposed_on),
        "since": moment(jackpot_terms.valid_from),
        "approval": _document(jackpot_terms.approval_reference, jackpot_terms.approved_on),
        "option": _document(jackpot_terms.option_reference, jackpot_terms.communicated_on),
        "by": jackpot_terms.staff,
    }


def table_lines(jackpot_terms: JackpotTerms) -> list[dict[str, object]]:
    """The approved table in its order: each combination with its prize, and what it starts at."""
    terms = read_terms(jackpot_terms)
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


def checked(jackpot_terms: JackpotTerms) -> Iterator[dict[str, object]]:
    """What n.os 38 to 44 and 50 ask of terms, and whether these have it: by the law of their day.

    Terms are taken as told when their author says so, like the check of n.º 40 takes them.
    """
    rules = _law_of(jackpot_terms)
    terms = replace(read_terms(jackpot_terms), recorded_at=jackpot_terms.occurred_at)
    for check, result in of_terms(terms, first_day(jackpot_terms.valid_from), rules):
        words = _ASKED[check.name]() if check is not START else _start_asked(terms, rules)
        yield _check(rules.article_of(check.name) or "", words, result)


def _law_of(jackpot_terms: JackpotTerms) -> LawInForce:
    """The law in force when they began to hold."""
    return load_law(RULEBOOK).on(first_day(jackpot_terms.valid_from))


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


def _check(article: str, words: str, result: Verdict) -> dict[str, object]:
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


def _chances(jackpot_terms: JackpotTerms, running: int | None) -> dict[str, object]:
    """Reckoned by the law of their day; with the meter as it runs now, by today's."""
    terms, rules = read_terms(jackpot_terms), _law_of(jackpot_terms)
    start = terms.start_cents * MICROCENTS
    found = [expected(terms.prizes, terms.stake_cents, start, decks, rules) for decks in DECKS]
    today = load_law(RULEBOOK).on(gaming_day_now())
    return {
        "lines": [
            line | {"decks": [_line(one.lines[place], one) for one in found]}
            for place, line in enumerate(table_lines(jackpot_terms))
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


def _line(line_chance: LineChance, whole: Expectation) -> dict[str, str]:
    return {
        "one_in": "–"
        if line_chance.one_in is None
        else decimal(line_chance.one_in, ONE_IN_DECIMALS),
        "percent": percent(line_chance.chance, CHANCE_DECIMALS),
        "fraction": f"{line_chance.chance.numerator}/{line_chance.chance.denominator}",
        "returned": percent(line_chance.expected_cents / whole.stake_cents, RETURN_DECIMALS),
    }


def _sums(expectation: Expectation) -> dict[str, str]:
    return {
        "one_in": decimal(1 / expectation.chance, ONE_IN_DECIMALS) if expectation.chance else "–",
        "percent": percent(expectation.chance, CHANCE_DECIMALS),
        "returned": percent(expectation.returned, RETURN_DECIMALS),
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
