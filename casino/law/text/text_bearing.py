"""On which words of an official text each check rests: those a duty of it is bound to, else those
where the parameters it reads stand.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook_file import law_of_file
from casino.law.text.duty_bindings import duty_bindings
from casino.law.text.number_bindings import number_bindings
from casino.law.text.parameter_bindings import stated_bindings
from casino.law.text.text_file import text_file


@lru_cache(maxsize=16)
def bearing_of(rulebook: str) -> Mapping[str, frozenset[str]]:
    """The eIds each check rests on; a check that is bound to none is not there.

    Raises: LawError, of a text file in error.
    """
    law, file = law_of_file(rulebook), text_file(rulebook)
    found: dict[str, set[str]] = defaultdict(set)
    for eid, duties in (duty_bindings(file, law) or {}).items():
        for duty in duties:
            for check in duty.checks:
                found[check].add(eid)
    stand: dict[str, set[str]] = defaultdict(set)
    for eid, numbers in number_bindings(file).items():
        for number in numbers:
            stand[number.parameter].add(eid)
    for eid, values in (stated_bindings(file) or {}).items():
        for stated in values:
            stand[stated.parameter].add(eid)
    for name, rule in ALL_CHECKS.items():
        if name not in found and (eids := set().union(*(stand[need] for need in rule.needs))):
            found[name] = eids
    return {name: frozenset(eids) for name, eids in found.items()}
