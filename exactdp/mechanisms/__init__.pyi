# The names of this package and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .geometric import K as K
from .geometric import column_scales as column_scales
from .geometric import geometric as geometric
from .geometric import geometric_prime as geometric_prime
from .libraries import Implemented as Implemented
from .libraries import implemented_by as implemented_by
from .libraries import is_implementation as is_implementation
from .noise import FiniteNoise as FiniteNoise
from .noise import GeometricNoise as GeometricNoise
from .noise import IntegerNoise as IntegerNoise
from .noise import lumped_geometric as lumped_geometric
from .noise import truncate as truncate
from .responses import identity as identity
from .responses import randomized_response as randomized_response
from .responses import uniform as uniform
from .words import FAMILIES as FAMILIES
from .words import is_meant as is_meant
from .words import is_mechanism_spec as is_mechanism_spec
from .words import mechanism_from_spec as mechanism_from_spec
from .words import nearest_word as nearest_word
from .words import needs_level as needs_level
from .words import neighbours_name as neighbours_name
from .words import with_numbers as with_numbers
from .words import word_neighbours as word_neighbours
