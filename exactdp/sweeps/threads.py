# SPDX-License-Identifier: MIT
"""A few threads that do work in the order in which it was given, and are joined at the end.

An interrupt inside :class:`concurrent.futures.ThreadPoolExecutor` may come between the start of a thread and
its registration; nobody waits for that thread then. Here a thread is registered before it is started
(:class:`~exactdp.runtime.process.Background`), and work and news of it go through queues written in C.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Any, Self

from exactdp.runtime.process import Background


class Task:
    """Work that was given to threads.

    Attributes
    ----------
    done : bool
        Whether it has ended; then ``error`` is None, or why there is no result.
    cancelled : bool
        If it is set before the work is begun, the work is not done, and never ``done``.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self.done = self.cancelled = False
        self.error: BaseException | None = None
        self._work = work
        self._value: Any = None

    def run(self) -> None:
        """Do the work."""
        try:
            self._value = self._work()
        except BaseException as error:  # told by who asks for the result
            self.error = error
        self.done = True

    def result(self) -> Any:
        """What the work returned; what it raised is raised."""
        if self.error is not None:
            raise self.error
        return self._value


class Threads:
    """At most so many threads, each begun when there is work; to be closed after use.

    >>> with Threads(2) as threads:
    ...     tasks = [threads.submit(lambda k=k: k * k) for k in range(5)]
    ...     threads.finish(tasks)
    >>> [task.result() for task in tasks]
    [0, 1, 4, 9, 16]
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._given: SimpleQueue[Task | None] = SimpleQueue()
        self._news: SimpleQueue[None] = SimpleQueue()
        self._threads: list[Background] = []
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, work: Callable[[], Any]) -> Task:
        """Have some work done; RuntimeError if the system has no room for a thread."""
        task = Task(work)
        self._given.put(task)
        if len(self._threads) < self.number:
            thread = Background(self._serve)
            self._threads.append(thread)
            thread.start()
        return task

    def wait(self, tasks: Iterable[Task], seconds: float) -> set[Task]:
        """Those that are done, as soon as one is; none after so many seconds."""
        asked, end = list(tasks), time.monotonic() + seconds
        while True:
            done = {task for task in asked if task.done}
            left = end - time.monotonic()
            if done or left <= 0:
                return done
            with contextlib.suppress(Empty):  # news may be of a task that was told before
                self._news.get(timeout=left)

    def finish(self, tasks: Iterable[Task]) -> None:
        """Wait until all of them are done."""
        pending = set(tasks)
        while pending:
            pending -= self.wait(pending, 60)

    def close(self) -> None:
        """Leave what is not begun, and wait for the threads."""
        try:
            self._end()
        except BaseException:  # an interrupt meanwhile: once more
            self._end()
            raise

    def _end(self) -> None:
        self._over = True
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.wait()

    def _serve(self) -> None:
        while (task := self._given.get()) is not None and not self._over:
            if not task.cancelled:
                task.run()
                self._news.put(None)
