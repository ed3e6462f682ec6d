"""What templates ask of the book's words."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import ngettext

from casino import sealed
from casino.web.display import cells
from casino.web.list_files.list_answer import ways_out
from casino.web.words import place_words

register = template.Library()
register.filter("stream_word", place_words.stream_word)
register.filter("author_word", place_words.author_word)
register.filter("check_word", cells.check_word)


@register.inclusion_tag("casino/on_paper.html", takes_context=True)
def on_paper(context: template.Context) -> dict[str, object]:
    """What stands above a page once it is printed: whose it is, what was asked, by whom, when."""
    request, listed = context["request"], context.get("cl")
    filters = getattr(listed, "form_filters", ())
    asked = [(str(spec.title), spec.in_words) for spec in filters if spec.values]
    return {
        "site": context.get("site_header", ""),
        "origin": sealed.published_origin(),
        "address": request.build_absolute_uri(),
        "who": request.user.get_username(),
        "asked": asked,
        "query": getattr(listed, "query", ""),
        "count": getattr(listed, "count_in_words", ""),
        "part": getattr(listed, "part_in_words", ""),
        "listed": listed is not None,
    }


@register.inclusion_tag("casino/list_files.html")
def list_files(csv_url: str, count: str | int = "") -> dict[str, object]:
    """The ways to take a list out: CSV, spreadsheet, JSON, all three with a manifest.

    `count` says how many rows that is: as the page counts them, or a number of rows.
    """
    if isinstance(count, int):
        number = number_format(count, force_grouping=True)
        count = ngettext("%(n)s row", "%(n)s rows", count) % {"n": number}
    return {"ways": ways_out(csv_url), "count": count}
