# SPDX-License-Identifier: MIT
"""The line of progress: what it says, where it is drawn, and that nothing of it is left behind."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from weakref import WeakSet

import pytest
from terminal import screen
from tqdm import tqdm

from exactdp import Progress, progress_bar
from exactdp.runtime import progress as module
from exactdp.runtime.progress import ProgressBar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "DELAY", 0.05)
    monkeypatch.setattr(module, "REFRESH", 0.02)
    monkeypatch.setenv("COLUMNS", "120")


def drawn(*events: Progress, seconds: float = 0.3) -> tuple[str, str]:
    """All that was written by the end of the last event, and by the end."""
    stream = Terminal()
    with ProgressBar(stream, visible=True) as bar:
        for event in events:
            bar(event)
            time.sleep(seconds)
        during = stream.getvalue()
    return during, stream.getvalue()


def test_a_share_a_rate_and_an_end_where_they_are_known(quick):
    during, after = drawn(Progress("constraints", 30, 120, "pairs"))
    [line] = screen(during)
    assert line.startswith("0 s constraints  25%|")
    assert "| 30/120 pairs, " in line
    assert "/s, about " in line
    assert line.endswith(" left")
    assert screen(after) == [""]


def test_no_share_and_no_end_where_the_end_is_unknown(quick):
    during, after = drawn(Progress("dual simplex", 12, None, "pivots", "numbers of 30 digits"))
    [line] = screen(during)
    assert line.startswith("0 s dual simplex 12 pivots, ")
    assert line.endswith("/s; numbers of 30 digits")
    assert "%" not in line
    assert "left" not in line
    assert screen(after) == [""]


def test_nothing_done_of_nobody_knows_how_much_is_no_count(quick):
    during, _ = drawn(Progress("proposals", 0, None, "proposals", "numbers of 2 digits"))
    assert screen(during) == ["0 s proposals (numbers of 2 digits)"]


def test_levels_have_a_share_but_no_count(quick):
    [line] = screen(drawn(Progress("pieces", 0.25, 1.0, "levels", "3 found"))[0])
    assert " 25%|" in line
    assert line.endswith("| of the levels; 3 found")
    assert "/s" not in line


@pytest.mark.parametrize("event", [Progress("pieces", 0.9999, 1.0, "levels"), Progress("pairs", 2999, 3000, "pairs")])
def test_what_is_not_done_is_not_at_100_percent(quick, event):
    [line] = screen(drawn(event)[0])
    assert " 99%|" in line
    assert "100%" not in line


@pytest.mark.parametrize("event", [Progress("pieces", 1.0, 1.0, "levels"), Progress("constraints", 300, 300, "pairs")])
def test_no_bar_stays_when_a_phase_is_over(quick, event):
    """What comes after was not told: no share, no rate, no end."""
    assert screen(drawn(event)[0]) == [f"0 s working, after: {event.phase}"]


def test_work_without_events_shows_its_seconds(quick):
    assert screen(drawn(Progress("the post-processing"))[0]) == ["0 s the post-processing"]


def test_a_new_phase_is_timed_from_its_own_beginning(quick):
    stream = Terminal()
    with ProgressBar(stream, visible=True) as bar:
        bar(Progress("a", 1, None, "steps"))
        time.sleep(0.5)
        bar(Progress("b", 1000, None, "steps"))
        time.sleep(0.1)
        [line] = screen(stream.getvalue())
    assert float(line.partition("1000 steps, ")[2].partition("/s")[0]) > 2000  # 1000 in the whole time would be fewer


def test_nothing_is_left_of_a_phase_that_has_just_begun(quick):
    stream = Terminal()
    with ProgressBar(stream, visible=True) as bar:
        bar(Progress("constraints", 300, 300, "pairs"))
        time.sleep(0.2)
        bar(Progress("writing the answer"))
        time.sleep(0.05)
    assert "constraints" in stream.getvalue()
    assert screen(stream.getvalue()) == [""]


def test_what_a_stream_cannot_show_is_replaced(quick):
    class Ascii(Terminal):
        encoding = "ascii"

    stream = Ascii()
    with ProgressBar(stream, visible=True) as bar:
        bar(Progress("ε\x1b[2J", 1, None, "steps"))
        time.sleep(0.2)
        text = stream.getvalue()
    assert text.isascii()
    assert "[2J" in text
    assert "\x1b[2J" not in text


def test_the_line_makes_way_for_other_output(quick):
    stream = Terminal()
    with ProgressBar(stream, visible=True) as bar:
        bar(Progress("certificates", 1, 4, "files"))
        time.sleep(0.2)
        with bar.hidden():
            stream.write("a.json: accepted\n")
        time.sleep(0.1)
    assert screen(stream.getvalue()) == ["a.json: accepted", ""]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_nothing_is_left_behind_when_the_work_is_interrupted(quick, error):
    stream = Terminal()

    def work():
        with ProgressBar(stream, visible=True) as bar:
            bar(Progress("constraints", 30, 120, "pairs"))
            time.sleep(0.2)
            raise error

    with pytest.raises(error):
        work()
    assert "constraints" in stream.getvalue()
    assert screen(stream.getvalue()) == [""]


def test_the_line_is_below_the_bars_of_the_host_and_never_goes_through_them(quick):
    """Another thread of the host may begin or end a bar at any time."""

    class Changing(WeakSet):
        def __iter__(self):
            raise RuntimeError("Set changed size during iteration")

    class Host(tqdm):
        _instances = Changing()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tqdm, "_instances", Changing())
        host = Host(file=Terminal(), position=0)
        tqdm._instances.add(host)
        during, _ = drawn(Progress("constraints", 30, 120, "pairs"))
        Host._instances = WeakSet()
        host.close()
    above, line, *_ = screen(during)
    assert above == ""
    assert line.startswith("0 s constraints  25%|")


def test_quick_work_draws_nothing_and_loads_nothing():
    lines = [
        "import sys",
        "from exactdp.runtime.progress import ProgressBar",
        "with ProgressBar(sys.stderr, visible=True) as bar: pass",
        "print('tqdm' in sys.modules, 'flint' in sys.modules)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("False False\n", "")


def test_a_stream_that_nobody_watches_gets_nothing(quick):
    stream = io.StringIO()
    with progress_bar(stream) as bar:
        assert bar.listener is None
        bar(Progress("constraints", 30, 120, "pairs"))
        time.sleep(0.2)
    assert stream.getvalue() == ""


def test_a_notebook_sees_the_line():
    """Its stream is no terminal, and shows carriage returns as one."""
    kind = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
    assert progress_bar(kind()).visible
    assert not progress_bar(io.StringIO()).visible
    assert progress_bar(Terminal()).visible


def test_shares_and_words_of_an_event():
    assert Progress("a", 1, 4, "steps").share == 0.25
    assert Progress("a", 1, None, "steps").share is None
    assert Progress("a", 0, 0, "steps").share is None
    assert str(Progress("a", 0.5, 1.0, "levels")) == "a: 50% of the levels"
