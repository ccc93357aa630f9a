"""A chained file: every edit is found, a crash leaves a line that is named, writers wait for each other."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import threading

import pytest

from exactdp.errors import InputError, WriteError
from exactdp.runtime.chain import FIRST, append, entries_of, line_of, verify_chain

KIND = "test"


def made(number=9):
    """A file of so many lines."""
    lines, head = [], FIRST
    for k in range(1, number + 1):
        line = line_of(KIND, k, head, {"value": k, "text": f"ε = {k}/7"})
        head = json.loads(line)["digest"]
        lines.append(line)
    return lines


def test_a_line_is_chained_by_the_digests_that_anyone_can_compute():
    first, second = made(2)
    body = json.loads(first)
    digest = body.pop("digest")
    text = json.dumps(body, sort_keys=True, separators=(",", ":")) + "\n"
    assert digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert body["previous"] == "sha256:" + "0" * 64
    assert json.loads(second)["previous"] == digest
    found = verify_chain(first + second, KIND)
    assert (found.entries, found.head, found.fault) == (2, json.loads(second)["digest"], None)
    assert verify_chain(b"", KIND).entries == 0


def edited(lines, rng):
    """One edit of a file, and the first line that it changes."""
    content, which = b"".join(lines), rng.randrange(9)
    if which == 0:  # a bit
        k = rng.randrange(len(content))
        return content[:k] + bytes([content[k] ^ (1 << rng.randrange(8))]) + content[k + 1 :], content[:k].count(b"\n") + 1
    if which == 1:  # a byte is removed
        k = rng.randrange(len(content))
        return content[:k] + content[k + 1 :], content[:k].count(b"\n") + 1
    if which == 2:  # a byte is added
        k = rng.randrange(len(content) + 1)
        return content[:k] + bytes([rng.randrange(256)]) + content[k:], content[:k].count(b"\n") + 1
    i, j = sorted(rng.sample(range(len(lines)), 2))
    others = [*lines]
    if which == 3:  # two lines change places
        others[i], others[j] = others[j], others[i]
        return b"".join(others), i + 1
    if which == 4:  # a line is missing, also the last one
        k = rng.randrange(len(lines))
        return b"".join(lines[:k] + lines[k + 1 :]), k + 1
    if which == 5:  # a line is there twice
        return b"".join([*lines[: i + 1], lines[i], *lines[i + 1 :]]), i + 2
    if which == 6:  # the end is cut off
        k = rng.randrange(len(content))
        return content[:k], content[:k].count(b"\n") + 1
    body = json.loads(lines[i])
    body["entry"]["value"] += 1
    if which == 7:  # a value is changed, in our way of writing
        others[i] = (json.dumps(body, sort_keys=True, separators=(",", ":")) + "\n").encode()
        return b"".join(others), i + 1
    # somebody who knows how lines are made changes one, and not those after it
    others[i] = line_of(KIND, body["number"], body["previous"], body["entry"])
    return b"".join(others), i + 2


def test_five_hundred_edits_are_all_found_and_the_line_is_named():
    rng, lines = random.Random(1), made()
    whole = b"".join(lines)
    head = json.loads(lines[-1])["digest"]
    for _ in range(500):
        content, line = edited(lines, rng)
        if content == whole:  # two bytes that are alike were exchanged for each other
            continue
        found = verify_chain(content, KIND, head=head)
        assert found.fault is not None
        assert found.fault.line == line
        assert found.entries == line - 1


def test_only_the_end_can_be_cut_off_without_the_head():
    lines = made()
    for k in range(len(lines)):
        content = b"".join(lines[:k])
        assert verify_chain(content, KIND).fault is None
        assert "missing at the end" in verify_chain(content, KIND, head=json.loads(lines[-1])["digest"]).fault.sentence


def test_lines_are_added_and_read_again(tmp_path):
    path = tmp_path / "log.jsonl"
    head, note = append(path, KIND, [{"a": 1}, {"a": 2}])
    assert note is None
    assert append(path, KIND, [{"a": 3}])[0] != head
    assert [body["entry"]["a"] for body in entries_of(path.read_bytes(), KIND)] == [1, 2, 3]
    assert verify_chain(path.read_bytes(), KIND, head=head).fault is None


@pytest.mark.parametrize("cut", [1, 2, 10, 60, 150])
def test_a_crash_amid_a_line_is_named_and_the_next_writer_goes_on(tmp_path, cut):
    path = tmp_path / "log.jsonl"
    append(path, KIND, [{"a": 1}])
    before = path.read_bytes()
    append(path, KIND, [{"a": 2}])
    path.write_bytes(path.read_bytes()[: len(before) + cut])
    found = verify_chain(path.read_bytes(), KIND)
    assert (found.fault.line, found.entries, found.partial) == (2, 1, True)
    _, note = append(path, KIND, [{"a": 3}])
    assert "was not whole" in note
    assert path.read_bytes().startswith(before)
    bodies = entries_of(path.read_bytes(), KIND)
    assert [body["entry"]["a"] for body in bodies] == [1, 3]
    assert bodies[1]["interrupted"]["bytes"] == cut  # what was put away is told for good
    assert verify_chain(path.read_bytes(), KIND).fault is None


def test_a_line_that_lacks_its_end_only_is_not_put_away(tmp_path):
    path = tmp_path / "log.jsonl"
    append(path, KIND, [{"a": 1}, {"a": 2}])
    path.write_bytes(path.read_bytes()[:-1])
    assert verify_chain(path.read_bytes(), KIND).partial
    assert append(path, KIND, [{"a": 3}])[1] is None
    assert [body["entry"]["a"] for body in entries_of(path.read_bytes(), KIND)] == [1, 2, 3]


@pytest.mark.parametrize("content", [b"1/2,1/2", b"1/2,1/2\n", b'{"a": 1}', b"\n", b'{"a": 1}\n{"digest":"sha256:'])
def test_another_file_is_refused_and_stays(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match="nothing was added"):
        append(path, KIND, [{"a": 1}])
    assert path.read_bytes() == content


def test_another_version_or_format_is_refused():
    line = line_of(KIND, 1, FIRST, {})
    assert "this program knows" in verify_chain(line, "other").fault.sentence
    newer = json.loads(line) | {"version": 2}
    newer.pop("digest")
    text = json.dumps(newer, sort_keys=True, separators=(",", ":")) + "\n"
    newer["digest"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    content = (json.dumps(newer, sort_keys=True, separators=(",", ":")) + "\n").encode()
    assert "version 2" in verify_chain(content, KIND).fault.sentence


WRITER = """
import sys
from exactdp.runtime.chain import append
for k in range(20):
    append(sys.argv[1], "test", [{"writer": sys.argv[2], "k": k}])
"""


def test_many_writers_at_once_leave_one_chain(tmp_path):
    path = tmp_path / "log.jsonl"
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(name)]) for name in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    bodies = entries_of(path.read_bytes(), KIND)
    assert len(bodies) == 80
    for name in range(4):
        assert [body["entry"]["k"] for body in bodies if body["entry"]["writer"] == str(name)] == [*range(20)]


def test_threads_of_one_process_wait_for_each_other_too(tmp_path):
    path = tmp_path / "log.jsonl"
    threads = [threading.Thread(target=append, args=(path, KIND, [{"k": k}])) for k in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(body["entry"]["k"] for body in entries_of(path.read_bytes(), KIND)) == [*range(20)]


def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(WriteError):
        append(tmp_path / "no" / "log.jsonl", KIND, [{}])
