// SPDX-License-Identifier: Apache-2.0
// The parts from which coarse ranks are made: found by LogicalOrder, joined and written by coarsen().
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/coarsen.hpp"

namespace skein::trace::coarse {

using Level = std::uint32_t;  // of the logical clock
inline constexpr Level kNever = UINT32_MAX;

/// The order of a coarse rank's actions at one level. First it receives what it waited for, which was sent at
/// lower levels.
enum class Slot : std::uint8_t {
  before_wait,  // work only, as in the other before_... slots
  wait,
  before_collective,
  collective,
  before_sync,
  sync,
  before_posts,
  receive,  // the start of a receive
  post,     // the start of a send, or an event that concerns no other object
};

/// A flag of a post's Item::index, which then is an index of Parts::events.
inline constexpr std::uint32_t kKept = std::uint32_t{1} << 31;

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// A visit to a region: the visit around it, and its index there. Members of a block that make the same
/// visits share them, so that their work in such a visit is done in one.
struct Visit {
  std::uint32_t around = 0, name = 0;
};
inline constexpr std::uint32_t kOutside = 0;  // in Parts::visits: no region

/// The work of a fine rank in one visit.
struct Work {
  std::uint64_t burst_ns = 0;
  std::uint32_t visit = kOutside;
  std::uint32_t counts = kNone;  // in Parts::counts
};

/// An action of a coarse rank, or work before one, which is an item of its own.
struct Item {
  Level level = 0;
  Slot slot = Slot::before_wait;
  bool is_work = false;
  std::uint32_t order = 0;  // within slot
  std::uint32_t index = 0;  // of a joined message or a collective, by slot; for work: of its action
  Work work = {};           // for an action only the visit counts
  std::uint64_t call_ns = 0, bytes = 0;
};

/// A message from a fine rank to one of another coarse rank. `from`, `to`: coarse ranks.
struct Crossing {
  ObjectIndex from = 0, to = 0;
  Level sent = 0, posted = kNever, completed = kNever;  // kNever: it is not received
  Level waited = 0;                                     // when the sender waited for its buffer
  std::uint32_t order = 0;                              // among the sender's actions at the level
  std::uint64_t bytes = 0;
  std::uint32_t first_work = kNone, last_work = kNone;  // the chain of work before it, in Parts::sent_work
};

struct SentWork {
  Work work;
  std::uint32_t next = kNone;
};

/// A collective of coarse ranks.
struct Call {
  Level level = 0;
  std::uint32_t communicator = 0;
  Collective kind = Collective::barrier;
  std::int32_t root = kAny;
  std::vector<std::uint64_t> bytes;               // by member
  std::vector<std::vector<std::uint64_t>> lists;  // by member; mostly empty
};

struct Parts {
  std::vector<std::vector<Item>> items;  // by coarse rank
  std::vector<Crossing> crossings;
  std::vector<Call> calls;
  std::vector<Communicator> communicators;  // of coarse ranks; numbered from 0, the world
  std::vector<Event> events;                // files, sleeps
  std::vector<SentWork> sent_work;
  std::vector<Visit> visits = {{}};  // the first is kOutside
  std::vector<std::int64_t> counts;  // for each set of counts, a value for each of Header::counters
};

}  // namespace skein::trace::coarse
