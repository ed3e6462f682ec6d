"""Mistakes by structure: which function, which of its comparisons or figures, and what instead.

A change is recorded as ``what which how``, and counted in reading order within its function:

- ``> 1 to >=``, ``is 2 to is not``: a comparison, counted among those of its operator
- ``and 1 to or``, ``or 2 without 1``: a conjunction, or one of its operands left out
- ``not 1 left out``
- ``if 2 always``, ``if 2 never``: a condition (`if`, `elif`, `x if y else z`, `for x in y if z`)
- ``return 1 to None``, ``value 2 to 0``: what is returned; what is assigned
- ``number 1 plus 1``, ``number 1 minus 1``, ``number 1 to 7``, ``True 1 to False``
- ``+ 1 to -``, ``* 1 without right``, ``+= 1 to =``: arithmetic
- ``statement 3 left out``: an assignment, a call on its own, a raise, a continue, a break
- ``call 2 to argument 1``, ``call 2 without argument 3``
- ``min 1 to max``, ``any 1 to all``
- ``row 1 without 2``: an element of a list, tuple, set or dictionary written out
- ``slice 1 to all``, ``text 1 altered``
- ``SQL > 1 to >=``: a comparison in a question to the database

No local name and no line is quoted: what is renamed or written in other lines stays where it was.
"""

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

COMPARISONS: Final[dict[str, type[ast.cmpop]]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
    "is": ast.Is,
    "is not": ast.IsNot,
    "in": ast.In,
    "not in": ast.NotIn,
}
ARITHMETIC: Final[dict[str, type[ast.operator]]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "//": ast.FloorDiv,
    "/": ast.Div,
    "%": ast.Mod,
    "**": ast.Pow,
    "|": ast.BitOr,
    "&": ast.BitAnd,
    "<<": ast.LShift,
    ">>": ast.RShift,
}
SIGN: Final = {kind: sign for sign, kind in (*COMPARISONS.items(), *ARITHMETIC.items())}
# What a sampled mutant makes of each: the neighbour a tired hand would write.
OTHERWISE: Final[dict[str, tuple[str, ...]]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "//": ("*",),
    "%": ("//",),
    "+=": ("-=", "="),
    "-=": ("+=",),
    "min": ("max",),
    "max": ("min",),
    "any": ("all",),
    "all": ("any",),
    "and": ("or",),
    "or": ("and",),
    "True": ("False",),
    "False": ("True",),
}
# A comparison in a question to the database, which is a text.
SQL: Final = re.compile(r"\b(?:SELECT|WHERE|WHEN|JOIN|OR|AND)\b")
IN_SQL: Final = re.compile(r"(?<= )(?:<=|>=|<>|<|>|=)(?= )")
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
SIMPLE: Final = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.Raise,
    ast.Continue,
    ast.Break,
    ast.Delete,
)


class NoSuchPlace(LookupError):
    """There is no such function, or no such thing in it: the bug has to be recorded anew."""


class Spot(NamedTuple):
    """One thing a change may be about; `put` sets something else in its stead."""

    what: str
    at: tuple[int, int]
    node: Any
    put: Callable[[ast.AST], None]
    part: int = 0


def changed(source: str, name: str, change: str) -> ast.Module:
    """The module with one change in the function, class or constant of this (qualified) name.

    Raises: NoSuchPlace.
    """
    tree = ast.parse(source)
    what, which, how = _read(change)
    spots = [spot for spot in spots_of(scope(tree, name)) if spot.what == what]
    if not 0 < which <= len(spots):
        raise NoSuchPlace(f"{name} has {len(spots)} of {what!r}, asked is the {which}th.")
    _change(spots[which - 1], how, change)
    ast.fix_missing_locations(tree)
    return tree


def scope(tree: ast.Module, name: str) -> ast.AST:
    """The function, class or assigned name that `name` means.

    Raises: NoSuchPlace.
    """
    here: ast.AST = tree
    for part in name.split("."):
        here = _named(here, part, name)
    return here


