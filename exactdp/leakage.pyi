# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import leakage as _home
from .analysis.leakage import additive_leakage as additive_leakage
from .analysis.leakage import capacity as capacity
from .analysis.leakage import hamming_leakage as hamming_leakage
from .analysis.leakage import joint as joint
from .analysis.leakage import leakage as leakage
from .analysis.leakage import leakage_bound as leakage_bound
from .analysis.leakage import multiplicative_leakage as multiplicative_leakage
from .analysis.leakage import posteriors as posteriors
from .analysis.leakage import prior_uncertainty as prior_uncertainty
from .analysis.leakage import prior_vulnerability as prior_vulnerability
from .analysis.leakage import type_capacity as type_capacity
from .analysis.leakage import uncertainty as uncertainty
from .analysis.leakage import utility as utility
from .analysis.leakage import utility_bound as utility_bound
from .analysis.leakage import vulnerability as vulnerability
from .model.channel import Hyper as Hyper
from .model.channel import Hyper as _Hyper

class LeakageTopic:
    """What exactdp.leakage is: this module, and a function of the same name as before there were topics."""

    additive_leakage = staticmethod(_home.additive_leakage)
    capacity = staticmethod(_home.capacity)
    hamming_leakage = staticmethod(_home.hamming_leakage)
    joint = staticmethod(_home.joint)
    leakage = staticmethod(_home.leakage)
    leakage_bound = staticmethod(_home.leakage_bound)
    multiplicative_leakage = staticmethod(_home.multiplicative_leakage)
    posteriors = staticmethod(_home.posteriors)
    prior_uncertainty = staticmethod(_home.prior_uncertainty)
    prior_vulnerability = staticmethod(_home.prior_vulnerability)
    type_capacity = staticmethod(_home.type_capacity)
    uncertainty = staticmethod(_home.uncertainty)
    utility = staticmethod(_home.utility)
    utility_bound = staticmethod(_home.utility_bound)
    vulnerability = staticmethod(_home.vulnerability)
    Hyper = _Hyper

    __call__ = staticmethod(_home.leakage)
