"""When something happened, as a person at a table says it: now, five minutes ago, at half past one.

A time without a day is the latest one that clock has shown. On the night the clocks go back an hour
is shown twice, and the later of the two is meant; on the night they go forward an hour is missing,
and nobody can have seen it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, NoReturn
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.events import Malformed
from casino.house_day import house_zone

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

WHEN: Final = "when"
CLOCK: Final = "clock"
FIRST_CARD: Final = "first_card"
AGO: Final = {"now": timedelta(0), "ago5": timedelta(minutes=5)}
WHENS: Final = (("now", _("now")), ("ago5", _("5 min ago")), ("other", _("another time")))
_AHEAD: Final = timedelta(seconds=59)  # a clock is read to the minute
_HALF_A_DAY: Final = timedelta(hours=12)
_BEFORE: Final = timedelta(hours=3)  # what is recorded of a game may have happened before it opened


class NeverShown(ValueError):
    """No clock of the house showed that time."""


def latest(shown: time, at: datetime, zone: ZoneInfo) -> datetime:
    """The last moment (UTC) not after `at` at which the house's clocks showed this time.

    Raises: NeverShown, for a time the last night left out.
    """
    today = at.astimezone(zone).date()
    for day in (today, today - timedelta(days=1)):
        moments = [
            datetime.combine(day, shown.replace(fold=fold), zone).astimezone(UTC) for fold in (0, 1)
        ]
        there = [one for one in moments if one.astimezone(zone).time() == shown.replace(fold=0)]
        if not there and min(moments) <= at:
            raise NeverShown
        past = [one for one in there if one <= at + _AHEAD]
        if past:
            return min(max(past), at)
    raise NeverShown


def moment_of_clock(field: str, shown: time, at: datetime, since: datetime | None) -> datetime:
    """The moment a clock's time tells beside a field, for a game that has been open `since` then.

    A watch that is some minutes fast tells a time that is still to come: that is said, and not
    taken for the evening before. Raises: Malformed.
    """
    zone = house_zone()
    try:
        moment = latest(shown, at, zone)
    except NeverShown:
        never_shown(field)
    if since is not None and moment < since - _BEFORE:
        raise Malformed(
            f"$.{field}",
            "the house's clock shows {now}: {moment} is still to come, and a day ago this game "
            "was not open. Say when it was.",
            now=f"{at.astimezone(zone):%H:%M}",
            moment=f"{shown:%H:%M}",
        )
    return moment


def first_card_of(shown: time, round_at: datetime, since: datetime | None) -> datetime:
    """When a round's first card was dealt, of a round that was at a moment: a clock's time beside
    the field `first_card`, told to the minute.

    A round takes no half a day: that clock's time is meant which lies nearest. Raises: Malformed.
    """
    zone = house_zone()
    try:
        moment = latest(shown, round_at + _HALF_A_DAY, zone)
    except NeverShown:
        never_shown(FIRST_CARD)
    if moment > round_at + _AHEAD:
        raise Malformed(
            f"$.{FIRST_CARD}",
            "found {found}; the round was at {asked}, and its first card no later. Say when that"
            " card was dealt, or leave it empty where nobody knows.",
            found=f"{shown:%H:%M}",
            asked=f"{round_at.astimezone(zone):%H:%M}",
        )
    if since is not None and moment <= since - _AHEAD and round_at >= since:
        raise Malformed(
            f"$.{FIRST_CARD}",
            "found {found}; this game was opened at {asked}, and no card was dealt before. Say when"
            " that card was dealt, or leave it empty where nobody knows.",
            found=f"{shown:%H:%M}",
            asked=f"{since.astimezone(zone):%H:%M}",
        )
    return min(moment, round_at)


def never_shown(field: str) -> NoReturn:
    """Say so beside a field. Raises: Malformed, always."""
    raise Malformed(f"$.{field}", "the clocks were set forward and never showed this time")


def clock_field(label: "_StrOrPromise", shown_as: str = "%H:%M") -> forms.TimeField:
    """A time of the house's clock; it may be left empty."""
    return forms.TimeField(
        label=label,
        required=False,
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput({"type": "time", "autocomplete": "off"}, format=shown_as),
    )


class MomentForm(forms.Form):
    """A form of an act that may have happened a little while ago. `moment_of_form` gives the
    moment.
    """

    when = forms.ChoiceField(
        label=_("When"),
        choices=WHENS,
        initial="now",
        required=False,
    )
    clock = clock_field(_("At what time"))

    def clean(self) -> dict[str, Any]:
        """Another time is recorded with the time."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get(WHEN) == "other" and not cleaned.get(CLOCK) and CLOCK not in self.errors:
            self.add_error(CLOCK, gettext("Say at what time it was."))
        return cleaned


def moment_of_form(data: Mapping[str, Any], at: datetime, since: datetime | None) -> datetime:
    """The moment a `MomentForm` tells, `at` being when it was sent, `since` when the game opened.

    Raises: Malformed.
    """
    when = data.get(WHEN) or "now"
    if when == "other":
        return moment_of_clock(CLOCK, data[CLOCK], at, since)
    return at - AGO.get(when, timedelta(0))
