"""Why the writer says no. Never because an act was unlawful: that is recorded, and found."""

from typing import Any, ClassVar, Final

from casino.events.phrases import Phrase

# Why a confirmation is refused: msgids of their own.
NO_SUCH_ACT: Final = Phrase("the act it names is not in the book.")
ANOTHER_KIND: Final = Phrase("it names an act of another kind.")
ANOTHER_TABLE: Final = Phrase("it names another table or game than the act's.")
NOT_ONES_OWN: Final = Phrase("nobody confirms in another's name.")
OWN_ACT: Final = Phrase("whoever acted cannot witness his own act.")
TOO_LATE: Final = Phrase("it came after its time had run out.")
USED_ALREADY: Final = Phrase("it was used already.")
CORRECTED_SINCE: Final = Phrase("the act was corrected meanwhile: confirm the correction.")
OWN_PASSKEY: Final = Phrase("everybody registers his own passkey.")
KNOWN_PASSKEY: Final = Phrase("this passkey is registered already.")
NO_SUCH_PASSKEY: Final = Phrase("this person has no such passkey, or it was revoked before.")
ANOTHERS_PASSKEY: Final = Phrase("a passkey is revoked by its holder, or by management.")
OWN_LOCK: Final = Phrase("nobody unlocks himself.")
NOT_WAITING: Final = Phrase("there is no such correction waiting.")
SECOND_PERSON: Final = Phrase("a correction is decided by a second person.")
WITNESSED_IT: Final = Phrase("whoever confirmed the act does not decide on its correction.")
DECIDED_IT: Final = Phrase("whoever approved a correction does not confirm it too.")
DECIDED_ALREADY: Final = Phrase("the correction was decided already.")
WITHDRAWN_SINCE: Final = Phrase("the act was withdrawn meanwhile: there is nothing to confirm.")
APPROVED_ALREADY: Final = Phrase("the epoch was approved already.")
ACT_DECIDED: Final = Phrase("the act was decided on already.")

# Why somebody does not decide on what was asked for.
HIS_OWN: Final = Phrase("another person decides than asked for it, and than it is about.")
NO_ADMINISTRATOR: Final = Phrase(
    "of an inspector's or an auditor's office or log-in one of the two is an administrator."
)
OF_DIRECTION: Final = Phrase(
    "a correction of this office is decided by the chefia da sala, as the office itself is."
)


class Refused(Exception):
    """Nothing was stored. `reason` says why, in any language a door speaks (`said`).

    `place` is the submission's place in its batch, from 0; `values` what the reason tells of.
    """

    template: ClassVar[Phrase]

    def __init__(self, *, place: int = 0, **values: Any) -> None:
        self.values = values
        self.place = place
        self.reason = Phrase(self.template, **values)
        super().__init__(self.reason)


class KeyReused(Refused):
    """The key names another record already: the same key with the same record is no error."""

    template = Phrase(
        "The key {key} already names another record ({kind}, {stream} number {n})."
        " A new record needs a new key; the same record sent again must not differ in anything."
    )


class NotAllowed(Refused):
    """Whoever asks does not hold an office that may write this."""

    template = Phrase(
        "{staff} writes as {office}, and a record of the kind {kind} is written by: {offices}."
        " Ask somebody who holds one of these offices to record it."
    )


class OwnOffice(Refused):
    """Nobody gives himself an office, and an inspector's only the administrator gives."""

    template = Phrase(
        "{staff} cannot give {person} the office {office}: nobody gives himself one, and an"
        " inspector's or auditor's is given by an administrator. Ask another person to record it."
    )


class UnknownNumber(Refused):
    """An office goes to a number that stands for somebody, as it is registered."""

    template = Phrase(
        "{person} is not registered (in another spelling: {spelt}), and an office is given to a"
        " registered number, as it is written there. Register it first, or give that one."
    )


class NumberOfNobody(UnknownNumber):
    """The same of a number that is registered in no other spelling either."""

    template = Phrase(
        "{person} is not registered, and an office is given to a registered number. Register it"
        " first."
    )


class OfficeBackwards(Refused):
    """A high office begins when it is recorded; only a second person lets it begin earlier."""

    template = Phrase(
        "{person} would be {office} from {found} on, which is past. This office begins when it is"
        " recorded. Give it from now on; if it really began earlier, correct that entry then: a"
        " second person decides on a correction."
    )


class LastAdministrator(Refused):
    """Without an administrator nobody could give another inspector or auditor his office."""

    template = Phrase(
        "{person} is the only administrator, and the house is never without one. Give another"
        " person the office first, without an end, and then end this one."
    )


class OfficeByTwo(Refused):
    """A high office is given and ended by two persons of the direction."""

    template = Phrase(
        "{person}: the office {office} is given and ended by two persons of the direction, and"
        " nothing was recorded. Ask for it under “Requests that two decide”; another person then"
        " approves, and it is recorded."
    )


