"""Plants a mistake in the running program: the functions and texts of one module, as they would be.

The database is there already, and a process of its own for each mistake would have to make another.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.faults.changes import changed
from tests.faults.planting import Bug
from tests.gate import ROOT


@contextmanager
def mistaken(bug: Bug) -> Iterator[None]:
    """The program with one bug in it, and without it again."""
    source = (ROOT / bug.file).read_text(encoding="utf-8")
    module = import_module(bug.file.removesuffix(".py").replace("/", "."))
    wrong = changed(source, bug.name, bug.change)
    undo = [*_swap_code(module, wrong), *_swap_values(module, ast.parse(source), wrong)]
    assert undo, bug.id
    try:
        yield
    finally:
        for where, name, before in undo:
            setattr(where, name, before)


def _swap_code(module: ModuleType, wrong: ast.Module) -> Iterator[tuple[Any, str, Any]]:
    codes = dict(_codes(compile(wrong, str(module.__file__), "exec")))
    for name, function in _functions(module):
        new = codes.get(name)
        if new is not None and _recorded(new) != _recorded(function.__code__):
            yield function, "__code__", function.__code__
            function.__code__ = new


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from _codes(inner)


def _recorded(code: CodeType) -> tuple[Any, ...]:
    """What a function does, without where it stands."""
    consts = [_recorded(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, tuple(map(repr, consts))


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for named in vars(module).values():
        if getattr(named, "__module__", None) != module.__name__:
            continue
        for one in [named, *vars(named).values()] if isinstance(named, type) else [named]:
            function = one.fget if isinstance(one, property) else getattr(one, "__wrapped__", one)
            if isinstance(function, FunctionType):
                yield function.__qualname__, function


def _swap_values(
    module: ModuleType, source: ast.Module, wrong: ast.Module
) -> Iterator[tuple[ModuleType, str, Any]]:
    """Texts and figures the module keeps under a name."""
    old, new = _values(source), _values(wrong)
    for name, value in new.items():
        if ast.dump(value) != ast.dump(old[name]):
            yield module, name, getattr(module, name)
            made = eval(compile(ast.Expression(value), name, "eval"), vars(module))
            setattr(module, name, made)


def _values(source: ast.Module) -> dict[str, ast.expr]:
    return {
        line.target.id: line.value
        for line in source.body
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and line.value is not None
    }
