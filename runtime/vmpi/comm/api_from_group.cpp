// SPDX-License-Identifier: Apache-2.0
// Communicators made from groups alone (MPI 4.1, 7.4.2, 7.6.2). Their messages use the world's contexts,
// under tags that follow from the string and that no call of the program can have.
#include <cstring>
#include <string_view>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/hints.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {
namespace {

/// Returns a tag above all tags of programs: FNV-1a of the string, so that calls with different strings do
/// not meet, which groups that have ranks in common may make at the same time.
int tag_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>((hash ^ hash >> 30) & 0x3fffffffu) | (kLargestTag + 1);
}

int check_string(const ApiCall& call, const char* text) {
  if (strnlen(text, MPI_MAX_STRINGTAG_LEN) < MPI_MAX_STRINGTAG_LEN) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_ARG, "the string has MPI_MAX_STRINGTAG_LEN characters or more");
}

/// Gets a group that the caller belongs to.
int get_own_group(const ApiCall& call, MPI_Group handle, Group*& group) {
  SKEIN_TRY(get_group(call, handle, group));
  if (group->rank_of(call.state.rank.id) != MPI_UNDEFINED) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_GROUP, "the calling rank is not in the group");
}

int check_member(const ApiCall& call, const Group& group, int rank) {
  if (rank >= 0 && rank < group.size) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_RANK, "rank %d of a group of %d", rank, group.size);
}

/// Makes a communicator of all members of the group, who make the same call.
Comm& make_from(const ApiCall& call, Group& group, int tag) {
  RecordedCreation recorded(call.state);
  const std::int64_t id = agree_on_id(call.state, *call.state.own_world, group, tag);
  ++group.references;
  Comm& comm = *make_comm(call.state, &group, id);
  comm.session = group.session;
  recorded.is_over(comm);
  return comm;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Comm_create_from_group(MPI_Group handle, const char* stringtag, MPI_Info info,
                               MPI_Errhandler errhandler, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_create_from_group");
  SKEIN_TRY(check_string(call, stringtag));
  *newcomm = MPI_COMM_NULL;
  if (handle == MPI_GROUP_EMPTY) return MPI_SUCCESS;
  SKEIN_GET(Group*, group, get_own_group(call, handle, group));
  SKEIN_TRY(check_comm_errhandler(call, nullptr, errhandler));
  Comm& comm = make_from(call, *group, tag_of(stringtag));
  take_hints(call.state, comm.info, info, kCommHints);
  comm.errhandler = errhandler;
  *newcomm = publish_comm(call.state, comm, comm);
  return MPI_SUCCESS;
}

int MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                     int remote_leader, const char* stringtag, MPI_Info info,
                                     MPI_Errhandler errhandler, MPI_Comm* newintercomm) {
  ApiCall call("MPI_Intercomm_create_from_groups");
  RankState& state = call.state;
  SKEIN_TRY(check_string(call, stringtag));
  *newintercomm = MPI_COMM_NULL;
  // 7.6.2: the call needs no other rank then. If only the leader has to give a group, the other ranks say
  // that it is empty.
  if (local_group == MPI_GROUP_EMPTY || remote_group == MPI_GROUP_EMPTY) return MPI_SUCCESS;
  SKEIN_GET(Group*, group, get_own_group(call, local_group, group));
  SKEIN_TRY(check_member(call, *group, local_leader));
  SKEIN_TRY(check_comm_errhandler(call, nullptr, errhandler));
  Bridge bridge{state.own_world, MPI_PROC_NULL, tag_of(stringtag)};
  if (group->rank_of(state.rank.id) == local_leader) {
    Group* remote = nullptr;
    bridge.error = get_group(call, remote_group, remote);
    if (bridge.error == MPI_SUCCESS) bridge.error = check_member(call, *remote, remote_leader);
    if (bridge.error == MPI_SUCCESS) bridge.remote_leader = remote->world_rank(remote_leader);
  }
  Comm& local = make_from(call, *group, bridge.tag);
  local.errhandler = errhandler;
  const int error = create_intercomm(call, local, local_leader, bridge, newintercomm);
  if (error == MPI_SUCCESS) take_hints(state, find_comm(state, *newintercomm)->info, info, kCommHints);
  release_comm(state, &local);
  return error;
}

}  // extern "C"
