"""Alerts and the night's digest by mail: who is told of what, the texts, the sending.

Nothing is found here: what leaves are the alerts of `audit.watch` and the night of `audit.night`.
"""
