// SPDX-License-Identifier: Apache-2.0
// MPI_Get_count, MPI_Get_elements and MPI_Status_set_elements; addresses and their arithmetic.
#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/elements.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

using Counting = std::optional<std::int64_t> (*)(const Datatype&, std::int64_t bytes);

template <class Integer>
int count(const char* function, Counting counting, const MPI_Status* status, MPI_Datatype datatype,
          Integer* result) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, status, "status"));
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const auto counted = counting(*type, static_cast<std::int64_t>(status_bytes(*status)));
  *result = fit<Integer>(counted.value_or(MPI_UNDEFINED));
  return MPI_SUCCESS;
}

int set_elements(const char* function, MPI_Status* status, MPI_Datatype datatype, MPI_Count elements) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, status, "status"));
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  if (elements < 0)
    return raise(call, nullptr, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(elements));
  const auto bytes = bytes_of_elements(*type, elements);
  if (!bytes) return raise(call, nullptr, MPI_ERR_ARG, "the datatype has no elements");
  set_status_bytes(*status, static_cast<std::uint64_t>(*bytes));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Get_address(const void* location, MPI_Aint* address) {
  ApiCall call("MPI_Get_address");
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}
int MPI_Address(void* location, MPI_Aint* address) {
  ApiCall call("MPI_Address");
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

/// Wraps around, like pointer arithmetic on the whole address space; signed overflow would be undefined.
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(disp));
}
MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) - static_cast<std::uintptr_t>(addr2));
}

}  // extern "C"

#include "mpi_forwards_elements.inc"
