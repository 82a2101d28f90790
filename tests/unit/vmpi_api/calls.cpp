// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/vmpi_api/calls.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/fortran/sections.hpp"

namespace calls {

std::string unsupported_function;
MPI_Comm unsupported_comm = MPI_COMM_NULL;
std::string refused;
int next_error = MPI_SUCCESS;

namespace {

std::vector<std::string> log;

std::string text(int value) { return std::to_string(value); }
std::string text(MPI_Aint value) { return std::to_string(value); }
std::string text(const char* value) { return '"' + std::string(value) + '"'; }
std::string text(const void* address) {
  if (address == MPI_BOTTOM) return "BOTTOM";
  if (address == MPI_IN_PLACE) return "IN_PLACE";
  return "buffer";
}
std::string text(MPI_Status* status) { return status == MPI_STATUS_IGNORE ? "IGNORE" : "status"; }
template <class Handle>
std::string handle(Handle value) {
  std::ostringstream out;
  out << "0x" << std::hex << reinterpret_cast<std::uintptr_t>(value);
  return out.str();
}
std::string text(MPI_Comm value) { return handle(value); }
std::string text(MPI_Datatype value) { return handle(value); }
std::string text(MPI_Request value) { return handle(value); }
std::string text(MPI_Op value) { return handle(value); }
std::string text(MPI_Info value) { return handle(value); }

template <class... Arguments>
int write(const char* function, Arguments... arguments) {
  std::string line = std::string(function) + '(';
  ((line += text(arguments) + ", "), ...);
  if (sizeof...(arguments) > 0) line.resize(line.size() - 2);
  log.push_back(line + ')');
  return std::exchange(next_error, MPI_SUCCESS);
}

MPI_Comm_copy_attr_function* copy_function = nullptr;
void* extra_state = nullptr;
void* attribute = nullptr;

}  // namespace

std::vector<std::string> take() { return std::exchange(log, {}); }

}  // namespace calls

namespace {
int note_refusal(const char* function, int error_class, const char* why) {
  calls::refused = std::string(function) + ": " + why;
  return error_class;
}
}  // namespace

namespace skein::vmpi {
void set_keyval_form(int keyval, ValueForm form) {
  CHECK(keyval == 0x10000);
  CHECK(form == ValueForm::integer);
}
int set_attribute(const char* function, MPI_Comm, int keyval, void* value, ValueForm form) {
  CHECK(form == ValueForm::integer);
  calls::attribute = value;
  return calls::write(function, keyval, reinterpret_cast<MPI_Aint>(value));
}
int get_attribute(const char* function, MPI_Comm, int keyval, void** value, int* flag, ValueForm form) {
  CHECK(form == ValueForm::integer);
  *value = keyval == MPI_TAG_UB ? reinterpret_cast<void*>(12345) : calls::attribute;
  *flag = 1;
  return calls::write(function, keyval);
}
// The tests set no attributes of datatypes and windows.
int set_attribute(const char*, MPI_Datatype, int, void*, ValueForm) { return MPI_ERR_OTHER; }
int set_attribute(const char*, MPI_Win, int, void*, ValueForm) { return MPI_ERR_OTHER; }
int get_attribute(const char*, MPI_Datatype, int, void**, int*, ValueForm) { return MPI_ERR_OTHER; }
int get_attribute(const char*, MPI_Win, int, void**, int*, ValueForm) { return MPI_ERR_OTHER; }
int refuse(const char* function, MPI_Comm, int error_class, const char* why) {
  return note_refusal(function, error_class, why);
}
int refuse(const char* function, MPI_Win, int error_class, const char* why) {
  return note_refusal(function, error_class, why);
}
int refuse(const char* function, MPI_File, int error_class, const char* why) {
  return note_refusal(function, error_class, why);
}
int refuse(const char* function, MPI_Session, int error_class, const char* why) {
  return note_refusal(function, error_class, why);
}

int raise_unsupported(const char* function, MPI_Comm comm) {
  calls::unsupported_function = function;
  calls::unsupported_comm = comm;
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

// The tests pass no array sections with gaps.
namespace fortran {
Sections::~Sections() {}
TypedBuffer Sections::typed(const Descriptor&, Side, MPI_Count, MPI_Fint) { return {}; }
TypedBuffer Sections::partitioned(const Descriptor&, Side, int, MPI_Count, MPI_Fint) { return {}; }
void* Sections::element(const Descriptor&, MPI_Fint) { return nullptr; }
void* Sections::copied(const Descriptor&, Side) { return nullptr; }
void* Sections::in_one_piece(const Descriptor&, Side) { return nullptr; }
void Sections::finish(MPI_Request*) {}
int init_partitioned(const char*, Side, int, const TypedBuffer&, int, int, MPI_Comm, MPI_Request*) {
  return MPI_ERR_OTHER;
}
}  // namespace fortran
}  // namespace skein::vmpi

using namespace calls;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return write("MPI_Init", argc == nullptr, argv == nullptr); }

