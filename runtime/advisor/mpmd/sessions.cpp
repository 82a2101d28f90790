// SPDX-License-Identifier: Apache-2.0
// Sessions, where this MPI has them: the process set mpi://WORLD is the application.
#include <mpi.h>

#if MPI_VERSION >= 4
#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::is_replaced;
using skein::mpmd::next_of;
using skein::mpmd::world_of_application;

namespace {

bool is_world_set(const char* name) { return is_replaced() && name && strcasecmp(name, "mpi://WORLD") == 0; }

/// Checks that MPI_Init was called, which settles who is reserved: a program that uses sessions need not call
/// it.
void check_initialised() {
  int is_initialised = 0;
  PMPI_Initialized(&is_initialised);
  if (is_initialised || !std::getenv("SKEIN_MPMD")) return;
  std::fprintf(
      stderr,
      "skein mpmd: the program begins a session before it calls MPI_Init, so that no process could be "
      "reserved; call MPI_Init first, or run it without SKEIN_MPMD\n");
  std::exit(2);
}

int group_of(const char* name, MPI_Session session, const char* set, MPI_Group* group) {
  const int error = next_of<decltype(::MPI_Group_from_session_pset)>(name)(session, set, group);
  if (error != MPI_SUCCESS || !is_world_set(set)) return error;
  MPI_Group application = MPI_GROUP_NULL;
  PMPI_Comm_group(world_of_application, &application);
  PMPI_Group_free(group);
  *group = application;
  return MPI_SUCCESS;
}

int about(const char* name, MPI_Session session, const char* set, MPI_Info* info) {
  const int error = next_of<decltype(::MPI_Session_get_pset_info)>(name)(session, set, info);
  if (error != MPI_SUCCESS || !is_world_set(set)) return error;
  int processes = 0;
  PMPI_Comm_size(world_of_application, &processes);
  return PMPI_Info_set(*info, "mpi_size", std::to_string(processes).c_str());
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  check_initialised();
  return next_of<decltype(::MPI_Session_init)>("MPI_Session_init")(info, handler, session);
}
int MPI_Group_from_session_pset(MPI_Session session, const char* set, MPI_Group* group) {
  return group_of("MPI_Group_from_session_pset", session, set, group);
}
int PMPI_Group_from_session_pset(MPI_Session session, const char* set, MPI_Group* group) {
  return group_of("PMPI_Group_from_session_pset", session, set, group);
}
int MPI_Session_get_pset_info(MPI_Session session, const char* set, MPI_Info* info) {
  return about("MPI_Session_get_pset_info", session, set, info);
}
int PMPI_Session_get_pset_info(MPI_Session session, const char* set, MPI_Info* info) {
  return about("PMPI_Session_get_pset_info", session, set, info);
}
}
#pragma GCC visibility pop
#endif
