"""`manage.py account`: the first administrator is recorded once; who is registered may log in."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db


def account(*words: str) -> str:
    """What the command said."""
    said = StringIO()
    call_command("account", *words, stdout=said)
    return said.getvalue().strip()


def test_the_first_administrator_is_recorded_and_may_log_in() -> None:
    from casino import clock
    from casino.models import Account, BookEntry
    from casino.queries import office_at

    number, password = account("S-0001", "--begin", "Teresa Lobo").split(" / ")
    assert number == "S-0001"
    assert len(password) >= 15
    assert Account.objects.get(staff="S-0001").check_password(password)
    assert office_at("S-0001", clock.now()) == "administrador"
    kinds = BookEntry.objects.order_by("n").values_list("kind", flat=True)
    assert list(kinds) == ["staff-registered/1", "office-granted/1"]


def test_there_is_one_beginning() -> None:
    from casino.models import BookEntry

    account("S-0001", "--begin", "Teresa Lobo")
    with pytest.raises(CommandError, match="has had an administrator"):
        account("S-0002", "--begin", "Outra Pessoa")
    assert BookEntry.objects.count() == 2


@pytest.mark.parametrize(
    "words", [("S-0009",), ("S-0009", "--close"), ("no number", "--begin", "A")]
)
def test_whoever_is_not_registered_gets_no_login(words: tuple[str, ...]) -> None:
    from casino.models import Account

    with pytest.raises(CommandError):
        account(*words)
    assert not Account.objects.exists()


def test_a_login_is_renewed_and_closed() -> None:
    from casino.models import Account

    before = account("S-0001", "--begin", "Teresa Lobo").split(" / ")[1]
    account("S-0001", "--close")
    assert not Account.objects.get(staff="S-0001").is_active
    after = account("S-0001").split(" / ")[1]
    known = Account.objects.get(staff="S-0001")
    assert known.is_active
    assert known.check_password(after)
    assert not known.check_password(before)
