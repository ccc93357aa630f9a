# SPDX-License-Identifier: MIT
"""Rich display in IPython and Jupyter: labelled tables as HTML and LaTeX, verdicts as HTML.

The model knows nothing of this: formatters are registered with the shell by type, either by ``%load_ext exactdp.report.notebook`` or, when
exactdp is imported inside IPython, at once.
"""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["load_ipython_extension", "register_if_running"]


def load_ipython_extension(ipython: Any) -> None:
    """Register the formatters with a shell (what ``%load_ext`` calls)."""
    import exactdp.report.regions  # registers how these answers are shown
    import exactdp.report.types  # noqa: F401
    from exactdp.analysis import LevelPieces, Verdict
    from exactdp.analysis.kernels import KernelMechanism
    from exactdp.exact import ExactMatrix
    from exactdp.model import Gain, Loss, Mechanism, Remap, Table
    from exactdp.model.hyper import Hyper
    from exactdp.report.html import grid_html, verdict_html
    from exactdp.report.items import grid_of
    from exactdp.report.latex import grid_latex, pieces_latex
    from exactdp.report.types import kernel_grid

    html, latex = (ipython.display_formatter.formatters[kind] for kind in ("text/html", "text/latex"))
    for kind in (ExactMatrix, Mechanism, Table, Remap, Loss, Gain, Hyper):
        html.for_type(kind, lambda thing: grid_html(grid_of("", thing)))
        latex.for_type(kind, lambda thing: f"$${grid_latex(grid_of('', thing))}$$")
    html.for_type(KernelMechanism, lambda kernel: grid_html(kernel_grid(kernel)))
    latex.for_type(KernelMechanism, lambda kernel: f"$${grid_latex(kernel_grid(kernel))}$$")
    html.for_type(Verdict, verdict_html)
    latex.for_type(LevelPieces, lambda pieces: f"$${pieces_latex(pieces)}$$")
    latex.for_type(Verdict, lambda verdict: f"$${pieces_latex(verdict.evidence)}$$" if isinstance(verdict.evidence, LevelPieces) else None)


def register_if_running() -> bool:
    """Register with the IPython shell that runs this process; False, and nothing done, when there is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return False
    load_ipython_extension(shell)
    return True
