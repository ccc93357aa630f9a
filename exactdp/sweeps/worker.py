# SPDX-License-Identifier: MIT
"""What runs on a Dask worker: batches of questions, answered by a process that belongs to the thread.

This module alone imports distributed when it is loaded, for its class of plugins.
"""

from __future__ import annotations

import threading
from typing import Any

from distributed import WorkerPlugin, get_worker

from exactdp.sweeps.process import Answerer


class Answerers(WorkerPlugin):  # type: ignore[misc]
    """The processes of a worker, one for each of its threads, which end with the worker."""

    name = "exactdp.sweeps"

    def __init__(self) -> None:
        self.by_thread: dict[int, Answerer] = {}

    def setup(self, worker: Any) -> None:
        """Begin without a process; each is started by its first question."""
        self.by_thread = {}

    def teardown(self, worker: Any) -> None:
        """End the processes."""
        while self.by_thread:
            self.by_thread.popitem()[1].stop()

    def here(self, limits: tuple[float, int]) -> Answerer:
        """The process of this thread, with these limits."""
        found = self.by_thread.get(threading.get_ident())
        if found is None or found.limits != limits:
            if found is not None:
                found.stop()
            found = self.by_thread[threading.get_ident()] = Answerer(*limits)
        return found


def batch(questions: tuple[str, ...], seconds: float, memory: int) -> bytes:
    """The answers to the first of these questions.

    * ``questions``: their canonical texts.
    * ``seconds``, ``memory``: the limits of each.

    Returns: at least one line, for :meth:`~exactdp.sweeps.answer.Answer.of_line`; no further question is
    begun after :data:`~exactdp.sweeps.process.BATCH` seconds.
    """
    plugin: Any = get_worker().plugins[Answerers.name]
    answerer: Answerer = plugin.here((seconds, memory))
    return b"\n".join(answerer.answers(questions))
