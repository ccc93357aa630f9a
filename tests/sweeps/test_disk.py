# SPDX-License-Identifier: MIT
"""What is on the disk when a batch ends in its midst: by kill -9 at any call of the system, or a full one."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

pq = pytest.importorskip("pyarrow.parquet")

from exactdp.errors import WriteError  # noqa: E402
from exactdp.sweeps import store as disk  # noqa: E402
from exactdp.sweeps.answer import Answer  # noqa: E402
from exactdp.sweeps.store import (  # noqa: E402
    AT_A_TIME,
    TEMPORARY,
    Disk,
    Store,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files that are open can't be removed")


def answer(number: int) -> Answer:
    """An answer that only this folder has to understand; its digest names its file."""
    question = f'{{"ask":"tight","graph":"path:{number + 1}","level":"1/2"}}'
    return Answer(question, "proved", certificate=f"{number}," * 1000, digest=f"sha256:{number:064d}")


FIRST, SECOND = [answer(k) for k in range(2)], [answer(k) for k in range(2, 6)]


def wanted(name: str) -> bytes:
    """What a whole file of this name has."""
    return answer(int(name.partition(".")[0])).certificate.encode()


def check(folder: Path, *, killed: bool = False) -> set[str]:
    """No half file has the name of a whole one, no row is without its certificate; what is answered."""
    names = {path.name for path in (folder / "certificates").iterdir()}
    left = {name for name in names if name.startswith(TEMPORARY)}
    assert killed or not left
    for name in names - left:
        assert (folder / "certificates" / name).read_bytes() == wanted(name)
    rows = {}
    for path in (folder / "parts").glob("0*.parquet"):
        table = pq.read_table(path)  # each is whole
        rows |= dict(zip(table.column("question").to_pylist(), table.column("digest").to_pylist(), strict=True))
    assert {f"{digest[7:]}.edp.json" for digest in rows.values()} <= names
    with Store(folder) as store:
        assert set(store.answered()) == set(rows)
        assert not list(folder.rglob(f"{TEMPORARY}*"))
    return set(rows)


def goes_on(folder: Path) -> None:
    """What has no row is asked again, and then all is there once."""
    done = check(folder)
    with Store(folder) as store:
        store.keep(found for found in FIRST + SECOND if found.question not in done)
    assert check(folder) == {found.question for found in FIRST + SECOND}
    counted = sum(pq.read_metadata(path).num_rows for path in (folder / "parts").iterdir())
    assert counted == len(FIRST + SECOND)
    assert len(list((folder / "certificates").iterdir())) == len(FIRST + SECOND)


@pytest.fixture
def folder(tmp_path):
    with Store(tmp_path / "answers") as store:
        store.keep(FIRST)
    return tmp_path / "answers"


# --- kill -9 ---

KILLED = """
import os, pickle, sys, threading
from pathlib import Path
from exactdp.sweeps.store import Store
folder, answers, name, count = Path(sys.argv[1]), pickle.loads(Path(sys.argv[2]).read_bytes()), sys.argv[3], int(sys.argv[4])
lock, calls = threading.Lock(), []
def counted(call, real):
    def instead(*words, **more):
        with lock:
            calls.append(call)
            end = name in (call, "any") and (calls.count(name) if name != "any" else len(calls)) > count
        if end:
            if call == "write":
                real(words[0], bytes(words[1])[:10])
            os.kill(os.getpid(), 9)
        return real(*words, **more)
    return instead
with Store(folder) as store:
    for call in ("open", "write", "fsync", "replace"):
        setattr(os, call, counted(call, getattr(os, call)))
    store.keep(answers)
