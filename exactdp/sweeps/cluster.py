# SPDX-License-Identifier: MIT
"""Questions on this machine or a Dask cluster: in batches of a few seconds, with limits for each.

A batch is a list of questions that one worker answers one after the other, until the batch has taken
:data:`~exactdp.sweeps.process.BATCH` seconds; what it has not come to goes back into the queue. So a batch is
long enough for the cluster's overhead to be small, and short enough for little to be lost, whatever the
questions cost. A worker computes nothing itself: a process of its own does (:mod:`exactdp.sweeps.process`).

On this machine each question is answered in a child process, which a thread talks to
(:class:`Processes`). Questions and answers go through pipes. No port is opened, and nothing of the host is
changed: neither its environment, nor its signal handlers, nor the state of ``random``. Limits and
certificates of a question are those of a cluster, since the same process answers there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Self

from exactdp.errors import InputError, SearchError, wrong_kind
from exactdp.sweeps.answer import Answer
from exactdp.sweeps.extra import needed
from exactdp.sweeps.process import BATCH, COMMAND, Answerer
from exactdp.sweeps.threads import Task, Threads


class Processes:
    """Child processes that answer batches of questions, as a client of a cluster gives it some.

    * ``number``: of processes;
    * ``command``: what is started, if not the process that answers questions of a sweep.

    >>> with Processes(2) as here:
    ...     question = '{"ask":"tight","graph":"path:3","level":"1/2"}'
    ...     batch = here.submit(None, [question], 60, 2**30, pure=False)
    ...     done = here.wait([batch], timeout=60)
    >>> done == {batch}, batch.status, b"proved" in batch.result()
    (True, 'finished', True)
    """

    def __init__(self, number: int, command: Sequence[str] = COMMAND) -> None:
        self.number, self.command = number, command
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
                found = self._answerers[threading.get_ident()] = Answerer(*limits, self.command)
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


FIRST = 0.05
"""Seconds that a question is thought to take before answers are there; a batch ends in time anyway."""

LEAST = 0.25
"""Seconds that a batch takes at least, also near the end, when workers share what is left."""

MOST = 2000
"""Most questions of a batch."""

AHEAD = 2
"""Batches for each thread of a worker that are with the cluster at a time: one runs, one waits."""

COUNTS = 2.0
"""Seconds after which the client asks the scheduler again how many threads its workers have."""

WAIT = 0.5
"""Seconds after which the client looks up while it waits."""


def require_workers(workers: int | None, scheduler: str | None) -> None:
    """InputError unless workers of this machine or a scheduler are asked for, or neither."""
    if workers is not None and scheduler is not None:
        raise InputError("workers are those of this machine, and a scheduler has its own; give one of the two")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise wrong_kind("number of workers", workers, "a whole number from 1 on")


@contextlib.contextmanager
def cluster(workers: int | None, scheduler: str | None) -> Iterator[Any]:
    """Who answers batches: a client of the Dask cluster at an address, or else processes of this machine.

    * ``workers``: processes on this machine; None for as many as it has cores.
    * ``scheduler``: the address of a scheduler, such as ``tcp://10.0.0.1:8786``.
    * raises InputError: nobody answers at this address; or both are given.
    """
    require_workers(workers, scheduler)
    if scheduler is None:  # nothing listens: a Dask scheduler obeys every user of this machine
        here = Processes(workers or cores())
        try:
            yield here
        finally:
            try:
                here.close()
            except BaseException:  # an interrupt while it closes: once more
                here.close()
                raise
        return
    distributed = needed("distributed")
    with _silent("distributed"):
        try:
            client = distributed.Client(scheduler, timeout=10)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(f"there is no Dask scheduler at {scheduler}: {error}", scheduler=scheduler) from None
        try:
            yield client
        finally:
            _close(client)


def dashboard(client: Any) -> str | None:
    """Where Dask shows what its workers do; None for those of this machine.

    Ask once, at the start: the client asks the scheduler, too.
    """
    with contextlib.suppress(Exception):  # who is there is known a moment later
        return str(client.dashboard_link or "") or None
    return None


def _close(client: Any) -> None:
    """Leave a cluster. It may be gone: who asked it last has told so, and what is left behind does not."""
    with contextlib.suppress(Exception):
        client.close(timeout=2)


@contextlib.contextmanager
def _silent(name: str) -> Iterator[None]:
    """Let what a library logs not be printed: what matters is said by our own errors."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def asked(
    client: Any,
    questions: Sequence[str],
    seconds: float,
    memory: int,
    *,
    idle: Callable[[], object] = lambda: None,
) -> Iterator[list[Answer]]:
    """Ask questions, and yield their answers batch by batch as they come.

    * ``client``: who answers.
    * ``questions``: their canonical texts.
    * ``seconds``, ``memory``: the limits of each.
    * ``idle``: called now and then while nothing comes; what it raises ends the sweep.
    * raises SearchError: the cluster is gone: its scheduler does not answer, or its workers can't run this.
    """
    if isinstance(client, Processes):
        return _AskingHere(client, questions, seconds, memory, idle).answers()
    client.register_plugin(import_module("exactdp.sweeps.worker").Answerers())
    return _Asking(client, questions, seconds, memory, idle).answers()


