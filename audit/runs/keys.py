"""Names that come out the same whoever makes them again: of findings, runs and their records."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from audit.events import MOST_EVIDENCE, FindingChanges
from casino.events.event import EntryRef
from casino.law.finding import Finding
from casino.tlog.canonical import canonical

NAMESPACE: Final = UUID("5b0c3a52-6b0e-5c55-9a0e-6c1d9c8f4a11")
# Of a finding's key. The first hashed ids of rows: decisions/0015.
VERSION: Final = 2


def finding_key(finding: Finding, named: Mapping[str, EntryRef]) -> str:
    """What a finding is known by: 64 hex digits, the same whoever finds it again.

    Made of everything that says what was found and under which readings: rulebook, article, check,
    evidence (the entries as `named` knows them by their ids), place, observed, expected. Neither
    the run nor the law's digest is in it: a finding does not become another because it was found
    again, or because a comment in the law changed. Whoever has `finding-raised/2` can work it out.
    """
    return sha256(
        canonical(
            {
                "article": finding.article,
                "check": finding.check,
                "evidence": [
                    {"leaf": ref.leaf, "n": ref.n, "stream": ref.stream}
                    for ref in in_order(finding.evidence, named)
                ],
                "expected": flat(finding.expected),
                "observed": flat(finding.observed),
                "readings": sorted(finding.readings),
                "rulebook": finding.rulebook,
                "v": VERSION,
                "where": flat(finding.where),
            }
        )
    ).hexdigest()


def in_order(evidence: Iterable[str], named: Mapping[str, EntryRef]) -> tuple[EntryRef, ...]:
    """Entries by their ids as a finding tells them: by stream and number, each once; at most
    MOST_EVIDENCE of them.

    `named` knows them; one it does not know is not in the book, and nothing can rest on it.
    """
    entries = {named[entry] for entry in evidence if entry in named}
    return tuple(sorted(entries, key=lambda ref: (ref.stream, ref.n))[:MOST_EVIDENCE])


def flat(figures: Mapping[str, object]) -> dict[str, object]:
    """A check's figures as an event may hold them: texts, whole numbers, lists of these."""
    return {name: _plain(value) for name, value in figures.items()}


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int) else str(value)


def run_of(job: str, again: int = 0) -> UUID:
    """The run a job asks for; `again` counts the runs of the same job that were given up before."""
    return uuid5(NAMESPACE, f"run/{job}" if not again else f"run/{job}/{again}")


# What is raised between two runs belongs to these: no record tells that they began, and they
# supersede only what they raised themselves.
BOOK_WATCH: Final = run_of("book-watch")
FLOOR_WATCH: Final = run_of("floor-watch")
WATCHES: Final = (BOOK_WATCH, FLOOR_WATCH)


def event_key(what: str, *of: object) -> UUID:
    """The key of an event of a run, by what it says and of what.

    "started", "finished", "verified", "replayed": a run; "judged": a run, a part, a partida.
    "raised", "superseded": a finding, and how often it was superseded before, for one that was
    cured and comes back keeps its name and is raised anew.
    """
    return uuid5(NAMESPACE, "/".join(map(str, (what, *of))))


def changes_of(raised: Iterable[str], superseded: Iterable[str]) -> FindingChanges:
    """What a run changed, as its result tells it; by the keys of the findings, in any order."""
    values = {"raised": sorted(set(raised)), "superseded": sorted(set(superseded))}
    return FindingChanges(
        raised=len(values["raised"]),
        superseded=len(values["superseded"]),
        digest=sha256(canonical(values)).hexdigest(),
    )


def digest_of(counts: Mapping[str, int], findings: Sequence[str]) -> str:
    """What a run came to, in 64 hex digits: the same for the same records under the same laws.

    `counts` are entries, rounds and answers, `findings` the keys of those that hold, in any order.
    """
    return sha256(canonical({**counts, "findings": sorted(set(findings))})).hexdigest()
