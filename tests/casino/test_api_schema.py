"""The API's description: as it is kept in the repository, and true of what is taken."""

import json
import re
import threading
from collections.abc import Generator
from datetime import date
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from casino.api.api_resources import resources
from casino.api.machine_tokens import make_machine
from casino.api.openapi import EXAMPLE_ROUND, example_of
from casino.events import Malformed
from casino.models import Account, Round
from casino.reading.payload import event_of, payload_of
from casino.reading.round_writer import round_as_object
from casino.simulation import evening
from tests.casino.api_calls import API, KEPT, ROOT
from tests.factories.events.every import BARE, FULL
from tests.factories.people import appoint, somebody

# Whose fields say something against each other that no form of one of them shows.
NO_EXAMPLE: Final = {
    *("cuts", "correction-decisions", "finding-settlements", "jackpot-terms", "jackpot-wins"),
    *("jackpot-terms-confirmations", "jackpot-payments", "jackpot-seals"),
    "shuffler-self-checks",
}


def test_the_description_in_the_repository_is_the_programs() -> None:
    made = SchemaGenerator().get_schema(request=None, public=True)
    assert json.loads(json.dumps(made)) == KEPT, (
        'make manage ARGS="spectacular --format openapi-json --file docs/openapi.json"'
    )


def test_every_address_of_the_api_is_described() -> None:
    for one in resources():
        ways = KEPT["paths"].get(f"/api/v1/{one.noun}", {})
        assert set(ways) == {*(["get"] if one.listed else []), *(["post"] if one.posts else [])}


@pytest.mark.parametrize("one", resources(), ids=lambda one: one.noun)
def test_what_is_taken_fits_the_description(one: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{'Round' if one.is_round else one.event.__name__}"}
    check = Draft202012Validator(schema | {"components": KEPT["components"]})
    for event in (FULL[one.kind], BARE[one.kind]):
        check.validate(payload_of(event))
    assert list(check.iter_errors({}))
    assert list(check.iter_errors(payload_of(FULL[one.kind]) | {"unknown": 1}))


@pytest.mark.parametrize("one", resources(), ids=lambda one: one.noun)
def test_an_example_is_one(one: Any) -> None:
    try:
        event_of(one.event, EXAMPLE_ROUND if one.is_round else example_of(one.event))
    except Malformed:
        assert one.noun in NO_EXAMPLE
    else:
        assert one.noun not in NO_EXAMPLE


@pytest.mark.django_db
def test_the_page_holds_no_script_of_its_own_and_asks_for_none_from_outside() -> None:
    client = somebody("administrador")
    page = client.get("/api/docs")
    assert page.status_code == 200
    text = page.content.decode()
    assert not re.search(r"<script>|<style|style=|https?://", text)
    script = client.get(re.findall(r'src="([^"]*script=)', text)[0].replace("&amp;", "&"))
    assert script.status_code == 200
    assert script["Content-Type"].startswith("application/javascript")
    schema = client.get(f"{API}/schema")
    assert schema.json()["openapi"] == "3.1.0"


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def house(fresh_db: object) -> Generator[str]:
    """The program, served to whoever asks over a socket."""
    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)

    def serve() -> None:
        try:
            server.serve_forever(poll_interval=0.05)
        finally:
            connections.close_all()

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_client_of_the_documentation_works(house: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    block = re.search(
        r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text("utf-8"), re.DOTALL
    )
    assert block is not None
    space: dict[str, Any] = {}
    exec(block[1], space)
    rounds = [round_as_object(one) for one, _ in evening(5, 1, 4, 0.0, date(2026, 11, 12))]
    appoint("D-0900", "dispositivo")
    _, secret = make_machine("D-0900", [str(rounds[0]["table"])], ("rounds",), "S-0003")
    livro = space["Livro"](house, "D-0900", secret)
    assert livro.send("rounds", rounds[0])["repeated"] is False
    assert len(livro.send("rounds/batch", {"rounds": rounds})["receipts"]) == 4
    assert livro.last == 2
    with pytest.raises(ValueError, match="malformed"):
        livro.send("rounds", {"schema": "round/1"})
    assert Round.objects.count() == 4
    assert not Account.objects.get(staff="D-0900").has_usable_password()
