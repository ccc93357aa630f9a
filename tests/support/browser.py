# SPDX-License-Identifier: MIT
"""Pages looked at by a headless browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html import escape, unescape
from pathlib import Path

import pytest

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
"""Chromium, or None where there is none."""

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body>{frames}<p id="out"></p><script>
const look = f => {{ {look} }};
addEventListener("load", async () => {{
  const found = await Promise.all([...document.querySelectorAll("iframe")].map(look)).catch(error => ["failed " + error]);
  document.getElementById("out").textContent = ["looked", ...found.flat()].join(";"); }});
</script>"""


def told_by(look: str, pages: Mapping[str, str], *, widths: Sequence[int], folder: Path) -> list[str]:
    """What the browser says of pages, each in a frame of every width.

    Parameters
    ----------
    look : str
        The body of a JavaScript function of the frame ``f``; it returns a text, a list of texts, or a promise
        of either, without semicolons inside.
    pages : mapping of str to str
        The HTML of each; its name is ``f.dataset.name``.
    widths : sequence of int
        Of the windows.
    folder : Path
        For files.
    """
    assert BROWSER is not None
    frames = "".join(
        f'<iframe data-name="{name}" width="{width}" height="900" style="border:0" srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
        for width in widths
    )
    file = folder / "harness.html"
    file.write_text(HARNESS.format(frames=frames, look=look), encoding="utf-8")
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000"]
    for _ in range(3):  # on a busy machine its time may be up before it has begun
        done = subprocess.run([*words, "--dump-dom", file.as_uri()], capture_output=True, text=True, check=False, timeout=120)
        found = re.search(r'<p id="out">([^<]+)</p>', done.stdout)
        if found is not None:
            break
    else:
        pytest.skip(f"oracle missing: the browser did not run: {done.stderr[-300:]}")
    said = unescape(found[1]).split(";")[1:]
    assert not any(line.startswith("failed ") for line in said), said
    return said
