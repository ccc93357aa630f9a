"""Standard streams and files as the machine may give them: full, closed, gone, slow, interrupted. Nearly
every test runs the program as a process.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import termios
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_runner import answered_plan, example_files, run
from places import ROOT

from exactdp.checker import check_bytes
from exactdp.cli.program import COMMANDS

ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
PROGRAM = [sys.executable, "-m", "exactdp"]
TRUE = "privacy geometric:n=3,alpha=1/4"
UNWRITTEN = 5
FULL = "Error: the answer can't be written to standard output: No space left on device\n"
CLOSED = "Error: the answer can't be written to standard output: it is closed\n"

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    example_files(folder)
    if find_spec("pyarrow"):
        answered_plan(folder)
    assert run(["optimal", "geometric:n=3", "--alpha", "1/4", "--loss", "abs", "--after-remap", "-o", str(folder / "good.json")]).code == 0
    body = (folder / "good.json").read_text(encoding="utf-8")
    (folder / "bad.json").write_text(body.replace('"value": "', '"value": "1'), encoding="utf-8")
    return folder


def shell(line, cwd, **settings):
    """A line of a shell in which ``exactdp`` is the program."""
    line = f'exactdp() {{ "{sys.executable}" -m exactdp "$@"; }}\n{line}'
    return subprocess.run(["bash", "-c", line], cwd=cwd, env=ENV, capture_output=True, text=True, check=False, timeout=120, **settings)


# ---- an answer that can't be written

ASKED = {
    "privacy": TRUE,
    "derive": "derive geometric:n=3,alpha=1/2 --source geometric:n=3,alpha=1/4",
    "refine": "refine geometric:n=3,alpha=1/4 geometric:n=3,alpha=1/2",
    "remap": "remap geometric:n=3,alpha=1/4 --loss abs",
    "release": "release --n 2 --alpha 1/4,1/2",
    "compose": "compose geometric:n=2,alpha=1/4 geometric:n=2,alpha=1/2",
    "delta": "delta geometric:n=3,alpha=1/4 --epsilon 1",
    "optimal": "optimal geometric:n=2 --alpha 1/4 --loss abs",
    "determinant": "determinant --matrix geometric:n=3",
    "generalise": "generalise det geometric --sizes 2..4",
    "tight": "tight path:3 --alpha 1/2",
    "regular": "regular path:3 --prior uniform --alpha 1/2",
    "audit": "audit geometric:n=3,alpha=1/4",
    "type": "type path:3 --alpha 1/2 --vertices",
    "mechanisms": "mechanisms",
    "verify": "verify good.json bad.json",
    "sweep": "sweep plan.toml -o answers",
    "index": "index answers",
    "show": "show table.csv",
    "convert": "convert table.csv --to json",
    "demo": "demo -o demo-folder",
}
NO_JSON = {"show", "convert", "demo"}


def test_every_command_is_asked():
    assert ASKED.keys() | {"register"} == COMMANDS.keys()  # a group of commands, with tests of its own


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_every_answer_on_a_full_or_closed_standard_output(here, name):
    if name in {"sweep", "index"}:
        pytest.importorskip("distributed")
    assert run_in(here, ASKED[name]).returncode in (0, 1), "the question has an answer"
    for json_too in ("", " --json") if name not in NO_JSON else ("",):
        for to, said in ((">/dev/full", FULL), (">&-", CLOSED)):
            done = shell(f"exactdp {ASKED[name]}{json_too} {to}", here)
            assert (done.returncode, done.stderr) == (UNWRITTEN, said), (name, json_too, to)


def run_in(folder, line):
    return shell(f"exactdp {line}", folder)


@pytest.mark.parametrize("words", ["--help", "--version", "privacy --help", TRUE, f"{TRUE} --json", "verify --json good.json bad.json"])
def test_a_full_standard_output(here, words):
    done = shell(f"exactdp {words} > /dev/full", here)
    assert (done.returncode, done.stderr) == (UNWRITTEN, FULL)


@pytest.mark.parametrize("words", ["--version", TRUE, f"{TRUE} --json", "verify good.json"])
def test_a_closed_standard_output(here, words):
    done = shell(f"exactdp {words} >&-", here)
    assert (done.returncode, done.stderr) == (UNWRITTEN, CLOSED)


@pytest.mark.parametrize("words", ["privacy no.csv", "nonsense"])
def test_the_error_of_a_command_as_json_counts_as_its_answer(here, words):
    done = shell(f"exactdp {words} --json > /dev/full", here)
    assert (done.returncode, done.stderr) == (UNWRITTEN, FULL)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["2>/dev/full", "2>&-"])
def test_an_error_that_cannot_be_told_keeps_its_code(here, to):
    assert shell(f"exactdp privacy no.csv {to}", here).returncode == 2
    assert shell(f"exactdp verify bad.json {to}", here).returncode == 1
    done = shell(f"exactdp {TRUE} {to}", here)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run_in(here, TRUE).stdout


@pytest.mark.slow
def test_neither_stream_can_be_written(here):
    assert shell(f"exactdp {TRUE} >/dev/full 2>&1", here).returncode == UNWRITTEN
    assert shell(f"exactdp {TRUE} >&- 2>&-", here).returncode == UNWRITTEN
    assert shell("exactdp privacy no.csv >&- 2>&-", here).returncode == 2


@pytest.mark.slow
def test_with_no_streams_at_all_files_hold_what_they_should(here, tmp_path):
    """The next file that is opened has the number of a stream that is closed."""
    assert run_in(here, f"{TRUE} -o {tmp_path}/usual.json").returncode == 0
    for to, code in (("<&- >&- 2>&-", UNWRITTEN), (">&- 2>&-", UNWRITTEN), ("<&- 2>&-", 0), (">&-", UNWRITTEN), ("2>&-", 0), ("<&-", 0)):
        done = shell(f"exactdp {TRUE} -o {tmp_path}/c.json {to}", here)
        assert done.returncode == code, to
        assert (tmp_path / "c.json").read_bytes() == (tmp_path / "usual.json").read_bytes(), to
        assert check_bytes((tmp_path / "c.json").read_bytes()).status == "accepted"
        (tmp_path / "c.json").unlink()


@pytest.mark.slow
def test_a_closed_standard_input(here):
    done = shell("exactdp privacy - <&-", here)
    assert done.returncode == 2
    assert "can't read standard input: it is closed" in done.stderr
    assert shell(f"exactdp {TRUE} <&-", here).stdout == run_in(here, TRUE).stdout
    assert shell("exactdp verify - <&-", here).returncode == 2
    assert shell("exactdp verify good.json <&-", here).returncode == 0


# ---- a reader who has gone


@pytest.mark.parametrize(("file", "code"), [("good.json", 0), ("bad.json", 1)])
def test_a_reader_of_one_line(here, file, code):
    done = shell(f'exactdp verify {"good.json " * 20} {file} | head -1; echo "${{PIPESTATUS[0]}}"', here)
    first, second = done.stdout.splitlines()
    assert first.startswith("good.json: accepted")
    assert (int(second), done.stderr) == (code, "")


@pytest.mark.parametrize(("words", "code"), [("--help", 0), (TRUE, 0), (f"{TRUE} --alpha 1/2", 1), ("privacy no.csv", 2), ("--version", 0)])
def test_a_reader_who_never_reads(here, words, code):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PROGRAM, *words.split()], cwd=here, env=ENV, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=120)
    os.close(writing)
    assert done.returncode == code
    assert (done.stderr == b"") == (code < 2)


@pytest.mark.slow
def test_a_reader_whose_pipe_does_not_wait(here):
    """The other end of a pipe may have made it one that refuses what it has no room for."""
    usual = run_in(here, "convert geometric:n=120,alpha=1/3 --to json").stdout
    assert len(usual) > 1 << 16
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETFL, fcntl.fcntl(writing, fcntl.F_GETFL) | os.O_NONBLOCK)
    command = [*PROGRAM, "convert", "geometric:n=120,alpha=1/3", "--to", "json"]
    with subprocess.Popen(command, cwd=here, env=ENV, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        time.sleep(2)
        with open(reading, encoding="utf-8") as stream:
            got = stream.read()
        err = process.stderr.read()
        assert process.wait(60) == 0
    assert (got, err) == (usual, b"")


# ---- a file that can't be written


def limited():
    """Files of this process may have a hundred bytes; a pipe may have any number."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def snapshot(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "verdict", "file"),
    [
        (f"{TRUE} -o c.json", 0, "proved", "c.json"),
        ("optimal geometric:n=3 --alpha 1/4 --loss abs -o c.json", 1, "refuted", "c.json"),
        ("audit geometric:n=3,alpha=1/4 --html page.html", 0, "no claim", "page.html"),
        ("audit geometric:n=3,alpha=1/4 --certificates parts", 0, "no claim", "parts/"),
        ("audit geometric:n=3,alpha=1/4 --claims-epsilon 1 --html page.html --certificates parts -o c.json", 1, "refuted", "page.html"),
    ],
)
def test_a_file_that_cannot_be_written_leaves_the_answer(tmp_path, monkeypatch, words, code, verdict, file):
    """A limit on the size of files stands for a full disk: the system refuses the write in the same way."""
    monkeypatch.chdir(tmp_path)
    usual = run(words)
    shutil.rmtree(tmp_path / "parts", ignore_errors=True)  # an audit takes a directory of its own
    usual_json = run(f"{words} --json")
    assert (usual.code, usual_json.code) == (code, code)
    for path in tmp_path.iterdir():
        path.write_text("old") if path.is_file() else [part.unlink() for part in path.iterdir()]
    before = snapshot(tmp_path)
    done = shell(f"exactdp {words}", tmp_path, preexec_fn=limited)
    assert done.returncode == UNWRITTEN
    assert done.stderr.startswith("Error: ")
    assert f"the file '{file}" in done.stderr
    assert "File too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout.splitlines()[0] == usual.out.splitlines()[0]
    assert set(done.stdout.splitlines()) <= set(usual.out.splitlines()), "what is told besides is not in the answer"
    assert "written to" not in done.stdout
    done = shell(f"exactdp {words} --json", tmp_path, preexec_fn=limited)
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (UNWRITTEN, "")
    assert (answer["verdict"], answer["error_type"], answer["exit_code"]) == (verdict, "WriteError", UNWRITTEN)
    assert f"the file '{file}" in answer["error"]
    assert answer["claim"] == usual_json.json["claim"]
    assert answer["certificate"] is None
    assert snapshot(tmp_path) == before


