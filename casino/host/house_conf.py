"""What differs from house to house: ``/etc/livro-da-sala/house.conf``, read strictly.

A line is ``NAME = value``; what begins with # is a comment. A value never ends half-written: what
looks like an example, an unclosed quotation mark or a placeholder is refused with its line.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from casino.host.host_trouble import Trouble
from casino.machine.host_findings import Text

Judge = Callable[[str], bool]
_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}"
)
_HALF: Final = re.compile(r"<[^>]*>|\$\{|\.\.\.|…|\b(todo|fixme|change-?me|xxx+)\b", re.IGNORECASE)


def _anything(value: str) -> bool:
    return True


def _host(value: str) -> bool:
    return _NAME.fullmatch(value) is not None


def _origin(value: str) -> bool:
    name, _, rest = value.partition("/")
    return _host(name) and re.fullmatch(r"[a-z0-9/_-]+", rest) is not None


def _path(value: str) -> bool:
    return value.startswith("/") and ".." not in value.split("/")


def _number(value: str) -> bool:
    return value.isascii() and value.isdigit() and 1 <= int(value) <= 65_535


def _is_tls(value: str) -> bool:
    return value in ("starttls", "tls")


def _is_mail(value: str) -> bool:
    return re.fullmatch(r"[^@\s]+@[^@\s]+", value) is not None


def _is_switch(value: str) -> bool:
    return value in ("0", "1")


def _is_address(value: str) -> bool:
    return value.startswith("https://") and _host(value.removeprefix("https://").split("/")[0])


def _hosts(value: str) -> bool:
    return all(_host(each) for each in value.split(","))


# By the `kind` a setting has in house_conf.toml: who judges it, and what it has to look like.
KINDS: Final[Mapping[str, tuple[Judge, Text]]] = {
    "text": (_anything, Text("texto", "text")),
    "host": (
        _host,
        Text(
            "um nome como livro.casino.pt, em minúsculas, sem porta",
            "a name as livro.casino.pt, in small letters, without a port",
        ),
    ),
    "origin": (
        _origin,
        Text("um nome como book.casino.pt/sala/1", "a name as book.casino.pt/sala/1"),
    ),
    "path": (_path, Text("um caminho que começa por /", "a path that begins with /")),
    "number": (_number, Text("um número de 1 a 65535", "a number from 1 to 65535")),
    "hosts": (
        _hosts,
        Text(
            "nomes separados por vírgulas, sem espaços", "names with commas between, without spaces"
        ),
    ),
    "tls": (_is_tls, Text("starttls ou tls", "starttls or tls")),
    "mail": (_is_mail, Text("um endereço de correio", "a mail address")),
    "address": (
        _is_address,
        Text("um endereço que começa por https://", "an address that begins with https://"),
    ),
    "switch": (_is_switch, Text("0 ou 1", "0 or 1")),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A line of house.conf: what it is for, what judges it, and whether it must be there."""

    name: str
    what: Text
    kind: str
    must: bool
    default: str

    def fits(self, value: str) -> bool:
        """Whether it may hold this."""
        return KINDS[self.kind][0](value)

    @property
    def looks(self) -> Text:
        """What it has to look like."""
        return KINDS[self.kind][1]


def _settings() -> tuple[Setting, ...]:
    read = tomllib.loads(Path(__file__).with_name("house_conf.toml").read_text("utf-8"))
    return tuple(
        Setting(
            name,
            Text(*each["what"]),
            each["kind"],
            each.get("must", False),
            each.get("default", ""),
        )
        for name, each in read.items()
    )


SETTINGS: Final = _settings()
BY_NAME: Final[Mapping[str, Setting]] = {one.name: one for one in SETTINGS}


def read(text: str, where: str) -> dict[str, str]:
    """The settings of a file, defaults filled in. Raises: Trouble, a line for each
    thing that is wrong.
    """
    found: dict[str, str] = {}
    wrong: list[Text] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        name, equals, value = (part.strip() for part in stripped.partition("="))
        wrong += _wrong_in(f"{where}:{number}", name, equals, value, found)
        found[name] = value
    wrong += [
        Text(
            f"{where}: falta {one.name}: {one.what.pt}",
            f"{where}: {one.name} is missing: {one.what.en}",
        )
        for one in SETTINGS
        if one.must and not found.get(one.name)
    ]
    if bool(found.get("CERTIFICATE")) != bool(found.get("CERTIFICATE_KEY")):
        wrong.append(
            Text(
                f"{where}: CERTIFICATE e CERTIFICATE_KEY vão juntos: indique os dois ou nenhum.",
                f"{where}: CERTIFICATE and CERTIFICATE_KEY go together: name both or neither.",
            )
        )
    if wrong:
        raise Trouble("\n".join(one.pt for one in wrong), "\n".join(one.en for one in wrong))
    return {**{one.name: one.default for one in SETTINGS}, **found}


def _wrong_in(
    place: str, name: str, equals: str, value: str, before: Mapping[str, str]
) -> Iterator[Text]:
    """What is wrong with one line."""
    setting = BY_NAME.get(name)
    if not equals or not name:
        yield Text(f"{place}: esperado NOME = valor.", f"{place}: expected NAME = value.")
    elif setting is None:
        known = ", ".join(BY_NAME)
        yield Text(
            f"{place}: {name} não é conhecido; há: {known}.",
            f"{place}: {name} is not known; there are: {known}.",
        )
    elif name in before:
        yield Text(
            f"{place}: {name} está duas vezes: apague uma.",
            f"{place}: {name} stands there twice: remove one.",
        )
    elif not value and not setting.must:
        return
    elif not value:
        return  # said with what is missing
    elif _HALF.search(value) or value.count('"') == 1:
        yield Text(
            f"{place}: {name} não está acabado: {value!r}. Escreva o valor ou apague a linha.",
            f"{place}: {name} is half-written: {value!r}. Write the value or remove the line.",
        )
    elif any(ord(sign) < 32 for sign in value) or not setting.fits(value):
        yield Text(
            f"{place}: {name} = {value!r}; esperado: {setting.looks.pt}.",
            f"{place}: {name} = {value!r}; expected: {setting.looks.en}.",
        )


def template(given: Mapping[str, str]) -> str:
    """A house.conf with what was given on the command line filled in, and every other line to be
    found: optional ones behind a #.
    """
    house = given.get("HOUSE", "")
    known = {"LOG_ORIGIN": f"book.{house}/sala/1" if house else "", **given}
    said = [
        "# Livro da Sala: o que difere de casa para casa. Depois de mudar: make install.",
        "# What differs from house to house. After a change: make install.",
    ]
    for one in SETTINGS:
        value = known.get(one.name) or one.default
        mark = "" if value or one.must else "#"
        said += ["", f"# {one.what.pt} / {one.what.en}", f"{mark}{one.name} = {value}"]
    return "\n".join(said) + "\n"


def derived(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings as the program reads them: those of the house's name besides."""
    house = settings["HOUSE"]
    return {
        **settings,
        "ALLOWED_HOSTS": house,
        "WITNESS_DOMAIN": house,
        "HOUSE_URL": f"https://{house}",
    }
