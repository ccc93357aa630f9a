# SPDX-License-Identifier: MIT
"""Many threads at once, from the first call on; nothing global that is left changed; other processes."""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import computations
import flint
import pytest
from host_state import changed, everything_global
from places import CORPUS, ROOT

import exactdp as xdp
from exactdp.errors import ExactDPError
from exactdp.exact.balls import PRECISION, workprec

THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)

def together(work, count=64):
    start, answers = threading.Barrier(count), [None] * count
    def one(i):
        start.wait()
        answers[i] = work(i)
    threads = [threading.Thread(target=one, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
"""
"""Run a function in 64 threads that begin at the same time and take turns as often as they can."""


def fresh(program, *words, cwd=ROOT):
    """What a new interpreter prints, read as JSON."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])}
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", THREADS + program, *map(str, words)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


CHECKS = """
import json, pathlib
paths = sorted(pathlib.Path(sys.argv[2], "accept").glob("*.edp.json"))
files = [path.read_bytes() for path in paths if path.stat().st_size < 50_000]

def work(i):
    if sys.argv[1] == "as part of exactdp" and i % 2:
        from exactdp.checker import check_bytes
    elif sys.argv[1] == "as part of exactdp":
        from exactdp.checker.kernel import check_bytes
    else:
        check_bytes = sys.modules["kernel"].check_bytes
    chosen = [(7 * i + j) % len(files) for j in range(4)]
    return [(k, check_bytes(files[k])) for k in chosen]

if sys.argv[1] == "on its own":
    import kernel
answers = [(k, tuple(vars(answer).values())) for pairs in together(work) for k, answer in pairs]
print(json.dumps(sorted(set(answers))))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["as part of exactdp", "on its own"])
def test_the_first_checks_from_many_threads(how):
    """Each file that a certificate needs is complete before any thread sees it: ten fresh interpreters, every
    kind of claim, and the answers that one thread gets.
    """
    from exactdp.checker.kernel import check_bytes

    paths = [path for path in sorted((CORPUS / "accept").glob("*.edp.json")) if path.stat().st_size < 50_000]
    expected = [[k, list(vars(check_bytes(path.read_bytes())).values())] for k, path in enumerate(paths)]
    for _ in range(10):
        found = fresh(CHECKS, how, CORPUS, cwd=ROOT / "exactdp" / "checker")
        assert found == [expected[k] for k, _ in found]
        assert len(found) > 50


def test_a_check_within_a_check_and_nothing_left_behind():
    from contextvars import copy_context

    from exactdp.arguments import argument
    from exactdp.checker import kernel

    field = next(path for path in (CORPUS / "accept").glob("field-*.edp.json"))
    before = dict(copy_context())
    assert kernel.check_bytes(field.read_bytes()).status == "accepted"
    assert kernel.check_bytes(b"{}").status == "malformed"
    assert argument.check_bytes(b"{}").status == "malformed"
    assert dict(copy_context()) == before


LIBRARY = """
import json, computations
names = list(computations.ALL)
answers = together(lambda i: [computations.ALL[names[(i + j) % len(names)]]() for j in range(2)])
found = {}
for i, pair in enumerate(answers):
    for j, answer in enumerate(pair):
        found.setdefault(names[(i + j) % len(names)], set()).add(answer)
import flint
print(json.dumps([{name: sorted(texts) for name, texts in found.items()}, flint.ctx.prec]))
"""


@pytest.mark.slow
def test_the_library_from_many_threads_at_a_cold_start():
    """Names are loaded, numbers compared in every field, solvers run, certificates checked, all at once."""
    expected = {name: [function()] for name, function in computations.ALL.items()}
    for _ in range(3):
        assert fresh(LIBRARY) == [expected, 53]


VERIFY = """
import json, exactdp as xdp
names = sys.argv[1:]
answers = together(lambda i: xdp.verify(names[i % len(names)]).status, 8)
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_verify_from_many_threads():
    names = [CORPUS / "accept" / "optimal-path-1-4.edp.json", CORPUS / "reject" / "not-optimal-gap.edp.json"]
    assert fresh(VERIFY, *names) == ["accepted", "rejected"] * 4


def test_one_precision_for_all_threads():
    """FLINT's precision belongs to the process: a thread that sets it does not meet another."""
    seen = []

    def work(bits):
        for _ in range(50):
            with PRECISION, workprec(bits):
                seen.append(flint.ctx.prec == bits)
                with PRECISION, workprec(2 * bits):
                    seen.append(flint.ctx.prec == 2 * bits)
                flint.arb(2).sqrt()
                seen.append(flint.ctx.prec == bits)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(work, range(60, 76)))
    finally:
        sys.setswitchinterval(interval)
    assert all(seen)
    assert flint.ctx.prec == 53


def test_the_precision_after_an_exception():
    with pytest.raises(ZeroDivisionError), PRECISION, workprec(200):
        raise ZeroDivisionError
    with pytest.raises(OverflowError), PRECISION, workprec(2**80):
        pass
    assert flint.ctx.prec == 53
    with ThreadPoolExecutor(1) as pool:  # and the lock is free
        assert pool.submit(computations.level_as_epsilon).result(60)


FAILING = {
    "a table that is none": lambda: xdp.Mechanism([["1/2", "1/3"]]),
    "a level that is none": lambda: xdp.PrivacyLevel("2"),
    "a number of many digits": lambda: xdp.Rational("1e999999999"),
    "words": lambda: xdp.mechanism_from_spec("geometric:n=x"),
    "a graph": lambda: xdp.neighbours("path:-1"),
    "a sign that changes": lambda: xdp.is_private(xdp.geometric(2, "1/2"), "path", xdp.PrivacyLevel.symbolic()).decision.value / 1,
    "a file": lambda: xdp.load("nowhere.csv"),
    "a limit of time": lambda: xdp.optimum(xdp.neighbours("path:3"), "1/2", xdp.MinimaxConsumer("abs"), time_limit=-1),
}


@pytest.mark.slow
def test_nothing_global_is_left_changed():
    for function in computations.ALL.values():  # what is imported once may stay
        function()
    before = everything_global()
    for function in computations.ALL.values():
        function()
    for what, function in FAILING.items():
        with pytest.raises((ExactDPError, TypeError)):
            function()
        assert flint.ctx.prec == 53, what
    assert xdp.verify(CORPUS / "accept" / "optimal-path-1-4.edp.json").accepted
    assert changed(before) == {}


def test_who_uses_the_solver_too_chooses_its_threads():
    """HiGHS fixes their number when it first runs in a thread of the program."""
    highspy = pytest.importorskip("highspy")

    def own(threads):
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", threads)
        solver.addVar(0, 1)
        return solver.run()

    def work():
        computations.optimum_by_a_solver()
        first = own(3)
        return first, computations.optimum_by_a_solver()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() == (highspy.HighsStatus.kOk, "3/4")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes(method):
    """After a solver ran here and while other threads compute."""
    expected = {name: function() for name, function in computations.ALL.items()}
    over = threading.Event()

    def busy():
        while not over.is_set():
            computations.level_as_epsilon()

    others = [threading.Thread(target=busy) for _ in range(2)]
    for thread in others:
        thread.start()
    try:
        names = list(expected)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads, which is what is tried
            with multiprocessing.get_context(method).Pool(2) as pool:
                found = pool.map_async(computations.ask, names).get(120)
    finally:
        over.set()
        for thread in others:
            thread.join()
    assert found == [[expected[name], 53] for name in names]


FORK = """
import json, os, pathlib, time
from exactdp.checker import check_bytes, kernel
data = pathlib.Path(sys.argv[1]).read_bytes()
inside = threading.Event()

def slowly(*words, **settings):
    inside.set()
    time.sleep(0.3)
    return compile(*words, **settings)

kernel.compile = slowly
other = threading.Thread(target=check_bytes, args=(data,))
other.start()
inside.wait()
child = os.fork()
if not child:
    os._exit(check_bytes(data).exit_code)
print(json.dumps([name for name in list(sys.modules) if name == "exactdp.certificate"] + [os.waitpid(child, 0)[1]]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_process_that_begins_while_a_thread_loads_a_file_of_the_checker():
    """With the checker alone: its lock is free in the child, and the file is complete there."""
    assert fresh(FORK, next((CORPUS / "accept").glob("field-*.edp.json"))) == [0]


WHILE_COMPUTED = """
import json, os, signal
from exactdp.checker import matrices
from exactdp.exact.cached import cached_property
inside, over = threading.Event(), threading.Event()

class Slow(dict):
    def values(self):
        inside.set()
        over.wait(60)
        return [3]

class Owner:
    def __init__(self, row):
        self.row = row

    @cached_property
    def bits(self):
        return 1 + max(self.row.values()).bit_length()

kind = {"kernel": lambda row: matrices.Matrix(1, 1, [row]), "library": Owner}[sys.argv[1]]
slow = kind(Slow())
other = threading.Thread(target=lambda: slow.bits)
other.start()
inside.wait()
child = os.fork()
if not child:
    signal.alarm(20)
    os._exit(kind({0: 5}).bits)
status = os.waitpid(child, 0)[1]
over.set()
other.join()
print(json.dumps([os.waitstatus_to_exitcode(status), slow.bits, vars(slow).get("bits", slow.bits)]))
"""

BESIDE_CHECKS = """
import json, os, pathlib, signal
from exactdp.checker import check_bytes
data, over = pathlib.Path(sys.argv[1]).read_bytes(), threading.Event()

def checks():
    while not over.is_set():
        check_bytes(data)

others = [threading.Thread(target=checks) for _ in range(2)]
for thread in others:
    thread.start()
codes = set()
for _ in range(60):
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(check_bytes(data).exit_code)
    codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
over.set()
for thread in others:
    thread.join()
print(json.dumps(sorted(codes)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.parametrize("whose", ["kernel", "library"])
def test_a_process_that_begins_while_a_thread_computes_a_property(whose):
    """Its lock in Python 3.11 belongs to all objects: it would stay taken in the child."""
    assert fresh(WHILE_COMPUTED, whose) == [4, 3, 3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_processes_that_begin_while_threads_check():
    """At any moment: 60 processes beside two threads that check a file again and again."""
    assert fresh(BESIDE_CHECKS, next((CORPUS / "accept").glob("field-*.edp.json"))) == [0]


def public_values():
    level = xdp.PrivacyLevel.from_epsilon("1/3")
    verdict = xdp.tightest_level(xdp.geometric(3, "1/4"), xdp.neighbours("path:4"))
    return [
        xdp.Rational("2/3"),
        xdp.geometric(3, "1/4"),
        xdp.geometric(2, level),
        xdp.geometric(2, xdp.PrivacyLevel.symbolic()),
        level,
        xdp.neighbours("grid:2x3"),
        xdp.Loss.absolute(range(4)),
        xdp.MinimaxConsumer("abs"),
        xdp.Prior(["1/3", "2/3"]),
        xdp.Distance.parse("sqrt(2)"),
        xdp.Interval(0, "1/2"),
        verdict,
        xdp.certify(verdict),
        xdp.optimum(xdp.neighbours("path:3"), level, xdp.MinimaxConsumer("abs")),
        xdp.verify(xdp.certify(verdict)),
        xdp.Progress("certificates", 1, 2, "files"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("k", range(16))
def test_copies_of_public_values(k):
    value = public_values()[k]
    for twin in (copy.copy(value), copy.deepcopy(value), *(pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, 6))):
        assert type(twin) is type(value)
        assert twin == value
        assert repr(twin) == repr(value)
        assert str(twin) == str(value)
