"""A finding's words as pages write them: in the language of the answer, by the house's clock."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino import clock
from casino.law.wording.wording import FindingWords
from casino.web.display import money_and_time
from casino.web.words.languages import language


class WarningWords(FindingWords):
    """A finding's words above a form: moments by the house's clock, amounts with the euro."""

    def moment(self, moment: str) -> str:
        """The time of tonight, with the day where it is another one."""
        try:
            at = datetime.fromisoformat(moment)
        except ValueError:
            return moment
        if at.tzinfo is None:
            return moment
        local = localtime(at)
        if local.date() != localtime(clock.now()).date():
            return money_and_time.moment(at)
        return date_format(local, "H:i:s" if local.second else "H:i")

    def local(self, moment: datetime) -> datetime:
        """By the house's clock."""
        return moment if moment.tzinfo is None else localtime(moment)

    def money(self, cents: int) -> str:
        """An amount in euros, as the language writes it."""
        return money_and_time.money(cents)


def words() -> WarningWords:
    """The words of this answer."""
    return WarningWords(gettext, language())
