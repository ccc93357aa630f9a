# SPDX-License-Identifier: MIT
"""Objects of OpenDP and diffprivlib that tell their parameters, as the mechanisms that they implement.

Neither library is imported: an object is recognised by its class, or by what it tells of how it was made, and
becomes a word of :mod:`~exactdp.mechanisms.words`, whose law is the documented one. Floats are read exactly,
as the doubles that they are. What a library does with its random bits is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdp.display import Displayed
from exactdp.errors import InputError, brief_value
from exactdp.exact import Rational, from_float
from exactdp.mechanisms.words import FAMILIES, mechanism_from_spec
from exactdp.model.mechanism import Mechanism

__all__ = ["implemented_by"]


@dataclass(frozen=True, slots=True)
class Implemented(Displayed):
    """What an object of a library implements.

    Attributes
    ----------
    word : str
        The word that names the mechanism (``exactdp mechanisms`` explains it).
    note : str
        Which law was taken, and from which parameters of the object.
    mechanism : Mechanism
        Its outputs are labelled where the object has labels.
    """

    word: str
    note: str
    mechanism: Mechanism = field(repr=False)


def implemented_by(thing: Any, n: int | None = None) -> Implemented:
    """The mechanism that an object of OpenDP or diffprivlib implements, with a note on its law.

    Parameters
    ----------
    thing : Measurement or DPMechanism
        OpenDP: what make_geometric, make_laplace (on single integers), make_randomized_response and
        make_randomized_response_bool make. diffprivlib: Geometric, GeometricTruncated, GeometricFolded and
        Binary.
    n : int, optional
        The inputs are 0..n, where the object has no bounds.

    Returns
    -------
    Implemented
        The law is the documented one, with the object's parameters as exact numbers.

    Raises
    ------
    InputError
        The object does not tell its parameters, has outputs that are real numbers, or has no bounds and no
        ``n`` is given.

    Examples
    --------
    >>> import exactdp as xdp
    >>> class Binary:  # stands for diffprivlib.mechanisms.Binary
    ...     __module__ = "diffprivlib.mechanisms.binary"
    ...     epsilon, delta, value0, value1 = 0.5, 0.0, "no", "yes"
    >>> found = implemented_by(Binary())
    >>> found.word
    'diffprivlib-binary:epsilon=1/2'
    >>> found.mechanism.inputs
    ('no', 'yes')
    >>> print(found.note)
    x_ii = 1/(1+t), x_ir = t/(1+t), t = e^(−ε); taken from diffprivlib's Binary with epsilon = 0.5
    """
    made = getattr(thing, "__opendp_dict__", None)
    if isinstance(made, Mapping):
        return _opendp(made, n)
    kind = type(thing)
    if kind.__module__.split(".")[0] == "diffprivlib":
        return _diffprivlib(thing, kind.__name__, n)
    library = kind.__module__.split(".")[0]
    if library == "opendp":
        raise InputError(f"this {kind.__name__} of OpenDP does not tell how it was made; OpenDP ≥ 0.12 does", value=thing)
    raise InputError(f"{brief_value(thing)} is no measurement of OpenDP and no mechanism of diffprivlib", value=thing)


def is_implementation(thing: Any) -> bool:
    """Whether the object comes from one of these libraries.

    >>> is_implementation(3)
    False
    """
    return hasattr(thing, "__opendp_dict__") or type(thing).__module__.split(".")[0] in {"opendp", "diffprivlib"}


@dataclass(frozen=True, slots=True)
class _Told:
    """What an object tells: who made it, its parameters as given, and as exact texts."""

    maker: str
    given: Mapping[str, Any]

    def exact(self, name: str) -> str:
        """A finite number as the text of exactly that number."""
        value = self.given.get(name)
        value = getattr(value, "item", lambda value=value: value)()
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InputError(f"{self.maker}: {name} is {value!r}, not a number", value=value)
        try:
            return str(from_float(value) if isinstance(value, float) else Rational(value))
        except InputError:
            raise InputError(f"{self.maker}: {name} is {value!r}, and a finite number is needed", value=value) from None

    def word(self, family: str, labels: Sequence[Any] | None = None, **parameters: str | int) -> Implemented:
        """The word with these parameters."""
        word = f"{family}:{','.join(f'{name}={value}' for name, value in parameters.items())}"
        shown = ", ".join(f"{name} = {self.given[name]!r}" for name in self.given)
        mechanism = mechanism_from_spec(word)
        if labels is not None:
            names = [str(label) for label in labels]
            mechanism = mechanism.relabelled(names, names)
        rounded = any(isinstance(value, float) and str(Rational(repr(value))) != str(from_float(value)) for value in self.given.values())
        note = f"{FAMILIES[family].law}; taken from {self.maker} with {shown}{' (the double)' if rounded else ''}"
        return Implemented(word, note, mechanism)

    def size(self, n: int | None, why: str) -> int:
        """The n given; InputError if it is needed and missing."""
        if n is None:
            raise InputError(f"{self.maker} {why}; say which inputs are meant with n= (0..n)", value=None)
        return n

    def no_size(self, n: int | None, inputs: str) -> None:
        """Refuse an n that does not enter the answer."""
        if n is not None:
            raise InputError(f"{self.maker} tells its inputs, {inputs}; leave n out", value=n)


def _opendp(made: Mapping[str, Any], n: int | None) -> Implemented:
    """What a measurement of OpenDP says of how it was made."""
    maker, given = str(made.get("__function__")), made.get("__kwargs__", {})
    names = {
        "make_geometric": ("scale", "bounds"),
        "make_laplace": ("scale",),
        "make_randomized_response": ("categories", "prob"),
        "make_randomized_response_bool": ("prob",),
    }
    if maker not in names:
        chain = "; give the measurement at its end" if maker == "make_chain_mt" else ""
        raise InputError(f"OpenDP's {maker} is none of {', '.join(names)}{chain}", value=maker)
    told = _Told(f"OpenDP's {maker}", {name: given[name] for name in names[maker] if given.get(name) is not None})
    if maker.startswith("make_randomized_response"):
        labels = given["categories"] if maker == "make_randomized_response" else [False, True]
        told.no_size(n, "the categories")
        return told.word("opendp-randomized-response", labels, n=len(labels) - 1, prob=told.exact("prob"))
    domain = str(given["input_domain"])
    if not re.fullmatch(r"AtomDomain\((?:bounds=\[[^\]]*\], )?T=i(?:16|32|64)\)", domain):
        message = f"{told.maker} on {domain} is not read; a single signed integer (atom_domain(T=int)) is"
        raise InputError(message, value=domain)
    scale = told.exact("scale")
    if given.get("k") is not None:
        raise InputError(f"{told.maker} with k = {given['k']!r} rounds its noise to multiples of 2^k, which is not read", value=given["k"])
    if told.given.get("bounds") is None:
        return told.word("opendp-laplace", scale=scale, n=told.size(n, "has no bounds"))
    low, high = told.given["bounds"]
    told.no_size(n, f"{low}..{high}")
    return told.word("opendp-geometric", scale=scale, lower=int(low), upper=int(high))


_REAL = (
    "Laplace LaplaceTruncated LaplaceFolded LaplaceBoundedDomain LaplaceBoundedNoise Gaussian GaussianAnalytic Snapping Staircase Uniform"
)


def _diffprivlib(thing: Any, name: str, n: int | None) -> Implemented:
    """What the attributes of a mechanism of diffprivlib say."""
    readers: dict[str, tuple[str, Callable[[_Told], Implemented]]] = {
        "Geometric": ("epsilon sensitivity", lambda told: _geometric(told, n)),
        "GeometricTruncated": ("epsilon sensitivity lower upper", lambda told: _truncated(told, n)),
        "GeometricFolded": ("epsilon sensitivity lower upper", lambda told: _folded(told, n)),
        "Binary": ("epsilon", lambda told: _binary(told, thing, n)),
    }
    if name not in readers:
        why = "has outputs that are real numbers, and a table has finitely many" if name in _REAL.split() else "is not read"
        raise InputError(f"diffprivlib's {name} {why}; those that are read are {', '.join(readers)}", value=name)
    names, read = readers[name]
    told = _Told(f"diffprivlib's {name}", {key: getattr(thing, key, None) for key in names.split()})
    if getattr(thing, "delta", 0) != 0:
        raise InputError(f"{told.maker} with delta = {thing.delta!r} is not read; delta = 0 is", value=thing.delta)
    return read(told)


def _noise(told: _Told) -> dict[str, str]:
    return {"epsilon": told.exact("epsilon"), "sensitivity": told.exact("sensitivity")}


def _geometric(told: _Told, n: int | None) -> Implemented:
    return told.word("diffprivlib-geometric", **_noise(told), n=told.size(n, "has no bounds"))


def _truncated(told: _Told, n: int | None) -> Implemented:
    low, high = told.exact("lower"), told.exact("upper")
    told.no_size(n, f"{low}..{high}")
    return told.word("diffprivlib-geometric-truncated", **_noise(told), lower=low, upper=high)


def _folded(told: _Told, n: int | None) -> Implemented:
    size = told.size(n, "may have bounds between its inputs")
    return told.word("diffprivlib-geometric-folded", **_noise(told), n=size, lower=told.exact("lower"), upper=told.exact("upper"))


def _binary(told: _Told, thing: Any, n: int | None) -> Implemented:
    told.no_size(n, "its two values")
    return told.word("diffprivlib-binary", [thing.value0, thing.value1], epsilon=told.exact("epsilon"))
