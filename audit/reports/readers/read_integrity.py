"""A certificate of integrity: how far the book of some days is signed, and what verified it.

It says what was verified and by what, never that nothing is wrong: a book is proved to whoever
kept a checkpoint of before.
"""

from collections.abc import Sequence
from typing import Final

from django.db import connection
from django.utils.translation import gettext as _

from audit.models import Verification
from audit.pages.book.book_state import signatures_of
from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, readable_by
from audit.runs.code_version import code_version
from audit.verifying.problem_texts import proof
from casino import __version__, sealed
from casino.events.event_policy import AUDITOR
from casino.sealed import Sealed
from casino.web.words import field_words

SHOWN: Final = 50  # verifications, the newest
# Of the days asked: by stream how many entries, the first and the last number, and their places.
# Of kinds every overseer reads: a certificate is handed on, and of an inspector's notes nobody else
# is shown that there are any.
_STREAMS: Final = """
SELECT s.name, count(*), min(e.n), max(e.n), count(l.idx), min(l.idx), max(l.idx)
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
LEFT JOIN book_leaf l ON l.entry_id = e.id
WHERE e.gaming_day BETWEEN %s AND %s AND e.kind = ANY(%s) GROUP BY s.name ORDER BY s.name
"""
_COVERING: Final = "SELECT min(size) FROM book_checkpoint WHERE size > %s"
_SIGNED: Final = "SELECT count(*) FROM book_checkpoint WHERE size > %s AND size <= %s"


def read_integrity(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """The entries of the days, the checkpoints over them, the verifications that read them."""
    with connection.cursor() as cursor:
        for_all = sorted({*kinds} & {*readable_by(AUDITOR)})
        cursor.execute(_STREAMS, [asked.first, asked.last, for_all])
        streams = cursor.fetchall()
    count, placed = sum(row[1] for row in streams), sum(row[4] for row in streams)
    first = min((row[5] for row in streams if row[4]), default=0)
    last = max((row[6] for row in streams if row[4]), default=-1)
    ran = Verification.objects.filter(size__gt=last).order_by("-n")[:SHOWN] if placed else ()
    verifications = list(ran)
    draft.section(_("Result"), texts=_result(verifications, count, placed))
    draft.section(
        _("What it is of"),
        pairs=[
            (_("Entries of these days"), cells.whole(count)),
            (_("Entries that wait for their place in the tree"), cells.whole(count - placed)),
            (_("First place in the tree, counted from 0"), cells.whole(first)),
            (_("Last place in the tree, counted from 0"), cells.whole(max(last, 0))),
        ]
        if placed
        else [(_("Entries of these days"), cells.whole(count))],
        columns=[
            Column(_("Stream"), 40),
            Column(_("Entries"), 20, "right"),
            Column(_("First number"), 20, "right"),
            Column(_("Last number"), 20, "right"),
        ],
        rows=[Row([cells.text(row[0]), *map(cells.whole, row[1:4])]) for row in streams],
        empty=_("Nothing was recorded for these days."),
    )
    if placed:
        draft.cite((row[0], row[3]) for row in streams if row[4] == row[1])
        _seals(draft, first, last)
    _verifications(draft, verifications)


def _result(ran: Sequence[Verification], count: int, placed: int) -> list[str]:
    if not count:
        return [_("Nothing was recorded for these days: there is nothing to certify.")]
    if placed < count:
        waits = [_("Entries of these days wait for their place: ask again in a few seconds.")]
    else:
        waits = []
    if not ran:
        return [*waits, _("No verification has read these days to their end yet.")]
    newest = ran[0]
    if newest.problems:
        said = _(
            "The newest verification that read these days met %(problems)s problems in the whole"
            " book; each is a finding. These days may or may not be touched by them."
        ) % {"problems": cells.whole(newest.problems)["text"]}
    else:
        said = proof(newest.size, newest.kept)
    return [*waits, said]


def _seals(draft: Draft, first: int, last: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COVERING, [last])
        (size,) = cursor.fetchone()
        cursor.execute(_SIGNED, [first, last + 1 if size is None else size])
        (signed,) = cursor.fetchone()
    pairs = [(_("Checkpoints signed from the first of these entries on"), cells.whole(signed))]
    found = sealed.at_sizes([size]) if size is not None else []
    for one in found:
        pairs += _checkpoint(one)
    draft.section(
        _("Seal"),
        pairs=pairs,
        texts=[] if found else [_("No signed checkpoint covers these days whole yet.")],
    )


def _checkpoint(checkpoint: Sealed) -> list[tuple[str, cells.Cell]]:
    """The first checkpoint that covers the days whole, and who signed it."""
    signatures = signatures_of(checkpoint)
    houses = [one.name for one in signatures.logs if one.valid]
    witnesses = [one.name for one in signatures.witnesses if one.valid]
    return [
        (_("First checkpoint that covers them whole, entries"), cells.whole(checkpoint.size)),
        (_("Name of the log"), cells.text(checkpoint.origin)),
        (_("Root"), cells.text(checkpoint.root.hex())),
        (_("Signed by the keys of"), cells.joined(houses)),
        (_("Cosigned by the witnesses"), cells.joined(witnesses)),
    ]


def _verifications(draft: Draft, ran: Sequence[Verification]) -> None:
    draft.section(
        _("Verifications that read these days to their end"),
        texts=[
            _(
                "Each read every entry of the book from the first, the tree, the checkpoints, the"
                " projections and the private values. The newest stands first."
            )
        ],
        pairs=[
            (_("Program of this certificate"), cells.text(f"Livro da Sala {__version__}")),
            (_("Its code"), cells.text(code_version())),
        ],
        columns=[
            Column(_("Recorded"), 19),
            Column(_("Entry"), 13),
            Column(_("Size"), 9, "right"),
            Column(_("Root"), 31),
            Column(_("Problems"), 10, "right"),
            Column(_("Why"), 11),
            Column(_("Kept checkpoint held against"), 12, "right"),
        ],
        rows=[
            Row(
                [
                    cells.moment(one.recorded_at),
                    cells.entry(one.stream, one.n),
                    cells.whole(one.size),
                    cells.text(one.root),
                    cells.whole(one.problems),
                    cells.text(field_words.word(one.why)),
                    cells.text("") if one.kept is None else cells.whole(one.kept),
                ],
                (one.stream, one.n),
            )
            for one in ran
        ],
        empty=_("No verification has read these days to their end yet."),
    )
