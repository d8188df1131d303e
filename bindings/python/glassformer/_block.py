"""A block of numbers as people paste it: rows of a spreadsheet, of text, LaTeX, NumPy, JSON or MATLAB."""

from __future__ import annotations

import re

from ._number import NumberRead, plain_latex, read_number

#: What stands around the numbers in LaTeX and NumPy.
_NOTATIONS = (
    (r"\\begin\{(?:[bpvBV]|small)?(?:matrix|array|tabular)\*?\}(?:\s*[{[][lcr|@ ]*[\]}])?", ""),
    (r"\\end\{[^{}]*\}", ""),
    (r"\\(?:hline|quad|qquad)(?![a-z])", ""),
    (r"(?:(?:np|numpy|torch|jnp)\.)?(?:array|tensor|matrix)\s*\(", ""),
    (r",\s*(?:dtype|device|requires_grad)\s*=[^\n)]*", ""),
    (r"\{", "["),
    (r"\}", "]"),
)

#: Signs around the numbers of a row.
_AROUND = re.compile(r"^[\s[\]{}|&,;]+|[\s[\]{}|&,;\\]+$")
#: Brackets around a row, and not around one of its numbers.
_IN_BRACKETS = re.compile(r"^\(([^()]*)\)?$")
#: Separators of the numbers of a row in brackets.
_INSIDE = re.compile(r"\s*[,&]\s*|\s+")
#: Separators of the numbers of a row without, the surest first.
_BETWEEN = tuple(re.compile(sign) for sign in (r"\s*[|&;]\s*", r",\s+", r"\s+"))
_NUMERIC = re.compile(r"[\d∞¼-¾]|inf")
#: Between the head of a table of Markdown and its body.
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_LINE = re.compile(r"\r\n|\r|\n")


def read_block(text: str) -> list[list[str]]:
    """The rows of a pasted text, each with its cells, which are texts still."""
    pasted = text.rstrip("\r\n")
    if "\t" in pasted:
        return _without_labels([[cell.strip() for cell in line.split("\t")] for line in _LINE.split(pasted)])
    pasted = plain_latex(pasted)
    for sign, by in _NOTATIONS:
        pasted = re.sub(sign, by, pasted)
    return [row for row in _rows(pasted) if any(row)]


def _rows(plain: str) -> list[list[str]]:
    # In brackets within brackets, a comma stands between numbers.
    if re.search(r"\[[^\]]*\[", plain):
        return [_cells_inside(row) for row in re.findall(r"\[([^[\]]*)\]", plain)]
    every = re.split(r"\r\n|\r|\n|\\\\", plain)
    if any("|" in line and _RULE.fullmatch(line) for line in every):
        return _table(every)
    lines = [line for line in every if _NUMERIC.search(line)]
    if len(lines) == 1 and ";" in lines[0]:
        # On one line it stands between rows: 1 0; 0 1.
        return [_cells(row) for row in re.sub(r"^\s*\((.*)\)\s*$", r"\1", lines[0]).split(";")]
    return [_cells_inside(line) if re.match(r"\s*\[", line) else _cells(line) for line in lines]


def _table(lines: list[str]) -> list[list[str]]:
    """A table of Markdown without its words."""
    rows = [
        [cell.strip() for cell in re.sub(r"^\||\|$", "", line.strip()).split("|")]
        for line in lines
        if "|" in line and not _RULE.fullmatch(line)
    ]
    body = rows[0 if all(_is_number(cell) for row in rows[:1] for cell in row) else 1 :]
    return body if any(_is_number(row[0]) for row in body) else [row[1:] for row in body]


def _without_labels(rows: list[list[str]]) -> list[list[str]]:
    """Cells of a spreadsheet without a first row, and a first column, of words alone."""
    body = rows[1:] if _are_words(rows[0]) else rows
    return [row[1:] for row in body] if _are_words([row[0] for row in body]) else body


def _are_words(cells: list[str]) -> bool:
    return len(cells) > 1 and any(cells) and not any(map(_is_number, cells))


def _cells_inside(line: str) -> list[str]:
    """The numbers of a line in brackets."""
    return _INSIDE.split(_AROUND.sub("", line))


def _cells(line: str) -> list[str]:
    bare = _AROUND.sub("", line)
    inside = _IN_BRACKETS.match(bare)
    plain = inside[1] if inside else bare
    for between in _BETWEEN:
        cells = between.split(plain)
        if len(cells) > 1 and all(_NUMERIC.search(cell) for cell in cells):
            return cells
    # 1,0,1 is no number; 1,5 is one.
    parts = plain.split(",")
    is_list = len(parts) > 1 and not _is_number(plain) and all(map(_is_number, parts))
    return parts if is_list else [plain]


def _is_number(text: str) -> bool:
    return isinstance(read_number(text), NumberRead)
