# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import is_private as is_private
from .analysis import is_stochastic as is_stochastic
from .analysis import private_levels as private_levels
from .analysis import stochastic_levels as stochastic_levels
from .analysis import tightest_level as tightest_level
from .analysis.approximate import is_approximately_private as is_approximately_private
from .analysis.approximate import least_delta as least_delta
from .analysis.approximate import level_for_delta as level_for_delta
from .analysis.audit import audit as audit
from .analysis.policy import Policy as Policy
from .analysis.privacy_claim import PrivacyClaim as PrivacyClaim
from .model import Epsilon as Epsilon
from .model import PrivacyLevel as PrivacyLevel
from .model import TightestLevel as TightestLevel
from .model import level_for as level_for
