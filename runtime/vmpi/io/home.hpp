// SPDX-License-Identifier: Apache-2.0
// What the members of an open file have in common: the shared file pointer, and whose turn it is to access
// the file atomically. Both live with the file's first member, in its slot, and move with it; the others ask
// by messages, which its PE answers whatever that member does. No message of these is under way while ranks
// move, so its address and its PE are known to all.
//
// All from a fiber of a member, and all may switch.
#pragma once

#include <cstdint>

#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {

/// Adds to the shared file pointer; returns what it was. In etypes.
std::int64_t add_to_shared_position(File& file, std::int64_t etypes);
inline std::int64_t shared_position(File& file) { return add_to_shared_position(file, 0); }
/// Not before all members are done with what used it: the caller sees to that.
inline void set_shared_position(File& home, std::int64_t etypes) { home.common.shared_position = etypes; }

/// In atomic mode, whoever accesses the file waits for a turn of its own; nothing otherwise. Between the two
/// ends of a turn its rank must not wait for others.
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
