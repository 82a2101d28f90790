// SPDX-License-Identifier: Apache-2.0
// The shared state of an open file's members: the shared file pointer, and the turns of atomic accesses. It
// is in the slot of the file's first member, and moves with it. Other members ask by messages, which that
// member's PE answers whatever the member does. None of these messages is under way while ranks move, so all
// members know the address and the PE.
//
// All functions are called from a fiber of a member, and may switch.
#pragma once

#include <cstdint>

#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {

/// Adds to the shared file pointer, and returns its old value. In etypes.
std::int64_t add_to_shared_position(File& file, std::int64_t etypes);
inline std::int64_t shared_position(File& file) { return add_to_shared_position(file, 0); }
/// Sets the shared file pointer. The caller makes sure that all members have ended calls that use it.
inline void set_shared_position(File& home, std::int64_t etypes) { home.common.shared_position = etypes; }

/// The turn of a member that accesses a file in atomic mode, for which it waits; has no effect in other
/// modes. Its rank must not wait for others during a turn.
class Turn {
 public:
  explicit Turn(File& file);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  File* file_;
};

}  // namespace skein::vmpi
