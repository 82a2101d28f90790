# SPDX-License-Identifier: Apache-2.0
"""O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: MPMD Framework for Offloading Load Balance Computation."""
from frame.paper import Paper

PARTS = {}

ITEMS = []

PAPER = Paper("mpmd", "O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: MPMD Framework for Offloading Load Balance Computation", PARTS, ITEMS)