class _Asking:
    """Batches that are with a cluster, and questions that are not."""

    who = "the workers of the cluster"

    def __init__(self, client: Any, questions: Sequence[str], seconds: float, memory: int, idle: Callable[[], object]) -> None:
        self.client, self.limits, self.idle = client, (seconds, memory), idle
        self.queue, self.alone = deque(questions), deque[str]()
        self.batches: dict[Any, tuple[str, ...]] = {}
        self.pace = FIRST  # seconds for one question, as far as is known
        self.threads, self.counted = 0, -COUNTS

    def answers(self) -> Iterator[list[Answer]]:
        try:
            while self.queue or self.alone or self.batches:
                done = self._next()
                self.idle()
                answers = [answer for future in done for answer in self._taken(future)]
                if answers:  # those of all batches that are done: they are flushed together
                    yield answers
        finally:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self.client.cancel(list(self.batches), force=True)

    def _next(self) -> Iterable[Any]:
        """The batches that are done, after a short wait; none if there is no worker."""
        try:
            self._submit()
            if not self.batches:
                time.sleep(WAIT)
                return ()
            found = self._done()
        except TimeoutError:
            return ()
        except Exception as error:  # batches are cancelled when the connection is lost
            raise _gone(error) from error
        return found

    def _done(self) -> Iterable[Any]:
        """The batches that are done, as soon as one is."""
        found: Iterable[Any] = needed("distributed").wait(list(self.batches), timeout=WAIT, return_when="FIRST_COMPLETED").done
        return found

    def _work(self) -> Any:
        """What a worker of the cluster runs."""
        return import_module("exactdp.sweeps.worker").batch

    def _submit(self) -> None:
        """Give the cluster enough to do."""
        threads = self._threads()
        while len(self.batches) < AHEAD * threads and (self.queue or self.alone):
            if self.alone:
                batch: tuple[str, ...] = (self.alone.popleft(),)
            else:
                fair = max(-(-len(self.queue) // (AHEAD * threads)), int(LEAST / self.pace))
                size = max(1, min(MOST, fair, int(1.5 * BATCH / self.pace)))
                batch = tuple(self.queue.popleft() for _ in range(min(size, len(self.queue))))
            self.batches[self.client.submit(self._work(), batch, *self.limits, pure=False)] = batch

    def _threads(self) -> int:
        """How many threads the workers have, or had a moment ago: to ask costs as much as some answers."""
        now = time.monotonic()
        if not self.threads or now - self.counted >= COUNTS:
            self.threads, self.counted = sum(self.client.nthreads().values()), now
        return self.threads

    def _taken(self, future: Any) -> list[Answer]:
        """The answers of a batch that is done; what it has not come to is asked later."""
        batch = self.batches.pop(future)
        if future.status == "finished":
            try:
                sent: bytes = future.result()
                future.release()
            except Exception as lost:  # a batch that is done is fetched over the connection, too
                raise _gone(lost) from lost
            answers = [Answer.of_line(line) for line in sent.split(b"\n")]
            self.pace = max(1e-4, sum(answer.seconds for answer in answers) / len(answers))
            self.queue.extendleft(reversed(batch[len(answers) :]))
            return answers
        if future.status == "cancelled":  # the client forgets its batches with the connection
            raise _gone(SearchError("a batch was cancelled"))
        if future.status != "error":  # lost with its worker, after it was done and before it was fetched: it is done again
            self.batches[future] = batch
            return []
        error = _exception(future)
        if type(error).__name__ != "KilledWorker":
            raise SearchError(f"{self.who} can't answer: {type(error).__name__}: {error}", error=str(error))
        if len(batch) > 1:
            self.alone.extend(batch)
            return []
        return [Answer(batch[0], "failed", message="every worker that was asked this was killed")]


class _AskingHere(_Asking):
    """The same with processes of this machine."""

    who = "the processes of this machine"

    def _done(self) -> Iterable[Any]:
        found: set[Any] = self.client.wait(self.batches, WAIT)
        return found

    def _work(self) -> Any:
        return None


def _gone(error: Exception) -> SearchError:
    return SearchError(f"the scheduler of the cluster is gone ({type(error).__name__})", error=str(error))


def _exception(future: Any) -> BaseException:
    """Why a batch has no result."""
    try:
        return future.exception(timeout=10) or SearchError("the batch failed, and nothing says why")
    except Exception as lost:  # this is asked over the connection, too
        raise _gone(lost) from lost
