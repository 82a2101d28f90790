# SPDX-License-Identifier: Apache-2.0
"""For GDB on a Skein job:  (gdb) source .../share/skein/gdb.py

Backtraces, local and file-static variables need nothing of this. A global that other files can see has one
instance in every rank, of which GDB's look-up by name takes the first rank's; $own() takes that of the rank
that the selected frame belongs to:

  (gdb) print *$own(&counter)
"""

import gdb

# From runtime/arena/arena.hpp: kArenaBase, the offsets of members of ReservedArena (arena.cpp checks them), and
# the shift that contents_address() adds to the start of a slot.
ARENA_BASE = 0x110000000000
SLOT_SHIFT, PAGE_SHIFT_MASK, END = 56, 72, 96


def reserved(type_name, offset):
    """A member of skein::arena::reserved, for which the launcher need not have debugging information."""
    return int(gdb.parse_and_eval(f"*({type_name} *)((char *)&'skein::arena::reserved' + {offset})"))


def page_shift(slot, mask):
    return slot * 17 % 64 * 4096 & mask


class Own(gdb.Function):
    """$own(pointer): the same place in the slot of the rank that the selected frame belongs to."""

    def __init__(self):
        super().__init__("own")

    def invoke(self, pointer):
        shift = reserved("unsigned int", SLOT_SHIFT)
        end = reserved("unsigned long", END)
        mask = reserved("unsigned long", PAGE_SHIFT_MASK)
        frame = gdb.selected_frame()
        while frame is not None and not ARENA_BASE <= frame.pc() < end:
            frame = frame.older()
        if frame is None:
            raise gdb.GdbError("no rank's code is on this stack")
        slot = (frame.pc() - ARENA_BASE) >> shift
        first = (int(pointer) - ARENA_BASE) >> shift
        distance = ((slot - first) << shift) + page_shift(slot, mask) - page_shift(first, mask)
        return gdb.Value(int(pointer) + distance).cast(pointer.type)


Own()