@pytest.mark.slow
def test_convert_and_demo_tell_what_was_not_written(tmp_path):
    done = shell("exactdp convert geometric:n=30,alpha=1/3 --to npy -o t.npy", tmp_path, preexec_fn=limited)
    assert (done.returncode, done.stdout) == (UNWRITTEN, "")
    assert done.stderr == "Error: the file 't.npy' was not written: File too large\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_demonstration_goes_on_without_its_files(tmp_path):
    usual = shell("exactdp demo -o certificates", tmp_path)
    assert usual.returncode == 0
    done = shell("exactdp demo -o others", tmp_path, preexec_fn=limited)
    assert done.returncode == UNWRITTEN
    assert done.stderr.startswith("Error: the file 'others/")
    assert "Summary: " in done.stdout
    assert "Every certificate was accepted" not in done.stdout
    assert usual.stdout.partition("10 certificates")[0] == done.stdout.partition("0 certificates")[0]
    assert list((tmp_path / "others").iterdir()) == []


@pytest.mark.slow
def test_a_link_to_a_full_device(tmp_path):
    (tmp_path / "c.json").symlink_to("/dev/full")
    done = shell(f"exactdp {TRUE} -o c.json", tmp_path)
    assert (done.returncode, done.stderr) == (UNWRITTEN, "Error: the file 'c.json' was not written: No space left on device\n")
    assert done.stdout == shell(f"exactdp {TRUE}", tmp_path).stdout
    assert (tmp_path / "c.json").is_symlink()


