"""Which tests a module holds, for tables that name them."""

import ast
from functools import cache

from tests.gate import ROOT


@cache
def names_in(place: str) -> frozenset[str]:
    """The tests a module holds."""
    tree = ast.parse((ROOT / place).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
