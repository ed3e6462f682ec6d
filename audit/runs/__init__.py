"""What every run of the auditor has in common, be it of games, of the book or of a pool.

A run is asked for together with its job, done in parts by whoever is there, taken up again where
somebody died, and recorded as ended once. `continued_run` is a run whose parts follow one another
(a verification, a replay); that of games, whose parts lie side by side, is in `audit.reconcile`.
`current_findings` raises and cures what any of them found, `house_days` says what is due when.
"""
