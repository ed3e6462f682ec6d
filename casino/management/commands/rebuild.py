"""``manage.py rebuild [SHELF ...] [--check]``: the projections made again, or compared."""

from argparse import ArgumentParser
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError

from casino import clock
from casino.events.keeping import ProjectionRebuilt
from casino.models.projection import ProjectionBase
from casino.rebuilding import compare, projection_models, rebuild
from casino.recording import Actor, Source, record


class Command(BaseCommand):
    """Ends with 0 when done; 1 where something differs (with --check); 2 for bad input."""

    help = "Makes shelves again out of the book; with --check only compares them with it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "shelf", nargs="*", help="a table, such as casino_shuffle (default: all)"
        )
        parser.add_argument("--check", action="store_true", help="change nothing, show differences")

    def handle(self, *args: object, **options: Any) -> None:
        known = projection_models()
        unknown = [name for name in options["shelf"] if name not in known]
        if unknown:
            raise CommandError(
                f"There is no shelf {', '.join(unknown)}. There are: {', '.join(known)}.",
                returncode=2,
            )
        chosen = {name: known[name] for name in options["shelf"] or known}
        if options["check"]:
            self.check_projections(chosen)
        else:
            self.rebuild_projections(chosen)

    def check_projections(self, chosen: dict[str, type[ProjectionBase]]) -> None:
        """Print every difference; exit 1 if there is one."""
        differences = 0
        for name, model in chosen.items():
            for difference in compare(model):
                differences += 1
                self.stdout.write(f"{name} {difference.entry_id}: {difference.what}")
        self.stdout.write(f"{len(chosen)} shelves compared, {differences} differences.")
        if differences:
            raise SystemExit(1)

    def rebuild_projections(self, chosen: dict[str, type[ProjectionBase]]) -> None:
        """Rebuild each in a transaction of its own, and say so in the book."""
        for name, model in chosen.items():
            before, after = rebuild(model)
            record(
                ProjectionRebuilt(
                    shelf=name,
                    rows=after.rows,
                    sha256=after.sha256,
                    rows_before=before.rows,
                    sha256_before=before.sha256,
                ),
                key=uuid4(),
                by=Actor("rebuild", "sistema", "local"),
                occurred_at=clock.now(),
                source=Source("job"),
            )
            self.stdout.write(f"{name}: {after.rows} rows")
