"""The arithmetic of the progressive prize: what counts, what is won, what the meter says.

Pure: amounts, cards and moments come in; amounts, steps and breaches go out. It knows no event's
kind, no table of the database and no door. What the concession holder and the inspectorate settled
(stake, percentage, combinations) is handed in as terms, what the law leaves open as a reading.

Units: a cent has 1 000 000 microcents, a whole has 1 000 000 millionths; nothing is ever rounded
but where money is handed to a player, and what he cannot be handed stays on the meter.

Law: PT art. 38-50.
"""
