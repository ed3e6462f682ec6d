"""What the cards of a game show by themselves: how strongly, round by round, and on what grounds.

Nothing is kept: the page weighs the rounds of the book anew, with the functions that judge them.
Law: PT art. 3, 8, 9, 53.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from audit.audit_queries import Findings
from audit.figure_svg import course_of_strength
from audit.models import Finding
from audit.pages.audit_access import reads_all
from audit.pages.page_words import GRAVITY, words
from audit.reconcile.judge_partida import PartidaJudge, reach_now
from audit.reconcile.shoes_seen import HIDDEN_RATE, HOLE, OF_CARDS, ORDER_RATE, WHOLE_RATE
from audit.reconcile.weighing import (
    DealtShoe,
    Point,
    Weighed,
    dealt_before,
    shoes_of,
    since_whole,
    weigh_hidden,
    weigh_order,
    weigh_whole,
)
from audit.runs.current_findings import standing
from casino import clock, queries
from casino.events.partidas import PartidaOpened
from casino.events.shoes import CartaAvisoPlaced
from casino.law.checks.rounds.card_frequency import OF_A_DECK
from casino.law.checks.rounds.dealt_order import Run
from casino.law.checks.rounds.shoe_frequency import (
    MOST,
    Suspected,
    shoes_to_detection,
)
from casino.law.dossier import Dossier
from casino.law.rulebook.rulebook import LawInForce
from casino.models import Partida
from casino.web.entries.entry_page import Leading
from casino.web.entries.timeline_links import timeline_url

RATES: Final = (WHOLE_RATE, ORDER_RATE, HIDDEN_RATE)
BURNT: Final = 1  # taken out before the first deal, where nobody recorded how many
OPEN: Final = {
    "decks": gettext_lazy("nobody recorded of which decks it was dealt"),
    "mixed": gettext_lazy("its cards were mixed again under its number"),
    "rounds": gettext_lazy("a round of it is missing, or has no number"),
    "changed": gettext_lazy("a card of it was exchanged meanwhile, or a deck found wanting"),
    "order": gettext_lazy("a round of it does not say in which order its cards came"),
    "faces": gettext_lazy("of some of its cards not the whole face is known"),
}
_LAY: Final = {
    "previous_shoe": gettext_lazy("among the discards of the shoe before"),
    "makers_order": gettext_lazy("as the maker packs them"),
    "itself": gettext_lazy("before in this very shoe"),
}


def cards_way(request: HttpRequest, partida: str) -> Leading | None:
    """From the timeline of a game to its cards."""
    if not reads_all(request):
        return None
    return Leading(gettext_lazy("What its cards show"), reverse("cards", args=[partida]), "search")


def cards_url(finding: Finding) -> str:
    """From a finding of the cards to the curve; '' for any other."""
    return reverse("cards", args=[finding.partida_id]) if finding.check_name in OF_CARDS else ""


@require_safe
def cards_page(request: HttpRequest, partida: str) -> HttpResponse:
    """The shoes of a game against whole decks and against earlier orders."""
    if not reads_all(request):
        raise PermissionDenied
    if "\0" in partida or not Partida.objects.filter(partida_id=partida).exists():
        raise Http404
    judge = PartidaJudge(up_to=reach_now(), as_of=clock.now())
    dossier = judge.dossier(partida)
    opened = next(iter(dossier.of(PartidaOpened)), None)
    law = judge.law_named("" if opened is None else opened.event.rulebook)
    rules = None if law is None else law.on(dossier.gaming_day)
    shoes = shoes_of(dossier)
    there = standing().filter(partida_id=partida, check_name__in=OF_CARDS)
    context = {
        **admin.site.each_context(request),
        "title": _("The cards of game %(game)s") % {"game": partida},
        "partida": partida,
        "timeline": timeline_url("partida", partida),
        "findings": _found(there),
        "at_a_shoe": opened is None or opened.event.dealing == "shoe",
        "asked": rules is not None and all(map(rules.states, RATES)),
        "shoes": len(shoes),
    }
    if rules is not None and context["asked"] and shoes:
        earlier = queries.earlier_games(dossier, up_to=judge.up_to)
        context["sets"] = _sets((*earlier, dossier), shoes, rules)
        context["order"] = _order(shoes, rules)
        context["knowing"] = _knowing(shoes, rules)
    return TemplateResponse(request, "audit/cards.html", context)


def _found(there: Findings) -> list[dict[str, object]]:
    say = words()
    return [
        {
            "sentence": say.finding(one),
            "url": reverse("admin:audit_finding_change", args=[one.pk]),
            "severity": one.severity,
            "gravity": GRAVITY[one.severity],
        }
        for one in there
    ]


def said(strength: int) -> str:
    """A strength in words: so many times likelier."""
    if strength < 1:
        return _("less than 1")
    shown = number_format(min(strength, MOST), force_grouping=True)
    return _("%(n)s and more") % {"n": shown} if strength >= MOST else shown


def _sets(
    dossiers: Sequence[Dossier], shoes: Sequence[DealtShoe], rules: LawInForce
) -> list[dict[str, object]]:
    """Of each set of decks: its course over all games, its shoes, what it would take."""
    rate = rules[WHOLE_RATE]
    return [
        _set(since_whole(last, dossiers), dossiers[-1], rate)
        for last in {one.decks: one for one in shoes}.values()
    ]


def _set(shoes: Sequence[DealtShoe], dossier: Dossier, rate: int) -> dict[str, object]:
    weighed = weigh_whole(shoes, rate)
    by_shoe = _by_shoe(weighed.points)
    rows = []
    for shoe in shoes:
        points = by_shoe.get((shoe.partida, shoe.number), [])
        rows.append(
            {
                "partida": "" if shoe.partida == dossier.partida else shoe.partida,
                "url": reverse("cards", args=[shoe.partida]),
                "number": shoe.number,
                "rounds": len(shoe.rounds),
                "cards": shoe.seen,
                "strength": said(points[-1].strength) if points else "",
                "open": "" if shoe.open is None else OPEN[shoe.open],
                "reached": weighed.reached in points,
            }
        )
    what = weighed.what
    return {
        "decks": sorted(shoes[-1].decks),
        "figure": _figure(
            [[one.strength for one in weighed.points]],
            rate,
            _("How strongly the cards speak for one that is missing, round by round"),
        ),
        "rows": rows,
        "games": len({shoe.partida for shoe in shoes}),
        "bound": said(rate),
        "reached": weighed.reached is not None,
        "card": words().card(what.card) if isinstance(what, Suspected) else "",
        "times": what.times if isinstance(what, Suspected) else 0,
        "expected": what.expected if isinstance(what, Suspected) else 0,
        "now": said(weighed.points[-1].strength) if weighed.points else "",
        "usual": _usual(shoes, dossier, rate),
    }


def _usual(shoes: Sequence[DealtShoe], dossier: Dossier, rate: int) -> dict[str, object]:
    """After how many shoes a card missing is suspected, by the warning card as it lay here."""
    placed = dossier.of(CartaAvisoPlaced)
    decks = len(shoes[-1].decks)
    if placed:
        behind = placed[-1].event.cards_from_end
        seen = max(OF_A_DECK * decks - behind - BURNT, 0)
    else:
        behind, seen = None, shoes[-1].seen
    missing, extra = shoes_to_detection(decks, seen, rate) if decks else (None, None)
    return {"behind": behind, "seen": seen, "missing": missing, "extra": extra}


def _order(shoes: Sequence[DealtShoe], rules: LawInForce) -> dict[str, object]:
    rate = rules[ORDER_RATE]
    rows, stretches = [], []
    for shoe in shoes:
        weighed = weigh_order(shoe, dealt_before(shoe, shoes), rate)
        points = [one.strength for one in weighed.points]
        stretches.append(points)
        why = shoe.order_open or (None if points else "decks")
        rows.append(
            {
                "number": shoe.number,
                "rounds": len(shoe.rounds),
                "cards": shoe.seen,
                "strength": said(max(points)) if points else "",
                "open": "" if why is None else OPEN[why],
                "reached": weighed.reached is not None,
                "run": run_words(weighed),
            }
        )
    figure = _figure(
        [points for points in stretches if points],
        rate,
        _("How strongly the cards speak for an earlier order, round by round"),
    )
    return {"figure": figure, "rows": rows, "bound": said(rate)}


def _knowing(shoes: Sequence[DealtShoe], rules: LawInForce) -> dict[str, object]:
    """Of each person what speaks most for knowledge, the strongest first."""
    rate, say = rules[HIDDEN_RATE], words()
    knowing = weigh_hidden(shoes, rate, hole=rules[HOLE] == "face_down")
    listed = sorted(knowing.known.items(), key=lambda one: (-one[1].strength, one[0]))
    rows = [
        {
            "owner": say.value("owner", owner),
            "by": say.value("decided_by_what", one.by),
            "decisions": one.decisions,
            "right": one.right,
            "expected": one.expected,
            "strength": said(one.strength),
            "reached": owner in knowing.reached,
        }
        for owner, one in listed
    ]
    figure = _figure(
        [[one.strength for one in knowing.points]],
        rate,
        _("How strongly the decisions of a person speak for knowledge, round by round"),
    )
    return {"figure": figure, "rows": rows, "bound": said(rate)}


def run_words(weighed: Weighed) -> str:
    """The stretch that was suspected: from where on, and where it was long enough."""
    run = weighed.what
    if weighed.reached is None or not isinstance(run, Run):
        return ""
    said_so = _(
        "from card %(first)s, as they lay %(where)s; the bound was reached at card %(last)s"
    )
    return said_so % {
        "first": run.first + 1,
        "last": run.last + 1,
        "where": _LAY[run.whose],
    }


def _by_shoe(points: Iterable[Point]) -> dict[tuple[str, int], list[Point]]:
    found: dict[tuple[str, int], list[Point]] = {}
    for point in points:
        event = point.recorded.event
        found.setdefault((event.partida, event.shoe or 0), []).append(point)
    return found


def _figure(stretches: Sequence[Sequence[int]], bound: int, title: str) -> SafeString:
    # Before the first round nothing is known. It holds nothing but what figure_svg has escaped.
    begun = [[1, *stretch] for stretch in stretches]
    return mark_safe(course_of_strength(begun, bound, title, said))  # noqa: S308
