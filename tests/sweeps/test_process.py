# SPDX-License-Identifier: MIT
"""A question that runs away, takes too much memory, or kills its process is a row; the next is answered."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import SearchError, UndecidedSignError
from exactdp.sweeps import asking, process
from exactdp.sweeps.answer import Answer
from exactdp.sweeps.asking import answered
from exactdp.sweeps.process import Answerer
from exactdp.sweeps.question import Question

WILD = r"""
import ctypes, json, os, signal, sys, time
from exactdp.sweeps.answer import Answer
print("ready", flush=True)
for line in sys.stdin:
    texts, seconds, until, enough = json.loads(line)
    end = time.monotonic() + until
    for text in texts:
        if text == "sleeps":
            ctypes.CDLL(None).sleep(1000)
        if text == "eats":
            held = []
            while True:
                held.append(b"x" * 2**26)
        if text == "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        if text == "aborts":
            sys.stderr.write("terminate called after throwing an instance of 'std::bad_alloc'\n")
            sys.stderr.flush()
            os.abort()
        if text == "chatters":
            os.write(2, b"x" * 10**6)
        memory = enough + 1 if text == "grows" else 1
        print(Answer(text, "proved", message=str(os.getpid())).to_line(memory).decode(), flush=True)
        if memory > enough or time.monotonic() >= end:
            break
    print(flush=True)
"""
"""A process that answers badly."""


@pytest.fixture
def wild(monkeypatch):
    monkeypatch.setattr(process, "LATE", 0.3)
    with Answerer(0.2, 300 * 2**20, [sys.executable, "-c", WILD]) as answerer:
        yield answerer


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is watched on Linux")
@pytest.mark.parametrize(
    ("text", "verdict", "said"),
    [
        ("sleeps", "limit", "the time limit of 0.2 s has passed in one long step"),
        ("aborts", "limit", "more than the memory limit"),
        ("dies", "failed", f"ended by signal {int(signal.SIGSEGV)}, 2 times"),
        ("chatters", "proved", ""),
    ],
)
def test_whatever_a_question_does_the_next_is_answered(wild, text, verdict, said):
    found = wild.answer(text)
    assert (found.question, found.verdict) == (text, verdict)
    assert said in found.message
    assert found.seconds >= 0
    assert wild.answer("harmless").verdict == "proved"


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is watched on Linux")
def test_a_question_that_takes_too_much_memory_is_ended_before_its_time():
    with Answerer(100, 300 * 2**20, [sys.executable, "-c", WILD]) as answerer:
        found = answerer.answer("eats")
        assert found.verdict == "limit"
        assert found.message == "more than the memory limit of 314,572,800 bytes"
        assert found.memory > 300 * 2**20
        assert answerer.answer("harmless").verdict == "proved"


def test_a_limit_is_another_word_than_a_failure(wild):
    assert {wild.answer(text).verdict for text in ("sleeps", "dies", "harmless")} == {"limit", "failed", "proved"}


def many(answerer, texts, until=60.0):
    return [Answer.of_line(line) for line in answerer.answers(texts, until)]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is watched on Linux")
def test_of_a_batch_only_the_question_that_ended_the_process_is_without_an_answer(wild):
    texts = ["a", "b", "dies", "c", "aborts", "sleeps", "d", "dies"]
    found = many(wild, texts)
    assert [answer.question for answer in found] == texts
    assert [answer.verdict for answer in found] == ["proved", "proved", "failed", "proved", "limit", "limit", "proved", "failed"]
    by = {answer.question: answer.message for answer in found}
    assert by["a"] == by["b"], "what was answered before a death is not asked again"
    assert len({by["a"], by["c"], by["d"]}) == 3


def test_a_batch_ends_in_time_with_at_least_one_answer(wild):
    assert [answer.question for answer in many(wild, ["a", "b", "c"], 0)] == ["a"]
    assert [answer.question for answer in many(wild, ["b", "c"])] == ["b", "c"]


def test_a_process_that_has_grown_answers_no_further_question(wild):
    a, grows, b, c = many(wild, ["a", "grows", "b", "c"])
    assert a.message == grows.message != b.message == c.message
    assert grows.memory == 150 * 2**20 + 1


def test_a_batch_is_answered_as_its_questions_one_by_one():
    texts = [Question("tight", graph, "2/3").text for graph in ("path:3", "star:4", "path:0", "cycle:5")]
    with Answerer(60, 2**30) as answerer:
        found = many(answerer, texts)
    said = [(one.question, one.verdict, one.value, one.digest, one.certificate, one.message) for one in found]
    alone = [answered(text, 60) for text in texts]
    assert said == [(one.question, one.verdict, one.value, one.digest, one.certificate, one.message) for one in alone]


@given(st.integers(0, 2**16), st.integers(1, 255))
def test_an_answer_with_another_byte_is_none(place, change):
    whole = Answer('{"ask":"tight"}', "proved", "5/9", claim="α ≤ 1/2", certificate="{}" * 40, seconds=0.25, memory=2**25)
    line = whole.to_line()
    assert Answer.of_line(line) == whole
    assert b"\n" not in line
    head = line.index(b" ") + 1  # the memory before it is for the worker alone, and told twice
    place = head + place % (len(line) - head)
    with pytest.raises(SearchError, match="other bytes"):
        Answer.of_line(line[:place] + bytes([line[place] ^ change]) + line[place + 1 :])
    with pytest.raises(SearchError, match="other bytes"):
        Answer.of_line(line[:place])


def test_a_process_that_does_not_start_is_nobody_s_answer():
    with Answerer(1, 2**30, [sys.executable, "-c", "raise SystemExit('broken')"]) as answerer, pytest.raises(RuntimeError, match="broken"):
        answerer.answer("x")


KILLED = r"""
import os, signal, sys
with open(sys.argv[1], "a+") as starts:
    starts.write("x")
    starts.seek(0)
    begun = len(starts.read())
