# SPDX-License-Identifier: Apache-2.0
"""For GDB on a Skein job:  (gdb) source .../share/skein/gdb.py

Backtraces, local and file-static variables need nothing of this. A global that other files can see has one
instance in every rank, of which GDB's look-up by name takes the first rank's; $own() takes that of the rank
that the selected frame belongs to:

  (gdb) print *$own(&counter)
"""

import gdb

ARENA_BASE = 0x110000000000  # runtime/arena/arena.hpp


class Own(gdb.Function):
    """$own(pointer): the same place in the slot of the rank that the selected frame belongs to."""

    def __init__(self):
        super().__init__("own")

    def invoke(self, pointer):
        shift = int(gdb.parse_and_eval("*(unsigned int *)&'skein::arena::slot_shift'"))
        end = int(gdb.parse_and_eval("*(unsigned long *)&'skein::arena::arena_end'"))
        frame = gdb.selected_frame()
        while frame is not None and not ARENA_BASE <= frame.pc() < end:
            frame = frame.older()
        if frame is None:
            raise gdb.GdbError("no rank's code is on this stack")
        slot = (frame.pc() - ARENA_BASE) >> shift
        within = (int(pointer) - ARENA_BASE) & ((1 << shift) - 1)
        return gdb.Value(ARENA_BASE + (slot << shift) + within).cast(pointer.type)


Own()
