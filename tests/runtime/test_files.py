"""Files are written whole or not at all, by the usual rules, and by one function for the whole project."""

from __future__ import annotations

import ast
import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from exactdp.errors import ExactDPError, InputError, WriteError
from exactdp.runtime import files
from exactdp.runtime.files import make_folder, obstacle, write_file

ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
NOBODY = 65534


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def names(folder):
    return sorted(os.listdir(folder))


def in_a_child(code, *words, **settings):
    """Run Python code in a process of its own, where it may kill itself or give up its rights."""
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, env=ENV, capture_output=True, text=True, check=False, timeout=120, **settings)


# ---- the usual rules


@given(st.one_of(st.binary(max_size=300), st.text(st.characters(exclude_categories=["Cs"]))))
def test_what_is_written_is_read(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("read")
    assert write_file(str(folder / "f"), content) == folder / "f"
    assert (folder / "f").read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert names(folder) == ["f"]


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_usual_mode(tmp_path, mask, expected):
    before = os.umask(mask)
    try:
        write_file(tmp_path / "f", "x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "f") == expected


@pytest.mark.parametrize("kept", [0o600, 0o644, 0o664, 0o666, 0o755, 0o640])
def test_a_file_keeps_its_mode(tmp_path, kept):
    (tmp_path / "f").write_text("old")
    (tmp_path / "f").chmod(kept)
    write_file(tmp_path / "f", "new")
    assert ((tmp_path / "f").read_text(), mode(tmp_path / "f")) == ("new", kept)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path):
    (tmp_path / "f").write_text("old")
    os.chown(tmp_path / "f", NOBODY, NOBODY)
    write_file(tmp_path / "f", "new")
    found = os.stat(tmp_path / "f")
    assert (found.st_uid, found.st_gid, (tmp_path / "f").read_text()) == (NOBODY, NOBODY, "new")


def test_a_private_file_is_private_while_it_is_written(tmp_path, monkeypatch):
    (tmp_path / "f").write_text("old")
    (tmp_path / "f").chmod(0o600)
    seen = []
    write = os.write

    def looking(handle, data):
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return write(handle, data)

    monkeypatch.setattr(os, "write", looking)
    write_file(tmp_path / "f", "new")
    assert seen == [0o600]


@pytest.mark.parametrize("there", [True, False], ids=["there", "dangling"])
def test_links_are_followed(tmp_path, there):
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "target"
    if there:
        target.write_text("old")
        target.chmod(0o640)
    (tmp_path / "far" / "second").symlink_to("target")
    (tmp_path / "first").symlink_to(tmp_path / "far" / "second")
    write_file(tmp_path / "first", "new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "far" / "second").is_symlink()
    assert not target.is_symlink()
    assert target.read_text() == "new"
    assert not there or mode(target) == 0o640
    assert (names(tmp_path), names(tmp_path / "far")) == (["far", "first"], ["second", "target"])


def test_other_hard_links_keep_the_old_content(tmp_path):
    (tmp_path / "f").write_text("old")
    os.link(tmp_path / "f", tmp_path / "g")
    write_file(tmp_path / "f", "new")
    assert ((tmp_path / "f").read_text(), (tmp_path / "g").read_text()) == ("new", "old")


@pytest.mark.parametrize("length", [1, 245, 246, 250, 255])
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path, length):
    for _ in range(2):
        write_file(tmp_path / ("x" * length), "whole")
    assert (tmp_path / ("x" * length)).read_text() == "whole"


def test_the_content_is_on_the_disk_before_the_name_and_the_name_before_the_end(tmp_path, monkeypatch):
    done = []
    replace, fsync = os.replace, os.fsync

    def syncing(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else os.fstat(handle).st_size)
        fsync(handle)

    def replacing(source, target):
        done.append((Path(source).parent, target))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", syncing)
    monkeypatch.setattr(os, "replace", replacing)
    write_file(tmp_path / "f", "12345")
    assert done == [5, (tmp_path, str(tmp_path / "f")), "folder"]


# ---- what fails


@pytest.mark.parametrize("step", ["open", "write", "fsync", "replace"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), SystemExit(143), MemoryError()])
@pytest.mark.parametrize("old", [None, "old"])
def test_whatever_fails_nothing_is_left_and_nothing_lost(tmp_path, monkeypatch, step, failure, old):
    if old is not None:
        (tmp_path / "f").write_text(old)

    def fail(*args, **named):
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(WriteError if isinstance(failure, OSError) else type(failure)) as caught:
            write_file(tmp_path / "f", "new")
    if isinstance(failure, OSError):
        assert str(caught.value) == f"the file {str(tmp_path / 'f')!r} was not written: No space left on device"
        assert (caught.value.errno, caught.value.path) == (errno.ENOSPC, tmp_path / "f")
        assert isinstance(caught.value, ExactDPError)
        assert isinstance(caught.value, OSError)
    assert names(tmp_path) == ([] if old is None else ["f"])
    assert old is None or (tmp_path / "f").read_text() == old


