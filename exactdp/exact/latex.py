# SPDX-License-Identifier: MIT
r"""A matrix or table that was typed in LaTeX, as the cells of its rows.

``bmatrix`` and its kin, ``array`` and ``tabular`` are read: rows end with ``\\``, ``&`` stands between
cells. An entry is written in the grammar of :mod:`exactdp.exact.formula`: fractions, powers, ``\alpha``, and
a product where nothing stands between two factors, as typesetting means it. Letters that are said to be
such may stand beside each other (``pq``), with subscripts (``p_1``) and as ``\beta``. The letter t may stand
for a power of e that is written beside the matrix, as in ``,\quad t = e^{-\frac{1}{2}}``. A command that is
not listed here is refused, and so is a factor before the matrix.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NoReturn

from exactdp.errors import InputError

_TABLE = r"(?:[bpBvV]?matrix\*?|smallmatrix|array|tabular\*?)"
_BEGIN = re.compile(rf"\\begin\s*\{{{_TABLE}\}}")
_QUOTED = re.compile(r'"(?:[^"\r\n]|"")*"')
_WHOLE = re.compile(rf"\\begin\s*\{{(?P<kind>{_TABLE})\}}(?P<body>.*?)\\end\s*\{{(?P=kind)\}}", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_AROUND = re.compile(
    r"\\noindent\s[^\n]*:\n|\\(?:begin|end)\s*\{(?:equation|align|displaymath|gather|center)\*?\}|\\[\[\]()]|\\(?:left|right)\s*[\[\](){}|.]|\\centering|\\setcounter\s*\{MaxMatrixCols\}\s*\{[0-9]+\}|[$&~]|\\[,;:!]"
)
_NAMED = re.compile(r"\s*(?:(?:\\?[A-Za-z]+)(?:[_'^]\{?[A-Za-z0-9]*\}?)*\s*:?=)?\s*")
_RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule)\b|\\c(?:line|midrule)\s*\{[^}]*\}")
_ROW = re.compile(r"\\\\\s*(?:\[[^\]]*\])?|\\tabularnewline\b")
_CELL = re.compile(r"(?<!\\)&")
_MEANING = re.compile(
    r",?\s*(?:\\quad)?\s*(?<![A-Za-z\\])t\s*=\s*\$?e\^\{-(?:\\frac\{(?P<top>[0-9]+)\}\{(?P<below>[0-9]+)\}|(?P<whole>[0-9]+(?:/[0-9]+)?))\}\$?"
)
_LETTER = re.compile(r"(?<![A-Za-z\\])t(?![A-Za-z0-9_])")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_THIN = "\u2009"  # what \, is read as: between digits it makes groups of three, elsewhere it is nothing
_GROUP = re.compile(r"[0-9]{3}(?:\.[0-9]+)?")
_GROUPED = re.compile(
    rf"(?<![0-9.{_THIN}])[0-9]{{1,3}}(?:{_THIN}[0-9]{{3}})+(?![0-9{_THIN}])|\.(?:[0-9]{{3}}{_THIN})+[0-9]{{1,3}}(?![0-9{_THIN}])"
)
_IDLE = re.compile(rf"(?<![0-9]){_THIN}+|{_THIN}+(?![0-9])")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)

_FRACTIONS = {"\\frac", "\\tfrac", "\\dfrac", "\\cfrac"}
_TEXTS = {f"\\{kind}{font}" for kind in ("text", "math") for font in ("rm", "bf", "it", "sf", "tt")} | {"\\text", "\\mbox"}
_NOTHING = {"\\left", "\\right", "\\displaystyle", "\\textstyle", "\\big", "\\Big", "\\bigl", "\\bigr", "\\!", "$"}
_BLANK = {"\\;", "\\:", "\\ ", "~", "\\quad", "\\qquad"}
_MEANT = {"\\cdot": "*", "\\times": "*", "\\div": "/", "\\{": "(", "\\}": ")", "\\alpha": "alpha", "−": "-"}
_MEANT["\\,"] = _THIN
_MEANT |= {f"\\{char}": char for char in "%$#_&"}
GREEK = {
    "\\alpha",
    *(
        f"\\{name}"
        for name in (
            *("beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau"),
            *("upsilon", "phi", "chi", "psi", "omega", "vartheta", "varphi", "varrho", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi"),
            *("Sigma", "Upsilon", "Phi", "Psi", "Omega"),
        )
    ),
}
"""The commands of letters."""
_EPSILON = {"\\epsilon", "\\varepsilon"}
_POWER_OF_E = re.compile(r"(?<![A-Za-z\\])e\s*\^\s*\{\s*-\s*\\(?:var)?epsilon\s*\}")


def is_latex(text: str) -> bool:
    r"""Whether the text is a table of LaTeX: it has an environment or ends its rows as LaTeX does.

    >>> is_latex(r"\begin{bmatrix} 1 & 0 \end{bmatrix}"), is_latex(r"1 & 0 \\ 0 & 1"), is_latex("1,0")
    (True, True, False)
    """
    bare = _QUOTED.sub("", text) if "\\" in text else ""  # labels of a CSV may be anything
    return _BEGIN.search(bare) is not None or "\\\\" in bare


def latex_lines(text: str, letters: Collection[str] = ()) -> list[tuple[int, list[str]]]:
    r"""The rows of a table in LaTeX: the line on which each begins, and its cells as plain text.

    * ``text``: as it is pasted.
    * ``letters``: the names that are letters of formulas: ``p``, ``p_1``, ``beta``.
    * raises InputError: several matrices, something before or after the only one, or a command that is not
      known here.

    >>> latex_lines(r"\begin{pmatrix} \frac12 & 50\% \\ 1-\alpha^{2} & 2\alpha \end{pmatrix}")
    [(1, ['1/2', '50%']), (1, ['1-alpha^2', '2*alpha'])]
    >>> latex_lines(r"1-2pq_1 & \frac{p}{1-p} \\ p\,(1-p) & e^{-\varepsilon}", ["p", "q_1"])
    [(1, ['1-2*p*q_1', '((p)/(1-p))']), (1, ['p*(1-p)', 'alpha'])]
    """
    text = _POWER_OF_E.sub(r"\\alpha ", _COMMENT.sub(r"\1", text))
    start, body, power = 0, text, None
    if _BEGIN.search(text):
        found = list(_WHOLE.finditer(text))
        if len(found) != 1 or len(_BEGIN.findall(text)) != 1:
            message = "the LaTeX must hold one matrix or table, from its \\begin to its \\end; paste that one alone"
            raise InputError(message, line=1)
        before, after = text[: found[0].start()], text[found[0].end() :]
        meaning = _MEANING.search(before) or _MEANING.search(after)
        if meaning is not None and "\\alpha" not in found[0]["body"]:
            power = f"exp(-{meaning['whole'] or '{top}/{below}'.format(**meaning.groupdict())})"
            before, after = (_MEANING.sub("", side, count=1) for side in (before, after))
        if not _NAMED.fullmatch(_AROUND.sub(" ", before)) or _AROUND.sub(" ", after).strip(" \t\r\n.,;"):
            stray = (before.strip() or after.strip())[:40]
            message = f"{stray!r} stands beside the matrix of the LaTeX; multiply it into the entries, or leave it out"
            raise InputError(message, text=stray)
        start, body = found[0].start("body"), found[0]["body"]
        if not found[0]["kind"].rstrip("*").endswith("matrix"):
            columns = re.match(r"\s*(?:\[[^\]]*\])?\s*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*){0,2}", body)
            assert columns is not None
            start, body = start + columns.end(), body[columns.end() :]
    result = []
    for offset, row in _split(_ROW, _RULES.sub(lambda rule: " " * len(rule[0]), body)):
        number = text.count("\n", 0, start + offset + len(row) - len(row.lstrip())) + 1
        if row.strip():
            result.append((number, [_valued(cell, number, power, letters) for _, cell in _split(_CELL, row)]))
    return result


def _split(mark: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """The parts of the text between marks, each with its place."""
    place = 0
    for found in mark.finditer(text):
        yield place, text[place : found.start()]
        place = found.end()
    yield place, text[place:]


def _valued(cell: str, number: int, power: str | None, letters: Collection[str]) -> str:
    """One cell, with the power of e for the letter t, if that was written beside the matrix."""
    if power is None or any(command in cell for command in _TEXTS):
        return _plain(cell, number, letters)
    return _plain(_LETTER.sub(r"\\alpha ", cell), number, letters).replace("alpha", power)


def _plain(cell: str, number: int, letters: Collection[str]) -> str:
    """One cell in the grammar of formulas and numbers; a text stays a text."""
    tokens, known = _TOKEN.findall(cell.strip().replace("{,}", ".")), _known(cell, letters)
    pieces, rest = _pieces(tokens, 0, number, known)
    if rest < len(tokens):
        _refuse(number, "a closing brace without an opening one")
    text = _joined(pieces, number, known)
    whole = re.fullmatch(r"(-?)\(([0-9]+/[0-9]+)\)", text)
    return whole[1] + whole[2] if whole else text


_BESIDE = re.compile(r"_\s*(?:\{[^{}]*\}|.)|\\(?:text|math)[a-z]*\s*\{[^{}]*\}|\\mbox\s*\{[^{}]*\}|\\[A-Za-z]+")


def _known(cell: str, letters: Collection[str]) -> Collection[str]:
    """The letters, if all that looks like one in a cell begins the name of one; none where it is words."""
    begun = {name[0] for name in letters} | {"a"}
    return letters if all(char in begun for char in _BESIDE.sub(" ", cell) if char.isalpha()) else ()


def _refuse(number: int, fault: str) -> NoReturn:
    message = f"line {number}: {fault} in the LaTeX; write the entry with \\frac, ^, \\alpha, + and - only"
    raise InputError(message, line=number)


def _letter(tokens: list[str], at: int, number: int, letters: Collection[str]) -> tuple[str, int]:
    """The letter at a place, with its subscript, and the place after it."""
    name = tokens[at].lstrip("\\")
    if tokens[at + 1 : at + 2] != ["_"]:
        return name, at + 1
    below, end = _argument(tokens, at + 2, number, ())
    if not below.isalnum():
        _refuse(number, f"the subscript {below[:20]!r} of {name}")
    return next((known for known in (f"{name}_{below}", f"{name}{below}") if known in letters), f"{name}_{below}"), end


def _with_arguments(token: str, tokens: list[str], at: int, number: int, letters: Collection[str]) -> tuple[str, int]:
    """A command with what follows it, as an expression, and the place after it."""
    if token in _FRACTIONS:
        top, at = _argument(tokens, at, number, letters)
        below, at = _argument(tokens, at, number, letters)
        simple = top.isdigit() and below.isdigit()
        return f"({top}/{below})" if simple else f"(({top})/({below}))", at
    if token in _TEXTS:
        return _argument(tokens, at, number, ())
    if token == "\\sqrt":
        inner, at = _argument(tokens, at, number, letters)
        return f"sqrt({inner})", at
    # a power, whose exponent is one token
    power = next((part for part in tokens[at : at + 2] if not part.isspace()), "")
    if len(power) > 1 and power.isdigit():
        _refuse(number, f"^{power}, whose exponent is {power[0]} only (write ^{{{power}}}),")
    inner, at = _argument(tokens, at, number, letters)
    return "^" + (inner if re.fullmatch("-?[0-9]+", inner) else f"({inner})"), at


def _pieces(tokens: list[str], at: int, number: int, letters: Collection[str]) -> tuple[list[str], int]:
    """The pieces of a group up to its closing brace, and the place of that brace."""
    pieces: list[str] = []
    while at < len(tokens) and tokens[at] != "}":
        token = tokens[at]
        if (token in GREEK and token not in _MEANT) or (letters and len(token) == 1 and token.isalpha()):
            name, at = _letter(tokens, at, number, letters)
            pieces.append(name)
            continue
        at += 1
        if token in _EPSILON:
            _refuse(number, f"{token}, which is −ln(\\alpha) and no letter here (write e^{{-{token}}} or \\alpha),")
        if token in _FRACTIONS or token in _TEXTS or token in {"\\sqrt", "^"}:
            piece, at = _with_arguments(token, tokens, at, number, letters)
            pieces.append(piece)
        elif token == "{":
            inner_pieces, at = _pieces(tokens, at, number, letters)
            if at == len(tokens):
                _refuse(number, "a brace that is not closed")
            pieces, at = pieces + inner_pieces, at + 1
        elif token in _MEANT:
            pieces.append(_MEANT[token])
        elif token in _BLANK or token.isspace():
            pieces.append(" ")
        elif token.startswith("\\") and token not in _NOTHING:
            _refuse(number, f"the unknown command {token[:40]}")
        elif token not in _NOTHING:
            pieces.append(token)
    return pieces, at


def _argument(tokens: list[str], at: int, number: int, letters: Collection[str]) -> tuple[str, int]:
    """The argument of a command: a group in braces, or the next character or command."""
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    if at == len(tokens) or tokens[at] == "}":
        _refuse(number, "a command without its argument")
    if tokens[at] == "{":
        pieces, end = _pieces(tokens, at + 1, number, letters)
        if end == len(tokens):
            _refuse(number, "a brace that is not closed")
        return _joined(pieces, number, letters).strip(), end + 1
    if tokens[at][0].isdigit() and len(tokens[at]) > 1:  # \frac12 is 1/2: the first digit only
        tokens[at : at + 1] = list(tokens[at])
    pieces, _ = _pieces([tokens[at]], 0, number, letters)
    return _joined(pieces, number, letters), at + 1


def _joined(pieces: list[str], number: int, letters: Collection[str]) -> str:
    """The pieces as one text, with the products that typesetting leaves out, where letters mean the level."""
    names = {"alpha", *letters, *(name.lstrip("\\") for name in GREEK)}
    names |= {piece for piece in pieces if letters and piece[:1].isalpha() and not piece.startswith("sqrt")}
    formula = any(piece in names or piece.startswith(("(", "sqrt", "^")) for piece in pieces)
    text, last, apart = "", "", False
    for place, piece in enumerate(pieces):
        if formula and piece in {" ", _THIN}:
            apart |= piece == " " or not _GROUP.fullmatch("".join(pieces[place + 1 : place + 2]))
            continue
        if formula and last and _ends(last, names) and _begins(piece, names):
            if _NUMBER.fullmatch(last) and (
                apart if _NUMBER.fullmatch(piece) else piece[1:] and piece not in names and "alpha" not in piece
            ):
                _refuse(number, f"{last} directly before {piece}, which may be a sum or a product,")
            text += "" if _NUMBER.fullmatch(last) and _NUMBER.fullmatch(piece) else "*"
        text, last, apart = text + piece, piece, False
    return _GROUPED.sub(lambda digits: digits[0].replace(_THIN, ""), _IDLE.sub("", text)).strip()


def _ends(piece: str, names: Collection[str]) -> bool:
    return piece[-1].isdigit() or piece[-1] == ")" or piece in names


def _begins(piece: str, names: Collection[str]) -> bool:
    return piece[0].isdigit() or piece[0] == "(" or piece in names or piece.startswith("sqrt")
