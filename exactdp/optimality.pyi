# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import best_remap as best_remap
from .analysis import best_remap_by_level as best_remap_by_level
from .analysis import dual_bound as dual_bound
from .analysis import is_best_remap as is_best_remap
from .analysis import is_optimal as is_optimal
from .analysis import is_optimal_after_remap as is_optimal_after_remap
from .analysis import is_optimal_by_level as is_optimal_by_level
from .analysis import is_optimum_unique as is_optimum_unique
from .analysis import is_remap_unique as is_remap_unique
from .analysis import optimum as optimum
from .analysis import optimum_by_level as optimum_by_level
from .analysis import verify_optimal as verify_optimal
from .analysis.optimality.mechanism_optimality import gap_between as gap_between
from .analysis.optimality.submitted import is_optimum_value as is_optimum_value
from .analysis.optimality.submitted import nearest_dual as nearest_dual
from .model import BayesianConsumer as BayesianConsumer
from .model import Dual as Dual
from .model import Gain as Gain
from .model import Loss as Loss
from .model import MinimaxConsumer as MinimaxConsumer
from .model import Prior as Prior
from .model import Remap as Remap
from .model import SideInformation as SideInformation
from .readers.duals import dual_template as dual_template
from .readers.duals import read_dual as read_dual
