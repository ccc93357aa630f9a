# SPDX-License-Identifier: MIT
"""Pictures that are shown once, and what all of them share: axes, colours, labels, numbers for the pixels."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Any, Literal

from exactdp.errors import InputError, printable
from exactdp.exact import RationalFunction
from exactdp.report.values import elide

Figure: Any
try:
    from matplotlib.figure import Figure
except ImportError:  # the extra is not installed: new_axes says so
    Figure = object


BLUE, RED, GREY = "#0072b2", "#d55e00", "#8c8c8c"
"""Okabe and Ito's blue and vermilion, which are told apart with every kind of colour vision, and a grey."""


PER_INCH = 13
"""Characters of a title in an inch."""


SAMPLES = 200
"""At how many levels a curve is evaluated."""


class Picture(Figure):  # type: ignore[misc]  # of no known type: matplotlib may be absent
    """A matplotlib Figure that is shown once: by a notebook as the value of a cell, by a script with show."""

    def _repr_svg_(self) -> str:
        text = io.StringIO()
        self.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    def save(self, file: Any, **options: Any) -> None:
        """Write it to a file, as ``savefig`` does."""
        self.savefig(file, **options)

    def show(self, warn: bool = True) -> None:
        """Open it in a window and wait until that is closed; in a notebook, show it below the cell.

        * raises InputError: there is no window to open it in.
        """
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is not None and hasattr(shell, "kernel"):
            from IPython.display import display

            display(self)  # type: ignore[no-untyped-call]
            return
        from matplotlib import pyplot

        had_window = self.canvas.manager is not None
        if not had_window:
            _make_current(pyplot, self)
        if self.canvas.required_interactive_framework is None and pyplot.get_backend().lower() in _WINDOWLESS:
            if not had_window:
                pyplot.close(self)
            raise InputError(
                f"no window can be opened here (matplotlib's backend is {pyplot.get_backend()}); write the picture to a file: "
                '.savefig("picture.svg")'
            )
        pyplot.show()


_WINDOWLESS = {"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"}
"""The backends of matplotlib that only write files."""

_IN_NOTEBOOKS = ("inline", "nbagg", "notebook", "ipympl", "widget")
"""Parts of the names of backends that show pyplot's current figure below the cell."""


def _make_current(pyplot: Any, picture: Picture) -> None:
    """Make it the current figure of pyplot."""
    pyplot.figure(FigureClass=lambda *args, **options: picture)


def shown_by_host(picture: Any) -> None:
    """Make a new picture pyplot's current figure, if the host has imported pyplot.

    Then ``plt.savefig`` writes it and ``plt.show`` opens it. A notebook shows its current figure and the
    value of a cell: there it stays as it is, to be shown once.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not isinstance(picture, Picture):
        return
    if any(part in pyplot.get_backend().lower() for part in _IN_NOTEBOOKS):
        return
    try:
        _make_current(pyplot, picture)
    except ImportError:  # the backend that was chosen has no screen here: only a file can be written
        return


def new_axes(*, width: float = 6.4, height: float = 4.8, projection: str | None = None) -> Any:
    """The axes of a new picture.

    * ``width``, ``height``: in inches.
    * ``projection``: as for ``Figure.add_subplot``, such as ``"3d"``.
    * raises InputError: matplotlib is not installed.
    """
    if Figure is object:
        raise InputError("pictures need matplotlib; install exactdp[plot]")
    return Picture(figsize=(width, height), layout="constrained").add_subplot(projection=projection)


def done(drawn: Any, given: Any) -> Any:
    """What a picture returns: the axes that were given, or else the new figure."""
    return drawn if given is not None else drawn.figure


def near(x: Any) -> float:
    """About the number, for a place in the picture."""
    if isinstance(x, RationalFunction):
        if x.rational is None:
            raise InputError(
                f"{elide(str(x))} is a function of the level, which has no place in a picture; draw its values at a level, "
                "such as matrix.map(lambda x: x.evaluate('1/4'))",
                value=x,
            )
        return float(x.rational)
    return float(x)


def written(x: Any, longest: int = 7) -> str:
    """The number if that is short, else a decimal."""
    text = str(x)
    return text if len(text) <= longest else f"{near(x):.3g}"


def ticks(labels: Sequence[str]) -> tuple[list[int], list[str]]:
    """At most 16 of the places, evenly spaced, with their labels, cut."""
    places = list(range(0, len(labels), -(-len(labels) // 16)))
    return places, [shorten_label(labels[k]) for k in places]


def shorten_label(label: str, longest: int = 14) -> str:
    """A label that fits beside a picture.

    >>> shorten_label("a"), shorten_label("a very long label indeed")
    ('a', 'a very long l…')
    """
    shown = printable(label)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def beside(drawn: Any, text: str, place: tuple[float, float], up: float, **options: Any) -> None:
    """Write a text at a place, or so many points above it."""
    where = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": 8}
    drawn.annotate(text, place, (0, up), **where, zorder=5, parse_math=False, **options)


Axis = Literal["epsilon", "alpha"]
