// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of what all PEs read: read-only values, tables of its node; and of the loops that it
// shares.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/watched.hpp"

namespace skein::chare {

class ReadOnlyBase;
class NodeTableBase;

/// What the program has, registered while static objects are made: so these are there before.
struct SharedGlobals {
  std::vector<ReadOnlyBase*> values;
  std::vector<NodeTableBase*> tables;
};
extern SharedGlobals shared_globals;

struct SharedTables {
  bool ready = false;
  std::uint32_t set = 0;       // on the others: 0 until they hear of it
  std::uint32_t complete = 0;  // of those in order
  bool heard = false;
};

struct LoopHead;
struct SharedLoops {
  int depth = 0;                 // of loops that this PE runs or helps with
  const char* helped = nullptr;  // whose it helps with
  LoopHead* head = nullptr;      // null: nobody helps
  net::Watched watched;          // tells when there is a loop
  bool watching = false;         // it does
  std::uint64_t exhausted = 0;   // so many loops were put up when there was no chunk left to take
};

struct SharedState {
  bool values_fixed = false;
  SharedTables tables;
  SharedLoops loops;
};
/// Hidden: no indirection by a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<SharedState> shared_state;

}  // namespace skein::chare
