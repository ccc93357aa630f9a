# SPDX-License-Identifier: MIT
"""Labels: the names of inputs, outputs and guesses.

A label is a non-empty string; where a label is asked for an int is turned into its decimal text, and a point
such as (0, 1), a tuple, into the name that a grid gives it, "0,1". An *integer
label* matches ``-?(0|[1-9][0-9]*)``; losses such as |i − r| need those.

*Unlabelled* is a state of its own, :class:`Positions`: the entries are known by their places only, and are
shown as 0, 1, …. It is not the same as the labels 0, 1, … that somebody gave. Two labelled things are matched
by label (:func:`places_in`), two unlabelled ones by position, and a labelled one with an unlabelled one is an
error, because nobody said which is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, Self, SupportsIndex, TypeGuard
from unicodedata import normalize

from exactdp.display import LARGEST, Drawn
from exactdp.errors import (
    ExactDPError,
    InexactInputError,
    InputError,
    LabelError,
    ParameterRangeError,
    ShapeError,
    brief_value,
    printable,
    repr_of,
    wrong_kind,
)
from exactdp.exact import (
    ExactMatrix,
    Letters,
    LettersLike,
    Rational,
    common_field,
    entries_of,
    frame_rows,
    index_labels,
    letters_of,
)
from exactdp.exact.decimals import MOST_DECIMALS, decimal_rows, decimal_text
from exactdp.exact.sympy_operators import is_expression, symbols_by_name
from exactdp.runtime.budget import figure, length_of, require_budget

Label = str | int | tuple[str | int, ...]
Labels = tuple[str, ...]

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)


class Positions(tuple[str, ...]):
    """The labels of what is unlabelled: places, shown as 0, 1, … or by names such as those of ``grid:2x2``.

    * ``places``: how many there are, or the name of each, for display.

    >>> Positions(2), Positions(2) == ("0", "1"), Positions(2) == Positions(2)
    (('0', '1'), False, True)
    """

    __slots__ = ()

    def __new__(cls, places: int | Iterable[str]) -> Positions:
        """Numbered or named places."""
        if isinstance(places, int):
            require_budget("the list of places", numbers=places)
        return super().__new__(cls, map(str, range(places)) if isinstance(places, int) else places)

    @property
    def named(self) -> bool:
        """Whether the names say more than the numbers 0, 1, …."""
        return any(name != str(place) for place, name in enumerate(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Positions) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Positions, tuple(self)))

    def _repr_inside(self) -> str:
        """How what is unlabelled shows itself: not as what has the labels 0, 1, … would."""
        return f"Positions({super().__repr__()})" if self.named else f"range({len(self)})"

    def __getnewargs__(self) -> tuple[tuple[str, ...]]:
        return (tuple(self),)


def as_label(label: Label, *, what: str = "label") -> str:
    """One label as text: a non-empty str, an int, or a tuple of such without commas; all else is refused.

    >>> as_label("a"), as_label(7), as_label((0, 1))
    ('a', '7', '0,1')
    """
    if isinstance(label, str):
        if not label:
            raise LabelError(f"the {what} is the empty text; every label needs at least one character", label=label)
        return label
    if is_whole(label):
        return str(index(label))
    if isinstance(label, tuple) and len(label) > 1:
        parts = [as_label(part, what=what) for part in label]
        if not any("," in part for part in parts):
            return ",".join(parts)
    raise LabelError(f"{brief_value(label)} is no {what}; labels are text, ints, or points such as (0, 1)", label=label)


def is_whole(value: object) -> TypeGuard[SupportsIndex]:
    """Whether the object is an int of Python, or a whole number of numpy, sympy or FLINT; no truth value.

    >>> is_whole(3), is_whole(True), is_whole("3")
    (True, False, False)
    """
    truth = type(value).__name__ in {"bool", "bool_"}  # in older NumPy np.bool_ is an index, too
    return hasattr(value, "__index__") and not truth and not getattr(value, "shape", ())


def as_labels(labels: Iterable[Label] | None, size: int | None = None, *, what: str = "label") -> Labels:
    """Distinct non-empty labels as texts; ``None`` and ``range(size)`` mean unlabelled: :class:`Positions`.

    * ``labels``: the names, in order. A set has no order and is refused.
    * ``size``: how many there must be.
    * ``what``: what they name, for the error.
    * raises LabelError: a label is empty, of another type, or repeated; or two look alike, as "a" and "a "
      do.
    * raises ShapeError: their number is not ``size``.

    >>> as_labels(None, 3), as_labels([0, "a"])
    (('0', '1', '2'), ('0', 'a'))
    >>> as_labels(range(2)) == as_labels(None, 2), as_labels([0, 1]) == as_labels(None, 2)
    (True, False)
    """
    if labels is None:
        if not size:
            raise ShapeError(f"at least one {what} is needed", expected=1, got=0)
        return Positions(size)
    if isinstance(labels, str):
        raise LabelError(f"{labels!r} is one text, not a list of {what}s; write [{labels!r}] or a tuple", label=labels)
    if isinstance(labels, range):
        require_budget(f"the list of {what}s", numbers=length_of(labels))
    unlabelled = isinstance(labels, Positions) or (isinstance(labels, range) and labels[:1] == range(1) and labels.step == 1)
    result = tuple(as_label(label, what=what) for label in (labels if isinstance(labels, (tuple, range)) else _listed(labels, what)))
    if size is not None and len(result) != size:
        raise ShapeError(f"{len(result)} {what}s given, {size} needed", expected=size, got=len(result))
    if not result:
        raise ShapeError(f"at least one {what} is needed", expected=1, got=0)
    if len(set(result)) != len(result):
        first: dict[str, int] = {}
        for place, label in enumerate(result):
            if label in first:
                message = f"the {what} {label!r} occurs at places {first[label]} and {place}; {what}s are distinct"
                raise LabelError(message, label=label)
            first[label] = place
    if not all(map(str.isascii, result)) or not all(map(str.isprintable, result)) or any(" " in label for label in result):
        _refuse_alike(result, what)
    return Positions(result) if unlabelled else result


def _refuse_alike(labels: Labels, what: str) -> None:
    """Refuse labels that a reader can't tell apart: they differ in how a letter is composed or escaped, or in
    blanks.
    """
    seen: dict[str, str] = {}
    for label in labels:
        other = seen.setdefault(shown_alike(label), label)
        if other != label:
            message = f"the {what}s {other!a} and {label!a} look alike when they are shown; rename one of them"
            raise LabelError(message, label=label)


def shown_alike(label: str) -> str:
    """What labels have in common that look alike: one composition of letters, and single blanks inside.

    >>> shown_alike(" a  b") == shown_alike("a b"), shown_alike("ab") == shown_alike("a b")
    (True, False)
    """
    return " ".join(normalize("NFC", printable(label)).split())


INPUTS = "give n >= 0, for the inputs 0..n, or their labels, as in ['no', 'yes']"
"""What a constructor's first argument may be."""


