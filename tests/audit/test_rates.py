"""Rates per thousand rounds: exact, beside another period, and from where they say anything."""

import csv
from datetime import date, timedelta
from fractions import Fraction
from io import StringIO

import pytest
from django.test import Client

from audit.figure_svg import Pair, paired_bars
from audit.models import Export
from audit.rates.rates import Group, Line, Tally, group_of, least_rounds
from casino.events.complaints import ComplaintReceived
from casino.events.incidents import IncidentReported
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening, opened, record_events
from tests.factories.exposed_evenings import at, dealt, where
from tests.factories.findings import DAY, client_of, finding, people, said, write

pytestmark = pytest.mark.share

PAGE = "/audit/rates/"
DAYS = f"from={DAY}&to={DAY}"


# -- Pure ------------------------------------------------------------------------------------------


def test_a_rate_is_exact_and_without_rounds_there_is_none() -> None:
    assert Tally(3000, 1).rate == Fraction(1, 3)
    assert Tally(0, 0).rate is None
    assert Tally(0, 2).rate is None
    assert Line("x", Tally(3000, 2), Tally(3000, 1)).change == Fraction(1, 3)
    assert Line("x", Tally(3000, 2), Tally()).change is None


def test_a_line_says_something_from_five_expected_on() -> None:
    assert least_rounds(Tally(10_000, 50)) == 1_000
    assert least_rounds(Tally(10_000, 3)) == 16_667  # rounded up
    assert least_rounds(Tally(10_000, 0)) is None


def test_at_the_boundary_it_says_something_and_one_round_less_it_does_not() -> None:
    totals = (Tally(5_000, 25), Tally(5_000, 25))
    now = {"just": Tally(1_000, 9), "short": Tally(999, 9)}
    before = {"just": Tally(1_000, 2), "short": Tally(1_000, 2)}
    group = group_of(now, before, totals)
    assert group.least == 1_000
    assert {line.who: group.says_little(line) for line in group.lines} == {
        "just": False,
        "short": True,
    }


def test_either_period_with_few_rounds_says_little() -> None:
    group = Group((), Line("", Tally(), Tally()), 100)
    assert group.says_little(Line("x", Tally(100, 1), Tally(99, 1)))
    assert not group.says_little(Line("x", Tally(100, 1), Tally(100, 1)))
    assert not group._replace(least=None).says_little(Line("x", Tally(1, 0), Tally(0, 0)))


def test_the_highest_rate_comes_first_and_what_says_little_last() -> None:
    rounds = {"a": Tally(2_000, 2), "b": Tally(2_000, 8), "few": Tally(10, 10)}
    totals = (Tally(4_010, 20), Tally(4_010, 20))
    group = group_of(rounds, rounds, totals)
    assert [line.who for line in group.lines] == ["b", "a", "few"]


def test_the_figure_has_both_periods_and_escapes_what_it_is_given() -> None:
    drawn = paired_bars([Pair("BJ<01", 250, 125, "a & b")], "t", lambda n: f"{n},")
    assert drawn.count("bar-now") == drawn.count("bar-before") == 1
    assert "BJ&lt;01" in drawn
    assert "style=" not in drawn
    assert "bar-" not in paired_bars([Pair("x", 0, 0, "")], "t", str)


# -- The page --------------------------------------------------------------------------------------

pages = pytest.mark.django_db


@pytest.fixture
def inspector(db: None) -> Client:
    people()
    return client_of("inspetor")


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def lines(client: Client, heading: str, query: str = DAYS) -> dict[str, tuple[int, int, str]]:
    groups = client.get(f"{PAGE}?{query}").context["groups"]
    group = next(one for one in groups if str(one["heading"]) == heading)
    return {
        one["who"]: (*one["now"], one["rate"].replace("\N{NO-BREAK SPACE}", " "))
        for one in group["lines"]
    }


@pages
@pytest.mark.parametrize("office", ["fiscal_de_banca", "fiscal_chefe", "inspetor", "administrador"])
def test_whoever_reads_all_opens_them(office: str) -> None:
    people()
    sees = office in {"fiscal_chefe", "inspetor"}
    assert client_of(office).get(PAGE).status_code == (200 if sees else 403)
    takes = client_of(office).get(f"{PAGE}csv/?{DAYS}").status_code
    assert takes == (200 if office == "inspetor" else 403)


def test_findings_are_counted_by_table_dealer_and_article(inspector: Client) -> None:
    an_evening("BJ-01", rounds=4, wrong=[2])
    an_evening("BJ-02", rounds=4)
    reconcile("first")
    found = lines(inspector, "Constatações por mesa")
    assert found["BJ-01"][0] == found["BJ-02"][0] == 4
    assert found["BJ-01"][1] > found["BJ-02"][1]
    articles = lines(inspector, "Constatações por artigo")
    assert all(rounds == 8 for rounds, _, _ in articles.values())
    assert sum(n for _, n, _ in articles.values()) == sum(n for _, n, _ in found.values())


