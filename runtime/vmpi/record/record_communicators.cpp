// SPDX-License-Identifier: Apache-2.0
// Communicators in recordings: ids of 32 bits, on which all members agree without messages.
#include <cstdint>
#include <vector>

#include "runtime/base/upcalls.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/comm/topology.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {
namespace {

/// The first id for communicators other than the world and each rank's MPI_COMM_SELF. Ids in a job have 64
/// bits, and all communicators of a split have the same; only id and first member together are known to all
/// members and differ between communicators.
constexpr std::uint32_t kFirstOtherId = 1u << 30;

std::uint32_t hash_of(std::uint64_t id, int of_first) {
  std::uint64_t hash = id * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32 ^ static_cast<std::uint64_t>(of_first)) * 0x9e3779b97f4a7c15u;
  return kFirstOtherId | static_cast<std::uint32_t>(hash >> 32);
}

std::uint32_t id_in_recording(const Comm& comm, const Group& first) {
  if (comm.id == 0) return 0;
  const int of_first = first.world_rank(0);
  if (comm.id == 1) return 1 + static_cast<std::uint32_t>(of_first);
  return hash_of(static_cast<std::uint64_t>(comm.id), of_first);
}

void append_members(const Group& group, std::vector<trace::ObjectIndex>& members) {
  for (int rank = 0; rank < group.size; ++rank)
    members.push_back(static_cast<trace::ObjectIndex>(group.world_rank(rank)));
}

}  // namespace

std::uint32_t recorded_id(Comm& comm) {
  if (comm.recorded.pe == own_pe) [[likely]]
    return comm.recorded.id;
  const bool swapped = comm.remote && !local_is_first(comm);
  const Group& first = swapped ? *comm.remote : *comm.group;
  comm.recorded = {id_in_recording(comm, first), own_pe};
  if (comm.recorded.id == 0) return 0;
  trace::Communicator told{.id = comm.recorded.id, .members = {}, .others = {}};
  append_members(first, told.members);
  if (comm.remote) append_members(swapped ? *comm.group : *comm.remote, told.others);
  trace::define(told);
  return comm.recorded.id;
}

namespace {

/// Returns the id of a separate communicator for some of the messages of `comm`. No communicator of the
/// program has an id with one of the highest bits set.
std::uint32_t id_beside(Comm& comm, RecordedId& recorded, int bit) {
  if (recorded.pe == own_pe) return recorded.id;
  const bool swapped = comm.remote && !local_is_first(comm);
  const Group& first = swapped ? *comm.remote : *comm.group;
  recorded = {hash_of(static_cast<std::uint64_t>(comm.id) | std::uint64_t{1} << bit, first.world_rank(0)),
              own_pe};
  trace::Communicator told{.id = recorded.id, .members = {}, .others = {}};
  append_members(first, told.members);
  if (comm.remote) append_members(swapped ? *comm.group : *comm.remote, told.others);
  trace::define(told);
  return recorded.id;
}

}  // namespace

std::uint32_t recorded_neighbourhood(Comm& comm) { return id_beside(comm, comm.topology->recorded, 63); }
std::uint32_t recorded_partitions(Comm& comm) { return id_beside(comm, comm.recorded_partitioned, 62); }

}  // namespace skein::vmpi
