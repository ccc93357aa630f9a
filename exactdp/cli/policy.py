# SPDX-License-Identifier: MIT
"""What ``--require`` and ``--policy`` say: bounds, consumers and neighbours that an audit is asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from exactdp.analysis.policy import Policy
from exactdp.analysis.requirement import Requirement, requirements_of
from exactdp.cli.reading import ConsumerWords, Unsized, read_bytes
from exactdp.errors import ExactDPError
from exactdp.model.neighbours import SIZED_BY_INPUTS
from exactdp.runtime.values import dataclass

F = TypeVar("F", bound=Callable[..., Any])


def policy_options(command: F) -> F:
    """``--require`` and ``--policy``."""
    command = click.option(
        "--policy",
        metavar="FILE",
        help="Requirements, consumers and neighbours that must be judged, as TOML (exactdp.github.io/exactdp/how-to/policy.html).",
    )(command)
    return click.option(
        "--require",
        multiple=True,
        metavar="BOUND",
        help="What must be kept, else the exit code is 1: 'epsilon <= 1', 'delta <= 1e-6', 'gap <= 5%', 'alpha >= 1/4' (repeatable).",
    )(command)


@dataclass(frozen=True, slots=True)
class WantedByPolicy:
    """What is required on the command line and by a policy together.

    Attributes
    ----------
    requirements : tuple of Requirement
        Of the policy, then of the command line.
    consumers : tuple of ConsumerWords
        Of the policy.
    near : str or None
        The neighbours of the policy.
    policy : str or None
        The name of its file.
    """

    requirements: tuple[Requirement, ...]
    consumers: tuple[ConsumerWords, ...] = ()
    near: str | None = None
    policy: str | None = None

    @property
    def given(self) -> bool:
        """Whether anything is required."""
        return bool(self.requirements) or self.policy is not None

    def neighbours(self, graph: str | Unsized | None, metric: str | None) -> str | Unsized | None:
        """The graph asked for, which is the policy's if that names one.

        Raises
        ------
        click.UsageError
            Another one is asked for on the command line.
        """
        if self.near is None:
            return graph
        asked = metric if metric is not None else graph.family if isinstance(graph, Unsized) else graph
        if asked is not None and (metric is not None or asked != self.near):
            raise click.UsageError(
                f"the policy {self.policy!r} has the neighbours {self.near!r}, and {asked!r} are asked for; give one of them"
            )
        return Unsized(self.near) if self.near in SIZED_BY_INPUTS else self.near


def required_of(require: tuple[str, ...], policy: str | None) -> WantedByPolicy:
    """What both options say."""
    try:
        own = requirements_of(require)
    except ExactDPError as error:
        raise type(error)(f"--require: {error.message}", **error.facts) from None
    if policy is None:
        return WantedByPolicy(own)
    read = Policy.of_toml(read_bytes(policy, "--policy"), policy)
    consumers = tuple(ConsumerWords(one.loss, None, one.prior, one.side_information) for one in read.consumers)
    return WantedByPolicy(requirements_of([*read.require, *own]), consumers, read.neighbours, policy)
