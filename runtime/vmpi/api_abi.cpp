// SPDX-License-Identifier: Apache-2.0
// The functions of MPI 5.0 about the ABI (20.3, 20.4), and MPI_Get_hw_resource_info.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {
namespace {

struct Entry {
  const char* key;
  const char* value;
};

template <std::size_t count>
int hand_out(const char* function, const Entry (&entries)[count], MPI_Info* out) {
  ApiCall call(function, Outside::is_allowed);
  Info* const info = make_info(call.state);
  for (const Entry& entry : entries) info->set(entry.key, entry.value);
  info->handle = call.state.infos.add(info);
  *out = info->handle;
  return MPI_SUCCESS;
}

constexpr Entry kWidths[] = {{"mpi_aint_size", "8"}, {"mpi_count_size", "8"}, {"mpi_offset_size", "8"}};
static_assert(sizeof(MPI_Aint) == 8 && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8);

/// gfortran's types, as the Fortran interface has its calling conventions.
constexpr Entry kFortranTypes[] = {{"mpi_logical_size", "4"},
                                   {"mpi_integer_size", "4"},
                                   {"mpi_real_size", "4"},
                                   {"mpi_double_precision_size", "8"},
                                   {"mpi_logical1_supported", "true"},
                                   {"mpi_logical2_supported", "true"},
                                   {"mpi_logical4_supported", "true"},
                                   {"mpi_logical8_supported", "true"},
                                   {"mpi_integer1_supported", "true"},
                                   {"mpi_integer2_supported", "true"},
                                   {"mpi_integer4_supported", "true"},
                                   {"mpi_integer8_supported", "true"},
                                   {"mpi_real4_supported", "true"},
                                   {"mpi_real8_supported", "true"},
                                   {"mpi_complex8_supported", "true"},
                                   {"mpi_complex16_supported", "true"}};

/// Ranks move, so none is bound to a node or to a PE.
constexpr Entry kHardware[] = {{"skein://node", "false"}, {"skein://pe", "false"}};

int refuse(const char* function) {
  ApiCall call(function, Outside::is_allowed);
  return raise(call, nullptr, MPI_ERR_ABI, "Fortran's types are known already, as gfortran has them");
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Abi_get_info(MPI_Info* info) { return hand_out("MPI_Abi_get_info", kWidths, info); }
int MPI_Abi_get_fortran_info(MPI_Info* info) {
  return hand_out("MPI_Abi_get_fortran_info", kFortranTypes, info);
}
int MPI_Abi_set_fortran_info(MPI_Info) { return refuse("MPI_Abi_set_fortran_info"); }
int MPI_Abi_set_fortran_booleans(int, void*, void*) { return refuse("MPI_Abi_set_fortran_booleans"); }

int MPI_Abi_get_fortran_booleans(int logical_size, void* logical_true, void* logical_false, int* is_set) {
  ApiCall call("MPI_Abi_get_fortran_booleans", Outside::is_allowed);
  if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8)
    return raise(call, nullptr, MPI_ERR_ARG, "there are no LOGICALs of %d bytes", logical_size);
  constexpr std::int64_t truth = 1,
                         falsehood = 0;  // little-endian, so their first bytes are those of narrower types
  if (logical_true) memcpy(logical_true, &truth, static_cast<std::size_t>(logical_size));
  if (logical_false) memcpy(logical_false, &falsehood, static_cast<std::size_t>(logical_size));
  *is_set = 1;
  return MPI_SUCCESS;
}

int MPI_Get_hw_resource_info(MPI_Info* hw_info) {
  return hand_out("MPI_Get_hw_resource_info", kHardware, hw_info);
}

}  // extern "C"
