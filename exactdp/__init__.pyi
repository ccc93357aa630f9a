# ruff: noqa: F403
# The public names and where they live, one line a name: type checkers and editors read this file, and at run
# time exactdp/stubs.py does. Of the mechanisms all that their modules have in __all__ are public. A name is
# loaded when it is first asked for (SPEC 1 of Scientific Python).

from .analysis import Decision as Decision
from .analysis import Scope as Scope
from .analysis import Verdict as Verdict
from .analysis import best_remap as best_remap
from .analysis import best_remap_by_level as best_remap_by_level
from .analysis import derivable_levels as derivable_levels
from .analysis import dual_bound as dual_bound
from .analysis import is_best_remap as is_best_remap
from .analysis import is_derivable as is_derivable
from .analysis import is_optimal as is_optimal
from .analysis import is_optimal_after_remap as is_optimal_after_remap
from .analysis import is_optimal_by_level as is_optimal_by_level
from .analysis import is_optimum_unique as is_optimum_unique
from .analysis import is_private as is_private
from .analysis import is_refined_by as is_refined_by
from .analysis import is_remap_unique as is_remap_unique
from .analysis import is_stochastic as is_stochastic
from .analysis import multi_level_release as multi_level_release
from .analysis import optimum as optimum
from .analysis import optimum_by_level as optimum_by_level
from .analysis import private_levels as private_levels
from .analysis import stochastic_levels as stochastic_levels
from .analysis import tightest_level as tightest_level
from .analysis import verify_optimal as verify_optimal
from .analysis.approximate import is_approximately_private as is_approximately_private
from .analysis.approximate import least_delta as least_delta
from .analysis.approximate import level_for_delta as level_for_delta
from .analysis.audit import audit as audit
from .analysis.composition import collection_level as collection_level
from .analysis.composition import oblivious_average as oblivious_average
from .analysis.composition import parallel_level as parallel_level
from .analysis.composition import sequential_level as sequential_level
from .analysis.determinant import determinant as determinant
from .analysis.inference import bayesian_update as bayesian_update
from .analysis.inference import clip_and_renormalise as clip_and_renormalise
from .analysis.inference import likelihood_gap as likelihood_gap
from .analysis.inference import matrix_inversion as matrix_inversion
from .analysis.inference import maximum_likelihood as maximum_likelihood
from .analysis.inference import project_to_simplex as project_to_simplex
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
from .analysis.letters.conditions import conditions as conditions
from .analysis.letters.values import mechanism_loss as mechanism_loss
from .analysis.optimality.mechanism_optimality import gap_between as gap_between
from .analysis.optimality.submitted import is_optimum_value as is_optimum_value
from .analysis.optimality.submitted import nearest_dual as nearest_dual
from .analysis.privacy_claim import PrivacyClaim as PrivacyClaim
from .analysis.refinement import earth_move as earth_move
from .analysis.refinement import refinement_order as refinement_order
from .analysis.tight.optimality_on_region import is_optimal_on_region as is_optimal_on_region
from .analysis.tight.optimality_on_region import tight_gap as tight_gap
from .analysis.tight.regular_priors import corner_prior as corner_prior
from .analysis.tight.regular_priors import is_regular as is_regular
from .analysis.tight.tight_levels import graph_census as graph_census
from .analysis.tight.tight_levels import is_singular as is_singular
from .analysis.tight.tight_levels import regular_levels as regular_levels
from .analysis.tight.tight_levels import singular_levels as singular_levels
from .analysis.tight.tight_levels import tight_levels as tight_levels
from .analysis.tight.tight_levels import tight_threshold as tight_threshold
from .analysis.tight.tight_mechanism import is_tight_unique as is_tight_unique
from .analysis.tight.tight_mechanism import tight_mechanism as tight_mechanism
from .analysis.types.kernels import kernel_count as kernel_count
from .analysis.types.kernels import kernel_counts as kernel_counts
from .analysis.types.kernels import kernel_mechanisms as kernel_mechanisms
from .analysis.types.kernels import vertex_count as vertex_count
from .analysis.types.mixtures import is_kernel_mechanism as is_kernel_mechanism
from .analysis.types.mixtures import kernel_mixture as kernel_mixture
from .analysis.types.mixtures import kernel_mixtures as kernel_mixtures
from .analysis.types.universal import is_universally_optimal as is_universally_optimal
from .analysis.types.universal import universally_optimal_mechanism as universally_optimal_mechanism
from .analysis.types.universal import utility_set as utility_set
from .analysis.types.universal_levels import universal_by_level as universal_by_level
from .arguments.generalisation.generalise import generalise as generalise
from .certificate import Certificate as Certificate
from .certificate import certify as certify
from .certificate.loading import load as load
from .certificate.verification import verify as verify
from .exact import QQ as QQ
from .exact import AlgebraicNumber as AlgebraicNumber
from .exact import ExactMatrix as ExactMatrix
from .exact import ExponentialField as ExponentialField
from .exact import Interval as Interval
from .exact import Rational as Rational
from .exact import RationalFunctionField as RationalFunctionField
from .exact import Region as Region
from .exact import RegionField as RegionField
from .exact import from_float as from_float
from .exact.comparison import same_formula as same_formula
from .exact.sympy_objects import from_sympy as from_sympy
from .mechanisms.exponential import *
from .mechanisms.geometric import *
from .mechanisms.laplace import *
from .mechanisms.libraries import *
from .mechanisms.noise import *
from .mechanisms.responses import *
from .mechanisms.staircase import *
from .mechanisms.words import *
from .model import BayesianConsumer as BayesianConsumer
from .model import Distance as Distance
from .model import Dual as Dual
from .model import Epsilon as Epsilon
from .model import Gain as Gain
from .model import Graph as Graph
from .model import Loss as Loss
from .model import Mechanism as Mechanism
from .model import Metric as Metric
from .model import MinimaxConsumer as MinimaxConsumer
from .model import PrintedTable as PrintedTable
from .model import Prior as Prior
from .model import PrivacyLevel as PrivacyLevel
from .model import Remap as Remap
from .model import SideInformation as SideInformation
from .model import Table as Table
from .model import TightestLevel as TightestLevel
from .model import level_for as level_for
from .model import neighbours as neighbours
from .model import printed_table as printed_table
from .model.channel import Hyper as Hyper
from .model.neighbours import neighbors as neighbors
from .model.neighbours import query_graph as query_graph
from .readers.duals import dual_template as dual_template
from .readers.duals import read_dual as read_dual
from .readers.objects import from_floats as from_floats
from .readers.objects import matrix as matrix
from .readers.objects import table_of as table_of
from .readers.tables import read_table as read_table
from .runtime.budget import budget as budget
from .runtime.progress import Progress as Progress
from .runtime.progress import progress_bar as progress_bar
from .sweeps.plan import Plan as Plan
from .sweeps.question import Question as Question
from .sweeps.run import Sweep as Sweep
from .sweeps.run import sweep as sweep

__version__: str