def test_names_that_are_empty(tmp_path):
    for words in (
        f"{TRUE} -o ''",
        f"{TRUE.replace('privacy', 'audit')} --html ''",
        f"{TRUE.replace('privacy', 'audit')} --certificates ''",
    ):
        done = run(words)
        assert done.code == 2, words
        assert "the name is empty" in done.err
    assert run("demo -o ''").code == run("convert geometric:n=2,alpha=1/2 --to csv -o ''").code == 2


def test_standard_input_is_no_place_to_write_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (f"{TRUE} -o -", "demo -o -", "convert geometric:n=2,alpha=1/2 --to csv -o -"):
        done = run(words)
        assert done.code == 2, words
        assert "'-' is standard input; give /dev/stdout" in done.err
    assert list(tmp_path.iterdir()) == []


def test_one_output_does_not_take_the_place_of_another(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    audit = "audit geometric:n=2,alpha=1/2"
    for options in (
        "--html a -o a",
        "--html folder/a -o link/a",
        "--html folder/level.edp.json --certificates link",
        "-o new/level.edp.json --certificates new",
        "-o folder/manifest.json --certificates folder",
    ):
        if options.startswith("-o new"):
            (tmp_path / "new").mkdir()
        done = run(f"{audit} {options}")
        assert done.code == 2, options
        assert "give " in done.err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "link", "new"]
    assert run(f"{audit} --html /dev/null -o /dev/null").code == 0
    assert run(f"{audit} --html folder/a.html -o folder/a.json --certificates folder").code == 0
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["a.html", "a.json", "level.edp.json", "manifest.json"]


