# SPDX-License-Identifier: MIT
"""What a layer above (certificates, reports) makes of each class of evidence: one table for each topic.

A layer lists its topics once, each with the modules of the analysis whose evidence it serves. The module of a
topic has a table ``EVIDENCE`` from classes of evidence to what the layer makes of them. It is loaded when
evidence of its topic is first met, so that a program loads only the topics that it asks about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """The topics of one layer.

    Parameters
    ----------
    name : str
        Where the registry stands, for messages.
    topics : mapping of str to tuple of str
        The module of each topic, and the modules or packages of the analysis whose evidence it serves.

    Examples
    --------
    >>> import exactdp.analysis.privacy
    >>> topics = {"exactdp.report.privacy": ("exactdp.analysis.privacy",)}
    >>> registry = Registry("exactdp.report.registry.TOPICS", topics)
    >>> registry.entry(exactdp.analysis.privacy.StochasticEvidence).facts.__name__
    'stochastic_facts'
    >>> registry.entry(int)
    Traceback (most recent call last):
    ...
    TypeError: evidence of type builtins.int is not in exactdp.report.registry.TOPICS
    """

    def __init__(self, name: str, topics: Mapping[str, tuple[str, ...]]) -> None:
        self.name, self.topics = name, dict(topics)

    def entry(self, kind: type) -> T:
        """What the layer makes of this class of evidence.

        Raises
        ------
        TypeError
            No topic has the class, or one that it derives from.
        """
        for base in kind.__mro__:
            for module in self._modules_for(base.__module__):
                table: Mapping[type, T] = import_module(module).EVIDENCE
                if base in table:
                    return table[base]
        raise TypeError(f"evidence of type {kind.__module__}.{kind.__qualname__} is not in {self.name}")

    def _modules_for(self, home: str) -> Iterator[str]:
        """The topics that serve evidence from a module of the analysis."""
        for module, served in self.topics.items():
            if any(home == one or home.startswith(f"{one}.") for one in served):
                yield module

    def entries(self) -> dict[type, T]:
        """The whole registry, every topic loaded."""
        return {kind: entry for module in self.topics for kind, entry in import_module(module).EVIDENCE.items()}

    def extended(self, topics: Mapping[str, tuple[str, ...]]) -> Registry[Any]:
        """A registry with more topics; this one stays as it is."""
        return Registry(self.name, {**self.topics, **topics})
