"""Policies: which signatures are enough, in the one form of C2SP tlog-policy."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.note import COSIGNATURE, ED25519, SigningKey
from casino.tlog.policy import Group, Policy
from casino.tlog.strict import Unreadable
from tests.tlog.notes_strategy import changed

LOG, SECOND_LOG = (SigningKey(f"demo.invalid/{n}", bytes([n] * 32)).verifier() for n in (1, 2))
WITNESSES = {
    name: SigningKey(f"witness.example/{name}", bytes([n] * 32)).verifier(COSIGNATURE)
    for n, name in enumerate(("X1", "X2", "X3", "Y1", "Y2", "Y3"), start=3)
}
# The specification's own example, with keys.
EXAMPLE = f"""log {LOG.text()}

witness X1 {WITNESSES["X1"].text()}
witness X2 {WITNESSES["X2"].text()}
witness X3 {WITNESSES["X3"].text()}
group X-witnesses 2 X1 X2 X3

witness Y1 {WITNESSES["Y1"].text()}
witness Y2 {WITNESSES["Y2"].text()}
witness Y3 {WITNESSES["Y3"].text()}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""
PLAIN = f"log {LOG.text()}\nquorum none\n"
WITNESS = f"witness W {WITNESSES['X1'].text()}\n"


def by(*names: str) -> dict[str, int | None]:
    """The signatures of the log and of these witnesses."""
    return {LOG.text(): None} | {WITNESSES[name].text(): 1 for name in names}


def test_the_published_example_asks_for_two_and_one() -> None:
    policy = Policy.parse(EXAMPLE)
    assert policy.logs == (LOG,)
    assert policy.witnesses == WITNESSES
    assert policy.groups == {
        "X-witnesses": Group(2, ("X1", "X2", "X3")),
        "Y-witnesses": Group(1, ("Y1", "Y2", "Y3")),
        "X-and-Y": Group(2, ("X-witnesses", "Y-witnesses")),
    }
    assert policy.quorum == "X-and-Y"
    for count in range(7):
        for names in combinations(WITNESSES, count):
            enough = sum(n[0] == "X" for n in names) >= 2 and any(n[0] == "Y" for n in names)
            assert policy.satisfied_by(by(*names)) is enough
            assert policy.quorum_met(by(*names)) is enough


def test_a_log_must_have_signed_and_under_its_own_name() -> None:
    policy = Policy.parse(f"log {SECOND_LOG.text()}\n" + PLAIN)
    assert policy.satisfied_by({LOG.text(): None})
    assert policy.satisfied_by({SECOND_LOG.text(): None})
    assert not policy.satisfied_by({})
    assert policy.satisfied_by({LOG.text(): None}, LOG.name)
    assert not policy.satisfied_by({LOG.text(): None}, SECOND_LOG.name)
    assert policy.keys() == (SECOND_LOG, LOG)


def test_a_policy_without_logs_is_satisfied_by_nothing() -> None:
    policy = Policy.parse(WITNESS + "quorum W\n")
    assert not policy.satisfied_by(by("X1"))
    assert policy.quorum_met(by("X1"))
    assert not policy.quorum_met(by("X2"))
    assert Policy.parse("quorum none\n").quorum_met({})
    assert not Policy.parse("quorum none\n").satisfied_by({})


