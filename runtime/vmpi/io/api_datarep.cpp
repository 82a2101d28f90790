// SPDX-License-Identifier: Apache-2.0
// MPI_Register_datarep (MPI 4.1, 14.5.3).
#include <cstring>
#include <new>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/io/representation.hpp"

namespace skein::vmpi {
namespace {

int add(const ApiCall& call, const char* name, const RegisteredRepresentation& given) {
  RankState& state = call.state;
  if (!name || *name == '\0' || strlen(name) >= MPI_MAX_DATAREP_STRING)
    return raise_for_files(call, MPI_ERR_ARG, "the name is empty, or longer than MPI_MAX_DATAREP_STRING");
  if (!given.extent) return raise_for_files(call, MPI_ERR_ARG, "dtype_file_extent_fn is a null pointer");
  Representation known;
  if (find_representation(state, name, known))
    return raise_for_files(call, MPI_ERR_DUP_DATAREP, "\"%s\" is defined already", name);
  void* const room =
      state.memory.allocate(sizeof(RegisteredRepresentation), alignof(RegisteredRepresentation));
  auto* const made = new (room) RegisteredRepresentation(&state.memory);
  *made = given;
  made->name = name;
  state.representations.push_back(made);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Register_datarep(const char* datarep, MPI_Datarep_conversion_function* read_conversion_fn,
                         MPI_Datarep_conversion_function* write_conversion_fn,
                         MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  ApiCall call("MPI_Register_datarep");
  RegisteredRepresentation its(&call.state.memory);
  its.read = read_conversion_fn;
  its.write = write_conversion_fn;
  its.extent = dtype_file_extent_fn;
  its.extra = extra_state;
  return add(call, datarep, its);
}

int MPI_Register_datarep_c(const char* datarep, MPI_Datarep_conversion_function_c* read_conversion_fn,
                           MPI_Datarep_conversion_function_c* write_conversion_fn,
                           MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  ApiCall call("MPI_Register_datarep_c");
  RegisteredRepresentation its(&call.state.memory);
  its.read_large = read_conversion_fn;
  its.write_large = write_conversion_fn;
  its.extent = dtype_file_extent_fn;
  its.extra = extra_state;
  return add(call, datarep, its);
}

}  // extern "C"
