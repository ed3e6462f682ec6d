"""Tables as the house registered them: a record of any other table is a slip of the pen."""

from django.utils.translation import gettext

from casino.events.event import OF_CASES, Event
from casino.events.tables import TableRegistered
from casino.models import Table


def no_such_table(event: Event) -> str:
    """Why an event of that table is not taken from a person; "" where its table is registered.

    Nothing is said where no table at all is registered yet, nor of a registration, nor of what is
    done about a finding, whose table is the finding's.
    """
    text: str | None = getattr(event, "table", None)
    if not text or event.kind == TableRegistered.kind or event.stream in OF_CASES:
        return ""
    rows = Table.objects.filter(table_code__iexact=text).values_list("table_code", flat=True)
    spelt = sorted(set(rows))
    if text in spelt:
        return ""
    if spelt:
        return gettext("No table %(found)s is registered; there is %(spelt)s.") % {
            "found": text,
            "spelt": ", ".join(spelt),
        }
    if not Table.objects.exists():
        return ""
    return gettext(
        "No table %(found)s is registered. Register it first, or look at its number."
    ) % {"found": text}
