"""The running house has a role a service; the book's door asks which it is."""

from django.db import migrations

from casino.migrations import sql

# Kinds no person writes, and those a machine may: as every event declares it (a test compares).
NOT_OF_PEOPLE = (
    "alert-sent/1",
    "book-verified/1",
    "card-out/1",
    "document-seal-asked/1",
    "finding-raised/1",
    "finding-raised/2",
    "finding-superseded/1",
    "finding-superseded/2",
    "findings-numbered/1",
    "game-judged/1",
    "jackpot-replayed/1",
    "jackpot-sealed/1",
    "reconciliation-finished/1",
    "reconciliation-started/1",
    "schema-recorded/1",
    "shelf-rebuilt/1",
    "shuffler-cycle/1",
    "shuffler-self-check/1",
    "shuffler-signal/1",
    "signing-key-named/1",
    "stake-signal/1",
    "witness-failed/1",
)
OF_MACHINES = (
    "card-out/1",
    "incident-reported/1",
    "incident-step/1",
    "jackpot-incremented/1",
    "jackpot-read/1",
    "round-played/1",
    "rounds-deferred/1",
    "seat-left/1",
    "seat-taken/1",
    "shuffler-cycle/1",
    "shuffler-loaded/1",
    "shuffler-opened/1",
    "shuffler-self-check/1",
    "shuffler-signal/1",
    "shuffler-unloaded/1",
    "stake-signal/1",
)
BY_PAGES = ("witness-failed/1",)  # in the system's name


def _listed(kinds: tuple[str, ...]) -> str:
    return ", ".join(f"'{kind}'" for kind in kinds)


CALLERS = sql("0032_callers").format(
    not_of_people=_listed(NOT_OF_PEOPLE),
    of_machines=_listed(OF_MACHINES),
    by_pages=_listed(BY_PAGES),
)


class Migration(migrations.Migration):
    dependencies = [("casino", "0031_who_gets_in")]
    operations = [migrations.RunSQL(CALLERS, migrations.RunSQL.noop)]
