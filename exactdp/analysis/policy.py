# SPDX-License-Identifier: MIT
"""A policy: what is required of every table, for which consumers, and among which neighbours, as a TOML file.

    version = 1
    title = "Counts of the survey"          # for people
    neighbours = "path"                     # a word, or a file of edges beside the policy
    require = ["epsilon <= 1", "delta <= 1e-6", "gap <= 5%"]

    [[consumers]]
    loss = "abs"                            # a word, or a CSV beside the policy
    prior = "uniform"                       # or weights, or a file; or side_information = "0..3"

A policy that could mean something else than it says is refused: a key that is not known, another version, a
gap without a consumer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from exactdp import readers
from exactdp.analysis.consumer_words import consumer_of, of_file
from exactdp.analysis.requirement import GAPS, Requirement, requirements_of
from exactdp.errors import ExactDPError, InputError, bounded, wrong_kind
from exactdp.mechanisms import is_mechanism_spec
from exactdp.model import Consumer, NeighboursLike
from exactdp.model.named_losses import LOSSES
from exactdp.model.neighbours import SIZED_BY_INPUTS, begins_as_word
from exactdp.runtime.values import dataclass

VERSION = 1
"""Of the format of policies."""

_KEYS = ("version", "title", "neighbours", "require", "consumers")
_KEYS_OF_CONSUMERS = ("loss", "prior", "side_information")


@dataclass(frozen=True, slots=True)
class PolicyConsumer:
    """A consumer as a policy names it, in words; files are named from where the policy is.

    Attributes
    ----------
    loss : str
        A word such as ``abs``, or a file.
    prior : str or None
        ``uniform``, weights, or a file: a Bayesian consumer; None for a minimax one.
    side_information : str or None
        What a minimax consumer holds possible.
    """

    loss: str
    prior: str | None = None
    side_information: str | None = None

    def consumer(self) -> Consumer:
        """The consumer.

        >>> PolicyConsumer("abs", prior="uniform").consumer().on("path:2").describe()
        'the Bayesian consumer with loss abs and prior uniform on 2 inputs'
        """
        return consumer_of(self.loss, self.prior, self.side_information, "a policy")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is required, for whom, and who may become whom.

    Attributes
    ----------
    require : tuple of Requirement
    consumers : tuple of PolicyConsumer
        Who must be judged.
    neighbours : str or None
        Which neighbours must be judged: a word, or a file of edges.
    title : str
        For people.

    Examples
    --------
    >>> policy = Policy.of({"version": 1, "require": ["epsilon <= 1"], "neighbours": "path"})
    >>> [str(one) for one in policy.require], policy.neighbours
    (['epsilon <= 1'], 'path')
    >>> Policy.of({"version": 1, "require": ["gap <= 5%"]})
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the policy requires 'gap <= 5%' and names no consumer; add a block ...
    """

    require: tuple[Requirement, ...]
    consumers: tuple[PolicyConsumer, ...] = ()
    neighbours: str | None = None
    title: str = ""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The policy of a TOML file.

        Raises
        ------
        InputError
            It can't be read, is no TOML, or breaks a rule of policies; the message says which.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise wrong_kind("policy", path, "a Policy, or the name of a TOML file")
        try:
            with open(path, "rb") as stream:
                content = readers.read_at_most(stream, readers.most_bytes() + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"the policy {os.fspath(path)!r} can't be read: {reason}", path=path) from None
        return cls.of_toml(content, os.fspath(path))

    @classmethod
    def of_toml(cls, content: bytes, name: str) -> Self:
        """The policy of the content of a file of this name."""
        import tomllib  # for a file only

        try:
            found = tomllib.loads(content.decode())
        except ValueError as error:
            raise InputError(f"the policy {name!r} is no TOML: {error}", path=name) from None
        try:
            return cls.of(found, folder=Path(name).parent)
        except ExactDPError as error:
            raise type(error)(f"the policy {name!r}: {error.message.removeprefix('the policy ')}", **error.facts) from None

    @classmethod
    def of(cls, content: Mapping[str, Any], *, folder: str | os.PathLike[str] = "") -> Self:
        """The policy of a mapping as TOML has it.

        Parameters
        ----------
        content : mapping
            With ``version``, ``require``, and perhaps ``consumers``, ``neighbours`` and ``title``.
        folder : str or path
            Where files are looked for.
        """
        _require_known(content, _KEYS, "the policy")
        version = content.get("version")
        if version != VERSION or isinstance(version, bool):
            if version is None:
                raise InputError(f"the policy has no version; write version = {VERSION}", version=version)
            said = f"the policy has version {bounded(repr(version))}, and this program knows version {VERSION}"
            raise InputError(f"{said}; take the release of exactdp that it was written for", version=version)
        listed = content.get("require", [])
        if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
            raise InputError(f"the policy has require = {bounded(repr(listed))}; give a list of texts", require=listed)
        require = requirements_of(listed)
        consumers = tuple(_consumer(one, Path(folder)) for one in _listed(content.get("consumers", [])))
        wanted = [one for one in require if one.quantity in GAPS]
        if wanted and not consumers:
            told = f"the policy requires '{wanted[0]}' and names no consumer; add a block [[consumers]] with a loss"
            raise InputError(told, requirement=wanted[0])
        near, title = (_text(content.get(key, ""), key) for key in ("neighbours", "title"))
        if not require and not consumers and not near:
            raise InputError("the policy requires nothing; add require = ['epsilon <= 1'], consumers or neighbours", content=content)
        return cls(require, consumers, _placed(near, Path(folder), begins_as_word(near) or near in SIZED_BY_INPUTS) or None, title)

    def read_neighbours(self) -> NeighboursLike | None:
        """The neighbours, of a word or a file; None where it names none."""
        near = self.neighbours
        if near is None or near in SIZED_BY_INPUTS or begins_as_word(near):
            return near
        found: NeighboursLike = of_file("neighbours", near, lambda content: readers.read_edges(content, name=Path(near).name), "a policy")
        return found


