# SPDX-License-Identifier: MIT
"""Questions on the cores of this machine: each is answered in a child process, which a thread talks to.

Questions and answers go through pipes. No port is opened, and nothing of the host is changed: neither its
environment, nor its signal handlers, nor the state of ``random``. Limits and certificates of a question are
those of a cluster (:mod:`exactdp.sweeps.cluster`), since the same process answers there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Self

from exactdp.sweeps.process import Answerer
from exactdp.sweeps.threads import Task, Threads


class Processes:
    """Child processes that answer batches of questions, as a client of a cluster gives it some.

    Parameters
    ----------
    number : int
        Of processes.

    Examples
    --------
    >>> with Processes(2) as here:
    ...     question = '{"ask":"tight","graph":"path:3","level":"1/2"}'
    ...     batch = here.submit(None, [question], 60, 2**30, pure=False)
    ...     done = here.wait([batch], timeout=60)
    >>> done == {batch}, batch.status, b"proved" in batch.result()
    (True, 'finished', True)
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._threads = Threads(number)
        self._answerers: dict[int, Answerer] = {}
        self._lock = threading.Lock()
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes, whatever they are at, and the threads."""
        with self._lock:
            self._ended = True
            answerers = list(self._answerers.values())
        for answerer in answerers:
            answerer.end()
        self._threads.close()
        for answerer in answerers:
            answerer.stop()

    def nthreads(self) -> dict[str, int]:
        """How many batches are answered at a time."""
        return {"this machine": self.number}

    def submit(self, _: object, batch: Sequence[str], seconds: float, memory: int, *, pure: bool) -> Batch:
        """Have a batch answered; its texts, and the limits of each."""
        del pure  # Dask's word for what may be answered from memory
        return Batch(self._threads.submit(partial(self._answer, tuple(batch), (seconds, memory))))

    def wait(self, batches: Iterable[Batch], timeout: float) -> set[Batch]:
        """Those that are done, as soon as one is."""
        by_task = {batch.task: batch for batch in batches}
        return {by_task[task] for task in self._threads.wait(by_task, timeout)}

    def cancel(self, batches: Iterable[Batch], *, force: bool) -> None:
        """Forget batches that are not begun."""
        del force
        for batch in batches:
            batch.task.cancelled = True

    def _answer(self, batch: tuple[str, ...], limits: tuple[float, int]) -> bytes:
        """The answers to the first questions of a batch, by the process of this thread."""
        return b"\n".join(self._answerer(limits).answers(batch))

    def _answerer(self, limits: tuple[float, int]) -> Answerer:
        with self._lock:
            if self._ended:
                raise RuntimeError("the sweep has ended")
            found = self._answerers.get(threading.get_ident())
            if found is None or found.limits != limits:
                if found is not None:
                    found.stop()
                found = self._answerers[threading.get_ident()] = Answerer(*limits)
            return found


class Batch:
    """A batch that was submitted, with the words of Dask's futures."""

    def __init__(self, task: Task) -> None:
        self.task = task

    @property
    def status(self) -> str:
        """What became of it: finished, error or pending."""
        if not self.task.done:
            return "pending"
        return "finished" if self.task.error is None else "error"

    def result(self) -> bytes:
        """The lines of the answers."""
        lines: bytes = self.task.result()
        return lines

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Why there are none."""
        del timeout  # what is done has it
        return self.task.error

    def release(self) -> None:
        """Nothing is kept elsewhere."""
