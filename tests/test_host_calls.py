# SPDX-License-Identifier: MIT
"""Every public function leaves its host as it was: called once, in threads, and interrupted."""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import threading
import time

import pytest
from host_state import changed, everything_global, interrupted_after, of_this_thread
from public_calls import call, calls_itself
from public_names import PUBLIC

NAMES = PUBLIC
THREADS = 3
INTERRUPTS = 20


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    """What an example writes goes where pytest removes it."""
    pytest.importorskip("sympy")  # what the caller of an example has loaded
    pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_every_public_name_has_a_call():
    assert [name for name in NAMES if not calls_itself(name)] == []


@pytest.mark.mostly_slow(50)
@pytest.mark.parametrize("name", NAMES)
def test_a_call_changes_nothing(name):
    before = everything_global()
    call(name)
    assert changed(before) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_calls_in_threads_change_nothing(name):
    call(name)  # what is loaded at the first call is there
    before = everything_global()
    together = threading.Barrier(THREADS)
    seen = []

    def one() -> None:
        own = of_this_thread()
        together.wait()
        try:
            call(name)
        finally:
            together.wait()  # what belongs to all of them is in use until then
        seen.append((own, of_this_thread()))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=one) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(seen) == THREADS
    assert all(own == after for own, after in seen)
    assert changed(before) == {}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt while an object is removed
@pytest.mark.parametrize("name", NAMES)
def test_interrupted_calls_change_nothing(name):
    call(name)
    start = time.perf_counter()
    call(name)
    usual = time.perf_counter() - start
    before = everything_global()
    chosen = random.Random(name)
    for _ in range(INTERRUPTS):
        stopped = None
        try:
            with interrupted_after(chosen.uniform(1e-5, usual)):
                call(name)
        except KeyboardInterrupt as error:
            stopped = error  # its traceback holds the frames, and with them what is left open
        assert changed(before) == {}
        del stopped
    call(name)
    assert changed(before) == {}