def inputs_of(n: int | Iterable[Label]) -> Labels:
    """The inputs that a constructor's first argument means: 0..n, unlabelled, or the labels given.

    * ``n``: n ≥ 0 means n + 1 inputs.
    * raises ParameterRangeError: n < 0.
    * raises LabelError, InputError: it is neither an int nor a list of labels.

    >>> inputs_of(2), inputs_of(["a", "b"])
    (('0', '1', '2'), ('a', 'b'))
    """
    if is_whole(n):
        last = index(n)
        if last < 0:
            raise ParameterRangeError(f"n = {last} is negative; {INPUTS}", name="n", value=last, allowed="n >= 0")
        require_budget(f"the list of the inputs 0..{figure(last)}", numbers=last + 1)
        return Positions(last + 1)
    if isinstance(n, (bool, float)) or n is None:
        raise InputError(f"n = {n!r} is not an int; {INPUTS}", value=n)
    if isinstance(n, str):
        raise LabelError(f"{n!r} is neither an int nor a list of input labels; {INPUTS}", label=n)
    try:
        return as_labels(n, what="input label")  # type: ignore[arg-type]
    except ShapeError as error:  # an empty list
        raise ShapeError(f"{error.message}; {INPUTS}", **error.facts) from None


def _listed(labels: object, what: str) -> list[Any]:
    try:
        return entries_of(labels, f"{what}s")
    except InputError as error:
        raise LabelError(error.message, **error.facts) from None


