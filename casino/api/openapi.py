"""The API's description in OpenAPI 3.1, made of the events' one declaration.

Written to docs/openapi.json (``manage.py spectacular --format openapi-json --file ...``), where a
test holds it; `views` add what they answer by `ApiView.operation`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Protocol, cast

from drf_spectacular.openapi import AutoSchema

from casino.api.api_resources import resources
from casino.api.machine_tokens import SCOPES
from casino.cards import CODES
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Items, Object, Plain, Shape, fields_of, parts_of
from casino.events.values import Card, Day, Figures, Instant, OneOf, Spelled, Text, Truth, Whole
from casino.reading import round_reader

Json = Mapping[str, object]
_ROUND: Final = Path(round_reader.__file__).with_name("round_schema.json")
_REF: Final = "#/components/schemas/"
UUID: Final[Json] = {"type": "string", "format": "uuid"}
MOMENT: Final[Json] = {"type": "string", "format": "date-time"}
_TEXT: Final[Json] = {"type": "string"}
_WHOLE: Final[Json] = {"type": "integer"}
_ANYTHING: Final[Json] = {"type": "object"}
_PERHAPS: Final[Json] = {"type": ["object", "null"]}
EXAMPLE_TABLE: Final = "BJ-06"
EXAMPLE_DAY: Final = "2026-11-20"
_SPELT: Final = {
    "code": EXAMPLE_TABLE, "word": "word", "uuid": "0197a3c2-0000-7000-8000-000000000001",
    "sha256": "0" * 64, "stream": f"table/{EXAMPLE_TABLE}", "kind": "card-burned/1",
    "base64url": "AA", "partida": f"{EXAMPLE_TABLE}/{EXAMPLE_DAY}/1", "case": "CST-2026-000123",
}  # fmt: skip

EXAMPLE_ROUND: Final[Json] = {
    "schema": "round/1",
    "round": _SPELT["uuid"],
    "table": EXAMPLE_TABLE,
    "partida": _SPELT["partida"],
    "shoe": 1,
    "number": 1,
    "boxes": [
        {
            "box": 1,
            "vacant": False,
            "holder": "J1",
            "hands": [{"hand": 1, "cards": ["TS", "8D"], "actions": ["stand"]}],
            "wagers": [
                {"owner": "J1", "kind": "main", "hand": 1}
                | {"stake_cents": 1_000, "returned_cents": 2_000}
            ],
        }
    ],
    "bank": {"cards": ["TH", "7C"], "voided": []},
    "misdealt": [],
}


def object_schema(required: Sequence[str] = (), /, **properties: Json) -> dict[str, object]:
    """An object of these fields and no other."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": sorted(required),
        "properties": properties,
    }


def list_of(items: Json, **more: object) -> dict[str, object]:
    """A list."""
    return {"type": "array", "items": items, **more}


def schema_of(kind: type) -> dict[str, object]:
    """The schema of an event or a part, of its fields."""
    fields = fields_of(kind)
    properties: dict[str, Json] = {}
    for field in fields:
        shape = dict(_schema(field.shape))
        if field.private:
            shape["description"] = "Private: the book holds a commitment, and shows no more."
        properties[field.name] = shape
    return object_schema([one.name for one in fields if one.required], **properties)


def _schema(shape: Shape) -> Json:
    match shape:
        case Object():
            return ref(shape.type.__name__)
        case Items():
            once = {"uniqueItems": True} if shape.listed.once or shape.listed.rising else {}
            return list_of(_schema(shape.of), maxItems=shape.listed.most, **once)
    return _plain(shape)


def _plain(shape: Plain) -> Json:
    match shape.form:
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case OneOf(words):
            return {"type": "string", "enum": list(words)}
        case Truth():
            return {"type": "boolean"}
        case Spelled() as spelled:
            return {"type": "string", "pattern": f"^{spelled.pattern}$"}
        case Card():
            return ref("Card")
        case Text(longest):
            return {"type": "string", "minLength": 1, "maxLength": longest}
        case Instant():
            return MOMENT
        case Day():
            return {"type": "string", "format": "date"}
        case Figures():
            return _ANYTHING
    raise TypeError(f"{shape.form} has no schema")


