// SPDX-License-Identifier: Apache-2.0
// MPI_Session_init to MPI_Session_finalize, and process sets: mpi://WORLD and mpi://SELF. There are none of a
// node or a PE, as ranks move.
#include <strings.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/running.hpp"

namespace skein::vmpi {
namespace {

struct ThreadLevel {
  int level;
  const char* name;
};
constexpr ThreadLevel kThreadLevels[] = {{MPI_THREAD_SINGLE, "MPI_THREAD_SINGLE"},
                                         {MPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED"},
                                         {MPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"},
                                         {MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE"}};

constexpr const char* kProcessSets[] = {"mpi://WORLD", "mpi://SELF"};
constexpr int kProcessSetCount = 2;

/// Returns the thread level that is asked for, or the highest that there is.
const ThreadLevel& granted_level(const Info* asked) {
  const std::pmr::string* const wanted = asked ? asked->find("thread_level") : nullptr;
  const auto* const found = std::ranges::find_if(
      kThreadLevels, [&](const ThreadLevel& level) { return wanted && *wanted == level.name; });
  return found == std::end(kThreadLevels) ? kThreadLevels[2] : *found;
}

/// Returns the index of a process set in kProcessSets, or -1.
int find_process_set(const char* name) {
  for (int i = 0; i < kProcessSetCount; ++i)
    if (strcasecmp(kProcessSets[i], name) == 0) return i;
  return -1;
}

int size_of_process_set(int set) { return set == 0 ? job_ranks.count : 1; }

MPI_Info publish_info(RankState& state, Info* info) {
  info->handle = state.infos.add(info);
  return info->handle;
}

}  // namespace

int get_session(const ApiCall& call, MPI_Session handle, Session*& session) {
  session = call.state.sessions.find(handle);
  if (session) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_SESSION, "0x%zx is no session, or one that was finalized",
               static_cast<std::size_t>(handle_value(handle)));
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  ApiCall call("MPI_Session_init", Outside::is_allowed);
  *session = MPI_SESSION_NULL;
  SKEIN_TRY(check_session_errhandler(call, errhandler));
  RankState& state = call.state;
  auto* const made = new (state.memory.allocate(sizeof(Session), alignof(Session))) Session;
  const ThreadLevel& granted = granted_level(state.infos.find(info));
  tell_of_thread_level(state.rank, granted.level);
  made->info = make_info(state);
  made->info->set("thread_level", granted.name);
  made->info->set("mpi_memory_alloc_kinds", "mpi,system");
  retain_errhandler(state, errhandler);
  made->errhandler = errhandler;
  if (state.world_stage != MpiStage::running) state.thread_level = granted.level;
  state.stage = MpiStage::running;
  made->handle = state.sessions.add(made);
  *session = made->handle;
  return MPI_SUCCESS;
}

int MPI_Session_finalize(MPI_Session* handle) {
  ApiCall call("MPI_Session_finalize");
  SKEIN_GET(Session*, session, get_session(call, *handle, session));
  RankState& state = call.state;
  if (session->buffers) detach_buffers(state, session->buffers);
  release_errhandler(state, session->errhandler);
  release_info(state, session->info);
  state.sessions.remove(*handle);
  state.memory.deallocate(session, sizeof(Session), alignof(Session));
  *handle = MPI_SESSION_NULL;
  stop_if_unused(state);
  return MPI_SUCCESS;
}

int MPI_Session_get_info(MPI_Session handle, MPI_Info* info) {
  ApiCall call("MPI_Session_get_info");
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  Info* const copy = make_info(call.state);
  copy->copy_from(*session->info);
  *info = publish_info(call.state, copy);
  return MPI_SUCCESS;
}

int MPI_Session_get_num_psets(MPI_Session handle, MPI_Info, int* count) {
  ApiCall call("MPI_Session_get_num_psets");
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  *count = kProcessSetCount;
  return MPI_SUCCESS;
}

int MPI_Session_get_nth_pset(MPI_Session handle, MPI_Info, int n, int* pset_len, char* pset_name) {
  ApiCall call("MPI_Session_get_nth_pset");
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  if (n < 0 || n >= kProcessSetCount)
    return raise_in_session(call, *session, MPI_ERR_ARG, "process set %d of %d", n, kProcessSetCount);
  const char* const name = kProcessSets[n];
  if (*pset_len > 0) snprintf(pset_name, static_cast<std::size_t>(*pset_len), "%s", name);
  *pset_len = static_cast<int>(strlen(name)) + 1;
  return MPI_SUCCESS;
}

int MPI_Session_get_pset_info(MPI_Session handle, const char* pset_name, MPI_Info* info) {
  ApiCall call("MPI_Session_get_pset_info");
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  const int set = find_process_set(pset_name);
  if (set < 0)
    return raise_in_session(call, *session, MPI_ERR_ARG,
                            "there is no process set '%s', but mpi://WORLD and mpi://SELF", pset_name);
  Info* const told = make_info(call.state);
  char size[16];
  snprintf(size, sizeof size, "%d", size_of_process_set(set));
  told->set("mpi_size", size);
  *info = publish_info(call.state, told);
  return MPI_SUCCESS;
}

/// Makes the group of a process set. Gives none for an unknown name, which is no error (MPI 4.1, 11.3.2).
int MPI_Group_from_session_pset(MPI_Session handle, const char* pset_name, MPI_Group* newgroup) {
  ApiCall call("MPI_Group_from_session_pset");
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  const int set = find_process_set(pset_name);
  *newgroup = MPI_GROUP_NULL;
  if (set < 0) return MPI_SUCCESS;
  const int first = set == 0 ? 0 : call.state.rank.id;
  Group* const group = make_regular_group(call.state, first, 1, size_of_process_set(set));
  group->session = handle;
  *newgroup = call.state.groups.add(group);
  return MPI_SUCCESS;
}

}  // extern "C"
