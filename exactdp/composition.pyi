# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import multi_level_release as multi_level_release
from .analysis.composition import collection_level as collection_level
from .analysis.composition import oblivious_average as oblivious_average
from .analysis.composition import parallel_level as parallel_level
from .analysis.composition import sequential_level as sequential_level
