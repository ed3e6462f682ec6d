"""An OpenID provider on this machine: HTTP, keys and tokens made by `cryptography` alone.

It says of whoever comes what `claims` says; what a test wants otherwise it changes there, in
`headers` of the token, or in `answers`, which stand in the place of an address's own.
"""

import hashlib
import json
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from casino.web.login.provider_settings import IdentityProvider
from tests.factories.served_log import running

CLIENT, SECRET = "livro da sala", "s3cret:+ with every/thing"
KEY, OTHER_KEY = (rsa.generate_private_key(65537, 2048) for _ in range(2))
Answer = tuple[int, bytes]


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def jwk(key: rsa.RSAPrivateKey, kid: str) -> dict[str, str]:
    """The public half, as RFC 7517 has it."""
    numbers = key.public_key().public_numbers()
    n, e = (b64(one.to_bytes((one.bit_length() + 7) // 8, "big")) for one in (numbers.n, numbers.e))
    return {"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": n, "e": e}


def signed(claims: object, key: rsa.RSAPrivateKey = KEY, **header: object) -> str:
    """A token as RFC 7515 has it, by RS256."""
    head = {"alg": "RS256", "typ": "JWT", "kid": "one", **header}
    body = ".".join(b64(json.dumps(part).encode()) for part in (head, claims))
    return f"{body}.{b64(key.sign(body.encode(), padding.PKCS1v15(), SHA256()))}"


class ServedProvider:
    """What it says: `claims` beside those it makes itself, None for one that is left out."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.claims: dict[str, Any] = {"employee": "S-0021"}
        self.key = KEY
        self.token: str | None = None  # in the place of the one it would make
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.begun: dict[str, dict[str, str]] = {}  # what was asked for, by code
        self.methods: list[str] | None = None

    def settings(self, **more: Any) -> IdentityProvider:
        """How a house knows it."""
        values: dict[str, Any] = {
            "issuer": self.url,
            "client_id": CLIENT,
            "secret": SECRET,
            "number_claim": "employee",
            "groups_claim": "groups",
            "second_factors": frozenset(),
        }
        return IdentityProvider(**(values | more))

    def answer(self, path: str, fields: dict[str, str], authorization: str) -> Answer:
        """What stands at an address."""
        self.asked.append(path)
        if path in self.answers:
            return self.answers[path]
        if path == "/.well-known/openid-configuration":
            found: dict[str, object] = {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize?realm=house",
                "token_endpoint": f"{self.url}/token?realm=house",
                "jwks_uri": f"{self.url}/keys",
            }
            if self.methods is not None:
                found["token_endpoint_auth_methods_supported"] = self.methods
            return 200, json.dumps(found).encode()
        if path == "/keys":
            return 200, json.dumps({"keys": [jwk(KEY, "one")]}).encode()
        if path == "/token":
            return self._token(fields, authorization)
        return 404, b""

    def log_in(self, url: str) -> str:
        """Where it sends a browser back to that was sent to that address."""
        fields = dict(parse_qsl(urlsplit(url).query))
        code = f"code-{len(self.begun)}"
        self.begun[code] = fields
        brought = urlencode({"code": code, "state": fields["state"]})
        return f"{fields['redirect_uri']}?{brought}"

    def _token(self, fields: dict[str, str], authorization: str) -> Answer:
        """RFC 6749, 4.1.3 and RFC 7636, 4.6: each code once, for whom it was given."""
        begun = self.begun.pop(fields.get("code", ""), None)
        if self.methods == ["client_secret_post"]:
            pair = (fields.get("client_id"), fields.get("client_secret"))
        else:
            plain = b64decode(authorization.removeprefix("Basic ")).decode()
            name, _, secret = plain.partition(":")
            pair = (unquote_plus(name), unquote_plus(secret))
        challenge = b64(hashlib.sha256(fields.get("code_verifier", "").encode()).digest())
        if pair != (CLIENT, SECRET):
            return 401, b'{"error": "invalid_client"}'
        if begun is None or begun["code_challenge"] != challenge:
            return 400, b'{"error": "invalid_grant"}'
        if begun["redirect_uri"] != fields.get("redirect_uri"):
            return 400, b'{"error": "invalid_grant"}'
        now = int(time.time())
        made = {
            "iss": self.url, "sub": "u1", "aud": CLIENT, "iat": now, "exp": now + 300,
            "nonce": begun["nonce"], **self.claims,
        }  # fmt: skip
        token = self.token
        if token is None:
            token = signed({name: one for name, one in made.items() if one is not None}, self.key)
        return 200, json.dumps({"access_token": "a", "id_token": token}).encode()


@contextmanager
def identity_provider() -> Iterator[ServedProvider]:
    """One at work; whoever is sent to it is sent back at once, as if he were logged in there."""
    provider = ServedProvider("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize" and parts.path not in provider.answers:
                self.send_response(302)
                self.send_header("Location", provider.log_in(self.path))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self._say(provider.answer(parts.path, {}, ""))

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = dict(parse_qsl(data))
            given = self.headers.get("Authorization", "")
            self._say(provider.answer(urlsplit(self.path).path, fields, given))

        def _say(self, answer: Answer) -> None:
            self.send_response(answer[0])
            self.send_header("Content-Length", str(len(answer[1])))
            self.end_headers()
            self.wfile.write(answer[1])

        def log_message(self, *_: Any) -> None:
            pass

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as url:
        provider.url = url
        yield provider