def test_a_write_may_take_several_pieces(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
    write_file(tmp_path / "f", "0123456789")
    assert (tmp_path / "f").read_text() == "0123456789"


def test_a_limit_on_the_size_of_files(tmp_path):
    (tmp_path / "f").write_text("old")
    code = "import sys; from exactdp.runtime.files import write_file; write_file(sys.argv[1], 'x' * 10**5)"
    done = in_a_child(code, tmp_path / "f", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    assert "WriteError: the file" in done.stderr
    assert "File too large" in done.stderr
    assert ((tmp_path / "f").read_text(), names(tmp_path)) == ("old", ["f"])


@pytest.mark.slow
def test_a_full_disk(tmp_path):
    """A file system of some pages, where the system lets a user have one."""
    inside = (
        "mount -t tmpfs -o size=16k none $0 && cd $0 && echo old > f && "
        '$1 -c \'from exactdp.runtime.files import write_file; write_file("f", "x" * 10**5)\'; cat f; ls -A'
    )
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inside, str(tmp_path), sys.executable]
    try:
        done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError:
        pytest.skip("no unshare")
    if "WriteError" not in done.stderr:
        pytest.skip(f"no file system of one's own: {done.stderr[-200:]}")
    assert "No space left on device" in done.stderr
    assert done.stdout.split() == ["old", "f"]


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from exactdp.errors import WriteError
from exactdp.runtime.files import obstacle, write_file
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
for name in sys.argv[1:]:
    try:
        write_file(name, "new")
    except WriteError as error:
        print(error.message)
        assert obstacle(Path(name)) is not None
    else:
        print("written")
"""


@pytest.fixture
def open_folder():
    """A folder that everybody may enter, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


def test_what_is_protected_is_refused(open_folder):
    """In a child that is not root, whom nothing stops."""
    tmp_path = open_folder
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "f").write_text("old")
    (tmp_path / "closed" / "f").chmod(0o666)
    (tmp_path / "closed").chmod(0o555)
    (tmp_path / "read-only").write_text("old")
    (tmp_path / "read-only").chmod(0o444)
    done = in_a_child(UNPRIVILEGED, tmp_path / "closed" / "g", tmp_path / "closed" / "f", tmp_path / "read-only", tmp_path / "free")
    (tmp_path / "closed").chmod(0o755)
    assert done.stdout.splitlines() == [
        f"no file was written: the directory {str(tmp_path / 'closed')!r} can't be written to",
        f"no file was written: the directory {str(tmp_path / 'closed')!r} can't be written to",
        f"no file was written: {str(tmp_path / 'read-only')!r} may not be written to",
        "written",
    ], done.stderr
    assert (tmp_path / "read-only").read_text() == (tmp_path / "closed" / "f").read_text() == "old"


