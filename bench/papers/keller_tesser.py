# SPDX-License-Identifier: Apache-2.0
"""R. Keller Tesser et al., INRIA RR-9031, 2017."""
from frame.paper import Paper

PARTS = {}

ITEMS = []

PAPER = Paper("keller_tesser", "R. Keller Tesser et al., INRIA RR-9031, 2017", PARTS, ITEMS)
