"""A period under another law beside what stands of it, as it was when the comparison ended.

The pages show its sums by article and the first of its differences; the JSON holds all of it, with
the entries each game was judged on, so that whoever holds the pack of the period makes it again
(`audit.reports.packs.reaudit_pack`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit.models import Reconciliation, ReconciliationResult, RunDifference, RunSheet
from audit.pages.findings.comparison_page import (
    CHANGED,
    article_words,
    entry_words,
    finding_sentence,
    more,
    rests_on,
)
from audit.pages.page_words import PageWords, book_word, law, words
from audit.reconcile.compare_laws import article_order, compared_of, kept_whole, named_in
from audit.reconcile.comparison_sums import SIDES, Named, OfArticle, digest_of, moved
from audit.reconcile.dossier_refs import GameRefs, HouseRefs, Refs, marks
from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, TooMuch
from casino.events.event import RECONCILER
from casino.models import BookEntry
from casino.queries import day_of, stream_of
from casino.web.words import figure_words

FORMAT: Final = "livro-da-sala-reaudit/1"
MOST_SHOWN: Final = 200  # differences on the pages
MOST_DIFFERENCES: Final = 20_000  # in the JSON
MOST_CITED: Final = 10_000  # entries that are brought with their proofs
AT_ONCE: Final = 5_000

_OUTSIDE: Final = """
SELECT s.name, e.n FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
    AND NOT (e.gaming_day BETWEEN %s AND %s AND (%s::text[] = '{}' OR e.table_code = ANY(%s))
        AND %s IN ('', e.partida_id))
