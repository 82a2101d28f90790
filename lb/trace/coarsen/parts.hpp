// SPDX-License-Identifier: Apache-2.0
// What coarse ranks are put together from: found by LogicalOrder, joined and written by coarsen().
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/coarsen.hpp"

namespace skein::trace::coarse {

using Level = std::uint32_t;  // of the logical clock
inline constexpr Level kNever = UINT32_MAX;

/// In the order in which a coarse rank does what has one level. First it gets what it waited for: so all that
/// it waits for was sent at lower levels.
enum class Slot : std::uint8_t {
  before_wait,  // time alone, as those that follow with this name
  wait,
  before_collective,
  collective,
  before_sync,
  sync,
  before_posts,
  receive,  // its start
  post,     // of a send; what concerns nobody else
};

/// A flag of a post's Item::index: it is one of Parts::events.
inline constexpr std::uint32_t kKept = std::uint32_t{1} << 31;

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// A visit of a region, in the one around it: which of its visits that is. Members of a block that make the
/// same visits share them, so that what they did in one is done in one.
struct Visit {
  std::uint32_t around = 0, name = 0;
};
inline constexpr std::uint32_t kOutside = 0;  // of Parts::visits: no region

/// What a fine rank computed in one visit.
struct Work {
  std::uint64_t burst_ns = 0;
  std::uint32_t visit = kOutside;
  std::uint32_t counts = kNone;  // of Parts::counts
};

/// Something that a coarse rank does, or work before it, which is an item of its own.
struct Item {
  Level level = 0;
  Slot slot = Slot::before_wait;
  bool is_work = false;
  std::uint32_t order = 0;  // within slot
  std::uint32_t index = 0;  // by slot: of a joined message, of a collective; of work: of what it is before
  Work work = {};           // else only the visit counts
  std::uint64_t call_ns = 0, bytes = 0;
};

/// A message of a fine rank to one of another coarse rank. `from`, `to`: coarse ones.
struct Crossing {
  ObjectIndex from = 0, to = 0;
  Level sent = 0, posted = kNever, completed = kNever;  // never: nobody receives it
  Level waited = 0;                                     // by the sender, for its buffer
  std::uint32_t order = 0;                              // among what its sender did at the level
  std::uint64_t bytes = 0;
  std::uint32_t first_work = kNone, last_work = kNone;  // before it, of Parts::sent_work: a chain
};

struct SentWork {
  Work work;
  std::uint32_t next = kNone;
};

/// A collective by coarse ranks.
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
  std::vector<std::int64_t> counts;  // one after the other for each of Header::counters
};

}  // namespace skein::trace::coarse