def test_no_memory_for_a_certificate_leaves_the_audit(tmp_path, monkeypatch):
    def fail(verdict):
        raise MemoryError

    monkeypatch.setattr("exactdp.certificate.certificate.certify", fail)
    done = run(f"audit geometric:n=2,alpha=1/2 --certificates {tmp_path}/folder")
    assert done.out.startswith("NO CLAIM  tightest level α = 1/2 (ε = ln(2) ")
    assert "no certificate of level: there is not enough memory" in done.out


def test_places_that_are_none_are_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old")

    def fail(*args, **named):
        raise AssertionError("it was asked")

    monkeypatch.setattr("exactdp.cli.audit.run_audit", fail)
    audit = "audit geometric:n=2,alpha=1/2"
    for option, said in {
        "-o .": "-o: '.' is a directory",
        "-o no/c.json": "-o: there is no directory 'no'",
        "--html .": "--html: '.' is a directory",
        f"--html {'x' * 256}": "File name too long",
        "--certificates file": "--certificates: 'file' is a file",
        "--certificates file/inside": "--certificates: 'file/inside': Not a directory",
    }.items():
        done = run(f"{audit} {option}")
        assert done.code == 2, option
        assert said in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_all_formats_have_the_same_mode(tmp_path):
    for form in ("npy", "csv", "json", "sympy"):
        assert run(["convert", "geometric:n=2,alpha=1/2", "--to", form, "-o", str(tmp_path / form)]).code == 0
    assert run(["audit", "geometric:n=2,alpha=1/2", "--html", str(tmp_path / "html"), "-o", str(tmp_path / "c.json")]).code == 0
    mask = os.umask(0)
    os.umask(mask)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o666 & ~mask}


@pytest.mark.slow
def test_devices_and_pipes_as_files(tmp_path):
    assert shell(f"exactdp {TRUE} -o /dev/null", tmp_path).returncode == 0
    done = shell(f"exactdp {TRUE} -o >(cat > c.json; echo > done) > answer; while [ ! -e done ]; do sleep 0.1; done", tmp_path)
    assert done.returncode == 0
    assert check_bytes((tmp_path / "c.json").read_bytes()).status == "accepted"
    assert shell(f"exactdp {TRUE} -o /dev/stdout > both", tmp_path).returncode == 0
    both = (tmp_path / "both").read_text()
    assert both.startswith((tmp_path / "c.json").read_text())
    assert both.removeprefix((tmp_path / "c.json").read_text()).startswith("PROVED")


