# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import derivable_levels as derivable_levels
from .analysis import is_derivable as is_derivable
from .analysis import is_refined_by as is_refined_by
from .analysis.refinement import earth_move as earth_move
from .analysis.refinement import refinement_order as refinement_order
from .model.channel import Hyper as Hyper
