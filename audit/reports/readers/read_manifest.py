"""The manifest of an evidence pack: every file in it, with size and SHA-256, under one seal."""

from django.utils.translation import gettext as _

from audit.pages.page_words import PACK_WORDS
from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked
from audit.verifying.kept_checkpoint import said_of_kept


def read_manifest(draft: Draft, asked: Asked) -> None:
    """What was packed, and what for. The exact list stands in the JSON as ``files`` too."""
    draft.cite(asked.cited)
    draft.section(
        _("What this is"),
        texts=[
            _(
                "The list of all that is in an evidence pack. The seal of this file answers for"
                " every file of the list, those that bear no seal of their own included: a file of"
                " another SHA-256 is not the one that was packed."
            ),
            _(
                "Private values (names, contacts, free text, attachments) are not in the pack: the"
                " book holds only what commits to them."
            ),
        ],
        pairs=[
            (_("Evidence of"), cells.text(PACK_WORDS[asked.pack])),
            (_("Game"), cells.text(asked.partida)),
            (_("Findings named"), cells.whole(len(asked.findings))),
            (_("Files"), cells.whole(len(asked.files))),
            (_("Bytes in all"), cells.whole(sum(one.size for one in asked.files))),
        ],
    )
    if asked.kept:
        _tone, said = said_of_kept(asked.kept)
        text = _("Whoever asked for the pack brought a checkpoint kept outside the house.")
        draft.section(_("Held against a checkpoint"), texts=[text, cells.clean(said)])
    draft.section(
        _("Files"),
        columns=[
            Column(_("Name"), 30),
            Column(_("Bytes"), 10, "right"),
            Column(_("SHA-256"), 60),
        ],
        rows=[
            Row([cells.text(one.name), cells.whole(one.size), cells.text(one.sha256)])
            for one in asked.files
        ],
    )
