"""``manage.py recover_entries --from BUNDLE``: lost entries put back, byte for byte.

For a book that was restored from a backup older than the last signed checkpoint. Run it before
anybody records anything. docs/operations.md tells the whole way. Ends with 0 when the book is whole
up to the bundle's checkpoint, 2 where nothing was changed, with the reason.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.exporting import ExportRefused
from audit.exporting.bundle_reader import Bundle
from audit.exporting.private_back import erase_files_again
from audit.exporting.putting_back import PutBack, put_back
from audit.rounds_file.progress import Progress
from casino import clock, sealed
from casino.events import Malformed
from casino.events.sealing import BookRestored
from casino.models import Restoration
from casino.rebuilding import projection_models
from casino.recording import Actor, Source, record
from casino.recording.projecting import projections
from casino.tlog.checkpoint import parse_checkpoint
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import parse_note
from casino.tlog.strict import Unreadable

REFUSED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
SOURCE: Final = "bundle"
REASON: Final = "restored-from-backup"


class Command(BaseCommand):
    """Puts entries, places, tiles and checkpoints back, makes the projections again, and says
    so.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Put lost entries back from a full bundle, where they were.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("--from", dest="bundle", type=Path, required=True, metavar="BUNDLE", help=_("the copy"))
        add("--policy", type=Path, metavar="FILE", help=_("the keys, instead of BOOK_PUBLIC's"))
        add("--reason", default=REASON, metavar="CODE", help=_("why, as a code"))
        add(
            "--incomplete",
            action="store_true",
            help=_("although more was signed and no newer bundle exists: a new epoch must follow"),
        )
        add("--finish", action="store_true", help=_("go on where an earlier run was interrupted"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))
        add("--no-progress", action="store_true", help=_("no progress line on a terminal"))

    def handle(self, *args: object, **options: Any) -> None:
        """Put back what is missing; then the projections, then the record of it."""
        with translation.override(LANGUAGES[options["language"]]):
            try:
                self._recover(options)
            except (ExportRefused, Malformed) as refused:
                raise CommandError(str(refused), returncode=REFUSED) from refused

    def _recover(self, options: dict[str, Any]) -> None:
        bundle = Bundle(options["bundle"].absolute())
        bundle.must_be_signed(_policy(options["policy"]))
        if not options["incomplete"]:
            _must_reach_what_was_signed(bundle)
        event = BookRestored(  # checked before anything is done
            size=bundle.size,
            root=bundle.newest.root.hex(),
            entries=0,
            source=SOURCE,
            reason=options["reason"],
        )
        done = self._put_back(bundle, options)
        if done.nothing and not options["finish"]:
            self.stdout.write(
                _(
                    "Nothing is missing: the database holds all {size} entries. If a recovery was"
                    " interrupted, run it again with --finish."
                ).format(size=bundle.size)
            )
            return
        self.stdout.write(_counted(done))
        names = _fed_by(done.kinds) if not options["finish"] else sorted(projection_models())
        if names:
            call_command("rebuild", *names, stdout=self.stdout, stderr=self.stderr)
        erase_files_again()
        rows = Restoration.objects.filter(size=event.size, root=event.root)
        if done.nothing and rows.exists():
            self.stdout.write(_("The recovery was finished already; the book tells of it."))
            return
        self._report(event, done.entries)

    def _put_back(self, bundle: Bundle, options: dict[str, Any]) -> PutBack:
        shown = self.stderr if sys.stderr.isatty() and not options["no_progress"] else None
        drawn = Progress(shown, bundle.size)  # type: ignore[arg-type]
        try:
            return put_back(bundle, lambda at, _size: drawn.reached(at, at))
        except OperationalError as error:
            raise CommandError(
                _("The book is in use: stop every service of the house first ({trouble}).").format(
                    trouble=str(error).strip().partition("\n")[0]
                ),
                returncode=REFUSED,
            ) from error
        finally:
            drawn.clear()

    def _report(self, event: BookRestored, count: int) -> None:
        """Write down that the book is whole again."""
        restored = BookRestored(
            size=event.size,
            root=event.root,
            entries=count,
            source=event.source,
            reason=event.reason,
        )
        receipt = record(
            restored,
            key=uuid4(),
            by=Actor("recover", "sistema", "local"),
            occurred_at=clock.now(),
            source=Source("job"),
        )
        self.stdout.write(
            _("The book is whole up to {size} entries, root {root}; told in {stream}/{n}.").format(
                size=event.size, root=event.root, stream=receipt.stream, n=receipt.n
            )
        )
        self.stdout.write(
            _(
                "Once the house runs, the administrador records the restoration (admin,"
                " Restorations) and somebody of the chefia da sala approves it."
            )
        )