def is_integer_label(label: str) -> bool:
    """Whether the label is an integer in plain decimal notation.

    >>> [is_integer_label(x) for x in ("12", "-3", "007", "1/2", "a")]
    [True, True, False, False, False]
    """
    return _INTEGER.fullmatch(label) is not None


def integer_labels(labels: Sequence[str], *, purpose: str, instead: str = "on a graph use the loss 'distance' instead") -> tuple[int, ...]:
    """The integers that the labels spell; LabelError with the first that is none, and what to do ``instead``.

    >>> integer_labels(("0", "10"), purpose="the loss abs")
    (0, 10)
    """
    for label in labels:
        if not is_integer_label(label):
            raise LabelError(f"{purpose} needs integer labels, and {label!r} is none; {instead}", label=label)
    return tuple(int(label) if len(label) < 1_000 else Rational(label).numerator for label in labels)


def in_order(labels: Iterable[str]) -> list[str]:
    """By number if all are integers, else as texts.

    >>> in_order(("10", "9")), in_order(("b", "10", "9"))
    (['9', '10'], ['10', '9', 'b'])
    """
    texts = sorted(labels)
    if not all(map(is_integer_label, texts)):
        return texts
    return [label for _, label in sorted(zip(integer_labels(texts, purpose="an order"), texts, strict=True))]


def position_of(label: Label, labels: Labels, *, what: str = "label") -> int:
    """Where a label stands in a list of labels; LabelError if it does not.

    >>> position_of(2, ("1", "2"))
    1
    """
    text = as_label(label, what=what)
    try:
        return labels.index(text)
    except ValueError:
        raise LabelError(
            f"unknown {what} {text!r}{_alike(text, labels)}; the labels are {brief(labels)}", label=text, labels=labels
        ) from None


def order_of(labels: Iterable[Label] | None, own: Labels) -> Labels:
    """The labels in whose order something is wanted, or its own if none are given.

    >>> order_of(["a", "b"], ("b", "a")), order_of(None, ("b", "a"))
    (('a', 'b'), ('b', 'a'))
    """
    if labels is None:
        return own
    return labels if isinstance(labels, tuple) else as_labels(labels)


MOST_WRITTEN = 40
"""Most characters of a list of labels that a remedy repeats."""


