"""What holds of every round and every judgement of it, however the round is recorded."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from hypothesis import HealthCheck, settings

from casino.events.round.round_played import Box, RoundPlayed, Wager
from casino.law.finding import FOUND, LAWFUL, UNDECIDED, Finding, Judgement, WagerVerdict
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook import Law
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from tests.factories.any_rounds import optional_drops
from tests.gate import size

# A figure a record can hold; a settlement above it cannot be fed back.
MAX_CENTS: Final = 10**12
Key = tuple[int, int | None, str, str]
Property = Callable[[RoundPlayed, Law], None]


def examples_of(test: int, check: int, soak: int) -> Any:
    """How many rounds a property is tried on in each of the three gates."""
    return settings(
        max_examples=size(test, check, soak),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def key_of(verdict: WagerVerdict) -> Key:
    return verdict.box, verdict.hand, verdict.owner, verdict.kind


def verdicts(judgement: Judgement) -> dict[Key, WagerVerdict]:
    return {key_of(verdict): verdict for verdict in judgement.wagers}


def keys(played: RoundPlayed) -> list[Key]:
    return [
        (box.number, wager.hand, wager.owner, wager.kind)
        for box in played.boxes
        for wager in box.wagers
    ]


def paid_otherwise(played: RoundPlayed, paid: Callable[[Key, int], int]) -> RoundPlayed:
    """The round with other amounts handed back."""

    def of(box: Box, wager: Wager) -> Wager:
        key = (box.number, wager.hand, wager.owner, wager.kind)
        return replace(wager, returned_cents=paid(key, wager.returned_cents))

    return replace(
        played,
        boxes=tuple(
            replace(box, wagers=tuple(of(box, wager) for wager in box.wagers))
            for box in played.boxes
        ),
    )


def money_of(judgement: Judgement) -> list[tuple[Key, int, str | None]]:
    """Every finding that owes money: of which wager, how much, to whom."""
    return [
        (_wager_of(finding), finding.owed_cents, finding.owed_to)
        for finding in judgement.findings
        if finding.owed_cents or finding.owed_to
    ]


def _wager_of(finding: Finding) -> Key:
    where: dict[str, Any] = finding.where
    return where["box"], where.get("hand"), where["owner"], where["kind"]


def every_wager_is_judged_once(played: RoundPlayed, law: Law) -> None:
    """The engine answers whatever the reader accepts; each wager gets one verdict."""
    judgement = judge(played, law)
    assert sorted(map(key_of, judgement.wagers), key=str) == sorted(keys(played), key=str)
    asked = law.on(played.gaming_day)
    for name, outcome in judgement.outcomes:
        assert outcome in (LAWFUL, FOUND, UNDECIDED)
        assert asked.article_of(name) is not None
    for finding in judgement.findings:
        assert asked.article_of(finding.check) == finding.article


def _most_due(played: RoundPlayed, verdict: WagerVerdict, law: Law) -> int:
    """The stake and the largest prize any rule has for this kind of wager, a cent rounded up."""
    values = law.on(played.gaming_day).values
    rates = {"insurance": ["insurance.pays"], "special": ["special.pays"]}
    names = rates.get(verdict.kind, ["blackjack.pays", "win.pays", "even_money.pays"])
    rate = max(values.get(name, Fraction(0)) for name in names)
    stake = verdict.stake_cents
    if verdict.kind == "special":  # its prize hangs on the stake of the same hand
        box = next(box for box in played.boxes if box.number == verdict.box)
        stake = sum(
            wager.stake_cents
            for wager in box.wagers
            if wager.hand == verdict.hand and wager.owner == verdict.owner
        )
    return verdict.stake_cents - int(-rate * stake // 1)


def money_is_conserved(played: RoundPlayed, law: Law) -> None:
    """Due and owed make up what was paid; nobody is due less than nothing or more than a prize."""
    judgement = judge(played, law)
    for verdict in judgement.wagers:
        if verdict.due_cents is None:
            assert verdict.outcome == UNDECIDED
            assert verdict.why
            assert (verdict.owed_cents, verdict.owed_to) == (0, None)
            continue
        difference = verdict.due_cents - verdict.paid_cents
        to = None if difference == 0 else "player" if difference > 0 else "house"
        assert (verdict.owed_cents, verdict.owed_to) == (abs(difference), to), verdict
        assert verdict.outcome == (LAWFUL if difference == 0 else FOUND), verdict
        assert 0 <= verdict.due_cents <= _most_due(played, verdict, law), verdict
        assert verdict.article is not None, verdict
    found = Counter(money_of(judgement))
    owed = Counter(
        (key_of(verdict), verdict.owed_cents, verdict.owed_to)
        for verdict in judgement.wagers
        if verdict.outcome == FOUND
    )
    assert owed <= found
    # The one prize owed without a wager of its own is a special prize nobody paid.
    assert all(key[3] == "special" and to == "player" for key, _, to in found - owed)


def order_changes_nothing(played: RoundPlayed, law: Law) -> None:
    """Boxes, hands and wagers may be listed in any order."""

    def turned(by: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return items[::-1] if by < 0 else (*items[by:], *items[:by])

    def said(judgement: Judgement) -> tuple[Counter[str], ...]:
        return (
            Counter(map(repr, judgement.wagers)),
            Counter(map(repr, judgement.findings)),
            Counter(map(repr, judgement.outcomes)),
        )

    first = said(judge(played, law))
    for by in (-1, 1):
        boxes = [
            replace(box, hands=turned(by, box.hands), wagers=turned(by, box.wagers))
            for box in played.boxes
        ]
        other = replace(played, boxes=turned(by, tuple(boxes)))
        assert said(judge(other, law)) == first


def knowing_less_makes_nothing_lawful(played: RoundPlayed, law: Law) -> None:
    """Without one optional field nothing that was found, or not decidable, is lawful.

    Of a wager more is asked: what the shorter record decides, the longer one decides alike. Of a
    check, that it does not say "lawful" oftener than before while it finds less; it may fall
    silent, as article 15 does on a box where nobody else staked and nobody tells who decided.
    """
    before = judge(played, law)
    by_wager = verdicts(before)
    counted = Counter(before.outcomes)
    for less in optional_drops(played):
        after = judge(less, law)
        for key, verdict in verdicts(after).items():
            if verdict.due_cents is not None:
                assert verdict.due_cents == by_wager[key].due_cents, (verdict, by_wager[key], less)
        now = Counter(after.outcomes)
        for name in {name for name, _ in counted}:
            bad = counted[name, FOUND] + counted[name, UNDECIDED]
            still = now[name, FOUND] + now[name, UNDECIDED]
            assert still >= bad or now[name, LAWFUL] <= counted[name, LAWFUL], (name, less)


def judging_is_a_function(played: RoundPlayed, law: Law) -> None:
    """The same record gives the same judgement, also after it was written down and read again."""
    first = judge(played, law)
    assert judge(played, law) == first
    again = read_round(round_as_json(played).encode())
    assert again == played
    assert judge(again, law) == first


def _settled(played: RoundPlayed, law: Law) -> RoundPlayed | None:
    """The round with every decided wager paid what it was due; None where no record can say so."""
    due = {key: verdict.due_cents for key, verdict in verdicts(judge(played, law)).items()}
    if any((cents or 0) > MAX_CENTS for cents in due.values()):
        return None

    def paid(key: Key, before: int) -> int:
        cents = due[key]
        return before if cents is None else cents

    return paid_otherwise(played, paid)


def _own_money(judgement: Judgement) -> list[tuple[Key, int, str | None]]:
    """Money findings on wagers the record holds."""
    there = verdicts(judgement)
    return [row for row in money_of(judgement) if row[0] in there]


def what_is_due_is_lawful(played: RoundPlayed, law: Law) -> None:
    """Paid as the law says, nothing is owed; and what is due does not hang on what was paid."""
    settled = _settled(played, law)
    if settled is None:
        return
    before, after = judge(played, law), judge(settled, law)
    assert _own_money(after) == []
    due = {key: verdict.due_cents for key, verdict in verdicts(before).items()}
    assert {key: verdict.due_cents for key, verdict in verdicts(after).items()} == due


def one_cent_is_one_finding(played: RoundPlayed, law: Law) -> None:
    """A cent too much on one wager is owed to the house, is found once and touches no other."""
    settled = _settled(played, law)
    if settled is None:
        return
    right = verdicts(judge(settled, law))
    for key, verdict in right.items():
        if verdict.due_cents is None or verdict.due_cents >= MAX_CENTS:
            continue
        raised = judge(paid_otherwise(settled, lambda k, c, key=key: c + (k == key)), law)
        assert _own_money(raised) == [(key, 1, "house")]
        assert {k: v for k, v in verdicts(raised).items() if k != key} == {
            k: v for k, v in right.items() if k != key
        }


PROPERTIES: Final[tuple[Property, ...]] = (
    every_wager_is_judged_once,
    money_is_conserved,
    order_changes_nothing,
    knowing_less_makes_nothing_lawful,
    judging_is_a_function,
    what_is_due_is_lawful,
    one_cent_is_one_finding,
)
