# SPDX-License-Identifier: MIT
"""The demonstration: a published table and matrix, recomputed, certified, re-checked by the checker alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from exactdp.certificate import certify
from exactdp.checker import kernel
from exactdp.errors import WriteError
from exactdp.exact import ExactMatrix
from exactdp.papers.gupte_sundararajan import examples as tables
from exactdp.papers.gupte_sundararajan import optimality
from exactdp.papers.record import Finding, Printed, Status, load_paper
from exactdp.runtime.files import make_folder
from exactdp.runtime.progress import Listener, counted_off

PAPER = "gupte_sundararajan"

Act = tuple[str, str | None, str, Callable[[Printed], Finding]]

ACTS: tuple[Act, ...] = (
    (
        "Table 1(a)",
        "table-1a",
        "is printed as the optimal 1/4-private mechanism for n = 3, the loss |i-r| and no side information.",
        tables.table_1a,
    ),
    ("Table 1(b)", "table-1b", "is printed as the geometric mechanism G(3, 1/4).", tables.table_1b),
    ("Table 1(c)", "table-1c", "is printed as the consumer's optimal interaction with G(3, 1/4).", tables.table_1c),
    ("Table 1 as a whole", None, "says that (a) is the optimum and equals (b) times (c).", tables.table_1),
    (
        "Appendix B",
        "appendix-b",
        "is printed as a 1/2-private mechanism that cannot be derived from G(3, 1/2).",
        tables.appendix_b,
    ),
    ("Section 4.2", None, "says that Appendix B's mechanism is not optimal for any consumer.", optimality.not_optimal_for_any),
)


def demo(directory: Path, out: Callable[[str], None], *, progress: Listener | None = None) -> int:
    """Replay Table 1 and Appendix B, write their certificates into ``directory`` and check them with the
    checker as a program of its own.

    Parameters
    ----------
    directory : Path
        Made if it is not there.
    out : callable
        Gets the report, line by line.
    progress : callable, optional
        Told before each part how many are done.

    Returns
    -------
    int
        0 if the checker accepts every certificate, else its exit code.

    Raises
    ------
    WriteError
        A certificate could not be written. It is raised at the end, when all the rest has been reported.
    """
    record = load_paper(PAPER)
    printed = Printed(record.folder)
    out(f"{record.authors}: {record.title}")
    out("What the paper prints is the input; what follows is recomputed now, exactly.")
    written: dict[str, Path] = {}
    unwritten: WriteError | None = None
    verdicts: list[tuple[str, Status]] = []
    for title, table, sentence, question in counted_off(ACTS, progress, "demo", "parts", detail=lambda act: act[0]):
        out("")
        out(f"{title} {sentence}")
        if table is not None:
            for line in _shown(printed.table(table)):
                out(f"    {line}")
        finding = question(printed)
        verdicts.append((title, finding.status))
        out(f"  -> {finding.status}: {finding.detail}.")
        for name, verdict in finding.verdicts.items():
            if name not in written and unwritten is None:
                try:
                    written[name] = certify(verdict).write(make_folder(directory) / f"{name}.edp.json")
                except WriteError as error:
                    unwritten = error
    out("")
    out(f"{len(written)} certificates are in {directory}. Now the checker alone (standard library only, no import of exactdp) reads them:")
    code = _recheck(sorted(written.values()), out) if written else 0
    out("")
    out("Summary: " + "; ".join(f"{title} {status}" for title, status in verdicts) + ".")
    if unwritten is not None:
        raise unwritten
    out("Every certificate was accepted." if code == 0 else f"The checker did not accept every certificate (exit code {code}).")
    return code


def _shown(matrix: ExactMatrix) -> list[str]:
    return str(matrix).splitlines()


def _recheck(files: list[Path], out: Callable[[str], None]) -> int:
    """Run ``python -I kernel.py FILES`` and pass its report on."""
    command = [sys.executable, "-I", str(Path(kernel.__file__).resolve()), *(str(file.resolve()) for file in files)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    for line in (result.stdout + result.stderr).splitlines():
        out(f"  {line}")
    return result.returncode
