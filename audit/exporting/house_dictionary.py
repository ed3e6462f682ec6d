"""What the tables of a whole copy mean: a Data Package for programs, a list of columns for people.

A Data Package (datapackage.json): https://datapackage.org, version 2.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.utils import translation
from django.utils.functional import Promise

from audit.exporting.house_tables import Column, HouseTable

PORTUGUESE: Final = "pt-pt"
ENGLISH: Final = "en"
# What a number counts, by how its column's name ends, in Portuguese and English.
_UNITS: Final = {
    "_microcents": ("milionésimos de cêntimo de euro", "millionths of a cent of a euro"),
    "_cents": ("cêntimos de euro", "cents of a euro"),
    "_millionths": ("milionésimos", "millionths"),
    "_ms": ("milissegundos", "milliseconds"),
    "_bytes": ("bytes", "bytes"),
}
_MOMENT: Final = ("UTC, ISO 8601", "UTC, ISO 8601")
_DAY: Final = ("dia de jogo ou do calendário, AAAA-MM-DD", "gaming or calendar day, YYYY-MM-DD")
_JSON: Final = ("texto JSON", "JSON text")
_HEX: Final = ("algarismos hexadecimais", "hex digits")
_OF_KIND: Final = {"datetime": _MOMENT, "date": _DAY, "any": _JSON, "binary": _HEX}
_SCHEMA: Final = {"uuid": "string", "binary": "string"}
_HEAD: Final = (
    *("table", "column", "type", "unit_pt", "unit_en", "column_pt", "column_en"),
    *("table_pt", "table_en"),
)


class Written(NamedTuple):
    """A table that was written: where, how many rows and bytes, its SHA-256 (hex)."""

    table: HouseTable
    path: str
    rows: int
    size: int
    sha256: str


def data_package(written: Sequence[Written]) -> bytes:
    """The tables as a Data Package; the same tables give the same bytes."""
    value = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "livro-da-sala",
        "title": "Livro da Sala",
        "description": "LEIA-ME.txt, README.txt, dicionario.csv",
        "resources": [_resource(one) for one in written],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _resource(written: Written) -> Mapping[str, object]:
    table = written.table
    schema: dict[str, object] = {
        "fields": [_field(column) for column in table.columns],
        "missingValues": [""],
    }
    if table.key:
        schema["primaryKey"] = list(table.key)
    if table.entry:
        entries = {"resource": "book_entry", "fields": ["id"]}
        schema["foreignKeys"] = [{"fields": [table.entry], "reference": entries}]
    return {
        "name": table.name,
        "type": "table",
        "title": _in(PORTUGUESE, table.label),
        "description": _in(ENGLISH, table.label),
        "path": written.path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": written.size,
        "hash": f"sha256:{written.sha256}",
        "rows": written.rows,
        "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"'},
        "schema": schema,
    }


def _field(column: Column) -> Mapping[str, object]:
    unit = _unit(column)[1]
    english = _in(ENGLISH, column.label)
    values = {
        "name": column.name,
        "type": _SCHEMA.get(column.kind, column.kind),
        "title": _in(PORTUGUESE, column.label),
        "description": f"{english} ({unit})" if unit else english,
    }
    if column.kind == "uuid":
        values["format"] = "uuid"
    return values


def dictionary(tables: Sequence[HouseTable]) -> bytes:
    """Every column of every table, for people: CSV, both languages."""
    kept = io.StringIO()
    lines = csv.writer(kept, lineterminator="\n")
    lines.writerow(_HEAD)
    for table in tables:
        named = (_in(PORTUGUESE, table.label), _in(ENGLISH, table.label))
        for column in table.columns:
            said = (_in(PORTUGUESE, column.label), _in(ENGLISH, column.label))
            lines.writerow((table.name, column.name, column.kind, *_unit(column), *said, *named))
    return kept.getvalue().encode()


def _unit(column: Column) -> tuple[str, str]:
    named = (unit for ending, unit in _UNITS.items() if column.name.endswith(ending))
    return _OF_KIND.get(column.kind) or next(named, ("", ""))


def _in(language: str, label: str | Promise) -> str:
    with translation.override(language):
        return str(label)
