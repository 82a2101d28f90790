// SPDX-License-Identifier: Apache-2.0
// Collectives as events of a recording.
#pragma once

#include <span>

#include "runtime/vmpi/coll/algorithms/neighbours.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Returns the event of a collective, without its times. `root`: as the program names it, or kWithoutRoot.
inline constexpr int kWithoutRoot = MPI_ANY_SOURCE;
trace::Event collective_event(trace::Collective what, Comm& comm, std::uint64_t bytes,
                              int root = kWithoutRoot);
/// Returns the event of a collective whose members get different numbers of bytes: member i gets `bytes(i)`.
template <class BytesTo>
trace::Event counted_event(trace::Collective what, Comm& comm, int members, const BytesTo& bytes,
                           int root = kWithoutRoot) {
  const std::span<std::uint64_t> list = list_of_event(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i) list[static_cast<std::size_t>(i)] = bytes(i);
  trace::Event event = collective_event(what, comm, 0, root);
  event.list = list;
  return event;
}
/// Returns the event of a collective with one piece of data for each rank that messages can go to.
inline trace::Event counted_event(trace::Collective what, Comm& comm, const Blocks& pieces,
                                  int root = kWithoutRoot) {
  return counted_event(
      what, comm, comm.size(), [&](int i) { return pieces[i].bytes; }, root);
}

/// Records the start of a nonblocking or persistent collective. `tag`: that of its messages, or of its
/// operation at assemblies (next_collective_tag(), next_persistent_tag()).
void record_collective_start(Request& request, trace::Event event, int tag);

/// Records a blocking collective: made before it; was() is called after it.
class RecordedCollective {
 public:
  explicit RecordedCollective(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(state);
  }
  /// `event()` makes the event.
  template <class MakeEvent>
  void was(RankState& state, const MakeEvent& event) const {
    if (trace::recording) [[unlikely]]
      record(state, event());
  }

 private:
  void enter(RankState& state);
  void record(RankState& state, trace::Event event) const;
  trace::Entry entry_;
};

/// Records a call that makes a communicator. Its members agree on it: those of `over`, or of the communicator
/// passed to is_over().
class RecordedCreation {
 public:
  explicit RecordedCreation(RankState& state, Comm* over = nullptr)
      : recorded_(state), state_(state), over_(over) {}
  ~RecordedCreation() {
    if (over_)
      recorded_.was(state_, [&] { return collective_event(trace::Collective::create_comm, *over_, 0); });
  }
  RecordedCreation(const RecordedCreation&) = delete;
  RecordedCreation& operator=(const RecordedCreation&) = delete;
  void is_over(Comm& comm) { over_ = &comm; }

 private:
  RecordedCollective recorded_;
  RankState& state_;
  Comm* over_;
};

// Neighbourhood collectives as events of a recording: nonblocking messages of a communicator of their own
// (recorded_neighbourhood()), under the tag of the call, and a wait for all of them.

/// Records all messages that the calling rank starts. Returns their number.
int record_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming);
/// Returns the wait for the `messages` messages that were started last.
trace::Event wait_for_neighbours(int messages);
/// Returns the number of messages of a call.
int messages_of(const Topology& topology);

}  // namespace skein::vmpi