int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return write("MPI_Send", buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) *status = {source + 10, tag + 10, MPI_SUCCESS, {1, 2, 3, 4, 5}};
  return write("MPI_Recv", buf, count, datatype, source, tag, comm, status);
}

int MPI_Isend(const void*, int, MPI_Datatype, int dest, int, MPI_Comm, MPI_Request* request) {
  *request = reinterpret_cast<MPI_Request>(std::uintptr_t{0x0c000000} + static_cast<unsigned>(dest));
  return write("MPI_Isend", dest);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) {
    write("request", requests[i]);
    requests[i] = MPI_REQUEST_NULL;
  }
  return write("MPI_Waitall", count, statuses);
}

int MPI_Waitany(int count, MPI_Request requests[], int* indx, MPI_Status* status) {
  *indx = count > 1 ? 1 : MPI_UNDEFINED;
  if (count > 1) requests[1] = MPI_REQUEST_NULL;
  return write("MPI_Waitany", count, status);
}

int MPI_Waitsome(int incount, MPI_Request[], int* outcount, int indices[], MPI_Status* statuses) {
  *outcount = incount > 0 ? 2 : MPI_UNDEFINED;
  if (incount > 0) indices[0] = 0, indices[1] = incount - 1;
  return write("MPI_Waitsome", incount, statuses);
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  return write("MPI_Allreduce", sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Cart_create(MPI_Comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* made) {
  *made = MPI_COMM_SELF;
  return write("MPI_Cart_create", ndims, dims[0], dims[1], periods[0], periods[1], reorder);
}

int MPI_Initialized(int* flag) {
  *flag = 1;
  return write("MPI_Initialized");
}

int MPI_Comm_set_name(MPI_Comm comm, const char* name) { return write("MPI_Comm_set_name", comm, name); }

int MPI_Get_processor_name(char* name, int* length) {
  strcpy(name, "node7");
  *length = 5;
  return write("MPI_Get_processor_name");
}

int MPI_Info_set(MPI_Info info, const char* key, const char* value) {
  return write("MPI_Info_set", info, key, value);
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[],
                           const MPI_Datatype types[], MPI_Datatype* made) {
  *made = reinterpret_cast<MPI_Datatype>(std::uintptr_t{0x10000002});
  return write("MPI_Type_create_struct", count, lengths[1], displacements[1], types[0], types[1]);
}

int MPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
  int in[3] = {1, 2, 3};
  int inout[3] = {10, 20, 30};
  int length = 3;
  MPI_Datatype type = MPI_INTEGER;
  function(in, inout, &length, &type);
  *op = reinterpret_cast<MPI_Op>(std::uintptr_t{0x14000001});
  return write("MPI_Op_create", commute, inout[0], inout[1], inout[2]);
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  MPI_Comm comm = MPI_COMM_SELF;
  int code = MPI_ERR_TAG;
  function(&comm, &code);
  *handler = reinterpret_cast<MPI_Errhandler>(std::uintptr_t{0x18000001});
  return write("MPI_Comm_create_errhandler");
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function*, int* keyval,
                           void* extra) {
  copy_function = copy;
  extra_state = extra;
  *keyval = 0x10000;
  return write("MPI_Comm_create_keyval");
}

// Copies the attribute as a duplication does.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  void* copied = nullptr;
  int flag = 0;
  const int error = copy_function(comm, 0x10000, extra_state, attribute, static_cast<void*>(&copied), &flag);
  *made = MPI_COMM_WORLD;
  return write("MPI_Comm_dup", error, flag, reinterpret_cast<MPI_Aint>(copied));
}

