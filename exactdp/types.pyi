# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis.leakage import type_capacity as type_capacity
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
