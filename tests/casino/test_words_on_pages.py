"""No page shows a word of the other language, a code of the program's or a date as in a file.

The pages are found by following links from where each office begins, after the demo's evening.
"""

from io import StringIO
from typing import Final

import pytest
from django.core.management import call_command
from django.test import Client

from casino.demo import load_demo
from casino.models import Account, Partida
from tests.casino.words_seen import grouped, walk, wrong
from tests.gate import STORIES, drawn, in_turn, size
from tests.stages import recorded_once

STARTS: Final = ["/sala/", "/admin/", "/law/pt/", "/book/", "/audit/exposure/", "/jackpots/"]
OFFICES: Final = ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "administrador")
LOOKS: Final = [
    *((office, language) for office in OFFICES for language in ("pt-pt", "en-gb")),
    ("inspetor", "es"),
    ("auditor", "fr"),
]


@recorded_once
def evening() -> dict[str, str]:
    """Who of the demo holds which office; its games are reconciled."""
    made = load_demo.load(logins_wanted=lambda: True)
    day = Partida.objects.values_list("gaming_day", flat=True)[0].isoformat()
    with pytest.raises(SystemExit):  # there are findings
        call_command("reconcile", "--from", day, "--no-progress", stdout=StringIO())
    return {login.member.office: login.member.number for login in made.logins}


@in_turn("words", STORIES)
@pytest.mark.parametrize(("office", "language"), drawn(LOOKS, 1))
def test_every_word_is_of_the_pages_language(
    evening: dict[str, str], office: str, language: str
) -> None:
    client = Client(headers={"accept-language": language})
    account = Account.objects.get(staff=evening[office])
    account.language = language
    account.save()
    client.force_login(account)
    found = {
        address: pieces
        for address, page in walk(client, drawn(STARTS, 2), size(1, 2, 3))
        if (pieces := wrong(page, _answered_in(address, language)))
    }
    assert not found, "\n".join(grouped(found))


def _answered_in(address: str, language: str) -> str:
    """On the floor everybody reads one of the house's languages."""
    return "pt-pt" if address.startswith("/sala/") and language in ("es", "fr") else language
