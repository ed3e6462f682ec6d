"""The pools of the progressive, every night: each is sealed, replayed from entries, compared.

`replays_due` says what has to be done when and by whom; `replaying` plays a story again, part by
part; `report_replay` writes down what came of it; `pending` is what somebody has to see to by day.
A pool's value is never taken on trust: no projection is asked what it is, only whether it says the
same.
"""
