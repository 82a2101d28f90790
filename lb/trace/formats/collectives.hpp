// SPDX-License-Identifier: Apache-2.0
// The collectives of a recorded MPI program by communicator, each joined from what its members recorded.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/formats/messages.hpp"
#include "skein/lb/trace.hpp"
#include "skein/lb/trace_check.hpp"

namespace skein::trace {

/// A collective of a communicator.
struct CollectiveCall {
  struct MemberBytes {
    std::uint64_t bytes = 0;
    std::uint32_t list = 0;
  };
  Collective kind = Collective::barrier;
  std::int32_t root = kAny;         // object
  std::uint64_t bytes = 0;          // the most that a member recorded
  std::vector<MemberBytes> member;  // for kinds with counts; by place
};

class Collectives {
 public:
  /// Throws TraceError if members of a communicator make different calls or numbers of calls.
  Collectives(const Trace& trace, const Messages& messages);

  /// Returns the number, in the communicator, of the `count`-th event of its line (CollectiveCounter).
  std::uint64_t number(const Event& event, std::uint64_t count) const {
    return calls_.at(event.communicator).lines.at(event.tag)[count];
  }
  const CollectiveCall& call(std::uint32_t communicator, std::uint64_t number) const {
    return calls_.at(communicator).calls[number];
  }
  std::uint64_t count(std::uint32_t communicator) const;
  /// Returns, for kinds with counts, the bytes that the member at place `from` gives to the `to`-th one of
  /// the communicator (of the other group, if it has two), as the sender recorded them.
  std::uint64_t bytes(const CollectiveCall& call, std::size_t from, std::size_t to) const;
  /// Returns the index of the object in Communicator::members, with `others` after them.
  std::size_t place(std::uint32_t communicator, ObjectIndex object) const;

 private:
  struct Of {
    const Communicator* communicator;
    std::unordered_map<ObjectIndex, std::size_t> places;
    std::vector<CollectiveCall> calls;                         // as `first` makes them
    std::map<std::int32_t, std::vector<std::uint64_t>> lines;  // CollectiveLine::persistent; numbers of calls
    ObjectIndex first = 0;  // the member whose calls others are compared with
  };
  Of& of(const Trace& trace, std::uint32_t communicator);
  void add(const Trace& trace, ObjectIndex object, const MpiStream::Step& step, std::uint64_t count);

  std::map<std::uint32_t, Of> calls_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> list_index_;
  std::vector<std::span<const std::uint64_t>> lists_;  // keys of list_index_
};

}  // namespace skein::trace
