"""What a verification of the book found, each problem in a sentence and with its finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.urls import reverse

from audit import audit_queries
from audit.models import Finding, VerificationRun
from audit.pages.page_words import gravity_word, words
from audit.runs import house_checks
from audit.verifying.problem_texts import sentence
from audit.verifying.problems import Problem
from audit.verifying.report_verification import findings_of

SHOWN: Final = 50  # problems shown of a verification


@dataclass(frozen=True, slots=True)
class ProblemShown:
    """A problem as a page shows it; `url` is '' where there is no finding of it."""

    text: str
    rule: str
    severity: str
    gravity: object
    place: Sequence[tuple[str, str]]
    url: str


def problems_of(run: UUID) -> list[ProblemShown]:
    """What a verification met, whether it raised it or an earlier one had; else what it raised."""
    kept = VerificationRun.objects.filter(run=run).values_list("found", flat=True).first()
    if kept:
        return _met([Problem(**each) for each in kept[:SHOWN]])
    raised = Finding.objects.filter(
        rulebook=house_checks.RULEBOOK, article=house_checks.BOOK, run=run
    )
    say = words()
    return [
        _shown(say.finding(one), one.check_name, one.severity, one.where, _url(one.pk))
        for one in audit_queries.newest_first(raised)[:SHOWN]
    ]


def _met(problems: Sequence[Problem]) -> list[ProblemShown]:
    urls = _urls(problems)
    return [
        _shown(
            sentence(one),
            one.check,
            house_checks.severity_of(one.check),
            one.where(),
            urls.get(_place(one.code, one.where()), ""),
        )
        for one in problems
    ]


def _shown(
    text: str, check: str, severity: str, where: Mapping[str, object], url: str
) -> ProblemShown:
    say, gravity = words(), gravity_word(severity, house_checks.RULEBOOK)
    return ProblemShown(text, say.statement(check), severity, gravity, say.place(where), url)


def _url(pk: object) -> str:
    return reverse("admin:audit_finding_change", args=[pk])


Place = tuple[object, ...]


def _urls(problems: Sequence[Problem]) -> Mapping[Place, str]:
    """The newest finding of each problem, found by the key they share."""
    findings = findings_of(problems)
    found = Finding.objects.filter(key__in=list(findings)).order_by("n").values_list("key", "pk")
    return {
        _place(findings[key].observed.get("problem"), findings[key].where): _url(pk)
        for key, pk in found
    }


def _place(code: object, where: Mapping[str, object]) -> Place:
    return code, *(where.get(name) for name in ("index", "stream", "n"))


def unseen_of(run: UUID) -> list[str]:
    """What a verification could not look at, each once; older programs kept its code alone."""
    kept = VerificationRun.objects.filter(run=run).values_list("unseen", flat=True).first()
    listed = (Problem(each) if isinstance(each, str) else Problem(**each) for each in kept or ())
    return list(dict.fromkeys(map(sentence, listed)))[:SHOWN]
