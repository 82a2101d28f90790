// SPDX-License-Identifier: Apache-2.0
// Collectives as events of a recording.
#pragma once

#include <span>

#include "runtime/vmpi/coll/algorithms/neighbours.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// The event of a collective, but for its times. `root` as the program names it, or kWithoutRoot.
inline constexpr int kWithoutRoot = MPI_ANY_SOURCE;
trace::Event collective_event(trace::Collective what, Comm& comm, std::uint64_t bytes,
                              int root = kWithoutRoot);
/// One whose members get different numbers of bytes: `bytes(i)` is what goes to member i.
template <class BytesTo>
trace::Event counted_event(trace::Collective what, Comm& comm, int members, const BytesTo& bytes,
                           int root = kWithoutRoot) {
  const std::span<std::uint64_t> list = list_of_event(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i) list[static_cast<std::size_t>(i)] = bytes(i);
  trace::Event event = collective_event(what, comm, 0, root);
  event.list = list;
  return event;
}
/// The event of a collective with pieces of data, one for each rank that messages can go to.
inline trace::Event counted_event(trace::Collective what, Comm& comm, const Blocks& pieces,
                                  int root = kWithoutRoot) {
  return counted_event(
      what, comm, comm.size(), [&](int i) { return pieces[i].bytes; }, root);
}

/// A nonblocking one, or a persistent one anew, is about to be started. `tag`: of its messages, or of its
/// operation at assemblies (next_collective_tag(), next_persistent_tag()).
void record_collective_start(Request& request, trace::Event event, int tag);

/// A blocking one: made before it, and told what it was after it.
class RecordedCollective {
 public:
  explicit RecordedCollective(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(state);
  }
  /// `event()` gives the event.
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

/// A call that makes a communicator, which its members agree upon: those of `over`, or of what is said to be
/// over().
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

/// Tells of all messages that the calling rank starts. Returns how many these are.
int record_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming);
/// The wait for the `messages` that were started last.
trace::Event wait_for_neighbours(int messages);
/// How many messages a call takes.
int messages_of(const Topology& topology);

}  // namespace skein::vmpi
