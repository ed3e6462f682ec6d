"""How long a log-in holds, by office: settings of the house, read as `django.conf.settings`."""

from datetime import timedelta
from typing import Final

# For how long a browser on which somebody gave his second factor asks him for his password alone:
# a tablet of the floor for the shift. Who holds an office that is not here is asked each time.
HOUSE_SECOND_FACTOR_HOLDS: Final = {
    "fiscal_de_banca": timedelta(hours=12),
    "fiscal_chefe": timedelta(hours=12),
    "chefia_da_sala": timedelta(hours=12),
}
# Before a correction or a withdrawal is approved or one asked for, and before private values leave
# the house as a file, whoever has a second factor gives it anew, unless he did within this time.
HOUSE_SECOND_FACTOR_FRESH: Final = timedelta(minutes=10)
# How long nothing may be done in a session before it ends, and how long one lasts; "" for who holds
# no office. The floor's pages lock sooner (HOUSE_TABLET_LOCKS).
HOUSE_SESSIONS: Final = {
    "fiscal_de_banca": {"idle": timedelta(hours=3), "most": timedelta(hours=12)},
    "fiscal_chefe": {"idle": timedelta(hours=3), "most": timedelta(hours=12)},
    "chefia_da_sala": {"idle": timedelta(hours=1), "most": timedelta(hours=12)},
    "inspetor": {"idle": timedelta(hours=1), "most": timedelta(hours=10)},
    "auditor": {"idle": timedelta(hours=1), "most": timedelta(hours=10)},
    "administrador": {"idle": timedelta(minutes=30), "most": timedelta(hours=8)},
    "": {"idle": timedelta(minutes=30), "most": timedelta(hours=8)},
}
# For how long a browser stays a screen on the wall, which opens the board and nothing else.
HOUSE_WALL_SCREEN: Final = timedelta(days=30)
# For how long a code is good with which somebody sets password and second factor anew.
HOUSE_LOGIN_RESET: Final = timedelta(hours=24)
# How long rows of the security log are kept: three months at least, which the database sees to.
HOUSE_SECURITY_LOG: Final = timedelta(days=365)
