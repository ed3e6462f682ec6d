"""The identity provider people may log in by (OpenID Connect), as the environment says; read once.

Source: docs/operations.md, "Single sign-on".
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from casino.bounded_http import refuse_unsafe
from casino.machine.environment_values import setting

# Offices people hold; a device or the program is in no directory.
GIVEN_BY_GROUPS: Final = frozenset(
    {"pagador", "fiscal_de_banca", "fiscal_chefe", "chefia_da_sala"}
    | {"inspetor", "auditor", "administrador"}
)


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """One provider: where it is, as whom the house asks it, and which claims are read.

    `second_factors` are the values of `amr` or `acr` that count as a second factor, none by
    default.
    """

    issuer: str
    client_id: str
    secret: str
    number_claim: str
    groups_claim: str
    second_factors: frozenset[str]

    @property
    def host(self) -> str:
        """What people are shown of it."""
        return self.issuer.partition("//")[2].partition("/")[0]


def provider_host() -> str:
    """What the entrances call the provider; "" where the house has none."""
    provider: IdentityProvider | None = settings.HOUSE_PROVIDER
    return provider.host if provider else ""


def directory_from_environment() -> tuple[
    IdentityProvider | None, Mapping[str, frozenset[str]], bool
]:
    """The provider, the groups of each office (DIRECTORY_OFFICES; none without a file), and whether
    a password lets in everybody or the administrador alone (PASSWORD_LOGIN).

    Raises: ImproperlyConfigured.
    """
    provider = provider_from_environment()
    everybody = setting("PASSWORD_LOGIN", "1")
    if everybody not in ("0", "1") or (everybody == "0" and provider is None):
        raise _wrong(
            "PASSWORD_LOGIN",
            everybody,
            "1, ou 0 com OIDC_ISSUER: sem fornecedor ninguém entraria",
            "1, or 0 with OIDC_ISSUER: without a provider nobody would come in",
        )
    file = setting("DIRECTORY_OFFICES")
    return provider, groups_from(Path(file)) if file else {}, everybody == "1"


def provider_from_environment() -> IdentityProvider | None:
    """The provider; None where OIDC_ISSUER names none. Raises: ImproperlyConfigured."""
    issuer = setting("OIDC_ISSUER")
    if not issuer:
        return None
    try:
        refuse_unsafe(issuer)
    except ValueError as error:
        raise _wrong(
            "OIDC_ISSUER", issuer, "um endereço https://", "an https:// address"
        ) from error
    needed = {name: setting(name) for name in _NEEDED}
    for name, value in needed.items():
        if not value:
            raise _wrong(name, "", *_NEEDED[name])
    return IdentityProvider(
        issuer=issuer,
        client_id=needed["OIDC_CLIENT_ID"],
        secret=needed["OIDC_CLIENT_SECRET"],
        number_claim=needed["OIDC_NUMBER_CLAIM"],
        groups_claim=setting("OIDC_GROUPS_CLAIM", "groups"),
        second_factors=frozenset(setting("OIDC_SECOND_FACTOR").split()),
    )


_NEEDED: Final = {
    "OIDC_CLIENT_ID": ("o nome da casa no fornecedor", "the house's name at the provider"),
    "OIDC_CLIENT_SECRET": ("o segredo dela", "its secret"),
    "OIDC_NUMBER_CLAIM": (
        "o campo do fornecedor que é o número de funcionário, e que ninguém muda por si",
        "the provider's claim that is the staff number, which nobody changes himself",
    ),
}


def groups_from(path: Path) -> dict[str, frozenset[str]]:
    """The groups of each office, of a TOML file: ``auditor = ["group", ...]``.

    Raises: ImproperlyConfigured.
    """
    try:
        read = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _wrong(
            "DIRECTORY_OFFICES", f"{path}: {error}", "um ficheiro TOML", "a TOML file"
        ) from error
    for office, groups in read.items():
        if office not in GIVEN_BY_GROUPS:
            known = ", ".join(sorted(GIVEN_BY_GROUPS))
            raise _wrong(
                "DIRECTORY_OFFICES", f"{path}: {office}", f"um cargo: {known}", f"one of {known}"
            )
        listed = isinstance(groups, list) and groups
        if not listed or not all(isinstance(one, str) and one for one in groups):
            looks = f'{office} = ["grupo"]'
            raise _wrong("DIRECTORY_OFFICES", f"{path}: {office} = {groups!r}", looks, looks)
    return {office: frozenset(groups) for office, groups in read.items()}


def _wrong(name: str, found: str, asked: str, in_english: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"{name}: encontrado {found!r}; esperado {asked}."
        f" / {name}: found {found!r}; expected {in_english}."
    )
