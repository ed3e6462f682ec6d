"""One key after another: two persons name the new one, both sign, then the old one goes."""

from casino.signer import keyring
from casino.signer.last import Last
from casino.signer.signer_book import Book
from casino.signer.signer_places import Places
from casino.signer.signer_trouble import Trouble
from casino.signer.two_persons import keys_named
from casino.tlog.note import SigningKey, parse_note, valid_signatures


def retire(at: Places, book: Book, own: Last, number: str) -> None:
    """Destroy a key's private half, once another signs that two persons named in its place.

    Raises: Trouble, with what is missing; Refused, psycopg.Error, OSError.
    """
    keys = {keyring.number(key): key for key in keyring.load(at)}
    if number not in keys:
        raise Trouble(f"No key {number} signs; there are {', '.join(keys)}.")
    others = [key for other, key in keys.items() if other != number]
    if not others:
        raise Trouble(f"{number} is the only key: `key new` makes one beside it first.")
    if not any(is_named(book, own, key, keys[number]) for key in others):
        wanted = "\n".join(f"  {key.verifier().text()}" for key in others)
        raise Trouble(
            f"{number} is still needed: no checkpoint that it signed beside another key covers a"
            " signing-key-named/2 for that key that names it as the one replaced, and a second"
            " person's approval of it (house-act-decided/1). The administrator records one for one"
            f" of these:\n{wanted}\nwith, as the key it replaces:\n"
            f"  {keys[number].verifier().text()}\nSomebody of the management approves it. The"
            " checkpoint follows within seconds."
        )
    keyring.put_away(at, keys[number])


def is_named(
    book: Book, own: Last, signing_key: SigningKey, signing_key_before: SigningKey
) -> bool:
    """Whether two persons named a key in the place of the one before, in a tree that both signed.

    Without that word a verifier would believe the one before for ever.
    """
    if not own.size:
        return False
    both = (signing_key.verifier(), signing_key_before.verifier())
    if len(valid_signatures(parse_note(own.note), both)) != len(both):
        return False
    return (both[0].text(), both[1].text()) in keys_named(book, own.size)
