// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/collectives.hpp"

#include "runtime/vmpi/coll/api/collectives.hpp"

namespace skein::vmpi {
namespace {

int root_object(const Comm& comm, int root) {
  if (root >= 0) return comm.world_rank(root);
  return root == MPI_ROOT ? comm.group->world_rank(comm.rank) : trace::kAny;
}

}  // namespace

trace::Event collective_event(trace::Collective what, Comm& comm, std::uint64_t bytes, int root) {
  trace::Event event;
  event.kind = trace::EventKind::collective;
  event.what = static_cast<std::uint8_t>(what);
  event.communicator = recorded_id(comm);
  event.partner = root_object(comm, root);
  event.bytes = bytes;
  return event;
}

void record_collective_start(Request& request, trace::Event event, int tag) {
  event.starts_request = true;
  event.tag = number_of_persistent(tag);
  trace::Stream& stream = stream_of(*request.owner);
  stream.end_burst(event, place_of(CallKind::collective, event.what));
  number_request(request);
  stream.add(event);
}

void RecordedCollective::enter(RankState& state) { entry_ = stream_of(state).enter_reading(); }

void RecordedCollective::record(RankState& state, trace::Event event) const {
  trace::Stream& stream = stream_of(state);
  stream.leave_reading(event, entry_);
  stream.add(event);
}

}  // namespace skein::vmpi
