"""Mutants: the rules of a title with one small thing wrong, made on the syntax tree.

A condition is turned or left out, a bound moved by one, an owner swapped, a change of the position or a
call left out, plus and minus exchanged.  A mutant is another code object for one function: it is put in the
place of the right one while tests run (`planted`), so that no file is copied and nothing is imported again.

Why no other tool: mutmut and cosmic-ray run tests of pytest, in processes of their own, on changed copies
of the sources.  What must notice a wrong rule here are scenes and the kit; a scene takes a millisecond.
"""

from __future__ import annotations

import ast
import copy
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..title import Title

_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
}
_OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
_SEATS = {"p", "q", "seat", "active"}  # names of variables and fields that hold a seat


@dataclass(frozen=True)
class Mutant:
    """One wrong rule: in `function` of `file` (of the title's folder), `old` became `new`."""

    file: str
    function: str
    line: int
    old: str
    new: str
    lines: frozenset[int]  # of the statement: whoever does not pass there cannot notice
    rules: frozenset[str]  # that the function says it holds
    right: FunctionType
    source: ast.FunctionDef
    place: int  # of the node in the walk over the function
    variant: int
    number: int = 1  # among mutants that read the same

    def __str__(self) -> str:
        more = f" ({self.number})" if self.number > 1 else ""
        return f"{self.file} {self.function}: {self.old} -> {self.new}{more}"

    def code(self) -> CodeType:
        function = copy.deepcopy(self.source)
        _replace(function, self.place, self.variant)
        module = ast.fix_missing_locations(ast.Module([function], []))
        space = dict(self.right.__globals__)
        exec(compile(module, self.right.__code__.co_filename, "exec"), space)
        made: FunctionType = space[self.function]
        return made.__code__


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """The wrong rule in the place of the right one, for everybody who has imported it."""
    right = mutant.right.__code__
    mutant.right.__code__ = mutant.code()
    try:
        yield
    finally:
        mutant.right.__code__ = right


def mutants_of(title: Title[Any, Any], skipped: frozenset[str] = frozenset()) -> list[Mutant]:
    """All mutants of the rules of a title, file by file and line by line, but those of the files (`rules.py`)
    and functions (`rules.py check`) that are skipped."""
    found: list[Mutant] = []
    for file, module in rule_modules(title):
        if file not in skipped:
            found += [m for m in _of_module(file, module) if f"{file} {m.function}" not in skipped]
    seen: Counter[str] = Counter()
    numbered = []
    for mutant in found:
        seen[str(mutant)] += 1
        numbered.append(_with_number(mutant, seen[str(mutant)]))
    return numbered


def rule_modules(title: Title[Any, Any]) -> list[tuple[str, ModuleType]]:
    """`rules.py`, or the files of `rules/`, with their names in the title's folder."""
    paths = [title.folder / "rules.py", *sorted((title.folder / "rules").glob("*.py"))]
    modules = {
        Path(module.__file__).resolve(): module
        for module in list(sys.modules.values())
        if isinstance(getattr(module, "__file__", None), str) and module.__file__
    }
    return [
        (path.relative_to(title.folder).as_posix(), modules[path.resolve()])
        for path in paths
        if path.resolve() in modules
    ]


def _with_number(mutant: Mutant, number: int) -> Mutant:
    return mutant if number == 1 else Mutant(**{**mutant.__dict__, "number": number})


def _of_module(file: str, module: ModuleType) -> Iterator[Mutant]:
    tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    for node in tree.body:
        right = getattr(module, node.name, None) if isinstance(node, ast.FunctionDef) else None
        if isinstance(node, ast.FunctionDef) and isinstance(right, FunctionType):
            yield from _of_function(file, node, right)


def _of_function(file: str, source: ast.FunctionDef, right: FunctionType) -> Iterator[Mutant]:
    rules = frozenset(_rules_named(ast.get_docstring(source) or ""))
    lines = _lines_of_statements(source)
    around = {id(child): node for node in ast.walk(source) for child in ast.iter_child_nodes(node)}
    for place, node in enumerate(_walk(source)):
        for variant, new in enumerate(_variants(node)):
            # A number alone says nothing: what is around it is shown.
            shown = around[id(node)] if isinstance(node, ast.Constant) else node
            yield Mutant(
                file=file,
                function=source.name,
                line=getattr(node, "lineno", source.lineno),
                old=_text(shown),
                new=_text(_exchanged(shown, node, new)),
                lines=lines[id(node)],
                rules=rules,
                right=right,
                source=source,
                place=place,
                variant=variant,
            )


def _exchanged(shown: ast.AST, node: ast.AST, new: ast.AST) -> ast.AST:
    """A copy of what is shown, with the new in the place of the old."""
    if shown is node:
        return new
    memo = {id(node): new}  # a deep copy takes this for the copy of the node
    return copy.deepcopy(shown, memo)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Pass):
        return "nothing"
    if isinstance(node, ast.If | ast.While | ast.For):  # its head is enough
        return " ".join(ast.unparse(node).split("\n")[0].split())
    return " ".join(ast.unparse(node).split())


