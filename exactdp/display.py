# SPDX-License-Identifier: MIT
"""The base of values that show themselves as HTML, LaTeX and pictures, which the reports make when asked.

The package's root says which folder makes them (:attr:`Displayed._report`), so a mechanism can show itself
and its module needs to know nothing of reports. Nothing is loaded before something is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from typing import Any, ClassVar

from exactdp.elsewhere import Telling

LARGEST = 12
"""A value with more rows, columns or inputs than this is shown in brief."""


def short_digest(content: bytes | str | Iterable[object]) -> str:
    """What tells contents apart in a sentence: the first digits of the SHA-256 of a file, or of some values.

    >>> short_digest("1/2,1/2"), short_digest(["1/2", 3]) == short_digest(["1/2", "3"])
    ('sha256 b8923f20…', True)
    """
    from hashlib import sha256  # only sentences about files and large things need it

    if not isinstance(content, bytes | str):
        content = "\n".join(ascii(str(value)) for value in content)
    data = content.encode() if isinstance(content, str) else content
    return f"sha256 {sha256(data).hexdigest()[:8]}…"


def repr_inside(value: Any) -> str:
    """The ``repr`` of a value inside of another one's, where it may say more (``_repr_inside``)."""
    own = getattr(value, "_repr_inside", None)
    return repr(value) if own is None else str(own())


class Displayed(Telling):
    """A value that notebooks show as a table: in HTML, and in LaTeX where HTML is not understood."""

    __slots__ = ()

    _report: ClassVar[str] = ""
    """The package with the modules ``html``, ``latex`` and ``plot``; set by ``exactdp/__init__.py``."""

    def _in_brief(self) -> str | None:
        """A few words for what is too large for all of it to be read; None for the rest."""
        return None

    def __repr__(self) -> str:
        words = self._in_brief()
        if words is not None:
            return f"<{type(self).__name__} {words}>"
        from dataclasses import fields

        shown = (f"{field.name.lstrip('_')}={repr_inside(getattr(self, field.name))}" for field in fields(self) if field.repr)  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        html: str = import_module(f"{self._report}.html").html_of(self)
        return html

    def display(self, *, decimals: int | None = None, digits: int | None = None, full: bool = False, picture: bool = True) -> Any:
        """The same in a notebook, with numbers as decimals, in full, or without its picture.

        Parameters
        ----------
        decimals, digits : int, optional
            Numbers as decimals with so many digits after the point, or so many significant ones; never both.
            They are rounded from the exact numbers, which stay as the titles of the entries. Formulas stay.
        full : bool
            No table is cut, no number is shortened.
        picture : bool
            Show the picture, where one exists.

        Returns
        -------
        Shown
            For a notebook, as the value of a cell.

        Raises
        ------
        InputError
            Both ``decimals`` and ``digits`` are given, or one is out of range: 0 … 1000, 1 … 1000.

        Examples
        --------
        >>> from exactdp import geometric
        >>> '<td title="2/3">0.667</td>' in geometric(1, "1/2").display(decimals=3)._repr_html_()
        True
        """
        shown = import_module(f"{self._report}.shown").shown
        return shown(self, decimals=decimals, digits=digits, full=full, picture=picture)

    def _repr_latex_(self) -> str:
        latex: str = import_module(f"{self._report}.latex").latex_of(self)
        return latex


class Drawn(Displayed):
    """A value that has a picture, too."""

    __slots__ = ()

    def plot(self, file: str | PathLike[str] | None = None, *, ax: Any = None, **options: Any) -> Any:
        """Draw it with matplotlib (the extra ``plot``); only the pixels are rounded.

        Parameters
        ----------
        file : str or path, optional
            Write the picture there, too: ``picture.png``, ``picture.svg`` or ``picture.pdf``.
        ax : matplotlib Axes, optional
            Where to draw; a new figure unless given.
        **options
            Of the picture of such a thing, by :mod:`exactdp.report.plot`: ``by="alpha"`` draws what depends
            on the level over α instead of ε.

        Returns
        -------
        matplotlib Figure, or ``ax`` if that was given
            Shown once: by a notebook as the value of a cell, by a script with ``.show()``. Write it with
            ``.savefig("picture.svg")``. After ``import matplotlib.pyplot as plt`` it is also the current
            figure, of ``plt.savefig`` and ``plt.show``.

        Raises
        ------
        InputError
            There is no picture of this, an option does not belong to it, or matplotlib is not installed.
        """
        if file is not None and not isinstance(file, str | PathLike):
            from exactdp.errors import wrong_kind  # not loaded by the package alone

            raise wrong_kind("file", file, "its name, such as 'picture.png'; axes are given as ax=")
        drawn = import_module(f"{self._report}.plot").picture_of(self, ax=ax, **options)
        if file is not None:
            (drawn if ax is None else ax.figure).savefig(file)
        return drawn