"""


def killed(folder: Path, call: str, count: int) -> bool:
    """A process writes a batch, and kills itself at a call; whether it came to that."""
    place = folder.parent / "answers.pickle"
    place.write_bytes(pickle.dumps(SECOND))
    words = [sys.executable, "-c", KILLED, str(folder), str(place), call, str(count)]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


@pytest.mark.parametrize(
    ("call", "count", "named"),
    [
        ("write", 2, 0),  # half a certificate
        ("replace", 2, 2),  # all are written, and some have their names
    ],
)
def test_a_client_that_is_killed_leaves_only_what_is_whole(folder, call, count, named):
    assert killed(folder, call, count)
    assert len([*(folder / "certificates").glob("[0-9]*")]) == len(FIRST) + named
    assert check(folder, killed=True) == {found.question for found in FIRST}
    goes_on(folder)


@pytest.mark.slow
def test_a_client_may_be_killed_at_any_call(tmp_path):
    count = 0
    while True:
        folder = tmp_path / str(count) / "answers"
        folder.parent.mkdir()
        with Store(folder) as store:
            store.keep(FIRST)
        more = killed(folder, "any", count)
        answered = check(folder, killed=True)
        assert answered in ({found.question for found in FIRST}, {found.question for found in FIRST + SECOND})
        goes_on(folder)
        if not more:
            break
        count += 1
    assert count >= 4 * (len(SECOND) + 1)  # each file is opened, written, flushed and named


# --- A full disk ---


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_a_disk_that_is_full_within_a_batch_loses_no_whole_file(folder, monkeypatch, call):
    real = getattr(os, call)
    for count in range(5):
        calls = iter(range(10**6))

        def fails(*words, count=count, calls=calls, **more):
            if next(calls) >= count:
                if call == "write":
                    real(words[0], bytes(words[1])[:7])
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*words, **more)

        with Store(folder) as store, monkeypatch.context() as patched:
            patched.setattr(disk.os, call, fails)
            with pytest.raises(WriteError, match="was not written: No space left on device"):
                store.keep(SECOND)
        assert check(folder) == {found.question for found in FIRST}
        for found in SECOND:  # the next try begins anew
            (folder / "certificates" / f"{found.digest[7:]}.edp.json").unlink(missing_ok=True)
    goes_on(folder)


# --- The order ---


def test_a_row_is_named_after_its_certificates_are_on_the_disk(folder, monkeypatch):
    done = []

    def noted(call):
        real = getattr(os, call)

        def instead(*words, **more):
            told = os.readlink(f"/proc/self/fd/{words[0]}") if call == "fsync" else str(words[-1])
            found = real(*words, **more)
            done.append((call, os.path.basename(told)))
            return found

        return instead

    if not os.path.exists("/proc/self/fd"):
        pytest.skip("no /proc")
    with Store(folder) as store, monkeypatch.context() as patched:
        for call in ("fsync", "replace"):
            patched.setattr(disk.os, call, noted(call))
        store.keep(SECOND)
    part = "00000002.parquet"
    files = {f"{found.digest[7:]}.edp.json" for found in SECOND}
    assert {name for call, name in done if call == "replace"} == files | {part}
    settled = done.index(("fsync", "certificates"))
    for name in files:
        assert done.index(("fsync", TEMPORARY + name)) < done.index(("replace", name)) < settled
    assert settled < done.index(("fsync", TEMPORARY + part)) < done.index(("replace", part)) < done.index(("fsync", "parts"))


# --- Files ---


def test_more_files_than_may_be_open_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(disk, "AT_A_TIME", 5)
    most = []
    real = os.open

    def opened(*words, **more):
        handle = real(*words, **more)
        most.append(handle)
        return handle

    monkeypatch.setattr(disk.os, "open", opened)
    files = {f"{k}.txt": str(k).encode() * k for k in range(23)}
    with Disk() as writer:
        writer.write(tmp_path, files)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
        assert len(most) == len(files) + 1
        assert len(set(most)) <= 5 + 1
        writer.write(tmp_path, {})
    assert AT_A_TIME < 256


def test_what_is_there_already_is_left_alone_and_another_content_is_replaced(tmp_path):
    with Disk() as writer:
        writer.write(tmp_path, {"same": b"12", "other": b"12", "short": b"12"})
        (tmp_path / "other").write_bytes(b"13")
        (tmp_path / "short").write_bytes(b"1")
        before = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
        writer.write(tmp_path, {"same": b"12", "other": b"12", "short": b"12"})
    after = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
    assert [name for name in before if after[name] == before[name]] == ["same"]
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"12"}
