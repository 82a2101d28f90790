// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting_place.hpp"

#include <algorithm>
#include <map>

#include "runtime/base/check.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::vmpi {

PerRuntime<MeetingPlaces> meeting_places;

namespace {

/// Disjoint groups may use the same communicator id, but not with the same first member.
struct Key {
  std::int64_t id;
  int first;  ///< world rank
  auto operator<=>(const Key&) const = default;
};
Key key_of(const Comm& comm) { return {comm.id, comm.world_rank(0)}; }

struct Indices {
  std::map<Key, std::uint32_t> of;
  std::vector<std::uint32_t> unused;
  std::uint64_t generation = 0;
};
PerRuntime<Indices> indices;

void forget_all() {
  SKEIN_CHECK(
      std::ranges::none_of(*meeting_places, [](const auto& place) { return place && place->arrived > 0; }),
      "ranks have moved during a collective");
  meeting_places->resize(1);
  *indices = {};
}

void add_member(MeetingPlace& place, const Comm& comm, int rank) {
  const int world_rank = comm.world_rank(rank), pe = pe::pe_of(world_rank);
  if (pe == own_pe) place.members.push_back(rank);
  int& leader = place.leader_on_pe[static_cast<std::size_t>(pe)];
  if (leader >= 0) return;
  leader = static_cast<int>(place.leader_group.world_ranks.size());
  place.leader_group.world_ranks.push_back(world_rank);
}

std::unique_ptr<MeetingPlace> make_place(const Comm& comm) {
  auto place = std::make_unique<MeetingPlace>();
  place->leader_on_pe.assign(static_cast<std::size_t>(net::world.pes), -1);
  for (int rank = 0; rank < comm.size(); ++rank) add_member(*place, comm, rank);
  place->leader_group.use_world_ranks();
  place->leaders.members = place->leader_group;
  place->fibers.resize(place->members.size());
  place->parts.resize(place->members.size());
  place->leaders.id = comm.id;
  place->leaders.rank = place->leader_on_pe[static_cast<std::size_t>(own_pe)];
  return place;
}

/// 0 where the members do not meet.
std::uint32_t make_index(const Comm& comm) {
  auto place = make_place(comm);
  if (comm.size() < 2 * place->leader_group.size) return 0;
  if (indices->unused.empty()) {
    indices->unused.push_back(static_cast<std::uint32_t>(meeting_places->size()));
    meeting_places->emplace_back();
  }
  const std::uint32_t index = indices->unused.back();
  indices->unused.pop_back();
  (*meeting_places)[index] = std::move(place);
  indices->of.emplace(key_of(comm), index);
  return index;
}

}  // namespace

MeetingPlace::MeetingPlace()
    : leaders(std::pmr::new_delete_resource()), leader_group(std::pmr::new_delete_resource()) {
  leaders.group = &leader_group;
}

void find_meeting_place(Comm& comm) {
  if (indices->generation != pe::location->placement_generation) {
    forget_all();
    indices->generation = pe::location->placement_generation;
  }
  if (comm.remote) {  // what is combined there would be of one group
    comm.meeting = {indices->generation, 0, 0};
    return;
  }
  const auto found = indices->of.find(key_of(comm));
  const std::uint32_t index = found != indices->of.end() ? found->second : make_index(comm);
  comm.meeting = {indices->generation, index, 0};
  if (index == 0) return;
  MeetingPlace& place = *(*meeting_places)[index];
  const auto member = std::ranges::lower_bound(place.members, comm.rank);
  comm.meeting.member = static_cast<std::uint32_t>(member - place.members.begin());
  ++place.users;
}

void report_mismatch(const Comm& comm) {
  end_job_plainly(
      *current_rank(), 1,
      "mismatched collectives on communicator %s of %d: its rank %d makes another call than ranks that "
      "came before it, or with another count; -v says which",
      comm.name.c_str(), comm.size(), comm.rank);
}

void dismiss(MeetingPlace& place) {
  place.arrived = 0;
  Fiber* const self = current_fiber();
  for (Fiber* const fiber : place.fibers)
    if (fiber != self) make_ready(*fiber);
}

void forget_meeting_place(Comm& comm) {
  if (comm.meeting.generation != pe::location->placement_generation || comm.meeting.place == 0) return;
  std::unique_ptr<MeetingPlace>& place = (*meeting_places)[comm.meeting.place];
  if (--place->users > 0) return;
  indices->of.erase(key_of(comm));
  indices->unused.push_back(comm.meeting.place);
  place.reset();
}

}  // namespace skein::vmpi
