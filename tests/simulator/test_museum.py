"""The museum: each incident's class stands in its file, and its evening is found by its check."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from audit.museum.walk import Caught, has_evening, judged
from casino.law.rulebook.controls import ARTICLE_OF
from casino.law.rulebook.rulebook_file import law_of_file
from casino.settings import BASE_DIR
from casino.simulation.museum.public_incidents import FILE, Incident, incidents, read_incidents

TEXT = FILE.read_text("utf-8")
EVENINGS = [one for one in incidents() if has_evening(one)]
PLAYED = {one.code: one for one in EVENINGS}


def test_the_incidents_are_complete() -> None:
    """Twenty or more; each with its class, the reason, a source; two nothing can show."""
    assert len(incidents()) >= 20
    assert [one.code for one in incidents() if one.seen_by == "impossible"] == [
        "portugal-courts",
        "great-britain-2021",
    ]
    assert all(one.why_pt and one.why_en and one.sources for one in incidents())


def test_a_check_that_is_expected_is_one_of_the_rulebook_once_it_has_an_evening() -> None:
    """An evening is judged by a check there is."""
    known = {
        check for article in law_of_file("pt").articles.values() for check in article.upheld_by
    }
    assert {one.check for one in EVENINGS} <= known | ARTICLE_OF.keys()


@pytest.mark.parametrize(
    ("was", "wrong", "said"),
    [
        ('class = "records_independent"', 'class = "seen"', "found class seen"),
        ("hands = 41", "hands = 0", "found hands = 0"),
        ('currency = "USD"\n', "", "given together"),
        ('place = "', 'spot = "', "asked is place"),
        ('sources = ["martinkanekuper.com"', 'sources = []\nof = ["x"', "found of"),
    ],
)
def test_an_incident_that_is_not_as_asked_is_refused(was: str, wrong: str, said: str) -> None:
    """Said is which, what was found and what is asked."""
    assert read_incidents(TEXT)
    with pytest.raises(ValueError, match=f"golden-nugget-2012: .*{re.escape(said)}"):
        read_incidents(TEXT.replace(was, wrong, 1))


def test_an_impossible_one_has_no_check() -> None:
    """Else it would not be impossible."""
    before, last = TEXT.rsplit('check = ""', 1)
    with pytest.raises(ValueError, match="great-britain-2021: is impossible"):
        read_incidents(f'{before}check = "shoe_is_cut"{last}')


def _caught(one: Incident) -> Caught:
    found = judged(one)
    assert found is not None, f"{one.code}: {one.check} found nothing"
    assert one.check in found.checks
    return found


def test_cards_are_caught_in_their_round() -> None:
    """The bank drew on a soft seventeen: the first such round shows it, and no other check does."""
    found = _caught(PLAYED["evolution-hard-rock-2023"])
    assert (found.rounds, found.checks) == (1, ("bank_ace_is_eleven_at_seventeen",))


def test_money_is_caught_in_its_round() -> None:
    """What was handed back is more than the cards give."""
    found = _caught(PLAYED["tropicana-2008"])
    assert found.rounds == 1
    assert found.staked_cents


def test_machines_are_caught_in_the_rounds_that_follow() -> None:
    """The light is on: the rounds dealt under it are counted."""
    found = _caught(PLAYED["sugarhouse-lights-2017"])
    assert (found.rounds, found.checks) == (3, ("warning_light_answered",))


@pytest.mark.check
@pytest.mark.parametrize("code", PLAYED)
def test_every_evening_is_found_by_its_check(code: str) -> None:
    """All of them."""
    _caught(PLAYED[code])


def test_an_incident_whose_check_finds_nothing_is_not_caught() -> None:
    """Another check on the same evening is silent: a finding of another does not count."""
    one = PLAYED["tropicana-2008"]
    values = {name: getattr(one, name) for name in one.__slots__} | {"check": "shoe_is_cut"}
    assert judged(Incident(**values)) is None


@pytest.mark.check
def test_the_document_is_what_the_program_writes() -> None:
    """docs/museum.md is made, not typed."""
    printed = StringIO()
    call_command("museum", stdout=printed)
    written = (BASE_DIR / "docs" / "museum.md").read_text("utf-8")
    assert printed.getvalue() == written, "run `manage.py museum --write`"
    call_command("museum", "--check", stdout=StringIO())
