# The names of this package and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .entrance import file_of as file_of
from .entrance import is_open_file as is_open_file
from .estimates import refuse_aside as refuse_aside
from .estimates import told_aside as told_aside
from .formulas import has_letters as has_letters
from .formulas import lifted as lifted
from .formulas import read_formula_table as read_formula_table
from .formulas import table_in_file as table_in_file
from .graphs import read_edges as read_edges
from .graphs import read_metric as read_metric
from .grids import most_bytes as most_bytes
from .grids import read_at_most as read_at_most
from .grids import require_file as require_file
from .objects import table_of as table_of
from .table_labels import label_columns_hint as label_columns_hint
from .table_labels import label_hint as label_hint
from .tables import offering_header as offering_header
from .tables import prior_grid as prior_grid
from .tables import read_grid as read_grid
from .tables import read_prior as read_prior
from .tables import read_table as read_table
from .tables import require_rows as require_rows
from .tables import without_index as without_index
