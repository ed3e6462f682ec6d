"""What would hold under another rulebook or reading, beside what stands: no finding of the record.

Such a run raises and supersedes nothing. What it finds is kept with the run alone, operational, and
compared when it ends: what would appear, what would vanish, what would be said otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from audit.events import MOST_EVIDENCE
from audit.models import Finding as FindingRow
from audit.models import RunDifference, RunSheet, ids_of
from audit.reconcile import comparison_sums as sums
from audit.reconcile.shoes_seen import OF_CARDS
from audit.runs import house_checks, keys
from casino.law.finding import Finding
from casino.models import BookEntry
from casino.tlog.canonical import canonical

Change = Literal["vanish", "change", "appear", "same"]
# In the order in which they are listed: what would no longer be held against anybody first.
CHANGES: Final[tuple[Change, ...]] = (*sums.CHANGES, "same")
AT_ONCE: Final = 1_000  # rows written in one statement


def as_found(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as a part keeps them; the house's own checks are asked under no law."""
    return [
        {
            "article": one.article,
            "check": one.check,
            "evidence": sorted(set(one.evidence)),
            "expected": keys.flat(one.expected),
            "observed": keys.flat(one.observed),
            "owed_cents": one.owed_cents,
            "owed_to": one.owed_to or "",
            "partida": one.partida,
            "rulebook": one.rulebook,
            "severity": one.severity,
            "where": keys.flat(one.where),
        }
        for one in findings
        if one.rulebook != house_checks.RULEBOOK
    ]


def shortened(
    found: Iterable[Mapping[str, object]], by_id: sums.Named | None = None
) -> list[Mapping[str, object]]:
    """The same with no more entries than a finding of the book names: its first MOST_EVIDENCE.

    Else one that stands would be another than itself. Entries are looked up where none are given.
    """
    listed = list(found)
    many = [one for one in listed if len(_evidence(one)) > MOST_EVIDENCE]
    known = named_in(many) if by_id is None else by_id

    def first(one: Mapping[str, object]) -> Mapping[str, object]:
        ids = sorted(_evidence(one), key=lambda each: known[each][:2])
        return {**one, "evidence": sorted(ids[:MOST_EVIDENCE])}

    return [first(one) if len(_evidence(one)) > MOST_EVIDENCE else one for one in listed]


def _evidence(one: Mapping[str, object]) -> list[str]:
    return cast("list[str]", one["evidence"])


def as_standing(findings: Iterable[FindingRow]) -> list[dict[str, object]]:
    """Findings of the book in the same form."""
    listed = list(findings)
    rests_on = ids_of(listed)
    return [
        {
            "article": row.article,
            "check": row.check_name,
            "evidence": sorted(rests_on[row.pk]),
            "finding": str(row.pk),
            "n": row.n,
            "expected": row.expected,
            "observed": row.observed,
            "owed_cents": row.owed_cents,
            "owed_to": row.owed_to,
            "partida": row.partida_id,
            "rulebook": row.rulebook,
            "severity": row.severity,
            "where": row.where,
        }
        for row in listed
    ]


@dataclass(frozen=True, slots=True)
class Difference:
    """How one cause is recorded now and would be then; None where it is not recorded at all."""

    change: Change
    now: Mapping[str, object] | None
    then: Mapping[str, object] | None

    @property
    def finding(self) -> Mapping[str, Any]:
        """The finding under whose article it is listed: the one that stands, where there is one."""
        values = self.now or self.then
        assert values is not None
        return values

    def more_to(self, whom: str) -> int:
        """How many cents more somebody would be owed."""
        return _cents(self.then, whom) - _cents(self.now, whom)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many causes of each change; sums in cents by whom they are owed to; the differences."""

    counts: Mapping[str, int]
    owed_now: Mapping[str, int]
    owed_then: Mapping[str, int]
    differences: Sequence[Difference]
    now: Sequence[Mapping[str, object]]
    then: Sequence[Mapping[str, object]]

    def spelled(self, by_id: sums.Named) -> sums.Compared:
        """The same with entries named as the book names them."""

        def side(one: Mapping[str, object] | None) -> sums.Spelled | None:
            return None if one is None else sums.spelled(one, by_id)

        return sums.Compared(
            [sums.spelled(one, by_id) for one in self.now],
            [sums.spelled(one, by_id) for one in self.then],
            [(one.change, side(one.now), side(one.then)) for one in self.differences],
        )

    def keep(self, sheet: RunSheet, looked_at: Mapping[str, int]) -> dict[str, object]:
        """Keep the differences in their order; what is kept with the run itself.

        `looked_at`: how many games and rounds were judged, and how many rounds were not.
        """
        RunDifference.objects.bulk_create(
            (
                RunDifference(
                    run=sheet,
                    place=place,
                    change=one.change,
                    rulebook=one.finding["rulebook"],
                    article=one.finding["article"],
                    check_name=one.finding["check"],
                    partida_id=one.finding["partida"],
                    now=one.now,
                    then=one.then,
                    to_players=one.more_to("player"),
                    to_house=one.more_to("house"),
                )
                for place, one in enumerate(self.differences, start=1)
            ),
            batch_size=AT_ONCE,
        )
        spelled = self.spelled(named_in((*self.now, *self.then)))
        whole = sums.whole_of(spelled, asked_of(sheet), looked_at)
        return {
            "counts": dict(self.counts),
            "owed_now": dict(self.owed_now),
            "owed_then": dict(self.owed_then),
            "digest": sums.digest_of(whole),
            "looked_at": whole["looked_at"],
            "whole": whole["whole"],
            "sums": whole["sums"],
            "touched": spelled.by_check(),
            "standing": sorted(one["n"] for one in self.now if isinstance(one["n"], int)),
        }


def asked_of(sheet: RunSheet) -> dict[str, object]:
    """What a run was asked, as its comparison's digest holds it."""
    return sums.asked_as_json(
        (
            *(("partida", sheet.partida_id), ("from_day", sheet.from_day)),
            *(("to_day", sheet.to_day), ("tables", list(sheet.tables))),
            *(("rulebook", sheet.rulebook), ("law_day", sheet.law_day)),
        ),
        sheet.readings.items(),
    )


