# SPDX-License-Identifier: MIT
"""Threads of a sweep: work in order, errors to who asks, none left behind, whenever an interrupt comes."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator

import pytest
from host_state import interrupted_at, native_threads

from exactdp.sweeps.threads import Threads


def test_results_are_those_of_the_work_and_errors_are_raised_to_who_asks():
    with Threads(3) as threads:
        tasks = [threads.submit(lambda k=k: 6 // k) for k in range(4)]
        threads.finish(tasks)
    assert [task.result() for task in tasks[1:]] == [6, 3, 2]
    assert isinstance(tasks[0].error, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        tasks[0].result()


def test_as_many_work_at_once_as_there_are_threads_and_no_more():
    together, seen = threading.Barrier(3), set()

    def work() -> None:
        together.wait(30)
        seen.add(threading.get_ident())
        together.wait(30)

    with Threads(3) as threads:
        threads.finish([threads.submit(work) for _ in range(9)])
    assert len(seen) == 3


def test_who_waits_gets_what_is_done_and_nothing_when_nothing_is():
    go_on = threading.Event()
    with Threads(2) as threads:
        slow, quick = threads.submit(go_on.wait), threads.submit(lambda: 1)
        threads.finish([quick])
        assert threads.wait([slow, quick], 30) == {quick}  # also what was told before
        assert threads.wait([slow], 0.01) == set()
        go_on.set()
        assert threads.wait([slow], 30) == {slow}


def test_what_is_not_begun_when_they_close_is_left():
    go_on, began, done = threading.Event(), threading.Event(), []

    def first() -> None:
        began.set()
        go_on.wait()
        done.append("first")

    with Threads(1) as threads:
        threads.submit(first)
        cancelled = threads.submit(lambda: done.append("cancelled"))
        cancelled.cancelled = True
        threads.submit(lambda: done.append("left"))
        began.wait()
        threading.Timer(0.05, go_on.set).start()
    assert done == ["first"]
    threads.close()  # twice is once


@pytest.fixture
def no_garbage_collection() -> Iterator[None]:
    """An interrupt inside a callback of the collector (the test runner has one) is lost."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.usefixtures("no_garbage_collection")
def test_an_interrupt_at_any_moment_leaves_no_thread():
    usual = native_threads()

    def work() -> None:
        threads = Threads(3)
        try:
            with threads:
                threads.finish([threads.submit(lambda: time.sleep(1e-4)) for _ in range(5)])
        finally:  # as a sweep does it: the first one may have been interrupted before it began
            threads.close()

    count = 1
    while interrupted_at(count, work):
        deadline = time.monotonic() + 10
        while native_threads() - usual and time.monotonic() < deadline:
            time.sleep(1e-3)  # a thread that has been waited for is there for a moment longer
        assert native_threads() <= usual, count
        count += 1
    assert count > 50
