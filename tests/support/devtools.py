# SPDX-License-Identifier: MIT
"""Chromium asked through its own door, the DevTools protocol over a pipe; and a server of files."""

from __future__ import annotations

import functools
import itertools
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser import BROWSER

QUIET = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
LEFT = ("Inspected target navigated or closed", "Execution context was destroyed.", "Cannot find default execution context")
OPTIONS = [*QUIET.split(), "--disable-sync", "--remote-debugging-pipe", "--hide-scrollbars"]


class Files(SimpleHTTPRequestHandler):
    """A folder, as the simplest server has it. It keeps what was asked for."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        super().do_GET()


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address at which a folder is served, and the list of what is asked for there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    server.asked = []
    server.handle_error = lambda *_: None  # a browser that goes elsewhere does not wait for the rest
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class PageLeftError(AssertionError):
    """The page that was asked went elsewhere before it answered."""


class Tab:
    """A page in a browser of its own. What it writes to its console, errors too, is in ``told``."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read, self._numbers, self._buffer = write, read, itertools.count(1), b""
        self._answers: dict[int, dict[str, Any]] = {}
        self.told: list[str] = []
        self.asked: list[str] = []
        self.workers: list[str] = []
        self.session: str | None = None

    def open(self, address: str) -> None:
        """Make a page and send it somewhere, without waiting."""
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self(f"{domain}.enable")
        self("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        self("Page.navigate", url=address)

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        end = time.monotonic() + 120
        while number not in self._answers:
            self._receive(end)
        answer = self._answers.pop(number)
        if answer.get("error", {}).get("message") in LEFT:
            raise PageLeftError(method)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def _receive(self, end: float) -> None:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._read, 2**20)
            assert more, "the browser has ended"
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(line)
        if "id" in message:
            self._answers[message["id"]] = message
        elif message["method"] == "Runtime.exceptionThrown":
            self.told.append("exception: " + json.dumps(message["params"]["exceptionDetails"])[:500])
        elif message["method"] == "Runtime.consoleAPICalled":
            self.told.append("console: " + json.dumps(message["params"]["args"])[:500])
        elif message["method"] == "Log.entryAdded":
            self.told.append("log: " + json.dumps(message["params"]["entry"])[:500])
        elif message["method"] == "Target.attachedToTarget" and message["params"]["targetInfo"]["type"] == "worker":
            self.workers.append(message["params"]["sessionId"])
        elif message["method"] == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"])

    @contextmanager
    def inside(self, session: str) -> Iterator[None]:
        """Ask a worker of the page in place of the page."""
        before, self.session = self.session, session
        try:
            yield
        finally:
            self.session = before

    def value(self, expression: str) -> Any:
        """What an expression is in the page; promises are awaited."""
        found = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, expression: str, seconds: float = 60) -> None:
        """Look again and again until an expression is true, in whatever page is there by then."""
        end = time.monotonic() + seconds

        def holds() -> bool:
            with suppress(PageLeftError):
                return bool(self.value(f"Boolean({expression})"))
            return False

        while not holds():
            assert time.monotonic() < end, f"not in {seconds} s: {expression}; {self.told}; {self.value('document.body.innerText')[:2000]}"
            time.sleep(0.02)

    def choose(self, selector: str, files: list[Path]) -> None:
        """Give files to an input, as a user does in the dialogue."""
        found = self("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")["result"]
        self("DOM.setFileInputFiles", objectId=found["objectId"], files=[str(file.resolve()) for file in files])

    def drop(self, files: list[Path], x: float, y: float) -> None:
        """Drag files from outside and drop them at a point."""
        data = {"items": [], "files": [str(file.resolve()) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def key(self, name: str, code: int, text: str = "") -> None:
        """Press a key and let it go."""
        self("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **({"text": text} if text else {}))
        self("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def look(self, *, width: int, dark: bool, height: int = 900) -> None:
        """Another size of the window, and light or dark."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])


@contextmanager
def browsing() -> Iterator[Tab]:
    """A browser that reaches nothing but the loopback address, with a profile of its own, and a page."""
    assert BROWSER is not None
    asked, ask = os.pipe()
    answers, answer = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = [BROWSER, *OPTIONS, f"--user-data-dir={folder}", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "about:blank"]
        place = f"import os, sys; os.dup2({asked}, 300); os.dup2({answer}, 4); os.dup2(300, 3); os.execv(sys.argv[1], sys.argv[1:])"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", place, *words],  # it looks for its pipes at 3 and 4
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(asked, answer),
        )
        os.close(asked)
        os.close(answer)
        tab = Tab(ask, answers)
        try:
            yield tab
        finally:
            tab.session = None
            with suppress(AssertionError, OSError):
                tab("Browser.close")
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(ask)
            os.close(answers)
