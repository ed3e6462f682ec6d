"""What an entry of each kind is called in the admin and on the pages."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

# By the kind's name without its version.
KINDS: Final[dict[str, Any]] = {
    "table-registered": _("table registered"),
    "limits-set": _("limits set"),
    "staff-registered": _("staff number registered"),
    "office-granted": _("office granted"),
    "office-ended": _("office ended"),
    "duty-begun": _("went on duty"),
    "duty-ended": _("went off duty"),
    "partida-opened": _("partida opened"),
    "partida-closed": _("partida closed"),
    "partida-reopened": _("partida reopened"),
    "dealer-took-table": _("dealer came to the table"),
    "dealer-left-table": _("dealer left the table"),
    "seat-taken": _("seat taken"),
    "seat-left": _("seat left"),
    "chips-counted": _("chips counted"),
    "deck-received": _("deck received"),
    "deck-inspected": _("deck inspected"),
    "deck-withdrawn": _("deck withdrawn"),
    "card-replaced": _("card replaced"),
    "decks-destroyed": _("decks destroyed"),
    "cards-shuffled": _("cards shuffled"),
    "cut-made": _("cut made"),
    "carta-aviso-placed": _("warning card placed"),
    "card-burned": _("card burnt"),
    "last-round-announced": _("last round announced"),
    "cards-spread": _("cards spread"),
    "play-interrupted": _("play interrupted"),
    "play-resumed": _("play resumed"),
    "shuffler-registered": _("shuffler registered"),
    "shuffler-loaded": _("shuffler loaded"),
    "shuffler-unloaded": _("shuffler unloaded"),
    "shuffler-opened": _("shuffler opened"),
    "shuffler-found-empty": _("shuffler looked through"),
    "rounds-deferred": _("cards not put back yet"),
    "witnessed": _("witnessed"),
    "witness-failed": _("confirmation that failed"),
    "witness-unlocked": _("witness let in again"),
    "passkey-registered": _("passkey registered"),
    "passkey-revoked": _("passkey revoked"),
    "round-played": _("round played"),
    "incident-reported": _("incident reported"),
    "incident-step": _("step of an incident"),
    "incident-closed": _("incident closed"),
    "complaint-received": _("complaint received"),
    "dispute-reviewed": _("dispute reviewed"),
    "complaint-decided": _("complaint decided"),
    "notice-sent": _("notice sent"),
    "footage-held": _("recordings kept"),
    "jackpot-incremented": _("jackpot incremented"),
    "corrected": _("correction decided"),
    "erased": _("private value erased"),
    "shelf-rebuilt": _("shelf rebuilt"),
    "signing-key-named": _("signing key named"),
    "epoch-begun": _("new epoch begun"),
    "epoch-approved": _("new epoch approved"),
    "schema-recorded": _("schema of the database recorded"),
    "book-restored": _("lost entries put back"),
    "book-verified": _("book verified"),
    "export-made": _("copy of the book handed out"),
    "reconciliation-started": _("reconciliation started"),
    "reconciliation-finished": _("reconciliation finished"),
    "finding-raised": _("finding raised"),
    "finding-superseded": _("finding superseded"),
}


def kind_word(kind: str) -> str:
    """What an entry of a kind is called: ``round played`` for ``round-played/1``."""
    bare = kind.split("/", 1)[0]
    return str(KINDS.get(bare, bare.replace("-", " ")))
