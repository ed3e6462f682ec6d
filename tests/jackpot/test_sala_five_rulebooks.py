"""A whole evening under each of the five rulebooks, over every screen of the Sala and the jackpots:
no page fails, and every section a page cites is that rulebook's own.

`make test` walks one of them, drawn by the commit; `make check` all five.
"""

import re
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import BookEntry, Incident, Partida
from casino.web.words.incident_words import REASONS, STEP_WORDS
from jackpot.models import JackpotWin
from tests.factories.floor import DECKS, MACHINE_TABLE, SHOE_TABLE, house
from tests.factories.open_house import everybody
from tests.factories.pools import ACE_JACK, POOL, approve, start
from tests.factories.usual_events import MACHINE
from tests.gate import CHECK, STORIES, drawn, in_turn
from tests.jackpot.sala_pools import every_field, played, pressed

pytestmark = pytest.mark.django_db
LANGUAGES: Final = ("pt-pt", "en")
# Numbers of the Portuguese regulation, and not of a shoe or of an entry.
_NUMBER: Final = re.compile(r"(?<!sabot )(?<!Registo )n\.º[\s ](\d+)")
_SECTION: Final = re.compile(r"(?:seção|sección|section|secção)[\s ][“«]([^”»]+)[”»]")
SCREENS: Final = {
    f"sala:{name}"
    for name in (
        "floor",
        "open_several",
        "table",
        "open",
        "exhibit",
        "cut",
        "shoe",
        "last_round",
        "load",
        "unload",
        "interrupt",
        "incident",
        "incident_steps",
        "incident_exchange",
        "incident_close",
        "notice",
        "complaint",
        "order",
        "chips",
        "close",
        "reopen",
        "witness",
        "correct",
        "entry",
    )
} | {f"jackpot_sala:{name}" for name in ("collect", "won", "hit")}
OTHERS: Final = tuple(f"D-0{number}" for number in range(401, 407))  # the shuffler's decks
DESPITE: Final = {"despite-all": ["it-happened-so"]}


class Walk:
    """One who may do everything, going from screen to screen."""

    def __init__(self, book: str) -> None:
        self.client: Client = everybody()
        self.seen: set[str] = set()
        law = load_law(book)
        self.headings = {one.heading_pt for one in law.articles.values()}
        self.headings |= {one.heading_en for one in law.articles.values()}
        self.numbers = set(law.articles) if book == "pt" else set()
        self.cited = self.looks = 0
        self.urls: set[str] = set()

    def read(self, answer: Any, url: str) -> Any:
        """What a page cites is its rulebook's. Returns the answer."""
        assert answer.status_code in (200, 303), (url, answer.status_code)
        self.seen.add(answer.resolver_match.view_name)
        text = answer.content.decode()
        state = answer.context.get("state") if answer.context else None
        if state is not None and state.partida is None:
            return answer  # of a table that is shut, it is the house's own
        numbers, sections = set(_NUMBER.findall(text)), set(_SECTION.findall(text))
        assert numbers <= self.numbers, (url, numbers)
        assert sections <= self.headings, (url, sections)
        self.cited += len(numbers | sections)
        return answer

    def look(self, url: str) -> Any:
        """A page: in both languages the first times it is seen, then in one after the other."""
        first = self.looks < CHECK * 1_000 or url.partition("?")[0] not in self.urls
        self.urls.add(url.partition("?")[0])
        for _ in LANGUAGES if first else LANGUAGES[:1]:
            self.looks += 1
            language = LANGUAGES[self.looks % 2]
            page = self.read(self.client.get(url, headers={"accept-language": language}), url)
        return page

    def do(self, name: str, *args: Any, at: str = "", **values: Any) -> Any:
        """A screen, looked at, filled in and sent; recorded over whatever is warned of."""
        url = reverse(name if ":" in name else f"sala:{name}", args=args) + at
        page = self.look(url)
        sent = every_field(page) | {key: [value] for key, value in pressed(page).items()}
        sent |= {
            key: value if isinstance(value, list) else [value] for key, value in values.items()
        }
        answer = self.read(self.client.post(url, sent), url)
        if answer.status_code == 200 and "over" in every_field(answer):
            answer = self.read(self.client.post(url, every_field(answer) | DESPITE), url)
        assert answer.status_code == 303, (url, answer.context and answer.context.get("errors"))
        self.look(answer["Location"])
        return answer


