# SPDX-License-Identifier: MIT
"""Questions on the cores of this machine: each is answered in a child process, which a thread talks to.

Questions and answers go through pipes. No port is opened, and nothing of the host is changed: neither its
environment, nor its signal handlers, nor the state of ``random``. Limits and certificates of a question are
those of a cluster (:mod:`exactdp.sweeps.cluster`), since the same process answers there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Self

from exactdp.sweeps.process import Answerer


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
        self._pool = ThreadPoolExecutor(number, thread_name_prefix="exactdp-sweep")
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
        self._pool.shutdown(cancel_futures=True)
        for answerer in answerers:
            answerer.stop()

    def nthreads(self) -> dict[str, int]:
        """How many batches are answered at a time."""
        return {"this machine": self.number}

    def submit(self, _: object, batch: Sequence[str], seconds: float, memory: int, *, pure: bool) -> Batch:
        """Have a batch answered; its texts, and the limits of each."""
        del pure  # Dask's word for what may be answered from memory
        return Batch(self._pool.submit(self._answer, tuple(batch), (seconds, memory)))

    def wait(self, batches: Iterable[Batch], timeout: float) -> set[Batch]:
        """Those that are done, as soon as one is."""
        by_future = {batch.future: batch for batch in batches}
        done, _ = wait(by_future, timeout, FIRST_COMPLETED)
        return {by_future[future] for future in done}

    def cancel(self, batches: Iterable[Batch], *, force: bool) -> None:
        """Forget batches that are not begun."""
        del force
        for batch in batches:
            batch.future.cancel()

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

    def __init__(self, future: Future[bytes]) -> None:
        self.future = future

    @property
    def status(self) -> str:
        """What became of it: finished, error or pending."""
        if not self.future.done():
            return "pending"
        return "finished" if not self.future.cancelled() and self.future.exception() is None else "error"

    def result(self) -> bytes:
        """The lines of the answers."""
        return self.future.result()

    def exception(self, timeout: float | None = None) -> Any:
        """Why there are none."""
        return self.future.exception(timeout)

    def release(self) -> None:
        """Nothing is kept elsewhere."""
