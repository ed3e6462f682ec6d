"""The house on a server of its own: ``make install``, ``make doctor``, ``make uninstall``.

Run by root with nothing but Debian's Python: no package of the house's environment is imported
here. What runs is the one table of services (``casino.local.services``); ``plan`` says as whom,
with which secrets and within which bounds (docs/decisions/0041).
"""