def example_of(kind: type) -> dict[str, object]:
    """What is always told of an event, as it might be: of the right form, and of one table."""
    return {one.name: _example(one.shape) for one in fields_of(kind) if one.required}


def _example(shape: Shape) -> object:
    match shape:
        case Object():
            return example_of(shape.type)
        case Items():
            return [_example(shape.of)]
    match shape.form:
        case Whole(low, _high):
            return max(low, 1)
        case OneOf(words):
            return words[0]
        case Spelled(name):
            return _SPELT.get(name, "")
        case Card():
            return "AS"
        case Text():
            return "text"
        case Instant():
            return f"{EXAMPLE_DAY}T21:15:00Z"
        case Day():
            return EXAMPLE_DAY
        case Truth():
            return True
    return {}


@cache
def round_schemas() -> dict[str, Json]:
    """The round record's schema and its parts, by their names among the components."""
    text = _ROUND.read_text("utf-8")
    text = re.sub(r'"#/\$defs/(\w+)"', rf'"{_REF}Round_\1"', text)
    whole = cast("dict[str, object]", json.loads(text))
    parts = cast("dict[str, Json]", whole.pop("$defs"))
    for name in ("$schema", "$id"):
        del whole[name]
    return {"Round": whole, **{f"Round_{name}": part for name, part in parts.items()}}


def ref(name: str) -> Json:
    """One of the components."""
    return {"$ref": _REF + name}


FINDING: Final = object_schema(
    ("check", "severity", "rulebook", "article", "cited", "statement", "heading"),
    **dict.fromkeys(
        ("check", "severity", "rulebook", "article", "cited", "statement", "heading"), _TEXT
    ),
    **dict.fromkeys(("where", "observed", "expected"), _ANYTHING),
    owed_cents=_WHOLE,
)
RECEIPT: Final = object_schema(
    ("entry", "stream", "n", "leaf", "recorded_at", "repeated"),
    entry=UUID,
    stream=_TEXT,
    n=_WHOLE,
    leaf=_TEXT,
    recorded_at=MOMENT,
    repeated={"type": "boolean"},
)
RECORDED: Final = object_schema(
    (*cast("list[str]", RECEIPT["required"]), "findings"),
    **cast("dict[str, Json]", RECEIPT["properties"]),
    findings=list_of(ref("Finding")),
    witness_asked_by=_TEXT,
)
ENTRY: Final = object_schema(
    ("entry", "kind", "stream", "n", "leaf", "occurred_at", "recorded_at", "gaming_day"),
    entry=UUID,
    kind=_TEXT,
    stream=_TEXT,
    n=_WHOLE,
    leaf=_TEXT,
    occurred_at=MOMENT,
    recorded_at=MOMENT,
    gaming_day={"type": "string", "format": "date"},
    standing=_TEXT,
    **dict.fromkeys(("who", "supersedes", "event"), _PERHAPS),
)
PAGE: Final = object_schema(
    ("items", "cursor", "more"),
    items=list_of(ref("Entry")),
    cursor=_TEXT,
    more={"type": "boolean"},
)
SUPERSEDES: Final = object_schema(
    ("n", "leaf", "reason"),
    n={"type": "integer", "minimum": 1},
    leaf={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    reason={"type": "string", "pattern": "^[A-Za-z0-9._-]{1,40}$"},
)
PROBLEM: Final[Json] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        **dict.fromkeys(("type", "title", "detail"), _TEXT),
        "status": _WHOLE,
        "errors": list_of(
            {
                "type": "object",
                "required": ["pointer", "code"],
                "properties": {
                    **dict.fromkeys(("pointer", "code", "expected", "detail"), _TEXT),
                    "found": {},
                },
            }
        ),
    },
}


