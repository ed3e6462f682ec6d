"""What is said of a record that was written on paper first."""

from django.utils.translation import gettext

from casino.web.words.field_words import word


def paper_words(event: object) -> str:
    """From which sheet it comes, who wrote it and why; '' for what was recorded at once."""
    paper = getattr(event, "paper", None)
    if paper is None:
        return ""
    values = {
        "sheet": paper.sheet,
        "by": paper.written_by,
        "why": word(paper.why, "why"),
    }
    return gettext("from paper, sheet %(sheet)s, written by %(by)s: %(why)s") % values
