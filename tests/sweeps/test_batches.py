# SPDX-License-Identifier: MIT
"""Batches on a cluster that is only pretended: every question is answered once, whatever happens to it."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("distributed")

from exactdp.errors import SearchError
from exactdp.sweeps import cluster
from exactdp.sweeps.answer import Answer
from exactdp.sweeps.cluster import AHEAD, MOST, _Asking
from exactdp.sweeps.process import BATCH


class KilledWorker(Exception):
    """As Dask's."""


class Future:
    def __init__(self, batch, fate):
        self.batch, self.status, self._fate = batch, "finished" if isinstance(fate, int) else "error", fate

    def result(self):
        count = max(1, min(len(self.batch), self._fate))
        return b"\n".join(Answer(text, "proved", seconds=1 / 64).to_line() for text in self.batch[:count])

    def exception(self, timeout=None):
        return self._fate

    def release(self):
        pass


class Client:
    """A cluster of so many threads; what becomes of a batch is told by a function."""

    def __init__(self, threads, fate):
        self.threads, self.fate, self.sizes, self.most, self.open = threads, fate, [], 0, set()

    def nthreads(self):
        return {f"worker {k}": 1 for k in range(self.threads)}

    def submit(self, _, batch, seconds, memory, pure):
        self.sizes.append(len(batch))
        future = Future(batch, self.fate(batch))
        self.open.add(future)
        self.most = max(self.most, len(self.open))
        return future

    def cancel(self, futures, force):
        self.open -= set(futures)


def ask(client, count, monkeypatch):
    def wait(futures, timeout, return_when):
        client.open.discard(futures[0])
        return SimpleNamespace(done=[futures[0]])

    with monkeypatch.context() as patched:
        patched.setattr(cluster, "needed", lambda _: SimpleNamespace(wait=wait))
        asking = _Asking(client, [f"q{k}" for k in range(count)], 1, 1, lambda: None)
        return [answer for answers in asking.answers() for answer in answers]


def test_each_is_answered_once_whatever_a_batch_comes_to():
    with pytest.MonkeyPatch.context() as monkeypatch:

        @settings(max_examples=40)
        @given(st.integers(0, 80), st.integers(1, 4), st.lists(st.integers(0, 50), min_size=1))
        def check(count, threads, done):
            fates = iter(done * 81)
            client = Client(threads, lambda batch: next(fates, 10**6))
            found = Counter(answer.question for answer in ask(client, count, monkeypatch))
            assert found == Counter(f"q{k}" for k in range(count))
            assert client.most <= AHEAD * threads

        check()


def test_a_batch_that_kills_its_workers_is_asked_one_by_one(monkeypatch):
    client = Client(2, lambda batch: KilledWorker("q7") if "q7" in batch else len(batch))
    found = {answer.question: answer for answer in ask(client, 30, monkeypatch)}
    assert len(found) == 30
    assert {text for text, answer in found.items() if answer.verdict == "failed"} == {"q7"}
    assert "was killed" in found["q7"].message


@pytest.mark.parametrize("times", [1, 3])
def test_answers_that_are_lost_with_their_worker_are_waited_for(monkeypatch, times):
    """Dask has a batch done again whose answers were on a worker that died before they were fetched."""

    def status(future):
        asked[future] += 1
        return "finished" if asked[future] > 2 * times else "lost"

    asked = Counter()
    monkeypatch.setattr(Future, "status", property(status, lambda *_: None), raising=False)
    found = Counter(answer.question for answer in ask(Client(2, len), 30, monkeypatch))
    assert found == Counter(f"q{k}" for k in range(30))


def test_a_batch_that_is_cancelled_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(Future, "status", property(lambda _: "cancelled", lambda *_: None), raising=False)
    with pytest.raises(SearchError, match="the scheduler of the cluster is gone"):
        ask(Client(1, len), 3, monkeypatch)


@pytest.mark.parametrize("error", [ImportError("no exactdp here"), RuntimeError("the process does not start")])
def test_workers_that_can_t_answer_are_no_answer(monkeypatch, error):
    with pytest.raises(SearchError, match=f"the workers of the cluster can't answer: {type(error).__name__}: {error}"):
        ask(Client(1, lambda _: error), 3, monkeypatch)


def test_an_answer_that_arrives_damaged_is_no_answer(monkeypatch):
    monkeypatch.setattr(Future, "result", lambda self: Answer(self.batch[0], "proved").to_line().replace(b"proved", b"refuted"))
    with pytest.raises(SearchError, match="an answer arrived with other bytes"):
        ask(Client(1, len), 3, monkeypatch)


def test_answers_that_are_there_together_come_together(monkeypatch):
    """So they are flushed together."""
    monkeypatch.setattr(cluster, "needed", lambda _: SimpleNamespace(wait=lambda futures, **_: SimpleNamespace(done=list(futures))))
    asking = _Asking(Client(3, len), [f"q{k}" for k in range(40)], 1, 1, lambda: None)
    first, *_ = found = list(asking.answers())
    sizes = asking.client.sizes
    assert len(first) == sum(sizes[: AHEAD * 3]) > max(sizes)
    assert Counter(answer.question for answers in found for answer in answers) == Counter(f"q{k}" for k in range(40))


def test_a_lost_scheduler_is_told(monkeypatch):
    def wait(*_, **__):
        raise OSError("gone")

    monkeypatch.setattr(cluster, "needed", lambda _: SimpleNamespace(wait=wait))
    with pytest.raises(SearchError, match="the scheduler of the cluster is gone"):
        list(_Asking(Client(1, lambda _: 1), ["q"], 1, 1, lambda: None).answers())


def test_small_questions_come_in_batches_of_a_few_seconds(monkeypatch):
    """At 1/64 s a question a batch is full of them, and near the end the rest is shared out."""
    client = Client(2, len)
    ask(client, 5000, monkeypatch)
    full = int(1.5 * BATCH * 64)
    assert Counter(client.sizes).most_common(1)[0][0] == full <= MOST
    assert sum(client.sizes) == 5000
    assert client.sizes[-1] < full // 2
    assert len(client.sizes) < 2 * 5000 / full + 20