def test_incidents_and_complaints_are_counted_by_table(inspector: Client) -> None:
    an_evening("BJ-01", rounds=4)
    jam = IncidentReported(**where(), incident="I-1", category="jam", reason="other", people=())
    record_events(jam, at("21:30"))
    heard = ComplaintReceived(**where(), complaint="RC-1", subject="payment")
    record_events(heard, at("21:40"))
    assert lines(inspector, "Incidentes por mesa") == {"BJ-01": (4, 1, "250,00")}
    assert lines(inspector, "Reclamações por mesa") == {"BJ-01": (4, 1, "250,00")}


def test_a_shufflers_findings_are_those_of_its_games(inspector: Client) -> None:
    record_events(opened("BJ-02", dealing="shuffler", shuffler="CSM-04"), at("20:00"))
    record_events(dealt(1, table="BJ-02"), at("21:01"))
    an_evening("BJ-01", rounds=4)
    write([finding(1, table="BJ-02", partida=f"BJ-02/{DAY}/1"), finding(2)])
    assert lines(inspector, "Constatações por baralhador") == {"CSM-04": (1, 1, "1 000,00")}
    groups = inspector.get(f"{PAGE}?{DAYS}").context["groups"]
    of_machines = next(one for one in groups if str(one["heading"]).endswith("baralhador"))
    assert of_machines["total"]["now"].rounds == 1  # of the shoe's games none


def test_only_the_table_asked_is_counted(inspector: Client) -> None:
    an_evening("BJ-01", rounds=2)
    an_evening("BJ-02", rounds=2)
    assert set(lines(inspector, "Incidentes por mesa", f"{DAYS}&table=BJ-02")) == {"BJ-02"}


def test_the_period_before_is_as_long_and_ends_the_day_before(inspector: Client) -> None:
    week = f"from={DAY - timedelta(days=6)}&to={DAY}"
    than = inspector.get(f"{PAGE}?{week}").context["than"]
    assert (than.first, than.last) == (DAY - timedelta(days=13), DAY - timedelta(days=7))
    asked = f"{week}&than_from=2025-01-01&than_to=2025-01-31"
    than = inspector.get(f"{PAGE}?{asked}").context["than"]
    assert (than.first, than.last) == (date(2025, 1, 1), date(2025, 1, 31))


def test_two_periods_stand_side_by_side(inspector: Client) -> None:
    before = (DAY - timedelta(days=1)).isoformat()
    an_evening("BJ-01", before, rounds=3)
    an_evening("BJ-01", rounds=4)
    groups = inspector.get(f"{PAGE}?{DAYS}").context["groups"]
    line = groups[0]["lines"][0]
    assert (line["now"].rounds, line["before"].rounds) == (4, 3)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from=2025-11-21&to=2025-11-20", "O primeiro dia é posterior ao último."),
        ("from=2000-01-01&to=2025-11-20", "366"),
        (
            f"{DAYS}&than_from=2025-03-01&than_to=2025-02-01",
            "O primeiro dia é posterior ao último.",
        ),
        ("from=0001-01-01&to=0001-01-01", ""),
        ("from=9999-12-31&to=9999-12-31", ""),
        (f"{DAYS}&than_from=9999-12-31", ""),
        (f"{DAYS}&than_to=0001-01-01", ""),
        ("from=never&to=%00", ""),
    ],
)
def test_absurd_periods_are_answered_in_words(inspector: Client, query: str, words: str) -> None:
    answer = inspector.get(f"{PAGE}?{query}")
    assert answer.status_code in (200, 400)
    assert words in answer.content.decode()
    assert inspector.get(f"{PAGE}csv/?{query}").status_code in (200, 400)


def test_more_findings_than_can_be_counted_make_no_rate(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.rates.rate_queries.MOST", 1)
    write([finding(1), finding(2)])
    answer = inspector.get(f"{PAGE}?{DAYS}")
    assert answer.context["too_many"]
    assert all("Constata" not in str(one["heading"]) for one in answer.context["groups"])


def test_few_rounds_are_said_to_say_little(inspector: Client) -> None:
    an_evening("BJ-01", rounds=3, wrong=[2])
    reconcile("first")
    page = said(inspector, f"{PAGE}?{DAYS}")
    assert "poucas jogadas: diz pouco" in page
    assert "Uma linha só permite dizer alguma coisa a partir de" in page


def plain(rate: str) -> str:
    return rate.replace("\N{NO-BREAK SPACE}", "").replace(",", ".")


def test_the_file_holds_what_the_page_shows_and_is_an_entry(inspector: Client) -> None:
    an_evening("BJ-01", rounds=4, wrong=[2])
    reconcile("first")
    answer = inspector.get(f"{PAGE}csv/?{DAYS}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(StringIO(text)))
    groups = inspector.get(f"{PAGE}?{DAYS}").context["groups"]
    shown = [
        (str(line["now"].rounds), str(line["now"].events), plain(line["rate"]))
        for group in groups
        for line in (*group["lines"], group["total"])
    ]
    assert [(row["rounds"], row["events"], row["per_thousand"]) for row in rows] == shown
    made = Export.objects.latest("pk")
    assert (made.of_list, made.entries) == ("rates", len(rows))
