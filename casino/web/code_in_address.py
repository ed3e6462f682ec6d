"""Codes in addresses, of tables, decks, machines, people, incidents: ``sala/<code:table>/``.

What is no code is no address of ours: nobody asks the book for it.
"""

from django.urls import register_converter
from django.urls.converters import StringConverter


class CodeInAddress(StringConverter):
    """As `casino.events.values.Code` is written: letters, digits, dot, dash, underscore; 1 to
    40.
    """

    regex = "[A-Za-z0-9._-]{1,40}"


register_converter(CodeInAddress, "code")