if begun < int(sys.argv[2]):
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""A process that is killed before it is ready, the first times."""


@pytest.mark.parametrize(("starts", "answered"), [(1, True), (2, True), (process.ATTEMPTS, True), (process.ATTEMPTS + 1, False)])
def test_a_process_that_is_killed_while_it_starts_is_started_again(tmp_path, starts, answered):
    with Answerer(1, 2**30, [sys.executable, "-c", KILLED + WILD, str(tmp_path / "starts"), str(starts)]) as answerer:
        if answered:
            assert answerer.answer("harmless").verdict == "proved"
        else:
            with pytest.raises(RuntimeError, match=f"does not start.* signal {int(signal.SIGKILL)}"):
                answerer.answer("harmless")
    assert len((tmp_path / "starts").read_text()) == min(starts, process.ATTEMPTS)


def test_answers_are_those_of_this_process_too():
    texts = [Question("tight", f"star:{m}", "2/3").text for m in (3, 4)] + [Question("tight", "path:0", "1/2").text]
    with Answerer(60, 2**30) as answerer:
        for text in texts:
            there, here = answerer.answer(text), answered(text, 60)
            assert (there.verdict, there.value, there.digest, there.certificate) == (
                here.verdict,
                here.value,
                here.digest,
                here.certificate,
            )
            if os.path.exists("/proc/self/statm"):
                assert 2**24 < there.memory < 2**30


def test_a_time_limit_that_is_looked_at_is_a_limit():
    question = Question("kernels", "grid:2x4", "1/3")
    found = answered(question.text, 0.05)
    assert found.verdict == "limit"
    assert not found.digest


def test_a_sign_that_differs_is_undecided_and_no_failure(monkeypatch):
    def differs(subject):
        raise UndecidedSignError("a - 1/2 is positive for some a and negative for others")

    monkeypatch.setitem(asking._ASKED, "kernels", differs)
    found = answered(Question("kernels", "path:3", "symbolic").text, 60)
    assert (found.verdict, found.digest) == ("undecided", "")
    assert found.message == "UndecidedSignError: a - 1/2 is positive for some a and negative for others"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_the_process_ends_with_the_one_that_asks():
    code = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from exactdp.sweeps.process import Answerer
answerer = Answerer(60, 2**30)
answerer._start()
print(answerer._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    child = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("it lives on")


def test_limits_may_be_larger_than_the_system_counts():
    with Answerer(1e300, 10**40) as answerer:
        found = answerer.answer(Question("tight", "path:3", "1/2").text)
    assert (found.verdict, found.value) == ("proved", "5/9")
