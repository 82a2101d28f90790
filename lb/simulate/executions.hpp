// SPDX-License-Identifier: Apache-2.0
// Reads the stream of a native program's object execution by execution, and numbers the causes of executions.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lb/simulate/message.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// The events from EventKind::execute to the next one. Splits belong to the execution that follows them,
/// since they are made in the LB step before it. The first execution of a stream may consist only of the
/// events before its first EventKind::execute.
struct Execution {
  std::vector<trace::Event> events;  // without lists and counters
  std::uint32_t first_message = 0;   // number of the first message that it sends, among the object's
  std::uint64_t first_event = 0;     // the number of events[0] in the object's stream

  /// Returns the execution's EventKind::execute, or null.
  const trace::Event* begin() const;
  bool is(trace::Cause cause) const;
  /// Returns true if the object comes to a sync point in the execution.
  bool syncs() const;
};

class Executions {
 public:
  explicit Executions(trace::Cursor cursor) : cursor_(std::move(cursor)) {}
  Executions(const Executions& other)  // a part reads on from the position of the whole
      : cursor_(other.cursor_.copy()),
        ahead_(other.ahead_),
        has_ahead_(other.has_ahead_),
        messages_(other.messages_),
        events_(other.events_) {}
  Executions(Executions&&) noexcept = default;
  Executions& operator=(Executions&&) noexcept = default;
  /// Reads the next execution. Returns false at the end of the stream. EventKind::end is left out.
  bool next(Execution& into);

 private:
  trace::Cursor cursor_;
  trace::Event ahead_;
  bool has_ahead_ = false;
  std::uint32_t messages_ = 0;
  std::uint64_t events_ = 0;  // read, ahead_ included
};

/// Returns, by object, true if it is an element that its maker creates on the maker's own PE. This holds for
/// the elements that an entry method of elements creates, if the recorded run created all of them so. If
/// elements moved or there was only one PE, the recording does not tell, and all values are false.
std::vector<bool> made_beside_makers(const trace::Trace& trace);

/// Numbers of the messages and reductions that are causes of executions.
class CauseNumbers {
 public:
  explicit CauseNumbers(const trace::Trace& trace);

  std::size_t count() const { return count_; }
  /// Returns the number of a message; kNone if no execution has it as cause.
  std::uint32_t of_message(trace::ObjectIndex sender, std::uint64_t serial) const {
    return find(messages_, sender, serial);
  }
  std::uint32_t of_reduction(std::uint32_t array, std::uint64_t serial) const {
    return find(reductions_, array, serial);
  }
  /// Returns the cause of an EventKind::execute; kNone if it is neither a message nor a reduction.
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
