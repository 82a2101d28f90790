// SPDX-License-Identifier: Apache-2.0
// Communicators: inquiry, duplication, creation, splitting, names, freeing (MPI 4.1, chapter 7).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/hints.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/comm/topology.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/recurring.hpp"
#include "runtime/vmpi/record/collectives.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

/// Checks a call before the members of `parent` agree on a new communicator.
void check_consistency(Comm& parent, const char* function) {
  vmpi::check_consistency(parent, next_collective_tag(parent), function, {});
}

}  // namespace

MPI_Comm publish_comm(RankState& state, Comm& comm, const Comm& parent) {
  comm.errhandler = parent.errhandler;
  comm.session = parent.session;
  if (comm.group->session == MPI_SESSION_NULL) comm.group->session = parent.session;
  retain_errhandler(state, comm.errhandler);
  comm.handle = state.comms.add(&comm);
  return comm.handle;
}

namespace {

/// A rank's arguments of MPI_Comm_split, and its world rank.
struct Choice {
  int color, key, world_rank;
};

/// Returns the world ranks that chose `color`, in the order of their keys.
std::vector<int> members_of(std::vector<Choice> choices, int color) {
  std::erase_if(choices, [&](const Choice& choice) { return choice.color != color; });
  std::ranges::stable_sort(choices, {}, &Choice::key);
  std::vector<int> members;
  for (const Choice& choice : choices) members.push_back(choice.world_rank);
  return members;
}

/// Returns the choices of the remote group.
std::vector<Choice> choices_of_others(Comm& inter, const std::vector<Choice>& mine) {
  std::vector<int> numbers;
  for (const Choice& choice : mine)
    numbers.insert(numbers.end(), {choice.color, choice.key, choice.world_rank});
  numbers = exchange_lists_between(inter, next_collective_tag(inter), numbers);
  std::vector<Choice> others(numbers.size() / 3);
  for (std::size_t i = 0; i < others.size(); ++i)
    others[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  return others;
}

}  // namespace

int split(const ApiCall& call, Comm& parent, int color, int key, MPI_Comm* out) {
  RankState& state = call.state;
  const RecordedCreation recorded(state, &parent);
  check_consistency(parent, call.function);
  const Choice mine{color, key, state.rank.id};
  std::vector<Choice> all(static_cast<std::size_t>(parent.group->size)), others;
  allgather_bytes(parent.remote ? *parent.local : parent, &mine, all.data(), sizeof mine);
  if (parent.remote) others = choices_of_others(parent, all);
  const std::int64_t id = agree_on_id(state, parent);
  *out = MPI_COMM_NULL;
  if (color == MPI_UNDEFINED) return MPI_SUCCESS;
  Group* const group = make_group(state, members_of(std::move(all), color));
  if (!parent.remote) {
    *out = publish_comm(state, *make_comm(state, group, id), parent);
    return MPI_SUCCESS;
  }
  const std::vector<int> remote = members_of(std::move(others), color);
  if (remote.empty()) {  // a color of the local group alone
    release_group(state, group);
    return MPI_SUCCESS;
  }
  *out = publish_comm(state, *make_intercomm(state, group, make_group(state, remote), id), parent);
  return MPI_SUCCESS;
}

namespace {

int compare_groups(const Group& a, const Group& b) {
  if (a.size != b.size) return MPI_UNEQUAL;
  bool same_order = true;
  for (int rank = 0; rank < a.size; ++rank) {
    const int there = b.rank_of(a.world_rank(rank));
    if (there == MPI_UNDEFINED) return MPI_UNEQUAL;
    same_order = same_order && there == rank;
  }
  return same_order ? MPI_CONGRUENT : MPI_SIMILAR;
}

Comm& duplicate(RankState& state, Comm& parent, std::int64_t id) {
  ++parent.group->references;
  if (parent.remote) {
    ++parent.remote->references;
    return *make_intercomm(state, parent.group, parent.remote, id);
  }
  Comm& comm = *make_comm(state, parent.group, id);
  comm.topology = copy_topology(state, parent.topology);
  return comm;
}

int dup(const char* function, MPI_Comm handle, bool with_info, MPI_Info info, MPI_Comm* out) {
  ApiCall call(function);
  SKEIN_GET(Comm*, parent, get_comm(call, handle, parent));
  RankState& state = call.state;
  const RecordedCreation recorded(state, parent);
  check_consistency(*parent, function);
  Comm& comm = duplicate(state, *parent, agree_on_id(state, *parent));
  if (with_info) take_hints(state, comm.info, info, kCommHints);
  *out = publish_comm(state, comm, *parent);
  if (const int error = copy_attributes(state, handle, parent->attributes, comm.attributes)) {
    *out = MPI_COMM_NULL;
    return raise(call, parent, error, "an attribute's copy function has failed");
  }
  return MPI_SUCCESS;
}

int idup(const char* function, MPI_Comm handle, bool with_info, MPI_Info info, MPI_Comm* out,
         MPI_Request* request) {
  ApiCall call(function);
  SKEIN_GET(Comm*, parent, get_comm(call, handle, parent));
  RankState& state = call.state;
  // The handle is known at once, but invalid before completion: the members still agree on the id.
  Comm& comm = duplicate(state, *parent, -1);
  if (with_info) take_hints(state, comm.info, info, kCommHints);
  *out = publish_comm(state, comm, *parent);
  SKEIN_TRY(copy_attributes(state, handle, parent->attributes, comm.attributes));
  const int tag = next_collective_tag(*parent);
  Request& agreement = new_collective_request(state, *parent, [parent, &comm, tag, function](Request& self) {
    if (trace::recording)
      record_collective_start(self, collective_event(trace::Collective::create_comm, *parent, 0), tag);
    vmpi::check_consistency(*parent, tag, function, {});
    set_id(comm, agree_on_id(*self.owner, *parent, tag));
    return MPI_SUCCESS;
  });
  *request = RequestTable::handle_of(agreement);
  start_collective(agreement);
  return MPI_SUCCESS;
}

/// Returns the value of `key` in `info`, by which MPI_Comm_split_type splits, or an empty text.
std::string_view guide(RankState& state, MPI_Info info, std::string_view key) {
  const Info* const object = state.infos.find(info);
  const std::pmr::string* const value = object ? object->find(key) : nullptr;
  return value ? std::string_view(*value) : std::string_view();
}

/// Sets the color by which MPI_Comm_split_type splits.
int color_of_type(const ApiCall& call, Comm& parent, int split_type, MPI_Info info, int& color) {
  // Ranks move between nodes, so with several nodes no rank can count on sharing memory or hardware with
  // another: by shared memory each rank is alone, and no other resource is narrower than where ranks may go.
  const int alone = parent.rank, with_memory = memory_is_shared() ? 0 : alone;
  color = MPI_UNDEFINED;
  switch (split_type) {
    case MPI_COMM_TYPE_SHARED:
      color = with_memory;
      break;
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
      if (const std::string_view set = guide(call.state, info, "mpi_pset_name"); set == "mpi://WORLD")
        color = 0;
      else if (set == "mpi://SELF")
        color = alone;
      [[fallthrough]];
    case MPI_COMM_TYPE_HW_GUIDED:
      if (guide(call.state, info, "mpi_hw_resource_type") == "mpi_shared_memory") color = with_memory;
      break;
    case MPI_UNDEFINED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
      break;
    default:
      return raise(call, &parent, MPI_ERR_ARG, "%d is no split type", split_type);
  }
  return MPI_SUCCESS;
}

/// Creates an intercommunicator of the members that both sides name, for MPI_Comm_create on an
/// intercommunicator. If one side names no members, it creates none.
int create_between(const ApiCall& call, Comm& parent, const Group& group, MPI_Comm* out) {
  RankState& state = call.state;
  std::vector<int> members;
  for (int rank = 0; rank < group.size; ++rank) members.push_back(group.world_rank(rank));
  const std::vector<int> remote = exchange_lists_between(parent, next_collective_tag(parent), members);
  const std::int64_t id = agree_on_id(state, parent);
  *out = MPI_COMM_NULL;
  if (remote.empty() || group.rank_of(state.rank.id) == MPI_UNDEFINED) return MPI_SUCCESS;
  *out = publish_comm(
      state, *make_intercomm(state, make_group(state, members), make_group(state, remote), id), parent);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Comm_rank(MPI_Comm handle, int* rank) {
  ApiCall call("MPI_Comm_rank");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  *rank = comm->rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm handle, int* size) {
  ApiCall call("MPI_Comm_size");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  *size = comm->group->size;
  return MPI_SUCCESS;
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  ApiCall call("MPI_Comm_compare");
  SKEIN_GET(Comm*, a, get_comm(call, comm1, a));
  SKEIN_GET(Comm*, b, get_comm(call, comm2, b));
  if (a == b) {
    *result = MPI_IDENT;
  } else if (!a->remote != !b->remote) {
    *result = MPI_UNEQUAL;
  } else {
    *result = compare_groups(*a->group, *b->group);
    // The values go up from MPI_CONGRUENT to MPI_SIMILAR to MPI_UNEQUAL.
    if (a->remote) *result = std::max(*result, compare_groups(*a->remote, *b->remote));
  }
  return MPI_SUCCESS;
}

int MPI_Comm_create(MPI_Comm handle, MPI_Group group_handle, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_create");
  Comm* parent = nullptr;
  Group* group = nullptr;
  SKEIN_TRY(get_comm(call, handle, parent));
  SKEIN_TRY(get_group(call, group_handle, group, parent));
  const RecordedCreation recorded(call.state, parent);
  check_consistency(*parent, call.function);
  if (parent->remote) return create_between(call, *parent, *group, newcomm);
  const std::int64_t id = agree_on_id(call.state, *parent);
  *newcomm = MPI_COMM_NULL;
  if (group->rank_of(call.state.rank.id) == MPI_UNDEFINED) return MPI_SUCCESS;
  ++group->references;
  *newcomm = publish_comm(call.state, *make_comm(call.state, group, id), *parent);
  return MPI_SUCCESS;
}

int MPI_Comm_create_group(MPI_Comm handle, MPI_Group group_handle, int tag, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_create_group");
  Comm* parent = nullptr;
  Group* group = nullptr;
  SKEIN_TRY(get_intracomm(call, handle, parent));
  SKEIN_TRY(get_group(call, group_handle, group, parent));
  SKEIN_TRY(check_tag(call, parent, tag));
  *newcomm = MPI_COMM_NULL;
  if (group->rank_of(call.state.rank.id) == MPI_UNDEFINED) return MPI_SUCCESS;
  RecordedCreation recorded(call.state);
  const std::int64_t id = agree_on_id(call.state, *parent, *group, tag);
  ++group->references;
  Comm& comm = *make_comm(call.state, group, id);
  recorded.is_over(comm);
  *newcomm = publish_comm(call.state, comm, *parent);
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm handle, int color, int key, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_split");
  SKEIN_GET(Comm*, parent, get_comm(call, handle, parent));
  if (color < 0 && color != MPI_UNDEFINED)
    return raise(call, parent, MPI_ERR_ARG, "color %d is negative and not MPI_UNDEFINED", color);
  return split(call, *parent, color, key, newcomm);
}

int MPI_Comm_split_type(MPI_Comm handle, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_split_type");
  SKEIN_GET(Comm*, parent, get_intracomm(call, handle, parent));
  int color = MPI_UNDEFINED;
  SKEIN_TRY(color_of_type(call, *parent, split_type, info, color));
  return split(call, *parent, color, key, newcomm);
}

int MPI_Comm_free(MPI_Comm* handle) {
  ApiCall call("MPI_Comm_free");
  SKEIN_GET(Comm*, comm, get_comm(call, *handle, comm));
  if (handle_value(*handle) < kFirstDynamicHandle)
    return raise(call, comm, MPI_ERR_COMM, "a predefined communicator cannot be freed");
  if (const int error = delete_attributes(call.state, *handle, comm->attributes))
    return raise(call, comm, error, "an attribute's delete function has failed");
  if (comm->buffers) detach_buffers(call.state, comm->buffers);
  call.state.comms.remove(*handle);
  leave_comm(call.state, *comm);
  release_errhandler(call.state, comm->errhandler);
  comm->errhandler = MPI_ERRORS_ARE_FATAL;
  release_comm(call.state, comm);
  *handle = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_disconnect(MPI_Comm* handle) { return MPI_Comm_free(handle); }

int MPI_Comm_group(MPI_Comm handle, MPI_Group* group) {
  ApiCall call("MPI_Comm_group");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  ++comm->group->references;
  *group = call.state.groups.add(comm->group);
  return MPI_SUCCESS;
}

/// Returns MPI_COMM_NULL, as no rank was started by another one.
int MPI_Comm_get_parent(MPI_Comm* parent) {
  ApiCall call("MPI_Comm_get_parent");
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_set_name(MPI_Comm handle, const char* name) {
  ApiCall call("MPI_Comm_set_name");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  comm->name.assign(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

int MPI_Comm_get_name(MPI_Comm handle, char* name, int* resultlen) {
  ApiCall call("MPI_Comm_get_name");
  if (handle == MPI_COMM_NULL) {
    *resultlen = snprintf(name, MPI_MAX_OBJECT_NAME, "MPI_COMM_NULL");
    return MPI_SUCCESS;
  }
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  memcpy(name, comm->name.c_str(), comm->name.size() + 1);
  *resultlen = static_cast<int>(comm->name.size());
  return MPI_SUCCESS;
}

int MPI_Comm_set_info(MPI_Comm handle, MPI_Info info) {
  ApiCall call("MPI_Comm_set_info");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  take_hints(call.state, comm->info, info, kCommHints);
  return MPI_SUCCESS;
}

int MPI_Comm_get_info(MPI_Comm handle, MPI_Info* info) {
  ApiCall call("MPI_Comm_get_info");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  Info& told = hints_in_force(call.state, comm->info, kCommHints);
  *info = told.handle = call.state.infos.add(&told);
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_comms.inc"