def a_shoe_table(walk: Walk, book: str) -> None:
    table = SHOE_TABLE
    walk.do(
        "open",
        table,
        rulebook=book,
        decks=" ".join(DECKS),
        jackpots=[POOL],
        dealing="shoe",
        fiscal_de_banca="S-0777",
        fiscal_chefe="S-0021",
        pagador="P-104",
    )
    assert Partida.objects.latest("pk").rulebook == book
    walk.do("exhibit", table, at="?all=1")
    walk.do("cut", table, at="?seats=1+2+5")
    walk.do("shoe", table, from_end="50")
    played(1)
    walk.do("jackpot_sala:collect", table, POOL, seats=["2", "5"])
    tile = walk.look(reverse("jackpot_sala:won", args=[table, POOL]))
    assert tile.status_code == 200
    walk.do("jackpot_sala:won", table, POOL, won=[f"2/{ACE_JACK}"])
    walk.do("jackpot_sala:hit", table, POOL, JackpotWin.objects.latest("pk").n)
    walk.do("last_round", table, came_out="during_round")
    walk.do("cut", table, at="?seats=1+2+5&refused=1")
    walk.do("interrupt", table, do="spread", reason="no_players")
    walk.do("interrupt", table, do="resume")
    for category in ("damaged_card", "deck_defect", "payment_error", "other"):
        incident(walk, table, category)
    walk.do("complaint", table, subject="payment", box="2", round="")
    closing(walk, table)
    walk.do("reopen", table, reason="closed_by_mistake")
    walk.do("close", table, at="?confirm=1")


def incident(
    walk: Walk, table: str, category: str, deck: str = DECKS[0], new: str = "D-0300"
) -> None:
    """Told, with every step of its course, what was exchanged, the notice, its end."""
    walk.do("incident", table, at=f"?category={category}", reason=next(iter(REASONS[category])))
    number = Incident.objects.latest("pk").incident
    for step in STEP_WORDS:
        page = walk.look(reverse("sala:incident_steps", args=[table, number]))
        if f'value="{step}"' in page.content.decode():
            walk.do("incident_steps", table, number, step=step, by="S-0021")
    if category == "damaged_card":
        walk.do("incident_exchange", table, number, what="deck", deck=deck, comes_in=new)
        walk.do("exhibit", table, at=f"?deck={new}", **{"result-0": "conform"})
    walk.do("notice", table, number, means="telephone", reference="7/2026")
    walk.do("incident_close", table, number, reason="resolvido")


def a_shuffler_table(walk: Walk, book: str) -> None:
    table = MACHINE_TABLE
    walk.do(
        "open",
        table,
        rulebook=book,
        decks=" ".join(OTHERS),
        dealing="shuffler",
        shuffler=MACHINE,
        fiscal_de_banca="S-0777",
        fiscal_chefe="S-0021",
        pagador="P-104",
    )
    walk.do("exhibit", table, at="?all=1")
    walk.do("cut", table)
    walk.do("load", table, packets="3")
    load = BookEntry.objects.filter(kind="shuffler-loaded/1").latest("pk")
    walk.look(reverse("sala:witness", args=[load.pk]))
    walk.look(reverse("sala:entry", args=[load.pk]))
    walk.look(reverse("sala:correct", args=[load.pk]))
    walk.do("shoe", table, burnt="1")
    for category in ("jam", "warning_light", "damaged_card"):
        incident(walk, table, category, OTHERS[0], "D-0500")
    walk.do("complaint", table, subject="payment", cards="yes")
    walk.do("unload", table, reason="closing", empty="yes", closing_announced="yes", cards="312")
    closing(walk, table)


def closing(walk: Walk, table: str) -> None:
    """The decks put in order, the chips counted, the table closed."""
    walk.do("order", table)
    walk.do("chips", table, **{"chips-100": "20"}, second="S-0190")
    walk.look(reverse("sala:close", args=[table]))
    walk.do("close", table, at="?confirm=1")


@in_turn("evening", STORIES)
@pytest.mark.parametrize("book", drawn(rulebook_ids(), 1))
def test_a_whole_evening_is_played_under_every_rulebook(book: str) -> None:
    house()
    approve()
    start()
    walk = Walk(book)
    walk.look(reverse("sala:floor"))
    a_shoe_table(walk, book)
    a_shuffler_table(walk, book)
    # Both again at one go, by the rulebook and with the people that are shown.
    page = walk.look(reverse("sala:open_several"))
    assert {one["rulebook"].value() for one in page.context["openings"]} == {book}
    walk.do("open_several", tables=[SHOE_TABLE])
    assert Partida.objects.latest("pk").rulebook == book
    assert walk.cited or book == "pt-summary"  # which says nothing of what the floor does
    assert walk.seen >= SCREENS