def _named(inside: ast.AST, part: str, name: str) -> ast.AST:
    for line in getattr(inside, "body", []):
        if isinstance(line, (*FUNCTIONS, ast.ClassDef)) and line.name == part:
            return line
        targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == part for each in targets):
            return line  # type: ignore[no-any-return]
    raise NoSuchPlace(f"There is no {name}.")


def names(tree: ast.Module) -> Iterator[str]:
    """Every function, method and constant of a module, as `scope` takes them."""
    for line in tree.body:
        yield from _names(line, "")


def _names(line: ast.stmt, before: str) -> Iterator[str]:
    if isinstance(line, FUNCTIONS):
        yield before + line.name
    elif isinstance(line, ast.ClassDef):
        for inner in line.body:
            yield from _names(inner, f"{before}{line.name}.")
    elif isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value:
        yield before + line.target.id


def spots_of(inside: ast.AST) -> list[Spot]:
    """All that may be changed, in reading order."""
    return sorted(_spots(inside), key=lambda spot: spot.at)


def _spots(inside: ast.AST) -> Iterator[Spot]:
    for field, value in ast.iter_fields(inside):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(node, ast.AST):
                continue
            put = _putting(inside, field, place if isinstance(value, list) else None)
            yield from _of_node(node, put)
            if field == "ifs" or (field == "test" and isinstance(inside, ast.If | ast.IfExp)):
                yield Spot("if", _at(node), node, put)
            yield from _spots(node)
    if isinstance(inside, ast.Assign | ast.AnnAssign) and inside.value is not None:
        yield Spot("value", _at(inside), inside.value, _putting(inside, "value", None))


def _putting(inside: ast.AST, field: str, place: int | None) -> Callable[[ast.AST], None]:
    def put(node: ast.AST) -> None:
        if place is None:
            setattr(inside, field, node)
        else:
            getattr(inside, field)[place] = node

    return put


