// SPDX-License-Identifier: Apache-2.0
// A PE's state of what its elements wait for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "skein/chare/turn.hpp"
#include "skein/future.hpp"

namespace skein::chare {

/// The method and element that set a future, or asked for its value: for error messages.
struct FutureUser {
  std::uint32_t array = FutureName::no_maker, entry = 0;
  std::vector<std::byte> index;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& array& entry& index;
  }
};
/// A future that lacks its value or a reader. Futures that are not in the table had both.
struct OpenFuture {
  std::optional<std::vector<std::byte>> value;
  FutureUser setter;
  std::optional<Destination> wanted_by;
};

struct OrderedCall;
/// An element's state of a channel to it.
struct Channel {
  std::uint64_t next = 0;                           ///< number of the next call to run
  std::map<std::uint64_t, OrderedCall*> too_early;  ///< later calls that have arrived
};
using Channels = std::unordered_map<std::uint64_t, Channel>;
struct OrderedChannels {
  std::unordered_map<const Element*, Channels> of;  // of elements with Element::ordered
  std::uint64_t made = 0;
  std::size_t kept = 0;  // calls that are too early, in total
};

class Thread;

struct Activities {
  std::size_t unfinished = 0;                                  ///< activities and kept calls
  std::unordered_map<std::uint64_t, OpenFuture> open_futures;  ///< by number
  std::uint64_t futures_made = 0;
  OrderedChannels channels;
  Thread* running_thread = nullptr;
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<Activities> activities;

}  // namespace skein::chare
