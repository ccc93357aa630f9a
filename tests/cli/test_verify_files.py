# SPDX-License-Identifier: MIT
"""`exactdp verify` and files of every kind: each is read once, no further than the checker reads, and each
has its own answer, whatever happens to the checker's process.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from argument_values import FOLDER, REPLAYS
from places import CORPUS, ROOT
from terminal import heeding_interrupts

import exactdp as xdp
from exactdp.checker.kernel import CORE, LIMITS, digest_of

CERTIFICATE, FALSE = CORPUS / "accept" / "optimal-path-1-4.edp.json", CORPUS / "reject" / "not-optimal-gap.edp.json"
ARGUMENT = FOLDER / "processing.json"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="files of other kinds than regular ones")]


def shell(line, cwd=None, **settings):
    """A command line of the shell, in which $E is the program."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "E": f"{sys.executable} -m exactdp", "C": str(CERTIFICATE), "F": str(FALSE)}
    pipes = {"capture_output": True, "text": True, "encoding": "utf-8"}
    return subprocess.run(["bash", "-c", line], cwd=cwd, env=environment, timeout=120, check=False, **pipes, **settings)


def statuses(done):
    """The status of each file; below it, further in, stands more about it."""
    return [line.split(": ")[1] for line in done.stdout.splitlines() if ": " in line and not line.startswith(" ")]


def modest():
    resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))


@pytest.mark.parametrize("options", ["", "--trust"])
def test_pipes(tmp_path, options):
    """Named pipes, process substitution and standard input in all its spellings are read once."""
    os.mkfifo(tmp_path / "pipe")
    done = shell(f'cat "$C" > pipe & $E verify {options} pipe <(cat "$F") - /dev/null < "$C"', cwd=tmp_path)
    assert statuses(done)[:4] == ["accepted", "rejected", "accepted", "malformed"]
    assert done.returncode == 3
    assert done.stderr == ""
    for word in ("-", "/dev/stdin", "/dev/fd/0"):
        done = shell(f'$E verify {options} {word} < "$C"')
        assert (done.returncode, statuses(done)[:1]) == (0, ["accepted"])
        done = shell(f'cat "$C" | $E verify {options} {word}')
        assert (done.returncode, statuses(done)[:1]) == (0, ["accepted"])


def test_what_can_be_read_once_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = shell('cat "$C" > pipe & cat "$C" | $E verify - pipe - /dev/stdin pipe ./pipe "$C"', cwd=tmp_path)
    assert statuses(done) == ["accepted", "accepted", "unreadable", "unreadable", "unreadable", "unreadable", "accepted"]
    assert done.returncode == 2
    assert "read once" in done.stdout


def test_arguments_from_a_pipe():
    """What they need is found in their folder; that of standard input is the one where the command runs."""
    needing = next(path for path in sorted(FOLDER.glob("*.json")) if json.loads(path.read_text(encoding="utf-8")).get("needs"))
    assert statuses(shell(f"$E verify {needing}")) == ["replayed"]
    assert statuses(shell(f"$E verify - < {needing}", cwd=FOLDER)) == ["replayed"]
    assert statuses(shell(f"$E verify - < {needing}", cwd="/")) == ["rejected"]
    done = shell(f"cat {ARGUMENT} | $E verify --trust -")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [*REPLAYS, "steps", "python"]


def test_files_without_an_end():
    done = shell('$E verify /dev/zero "$C"', preexec_fn=modest)
    assert statuses(done) == ["limit", "accepted"]
    assert f"{LIMITS['bytes']} bytes" in done.stdout
    done = shell('yes "[]" | $E verify --json --trust - "$F"', preexec_fn=modest)
    body = json.loads(done.stdout)
    assert [answer["status"] for answer in body["files"]] == ["limit", "rejected"]


def test_what_is_no_file_to_be_read(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "closed").write_text("{}")
    (tmp_path / "closed").chmod(0)
    words = ". nowhere loop closed/x nowhere/x ''"
    done = shell(f'$E verify {words} "$C"', cwd=tmp_path)
    assert statuses(done) == ["unreadable"] * 6 + ["accepted"]
    assert done.returncode == 2
    if os.geteuid():
        assert statuses(shell("$E verify closed", cwd=tmp_path)) == ["unreadable"]
    done = shell('$E verify - "$C" <&-')
    assert (statuses(done), done.returncode) == (["unreadable", "accepted"], 2)


def test_a_certificate_whose_provenance_speaks_of_arguments(tmp_path):
    body = json.loads(CERTIFICATE.read_text(encoding="utf-8"))
    body["provenance"] = {"format": "exactdp-argument"}
    assert digest_of(body) == body["digest"]
    for name, text in (("plain.json", json.dumps(body)), ("first.json", json.dumps(dict(reversed(body.items()))))):
        (tmp_path / name).write_text(text)
        assert statuses(shell(f"$E verify {name}", cwd=tmp_path)) == ["accepted"]
        assert xdp.verify(tmp_path / name).accepted
        assert xdp.load(tmp_path / name).claim["value"] == "168/415"


