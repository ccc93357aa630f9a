# ruff: noqa: E402, F403, F821, I001
# The public names and where they live, one line a name: type checkers and editors read this file and those of
# the topics, and at run time exactdp/stubs.py does. What a newcomer needs is above the mark, with the topics.
# Every name is in a topic, and can be imported from here, too. Of the mechanisms all that their modules have
# in __all__ are public. A name is loaded when it is first asked for (SPEC 1 of Scientific Python).

# Read and build
from .certificate.loading import load as load
from .exact import Rational as Rational
from .exact import from_float as from_float
from .mechanisms.geometric import geometric as geometric
from .mechanisms.responses import randomized_response as randomized_response
from .model import Graph as Graph
from .model import Mechanism as Mechanism
from .model import Table as Table
from .model import neighbours as neighbours
from .readers.objects import from_floats as from_floats
from .readers.tables import read_table as read_table

# Ask
from .analysis import best_remap as best_remap
from .analysis import is_derivable as is_derivable
from .analysis import is_optimal as is_optimal
from .analysis import is_optimal_after_remap as is_optimal_after_remap
from .analysis import is_private as is_private
from .analysis import is_refined_by as is_refined_by
from .analysis import optimum as optimum
from .analysis import optimum_by_level as optimum_by_level
from .analysis import tightest_level as tightest_level
from .analysis.approximate import least_delta as least_delta
from .analysis.audit import audit as audit

# Consumers
from .model import BayesianConsumer as BayesianConsumer
from .model import Loss as Loss
from .model import MinimaxConsumer as MinimaxConsumer
from .model import Prior as Prior

# Levels
from .model import Epsilon as Epsilon
from .model import PrivacyLevel as PrivacyLevel

# Verdicts and certificates
from .certificate import certify as certify
from .certificate.verification import verify as verify

# Topics
from . import composition as composition
from . import errors as errors
from . import graphs as graphs
from . import inference as inference
from . import letters as letters
from . import mechanisms as mechanisms
from . import optimality as optimality
from . import privacy as privacy
from . import refinement as refinement
from . import sweeps as sweeps
from . import tables as tables
from . import tight as tight
from . import types as types
from . import verdicts as verdicts
from .leakage import LeakageTopic as _LeakageTopic

leakage: _LeakageTopic
__version__: str

# Names in the other spelling, which are loaded, and not in dir()
randomised_response = randomized_response
generalize = generalise
clip_and_renormalize = clip_and_renormalise

# ---- Not in dir(): the names of the topics, which can be imported from here, too

from .composition import *
from .graphs import *
from .inference import *
from .letters import *
from .optimality import *
from .privacy import *
from .refinement import *
from .tables import *
from .tight import *
from .types import *
from .verdicts import *
from .mechanisms.exponential import *
from .mechanisms.geometric import *
from .mechanisms.laplace import *
from .mechanisms.libraries import *
from .mechanisms.noise import *
from .mechanisms.responses import *
from .mechanisms.staircase import *
from .mechanisms.words import *
from .sweeps import *

# Of the topic leakage, which is a function, too
from .analysis.leakage import additive_leakage as additive_leakage
from .analysis.leakage import capacity as capacity
from .analysis.leakage import hamming_leakage as hamming_leakage
from .analysis.leakage import joint as joint
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
