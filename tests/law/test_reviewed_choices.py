"""What the readings of a reviewed duty leave open, and what their other choice says of it."""

from casino.events.witnessing import Witnessed
from tests.factories.games import shuffler_evening
from tests.factories.pool_acts import laid
from tests.factories.pool_games import prepared
from tests.factories.shuffler import unwitnessed
from tests.law.floor_asking import cited, judged, undecided


def test_54_under_its_other_choice_that_nobody_said_so_is_a_breach() -> None:
    """`presence-shown` = breach, at the loading (54) and at the unloading (55)."""
    strict = {"presence-shown": "breach"}
    (found,) = judged(unwitnessed(), "pt", strict).findings
    assert (found.article, found.severity) == ("54", "breach")
    assert found.readings == ("presence-shown",)
    emptied = shuffler_evening()
    emptied.drop(Witnessed, act="shuffler-unloaded/1")
    for readings, severity in ((None, "warning"), (strict, "breach")):
        (found,) = judged(emptied, "pt", readings).findings
        assert (found.article, found.severity) == ("55", severity)
    assert cited(shuffler_evening(), "pt", strict) == []


def test_40_no_conditions_and_no_proposal() -> None:
    """What the inspectorate is to set on a proposal: told by nobody, it is not lawful but open."""
    proposed = "jackpot_terms_were_proposed"
    for left_out in ({"conditions": None}, {"proposal": None, "proposed_on": None}):
        game = prepared(**left_out)
        laid(game)
        assert (cited(game), proposed in undecided(game)) == ([], True), left_out
    whole = prepared()
    laid(whole)
    assert (cited(whole), proposed in undecided(whole)) == ([], False)
