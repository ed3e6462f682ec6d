"""What looks at each word of duty of an official text, and which words that turn a rule it has.

The tables `duties` and `turns` of a rulebook's text file say it by eId, in the order of the node.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from casino.events.phrases import Phrase
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.law_text import LawError, listed
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Text
from casino.law.text.text_duties import DutyFound, Modality, turns_in
from casino.law.text.text_file import Lists, TextFile

# Why no check looks at a word of duty, and none is missing: it says what something is or counts
# as; leaves it to whoever is named; spares somebody something; says when a rule holds; says that
# another article rules it.
REASONS: Final = frozenset({"definition", "discretion", "dispensation", "condition", "elsewhere"})
# Why no check looks at it though there is something to look at: it asks for a manner (with care,
# clearly) that nobody can record; or no record says whether it was done.
UNJUDGED: Final = frozenset({"manner", "unrecorded"})
_UNJUDGED: Final = "unjudged"
_MODALITIES: Final = frozenset(get_args(Modality))
_article: Final = re.compile(r"(?:^|__)art_(?P<number>.+?)(?:__|$)")


@dataclass(frozen=True, slots=True)
class DutyBound:
    """What is said of a word of duty: `checks`, or `reason` where there is none.

    `unjudged`: the reason is one of `UNJUDGED`.
    """

    modality: Modality
    checks: tuple[str, ...] = ()
    reason: str = ""

    @property
    def unjudged(self) -> bool:
        """Whether nothing looks at what it asks."""
        return self.reason in UNJUDGED


@dataclass(frozen=True, slots=True)
class DutyDifference:
    """A word of duty and what is said of it disagree.

    `unbound`: nothing is said of it. `differs`: it does something else than is said (what is
    obliged was permitted). `absent`: what is said stands in the text no more.
    """

    why: Literal["unbound", "differs", "absent"]
    eid: str
    n: int
    found: DutyFound | None
    bound: DutyBound | None


@dataclass(frozen=True, slots=True)
class TurnDifference:
    """How often a word that turns a rule stands in a node, and how often it is said to."""

    eid: str
    word: str
    found: int
    said: int


def article_of(eid: str) -> str:
    """The number of the article a node stands in, as an eId spells it; "" of a section's."""
    found = _article.search(eid)
    return found["number"] if found else ""


def duty_bindings(bound_file: TextFile, law: Law) -> Mapping[str, Sequence[DutyBound]] | None:
    """The table `duties` of a file; None, where nobody wrote it.

    Raises: LawError, at a check that is none, or that does not uphold this article, and at a word
    that is no reason.
    """
    if bound_file.duties is None:
        return None
    return {
        eid: tuple(_bound(bound_file.name, law, eid, one) for one in there)
        for eid, there in bound_file.duties.items()
    }


def _bound(file: str, law: Law, eid: str, written: str) -> DutyBound:
    key = f"duties.{eid}"
    modality, *said = written.split(" ")
    if modality not in _MODALITIES or not said:
        asked = Phrase("one of {there}, and what looks at it", there=listed(_MODALITIES))
        raise LawError(file, key, repr(written), asked)
    word: Modality = modality  # type: ignore[assignment]
    if said[0] == _UNJUDGED:
        if len(said) != 2 or said[1] not in UNJUDGED:
            asked = Phrase("unjudged, and one of {there}", there=listed(UNJUDGED))
            raise LawError(file, key, repr(written), asked)
        return DutyBound(word, reason=said[1])
    if len(said) == 1 and said[0] in REASONS:
        return DutyBound(word, reason=said[0])
    for name in said:
        _refuse_another(file, key, law, article_of(eid), name)
    return DutyBound(word, checks=tuple(said))


def _refuse_another(file: str, key: str, law: Law, article: str, name: str) -> None:
    """Raises: LawError, for a name that is no check, or one that does not uphold this article."""
    if name not in ALL_CHECKS:
        asked = Phrase("a check, or one of {there}", there=listed({*REASONS, _UNJUDGED}))
        raise LawError(file, key, repr(name), asked)
    upheld = law.checks.get(name)
    if upheld is None or (article and upheld != article):
        stands = Phrase("{check}, which upholds {article}", check=name, article=upheld or "-")
        raise LawError(file, key, stands, Phrase("a check that upholds {n}", n=article or law.id))


def bound_of(
    duties: Iterable[DutyFound], bindings: Mapping[str, Sequence[DutyBound]]
) -> list[tuple[DutyFound, DutyBound | None]]:
    """Words of duty, each with what is said of it; None of nothing."""
    listed_there = [(one, bindings.get(one.eid, ())) for one in duties]
    return [(one, there[one.n - 1] if one.n <= len(there) else None) for one, there in listed_there]


def compare_duties(
    duties: Iterable[tuple[DutyFound, DutyBound | None]],
    bindings: Mapping[str, Sequence[DutyBound]],
) -> Iterator[DutyDifference]:
    """Every word of duty that is not bound, or does something else; and what is said of none."""
    met: Counter[str] = Counter()
    for duty, bound in duties:
        met[duty.eid] = duty.n
        if bound is None:
            yield DutyDifference("unbound", duty.eid, duty.n, duty, None)
        elif bound.modality != duty.modality:
            yield DutyDifference("differs", duty.eid, duty.n, duty, bound)
    for eid, there in bindings.items():
        for n in range(met[eid] + 1, len(there) + 1):
            yield DutyDifference("absent", eid, n, None, there[n - 1])


def compare_turns(text: Text, said: Lists) -> Iterator[TurnDifference]:
    """Every word that turns a rule and stands in a node oftener or more seldom than is said."""
    found: dict[str, Counter[str]] = {}
    for turn in turns_in(text):
        found.setdefault(turn.eid, Counter())[turn.word] += 1
    for eid in dict.fromkeys([*found, *said]):
        there, asked = found.get(eid, Counter()), Counter(said.get(eid, ()))
        for word in sorted({*there, *asked}):
            if there[word] != asked[word]:
                yield TurnDifference(eid, word, there[word], asked[word])
