# SPDX-License-Identifier: MIT
"""Ask all questions of a plan that are not answered yet, keep what is answered, and make the index."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactdp.analysis.arguments import Arguments, ask
from exactdp.errors import ExactDPError, InputError, wrong_kind
from exactdp.runtime.progress import Listener, Progress, seconds_of
from exactdp.sweeps.answer import WORDS
from exactdp.sweeps.cluster import asked, cluster, dashboard, require_workers
from exactdp.sweeps.index import index, rows
from exactdp.sweeps.plan import Plan, bytes_of
from exactdp.sweeps.question import Question
from exactdp.sweeps.store import Store

STOPPING = "stopping"
"""The phase of a sweep that ends early."""

REPAIRED = "a damaged file"
"""The phase of a sweep that finds a file of its folder damaged; the detail says which, and what is done."""

WINDOW = 60.0
"""Seconds over which the rate is told."""


@dataclass(frozen=True, slots=True, repr=False)
class Sweep:
    """What became of the questions of a plan.

    * ``folder``: where everything is.
    * ``index``: the Parquet file with a row for each answer.
    * ``counts``: how many questions of this plan have each verdict: proved, refuted, undecided, limit,
      failed.
    * ``asked``: how many were asked now; the others had been answered before.
    * ``seconds``: how long that took.

    >>> from exactdp import Sweep
    >>> stars = Path("stars")
    >>> done = Sweep(stars, stars / "index.parquet", {"proved": 1, "refuted": 2}, asked=2, seconds=0.1)
    >>> print(done)
    3 questions: 1 proved, 2 refuted (1 had been answered before)
    """

    folder: Path
    index: Path
    counts: dict[str, int]
    asked: int
    seconds: float

    def rows(self, where: str = "", *, select: str = "*", order: str = "") -> list[dict[str, Any]]:
        """The rows of the index for which an SQL condition holds (DuckDB)."""
        names, found = rows(self.index, select=select, where=where, order=order)
        return [dict(zip(names, row, strict=True)) for row in found]

    def __str__(self) -> str:
        total = sum(self.counts.values())
        words = ", ".join(f"{count} {word}" for word, count in self.counts.items() if count)
        before = total - self.asked
        told = f" ({before} had been answered before)" if before else ""
        return f"{total} questions: {words}{told}"

    def __repr__(self) -> str:
        return f"<Sweep of {self}>"


def sweep(
    plan: Plan | str | Path | Iterable[Question],
    folder: str | Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    each_seconds: float | None = None,
    each_memory: int | str | None = None,
    again: Sequence[str] = (),
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Sweep:
    """Ask many questions, on the cores of this machine or a Dask cluster, and keep answers and certificates.

    What is answered is in the folder at once. It can be stopped at any moment, by any means; called again
    with the same folder it asks what is not answered yet. Another plan in the same folder extends it.

    Parameters
    ----------
    plan : Plan, str, Path or iterable of Question
        What to ask: a plan, the name of a TOML file, or questions.
    folder : str or Path
        A new folder, or that of a sweep.
    workers : int, optional
        Processes on this machine; as many as it has cores unless given.
    scheduler : str, optional
        The address of a Dask scheduler to use instead, such as ``tcp://10.0.0.1:8786``. Its workers need the
        same version of exactdp, and no shared folder.
    each_seconds, each_memory : float, int or str, optional
        The limits of each question, instead of the plan's: seconds, and bytes or text such as ``"2 GiB"``.
    again : sequence of str
        Verdicts to be asked again: ``limit``, ``failed``, ``undecided``, ….
    progress : callable, optional
        Told how many are answered, the rate, the time left and the address of the dashboard.
    time_limit : float, optional
        Seconds after which the sweep stops, with a ResourceLimitError; what is answered stays.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError
        The plan breaks a rule, the folder is something else, or the extra ``sweep`` is not installed.
    WriteError
        The folder can't be written to, as when the disk is full; what is answered stays.
    SearchError
        The cluster is gone; what is answered stays.

    Notes
    -----
    The processes on this machine are started as :mod:`multiprocessing` does it: a script that calls this does
    so under ``if __name__ == "__main__":``.

    Examples
    --------
    >>> from exactdp import Plan, Question, sweep
    >>> plan = Plan([Question("tight", f"star:{m}", "2/3") for m in (3, 4, 5)])
    >>> if __name__ == "__main__":
    ...     print(sweep(plan, "stars", workers=2))  # 3 questions: 1 proved, 2 refuted
    """

    def answer(read: Arguments) -> Sweep:
        return _swept(as_plan(plan), Path(folder), workers, scheduler, each_seconds, each_memory, again, read.progress)

    return ask(answer, progress, time_limit)


def _swept(
    plan: Plan,
    folder: Path,
    workers: int | None,
    scheduler: str | None,
    each_seconds: float | None,
    each_memory: int | str | None,
    again: Sequence[str],
    listener: Listener | None,
) -> Sweep:
    """Ask what is not answered yet, and keep it as it comes."""
    require_workers(workers, scheduler)
    if isinstance(again, str) or not set(again) <= set(WORDS):
        raise InputError(f"again is {again!r}; give some of {', '.join(WORDS)}", again=again)
    limits = (
        plan.seconds if each_seconds is None else seconds_of(each_seconds),
        plan.memory if each_memory is None else bytes_of(each_memory),
    )
    start = time.monotonic()
    with Store(folder) as store:
        store.note(Plan(plan.questions, *limits))

        def told(text: str) -> None:
            if listener is not None:
                listener(Progress(REPAIRED, detail=text))

        known = store.answered(again, told=told)
        texts = [question.text for question in plan.questions]
        left = [text for text in texts if text not in known]
        report = _Telling(listener, len(texts), len(texts) - len(left))
        report()
        try:
            if left:
                with cluster(workers, scheduler) as client:
                    report.dashboard = dashboard(client)
                    try:
                        for answers in asked(client, left, *limits, idle=report):
                            store.keep(answers)
                            known |= {answer.question: answer.verdict for answer in answers}
                            report.count(len(answers))
                    except BaseException:  # before the cluster is closed, which takes a while
                        report.stopping()
                        raise
        finally:
            made = index(store.folder, told=told)
    found = Counter(known[text] for text in texts)
    counts = {word: found[word] for word in WORDS}
    return Sweep(store.folder, made, counts, len(left), time.monotonic() - start)


def as_plan(given: Plan | str | Path | Iterable[Question]) -> Plan:
    """The plan that was meant.

    >>> len(as_plan([Question("tight", "path:3", "1/2")]).questions)
    1
    """
    if isinstance(given, Plan):
        return given
    if isinstance(given, (str, Path)):
        return Plan.read(given)
    if not isinstance(given, Iterable):
        raise wrong_kind("plan", given, "a Plan, the name of a TOML file, or Questions")
    return Plan(tuple(given))


class _Telling:
    """Tells how many questions are answered, how fast, and how long the rest will take."""

    def __init__(self, listener: Listener | None, total: int, done: int) -> None:
        self.listener, self.total, self.done = listener, total, done
        self.dashboard: str | None = None
        self.recent = deque([(time.monotonic(), done)])

    def count(self, more: int) -> None:
        """So many more are answered."""
        self.done += more
        now = time.monotonic()
        self.recent.append((now, self.done))
        while now - self.recent[0][0] > WINDOW and len(self.recent) > 2:
            self.recent.popleft()
        self()

    def __call__(self) -> None:
        """Tell it; what the listener raises ends the sweep."""
        if self.listener is not None:
            self.listener(Progress("questions", self.done, self.total, "questions", ", ".join(self._details())))

    def stopping(self) -> None:
        """Tell that the sweep ends early."""
        if self.listener is not None:
            with contextlib.suppress(ExactDPError):  # the time is up, and that is known
                self.listener(Progress(STOPPING, self.done, self.total, "questions"))

    def _details(self) -> list[str]:
        (start, before), (end, now) = self.recent[0], self.recent[-1]
        found = []
        if now > before and end > start:
            rate = (now - before) / (end - start)
            found += [f"{rate:.3g} a second", f"about {_duration((self.total - self.done) / rate)} left"]
        if self.dashboard:
            found.append(f"dashboard {self.dashboard}")
        return found


def _duration(seconds: float) -> str:
    """A length of time for people.

    >>> _duration(30), _duration(300), _duration(10_000)
    ('30 s', '5 min', '2.8 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