def places_in(got: Labels, reference: Labels, *, got_what: str, expected_what: str) -> tuple[int, ...]:
    """Where each entry of a reference stands: by label, or by position if neither is labelled.

    * ``got``, ``reference``: of the same entries.
    * ``got_what``, ``expected_what``: what they are, for the error.

    Returns: place k is where the entry ``reference[k]`` stands in ``got``.

    * raises LabelError: the labels differ, or only one of the two is labelled; carries ``got`` and
      ``expected``.

    >>> places_in(("b", "a"), ("a", "b"), got_what="the rows", expected_what="the inputs")
    (1, 0)
    >>> places_in(Positions(2), ("0", "1"), got_what="the rows", expected_what="the inputs")
    Traceback (most recent call last):
    ...
    exactdp.errors.LabelError: the rows are unlabelled, but the inputs are labelled (0, 1); label both, or ...
    """
    count = range(len(got))
    if got == reference:
        return tuple(count)
    unlabelled = isinstance(got, Positions), isinstance(reference, Positions)
    if len(got) != len(reference):
        raise _differ(got, reference, got_what, expected_what, f"there are {len(got)} and {len(reference)} of them")
    if unlabelled[0] != unlabelled[1]:
        mine, other = (got, reference) if unlabelled[0] else (reference, got)
        if not (isinstance(mine, Positions) and mine.named and set(mine) == set(other)):
            first, second = (got_what, expected_what) if unlabelled[0] else (expected_what, got_what)
            names = str(list(other)) if len(str(list(other))) <= MOST_WRITTEN else "[…]"
            raise LabelError(
                f"{first} are unlabelled, but {second} are labelled {brief(other)}; label both, or match them by position "
                f"(--by-position; in Python .relabelled({names}) of the former, which is read_table(path) for a file)",
                got=got,
                expected=reference,
                unlabelled=True,
            )
    place = {label: k for k, label in enumerate(got)}
    unknown = next((label for label in reference if label not in place), None)
    if unknown is None:
        return tuple(place[label] for label in reference)
    if all(unlabelled):
        return tuple(count)
    raise _differ(got, reference, got_what, expected_what, f"{unknown!r} is not among the former{_alike(unknown, got)}")


def _alike(label: str, others: Iterable[str]) -> str:
    """What to add of a label that is none of the others, where one of them looks like it."""
    meant = shown_alike(label)
    other = next((other for other in others if shown_alike(other) == meant), None)
    return "" if other is None else f" (there is {other!a}, which looks like it and is another text)"


def _differ(got: Labels, reference: Labels, got_what: str, expected_what: str, difference: str) -> LabelError:
    message = f"{got_what} are {brief(got)}, but {expected_what} are {brief(reference)}; {difference}; both must be the same, in any order"
    return LabelError(message, got=got, expected=reference)


def name_in_order(name: str, labels: Labels) -> str:
    """The name of a graph or metric put on these inputs, with their order where the name doesn't tell it.

    >>> [name_in_order("path:2", labels) for labels in (("b", "a"), ("0", "1"))]
    ['path:2 in the order of the inputs (b, a)', 'path:2']
    """
    plain = name.partition(_ORDER)[0]
    told = isinstance(labels, Positions) or labels == tuple(map(str, range(len(labels)))) or plain.startswith("complete:")
    return plain if told or not plain else f"{plain}{_ORDER}{brief(labels)}"


_ORDER = " in the order of the inputs "


def brief(labels: Sequence[str]) -> str:
    """A list of labels in some sixty characters, escaped; points are put apart by semicolons.

    >>> brief(("a", "b")), brief(("0,0", "0,1"))
    ('(a, b)', '(0,0; 0,1)')
    """
    apart = "; " if any("," in label for label in labels) else ", "
    shown = [shortened(label) for label in (labels if len(labels) <= 8 else labels[:4])]
    if len(labels) <= 8 and sum(map(len, shown)) <= 100:
        return f"({apart.join(shown)})"
    return f"({apart.join(shown[:4])}{apart}…{apart}{shortened(labels[-1])}: {len(labels)} labels)"


def shortened(label: str) -> str:
    """A label in at most some twenty characters, escaped.

    >>> shortened("a" * 30)
    'aaaaaaaaaaaa…aaaaaaaa'
    """
    return printable(label if len(label) <= 24 else f"{label[:12]}…{label[-8:]}")