"""


def read_reaudit(draft: Draft, asked: Asked) -> None:
    """One comparison. Raises: TooMuch."""
    sheet = RunSheet.objects.get(run=UUID(asked.findings[0]))
    began = Reconciliation.objects.get(run=sheet.run)
    ended = ReconciliationResult.objects.get(run=sheet.run)
    if sheet.differences.count() > MOST_DIFFERENCES:
        raise TooMuch(
            _("More than %(most)s differences: ask for a comparison of fewer days.")
            % {"most": cells.whole(MOST_DIFFERENCES)["text"]}
        )
    draft.cite([(began.stream, began.n), (ended.stream, ended.n)])
    draft.rulebooks.update(
        one["rulebook"] for one in compared_of(sheet).get("official", ()) if law(one["rulebook"])
    )
    draft.rulebooks.add(sheet.rulebook)
    whole = "digest" in compared_of(sheet)
    _compared(draft, sheet, began, ended)
    if whole:
        _sums(draft, compared_of(sheet)["sums"], compared_of(sheet)["whole"])
    _differences(draft, sheet)
    _again(draft, sheet)
    draft.section(
        _("Entries read"),
        texts=[_("The last entry of each stream that was read.")],
        columns=[Column(_("Stream"), 40), Column(_("Up to n.º"), 20, "right")],
        rows=[Row([cells.text(one["stream"]), cells.whole(one["n"])]) for one in ended.read_up_to],
    )
    if whole:
        draft.reaudit = _machine_readable(draft, sheet) | {
            "asked_by": began.asked_by,
            "ended": ended.n,
        }


def _compared(
    draft: Draft, sheet: RunSheet, began: Reconciliation, ended: ReconciliationResult
) -> None:
    looked_at: Mapping[str, int] = compared_of(sheet).get("looked_at", {})
    named = [
        (_("Games judged"), "games"),
        (_("Rounds judged"), "rounds"),
        (_("Rounds not judged"), "not_judged"),
        (_("Rounds of another sum"), "rounds_of_other_money"),
    ]
    counts = compared_of(sheet)["counts"]
    draft.section(
        _("What was compared"),
        texts=[
            _(
                "What stands in the book of these games beside what would hold of them under other"
                " law. It changes no finding, and decides nothing about anybody's right."
            ),
            _(
                "What stands is what stood when the comparison ended; what was put right or"
                " superseded since is not in it."
            ),
        ],
        pairs=[
            *([(_("Game"), cells.text(sheet.partida_id))] if sheet.partida_id else []),
            (_("Tables"), cells.text(", ".join(sheet.tables) or _("all"))),
            (capfirst(_("judged under")), cells.text(book_word(sheet.rulebook))),
            *[(_("Rulebook's file"), cells.text(sha)) for sha in _file_of(sheet)],
            *((_("Reading taken otherwise"), cells.text(text)) for text in _readings(sheet)),
            *(
                [(capfirst(_("the rulebook as of")), cells.day(sheet.law_day))]
                if sheet.law_day
                else []
            ),
            *_official(sheet),
            *((name, cells.whole(looked_at[key])) for name, key in named if key in looked_at),
            (_("Would vanish"), cells.whole(counts["vanish"])),
            (_("Would be said otherwise"), cells.whole(counts["change"])),
            (_("Would appear"), cells.whole(counts["appear"])),
            (_("The same"), cells.whole(counts["same"])),
            (_("Asked for by"), cells.text(began.asked_by or _nobody())),
            (_("Began"), cells.moment(began.recorded_at)),
            (_("Ended"), cells.moment(ended.recorded_at)),
            (_("Record of its end"), cells.entry(ended.stream, ended.n)),
            (_("Program"), cells.text(sheet.code_version)),
        ],
    )


def _nobody() -> str:
    return _("nobody by name: the house itself, or a command at its machine")


def _file_of(sheet: RunSheet) -> list[str]:
    return [one["sha256"] for one in sheet.laws if one["rulebook"] == sheet.rulebook]


def _readings(sheet: RunSheet) -> Iterator[str]:
    book = law(sheet.rulebook)
    for name, choice in sorted(sheet.readings.items()):
        means = figure_words.meaning(book.readings[name], choice) if book is not None else ""
        yield f"{name}={choice}: {means}"


def _official(sheet: RunSheet) -> Iterator[tuple[str, cells.Cell]]:
    """The rulebooks the games were played under."""
    for one in compared_of(sheet).get("official", ()):
        text = f"{book_word(one['rulebook'])}, SHA-256 {one['sha256']}"
        yield _("Played under"), cells.text(text)


# -- Sums ------------------------------------------------------------------------------------------


def _sums(draft: Draft, sums: Sequence[OfArticle], whole: Mapping[str, Mapping[str, int]]) -> None:
    """By article, three lines each: now, then, and what differs."""
    rows: list[Row] = []
    for one in sorted(filter(moved, sums), key=article_order):
        sides = {"now": one["now"], "then": one["then"], "differ": one["differ"]}
        rows += _lines(article_words(one["rulebook"], one["article"]), sides)
    draft.section(
        _("Sums by article"),
        texts=[
            _(
                "A difference counts under the article of either side; a finding that is the same"
                " but for its article is none. Rounds, boxes and owners are each counted once; an"
                " owner is the person a stake belongs to, as the records of a game call him. A"
                " dash: no finding of that line names any."
            ),
            _("Articles of which nothing differs are left out; they count in the last lines."),
        ],
        columns=[
            Column(_("Article"), 26),
            Column(_("When"), 12),
            Column(_("Findings"), 9, "right"),
            Column(_("Rounds"), 12, "right"),
            Column(_("Boxes"), 12, "right"),
            Column(_("Owners"), 12, "right"),
            Column(_("To players"), 12, "right"),
            Column(_("To the house"), 12, "right"),
        ],
        rows=[*rows, *_lines(_("All"), whole)],
    )


def _lines(name: str, of: Mapping[str, Mapping[str, int]]) -> Iterator[Row]:
    called = {"now": _("Now"), "then": _("Then"), "differ": _("Difference")}
    for side in SIDES:
        one = of[side]
        yield Row(
            [
                cells.text(name),
                cells.text(called[side]),
                cells.whole(one["findings"]),
                _count(one, "rounds", "round"),
                _count(one, "boxes", "box"),
                _count(one, "owners", "owner"),
                cells.cents(one["to_players"]),
                cells.cents(one["to_house"]),
            ]
        )


def _count(one: Mapping[str, int], many: str, name: str) -> cells.Cell:
    """A count; with how many findings name nothing to be counted, a dash where none does."""
    if not one[many]:
        return cells.text("")
    counted, without = cells.whole(one[many]), one[f"without_{name}"]
    if without:
        text = _("%(n)s; %(without)s name none")
        values = {"n": counted["text"], "without": cells.whole(without)["text"]}
        counted |= {"text": cells.clean(text % values)}
    return counted


# -- One by one ------------------------------------------------------------------------------------


def _differences(draft: Draft, sheet: RunSheet) -> None:
    rows, say = list(sheet.differences.order_by("place")[:MOST_SHOWN]), words()
    in_all = sheet.differences.count()
    _cite_evidence(draft, rows)
    named = named_in(one.now or one.then or {} for one in rows)
    draft.section(
        _("One by one"),
        texts=list(_left_out(sheet, in_all)),
        pairs=[(_("Differences"), cells.whole(in_all)), (_("Shown here"), cells.whole(len(rows)))],
        columns=[
            Column(_("Difference"), 12),
            Column(_("Partida"), 20),
            Column(_("Now"), 28),
            Column(_("Then"), 28),
            Column(_("To players"), 10, "right"),
            Column(_("To the house"), 10, "right"),
        ],
        rows=[_line(one, named, say) for one in rows],
        empty=_("Nothing differs."),
    )


def _left_out(sheet: RunSheet, in_all: int) -> Iterator[str]:
    """What the pages do not show of the differences."""
    counts = compared_of(sheet)["counts"]
    if not in_all and any(counts[change] for change in CHANGED):
        yield _(
            "Its differences are no longer kept: ask for the same comparison again to see them."
        )
    elif in_all > MOST_SHOWN:
        text = _("Shown are the first %(n)s; report.json, embedded in this file, holds all.")
        yield text % {"n": cells.whole(MOST_SHOWN)["text"]}


def _line(run_difference: RunDifference, by_id: Named, say: PageWords) -> Row:
    now = run_difference.now or {}
    entries = (entry_words(one) for _id, one in rests_on(run_difference, by_id))
    return Row(
        [
            cells.text(capfirst(CHANGED[run_difference.change])),
            cells.text("; ".join([run_difference.partida_id, *entries])),
            cells.text(finding_sentence(run_difference.now, say)),
            cells.text(finding_sentence(run_difference.then, say)),
            *map(_more, (run_difference.to_players, run_difference.to_house)),
        ],
        (RECONCILER, now["n"]) if "n" in now else None,
    )


def _more(amount: int) -> cells.Cell:
    return {"cents": amount, "text": cells.clean(more(amount)) or cells.NONE}


def _cite_evidence(draft: Draft, run_differences: Iterable[RunDifference]) -> None:
    """The records the differences that are shown rest on."""
    sides = [one for row in run_differences for one in (row.now, row.then) if one is not None]
    ids = sorted({each for one in sides for each in one["evidence"]})
    found = BookEntry.objects.filter(id__in=ids[:AT_ONCE])
    draft.cite(found.values_list("stream__name", "n"))


# -- How it is made again --------------------------------------------------------------------------


def command_of(sheet: RunSheet) -> str:
    """What whoever holds the pack and this file types."""
    taken = [f"--reading {name}={choice}" for name, choice in sorted(sheet.readings.items())]
    day = [f"--law-day {sheet.law_day}"] if sheet.law_day else []
    return " ".join(
        [
            "python manage.py reaudit",
            _("PACK"),
            _("THIS-FILE.pdf"),
            f"--rulebook {sheet.rulebook}",
            *taken,
            *day,
        ]
    )


def _again(draft: Draft, sheet: RunSheet) -> None:
    if "digest" not in compared_of(sheet):
        text = _(
            "Made by an earlier version: rounds, boxes and owners were not counted, and it has no"
            " digest by which another could make it again. Ask for the same comparison again to"
            " have them."
        )
        draft.section(_("How to make it again"), texts=[text])
        return
    draft.section(
        _("How to make it again"),
        texts=[
            _(
                "Whoever holds the evidence pack of these gaming days (or a copy of the book that"
                " has them) and this program makes the comparison again without the house, its"
                " database or a network, and comes to the same digest:"
            ),
            command_of(sheet),
            _(
                "It verifies the pack and the proofs in this file, judges every game again, and"
                " says each sum and the digest. Another reading is tried with the same command."
            ),
            _(
                "Which entries lie around a game is said by the house, in report.json; that no"
                " entry of the game itself is left out is seen from the pack."
            ),
        ],
        pairs=[(_("Digest of the comparison"), cells.text(compared_of(sheet)["digest"]))],
    )


def refs_of(sheet: RunSheet) -> Refs:
    """The entries a run's games were judged on, as its parts kept them."""
    games: list[GameRefs] = []
    house: dict[str, HouseRefs] = {}
    for result in sheet.parts.order_by("number").values_list("result", flat=True):
        assert result is not None, "its parts are done"
        games += result["games"]
        house |= {one["day"]: one for one in result["house"]}
    return {
        "games": sorted(games, key=lambda one: one["partida"]),
        "house": [house[day] for day in sorted(house)],
    }


