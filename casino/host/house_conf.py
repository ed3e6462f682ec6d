"""What differs from house to house: ``/etc/livro-da-sala/house.conf``, read strictly.

A line is ``NAME = value``; what begins with # is a comment. A value never ends half-written: what
looks like an example, an unclosed quotation mark or a placeholder is refused with its line.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from casino.host.host_trouble import Trouble
from casino.host_findings import Text

Judge = Callable[[str], bool]
_NAME: Final = re.compile(r"(?=.{1,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}")
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


def _hosts(value: str) -> bool:
    return all(_host(each) for each in value.split(","))


@dataclass(frozen=True, slots=True)
class Setting:
    """A line of house.conf: what it is for, what it has to look like, and whether it must be there."""

    name: str
    what: Text
    fits: Judge = _anything
    looks: Text = Text("texto", "text")
    must: bool = False
    default: str = ""


_LOOKS_HOST: Final = Text("um nome como livro.casino.pt, em minúsculas, sem porta",
                          "a name as livro.casino.pt, in small letters, without a port")
_LOOKS_PATH: Final = Text("um caminho que começa por /", "a path that begins with /")
_LOOKS_NUMBER: Final = Text("um número de 1 a 65535", "a number from 1 to 65535")
_LOOKS_HOSTS: Final = Text("nomes separados por vírgulas, sem espaços",
                           "names with commas between, without spaces")

SETTINGS: Final = (
    Setting("HOUSE", Text("O nome por que os navegadores conhecem a casa.",
                          "The name browsers know the house by."), _host, _LOOKS_HOST, must=True),
    Setting("LOG_ORIGIN", Text("O nome do registo assinado; depois da primeira assinatura não muda.",
                               "The signed log's name; after its first signature it never changes."),
            _origin, Text("um nome como book.casino.pt/sala/1", "a name as book.casino.pt/sala/1"),
            must=True),
    Setting("CASINO_NAME", Text("De quem são os relatórios e as cartas.",
                                "Whose reports and letters these are."), must=True),
    Setting("CONCESSION_HOLDER", Text("A concessionária.", "Who holds the concession."), must=True),
    Setting("CASINO_PLACE", Text("Onde as cartas são escritas.", "Where letters are written."),
            must=True),
    Setting("INSPECTION_SERVICE", Text("Noutro país: o serviço de inspeção.",
                                       "In another country: its inspection service.")),
    Setting("BACKUP_TO", Text("Onde ficam as cópias e o WAL, fora desta máquina (pasta montada).",
                              "Where backups and WAL lie, off this machine (a mounted folder)."),
            _path, _LOOKS_PATH, default="/var/backups/livro-da-sala"),
    Setting("BACKUP_DAYS", Text("Durante quantos dias se guardam.", "For how many days they are kept."),
            _number, _LOOKS_NUMBER, default="30"),
    Setting("CERTIFICATE", Text("O certificado do servidor web (PEM, com os intermédios).",
                                "The web server's certificate (PEM, with those above it)."),
            _path, _LOOKS_PATH),
    Setting("CERTIFICATE_KEY", Text("A chave desse certificado.", "That certificate's key."),
            _path, _LOOKS_PATH),
    Setting("MAIL_HOST", Text("O servidor de correio.", "The mail server."), _host, _LOOKS_HOST),
    Setting("MAIL_PORT", Text("A sua porta.", "Its port."), _number, _LOOKS_NUMBER),
    Setting("MAIL_USER", Text("O utilizador.", "The user.")),
    Setting("MAIL_TLS", Text("starttls ou tls.", "starttls or tls."),
            lambda value: value in ("starttls", "tls"), Text("starttls ou tls", "starttls or tls")),
    Setting("MAIL_FROM", Text("O remetente.", "The sender."), lambda value: "@" in value,
            Text("um endereço de correio", "a mail address")),
    Setting("TSA_URL", Text("A autoridade de selos temporais.", "The time-stamping authority.")),
    Setting("TSA_CERTIFICATES", Text("Os certificados dela (PEM).", "Its certificates (PEM)."),
            _path, _LOOKS_PATH),
    Setting("SEAL_CRLS", Text("Pasta das listas de certificados revogados.",
                              "Folder of the lists of revoked certificates."), _path, _LOOKS_PATH),
    Setting("WEBHOOK_HOSTS", Text("Os servidores que podem ser avisados.",
                                  "The hosts webhooks may go to."), _hosts, _LOOKS_HOSTS),
    Setting("MIRROR_OPEN", Text("1: o ponto de controlo é de todos.", "1: the checkpoint is everybody's."),
            lambda value: value in ("0", "1"), Text("0 ou 1", "0 or 1")),
)  # fmt: skip
BY_NAME: Final[Mapping[str, Setting]] = {one.name: one for one in SETTINGS}


def read(text: str, where: str) -> dict[str, str]:
    """The settings of a file, defaults filled in. Raises: Trouble, for each thing wrong, a line each."""
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
        Text(f"{where}: falta {one.name}: {one.what.pt}", f"{where}: {one.name} is missing: {one.what.en}")
        for one in SETTINGS
        if one.must and not found.get(one.name)
    ]  # fmt: skip
    if bool(found.get("CERTIFICATE")) != bool(found.get("CERTIFICATE_KEY")):
        wrong.append(Text(f"{where}: CERTIFICATE e CERTIFICATE_KEY vão juntos: indique os dois ou nenhum.",
                          f"{where}: CERTIFICATE and CERTIFICATE_KEY go together: name both or neither."))  # fmt: skip
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
        yield Text(f"{place}: {name} não é conhecido; há: {known}.",
                   f"{place}: {name} is not known; there are: {known}.")  # fmt: skip
    elif name in before:
        yield Text(f"{place}: {name} está duas vezes: apague uma.",
                   f"{place}: {name} stands there twice: remove one.")  # fmt: skip
    elif not value and not setting.must:
        return
    elif not value:
        return  # said with what is missing
    elif _HALF.search(value) or value.count('"') + value.count("'") == 1 and name != "CASINO_NAME":
        yield Text(f"{place}: {name} não está acabado: {value!r}. Escreva o valor ou apague a linha.",
                   f"{place}: {name} is half-written: {value!r}. Write the value or remove the line.")  # fmt: skip
    elif any(ord(sign) < 32 for sign in value) or not setting.fits(value):
        yield Text(f"{place}: {name} = {value!r}; esperado: {setting.looks.pt}.",
                   f"{place}: {name} = {value!r}; expected: {setting.looks.en}.")  # fmt: skip


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
