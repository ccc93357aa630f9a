# SPDX-License-Identifier: MIT
"""What has a name in the format is written by it, whoever made it, and nothing else is."""

from __future__ import annotations

import pytest

from exactdp import Loss
from exactdp.certificate.encode import Definitions

LOSSES = [Loss.absolute, Loss.squared, Loss.zero_one]


@pytest.mark.parametrize("made", LOSSES)
def test_a_table_is_a_loss_of_that_name(made):
    loss = made([str(i) for i in range(5)])
    by_name, by_table = Definitions(), Definitions()
    by_name.loss("l", loss)
    by_table.loss("l", Loss(loss.matrix, loss.inputs, loss.guesses))
    assert by_name.objects == by_table.objects
    assert "rows" not in by_name.objects["l"]


@pytest.mark.parametrize("made", LOSSES)
@pytest.mark.parametrize("place", [(0, 1), (4, 4), (4, 0)])
def test_a_table_with_another_number_is_not(made, place):
    loss, changed = made([str(i) for i in range(5)]), Definitions()
    rows = [list(row) for row in loss.matrix.rows()]
    rows[place[0]][place[1]] += 1
    changed.loss("l", Loss(rows, loss.inputs, loss.guesses))
    assert changed.objects["l"]["rows"]