def test_places_that_are_none(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "turning").symlink_to("turning")
    (tmp_path / "gone").symlink_to("nowhere/f")
    for name, said in {
        ".": "'.' is a directory; give the name of a file",
        str(tmp_path): "is a directory",
        f"{tmp_path}/no/f": f"there is no directory '{tmp_path}/no'",
        f"{tmp_path}/gone": f"there is no directory '{tmp_path}/nowhere'",
        f"{tmp_path}/file/f": "Not a directory",
        f"{tmp_path}/turning": "Too many levels of symbolic links",
        f"{tmp_path}/{'x' * 256}": "File name too long",
    }.items():
        assert said in obstacle(Path(name)), name
        with pytest.raises(WriteError, match="no file was written"):
            write_file(name, "x")
    for name in ("", "a\0b", None, 3, b"f", ["f"]):
        with pytest.raises(InputError, match="name of a file"):
            write_file(name, "x")
    assert names(tmp_path) == ["file", "gone", "turning"]


def test_folders(tmp_path):
    (tmp_path / "file").write_text("")
    assert "is a file; give the name of a directory" in obstacle(tmp_path / "file", folder=True)
    assert obstacle(tmp_path / "a" / "b" / "c", folder=True) is None
    assert obstacle(tmp_path, folder=True) is None
    assert obstacle(tmp_path / "file" / "a", folder=True) is not None
    assert make_folder(make_folder(tmp_path / "a" / "b")).is_dir()
    with pytest.raises(WriteError, match="was not made"):
        make_folder(tmp_path / "file" / "a")


# ---- what is no regular file