# ---- signals

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def heeding():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def started(*words, cwd):
    """The program, heeding signals: those who test in the background of a shell have them ignore SIGINT."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "preexec_fn": heeding}
    with subprocess.Popen([*PROGRAM, *words], cwd=cwd, env=ENV, **settings) as process:
        try:
            yield process
        finally:
            process.kill()


LARGE = ["convert", "geometric:n=120,alpha=1/3", "--to", "json"]
"""Its answer is larger than what a pipe holds."""


def wait_until_full(pipe):
    """Until as much is in a pipe as goes in, and the program waits in the middle of its writing."""
    size = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    for _ in range(1200):
        if struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"1234"))[0] == size:
            return
        time.sleep(0.1)
    pytest.fail("the pipe is not full after two minutes")


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_the_answer_is_printed_to_a_slow_reader(here, number):
    """Nobody reads the pipe: the program ends all the same, and tells nothing twice."""
    with started(*LARGE, cwd=here) as process:
        wait_until_full(process.stdout.fileno())
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert process.stderr.read() in ("", "\nInterrupted.\n", "Interrupted.\n")
        assert process.stdout.read().count("rows") == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_a_file_is_written(tmp_path, number):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with started(*LARGE, "-o", "pipe", cwd=tmp_path) as process:
        wait_until_full(reading)
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert process.stdout.read() == ""
        assert "Traceback" not in process.stderr.read()
    os.close(reading)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def caught(number):
    """The signals that a process has handlers for, as the system tells them."""
    text = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    return int(text.partition("SigCgt:")[2].split()[0], 16)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
def test_a_signal_while_nobody_reads_standard_error(here):
    reading, writing = os.pipe()
    os.write(writing, b"x" * fcntl.fcntl(reading, fcntl.F_GETPIPE_SZ))
    settings = {"stderr": writing, "preexec_fn": heeding}
    with subprocess.Popen([*PROGRAM, "privacy", "no.csv"], cwd=here, env=ENV, **settings) as process:
        try:
            while not caught(process.pid) >> (signal.SIGTERM - 1) & 1:
                time.sleep(0.1)
            time.sleep(2)  # it comes to its error
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 143
        finally:
            process.kill()
    os.close(reading)
    os.close(writing)


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0, 0.01, 0.1])
def test_many_signals(here, pause):
    with started(*LARGE, cwd=here) as process:
        wait_until_full(process.stdout.fileno())
        for _ in range(5):
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        assert process.wait(60) in (130, -signal.SIGINT)  # the second is how the interpreter ends in its last moments
        assert "Traceback" not in process.stderr.read()


@pytest.mark.slow
def test_who_was_started_by_nohup_goes_on(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    command = [*PROGRAM, *TRUE.split(), "-o", "pipe"]
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    with subprocess.Popen(command, cwd=tmp_path, env=ENV, stdout=subprocess.PIPE, text=True, **ignoring) as process:
        time.sleep(1)
        process.send_signal(signal.SIGHUP)
        with open(tmp_path / "pipe", "rb") as stream:
            assert check_bytes(stream.read()).status == "accepted"
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith("PROVED")


# ---- a failure of the program itself


@pytest.mark.slow
def test_a_defect_is_never_a_refutation(tmp_path):
    """Also when its traceback is asked for, and when standard error is full."""
    code = (
        "import exactdp.analysis as p, sys\nfrom exactdp.cli import main\n"
        "def fail(*a, **k): raise ZeroDivisionError('oh')\np.tightest_level = fail\nmain(sys.argv[1:])"
    )
    for words, to in ((TRUE, "2>/dev/full"), (f"{TRUE} --debug", "2>/dev/full"), (f"{TRUE} --debug", ""), (TRUE, "2>&-")):
        (tmp_path / "program.py").write_text(code)
        done = shell(f'"{sys.executable}" program.py {words} {to}', tmp_path)
        assert done.returncode == 70, (words, to)
        assert ("Traceback" in done.stderr) == ("--debug" in words and not to)


def test_the_codes_are_told_where_people_look():
    for page in (ROOT / "README.md", Path(ROOT / "docs" / "certifying-a-table.md")):
        assert "could not be written" in " ".join(page.read_text(encoding="utf-8").split())
    assert "5 the answer or a file could not be written" in " ".join(run("--help").out.split())


@pytest.mark.parametrize(
    ("failure", "code", "said"),
    [("KeyboardInterrupt()", 130, ""), ("ImportError('no click')", 70, "no click"), ("AttributeError('x')", 70, "x")],
)
def test_the_start_of_the_program(tmp_path, failure, code, said):
    """An interrupt while modules are loaded, and an installation in which one is missing."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'click': raise {failure}\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    env = {**ENV, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run([*PROGRAM, "--version"], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_memory_that_ends_while_the_certificate_is_made(tmp_path, monkeypatch):
    def fail(*args, **named):
        raise MemoryError

    monkeypatch.setattr("exactdp.certificate.certify", fail)
    done = run(f"{TRUE} -o {tmp_path}/c.json")
    assert (done.code, done.err) == (4, "Error: no certificate was written: there is not enough memory\n")
    assert done.out == run(TRUE).out
