"""Every kind of event through its form: shown, recorded, listed, opened."""

from typing import Any

import pytest
from django.urls import reverse

from casino.queries import load_entry
from casino.recording.authority import writers_of
from casino.web.entries.entry_page import PAGES
from tests.casino.admin_forms import filled, over_warnings, with_what_is_asked
from tests.factories.events.every import BARE, FULL, TYPED
from tests.factories.examples import in_the_book
from tests.factories.people import somebody
from tests.factories.recorded import last_entry
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.share]


def add_url(kind: str) -> str:
    reverse("admin:index")  # what has a page registers when the addresses are first asked for
    page = PAGES[kind].removesuffix("_change")
    return f"{reverse(f'{page}_add')}?kind={kind.split('/', maxsplit=1)[0]}"


def office_for(kind: str, event: Any = None) -> str:
    """Who types it; what is of no table, or of somebody's duty, is typed by who is over all."""
    order = ["fiscal_de_banca", "chefia_da_sala", "fiscal_chefe", "administrador", "inspetor"]
    nowhere = not getattr(event, "table", None) and not getattr(event, "partida", None)
    if event is not None and (nowhere or kind.startswith("duty-")):
        order.append(order.pop(0))
    return next(office for office in order if office in writers_of(kind))


def typed_by(case: tuple[str, str]) -> tuple[Any, ...]:
    """Who types it, and how full it is."""
    return (*sorted(writers_of(case[0])), case[1])


CASES = [(kind, found) for kind in TYPED for found in ("full", "bare", "blank")]
# Of each set of those who type a form `make test` draws two kinds, `make check` takes all.
FORMS = drawn(CASES, 2, kind=typed_by)


@pytest.mark.parametrize("kind", [kind for kind, text in FORMS if text == "blank"])
def test_a_blank_form_can_be_opened(kind: str, django_assert_max_num_queries: Any) -> None:
    client = somebody(office_for(kind))
    with django_assert_max_num_queries(12):
        answer = client.get(add_url(kind))
    assert answer.status_code == 200
    assert b'name="key"' in answer.content


@pytest.mark.parametrize(("kind", "recorded"), [case for case in FORMS if case[1] != "blank"])
def test_what_is_typed_is_what_the_book_holds(kind: str, recorded: str) -> None:
    event = with_what_is_asked(in_the_book((FULL if recorded == "full" else BARE)[kind]))
    client = somebody(office_for(kind, event))
    answer = over_warnings(client, add_url(kind), filled(event, occurred_at="2026-11-20T21:15:00"))
    assert answer.status_code == 302, answer.context["form"].errors
    read = load_entry(last_entry(kind).pk)
    assert read is not None
    assert without_despite_and_private(read.event) == without_despite_and_private(event)
    assert read.by.door == "admin"


def without_despite_and_private(event: Any) -> Any:
    from casino.reading.payload import payload_of

    left_out = {"despite", *getattr(event, "private", ())}
    return {name: each for name, each in payload_of(event).items() if name not in left_out}