def test_a_table_whose_labels_speak_of_formats(tmp_path):
    for label in ("exactdp-argument", "exactdp-certificate", "witness"):
        (tmp_path / "t.json").write_text(json.dumps({"inputs": [label, "b"], "outputs": ["c"], "rows": [["1"], ["1"]]}))
        assert xdp.load(tmp_path / "t.json").inputs == (label, "b")


def test_load_and_verify_read_pipes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for function, found in ((xdp.load, lambda value: value.kind == "optimal"), (xdp.verify, lambda value: value.accepted)):
        writer = threading.Thread(target=lambda: pipe.write_bytes(CERTIFICATE.read_bytes()))
        writer.start()
        assert found(function(pipe))
        writer.join()
    code = "import exactdp as xdp; print(xdp.verify('/dev/stdin').status, xdp.load('/dev/stdin').kind)"
    with CERTIFICATE.open("rb") as stream:  # an ordinary file can be opened again there
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdin=stream, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "accepted optimal\n"


def children(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return [int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()]
    return []


def of_the_command(pid):
    """The processes that a command has started, which is itself the child of its supervisor."""
    return [other for command in children(pid) for other in children(command)]


BLANKS = 31 << 20
"""So many bytes there is no other file."""


@pytest.fixture
def slow(tmp_path):
    """A certificate that keeps the checker at work for a second or more: its blanks allow it that."""
    body = {
        "format": "exactdp-certificate",
        "version": "0.2",
        "claim": {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        "definitions": {"M": {"type": "geometric", "n": 900, "level": "99999999/100000001"}, "N": {"type": "path", "vertices": 901}},
        "witness": {},
    }
    path = tmp_path / "slow.json"
    path.write_text(json.dumps({**body, "digest": digest_of(body)}) + " " * BLANKS)
    return path


def started(*words):
    command = [sys.executable, "-m", "exactdp", "verify", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8", "preexec_fn": heeding_interrupts}
    return subprocess.Popen(command, env=environment, **pipes)


def has_read(pid):
    """How many bytes a process has read."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/io").read_text().split()[1])
    return 0


@contextlib.contextmanager
def at_work(process, before=None, family=of_the_command):
    """A process that a command has started, another one than before, once it has the slow file."""
    end, found = time.monotonic() + 60, []
    while not found and time.monotonic() < end:
        time.sleep(0.01)
        found = [child for child in family(process.pid) if child != before and has_read(child) > BLANKS]
    yield found[0]


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the list of a process's children, and what they have read")
@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--trust"]])
def test_a_killed_checker_is_a_limit_for_its_file_alone(slow, options):
    """As the system does when memory ends. (The first file was decided in the same process: so the slow one
    is given to a second process, which is stopped, too.)
    """
    with started(*options, CERTIFICATE, slow, FALSE) as process:
        child = None
        for _ in range(2):
            with at_work(process, child) as child:
                os.kill(child, signal.SIGKILL)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (4, "")
    if options:
        body = json.loads(out)
        assert [answer["status"] for answer in body["files"]] == ["accepted", "limit", "rejected"]
        assert [answer["verdict"] for answer in body["files"]] == ["proved", "undecided", "refuted"]
        assert body["verdict"] == "undecided"
    else:
        assert [line.split(": ")[1] for line in out.splitlines() if line[0] != " "] == ["accepted", "limit", "rejected"]


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the list of a process's children, and what they have read")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_what_was_decided_before_an_interrupt_is_told(slow, options, number, code):
    with started(*options, CERTIFICATE, FALSE, slow, CERTIFICATE) as process, at_work(process) as child:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert not Path(f"/proc/{child}").exists()
    assert process.returncode == code
    assert "Traceback" not in err
    if options:
        body = json.loads(out)
        assert [answer["status"] for answer in body["files"]] == ["accepted", "rejected"]
        assert (body["verdict"], body["error"], body["exit_code"]) == (None, "interrupted", code)
    else:
        assert [line.split(": ")[1] for line in out.splitlines() if line[0] != " "] == ["accepted", "rejected"]


def test_a_reader_who_wants_one_line():
    done = shell('$E verify "$C" "$C" "$C" | head -1; echo ${PIPESTATUS[0]}')
    first, code = done.stdout.splitlines()
    assert ": accepted: " in first
    assert (code, done.stderr) == ("0", "")  # all were checked
    done = shell('$E verify "$C" "$F" "$C" | true; echo ${PIPESTATUS[0]}')
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize("options", ["", "--json", "--trust"])
def test_answers_that_can_not_be_written(options):
    for streams in (">/dev/full", ">&-"):
        done = shell(f'$E verify {options} "$C" "$F" {streams}')
        assert (done.returncode, len(done.stderr.splitlines())) == (5, 1)
        assert shell(f'$E verify {options} "$F" {streams} 2>&-').returncode == 5


def test_trust_is_told_about_the_bytes_that_were_checked(tmp_path):
    """The rules are those of the file as it was read: nothing is read again."""
    os.mkfifo(tmp_path / "pipe")
    done = shell('cat "$C" > pipe & $E verify --trust --json pipe', cwd=tmp_path)
    read = json.loads(done.stdout)["trust"]
    shutil.copy(CERTIFICATE, tmp_path / "c.json")
    assert read == json.loads(shell("$E verify --trust --json c.json", cwd=tmp_path).stdout)["trust"]
    assert "§4.2 (path rule)" in read["sections"]


def test_a_name_is_opened_once(tmp_path, monkeypatch):
    import builtins

    from exactdp.certificate.verification import answers

    opened = []
    real = builtins.open

    def counting(file, *rest, **options):
        opened.append(str(file))
        return real(file, *rest, **options)

    monkeypatch.setattr(builtins, "open", counting)
    names = [str(CERTIFICATE), str(ARGUMENT), str(tmp_path / "none")]
    assert [answer.status for answer, _ in answers(names)] == ["accepted", "replayed", "unreadable"]
    assert [name for name in opened if name in names] == names


def test_an_empty_name_is_told_as_it_is():
    done = shell("$E verify ''")
    assert (done.returncode, done.stdout) == (2, ": unreadable: [Errno 2] No such file or directory: ''\n")


@pytest.mark.parametrize("options", ["", "--json", "--trust"])
def test_a_file_with_the_name_of_standard_input(tmp_path, options):
    """./- is a file, and its answer is not that of what stands on standard input."""
    shutil.copy(FALSE, tmp_path / "-")
    done = shell(f'$E verify {options} ./- < "$C"', cwd=tmp_path)
    assert done.returncode == 1
    assert "./-" in done.stdout
    assert "accepted" not in done.stdout
    both = shell(f'$E verify {options} - ./- < "$C"', cwd=tmp_path)
    assert (both.returncode, both.stdout.count("rejected"), both.stdout.count("accepted")) == (1, 1, 1)


def test_a_kind_does_not_forge_a_line(tmp_path):
    """A file that is rejected before its kind is looked at has used the rules of no kind."""
    body = json.loads(CERTIFICATE.read_bytes())
    body["claim"]["kind"] = "private)\nkernel  elsewhere, sha256:00\nc.json: accepted: all is well"
    (tmp_path / "forged.json").write_text(json.dumps(body))
    done = shell("$E verify --trust forged.json", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert (done.returncode, [line.split()[0] for line in lines]) == (1, ["forged.json:", "kernel", *sorted(CORE), "sections", "python"])
    assert lines[-2].split(": ")[1] == "§1, §2, §3, §6"


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the list of a process's children, and what they have read")
@pytest.mark.parametrize("options", [[], ["--time-limit", "100"]])
def test_a_command_that_is_killed_is_no_refutation(slow, options):
    """As the system does when memory ends: the supervisor ends by the same signal."""
    with started(*options, slow) as process, at_work(process, family=children) as child:
        os.kill(child, signal.SIGKILL)
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == -signal.SIGKILL


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="how the system tells that a pipe has no reader")
def test_a_killed_supervisor_takes_its_command_along(slow):
    """As a program does that gives up waiting: it knows one process only."""
    with started(slow) as process, at_work(process, family=children) as child:
        process.kill()
        process.communicate(timeout=60)  # the command has the same pipes
        end = time.monotonic() + 60
        while runs(child) and time.monotonic() < end:
            time.sleep(0.05)
        assert not runs(child)


def runs(pid):
    """Whether a process has not ended; one whose parent has not asked for its code yet has."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    return False


@pytest.mark.parametrize("options", [[], ["--time-limit", "100"]])
@pytest.mark.parametrize(
    "few", [*(f"resource.setrlimit(resource.RLIMIT_NOFILE, ({n}, {n}))" for n in range(3, 8)), "threading.stack_size(2**45)"]
)
def test_where_no_file_or_thread_is_left_nothing_is_refuted(options, few):
    """Whether there are too few before the program can say so, or while it runs."""
    code = f"import resource, threading, exactdp.cli.verify\nfrom exactdp.cli import main\n{few}\nmain.main(prog_name='exactdp')"
    words = [sys.executable, "-c", code, "verify", str(CERTIFICATE), *options]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode in (2, 4), "Traceback" in done.stderr) == (True, False), done
    assert len((done.stdout + done.stderr).splitlines()) == 1