def _counted(done: PutBack) -> str:
    """What was put back, each number with its own word."""
    return _(
        "{entries}, {places}, {private}. Should this command be interrupted from here on, run it"
        " again with --finish."
    ).format(
        entries=ngettext("{n} entry put back", "{n} entries put back", done.entries).format(
            n=done.entries
        ),
        places=ngettext(
            "{n} more given its old place", "{n} more given their old places", done.places
        ).format(n=done.places),
        private=ngettext("{n} private value", "{n} private values", done.private).format(
            n=done.private
        ),
    )


def _policy(file: Path | None) -> str:
    """The keys a bundle must be signed with. Raises: CommandError."""
    try:
        policy = sealed.policy_text() if file is None else file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(
            _("{place} cannot be read: {trouble}.").format(place=file, trouble=error),
            returncode=REFUSED,
        ) from error
    if not policy:
        raise CommandError(
            _("Name the keys: --policy, or BOOK_PUBLIC with the file the signer publishes."),
            returncode=REFUSED,
        )
    return policy


def _must_reach_what_was_signed(bundle: Bundle) -> None:
    """Raises: CommandError, where the signer published a checkpoint of more entries, or of others.

    What is recorded after an incomplete recovery stands where the rest belongs.
    """
    file = Path(settings.BOOK_PUBLIC or "/nowhere") / "checkpoint"
    try:
        signed = parse_checkpoint(parse_note(file.read_bytes()).text)
    except (OSError, Unreadable):
        return  # nothing is published here
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT coalesce(max(size), 0) FROM book_tree")
        size = max(cursor.fetchone()[0], bundle.size)
    if signed.size > size:
        raise CommandError(
            _(
                "{signed} entries were signed and the bundle holds {size}: take a newer bundle."
                " Only where there is none, --incomplete puts back what there is; the rest is lost"
                " then, and a new epoch has to be begun."
            ).format(signed=signed.size, size=bundle.size),
            returncode=REFUSED,
        )
    if signed.size <= bundle.size and _root_at(bundle, signed.size) != signed.root:
        raise CommandError(
            _(
                "At {size} entries the bundle is another book than the one that was signed: one of"
                " the two was rewritten. Compare both with a bundle that left the house before, and"
                " take one of the book that was signed. Only where there is none, --incomplete puts"
                " back what there is, and a new epoch has to be begun."
            ).format(size=signed.size),
            returncode=REFUSED,
        )


def _root_at(bundle: Bundle, size: int) -> bytes:
    """The root of a bundle's first entries: as it was signed, or else as they give it."""
    if size in bundle.roots:
        return bundle.roots[size]
    tree = Frontier()
    for some in bundle.entries():
        for each in some[: size - tree.size]:
            tree.append(leaf_hash(each.entry))
        if tree.size == size:
            break
    return tree.root()


def _fed_by(kinds: set[str]) -> list[str]:
    """The projections on which entries of these kinds stand; all of them carry corrections too."""
    if not kinds:
        return []
    names = {model._meta.db_table for kind in kinds for model in projections().get(kind, ())}
    return sorted({*names, "casino_supersession"} & set(projection_models()))
