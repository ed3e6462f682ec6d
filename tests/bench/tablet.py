"""A tablet on the floor as the server meets one: a browser of its own, and what a supervisor does.

A small HTTP client on asyncio's streams: the connection is kept, answers are taken gzipped, cookies
and forms are sent as the page gives them. Nothing is asked of any other address.
"""

import asyncio
import gzip
import random
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urlencode, urljoin, urlsplit

AT_MOST: Final = 60.0  # seconds for an answer
TRIES: Final = 3
_ASSET: Final = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"')


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: `wire` is how many bytes the body took on the way, `took` in seconds."""

    status: int
    headers: Mapping[str, str]
    text: str
    wire: int
    took: float

    @property
    def forms(self) -> "list[Form]":
        """The forms by which something is recorded."""
        reader = _Forms()
        reader.feed(self.text)
        return [form for form in reader.forms if form.act]

    @property
    def assets(self) -> list[str]:
        """The style sheets and scripts the page names."""
        return _ASSET.findall(self.text)


@dataclass(slots=True)
class Form:
    """A form as it stands on the page: where it goes, its fields, its buttons, its choices."""

    action: str
    act: bool
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def tapped(self, chance: random.Random) -> dict[str, str]:
        """Filled in: the first of each choice that was left open, and one of the buttons."""
        sent = dict(self.fields)
        for name, values in self.choices.items():
            sent.setdefault(name, chance.choice(values))
        named = [one for one in self.buttons if one[0]]
        if named:
            sent.update([named[0]])
        return sent


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and values.get("method") == "post":
            act = "act-form" in values.get("class", "")
            self._open = Form(values.get("action", ""), act)
            self.forms.append(self._open)
        if self._open is None or not values.get("name"):
            if tag == "option" and self._open is not None and self._select:
                if "selected" in values or self._select not in self._open.fields:
                    self._open.fields[self._select] = values.get("value", "")
            return
        self._take(tag, values)

    def _take(self, tag: str, values: dict[str, str]) -> None:
        assert self._open is not None
        name, value, kind = values["name"], values.get("value", ""), values.get("type", "")
        if name == "page_shown":
            return  # as from a page without script, read for longer than the robot reads it
        if tag == "button":
            if name != "go_back":
                self._open.buttons.append((name, value))
        elif tag == "select":
            self._select = name
        elif kind == "radio":
            if value:
                self._open.choices.setdefault(name, []).append(value)
            if "checked" in values:
                self._open.fields[name] = value
        elif tag == "textarea" or (tag == "input" and (kind != "checkbox" or "checked" in values)):
            self._open.fields[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""


class Browser:
    """One tablet's browser: a connection that is kept, cookies, and how long each answer took."""

    def __init__(
        self, host: str, port: int, session: str, tls: ssl.SSLContext | None = None, own: str = ""
    ) -> None:
        self.host, self.port, self.tls = host, port, tls
        self.own = (own, 0) if own else None  # the address it asks from
        self.cookies = {"sessionid": session, "django_language": "pt-pt"}
        self.more: dict[str, str] = {}  # headers sent beside the usual ones
        self.connections = 0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Answer:
        """Ask for a page."""
        return await self._ask("GET", path, b"")

    async def post(self, path: str, sent: Mapping[str, str]) -> Answer:
        """Send a form."""
        return await self._ask("POST", path, urlencode(sent).encode())

    async def _ask(self, method: str, path: str, body: bytes) -> Answer:
        began = time.perf_counter()
        for attempt in range(TRIES):
            try:
                async with asyncio.timeout(AT_MOST):
                    status, headers, raw = await self._once(method, path, body)
                break
            except (ConnectionError, asyncio.IncompleteReadError):
                await self.close()  # the server lets go of a connection that was idle
                if attempt == TRIES - 1:
                    raise
        took = time.perf_counter() - began
        plain = gzip.decompress(raw) if headers.get("content-encoding") == "gzip" else raw
        return Answer(status, headers, plain.decode("utf-8", "replace"), len(raw), took)

    async def _once(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if self._streams is None or self._streams[0].at_eof():
            self._streams = await asyncio.open_connection(
                self.host, self.port, ssl=self.tls, local_addr=self.own
            )
            self.connections += 1
        reader, writer = self._streams
        text = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            "Accept-Encoding: gzip",
            "Accept-Language: pt",
            f"Origin: {'https' if self.tls else 'http'}://{self.host}:{self.port}",
            *(f"{name}: {value}" for name, value in self.more.items()),
        ]
        if text:
            lines.append(f"Cookie: {text}")
        if method == "POST":
            lines += [
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return await self._answer(reader)

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
        first = await reader.readline()
        if not first:
            raise ConnectionResetError
        headers: dict[str, str] = {}
        while line := (await reader.readline()).decode("latin-1").rstrip("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition("=")
                self.cookies[cookie] = rest.partition(";")[0]
            headers[name.lower()] = value
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readline()
            await reader.readline()
        else:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            await self.close()
        return int(first.split()[1]), headers, body

    async def close(self) -> None:
        """Let go of the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def onward(answer: Answer, path: str) -> str:
    """Where a redirection leads, as a path on the same server."""
    parts = urlsplit(urljoin(path, answer.headers.get("location", path)))
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


class Supervisor:
    """Who holds the tablet: looks at the floor, at his table, at a screen, and records an act.

    What was asked is kept in `recorded` as (when, what, answer); one that the server could not give
    (500 and more) as well.
    """

    def __init__(self, browser: Browser, table: str, machine: bool, think: float) -> None:
        self.browser, self.table, self.machine, self.think = browser, table, machine, think
        self.chance = random.Random(table)
        self.recorded: list[tuple[float, str, Answer]] = []
        self.turn = 0
        self.acts = 0
        self.open: list[str] = []

    async def work(self, until: float) -> None:
        """Until the clock of the machine says so."""
        await asyncio.sleep(self.chance.uniform(0, self.think))
        while time.monotonic() < until:
            self.turn += 1
            await self.get("S1 floor", "/sala/")
            page = await self.get("table", f"/sala/{self.table}/")
            if self.turn % 3 == 0 or not page.forms:
                await self.trouble()
            else:
                other = self.chance.choice(self.screens)
                await self.get("screen", f"/sala/{self.table}/{other}/")
                page = await self.get("table", f"/sala/{self.table}/")
                await self.record(page, f"/sala/{self.table}/")
        await self.browser.close()

    @property
    def screens(self) -> tuple[str, ...]:
        """What he looks at without recording anything."""
        both = ("incident", "complaint", "close", "order")
        return (*both, "unload") if self.machine else (*both, "interrupt", "cut")

    async def trouble(self) -> None:
        """An incident is reported, or one that was is closed."""
        if self.open:
            path = f"/sala/{self.table}/incident/{self.open.pop()}/close/"
        else:
            kind = self.chance.choice(("exposed_card", "dealing_error", "conduct"))
            path = f"/sala/{self.table}/incident/?category={kind}"
        there = await self.record(await self.get("screen", path), path)
        found = re.search(r"/incident/([^/]+)/", there)
        if found and "close" not in path:
            self.open.append(found[1])

    async def record(self, page: Answer, path: str) -> str:
        """Tap the page's form; over its warnings too. Where it led, '' where nowhere."""
        for _ in range(2):
            forms = page.forms
            if not forms:
                return ""
            sent = forms[0].tapped(self.chance)
            to = urljoin(path, forms[0].action) if forms[0].action else path
            warned = "over" in sent
            page = await self.post("POST over a warning" if warned else "POST", to, sent)
            if page.status in (302, 303):
                self.acts += 1
                there = onward(page, to)
                await self.get("told", there)
                return there
            path = to
            if "over" not in (page.forms[0].fields if page.forms else {}):
                return ""  # refused: somebody else was first, or a field is missing
        return ""

    async def get(self, what: str, path: str) -> Answer:
        """A page, and the time to read it."""
        began = time.monotonic()
        answer = await self.browser.get(path)
        return await self._seen(began, what, answer)

    async def post(self, what: str, path: str, sent: Mapping[str, str]) -> Answer:
        """A form."""
        began = time.monotonic()
        answer = await self.browser.post(path, sent)
        return await self._seen(began, what, answer)

    async def _seen(self, began: float, what: str, answer: Answer) -> Answer:
        self.recorded.append((began, what, answer))
        redirected = answer.status in (302, 303)
        if self.think and not redirected:
            await asyncio.sleep(self.chance.uniform(0.5, 1.5) * self.think)
        return answer
