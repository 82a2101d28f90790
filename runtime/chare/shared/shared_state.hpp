// SPDX-License-Identifier: Apache-2.0
// A PE's state of what all PEs read, read-only values and tables of its node, and of the loops that it
// shares.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/watched.hpp"

namespace skein::chare {

class ReadOnlyBase;
class NodeTableBase;

/// The program's values and tables, registered while static objects are made; so this is initialised before.
struct SharedGlobals {
  std::vector<ReadOnlyBase*> values;
  std::vector<NodeTableBase*> tables;
};
extern SharedGlobals shared_globals;

struct SharedTables {
  bool ready = false;
  std::uint32_t set = 0;       // on other PEs: 0 until they hear of it
  std::uint32_t complete = 0;  // number of complete tables, in order
  bool heard = false;
};

struct LoopHead;
struct SharedLoops {
  int depth = 0;                 // of loops that this PE runs or helps with
  const char* helped = nullptr;  // the owner of the loop it helps with
  LoopHead* head = nullptr;      // null: no PE helps
  net::Watched watched;          // signals that there is a loop
  bool watching = false;         // whether `watched` is in use
  std::uint64_t exhausted = 0;   // `put_up` when no chunk was left to take
};

struct SharedState {
  bool values_fixed = false;
  SharedTables tables;
  SharedLoops loops;
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<SharedState> shared_state;

}  // namespace skein::chare