def as_policy(policy: Policy | str | os.PathLike[str] | None) -> Policy | None:
    """The policy that is given, or that of a file."""
    return policy if policy is None or isinstance(policy, Policy) else Policy.read(policy)


def _listed(given: object) -> Sequence[Any]:
    if not isinstance(given, list):
        raise InputError(f"the policy has consumers = {bounded(repr(given))}; write a block [[consumers]] for each", consumers=given)
    return given


def _consumer(given: object, folder: Path) -> PolicyConsumer:
    """A block of the policy."""
    _require_known(given, _KEYS_OF_CONSUMERS, "a consumer of the policy")
    assert isinstance(given, Mapping)
    loss, prior, side = (_text(given.get(key, ""), key) for key in _KEYS_OF_CONSUMERS)
    if not loss:
        raise InputError(f"a consumer of the policy has no loss; give one of {', '.join(LOSSES)}, or a CSV", consumer=given)
    if prior and side:
        raise InputError("a consumer of the policy has a prior and side_information; leave one of them out", consumer=given)
    own_prior = not prior or prior == "uniform" or "," in prior
    return PolicyConsumer(_placed(loss, folder, loss in LOSSES), _placed(prior, folder, own_prior) or None, side or None)


def _placed(text: str, folder: Path, is_word: bool) -> str:
    """A word as it is; a file from the folder of the policy."""
    return text if is_word or not text or is_mechanism_spec(text) else str(folder / text)


def _text(given: object, key: str) -> str:
    if not isinstance(given, str):
        raise InputError(f"the policy has {key} = {bounded(repr(given))}; give a text", key=key)
    return given


def _require_known(content: object, keys: Sequence[str], what: str) -> None:
    """Refuse what is no table of TOML, or has a key that is not known."""
    if not isinstance(content, Mapping):
        raise InputError(f"{what} is {bounded(repr(content))}; it is a table of TOML", content=content)
    for key in content:
        if key not in keys:
            raise InputError(f"{what} has the key {key!r}, which is not known; the keys are {', '.join(keys)}", key=key)
