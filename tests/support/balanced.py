# SPDX-License-Identifier: MIT
"""Whether HTML is well-formed enough to stand inside of other HTML."""

from __future__ import annotations

from html.parser import HTMLParser


class Balanced(HTMLParser):
    """Whether every element that is opened is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