def test_devices_and_pipes_are_written_to_directly(tmp_path):
    write_file("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(WriteError, match="No space left on device"):
        write_file("/dev/full", "x")
    (tmp_path / "full").symlink_to("/dev/full")
    with pytest.raises(WriteError, match="No space left on device"):
        write_file(tmp_path / "full", "x")
    assert (tmp_path / "full").is_symlink()
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_file(tmp_path / "pipe", b"x" * 200_000)
    reader.join(60)
    assert got == [b"x" * 200_000]
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
def test_a_file_that_is_open_as_standard_output_keeps_what_is_printed(tmp_path):
    code = "import sys; from exactdp.runtime.files import write_file; write_file(sys.argv[1], 'file\\n'); print('answer')"
    for name in ("/dev/stdout", tmp_path / "out"):
        with open(tmp_path / "out", "w", encoding="utf-8") as out:
            subprocess.run([sys.executable, "-c", code, str(name)], env=ENV, stdout=out, check=True, timeout=60)
        assert (tmp_path / "out").read_text() == "file\nanswer\n"
    assert in_a_child(code, "/dev/stdout").stdout == "file\nanswer\n"


# ---- processes that die


DYING = """
import os, signal, sys
from exactdp.runtime.files import write_file
step, number, name = sys.argv[1:]
def die(*args):
    os.kill(os.getpid(), int(number))
setattr(os, step, die)
write_file(name, "new")
"""


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_a_killed_process_leaves_is_cleaned_by_the_next(tmp_path, step):
    """After an hour: a dead writer and a slow one can't be told apart at once on every file system."""
    (tmp_path / "f").write_text("old")
    assert in_a_child(DYING, step, int(signal.SIGKILL), tmp_path / "f").returncode == -signal.SIGKILL
    assert (tmp_path / "f").read_text() == "old"
    [left] = [name for name in names(tmp_path) if name.endswith(files.SUFFIX)]
    write_file(tmp_path / "other", "x")
    assert names(tmp_path) == [left, "f", "other"]
    hours_ago(tmp_path / left)
    write_file(tmp_path / "other", "x")
    assert names(tmp_path) == ["f", "other"]


def hours_ago(path):
    """Let a file be one that was written to more than an hour ago."""
    when = time.time() - files.ABANDONED - 60
    os.utime(path, (when, when))


def test_only_temporary_files_are_cleaned(tmp_path):
    for name in ("mine.part", ".exactdp-mine", "a.exactdp-1.part"):
        (tmp_path / name).write_text("")
        hours_ago(tmp_path / name)
    write_file(tmp_path / "f", "x")
    assert names(tmp_path) == sorted(["mine.part", ".exactdp-mine", "a.exactdp-1.part", "f"])


@pytest.mark.parametrize("step", ["fsync", "replace", "write"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGXCPU])
def test_an_interrupt_leaves_nothing(tmp_path, step, number):
    (tmp_path / "f").write_text("old")
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + DYING
    done = in_a_child(code, step, int(number), tmp_path / "f")
    assert done.returncode != 0
    assert (tmp_path / "f").read_text() == "old"
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in done.stderr
        assert names(tmp_path) == ["f"]


def test_what_may_be_alive_is_left_alone(tmp_path):
    """What another thread, another process or another computer is writing."""
    started, go_on = threading.Event(), threading.Event()
    fsync = os.fsync

    def waiting(handle):
        if threading.current_thread() is writer and not started.is_set():
            started.set()
            assert go_on.wait(60)
        fsync(handle)

    writer = threading.Thread(target=write_file, args=(tmp_path / "f", "first"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", waiting)
        writer.start()
        assert started.wait(60)
        write_file(tmp_path / "g", "second")
        done = in_a_child("import sys; from exactdp.runtime.files import write_file; write_file(sys.argv[1], 'third')", tmp_path / "h")
        assert done.returncode == 0, done.stderr
        assert len([name for name in names(tmp_path) if name.endswith(files.SUFFIX)]) == 1
        go_on.set()
        writer.join(60)
    assert (tmp_path / "f").read_text() == "first"
    assert names(tmp_path) == ["f", "g", "h"]


def test_many_writers_of_one_file_and_a_reader_who_sees_only_whole_ones(tmp_path):
    contents = [str(k) * 50_000 for k in range(4)]
    write_file(tmp_path / "f", contents[0])
    troubles = []

    def write(content):
        try:
            for _ in range(15):
                write_file(tmp_path / "f", content)
        except Exception as error:
            troubles.append(error)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert (tmp_path / "f").read_text() in contents
    assert troubles == []
    assert names(tmp_path) == ["f"]


# ---- one function for all


WRITING = {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "os.replace", "os.rename", "os.open", "tofile", "savetxt"}


def writes(tree):
    """The calls of a source text that write files."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            words = [arg.value for arg in [*node.args, *(k.value for k in node.keywords)] if isinstance(arg, ast.Constant)]
            to_write = any(isinstance(word, str) and len(word) < 4 and set(word) & set("wax+") for word in words)
            name = ast.unparse(node.func).rpartition(".")[2]
            if ast.unparse(node.func) in WRITING or name in WRITING or (name == "open" and to_write):
                yield name


def test_nothing_else_in_the_project_writes_files():
    found = {}
    for path in sorted((ROOT / "exactdp").rglob("*.py")):
        calls = list(writes(ast.parse(path.read_text(encoding="utf-8"))))
        if calls:
            found[str(path.relative_to(ROOT / "exactdp"))] = set(calls)
    assert found.pop("runtime/files.py") == {"open", "rename", "replace"}
    assert found.pop("certificate/bundle_files.py") == {"open"}  # it only reads
    assert found.pop("runtime/process.py") == {"open"}  # the null device
    assert found.pop("arguments/argument.py", {"open"}) == {"open"}  # it only reads
    assert found.pop("arguments/reading.py") == {"open"}  # standard error
    assert found.pop("checker/kernel.py", {"open"}) == {"open"}  # standard error
    assert found.pop("sweeps/process.py") == {"open"}  # the null device; counters of the system
    assert found.pop("sweeps/store.py") == {"open", "replace"}  # many files of one folder, flushed together; the lock
    assert found.pop("runtime/chain.py") == {"open"}  # a locked file that grows line by line
    assert found == {}


def test_that_test_can_fail():
    for line in ("open(p, 'w')", "path.write_text(x)", "os.replace(a, b)", "open(p, mode='ab')", "path.open('xb')", "os.open(p, f)"):
        assert list(writes(ast.parse(line))), line
    for line in ("open(p, 'rb')", "text.replace('a', 'b')", "open(p)"):
        assert not list(writes(ast.parse(line))), line