class OwnLogin(Refused):
    """Nobody has his own log-in made anew."""

    template = Phrase(
        "{staff} asks for a new log-in of his own. Ask another person of the direction to ask for"
        " it; a third approves."
    )


class AskedAlready(Refused):
    """The same was asked for, and waits."""

    template = Phrase(
        "The same was asked for {person} already (entry {n}) and waits for another person."
        " Nothing was recorded: have that one decided."
    )


class NothingAsked(Refused):
    """No such request waits, or what is recorded with its decision is not what was asked for."""

    template = Phrase(
        "Entry {n} is no request that waits, or what would be recorded is not what it asks for."
        " Nothing was recorded: open the request's page again and decide there."
    )


class FiguresByTwo(Refused):
    """Figures of a rulebook are set by two persons of the direction."""

    template = Phrase(
        "Figures of a rulebook are set by two persons of the direction, and nothing was recorded."
        " Ask for them on the rulebook's page of readings; another person then approves, and they"
        " are recorded."
    )


class FiguresTooLate(Refused):
    """Their first day has begun: what was played is judged by what held then."""

    template = Phrase(
        "The figures were to hold from the gaming day {since}, and it is {today}: a night that has"
        " begun is judged by the figures it began with. Nothing was recorded. Refuse what was asked"
        " for and ask for a later day; what past nights would come to, a comparing run says."
    )


class DecidedByOther(Refused):
    """Who decides on a request is another person. `values['why']` says which rule failed."""

    template = Phrase("Nothing was decided: {why}")


class OwnDuty(Refused):
    """A fiscal de banca puts nobody else on duty, nor himself as another or for the whole room."""

    template = Phrase(
        "{staff} records as fiscal de banca his own duty as one, and names its tables. Ask the"
        " fiscal-chefe or the chefia da sala to record any other duty."
    )


class TooLarge(Refused):
    """The entry would pass 60 KiB."""

    template = Phrase(
        "The record has {size} bytes; an entry of the book holds at most {limit}."
        " Attach what is long as a file and record its SHA-256."
    )


class NothingToCorrect(Refused):
    """A correction names an entry that is not there, or is of another stream or kind."""

    template = Phrase(
        "There is no entry {n} of the kind {kind} in {stream} that this could correct."
        " A correction is of the same kind and in the same stream as what it corrects."
    )


class NeverCorrected(Refused):
    """A record of the book's own seal is what it is: another one is recorded beside it."""

    template = Phrase("A record of the kind {kind} is not corrected: record a new one.")


class CorrectionPending(Refused):
    """The entry has a correction already, approved or waiting for its second person."""

    template = Phrase(
        "Entry {n} of {stream} already has a correction (entry {by_n})."
        " Have that one approved or refused first, then correct what then holds."
    )


class NothingToWithdraw(Refused):
    """A withdrawal names an entry that is not there, or not of the kind or the game it says."""

    template = Phrase(
        "There is no entry {n} of the kind {kind} in {stream} that this could withdraw."
        " A withdrawal names the table and the game of what it withdraws."
    )


class NeverWithdrawn(Refused):
    """Records of that sort stay. `values['why']` says why."""

    template = Phrase("Entry {n} of {stream} ({kind}) is not withdrawn: {why}")


class WithdrawnAlready(Refused):
    """The entry was withdrawn, or its withdrawal waits for its second person."""

    template = Phrase(
        "Entry {n} of {stream} was withdrawn already, or its withdrawal waits for its second person"
        " (entry {by_n}). Nothing was recorded."
    )


class StandsInTheWay(Refused):
    """Something that counts cannot stand without the entry, and is not withdrawn with it."""

    template = Phrase(
        "Entry {n} of {stream} cannot be withdrawn while entry {by_n} of {by_stream} ({kind}) rests"
        " on it. Withdraw that one first."
    )


class NothingToErase(Refused):
    """An erasure names an entry that is not there, or a value it does not hold or no longer."""

    template = Phrase("Entry {n} of {stream} holds no private value {field} that could be erased.")


class FileErased(Refused):
    """A file that was erased comes back: what was erased stays so."""

    template = Phrase(
        "The file {digest} was attached before and erased on request: it is not kept again."
        " Record without it, or attach another version."
    )


class Busy(Refused):
    """Others write to the same streams; this one waited as long as it may."""

    template = Phrase("Others are writing at the same table. Nothing was recorded: send it again.")


class WitnessRefused(Refused):
    """A second person's confirmation that cannot stand. `values['why']` says which rule failed."""

    template = Phrase("The confirmation was not recorded: {why}")


class SecretRefused(Refused):
    """A passkey or a lock that is not his to register, revoke or open. `values['why']` says why."""

    template = Phrase("Nothing was recorded: {why}")