def _rules_named(text: str) -> Iterator[str]:
    """The numbers of rules in a docstring: `R30, R31: ...`."""
    yield from re.findall(r"\b[A-Z]\d+\b|\b\d+\.\d+\b", text)


# -- where ------------------------------------------------------------------------------------------------


def _walk(source: ast.FunctionDef) -> list[ast.AST]:
    """Everything in the body of a function, but what says no rule: its docstring and types."""
    body = source.body[1:] if ast.get_docstring(source) is not None else source.body
    found: list[ast.AST] = []
    for statement in body:
        found += ast.walk(statement)
    return found


def _lines_of_statements(source: ast.FunctionDef) -> dict[int, frozenset[int]]:
    """For each node, the lines that are passed when its statement is."""
    found: dict[int, frozenset[int]] = {}
    for statement in _walk(source):
        if isinstance(statement, ast.stmt):
            inner = getattr(statement, "body", None)
            end = inner[0].lineno if inner else (statement.end_lineno or statement.lineno) + 1
            lines = frozenset(range(statement.lineno, max(end, statement.lineno + 1)))
            for node in ast.walk(statement):
                found[id(node)] = lines  # the walk goes inwards: the innermost statement comes last
    return found


def _replace(function: ast.FunctionDef, place: int, variant: int) -> None:
    target = _walk(function)[place]
    new = _variants(target)[variant]
    for parent in ast.walk(function):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, new)
                return
            if isinstance(value, list):
                for k, item in enumerate(value):
                    if item is target:
                        value[k] = new
                        return


# -- what -------------------------------------------------------------------------------------------------


def _variants(node: ast.AST) -> list[ast.AST]:
    """What a node can wrongly be."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return [
            ast.copy_location(ast.Compare(node.left, [turned()], node.comparators), node)
            for turned in _TURNED.get(type(node.ops[0]), ())
        ]
    if isinstance(node, ast.BoolOp):
        return _of_bool(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.BinOp):
        return _of_sum(node)
    if isinstance(node, ast.Constant):
        return _of_constant(node)
    if isinstance(node, ast.Subscript) and _is_seat(node.slice):
        other = ast.BinOp(ast.Constant(1), ast.Sub(), node.slice)
        return [ast.copy_location(ast.Subscript(node.value, other, node.ctx), node)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        name = ast.Name("max" if node.func.id == "min" else "min", ast.Load())
        return [ast.copy_location(ast.Call(name, node.args, node.keywords), node)]
    return _of_statement(node)


def _of_bool(node: ast.BoolOp) -> list[ast.AST]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    found: list[ast.AST] = [ast.copy_location(ast.BoolOp(other, node.values), node)]
    for k in range(len(node.values)):
        rest = node.values[:k] + node.values[k + 1 :]
        less = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)
        found.append(less)
    return found


def _of_sum(node: ast.BinOp) -> list[ast.AST]:
    left, right, op = node.left, node.right, node.op
    if isinstance(op, ast.Sub) and _is_one(left) and _is_seat(right):
        return [right]
    found: list[ast.AST] = []
    if type(op) in _OTHER:
        found.append(ast.copy_location(ast.BinOp(left, _OTHER[type(op)](), right), node))
    if isinstance(op, ast.Add) and _is_one(right) and _is_seat(left):
        found.append(ast.copy_location(ast.BinOp(ast.Constant(2), ast.Sub(), left), node))
    return found


def _of_constant(node: ast.Constant) -> list[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        return [ast.copy_location(ast.Constant(not value), node)]
    return [ast.copy_location(ast.Constant(value + 1), node)] if isinstance(value, int) else []


def _of_statement(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.BoolOp):
        turned = copy.copy(node)
        turned.test = ast.UnaryOp(ast.Not(), node.test)
        return [turned] if not isinstance(node.test, ast.UnaryOp) else []
    if isinstance(node, ast.AugAssign):
        found: list[ast.AST] = [ast.copy_location(ast.Pass(), node)]
        if isinstance(node.op, ast.Add | ast.Sub):
            op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            found.append(ast.copy_location(ast.AugAssign(node.target, op, node.value), node))
        return found
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return [ast.copy_location(ast.Pass(), node)]
    if isinstance(node, ast.Assign) and all(_is_of_position(target) for target in node.targets):
        return [ast.copy_location(ast.Pass(), node)]
    return []


def _is_of_position(target: ast.expr) -> bool:
    """Whether what is written to outlives the function: without it a name would be missing."""
    if isinstance(target, ast.Tuple):
        return all(_is_of_position(item) for item in target.elts)
    return isinstance(target, ast.Attribute | ast.Subscript)


def _is_seat(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in _SEATS


def _is_one(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1
