# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis.tight.tight_levels import graph_census as graph_census
from .model import Distance as Distance
from .model import Graph as Graph
from .model import Metric as Metric
from .model import neighbours as neighbours
from .model.neighbours import neighbors as neighbors
from .model.neighbours import query_graph as query_graph
