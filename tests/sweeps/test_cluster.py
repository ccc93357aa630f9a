# SPDX-License-Identifier: MIT
"""Real clusters of processes on the loopback address, disturbed: kill -9, Ctrl-C, a full disk.

Whatever happens, the same command goes on, nothing is lost, nothing is answered twice, and in the end the
index is that of a run that nobody disturbed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

pytest.importorskip("distributed")
pytest.importorskip("duckdb")
pq = pytest.importorskip("pyarrow.parquet")
psutil = pytest.importorskip("psutil")

from exactdp.sweeps.store import Store, whole_parts  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc"), pytest.mark.timeout(600)]

PLAN = """
[[questions]]
ask = ["optimum", "tight"]
graphs = ["connected:2..4"]
levels = ["1/2", "epsilon=1"]
losses = ["zero-one", "distance"]
consumers = ["minimax", "uniform"]

[[questions]]
ask = "optimum"
graphs = ["grid:2x2", "path:3"]
levels = ["1/3", "symbolic"]
losses = "abs"
consumers = "uniform"
"""
ENDLESS = """
[[questions]]
ask = "optimum"
graphs = ["path:60"]
levels = ["symbolic"]
losses = "abs"
consumers = "minimax"
"""
"""A question that only its time limit of a minute ends: it takes little memory."""
SAME = ["question", "verdict", "value", "lower", "upper", "claim", "message", "digest", "kind", "bytes", "versions"]
"""The columns that no run may change."""

ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """The same plan, and a question that takes longer than a test: it is not over when it is disturbed."""
    path = tmp_path_factory.mktemp("endless") / "endless.toml"
    path.write_text(PLAN + ENDLESS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(plan, tmp_path_factory):
    """A sweep with one worker."""
    folder = tmp_path_factory.mktemp("undisturbed") / "answers"
    done = finished(plan, folder, "--workers", "1")
    assert done.returncode == 4, done  # abs is no loss on a grid
    assert "2 failed" in done.stdout
    return folder


def command(plan: Path, folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "exactdp", "sweep", str(plan), "-o", str(folder), *more]


def finished(plan: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(plan, folder, *more), capture_output=True, text=True, env=ENV, timeout=400, check=False)


@contextlib.contextmanager
def running(words: list[str], **settings):
    """A process with all that it starts, of which nothing is left afterwards."""
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV, start_new_session=True, **settings
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def parts(folder: Path) -> int:
    return len([*(folder / "parts").glob("[0-9]*.parquet")])


def wait_for(true, seconds=120.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def below(pid: int, word: str) -> list[psutil.Process]:
    """The processes below one whose command line has a word."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(word in part for part in process.cmdline()):
                found.append(process)
    return found


def workers(pid: int) -> list[psutil.Process]:
    return below(pid, "multiprocessing.spawn")


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    found = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):  # it may end between any two questions
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def assert_same(folder: Path, undisturbed: Path) -> None:
    """The index and the certificates are those of the undisturbed run, and no question has two rows."""
    one, other = (pq.read_table(place / "index.parquet").select(SAME).to_pylist() for place in (folder, undisturbed))
    assert one == other
    asked = Counter(text for table in whole_parts(folder) for text in table.column("question").to_pylist())
    assert set(asked.values()) == {1}, "nothing is answered twice"
    assert not [*folder.rglob(".unfinished-*")]
    names = {path.name for path in (folder / "certificates").iterdir()}
    assert names == {path.name for path in (undisturbed / "certificates").iterdir()}
    for name in names:
        assert (folder / "certificates" / name).read_bytes() == (undisturbed / "certificates" / name).read_bytes()


def test_the_undisturbed_run_is_accepted(undisturbed):
    done = subprocess.run(
        [sys.executable, "-m", "exactdp", "verify", str(undisturbed)], capture_output=True, text=True, env=ENV, check=False
    )
    assert done.returncode == 0, done.stdout


