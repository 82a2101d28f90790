# SPDX-License-Identifier: Apache-2.0
"""A. Bhatele, S. Fourestier, H. Menon, L. V. Kale, F. Pellegrini: Applying Graph Partitioning Methods in Measurement-based Dynamic Load Balancing, LLNL-TR-532851, 2012."""
from frame.paper import Paper

PARTS = {}

ITEMS = []

PAPER = Paper("bhatele", "A. Bhatele, S. Fourestier, H. Menon, L. V. Kale, F. Pellegrini: Applying Graph Partitioning Methods in Measurement-based Dynamic Load Balancing, LLNL-TR-532851, 2012", PARTS, ITEMS)
