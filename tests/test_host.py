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
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from itertools import product

import computations
import flint
import pytest
from host_state import blas_threads, changed, everything_global, interrupted_after, interrupted_at
from places import ROOT

import exactdp as xdp
from exactdp.model import Loss
from exactdp.search.graphs.interior_point import InteriorPoint, OneThread
from exactdp.search.graphs.restricted_program import RestrictedProgram

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


class Host:
    """A process whose OpenBLAS has five threads, as :class:`OneThread` sees it."""

    def __init__(self) -> None:
        self.number = 5
        self.one = OneThread()
        self.one._get, self.one._set = lambda: self.number, self.put

    def put(self, number: int) -> None:
        self.number = number


CALLS = 3
ORDERS = [order for order in product(range(CALLS), repeat=2 * CALLS) if all(order.count(k) == 2 for k in range(CALLS))]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: "".join(map(str, order)))
def test_whichever_begins_and_ends_first_the_number_is_the_host_s(order):
    """Three threads begin and end in every order: the second time that one is named it ends."""
    host, inside = Host(), []
    begun, go_on = [threading.Event() for _ in range(CALLS)], [threading.Event() for _ in range(CALLS)]

    def work(k: int) -> None:
        begun[k].set()
        go_on[k].wait(60)
        inside.append(host.number)

    threads = [threading.Thread(target=host.one.run, args=(lambda k=k: work(k),)) for k in range(CALLS)]
    running = set()
    for k in order:
        if k in running:
            go_on[k].set()
            threads[k].join()
            running.remove(k)
        else:
            threads[k].start()
            assert begun[k].wait(60)  # it does not wait for the others
            running.add(k)
        assert host.number == (1 if running else 5)
    assert inside == [1] * CALLS


@contextmanager
def another_call(host):
    """While it is open another thread is inside a call."""
    begun, go_on = threading.Event(), threading.Event()

    def other() -> None:
        begun.set()
        go_on.wait(60)

    thread = threading.Thread(target=host.one.run, args=(other,))
    thread.start()
    try:
        assert begun.wait(60)
        yield
    finally:
        go_on.set()
        thread.join()


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside another"])
def test_an_interrupt_wherever_one_is_looked_for_leaves_the_number(beside):
    host = Host()
    count = 1
    with another_call(host) if beside else nullcontext():
        while interrupted_at(count, lambda: host.one.run(lambda: [host.number, abs(-1)])):
            assert host.number == (1 if beside else 5), count
            count += 1
    assert count > 15
    assert host.number == 5
    with ThreadPoolExecutor(1) as pool:  # no lock is held
        assert pool.submit(host.one.run, lambda: host.number).result(60) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_new_process_has_the_number_back_though_the_threads_that_changed_it_are_not_there():
    host = Host()
    with another_call(host):
        child = os.fork()
        if not child:
            os._exit(0 if host.number == 5 and host.one.run(lambda: host.number) == 1 and host.number == 5 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert host.number == 1
    assert host.number == 5


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
    together = threading.Barrier(3)

    def at_once() -> None:
        together.wait(60)
        seen.append(blas_threads())

    try:
        put(3)
        one = OneThread()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: seen.append(one.run(blas_threads)), range(400)))
        assert seen == [[1]] * 400
        assert blas_threads() == [3]
        with ThreadPoolExecutor(3) as pool:  # in another order each time
            list(pool.map(lambda _: OneThread().run(at_once), range(60)))
        assert seen == [[1]] * 460
        assert blas_threads() == [3]
        assert one.run(lambda: one.run(blas_threads)) == [1]
        with pytest.raises(ZeroDivisionError):
            one.run(lambda: 1 // 0)
        assert blas_threads() == [3]
    finally:
        sys.setswitchinterval(interval)
        put(usual)


@pytest.mark.skipif(not blas_threads(), reason="numpy has no OpenBLAS of its own")
def test_three_that_optimise_at_once_are_right_and_leave_everything():
    expected = interior()
    before = everything_global()
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda _: interior(), range(6))) == [expected] * 6
    assert changed(before) == {}


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