double MPI_Wtime(void) { return 42.5; }

// The world has three ranks; MPI_COMM_SELF counts as an intercommunicator with two ranks in the other group,
// and as a 2-D Cartesian grid.
int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  *flag = comm == MPI_COMM_SELF;
  return MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm, int* size) {
  *size = 3;
  return MPI_SUCCESS;
}
int MPI_Comm_remote_size(MPI_Comm, int* size) {
  *size = 2;
  return MPI_SUCCESS;
}
int MPI_Topo_test(MPI_Comm comm, int* status) {
  *status = comm == MPI_COMM_SELF ? MPI_CART : MPI_DIST_GRAPH;
  return MPI_SUCCESS;
}
int MPI_Cartdim_get(MPI_Comm, int* ndims) {
  *ndims = 2;
  return MPI_SUCCESS;
}
int MPI_Dist_graph_neighbors_count(MPI_Comm, int* indegree, int* outdegree, int* weighted) {
  *indegree = 1;
  *outdegree = 3;
  *weighted = 0;
  return MPI_SUCCESS;
}

int MPI_Alltoallw(const void* sendbuf, const int[], const int[], const MPI_Datatype sendtypes[], void*,
                  const int[], const int[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const int last = comm == MPI_COMM_SELF ? 1 : 2;
  return write("MPI_Alltoallw", sendbuf, in_place ? MPI_DATATYPE_NULL : sendtypes[last], recvtypes[last]);
}
int MPI_Neighbor_alltoallw(const void*, const int[], const MPI_Aint[], const MPI_Datatype sendtypes[], void*,
                           const int[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                           MPI_Comm comm) {
  const bool grid = comm == MPI_COMM_SELF;
  return write("MPI_Neighbor_alltoallw", sendtypes[grid ? 3 : 2], recvtypes[grid ? 3 : 0], rdispls[0]);
}

int MPI_Type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[],
                    MPI_Datatype* made) {
  *made = MPI_BYTE;
  return write("MPI_Type_struct", count, lengths[0], displacements[1], types[1]);
}
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) {
  *extent = 24;
  return write("MPI_Type_extent", type);
}

// The value of every key is "value", five characters.
int MPI_Info_get_string(MPI_Info, const char* key, int* buflen, char* value, int* flag) {
  const int room = *buflen;
  if (room > 0) snprintf(value, static_cast<std::size_t>(room), "value");
  *buflen = 6;
  *flag = strcmp(key, "key") == 0;
  return write("MPI_Info_get_string", key, room);
}

int MPI_Buffer_detach(void* address, int* size) {
  *static_cast<void**>(address) = nullptr;
  *size = 99;
  return write("MPI_Buffer_detach");
}

// Runs through the life of a generalized request at once.
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request) {
  MPI_Status status = {};
  const int cancel_error = cancel(extra, 1);
  const int query_error = query(extra, &status);
  const int free_error = release(extra);
  *request = MPI_REQUEST_NULL;
  return write("MPI_Grequest_start", cancel_error, query_error, status.MPI_TAG, free_error);
}

int MPI_Comm_rank(MPI_Comm, int* rank) {
  *rank = 1;
  return MPI_SUCCESS;
}
int MPI_Comm_spawn(const char* command, char* argv[], int maxprocs, MPI_Info, int root, MPI_Comm,
                   MPI_Comm* made, int errors[]) {
  *made = MPI_COMM_NULL;
  std::string arguments;
  for (; argv && *argv; ++argv) arguments += std::string(*argv) + ';';
  return write("MPI_Comm_spawn", command, arguments.c_str(), maxprocs, root, errors == MPI_ERRCODES_IGNORE);
}
int MPI_Comm_spawn_multiple(int count, char* commands[], char** argvs[], const int maxprocs[],
                            const MPI_Info infos[], int, MPI_Comm, MPI_Comm* made, int[]) {
  *made = MPI_COMM_NULL;
  for (int i = 0; i < count; ++i) {
    std::string arguments;
    for (char** argument = argvs[i]; *argument; ++argument) arguments += std::string(*argument) + ';';
    write("command", commands[i], arguments.c_str(), maxprocs[i], infos[i]);
  }
  return write("MPI_Comm_spawn_multiple", count);
}
}