def components() -> dict[str, object]:
    """What the operations refer to, and how one is let in."""
    kinds = [one.event for one in resources() if one.event is not RoundPlayed]
    parts = {part.__name__: part for kind in kinds for part in (kind, *parts_of(kind))}
    flows = {
        "clientCredentials": {
            "tokenUrl": "/api/token",
            "scopes": dict(SCOPES),
        }
    }
    return {
        "schemas": {
            "Finding": FINDING,
            "Receipt": RECEIPT,
            "Recorded": RECORDED,
            "Entry": ENTRY,
            "Page": PAGE,
            "Supersedes": SUPERSEDES,
            "Problem": PROBLEM,
            "Card": {"type": "string", "enum": sorted(CODES)},
            **{part.__name__: schema_of(part) for part in parts.values()},
            **round_schemas(),
        },
        "parameters": _parameters(),
        "responses": {
            "Problem": {
                "description": "RFC 9457",
                "content": {"application/problem+json": {"schema": ref("Problem")}},
            }
        },
        "securitySchemes": {
            "machine": {"type": "oauth2", "flows": flows},
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "__Host-sessionid",
                "description": "`__Host-sessionid` behind TLS; `sessionid` on a trial without.",
            },
        },
    }


def with_components(
    result: dict[str, object], generator: object, request: object, public: bool
) -> dict[str, object]:
    """The description with its components (drf-spectacular's hook)."""
    return result | {"components": components()}


def answers(status: int, schema: Json) -> dict[str, object]:
    """What an operation answers: this, and else a problem."""
    found = {"description": "", "content": {"application/json": {"schema": schema}}}
    return {str(status): found, "default": {"$ref": "#/components/responses/Problem"}}


def body_of_json(schema: Json, example: object) -> dict[str, object]:
    """What an operation is sent."""
    content = {"application/json": {"schema": schema, "example": example}}
    return {"required": True, "content": content}


def asked(*names: str) -> list[Json]:
    """Parameters of these names, as `components` has them."""
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def texts_asked(*names: str) -> list[Json]:
    """Parameters of an address that no list of records has."""
    return [_parameter(name, "query", _TEXT) for name in names]


def _parameters() -> dict[str, Json]:
    """Every parameter: headers of what is sent, filters of the lists, an entry's id."""
    lists = [one.listed for one in resources() if one.listed is not None]
    filters = {name for one in lists for of in one.list_filter for name in of.parameters}
    number = {"type": "integer", "minimum": 1}
    return {
        "entry_id": _parameter("entry_id", "path", UUID, required=True),
        "entry": _parameter("entry", "query", UUID, required=True),
        "digest": _parameter(
            "digest", "path", {"type": "string", "pattern": "^[0-9a-f]{64}$"}, required=True
        ),
        "Idempotency-Key": _parameter("Idempotency-Key", "header", UUID, required=True),
        "Message-Number": _parameter("Message-Number", "header", number),
        "Message-Sent-At": _parameter("Message-Sent-At", "header", MOMENT),
        "limit": _parameter("limit", "query", number | {"maximum": 500}),
        "cursor": _parameter("cursor", "query", {"type": "string", "pattern": "^-?[0-9]{1,18}$"}),
        **{name: _parameter(name, "query", _TEXT) for name in sorted(filters | {"q"})},
    }


def _parameter(name: str, place: str, schema: Json, *, required: bool = False) -> Json:
    return {"name": name, "in": place, "required": required, "schema": schema}


class Described(Protocol):
    """A view that says of each of its ways what it is sent and answers."""

    def operation(self, method: str) -> dict[str, object]:
        """The operation, as OpenAPI has it."""

    def post_scope(self) -> str:
        """What a machine's token must hold to send something here."""


class ApiSchema(AutoSchema):
    """An operation as its view describes it."""

    def get_operation(
        self,
        path: str,
        path_regex: str,
        path_prefix: str,
        method: str,
        registry: object,
    ) -> dict[str, object]:
        """The operation."""
        view: Described = self.view
        reads = method.upper() == "GET"
        scope = "read" if reads else view.post_scope()
        name = re.sub(r"\W+", "_", path.removeprefix("/api/v1/")).strip("_")
        return {
            "operationId": f"{method.lower()}_{name}",
            "tags": [path.removeprefix("/api/v1/").partition("/")[0]],
            "security": [*([{"machine": [scope]}] if scope else []), {"session": []}],
            **view.operation(method),
        }
