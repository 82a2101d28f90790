# SPDX-License-Identifier: Apache-2.0
"""O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: Quantifying the Effectiveness of Load Balance Algorithms, ICS 2012."""
import pearce_moldyn
from frame.paper import Paper

PARTS = {**pearce_moldyn.PARTS}

ITEMS = [*pearce_moldyn.ITEMS]

PAPER = Paper("pearce", "O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: Quantifying the Effectiveness of Load Balance Algorithms, ICS 2012", PARTS, ITEMS)