def test_two_workers_give_the_same_digests(plan, undisturbed, tmp_path):
    done = finished(plan, tmp_path / "two", "--workers", "2", "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["counts"]["failed"] == 2
    assert_same(tmp_path / "two", undisturbed)


def test_a_killed_worker_costs_nothing(plan, undisturbed, tmp_path):
    folder = tmp_path / "answers"
    with running(command(plan, folder, "--workers", "2")) as process:
        wait_for(lambda: parts(folder) >= 2)
        for kill in (workers, lambda pid: below(pid, "exactdp.sweeps.process")):
            victims = kill(process.pid)
            if victims:
                victims[0].kill()
            time.sleep(0.5)
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 4, out
    assert_same(folder, undisturbed)


def test_a_killed_client_leaves_no_process_and_the_next_run_goes_on(plan, undisturbed, tmp_path):
    folder = tmp_path / "answers"
    for wanted in (1, 3, 5):
        with running(command(plan, folder, "--workers", "2")) as process:
            wait_for(lambda wanted=wanted: parts(folder) >= wanted or process.poll() is not None)
            family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.kill()
            wait_for(lambda family=family: not alive(family), 60)
        with Store(folder) as store:
            before = store.answered()
        assert len(before) >= wanted
    done = finished(plan, folder, "--workers", "2", "--json")
    assert json.loads(done.stdout)["asked"] == len(pq.read_table(undisturbed / "index.parquet")) - len(before)
    assert_same(folder, undisturbed)


def test_ctrl_c_says_how_to_go_on(plan, endless, undisturbed, tmp_path):
    folder = tmp_path / "answers"
    with running(command(endless, folder, "--workers", "2")) as process:
        wait_for(lambda: parts(folder) >= 1)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
    assert f"To go on: exactdp sweep {endless} -o {folder}" in err
    assert "Traceback" not in err
    assert finished(plan, folder).returncode == 4
    assert_same(folder, undisturbed)


def test_a_time_limit_ends_the_sweep_and_keeps_what_is_answered(plan, endless, undisturbed, tmp_path):
    folder = tmp_path / "answers"
    done = finished(endless, folder, "--time-limit", "20")
    assert done.returncode == 4
    assert "time limit of 20 s" in done.stderr
    assert parts(folder) >= 1
    assert finished(plan, folder).returncode == 4
    assert_same(folder, undisturbed)


@contextlib.contextmanager
def dask(folder: Path, count: int = 2):
    """A scheduler and a process of workers, and the scheduler's address."""
    address = folder / f"scheduler-{time.monotonic_ns()}.json"
    program = [sys.executable, "-m", "dask"]
    scheduler = [*program, "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
    worker = [*program, "worker", "--host", "127.0.0.1", "--nthreads", "1", "--nworkers", str(count), "--no-dashboard"]
    local = {"cwd": folder}
    with running([*scheduler, "--scheduler-file", str(address)], **local) as head:
        wait_for(address.exists)
        with running([*worker, "--scheduler-file", str(address), "--death-timeout", "20"], **local) as hands:
            yield json.loads(address.read_text())["address"], head, hands


def test_any_dask_cluster_will_do(plan, undisturbed, tmp_path):
    with dask(tmp_path) as (address, _, hands):
        folder = tmp_path / "answers"
        with running(command(plan, folder, "--scheduler", address)) as process:
            wait_for(lambda: parts(folder) >= 1)
            workers(hands.pid)[0].kill()
            _, err = process.communicate(timeout=300)
            assert process.returncode == 4, err
            assert "Error" not in err
    assert_same(folder, undisturbed)


def test_a_killed_scheduler_ends_the_sweep_and_the_next_one_goes_on(plan, undisturbed, tmp_path):
    folder = tmp_path / "answers"
    with dask(tmp_path) as (address, head, _), running(command(plan, folder, "--scheduler", address)) as process:
        wait_for(lambda: parts(folder) >= 1)
        head.kill()
        _, err = process.communicate(timeout=120)
        assert process.returncode == 4, err
        assert "the scheduler of the cluster is gone" in err
        assert "To go on: exactdp sweep" in err
    with dask(tmp_path) as (address, _, _):
        assert finished(plan, folder, "--scheduler", address).returncode == 4
    assert_same(folder, undisturbed)


def test_nobody_at_an_address_is_told(plan, tmp_path):
    done = finished(plan, tmp_path / "answers", "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 3
    assert "there is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few blocks."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", place], check=False, capture_output=True).returncode
    ):
        pytest.skip("a file system can't be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_ends_the_sweep_and_the_next_one_goes_on(plan, undisturbed, small_disk):
    folder = small_disk / "answers"
    done = finished(plan, folder, "--workers", "2")
    assert done.returncode == 5, done
    assert "was not written: No space left on device" in done.stderr
    assert "To go on: exactdp sweep" in done.stderr
    again = finished(plan, folder, "--workers", "2")
    assert again.returncode == 5, again
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    assert finished(plan, folder, "--workers", "2").returncode == 4
    assert_same(folder, undisturbed)
