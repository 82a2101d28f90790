// SPDX-License-Identifier: Apache-2.0
// How the slots of this process are laid out, as a manifest has it.
#pragma once

#include "runtime/arena/arena.hpp"
#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// Once the arena is reserved.
inline SavedSlots slots_here() {
  const arena::SlotLayout& layout = arena::reserved.layout;
  return {.slot = layout.slot_bytes,
          .stack = layout.stack_bytes,
          .guard = layout.guard_bytes,
          .control = layout.control_offset,
          .image = layout.image_offset,
          .heap = layout.heap_offset,
          .alignment = layout.image_alignment,
          .code_inside = arena::reserved.executable};
}

}  // namespace skein::checkpoint