def as_matrix(matrix: ExactMatrix | Sequence[Sequence[object]], letters: LettersLike | None = None) -> ExactMatrix:
    """The matrix given, or one of rows of text, ints and scalars, over the field of its scalars or ℚ.

    With letters it is over their field, and text is read with them.

    >>> as_matrix([["1-p", "p"]], "0 < p < 1/2")
    ExactMatrix([['-p + 1', 'p']])
    """
    known = None if letters is None else letters_of(letters)
    if isinstance(matrix, ExactMatrix):
        return matrix if known is None else matrix.over(common_field(matrix, known.field))
    if hasattr(matrix, "is_Matrix") and hasattr(matrix, "shape"):
        if known is None:
            return ExactMatrix.from_sympy(matrix)
        foreign: Any = matrix
        matrix = [[foreign[i, j] for j in range(foreign.shape[1])] for i in range(foreign.shape[0])]
    if hasattr(matrix, "nrows"):
        return ExactMatrix.from_flint(matrix)  # type: ignore[arg-type]
    if isinstance(matrix, str) or not hasattr(matrix, "__iter__"):
        raise wrong_kind("matrix", matrix, "rows of exact numbers, or read a table first")
    rows = []
    for i, row in enumerate(entries_of(matrix, "rows of the matrix")):
        if isinstance(row, str) or not hasattr(row, "__iter__"):
            raise InputError(f"row {i} of the matrix is {row!r}, not a sequence of numbers", row=i, value=row)
        rows.append(entries_of(row, f"entries of row {i}"))
    if known is None:
        return ExactMatrix(rows)
    symbols_by_name(symbol for row in rows for x in row if is_expression(x) for symbol in x.free_symbols)  # no two of one name
    return ExactMatrix([[_read(known, x, i, j) for j, x in enumerate(row)] for i, row in enumerate(rows)], known.field)


def _read(letters: Letters, entry: object, i: int, j: int) -> object:
    """An entry, a text or an expression of sympy read with letters; an error names its place."""
    try:
        return letters.read(entry) if isinstance(entry, str) or is_expression(entry) else entry
    except ExactDPError as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **{**error.facts, "row": i, "column": j}) from None


def permuted(matrix: ExactMatrix, rows: Sequence[int], columns: Sequence[int]) -> ExactMatrix:
    """The matrix whose row k and column l are row ``rows[k]`` and column ``columns[l]`` of this one.

    >>> permuted(ExactMatrix([[1, 2], [3, 4]]), (1, 0), (0, 1))
    ExactMatrix([['3', '4'], ['1', '2']])
    """
    if (tuple(rows), tuple(columns)) == tuple(tuple(range(size)) for size in matrix.shape):
        return matrix
    found = [matrix.row(i) for i in rows]
    return ExactMatrix([[row[j] for j in columns] for row in found], matrix.field)


WIDEST_CELL = 32
"""Characters of an exact number in a printed table; with longer ones the table is printed with decimals."""