def _at(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _of_node(node: Any, put: Callable[[ast.AST], None]) -> Iterator[Spot]:
    match node:
        case ast.Compare():
            for part, sign in enumerate(node.ops):
                yield Spot(SIGN[type(sign)], _at(node.comparators[part]), node, put, part)
        case ast.BoolOp():
            what = "and" if isinstance(node.op, ast.And) else "or"
            yield Spot(what, _at(node.values[1]), node, put)
        case ast.UnaryOp(op=ast.Not()):
            yield Spot("not", _at(node), node, put)
        case ast.BinOp() if type(node.op) in SIGN:
            yield Spot(SIGN[type(node.op)], _at(node.right), node, put)
        case ast.Return() if node.value is not None:
            yield Spot("return", _at(node), node.value, _putting(node, "value", None))
        case ast.Constant(value=bool()):
            yield Spot(str(node.value), _at(node), node, put)
        case ast.Constant(value=int()):
            yield Spot("number", _at(node), node, put)
        case ast.Constant(value=str()):
            yield Spot("text", _at(node), node, put)
            if SQL.search(node.value):
                for part, sign in enumerate(IN_SQL.findall(node.value)):
                    yield Spot(f"SQL {sign}", _at(node), node, put, part)
        case ast.Call():
            yield Spot("call", (node.func.end_lineno, node.func.end_col_offset), node, put)
        case ast.Name(id="min" | "max" | "any" | "all"):
            yield Spot(node.id, _at(node), node, put)
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            yield Spot("row", _at(node), node, put)
        case ast.Subscript(slice=ast.Slice()):
            yield Spot("slice", _at(node.slice), node, put)
    if isinstance(node, ast.AugAssign) and type(node.op) in SIGN:
        yield Spot(f"{SIGN[type(node.op)]}=", _at(node.value), node, put)
    if isinstance(node, SIMPLE) and not _is_text(node):
        yield Spot("statement", _at(node), node, put)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _read(change: str) -> tuple[str, int, str]:
    """What, which and how."""
    words = change.split(" ")
    place = next((place for place, word in enumerate(words) if word.isdigit()), 0)
    if not place or place + 1 == len(words):
        raise NoSuchPlace(f"Expected `what which how`, got {change!r}.")
    return " ".join(words[:place]), int(words[place]), " ".join(words[place + 1 :])


def _change(spot: Spot, how: str, change: str) -> None:
    node, what, word = spot.node, spot.what, how.rpartition(" ")[2]
    if how == "left out":
        spot.put(ast.copy_location(ast.Pass(), node) if what == "statement" else node.operand)
    elif how in ("always", "never"):
        spot.put(ast.Constant(how == "always"))
    elif how == "altered":
        spot.put(ast.Constant(f"{node.value}?"))
    elif how.startswith(("plus ", "minus ")):
        by = int(word) if how.startswith("plus ") else -int(word)
        spot.put(ast.Constant(node.value + by))
    elif how.startswith("without argument "):
        place = int(word) - 1
        del (node.args if place < len(node.args) else node.keywords)[
            place if place < len(node.args) else place - len(node.args)
        ]
    elif how.startswith("to argument "):
        spot.put(node.args[int(word) - 1])
    elif how.startswith("without "):
        _leave_out(spot, word)
    elif how.startswith("to "):
        _exchange(spot, how.removeprefix("to "))
    else:
        raise NoSuchPlace(f"Nobody knows how to do {change!r}.")


def _leave_out(spot: Spot, which: str) -> None:
    node = spot.node
    if isinstance(node, ast.BinOp):
        spot.put(node.right if which == "left" else node.left)
        return
    if isinstance(node, ast.Dict):
        del node.keys[int(which) - 1]
    rows = node.elts if hasattr(node, "elts") else node.values
    del rows[int(which) - 1]
    if isinstance(node, ast.BoolOp) and len(rows) == 1:
        spot.put(rows[0])


def _exchange(spot: Spot, new: str) -> None:
    node = spot.node
    if spot.what in COMPARISONS:
        node.ops[spot.part] = COMPARISONS[new]()
    elif spot.what.startswith("SQL "):
        sign = list(IN_SQL.finditer(node.value))[spot.part]
        node.value = node.value[: sign.start()] + new + node.value[sign.end() :]
    elif spot.what in ("and", "or"):
        node.op = ast.And() if new == "and" else ast.Or()
    elif isinstance(node, ast.AugAssign) and new == "=":
        spot.put(ast.copy_location(ast.Assign([node.target], node.value), node))
    elif spot.what.rstrip("=") in ARITHMETIC:
        node.op = ARITHMETIC[new.rstrip("=")]()
    elif spot.what == "slice" and new == "all":
        spot.put(node.value)
    else:
        spot.put(ast.parse(new, mode="eval").body)


def usual(inside: ast.AST) -> Iterator[str]:
    """The changes a sample of mutants is drawn from, by name."""
    counted: dict[str, int] = {}
    for spot in spots_of(inside):
        counted[spot.what] = which = counted.get(spot.what, 0) + 1
        for how in _usual(spot):
            yield f"{spot.what} {which} {how}"


def _usual(spot: Spot) -> Iterator[str]:
    node, what = spot.node, spot.what
    yield from (f"to {each}" for each in OTHERWISE.get(what, ()))
    if what in ("and", "or"):
        yield from (f"without {place}" for place in range(1, len(node.values) + 1))
    elif what == "if":
        yield from ("always", "never")
    elif what == "not":
        yield "left out"
    elif what == "number":
        yield "plus 1"
    elif what == "return" and not (isinstance(node, ast.Constant) and node.value is None):
        yield "to None"
    elif what in ("+", "*"):
        yield from ("without left", "without right")
    elif what == "slice":
        yield "to all"
    elif what == "statement" and _may_go(node):
        yield "left out"


def _may_go(node: ast.AST) -> bool:
    """Whether a statement can be left out without a name missing afterwards."""
    if isinstance(node, ast.Assign):
        return not any(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)
    return not isinstance(node, ast.AnnAssign)
