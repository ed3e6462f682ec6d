"""The signer's keys: files nobody else may read, or on a token; and what is left of old ones."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from casino.signer.signer_files import (
    PRIVATE,
    PUBLIC,
    exposed,
    make_folder,
    move,
    remove,
    sync,
    write_whole,
)
from casino.signer.signer_places import Places
from casino.signer.signer_trouble import Refused, Trouble
from casino.signer.token_keys import Token, TokenKey, make
from casino.tlog.note import SigningKey, VerifierKey
from casino.tlog.strict import Unreadable

MOST_KEYS: Final = 8  # that sign side by side
MOST: Final = 1000  # bytes of a key's file


def load(places: Places) -> tuple[SigningKey, ...]:
    """The keys that sign, the oldest first; none, where all that are left wait for two persons.

    Raises: Refused, where others may read one, where one is unreadable, where there is none;
    OSError.
    """
    if not places.keys.is_dir():
        raise Refused("no-key", f"{places.keys} is not there: `python -m casino.signer init`.")
    keys = _in(places, places.keys)
    if not keys and not waiting(places):
        raise Refused("no-key", f"{places.keys} holds no key: `python -m casino.signer init`.")
    return keys


def waiting(places: Places) -> tuple[SigningKey, ...]:
    """The keys that are to sign once two persons have named them. Raises: Refused, OSError."""
    return _in(places, _waiting(places)) if _waiting(places).is_dir() else ()


def _in(places: Places, folder: Path) -> tuple[SigningKey, ...]:
    files = sorted(_files(folder), key=lambda file: (file.lstat().st_mtime_ns, file))
    for path in (places.home, places.keys, folder, *files):
        trouble = exposed(path)
        if trouble:
            raise Refused("keys-exposed", f"{trouble}. A key others could read is to be replaced.")
    return tuple(_read(file, places.token) for file in files)


def _files(folder: Path) -> list[Path]:
    return [*folder.glob("*.key"), *folder.glob("*.token")]


def are_there(places: Places) -> bool:
    """Whether there is a key that signs."""
    return bool(_files(places.keys))


def _read(file: Path, token: Token | None) -> SigningKey:
    with file.open("rb") as held:
        data = held.read(MOST)
    try:
        text = data.decode().removesuffix("\n")
        if file.suffix == ".token":
            return TokenKey(VerifierKey.parse(text), token)
        return SigningKey.parse(text)
    except (Unreadable, UnicodeDecodeError) as error:
        raise Refused("no-key", f"{file} cannot be read as a key: {error}.") from None


def vkeys(signing_keys: Iterable[SigningKey]) -> tuple[VerifierKey, ...]:
    """The public halves."""
    return tuple(key.verifier() for key in signing_keys)


def retired(places: Places) -> tuple[VerifierKey, ...]:
    """Keys that sign no more; what they signed stays valid. Raises: Refused, OSError."""
    files = sorted(_retired(places).glob("*.vkey"))
    try:
        return tuple(VerifierKey.parse(file.read_text("utf-8").strip()) for file in files)
    except ValueError as error:
        raise Refused("state-damaged", f"{_retired(places)}: {error}.") from None


def number(signing_key: SigningKey) -> str:
    """How a key is called in a command and by its file: its id, 8 hex digits."""
    return f"{signing_key.verifier().key_id:08x}"


def add(places: Places, name: str, *, waits: bool = False) -> SigningKey:
    """Make a key and keep it. It signs from the next checkpoint on; one that `waits`, once two
    persons have named it. On the token, where there is one. Raises: Trouble, Refused, OSError.
    """
    make_folder(places.keys, 0o700)
    folder = _waiting(places) if waits else places.keys
    make_folder(folder, 0o700)
    if len(_files(places.keys)) + len(_files(_waiting(places))) >= MOST_KEYS:
        raise Trouble(f"{MOST_KEYS} keys sign or wait already: retire one first.")
    key = SigningKey.generate(name) if places.token is None else make(places.token, name)
    write_whole(folder / _file(key), f"{key.text()}\n", PRIVATE)
    return key


def admit(places: Places, signing_key: SigningKey) -> None:
    """Let a key that waited sign with the others from here on. Raises: OSError."""
    move(_waiting(places) / _file(signing_key), places.keys)
    sync(places.keys)


def put_away(places: Places, signing_key: SigningKey) -> None:
    """Destroy a key's private half and keep its public one. Raises: Refused, OSError."""
    make_folder(_retired(places), 0o700)
    kept = _retired(places) / f"{number(signing_key)}.vkey"
    write_whole(kept, f"{signing_key.verifier().text()}\n", PUBLIC)
    if isinstance(signing_key, TokenKey):
        signing_key.destroy()
    remove(places.keys / _file(signing_key))


def _file(signing_key: SigningKey) -> str:
    suffix = "token" if isinstance(signing_key, TokenKey) else "key"
    return f"{number(signing_key)}.{suffix}"


def _waiting(places: Places) -> Path:
    return places.keys / "waiting"


def _retired(places: Places) -> Path:
    return places.keys / "retired"
