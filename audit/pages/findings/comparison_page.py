"""What a run that only compares came to: by article and check with its money, then one by one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from audit.models import RunDifference, RunSheet
from audit.pages.audit_access import exports
from audit.pages.page_words import OWED_TO, PageWords, cited, heading, law, words
from audit.reconcile.compare_laws import CHANGES, article_order, compared_of, named_in
from audit.reconcile.comparison_sums import COUNTED, SIDES, Named, NamedEntry
from audit.reconcile.comparison_sums import OfArticle as OfArticleSums
from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook_file import counted_as
from casino.queries import day_of, table_of
from casino.web.display.csv_answer import Cell
from casino.web.display.money_and_time import money
from casino.web.entries.entry_page import url_of
from casino.web.list_files.list_answer import list_answer
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.words.place_words import stream_word

ON_A_PAGE: Final = 50  # differences
_AT_ONCE: Final = 1_000  # of a file
_MOST_NAMED: Final = 3  # entries of a difference
CHANGED: Final = {
    "vanish": _lazy("would vanish"),
    "change": _lazy("would be said otherwise"),
    "appear": _lazy("would appear"),
}
GROUPS: Final = {
    "vanish": _lazy("Would vanish"),
    "change": _lazy("Would be said otherwise"),
    "appear": _lazy("Would appear"),
}
HEAD: Final = (
    "change",
    "partida",
    "table",
    "gaming_day",
    "check",
    "rule",
    *(
        f"{name}_{when}"
        for when in ("now", "then")
        for name in (
            "rulebook",
            "article",
            "severity",
            "told",
            "observed",
            "expected",
            "owed_cents",
            "owed_to",
        )
    ),
    "to_players_cents",
    "to_house_cents",
    "where",
    "evidence",
    "finding",
    "rounds",
    "box",
    "owner",
)
SUMS_HEAD: Final = (
    *("rulebook", "article", "rule", "side", "findings", "rounds", "boxes", "owners"),
    *("without_round", "without_box", "without_owner", "to_players_cents", "to_house_cents"),
)


class Sums(NamedTuple):
    """What a group of differences comes to; `url` leads to the differences themselves.

    `rounds`, `boxes` and `owners` are how many it touches, "" where nothing says so.
    """

    what: str
    number: int
    to_players: str
    to_house: str
    url: str
    rounds: str = ""
    boxes: str = ""
    owners: str = ""


class OfArticle(NamedTuple):
    """One article of one change: its sum, and those of its checks."""

    all: Sums
    checks: Sequence[Sums]


class Shown(NamedTuple):
    """One difference, as its row shows it."""

    word: str
    partida: str
    rule: str
    now: str
    now_url: str
    then: str
    money: str
    rests_on: Sequence[tuple[str, str]]  # its rounds, else its entries: name, address


def comparison_of(request: HttpRequest, sheet: RunSheet | None) -> dict[str, object] | None:
    """What the page of a run shows of its comparison; None where it made none."""
    if sheet is None or not sheet.compared:
        return None
    value, say = sheet.compared, words()
    here = reverse("run", args=[sheet.run])
    rows, chosen = _asked(request, sheet)
    count = rows.count()
    pages = max(1, -(-count // ON_A_PAGE))
    page = min(_page(request), pages)
    seen = list(rows.order_by("place")[(page - 1) * ON_A_PAGE : page * ON_A_PAGE])
    named = named_in(one.now or one.then or {} for one in seen)

    def address(number: int) -> str:
        return f"{here}?{urlencode({**chosen, 'page': number})}#one-by-one"

    return {
        "counts": value["counts"],
        "owed": [
            (
                OWED_TO[whom],
                money(value["owed_now"][whom]),
                money(value["owed_then"][whom]),
                more(value["owed_then"][whom] - value["owed_now"][whom]),
            )
            for whom in OWED_TO
        ],
        "groups": _groups(sheet, here, say),
        "would_hold": whole["then"]["findings"] if (whole := value.get("whole")) else None,
        "looked_at": value.get("looked_at"),
        "touched": touched_words(whole["differ"]) if whole else None,
        "digest": value.get("digest", ""),
        "sheet_url": _sheet_url(sheet) if exports(request) else "",
        # A comparison made before its differences were all kept.
        "unkept": not sheet.differences.exists() and any(value["counts"][one] for one in CHANGED),
        "differences": [_shown(one, named, say) for one in seen],
        "count": count,
        "chosen": _chosen(chosen, say),
        "every_url": f"{here}#one-by-one" if chosen else "",
        "page": page,
        "pages": pages,
        "newer": address(page - 1) if page > 1 else "",
        "older": address(page + 1) if page < pages else "",
        "csv_url": (csv_url := reverse("run-csv", args=[sheet.run]) if exports(request) else ""),
        "sums_url": f"{csv_url}?sums=1" if csv_url and "sums" in value else "",
    }


def _sheet_url(sheet: RunSheet) -> str:
    """Where the sealed sheet of a comparison is asked for."""
    first = sheet.from_day or day_of(sheet.partida_id)
    days = {"from": first.isoformat(), "to": (sheet.to_day or first).isoformat()}
    asked = urlencode({"report": "reaudit", "finding": str(sheet.run), **days})
    return f"{reverse('reports')}?{asked}"


def touched_words(touched: Mapping[str, int]) -> tuple[str, str, str]:
    """How many rounds, boxes and owners are touched; "" where no finding names any."""
    of = (("rounds", "round"), ("boxes", "box"), ("owners", "owner"))
    rounds, boxes, owners = (_counted(touched[many], touched[f"without_{one}"]) for many, one in of)
    return rounds, boxes, owners


def _counted(number: int, without: int) -> str:
    """A count, with how many findings name nothing to be counted."""
    if not number:
        return ""
    n = number_format(number, force_grouping=True)
    if not without:
        return n
    return _("%(n)s; %(without)s name none") % {
        "n": n,
        "without": number_format(without, force_grouping=True),
    }


def more(cents: int) -> str:
    """How much more somebody would be owed, with its sign; '' for nothing."""
    return f"+{money(cents)}" if cents > 0 else money(cents) if cents else ""


def _asked(request: HttpRequest, sheet: RunSheet) -> tuple[QuerySet[RunDifference], dict[str, str]]:
    """The differences the address asks for, and what of it narrows them."""
    names = {"change": "change", "article": "article", "check": "check_name"}
    values = {name: request.GET.get(name, "") for name in names}
    chosen = {name: value for name, value in values.items() if value and "\x00" not in value}
    return (
        sheet.differences.filter(**{names[name]: value for name, value in chosen.items()}),
        chosen,
    )


def _page(request: HttpRequest) -> int:
    asked = request.GET.get("page", "")
    return max(1, int(asked)) if asked.isdecimal() and len(asked) < 9 else 1


def _chosen(chosen: Mapping[str, str], say: PageWords) -> str:
    """What narrows the list, in words."""
    texts = [
        str(CHANGED.get(chosen.get("change", ""), "")),
        _("article %(article)s") % {"article": chosen["article"]} if "article" in chosen else "",
        say.statement(chosen["check"]) if "check" in chosen else "",
    ]
    return ", ".join(filter(None, texts))


def _groups(sheet: RunSheet, here: str, say: PageWords) -> list[tuple[str, list[OfArticle]]]:
    """The differences by change, article and check, in the order of the articles."""
    counted = (
        sheet.differences.order_by()
        .values("change", "rulebook", "article", "check_name")
        .annotate(number=Count("pk"), players=Sum("to_players"), house=Sum("to_house"))
    )
    rows = sorted(counted, key=_by_article)
    touched = {
        (one["change"], one["rulebook"], one["article"], one["check"]): touched_words(
            one["touched"]
        )
        for one in compared_of(sheet).get("touched", ())
    }
    return [
        (
            str(GROUPS[change]),
            [
                _of_article(
                    (change, book, article),
                    list(of_article),
                    touched,
                    f"{here}?change={change}",
                    say,
                )
                for (book, article), of_article in groupby(
                    of_change, key=lambda row: (row["rulebook"], row["article"])
                )
            ],
        )
        for change, of_change in groupby(rows, key=lambda row: row["change"])
    ]


def _by_article(row: Mapping[str, object]) -> tuple[object, ...]:
    return CHANGES.index(row["change"]), *article_order(row), row["check_name"]


def _of_article(
    place: tuple[str, str, str],
    rows: Sequence[Mapping[str, Any]],
    touched: Mapping[tuple[str, str, str, str], tuple[str, str, str]],
    here: str,
    say: PageWords,
) -> OfArticle:
    """`place` is change, rulebook, article; of what was not counted nothing is `touched`."""
    _change, rulebook, article = place
    none = ("", "", "")
    name = article_words(rulebook, article)
    here = f"{here}&{urlencode({'article': article})}"
    whole = {part: sum(row[part] for row in rows) for part in ("number", "players", "house")}
    return OfArticle(
        _sums(name, whole, here, touched.get((*place, ""), none)),
        [
            _sums(
                say.statement(check),
                row,
                f"{here}&{urlencode({'check': check})}",
                touched.get((*place, check), none),
            )
            for row in rows
            for check in (row["check_name"],)
        ],
    )


def article_words(rulebook: str, article: str) -> str:
    """An article as it is cited, with its heading."""
    book = law(rulebook)
    known = None if book is None else book.articles.get(article)
    name, called = cited(rulebook, article), "" if known is None else heading(known)
    return f"{name} · {called}" if called and called not in name else name


def _sums(what: str, row: Mapping[str, Any], here: str, touched: tuple[str, str, str]) -> Sums:
    url = f"{here}#one-by-one"
    return Sums(what, row["number"], more(row["players"]), more(row["house"]), url, *touched)


def _shown(run_difference: RunDifference, by_id: Named, say: PageWords) -> Shown:
    finding = (run_difference.now or {}).get("finding")
    differs = [more(run_difference.to_players), more(run_difference.to_house)]
    whom = [OWED_TO["player"], OWED_TO["house"]]
    return Shown(
        str(CHANGED[run_difference.change]),
        run_difference.partida_id,
        say.statement(run_difference.check_name),
        finding_sentence(run_difference.now, say),
        reverse("admin:audit_finding_change", args=[finding]) if finding else "",
        finding_sentence(run_difference.then, say),
        ", ".join(f"{sum_} {who}" for sum_, who in zip(differs, whom, strict=True) if sum_),
        [
            (entry_words(one), url_of(one.kind, each))
            for each, one in rests_on(run_difference, by_id)
        ],
    )


def rests_on(run_difference: RunDifference, by_id: Named) -> list[tuple[str, NamedEntry]]:
    """The rounds a difference is of, else the entries it rests on, by id and name: the first few.

    Without them nobody finds the hand of a box among a night's rounds.
    """
    values = run_difference.now or run_difference.then or {}
    there = [(each, by_id[each]) for each in values.get("evidence", ()) if each in by_id]
    rounds = [one for one in there if one[1].kind == RoundPlayed.kind]
    return sorted(rounds or there, key=lambda one: one[1][:2])[:_MOST_NAMED]


def entry_words(named_entry: NamedEntry) -> str:
    """An entry as pages call it: ``entry 98 of table BJ-01``."""
    values = {"n": named_entry.n, "stream": stream_word(named_entry.stream)}
    return _("entry %(n)s of %(stream)s") % values


def finding_sentence(one: Mapping[str, Any] | None, say: PageWords) -> str:
    """A finding in one sentence, with its article and what it owes."""
    if one is None:
        return ""
    owed = f" ({money(one['owed_cents'])} {OWED_TO[one['owed_to']]})" if one["owed_to"] else ""
    return f"{cited(one['rulebook'], one['article'])}: {_sentence(one, say)}{owed}"


def _sentence(one: Mapping[str, Any], say: PageWords) -> str:
    day = day_of(one["partida"]) if one["partida"] else None
    return say.heading(one["check"], one["where"], one["observed"], one["expected"], day)


def run_csv(request: HttpRequest, run: UUID) -> HttpResponseBase:
    """Every difference of a comparison; with ``?sums``, its sums by article."""
    if not exports(request):
        raise PermissionDenied
    sheet = RunSheet.objects.filter(run=run).first()
    if sheet is None or not sheet.compared:
        raise Http404
    if "sums" in request.GET and "sums" in sheet.compared:
        return list_answer(request, _sums_source(sheet.compared["sums"]))
    rows = sheet.differences.order_by("place")
    source = ListSource(
        of="comparison",
        name="comparison",
        title=_("Differences"),
        columns=columns_of(HEAD),
        rows=_cells(rows),
        count=rows.count(),
    )
    return list_answer(request, source)


def _sums_source(sums: Sequence[OfArticleSums]) -> ListSource:
    """What stands, what would hold and what differs of each article, a row each."""
    return ListSource(
        of="comparison",
        name="comparison-sums",
        title=_("Sums by article"),
        columns=columns_of(SUMS_HEAD),
        rows=(
            [
                one["rulebook"],
                one["article"],
                article_words(one["rulebook"], one["article"]),
                side,
                *(one[side][name] for name in COUNTED),
            ]
            for one in sums
            for side in SIDES
        ),
        count=len(SIDES) * len(sums),
    )


def _cells(queryset: QuerySet[RunDifference]) -> Iterator[Sequence[Cell]]:
    say = words()
    recorded_of = queryset.iterator(chunk_size=_AT_ONCE)
    while some := list(islice(recorded_of, _AT_ONCE)):
        named = named_in([one.now or one.then or {} for one in some])
        yield from (_row(one, named, say) for one in some)


def _row(run_difference: RunDifference, by_id: Named, say: PageWords) -> Sequence[Cell]:
    values = run_difference.now or run_difference.then or {}
    evidence = [(each, by_id.get(each)) for each in values.get("evidence", ())]
    rounds = [entry for _id, entry in evidence if entry and entry.kind == RoundPlayed.kind]
    where = values.get("where") or {}
    return [
        run_difference.change,
        run_difference.partida_id,
        table_of(run_difference.partida_id),
        day_of(run_difference.partida_id).isoformat() if run_difference.partida_id else "",
        run_difference.check_name,
        say.statement(run_difference.check_name),
        *_side(run_difference.now, say),
        *_side(run_difference.then, say),
        run_difference.to_players,
        run_difference.to_house,
        _json(values.get("where")),
        " ".join(_called(entry) if entry else each for each, entry in evidence),
        (run_difference.now or {}).get("finding", ""),
        " ".join(map(_called, rounds)),
        where.get("box", ""),
        where.get("owner", ""),
    ]


def _called(named_entry: NamedEntry) -> str:
    """What pages call an entry: ``table/BJ-01#98``."""
    return f"{named_entry.stream}#{named_entry.n}"


def _side(one: Mapping[str, Any] | None, say: PageWords) -> Sequence[Cell]:
    if one is None:
        return [""] * 8
    return [
        one["rulebook"],
        one["article"],
        counted_as(one["severity"], one["rulebook"]),
        _sentence(one, say),
        _json(one["observed"]),
        _json(one["expected"]),
        one["owed_cents"],
        one["owed_to"],
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
