# ruff: noqa: F403, I001
# The names of this package and where they live (exactdp/stubs.py reads it at run time).

from .exponential import *
from .geometric import *
from .laplace import *
from .libraries import *
from .noise import *
from .responses import *
from .staircase import *
from .words import *

# ---- Not in dir(): what other floors take from here

from .geometric import K as K
from .geometric import column_scales as column_scales
from .laws import ALL_PAIRS as ALL_PAIRS
from .laws import BitLaw as BitLaw
from .laws import CategoryLaw as CategoryLaw
from .laws import CountLaw as CountLaw
from .laws import Law as Law
from .laws import law_named as law_named
from .laws import law_of_word as law_of_word
from .libraries import Implemented as Implemented
from .libraries import is_implementation as is_implementation
from .noise import IntegerNoise as IntegerNoise
from .words import FAMILIES as FAMILIES
from .words import has_letters as has_letters
from .words import is_meant as is_meant
from .words import is_mechanism_spec as is_mechanism_spec
from .words import nearest_word as nearest_word
from .words import needs_level as needs_level
from .words import neighbours_name as neighbours_name
from .words import with_numbers as with_numbers
from .words import word_neighbours as word_neighbours
