"""What is said of a problem: the house's own sentences, and the verifier's for what entries say."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from audit.verifier.words import SOUND, WORDS
from audit.verifying.problems import Problem
from casino.web.words.languages import either

SENTENCES: Final[Mapping[str, str]] = {
    # Entries and the tree.
    "leaf-hash": _("The leaf hash that is kept is not that of the entry's bytes."),
    "column": _("The column {column} says otherwise than the entry's bytes."),
    "place-missing": _("No entry stands at this place of the tree: it was taken out."),
    "entry-missing": _("The entry that has this place in the tree is gone."),
    "tile-leaf": _("Tile {tile} holds another hash for this entry than its bytes give."),
    "tile-missing": _("Tile {tile} of level {level} is gone."),
    "tile-differs": _("Tile {tile} of level {level} holds other hashes than the tiles below give."),
    "tile-beyond": _("There are tiles beyond the tree's {size} entries."),
    "root-differs": _(
        "The first {size} entries do not give the root that was kept; up to {since} they do: what"
        " lies between was altered, removed or added."
    ),
    "root-subtrees": _("The subtrees kept with the root of {size} entries do not give that root."),
    "tree-size": _("The tree has {leaves} places, but its last root is that of {size} entries."),
    # Streams and what waits.
    "stream-head": _(
        "The stream's head names entry {head}, and its last entry is {n}; or it names another hash."
    ),
    "stream-gone": _("The stream of these entries is gone."),
    "entry-forgotten": _("The entry has no place in the tree and does not wait for one."),
    "entry-waits-long": _("The entry has waited for its place in the tree for more than a minute."),
    "waiting-stray": _("What waits for a place in the tree is no entry, or has its place already."),
    "heads-do-not-add-up": _(
        "The streams count {entries} entries; {leaves} have a place in the tree and {waiting} wait."
    ),
    # The seal.
    "checkpoint-root": _("The checkpoint of {size} entries holds another root than the tree had."),
    "checkpoint-note": _("The note of the checkpoint of {size} entries tells of another tree."),
    "checkpoint-unreadable": _("The note of the checkpoint of {size} entries cannot be read."),
    "key-stranger": _(
        "The entry names {key} as a key that signs, and it is none of the signer's: verifiers"
        " believe whoever holds it."
    ),
    "cosignature-moment": _(
        "Beside a cosignature of {key} under {size} entries stands another moment than it names."
    ),
    "policy-unreadable": _("The policy (the list of keys) cannot be read."),
    "older-unreadable": _("{file} is no checkpoint."),
    "older-not-signed": _("{file} ({size} entries) is signed by no key that is believed."),
    "older-differs": _(
        "{file} was signed over {size} entries, and the book's first {size} are others: what was"
        " written before was altered."
    ),
    "short-by": _("{file} was signed over {size} entries: the book is short by {entries}."),
    "no-checkpoint": _(
        "No checkpoint was ever signed: nothing outside the database vouches for it."
    ),
    "no-policy": _("There is no policy (list of keys): signatures were not looked at."),
    "book-refuses": _(
        "The book took no record of what was found, for its streams were altered: {told}"
    ),
    # Projections, private values, files.
    "shelf-missing": _("The row of {shelf} that belongs to the entry is missing."),
    "shelf-differs": _("The row of {shelf} says otherwise in {column} than the entry."),
    "shelf-stray": _("The row of {shelf} belongs to no such entry of the book."),
    "shelf-entry-unreadable": _("The entry tells no fact of its kind: no row can be made of it."),
    "private-missing": _("The private value {field} is not kept, and was not erased either."),
    "private-gone": _("The private value {field} is gone, and the book tells of no erasure."),
    "private-differs": _("The private value {field} is not the one the entry commits to."),
    "private-kept": _(
        "The private value {field} is still there, though the book says it was erased."
    ),
    "private-stray": _("The entry commits to no private value {field}."),
    "file-differs": _("The content of the file {sha256} is not what it is named after."),
    "file-gone": _("The content of the file {sha256} is gone, and the book tells of no erasure."),
    "file-kept": _("The file {sha256} is still there, though the book says it was erased."),
    "file-lost": _("The file {sha256} is named by the entry, and not even its place is there."),
    # What findings rest on.
    "evidence-gone": _("The finding rests on the entry {id}, and there is none of that id."),
    "evidence-moved": _(
        "The ids the finding rests on lead to other entries than the finding it is cited anew as:"
        " the ids of rows were exchanged."
    ),
    # Confirmations by passkey.
    "attested-unknown": _("The confirmation names a passkey that {staff} had not registered."),
    "attested-revoked": _("The passkey of {staff} was revoked before this confirmation."),
    "attested-late": _("The confirmation was recorded after its time had run out."),
    "attested-form": _("The passkey's answer cannot be read."),
    "attested-type": _("The passkey's answer belongs to another kind of question."),
    "attested-challenge": _("The passkey of {staff} answered another question than this one."),
    "attested-origin": _("The passkey's answer was asked for by another site."),
    "attested-domain": _("The passkey's answer was given for another domain."),
    "attested-user": _("The device did not verify that {staff} was there."),
    "attested-signature": _("The passkey of {staff} did not sign this confirmation."),
    "attested-twice": _("A passkey that was registered before is registered again, for {staff}."),
    # The database.
    "clock-fell-in-tree": _("The tree of {size} entries was made before the smaller one."),
    "clock-fell": _("Entry {n} was recorded before the one it follows: the clock ran back."),
    "guard-missing": _("A guard of the book is missing: {told}"),
    "schema-differs": _("The database is not as the book records it: {told}"),
    "schema-unexplained": _(
        "The schema was recorded anew although neither migrations nor server had changed since"
        " entry {before}."
    ),
    "no-schema-record": _("What the database looks like was never recorded."),
}


def sentence(problem: Problem, say: Callable[[str], str] = gettext) -> str:
    """What is wrong, in one sentence of the language in hand."""
    known = SENTENCES.get(problem.code)
    if known is None:
        _grave, portuguese, english = WORDS.get(problem.code, ("", problem.code, problem.code))
        text = either(portuguese, english)
    else:
        text = say(known)
    places = {"index": problem.index, "stream": problem.stream, "n": problem.n}
    return text.format_map(_Dashes(places | dict(problem.details)))


def proof(size: int, kept: int | None, *, own_keys: bool = False) -> str:
    """What a book without a problem proves, in the verifier's own words: as much as was brought.

    `kept` is the size of the largest kept checkpoint it continues; `own_keys`, that whoever asked
    brought his own list of keys.
    """
    name = "policy" if own_keys else "nothing"
    if kept:
        name = "older" if kept >= size else "older-in-part"
    return either(*SOUND[name]).format(size=size, kept=kept or 0)


def heading(size: int, kept: int | None) -> str:
    """The beginning of that sentence."""
    said = proof(size, kept).partition(":")[0].partition(", ")[0]
    return said[:1] + said[1:].lower()


def without_problem(kept: int | None) -> str:
    """That a verification met no problem, and what from outside the house it was compared with.

    `kept` as for `proof`.
    """
    if not kept:
        return gettext("No problem found; compared with itself alone, with nothing from outside")
    return gettext("No problem found; continues the kept checkpoint of %(n)s entries") % {
        "n": number_format(kept, force_grouping=True)
    }


class _Dashes(dict[str, Any]):
    """What was not recorded is a dash."""

    def __missing__(self, name: str) -> str:
        return "–"
