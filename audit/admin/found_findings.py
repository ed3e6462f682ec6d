"""What the search of the whole house finds of the audit: articles of the law, findings."""

import re
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from audit.admin.filters import NUMBER_SIGN
from audit.case_state import numbered
from audit.models import CaseNumber, Finding
from audit.pages.audit_access import readable, reads_findings
from audit.pages.page_words import cited, heading, title, words
from casino.admin.search.found_groups import MOST, FoundGroup, Hit
from casino.law.rulebook.rulebook_file import load_law
from casino.previewing import RULEBOOK
from casino.web.display.folded_text import folded, spellings

_CASE: Final = re.compile(r"[A-Za-z0-9-]*\d[\d-]*|CST-?", re.IGNORECASE)
_MOST_CASES: Final = 50  # numbers looked up: a short number is part of many
_LIST: Final = "admin:audit_finding_changelist"


def articles_found(request: HttpRequest, text: str) -> FoundGroup | None:
    """Articles of the house's rulebook: by their number, or a part of what they are about."""
    law, part = load_law(RULEBOOK), folded(text)
    number = NUMBER_SIGN.sub("", text).lower()
    hits = [
        Hit(
            cited(law.id, article.number),
            reverse("law-article", args=[law.id, article.number]),
            [heading(article)],
            number != text.lower() and article.number == number,
        )
        for article in sorted(law.articles.values(), key=lambda one: one.number != number)
        if article.number == number or part in folded(heading(article))
    ]
    grid = reverse("law-rulebook", args=[law.id]) if len(hits) > MOST else ""
    likely = number in law.articles
    return FoundGroup(title(law), hits[:MOST], grid, likely) if hits else None


def findings_found(request: HttpRequest, text: str) -> FoundGroup | None:
    """Findings he may read: by a part of their case's number, or by the article they cite."""
    if not reads_findings(request):
        return None
    number = NUMBER_SIGN.sub("", text).lower()
    of_it = Q(rulebook=RULEBOOK, article=number)
    if number == text.lower() and _CASE.fullmatch(text):
        named = reduce(or_, (Q(case__contains=each.upper()) for each in spellings(text)))
        cases = CaseNumber.objects.filter(named).order_by("-n")
        of_it |= Q(key__in=list(cases.values_list("finding", flat=True)[:_MOST_CASES]))
    mine = readable(request, Finding.objects.filter(of_it))
    rows = list(numbered(mine).order_by("-gaming_day", "-n")[: MOST + 1])
    hits = [_hit(row, text) for row in rows[:MOST]]
    url = reverse(_LIST, query={"q": text}) if len(rows) > MOST else ""
    return FoundGroup(_("Findings"), hits, url) if hits else None


def _hit(finding: "Finding", text: str) -> Hit:
    case = getattr(finding, "case", None) or _("finding %(n)s") % {"n": finding.n}
    beside = [
        cited(finding.rulebook, finding.article),
        words().finding(finding),
        finding.table_code,
        date_format(finding.gaming_day, "SHORT_DATE_FORMAT"),
    ]
    url = reverse("admin:audit_finding_change", args=[finding.pk])
    return Hit(case, url, [each for each in beside if each], folded(case) in spellings(text))