def _machine_readable(draft: Draft, sheet: RunSheet) -> dict[str, object]:
    """The whole, and what it is made again from. Raises: TooMuch."""
    refs, whole = refs_of(sheet), kept_whole(sheet)
    assert digest_of(whole) == compared_of(sheet)["digest"], "its differences were altered"
    outside = set(_outside(sheet, sorted(_named(refs))))
    if len(outside) > MOST_CITED:
        raise TooMuch(
            _("More than %(most)s records: ask for fewer days, or for one table.")
            % {"most": cells.whole(MOST_CITED)["text"]}
        )
    draft.cite(outside)
    return {
        "as_of": sheet.as_of.isoformat(),
        "code_version": sheet.code_version,
        "comparison": whole,
        "digest": compared_of(sheet)["digest"],
        "format": FORMAT,
        "games": refs["games"],
        "house": refs["house"],
        "laws": sheet.laws,
        "official": compared_of(sheet)["official"],
        "read_up_to": [
            {"n": sheet.reach[stream], "stream": stream}
            for stream in sorted({stream_of(one["partida"]) for one in refs["games"]})
        ],
        "run": str(sheet.run),
        "standing": compared_of(sheet)["standing"],
    }


def _named(refs: Refs) -> set[tuple[str, int]]:
    """The entries that are no game's own."""
    found = {mark for one in refs["house"] for mark in marks(one["entries"])}
    for one in refs["games"]:
        found.update(marks([*one["around"], *one["elsewhere"]]))
    return found


def _outside(sheet: RunSheet, places: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Those of some entries that a pack of the run's days, tables or game need not hold."""
    game = sheet.partida_id
    first, last = (day_of(game),) * 2 if game else (sheet.from_day, sheet.to_day)
    listed = iter(places)
    while some := list(islice(listed, AT_ONCE)):
        streams, numbers = [stream for stream, _n in some], [n for _stream, n in some]
        scope = [first, last, list(sheet.tables), list(sheet.tables), game]
        with connection.cursor() as cursor:
            cursor.execute(_OUTSIDE, [streams, numbers, *scope])
            yield from cursor.fetchall()
