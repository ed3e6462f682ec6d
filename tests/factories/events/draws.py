"""The same for draws: see house.py. Its golden bytes bind no draw: nobody committed to them."""

from datetime import date
from typing import Final

from audit.draw_events import DrawCommitted, DrawMade
from tests.factories.events.house import ACT, IN_THE_HOUSE, LATER, TABLE, A, B

SECRET: Final = "5f" * 32

FULL: Final = (
    DrawCommitted(
        draw=3,
        from_day=date(2026, 11, 19),
        to_day=date(2026, 11, 20),
        tables=("BJ-01", TABLE),
        tables_wanted=1,
        tables_in_reserve=1,
        rounds_wanted=1,
        rounds_in_reserve=1,
        commitment=B,
    ),
    DrawMade(
        draw=3,
        committed=IN_THE_HOUSE,
        secret=SECRET,
        size=41203,
        root=B,
        population=412,
        population_tables=2,
        digest=A,
        tables=(TABLE,),
        reserve_tables=("BJ-01",),
        rounds=(LATER,),
        reserve_rounds=(ACT,),
    ),
)

BARE: Final = (
    DrawCommitted(
        draw=1,
        from_day=date(2026, 11, 20),
        to_day=date(2026, 11, 20),
        tables=(),
        tables_wanted=0,
        tables_in_reserve=0,
        rounds_wanted=1,
        rounds_in_reserve=0,
        commitment=A,
    ),
    DrawMade(
        draw=1,
        committed=IN_THE_HOUSE,
        secret=SECRET,
        size=1,
        root=A,
        population=0,
        population_tables=0,
        digest=B,
        tables=(),
        reserve_tables=(),
        rounds=(),
        reserve_rounds=(),
    ),
)