def kept_whole(sheet: RunSheet) -> sums.Whole:
    """A comparison whole, of what was kept of it when it ended; its digest is that kept with it."""
    rows = list(sheet.differences.order_by("place"))
    named = named_in(one for row in rows for one in (row.now, row.then) if one is not None)

    def side(one: Mapping[str, object] | None) -> sums.Spelled | None:
        return None if one is None else sums.spelled(one, named)

    value = compared_of(sheet)
    return {
        "asked": asked_of(sheet),
        "differences": sums.listed((row.change, side(row.now), side(row.then)) for row in rows),
        "format": sums.FORMAT,
        "looked_at": value["looked_at"],
        "sums": value["sums"],
        "whole": value["whole"],
    }


def compared_of(sheet: RunSheet) -> dict[str, Any]:
    """What `keep` kept of a comparison that ended."""
    assert sheet.compared is not None
    value: dict[str, Any] = sheet.compared
    return value


def named_in(findings: Iterable[Mapping[str, object]]) -> dict[str, sums.NamedEntry]:
    """The entries findings rest on, by the ids of their rows."""
    ids = sorted({each for one in findings for each in _evidence(one)})
    named = {}
    for at in range(0, len(ids), AT_ONCE):
        rows = BookEntry.objects.filter(id__in=ids[at : at + AT_ONCE])
        for row, stream, n, leaf, kind in rows.values_list(
            "id", "stream__name", "n", "leaf_hash", "kind"
        ):
            named[str(row)] = sums.NamedEntry(stream, n, bytes(leaf).hex(), kind)
    return named


def compared(
    found: Iterable[Mapping[str, object]], standing: Iterable[Mapping[str, object]]
) -> Comparison:
    """The one beside the other.

    The same cause is one check at one place on the same entries, whatever the article is, and says
    the same figures: an insurance that was no lawful one is one thing, what of it is owed another.
    """
    # Of one cause the last counts, in an order that is nobody's: a run may be cut in any way.
    now = {
        _cause(one): one for one in sorted(standing, key=canonical) if one["check"] not in OF_CARDS
    }
    then = {_cause(one): one for one in sorted(found, key=canonical)}
    counts: dict[str, int] = dict.fromkeys(CHANGES, 0)
    differences: list[Difference] = []
    for cause in [*then, *(each for each in now if each not in then)]:
        how = _change(then.get(cause), now.get(cause))
        counts[how] += 1
        if how != "same":
            differences.append(Difference(how, now.get(cause), then.get(cause)))
    return Comparison(
        counts,
        _owed(now.values()),
        _owed(then.values()),
        sorted(differences, key=_in_order),
        list(now.values()),
        list(then.values()),
    )


def _in_order(difference: Difference) -> tuple[object, ...]:
    values = difference.finding
    return (
        CHANGES.index(difference.change),
        *article_order(values),
        values["check"],
        values["partida"],
    )


def article_order(values: Mapping[str, Any]) -> tuple[object, ...]:
    """By rulebook and article, those that are numbers in their order and last."""
    article = values["article"]
    number = int(article) if article.isdecimal() else 0
    return values["rulebook"], number, article


def _cents(one: Mapping[str, Any] | None, whom: str) -> int:
    return one["owed_cents"] if one is not None and one["owed_to"] == whom else 0


def _cause(one: Mapping[str, Any]) -> bytes:
    place = {name: one[name] for name in ("check", "evidence", "partida", "where")}
    return canonical(place | {"figures": sorted(one["observed"])})


def _change(then: Mapping[str, object] | None, now: Mapping[str, object] | None) -> Change:
    if then is None or now is None:
        return "appear" if now is None else "vanish"
    alike = all(then[name] == now[name] for name in ("observed", "expected", "owed_cents"))
    return "same" if alike else "change"


def _owed(findings: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    sums = {"player": 0, "house": 0}
    for one in findings:
        if one["owed_to"]:
            sums[one["owed_to"]] += one["owed_cents"]
    return sums
