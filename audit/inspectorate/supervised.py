"""What the inspectorate is told: its name and key, the casinos it looks after, other witnesses."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from casino.bounded_http import refuse_unsafe
from casino.tlog.note import ED25519, SigningKey, VerifierKey
from casino.tlog.strict import Unreadable

SETTINGS: Final = "inspectorate.toml"
KEY: Final = "witness.key"
LISTEN: Final = "127.0.0.1:8190"


class BadSettings(ValueError):
    """The settings, or what was typed, cannot be used. The sentence says what is wrong."""


@dataclass(frozen=True, slots=True)
class Casino:
    """A log that is followed: the keys that may sign it, where it is read, with which token."""

    origin: str
    keys: tuple[VerifierKey, ...]
    url: str
    token: str


@dataclass(frozen=True, slots=True)
class Inspectorate:
    """A folder with the settings, the key and what was mirrored. Raises: BadSettings."""

    home: Path
    key: SigningKey
    listen: tuple[str, int]
    casinos: dict[str, Casino]
    others: tuple[str, ...]  # prefixes under which other witnesses show what they were shown

    @classmethod
    def open(cls, home: Path) -> Self:
        """Read a folder that `begin` made."""
        try:
            read_here = tomllib.loads((home / SETTINGS).read_text("utf-8"))
            key = SigningKey.parse((home / KEY).read_text("utf-8").strip())
            host, _, port = str(read_here.get("listen", LISTEN)).rpartition(":")
            if not host or not 0 <= int(port) <= 65_535:
                raise BadSettings("listen is an address and a port, as 127.0.0.1:8190")
            casinos = [_casino(one, home) for one in read_here.get("casino", ())]
            others = tuple(str(one) for one in read_here.get("witnesses", ()))
            for each in others:
                refuse_unsafe(each)
            listed = {one.origin: one for one in casinos}
            if len(listed) < len(casinos):
                raise BadSettings("one casino stands there twice")
            return cls(home, key, (host, int(port)), listed, others)
        except FileNotFoundError as error:
            raise BadSettings(f"{error.filename} is not there: `init` makes it") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadSettings(f"{home / SETTINGS}: {error}") from error


def _casino(section: dict[str, object], home: Path) -> Casino:
    texts = section["keys"]
    if not isinstance(texts, list) or not texts:
        raise BadSettings("a casino's keys are a list of at least one")
    keys = tuple(VerifierKey.parse(str(each)) for each in texts)
    if len({key.name for key in keys}) > 1 or any(key.algorithm != ED25519 for key in keys):
        raise BadSettings(f"{keys[0].name}: the keys of a log bear its name")
    url = str(section["url"])
    refuse_unsafe(url)
    file = section.get("token_file")
    token = (home / str(file)).read_text("utf-8").strip() if file else ""
    return Casino(keys[0].name, keys, url, token)


def begin(home: Path, name: str) -> None:
    """Make a folder, its key and its settings. Raises: BadSettings, where one is there already."""
    if (home / SETTINGS).exists() or (home / KEY).exists():
        raise BadSettings(f"{home} is an inspectorate's folder already")
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        key = SigningKey.generate(name)
    except Unreadable as error:
        raise BadSettings(str(error)) from error
    _write(home / KEY, f"{key.text()}\n")
    _write(home / SETTINGS, f'listen = "{LISTEN}"\nwitnesses = []  # other witnesses, to compare\n')


def add(home: Path, key: str, url: str, token_file: str) -> Casino:
    """Put a casino at the end of the settings. Raises: BadSettings."""
    known = Inspectorate.open(home)
    listed: dict[str, object] = {"keys": [key], "url": url}
    lines = ["", "[[casino]]", f'keys = ["{key}"]', f'url = "{url}"']
    if token_file:
        listed["token_file"] = str(Path(token_file).absolute())
        lines.append(f'token_file = "{listed["token_file"]}"')
    try:
        casino = _casino(listed, home)
    except (OSError, ValueError) as error:
        raise BadSettings(str(error)) from error
    if casino.origin in known.casinos:
        raise BadSettings(f"{casino.origin} stands in {home / SETTINGS} already")
    if any(mark in f"{key}{url}{token_file}" for mark in '"\\\n'):
        raise BadSettings("a quotation mark, a backslash or a line feed stands in what was typed")
    with (home / SETTINGS).open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return casino


def _write(path: Path, text: str) -> None:
    held = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(held, "w", encoding="utf-8") as file:
        file.write(text)
