# SPDX-License-Identifier: MIT
"""What runs inside a program leaves the program as it was: a sweep, threads, and interrupts at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import computations
import flint
import pytest
from host_state import blas_threads, changed, everything_global, interrupted_after
from places import ROOT

import exactdp as xdp
from exactdp.model import Loss
from exactdp.search.interior import InteriorPoint, OneThread
from exactdp.search.restricted import RestrictedProgram

PLAN = [xdp.Question("tight", f"star:{m}", level) for m in (3, 4, 5) for level in ("1/2", "2/3", "3/4")]


GRID = xdp.neighbours("grid:3x4")
QUESTION = RestrictedProgram(GRID, xdp.Rational("1/2"), xdp.MinimaxConsumer(Loss.from_distance(GRID))).question


def interior() -> str:
    """What the interior-point method proposes, in doubles of numpy, as the questions call it."""
    return copy_context().run(lambda: f"{[*InteriorPoint(QUESTION).points()][-1].bound:.6f}")


def listening_ports() -> list[object]:
    """The ports on which this process, or one below it, waits for others."""
    psutil = pytest.importorskip("psutil")
    here = psutil.Process()
    found = []
    for process in (here, *here.children(recursive=True)):
        try:
            connections = process.net_connections(kind="all")
        except psutil.Error:  # it has ended
            continue
        found += [c for c in connections if c.status == psutil.CONN_LISTEN or c.family.name in ("AF_INET", "AF_INET6")]
    return found


def test_during_a_sweep_no_port_is_open(tmp_path):
    pytest.importorskip("pyarrow")
    before = listening_ports()
    seen = []

    def look(event):
        seen.append([x for x in listening_ports() if x not in before])

    done = xdp.sweep(PLAN, tmp_path / "answers", workers=2, progress=look)
    assert done.asked == len(PLAN)
    assert len(seen) > 1
    assert not any(seen)


SWEPT = """
import json, sys
from pathlib import Path
import exactdp as xdp
from host_state import changed, everything_global
import pyarrow.parquet
if __name__ == "__main__":
    plan = [xdp.Question("tight", f"star:{m}", "1/2") for m in (3, 4, 5)]
    before = everything_global()
    done = xdp.sweep(plan, sys.argv[1], workers=2)
    print(json.dumps([done.asked, list(changed(before)), "distributed" in sys.modules]))
"""


def test_the_first_sweep_of_a_program_changes_nothing_of_it(tmp_path):
    pytest.importorskip("pyarrow")
    places = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    command = [sys.executable, "-c", SWEPT, str(tmp_path / "answers")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": places}, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout.strip(), done.stderr) == ("[3, [], false]", "")


def test_a_sweep_that_is_stopped_leaves_no_thread_and_no_process(tmp_path):
    psutil = pytest.importorskip("psutil")
    pytest.importorskip("pyarrow")
    xdp.sweep(PLAN[:1], tmp_path / "first", workers=1)
    before = everything_global()
    family = set(psutil.Process().children(recursive=True))

    def stop(event):
        if event.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        xdp.sweep([*PLAN, xdp.Question("capacity-multiplicative", "star:600", "1/2")], tmp_path / "answers", workers=2, progress=stop)
    assert changed(before) == {}
    assert not set(psutil.Process().children(recursive=True)) - family
    assert xdp.sweep(PLAN, tmp_path / "answers", workers=2).counts["limit"] == 0


@pytest.mark.skipif(not blas_threads(), reason="numpy has no OpenBLAS of its own")
def test_threads_that_compute_at_once_leave_openblas_its_threads():
    import ctypes
    from pathlib import Path

    import numpy

    (library,) = Path(numpy.__file__).parent.parent.glob("numpy.libs/*openblas*")
    put = ctypes.CDLL(str(library)).scipy_openblas_set_num_threads64_
    usual = blas_threads()[0]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    seen = []
    try:
        put(3)
        one = OneThread()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: seen.append(one.run(blas_threads)), range(400)))
        assert seen == [[1]] * 400
        assert blas_threads() == [3]
        assert one.run(lambda: one.run(blas_threads)) == [1]
        with pytest.raises(ZeroDivisionError):
            one.run(lambda: 1 // 0)
        assert blas_threads() == [3]
    finally:
        sys.setswitchinterval(interval)
        put(usual)


WORK = {
    "balls": computations.optimum_as_epsilon,
    "logarithm": lambda: [computations.logarithm() for _ in range(500)][-1],
    "interior": interior,
    "optimum": computations.optimum_by_a_solver,
}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt in a callback of the test runner
@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_at_any_moment_leaves_nothing_changed(name):
    work = WORK[name]
    expected = work()
    before = everything_global()
    chosen = random.Random(7)
    stopped = 0
    for _ in range(400):
        try:
            with interrupted_after(chosen.uniform(1e-5, 0.02)):
                work()
        except KeyboardInterrupt as error:
            stopped += 1
            kept = error  # its traceback holds the frames, and with them what is left open
            assert flint.ctx.prec == 53
            assert changed(before) == {}, kept
    assert stopped > 50
    assert work() == expected
    with ThreadPoolExecutor(1) as pool:  # and no lock is held
        assert pool.submit(work).result(60) == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt in a callback of the test runner
def test_threads_and_an_interrupt_at_once():
    before = everything_global()
    over = threading.Event()

    def busy():
        while not over.is_set():
            computations.optimum_as_epsilon()
            interior()

    others = [threading.Thread(target=busy) for _ in range(3)]
    for thread in others:
        thread.start()
    chosen = random.Random(8)
    try:
        for _ in range(60):
            try:
                with interrupted_after(chosen.uniform(1e-4, 0.1)):
                    interior()
            except KeyboardInterrupt:
                pass
    finally:
        over.set()
        for thread in others:
            thread.join()
    assert changed(before) == {}