def test_one_witness_may_be_the_quorum_and_none_may() -> None:
    policy = Policy.parse(f"log {LOG.text()}\n{WITNESS}quorum W\n")
    assert policy.satisfied_by(by("X1"))
    assert not policy.satisfied_by(by("X2", "X3"))
    assert Policy.parse(PLAIN).satisfied_by(by())


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Some logs and witnesses, and groups over what is still in none."""
    names = draw(st.lists(st.text("abcXYZ-._é#", min_size=1, max_size=5), unique=True, max_size=9))
    cut = draw(st.integers(0, len(names)))
    witnesses = {
        name: SigningKey("w", bytes([n] * 32)).verifier(COSIGNATURE)
        for n, name in enumerate(names[:cut])
    }
    free, groups = list(witnesses), {}
    for name in names[cut:]:
        members = tuple(each for each in free if draw(st.booleans()))
        if members:
            groups[name] = Group(draw(st.integers(1, len(members))), members)
            free = [each for each in free if each not in members] + [name]
    logs = tuple(
        SigningKey(f"log-{n}", bytes([100 + n] * 32)).verifier(ED25519)
        for n in range(draw(st.integers(0, 3)))
    )
    return Policy(logs, witnesses, groups, draw(st.sampled_from(["none", *witnesses, *groups])))


@given(policies())
def test_policies_are_read_back(policy: Policy) -> None:
    again = Policy.parse(policy.text())
    assert again == policy
    assert list(again.groups) == list(policy.groups)
    assert Policy.parse(policy.text().encode()) == policy


@given(policies(), st.sets(st.integers(0, 8)), st.integers(0, 8))
def test_a_further_signature_never_takes_a_quorum_away(
    policy: Policy, signed: set[int], more: int
) -> None:
    keys = [key.text() for key in policy.witnesses.values()]
    some = dict.fromkeys(keys[n] for n in signed if n < len(keys))
    if policy.quorum_met(some):
        assert policy.quorum_met({**some, **dict.fromkeys(keys[more : more + 1])})


def test_a_policy_with_a_byte_changed_is_another_or_none() -> None:
    policy = Policy.parse(EXAMPLE)
    readable = 0
    for other in changed(EXAMPLE):
        try:
            found = Policy.parse(other)
        except Unreadable:
            continue
        readable += 1
        # What is left are other names, a threshold, an empty line: never another key.
        assert set(found.keys()) <= set(policy.keys())
    assert readable > 10


def test_spaces_tabs_comments_and_addresses_say_nothing() -> None:
    data = (
        b"# caf\xe9, not UTF-8\n\n \t \n\t# more\n"
        + f"  log\t{LOG.text()} \t https://log.example/\n".encode()
        + f"witness W {WITNESSES['X1'].text()} http://caf\u00e9.example\n".encode()
        + b" quorum\tW \n"
    )
    assert Policy.parse(data) == Policy((LOG,), {"W": WITNESSES["X1"]}, {}, "W")


def test_names_are_what_they_are_written_with() -> None:
    names = ["K", "\u212a", "\u00e9", "e\u0301", "X"]
    lines = "".join(
        f"witness {name} {key.text()}\n"
        for name, key in zip(names, WITNESSES.values(), strict=False)
    )
    policy = Policy.parse(f"{lines}group all any {' '.join(names)}\nquorum all\n")
    assert list(policy.witnesses) == names
    assert policy.groups["all"].members == tuple(names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        PLAIN[:-1],
        f"log {LOG.text()}\n",
        PLAIN + "quorum none\n",
        PLAIN.replace("none", "W"),
        "quorum W\n" + WITNESS,
        PLAIN.replace("log ", "log  extra words and "),
        PLAIN.replace("log ", "Log "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("log ", "log\x0b"),
        PLAIN.replace("log ", "log\x7f"),
        PLAIN.replace("log ", "log\u00a0"),
        PLAIN + f"log {LOG.text()}\n",
        PLAIN + f"log {WITNESSES['X1'].text()}\n",
        PLAIN + f"witness W {LOG.text()}\n",
        PLAIN + WITNESS + WITNESS,
        PLAIN + WITNESS + WITNESS.replace(" W ", " V "),
        PLAIN + WITNESS.replace(" W ", " none "),
        PLAIN + WITNESS + "group W any W\n",
        PLAIN + WITNESS + "group none any W\n",
        PLAIN + WITNESS + "group G any\n",
        PLAIN + WITNESS + "group G 0 W\n",
        PLAIN + WITNESS + "group G 2 W\n",
        PLAIN + WITNESS + "group G 01 W\n",
        PLAIN + WITNESS + "group G some W\n",
        PLAIN + WITNESS + "group G any W W\n",
        PLAIN + WITNESS + "group G any none\n",
        PLAIN + WITNESS + "group G any V\n",
        PLAIN + WITNESS + "group G any G\n",
        PLAIN + WITNESS + "group G any W\ngroup H any W\n",
        PLAIN + WITNESS + "group G any H\ngroup H any W\n",
        PLAIN + "witness W\n",
        PLAIN + "witness W key\n",
        PLAIN + "unknown\n",
        PLAIN + WITNESS.replace(" W ", " \ud800 "),
        PLAIN.encode() + WITNESS.encode().replace(b" W ", b" \xff "),
        "#" * 1_000_001,
    ],
)
def test_what_is_not_exactly_a_policy(text: str | bytes) -> None:
    with pytest.raises(Unreadable):
        Policy.parse(text)


def test_a_policy_has_an_end() -> None:
    keys = [SigningKey("w", bytes([1, n]) + bytes(30)).verifier(COSIGNATURE) for n in range(101)]
    lines = [f"witness {n} {key.text()}\n" for n, key in enumerate(keys)]
    assert len(Policy.parse("".join([*lines[:100], "quorum 7\n"])).witnesses) == 100
    with pytest.raises(Unreadable, match="line 101: more than 100"):
        Policy.parse("".join([*lines, "quorum 7\n"]))


def test_a_policy_that_could_not_be_written_is_none() -> None:
    key = WITNESSES["X1"]
    for name in ("", "a b", "a\tb", "a\nb", "none", "a\ud800", "a\x7f"):
        with pytest.raises(Unreadable):
            Policy((), {name: key})
    with pytest.raises(Unreadable):
        Policy((), {"W": key}, {"G": Group(1, ("V",))})
    with pytest.raises(Unreadable):
        Policy((), {"W": key}, {"G": Group(2, ("W",))})
    with pytest.raises(Unreadable):
        Policy(quorum="W")
