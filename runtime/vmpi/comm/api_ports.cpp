// SPDX-License-Identifier: Apache-2.0
// Ports, names of services, MPI_Comm_accept and MPI_Comm_connect between communicators of one job. Ranks are
// made at the start of a job, so spawning raises the errors that the standard has for it (MPI 4.1,
// chapter 11).
#include <algorithm>
#include <cstring>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/ports.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {
namespace {

constexpr int kKnockTag = 0, kBridgeTag = 1;
constexpr const char* kInAccept = "in MPI_Comm_accept, for somebody to connect";

/// Makes the checks that MPI_Comm_accept and MPI_Comm_connect share. Reads `port` on the root alone.
int get_side(const ApiCall& call, const char* name, int root, MPI_Comm handle, MPI_Comm* out, Comm*& comm,
             Port& port) {
  SKEIN_TRY(get_intracomm(call, handle, comm));
  if (root < 0 || root >= comm->size()) return raise_bad_root(call, comm, root);
  *out = MPI_COMM_NULL;
  if (comm->rank == root && (!name || !read_port(name, port))) port.owner = -1;
  return MPI_SUCCESS;
}

int raise_bad_port(const ApiCall& call, Comm* comm, const char* name) {
  return raise(call, comm, MPI_ERR_PORT, "'%s' is no open port of this job", name ? name : "(null)");
}

int ask_about_name(const char* function, PortQuestion question, const char* service, std::string port,
                   int failure, const char* why, char* found = nullptr) {
  ApiCall call(function);
  if (!ask_register(call.state, question, service, port))
    return raise(call, nullptr, failure, "'%s' %s", service, why);
  if (found) memcpy(found, port.c_str(), port.size() + 1);
  return MPI_SUCCESS;
}

int refuse_to_spawn(const char* function, int root, MPI_Comm handle, MPI_Comm* out, int ranks, int errors[]) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  if (root < 0 || root >= comm->size()) return raise_bad_root(call, comm, root);
  *out = MPI_COMM_NULL;
  if (errors != MPI_ERRCODES_IGNORE && comm->rank == root) std::fill_n(errors, ranks, MPI_ERR_SPAWN);
  return raise(call, comm, MPI_ERR_SPAWN,
               "all ranks of a job exist from its start: set their number by "
               "skein run -n");
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Open_port(MPI_Info, char* port_name) {
  ApiCall call("MPI_Open_port");
  std::string name = name_of({call.state.rank.id, kContextsPerComm * take_ids(call.state, 1)});
  (void)ask_register(call.state, PortQuestion::open, {}, name);  // the name is unique
  memcpy(port_name, name.c_str(), name.size() + 1);
  return MPI_SUCCESS;
}

int MPI_Close_port(const char* port_name) {
  ApiCall call("MPI_Close_port");
  std::string name = port_name;
  return ask_register(call.state, PortQuestion::close, {}, name) ? MPI_SUCCESS
                                                                 : raise_bad_port(call, nullptr, port_name);
}

int MPI_Publish_name(const char* service_name, MPI_Info, const char* port_name) {
  return ask_about_name("MPI_Publish_name", PortQuestion::publish, service_name, port_name ? port_name : "",
                        MPI_ERR_SERVICE, "is published already");
}

int MPI_Unpublish_name(const char* service_name, MPI_Info, const char*) {
  return ask_about_name("MPI_Unpublish_name", PortQuestion::unpublish, service_name, {}, MPI_ERR_SERVICE,
                        "is not published");
}

int MPI_Lookup_name(const char* service_name, MPI_Info, char* port_name) {
  return ask_about_name("MPI_Lookup_name", PortQuestion::look_up, service_name, {}, MPI_ERR_NAME,
                        "is not published", port_name);
}

/// Accepts a connection: the other side's first message says which rank of the world it is; then the leaders
/// make an intercommunicator.
int MPI_Comm_accept(const char* port_name, MPI_Info, int root, MPI_Comm handle, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_accept");
  Comm* comm = nullptr;
  Port port;
  SKEIN_TRY(get_side(call, port_name, root, handle, newcomm, comm, port));
  RankState& state = call.state;
  Bridge bridge{state.own_world, MPI_PROC_NULL, kBridgeTag, MPI_SUCCESS, port.context};
  if (comm->rank == root) {
    std::string name = port_name ? port_name : "";
    if (port.owner != state.rank.id || !ask_register(state, PortQuestion::is_open, {}, name)) {
      bridge.error = raise_bad_port(call, comm, port_name);
    } else {
      Request knock(state, *state.own_world, {port.context, MPI_ANY_SOURCE, kKnockTag},
                    byte_data(&bridge.remote_leader, sizeof bridge.remote_leader));
      start_receive(knock);
      wait_for(knock, {kInAccept, {}});
    }
  }
  return create_intercomm(call, *comm, root, bridge, newcomm);
}

int MPI_Comm_connect(const char* port_name, MPI_Info, int root, MPI_Comm handle, MPI_Comm* newcomm) {
  ApiCall call("MPI_Comm_connect");
  Comm* comm = nullptr;
  Port port;
  SKEIN_TRY(get_side(call, port_name, root, handle, newcomm, comm, port));
  RankState& state = call.state;
  Bridge bridge{state.own_world, port.owner, kBridgeTag, MPI_SUCCESS, port.context};
  if (comm->rank == root) {
    std::string name = port_name ? port_name : "";
    if (port.owner < 0 || !ask_register(state, PortQuestion::is_open, {}, name)) {
      bridge.error = raise_bad_port(call, comm, port_name);
    } else {
      const Route route{port.context, kKnockTag, "in MPI_Comm_connect, for rank %d of the world"};
      send_bytes(*state.own_world, route, port.owner, &state.rank.id, sizeof state.rank.id);
    }
  }
  return create_intercomm(call, *comm, root, bridge, newcomm);
}

int MPI_Comm_spawn(const char*, char*[], int maxprocs, MPI_Info, int root, MPI_Comm comm, MPI_Comm* intercomm,
                   int array_of_errcodes[]) {
  return refuse_to_spawn("MPI_Comm_spawn", root, comm, intercomm, maxprocs, array_of_errcodes);
}

int MPI_Comm_spawn_multiple(int count, char*[], char**[], const int array_of_maxprocs[], const MPI_Info[],
                            int root, MPI_Comm comm, MPI_Comm* intercomm, int array_of_errcodes[]) {
  int ranks = 0;
  for (int i = 0; array_of_maxprocs && i < count; ++i) ranks += array_of_maxprocs[i];
  return refuse_to_spawn("MPI_Comm_spawn_multiple", root, comm, intercomm, ranks, array_of_errcodes);
}

/// Raises an error: a socket leads to a process, which cannot tell which of its ranks holds the other end.
int MPI_Comm_join(int, MPI_Comm* intercomm) {
  ApiCall call("MPI_Comm_join");
  *intercomm = MPI_COMM_NULL;
  return raise(call, nullptr, MPI_ERR_UNSUPPORTED_OPERATION,
               "sockets cannot join ranks: use MPI_Open_port, MPI_Comm_accept and MPI_Comm_connect");
}

}  // extern "C"
