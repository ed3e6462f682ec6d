"""A second person confirms an act with a secret of his own: what he is shown, asked, and refused.

The act was recorded before, alone; here `witnessed/1` follows it. Whoever confirms is shown one
text, and his confirmation is bound to that text, to the act's entry, to a nonce that is used once
and to a time after which it is void. His secret is his password as Django keeps it, a code of 6 to
8 digits kept as an Argon2 hash under a pepper that is not in the database, or a passkey on his own
device, whose answer stands in the book whole.

Law: PT art. 51, 54, 55.
"""

from casino.witnessing.confirming import confirm, confirm_by_passkey
from casino.witnessing.inviting import LASTS, NOT_OURS, Invitation, invite
from casino.witnessing.passkeys import (
    Registration,
    asked_of_device,
    begin_registration,
    passkeys_of,
    register,
    revoke,
)
from casino.witnessing.proving import (
    LOCKED_OUT,
    LONGEST_PIN,
    SAME_CODE,
    SHORTEST_PIN,
    SHORTEST_QUICK,
    WRONG,
    change_pin,
    change_quick_code,
    has_quick_code,
    is_quick_code,
    set_pin,
    set_quick_code,
)
from casino.witnessing.second_factor import (
    RECOVERY_CODES,
    Factor,
    address_of,
    ask_second,
    check_code,
    check_passkey,
    enrol,
    forget,
    new_recovery_codes,
    new_reset,
    new_secret,
    sealed_by,
    settle,
    use_reset,
)
from casino.witnessing.standing_in import second_person
from casino.witnessing.texts import TEXTS, can_be_witnessed, language_read, text_of
from casino.witnessing.tries import (
    FAILURES,
    FAILURES_ANYWHERE,
    FAILURES_AT_LOGIN,
    LOCKED,
    LOCKS,
    one_try,
)

__all__ = [
    "FAILURES",
    "FAILURES_ANYWHERE",
    "FAILURES_AT_LOGIN",
    "LASTS",
    "LOCKED",
    "LOCKED_OUT",
    "LOCKS",
    "LONGEST_PIN",
    "NOT_OURS",
    "RECOVERY_CODES",
    "SAME_CODE",
    "SHORTEST_PIN",
    "SHORTEST_QUICK",
    "TEXTS",
    "WRONG",
    "Factor",
    "Invitation",
    "Registration",
    "address_of",
    "ask_second",
    "asked_of_device",
    "begin_registration",
    "can_be_witnessed",
    "change_pin",
    "change_quick_code",
    "check_code",
    "check_passkey",
    "confirm",
    "confirm_by_passkey",
    "enrol",
    "forget",
    "has_quick_code",
    "invite",
    "is_quick_code",
    "language_read",
    "new_recovery_codes",
    "new_reset",
    "new_secret",
    "one_try",
    "passkeys_of",
    "register",
    "revoke",
    "sealed_by",
    "second_person",
    "set_pin",
    "set_quick_code",
    "settle",
    "text_of",
    "use_reset",
]
