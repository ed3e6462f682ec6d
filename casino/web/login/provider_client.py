"""OpenID Connect with one provider: where people are sent, and who it says came back.

The code flow with state, nonce and PKCE (RFC 7636); signature and claims of the ID token are held
against the provider's keys by jwcrypto (OpenID Connect Core 1.0, 3.1.3.7). Everything is asked by
`casino.bounded_http`, anew each time: nothing of the provider is kept that it could have changed.
"""

import json
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final, NamedTuple
from urllib.parse import quote_plus, urlencode, urlsplit

from jwcrypto.common import JWException
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT

from casino.bounded_http import Answer, Site, Unanswered, ways_to
from casino.web.login.provider_settings import IdentityProvider

SECONDS: Final = 5.0  # for each of its answers
_MOST: Final = 512 * 1024  # bytes of one
_APART: Final = 60  # seconds its clock may be off ours
# Signed by a key of its own; a shared secret, or "none", is nobody's signature.
_SIGNED: Final = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
]
_MALFORMED: Final = (JWException, ValueError, TypeError, KeyError, RecursionError)
Json = dict[str, object]


class ProviderAway(Exception):
    """It did not answer, or not what the protocol asks. The sentence is for the log."""


class NotBelieved(Exception):
    """What it, or the browser, brought does not prove who somebody is. For the log too."""


class Sent(NamedTuple):
    """Where a browser is sent, and what is kept until it comes back."""

    url: str
    state: str
    nonce: str
    verifier: str


def send(provider: IdentityProvider, back: str) -> Sent:
    """Where somebody logs in who is to come back to that address. Raises: ProviderAway."""
    endpoint = str(_described(provider)["authorization_endpoint"])
    state, nonce, verifier = token_urlsafe(32), token_urlsafe(32), token_urlsafe(48)
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": back,
        "scope": "openid profile",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    joined = "&" if urlsplit(endpoint).query else "?"
    return Sent(f"{endpoint}{joined}{urlencode(asked)}", state, nonce, verifier)


def claims_of(provider: IdentityProvider, code: str, back: str, nonce: str, verifier: str) -> Json:
    """What the provider says of whoever came back with that code.

    Raises: ProviderAway; NotBelieved, where a signature, a claim or the code is not right.
    """
    described = _described(provider)
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": verifier,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    ways = described.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    if isinstance(ways, list) and "client_secret_basic" in ways:
        pair = f"{quote_plus(provider.client_id)}:{quote_plus(provider.secret)}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    else:
        fields |= {"client_id": provider.client_id, "client_secret": provider.secret}
    answer = _asked(str(described["token_endpoint"]), urlencode(fields).encode(), headers)
    if answer.status in (400, 401):
        raise NotBelieved(f"the code: {answer.body[:200]!r}")
    token = _object(answer, "the token").get("id_token")
    if not isinstance(token, str):
        raise ProviderAway("the token: no id_token")
    keys = _asked(str(described["jwks_uri"]))
    if keys.status != 200:
        raise ProviderAway(f"its keys: {keys.status}")
    return believed(provider, token, keys.body, nonce)


def believed(provider: IdentityProvider, token: str, keys: bytes, nonce: str) -> Json:
    """The claims of an ID token that proves who somebody is. Raises: NotBelieved, ProviderAway."""
    try:
        known = JWKSet.from_json(keys.decode())
    except _MALFORMED as error:
        raise ProviderAway(f"its keys: {error}") from error
    wanted = {"iss": provider.issuer, "aud": provider.client_id, "exp": None, "iat": None}
    read = JWT(algs=_SIGNED, check_claims={**wanted, "sub": None, "nonce": nonce})
    read.leeway = _APART
    try:
        read.deserialize(token, known)
        claims: Json = json.loads(read.claims)
    except _MALFORMED as error:
        raise NotBelieved(f"the ID token: {error}") from error
    now = time.time() + _APART
    if any(isinstance(at, int) and at > now for at in (claims["iat"], claims.get("nbf"))):
        raise NotBelieved("the ID token: of a time to come")
    if claims.get("azp", provider.client_id) != provider.client_id:
        raise NotBelieved("the ID token: of another client")
    if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and "azp" not in claims:
        raise NotBelieved("the ID token: for several, and it does not say for whom")
    return claims


def _described(provider: IdentityProvider) -> Json:
    """The provider's own description (OpenID Connect Discovery 1.0). Raises: ProviderAway."""
    where = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    found = _object(_asked(where), "its description")
    if found.get("issuer") != provider.issuer:
        raise ProviderAway(f"its description is of another issuer: {found.get('issuer')!r}")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        url = str(found.get(name, ""))
        parts = urlsplit(url)
        plain = url.isascii() and url.isprintable() and " " not in url
        if not plain or parts.scheme not in ways_to(parts.hostname or ""):
            raise ProviderAway(f"its description: {name} is no https:// address")
    return found


def _asked(url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    """Its answer to a GET, or to this form. Raises: ProviderAway."""
    parts = urlsplit(url)
    path = parts.path.removeprefix("/") + (f"?{parts.query}" if parts.query else "")
    try:
        with Site(f"{parts.scheme}://{parts.netloc}", seconds=SECONDS) as site:
            if body is None:
                return site.get(path, _MOST)
            return site.post(path, body, _MOST, headers or {})
    except (Unanswered, ValueError) as error:
        raise ProviderAway(str(error)) from error


def _object(answer: Answer, what: str) -> Json:
    """A JSON object it answered with. Raises: ProviderAway."""
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise ProviderAway(f"{what}: {answer.status}, no JSON") from error
    if answer.status != 200 or not isinstance(found, dict):
        raise ProviderAway(f"{what}: {answer.status}")
    return found
