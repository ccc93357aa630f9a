# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

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
