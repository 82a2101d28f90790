# SPDX-License-Identifier: Apache-2.0
"""Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002."""
from frame.paper import Paper

PARTS = {}

ITEMS = []

PAPER = Paper("lan", "Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002", PARTS, ITEMS)