_LATEX = str.maketrans(
    {
        **{char: rf"\{char}" for char in "{}$&#%_"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
"""What LaTeX's own characters are in a label."""

DECIMALS = 6
"""Significant digits of a number that is printed as a decimal."""


def grid_text(matrix: ExactMatrix, row_labels: Labels, column_labels: Labels) -> str:
    """The matrix as aligned text with its labels, escaped; in decimals, and saying so, if a number is long.

    >>> print(grid_text(ExactMatrix([["1/2", "1/2"], [0, 1]]), ("0", "1"), ("no", "yes")))
        no  yes
    0  1/2  1/2
    1    0    1
    """
    rows = [[str(x) for x in row] for row in matrix.rows()]
    rounded = max(len(cell) for row in rows for cell in row) > WIDEST_CELL
    if rounded:
        try:
            rows = [
                [cell if len(cell) <= DECIMALS else f"{x:.{DECIMALS}g}" for cell, x in zip(cells, row, strict=True)]
                for cells, row in zip(rows, matrix.rows(), strict=True)
            ]
        except (ExactDPError, TypeError):  # a letter has no decimals
            rounded = False
    lines: list[list[Any]] = [["", *map(printable, column_labels)]]
    lines += [[printable(label), *cells] for label, cells in zip(row_labels, rows, strict=True)]
    widths = [max(len(line[j]) for line in lines) for j in range(len(lines[0]))]
    text = "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    )
    legend = matrix.field.explained(" ".join(cell for row in rows for cell in row))
    if rounded:
        legend = f"rounded to {DECIMALS} digits; the exact numbers are in .matrix"
    return f"{text}\n({legend})" if legend else text


class LabelledMatrix(Drawn):
    """A matrix whose rows and columns have labels: what other libraries make of it, and with pandas back."""

    __slots__ = ()
    __array_ufunc__ = None  # as for a matrix: no product with an array

    @property
    def matrix(self) -> ExactMatrix:
        """The numbers."""
        raise NotImplementedError

    def _fill(self, **fields: object) -> Self:
        """Itself, with these fields: a frozen object is filled in once, while it is made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        return self

    def _axes(self) -> list[Labels]:
        """The labels of rows and of columns, whatever the two are called."""
        return [getattr(self, name) for name in ("inputs", "outputs", "guesses") if hasattr(self, name)]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.matrix.shape

    def __str__(self) -> str:
        return grid_text(self.matrix, *self._axes())

    def __getitem__(self, position: Any) -> Any:
        """One entry, by two labels or two positions; with a slice the matrix of those rows and columns.

        A text, or a point such as (0, 1), is a label. An int is a position, counted from 0, or from the end
        if it is negative. Where it is the label of another row or column, too, it is refused; what is
        unlabelled has no labels but names, which only texts mean. The ends of a slice are positions.

        * raises LabelError: there is no such label, or an int may be a label or a position.
        * raises IndexError: there is no such position.
        """
        if not isinstance(position, tuple) or len(position) != 2:
            raise InputError(
                f"{repr_of(position)} is not an entry; write m['yes', 'no'] for labels, m[0, 1] for positions, m['yes', :] for a row, "
                f"m.matrix.rows() for all rows",
                value=position,
            )
        rows, columns = self._axes()
        places: Any = _place(position[0], rows, "row"), _place(position[1], columns, "column")
        return self.matrix[places]

    def _in_brief(self) -> str | None:
        sizes = [len(labels) for labels in self._axes()]
        return "×".join(map(str, sizes)) if max(sizes) > LARGEST else None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.matrix.__array__(dtype, copy)

    def to_sympy(self) -> Any:
        """The numbers in sympy, without labels (:meth:`ExactMatrix.to_sympy`)."""
        return self.matrix.to_sympy()

    def to_flint(self) -> Any:
        """The numbers as a ``flint.fmpq_mat``, without labels (:meth:`ExactMatrix.to_flint`)."""
        return self.matrix.to_flint()

    def to_numpy(self, dtype: Any = None) -> Any:
        """An array of exact objects, or with ``float`` of doubles (:meth:`ExactMatrix.to_numpy`)."""
        return self.matrix.to_numpy(dtype)

    def to_latex(self, decimals: int | None = None, *, digits: int | None = None) -> str:
        r"""The exact numbers as a ``bmatrix`` without labels, or rounded ones as a ``tabular`` with them.

        Where all rows sum to 1, and some of the rounded ones do not, a comment above says so.

        Parameters
        ----------
        decimals, digits : int, optional
            Digits after the point, from 0 to 30, or significant digits, from 1 to 30; never both. Without
            them nothing is rounded, and what is written is read back (:meth:`ExactMatrix.to_latex`).

        Raises
        ------
        InputError
            Both are given, or one is no such number; or an entry has a letter, and so no decimals.

        Examples
        --------
        >>> from exactdp import Table
        >>> print(Table([["1/3", "2/3"]], inputs=["50%"], outputs=["no", "yes"]).to_latex(decimals=2))
        \begin{tabular}{lrr}
         & no & yes \\ \hline
        50\% & 0.33 & 0.67
        \end{tabular}
        """
        numbers = decimal_rows(self.matrix.rows(), decimals, digits)
        if numbers is None:
            return self.matrix.to_latex()
        rows, columns = ([label.translate(_LATEX) for label in map(printable, labels)] for labels in self._axes())
        lines = [" & ".join(["", *columns]) + r" \\ \hline"]
        lines.append(" \\\\\n".join(" & ".join([label, *row]) for label, row in zip(rows, numbers, strict=True)))
        body = "\n".join(lines)
        return f"{self._rounded_sums(numbers, decimals, digits)}\\begin{{tabular}}{{l{'r' * len(columns)}}}\n{body}\n\\end{{tabular}}"

    def _rounded_sums(self, numbers: list[list[str]], decimals: int | None, digits: int | None) -> str:
        """A comment on what the rounded rows sum to; empty where it is 1, or exact rows do not sum to 1."""
        sums = [sum(map(Rational, row), Rational(0)) for row in numbers]
        exact = (sum(row, self.matrix.field.zero) for row in self.matrix.rows())
        if all(total == 1 for total in sums) or any(total != 1 for total in exact):
            return ""
        form = (lambda end: decimal_text(end, 2 * MOST_DECIMALS)[0]) if decimals is None else f"{{:.{decimals}f}}".format
        ends = " to ".join(map(form, dict.fromkeys((min(sums), max(sums)))))
        told = f"{decimals} digits" if digits is None else f"{digits} significant digits"
        return f"% rounded to {told}, rows sum to {ends}; exactly, each sums to 1\n"

    def to_pandas(self) -> Any:
        """A data frame of exact objects; what is labelled has its labels there, too.

        Raises InputError if pandas is not installed.
        """
        return self.matrix.to_pandas(*map(given_names, self._axes()))

    @classmethod
    def from_pandas(cls, frame: Any) -> Self:
        """The same kind of matrix from a data frame, with the labels that it has.

        Raises InexactInputError for floats; the message names row and column, and what reads doubles.
        """
        if not (hasattr(frame, "index") and hasattr(frame, "columns")):
            raise wrong_kind("frame", frame, "a data frame")
        labels = index_labels(frame.index), index_labels(frame.columns)
        try:
            return cls(frame_rows(frame), *labels)  # type: ignore[call-arg]
        except InexactInputError as error:
            number, semicolon, _ = error.message.partition("; write the number as text")
            if not semicolon:
                raise
            doubles = "from_floats(frame) is the table of exactly these doubles, and from_floats(frame).unrounded() the mechanism"
            raise InexactInputError(f"{number}; {doubles}; for the decimals give text ('0.7')", **error.facts) from None


def _place(key: Any, labels: Labels, what: str) -> int | slice:
    """The position of a row or column that is named by its label or its position; a slice stays one.

    >>> _place("no", ("yes", "no"), "row"), _place(-1, ("yes", "no"), "row")
    (1, -1)
    >>> _place(1, ("1", "2"), "row")
    Traceback (most recent call last):
    ...
    exactdp.errors.LabelError: 1 is a label, and the position of another row, '2'; write '1' ...
    """
    if isinstance(key, slice):
        if not all(end is None or is_whole(end) for end in (key.start, key.stop, key.step)):
            raise LabelError(f"the ends of a slice of {what}s are positions; {repr_of(key)} has others", label=key)
        return key
    if not is_whole(key):
        return position_of(key, labels, what=f"{what} label")
    place, text = index(key), str(index(key))
    inside = -len(labels) <= place < len(labels)
    if inside and (isinstance(labels, Positions) or labels[place] == text or text not in labels):
        return place  # what is unlabelled is known by its places
    if inside:
        raise LabelError(
            f"{text} is a label, and the position of another {what}, {labels[place]!r}; write {text!r} for the label, and "
            f"m.matrix[i, j] for positions",
            label=text,
            labels=labels,
        )
    hint = f"; an int is a position, for the label write {text!r}" if text in labels else ""
    raise IndexError(f"{what} {text} is outside: there are {len(labels)}, counted from 0{hint}")


def given_names(labels: Labels) -> list[str] | None:
    """Labels, or names that say more than the numbers 0, 1, …; None for what is unlabelled.

    >>> given_names(Positions(2)), given_names(("no", "yes"))
    (None, ['no', 'yes'])
    """
    return None if isinstance(labels, Positions) and not labels.named else list(labels)
