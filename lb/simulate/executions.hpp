// SPDX-License-Identifier: Apache-2.0
// The stream of one object of a native program, execution by execution; and what causes each.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lb/simulate/message.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// From EventKind::execute to the next one, but for splits, which stand before the execution that follows
/// them: they are made in the LB step before it. At the beginning of a stream there may be one that only has
/// what stands before its first EventKind::execute.
struct Execution {
  std::vector<trace::Event> events;  // without lists and counters
  std::uint32_t first_message = 0;   // the number, among the object's, of the first one that it sends
  std::uint64_t first_event = 0;     // the number of events[0] in the object's stream

  /// Its EventKind::execute, or null.
  const trace::Event* begin() const;
  bool is(trace::Cause cause) const;
  /// Whether the object comes to a sync point in it.
  bool syncs() const;
};

class Executions {
 public:
  explicit Executions(trace::Cursor cursor) : cursor_(std::move(cursor)) {}
  /// False at the end of the stream. Its end (EventKind::end) is no event.
  bool next(Execution& into);

 private:
  trace::Cursor cursor_;
  trace::Event ahead_;
  bool has_ahead_ = false;
  std::uint32_t messages_ = 0;
  std::uint64_t events_ = 0;  // read, ahead_ included
};

/// By object: whether it is an element that its maker makes where that is itself. So are those that an entry
/// method of elements makes, if in the recorded run all of them were. Where elements moved, or there was but
/// one PE, nothing tells: none is.
std::vector<bool> made_beside_makers(const trace::Trace& trace);

/// Numbers of the messages that executions have as causes, and of the reductions.
class CauseNumbers {
 public:
  explicit CauseNumbers(const trace::Trace& trace);

  std::size_t count() const { return count_; }
  /// `none`: nobody executes because of it.
  std::uint32_t of_message(trace::ObjectIndex sender, std::uint64_t serial) const {
    return find(messages_, sender, serial);
  }
  std::uint32_t of_reduction(std::uint32_t array, std::uint64_t serial) const {
    return find(reductions_, array, serial);
  }
  /// The cause of an EventKind::execute; `none` where it is neither a message nor a reduction.
  std::uint32_t of(const trace::Event& execute) const;

 private:
  using Table = std::unordered_map<std::uint64_t, std::uint32_t>;
  static std::uint64_t key(std::uint32_t who, std::uint64_t serial) {
    return std::uint64_t{who} << 32 | (serial & 0xffffffff);
  }
  static std::uint32_t find(const Table& table, std::uint32_t who, std::uint64_t serial) {
    const auto found = table.find(key(who, serial));
    return found == table.end() ? kNone : found->second;
  }
  void add(Table& table, std::uint32_t who, std::uint64_t serial) {
    count_ += table.emplace(key(who, serial), count_).second;
  }

  Table messages_, reductions_;
  std::uint32_t count_ = 0;
};

}  // namespace skein::simulate
