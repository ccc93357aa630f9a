# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .model import Mechanism as Mechanism
from .model import PrintedTable as PrintedTable
from .model import Remap as Remap
from .model import Table as Table
from .model import printed_table as printed_table
from .readers.matrices import matrix as matrix
from .readers.objects import from_floats as from_floats
from .readers.objects import table_of as table_of
from .readers.tables import read_table as read_table
