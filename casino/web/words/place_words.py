"""What a finding's places are called: at which table, which box, whose stake, which load."""

from typing import Final

from django.utils.translation import gettext_lazy as _

PLACES: Final = {
    "box": _("box"),
    "hand": _("hand"),
    "owner": _("owner"),
    "seat": _("seat"),
    "kind": _("kind of stake"),
    "shoe": _("shoe"),
    "round": _("round"),
    "number": _("round of the shoe"),
    "deck": _("deck"),
    "shuffler": _("shuffler"),
    "staff": _("person"),
    "card": _("card"),
    "office": _("office"),
    "incident": _("incident"),
    "complaint": _("complaint"),
    "hold": _("hold"),
    "case": _("case"),
    "load": _("load"),
    "unload": _("unloading"),
    "witness": _("witness"),
    "jackpot": _("jackpot"),
    "day": _("gaming day"),
    "table": _("table"),
    "partida": _("partida"),
    "run": _("run"),
    "index": _("index"),
    "stream": _("stream"),
    "n": _("entry"),
}


# What a stream of the book is the stream of, by the first part of its name.
STREAMS: Final = {
    "cases": _("the cases' records"),
    "house": _("the house's own records"),
    "jackpot": _("jackpot"),
    "notes": _("the inspectors' notes"),
    "reconciler": _("the reconciliation's records"),
    "table": _("table"),
}


# The programs that write into the book, by the name they write under: none has a timeline.
PROGRAMS: Final = {
    "reconciler": _("the auditing program"),
    "jackpot": _("the jackpots' program"),
    "import": _("the import of files"),
    "export": _("the program that hands out copies"),
    "recover": _("the recovery"),
    "rebuild": _("the rebuilding"),
    "schema": _("the keeper of the database"),
    "retention": _("the program that keeps what falls due to be erased"),
    "witnessing": _("the check of codes"),
}


def author_word(staff: str) -> str:
    """Who wrote an entry: a number as it is, a program by what it is."""
    return str(PROGRAMS.get(staff, staff))


def stream_word(name: str) -> str:
    """A stream as a page names it: ``table BJ-01``; its own name stands on receipts and proofs."""
    of, _sign, code = name.partition("/")
    return f"{STREAMS[of]} {code}".strip() if of in STREAMS else name


def place_word(name: str) -> str:
    """What a place is called; one that is not ours by its name."""
    return str(PLACES.get(name, name.replace("_", " ")))
