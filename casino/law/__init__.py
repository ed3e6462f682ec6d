"""The law: rulebooks as data, and the checks and settlement that read them.

No framework, no writing, no clock.
"""
