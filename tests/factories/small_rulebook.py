"""A rulebook small enough to break one line at a time."""

from collections.abc import Callable
from pathlib import Path

BOOK = """\
[rulebook]
id = "tiny"
title_pt = "Livro pequeno"
title_en = "Small book"
source = "made up"
cites = "n.º"

[[article]]
number = "1"
heading_pt = "Carta queimada"
heading_en = "Burnt card"
summary_pt = "Queimam-se cartas."
summary_en = "Cards are burnt."
duty = "procedure"
kind = "shoe"
upheld_by = ["shoe_is_burnt", "burnt_cards_exact"]

[[article]]
number = "drawing/bank"
heading_pt = "Banca"
heading_en = "Bank"
summary_pt = "A banca tira."
summary_en = "The bank draws."
duty = "rule"
kind = "play/bank"
upheld_by = []
waits_for = "floor"

[parameter."burn.cards"]
article = "1"
unit = "cards"
values = [
    { from = 2026-03-01, is = 1, source = "law 1", confirmed_on = 2026-11-21 },
    { from = 2027-01-01, is = 5, source = "law 2", confirmed_on = 2026-11-21 },
]

[parameter."double.totals"]
article = "drawing/bank"
unit = "points"
values = [{ from = 2026-06-01, is = [16, 17], source = "law 1", confirmed_on = 2026-11-21 }]

[parameter."win.pays"]
article = "drawing/bank"
unit = "ratio"
values = [{ from = 2026-03-01, is = "3/2", source = "law 1", confirmed_on = 2026-11-21 }]

[parameter."bank.peeks"]
article = "drawing/bank"
unit = "yes_no"
values = [{ from = 2026-03-01, is = false, source = "law 1", confirmed_on = 2026-11-21 }]

[parameter."bank.bust"]
article = "drawing/bank"
unit = "choice"
values = [{ from = 2026-03-01, is = "loses", source = "law 1", confirmed_on = 2026-11-21 }]

[reading.bank-bust]
articles = ["drawing/bank"]
parameter = "bank.bust"
choice = "loses"
reason_pt = "Porque sim."
reason_en = "Because."
choices = [
    { is = "loses", means_pt = "perde", means_en = "loses" },
    { is = "nearer_wins", means_pt = "mais perto", means_en = "nearer wins" },
]

[reading.no-peek]
articles = ["1", "drawing/bank"]
parameter = "bank.peeks"
choice = false
reason_pt = "Porque sim."
reason_en = "Because."
choices = [
    { is = false, means_pt = "fechada", means_en = "closed" },
    { is = true, means_pt = "espreita", means_en = "looks" },
]

[parameter."peek.late_stakes"]
article = "drawing/bank"
unit = "choice"
values = [{ from = 2026-03-01, is = "lost", source = "law 1", confirmed_on = 2026-11-21 }]
"""

# The figures every rulebook states beside those it has.
_ALL_STATE = {
    "target.points": ("points", "21"),
    "blackjack.pays": ("ratio", '"3/2"'),
    "bank.draws_to": ("points", "16"),
    "bank.stands_at": ("points", "17"),
    "bank.soft_seventeen": ("choice", '"stands"'),
    "tie.pays": ("ratio", '"0/1"'),
    "card.beyond_right": ("choice", '"void"'),
    "outcome.after_breach": ("choice", '"not_decidable"'),
}
BOOK += "".join(
    f"""
[parameter."{name}"]
article = "drawing/bank"
unit = "{unit}"
values = [{{ from = 2026-03-01, is = {value}, source = "law 1", confirmed_on = 2026-11-21 }}]
"""
    for name, (unit, value) in _ALL_STATE.items()
)

Write = Callable[[str], Path]
