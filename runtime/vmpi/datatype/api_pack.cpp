// SPDX-License-Identifier: Apache-2.0
// MPI_Pack, MPI_Unpack, their sizes, and the same for the "external32" representation.
#include <cstring>

#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/external32.hpp"
#include "runtime/vmpi/datatype/packer.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

/// Checks that `bytes` bytes from `position` on are within the pack buffer.
int check_room(const ApiCall& call, Comm* comm, std::int64_t position, std::int64_t bytes,
               std::int64_t size) {
  if (position >= 0 && bytes <= size - position) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_ARG,
               "%lld bytes at position %lld do not fit in the pack buffer of %lld bytes",
               static_cast<long long>(bytes), static_cast<long long>(position), static_cast<long long>(size));
}

template <class Integer>
int pack_to(const char* function, const void* in, MPI_Count count, MPI_Datatype datatype, void* out,
            Integer size, Integer* position, MPI_Comm handle) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  SKEIN_GET(Data, data, get_data(call, comm, in, count, datatype, data));
  const auto bytes = static_cast<std::int64_t>(data.bytes);
  SKEIN_TRY(check_room(call, comm, *position, bytes, size));
  pack(in, count, *data.type, static_cast<std::byte*>(out) + *position);
  *position += static_cast<Integer>(bytes);
  return MPI_SUCCESS;
}

template <class Integer>
int unpack_from(const char* function, const void* in, Integer size, Integer* position, void* out,
                MPI_Count count, MPI_Datatype datatype, MPI_Comm handle) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  SKEIN_GET(Data, data, get_data(call, comm, out, count, datatype, data));
  const auto bytes = static_cast<std::int64_t>(data.bytes);
  SKEIN_TRY(check_room(call, comm, *position, bytes, size));
  unpack(out, count, *data.type, static_cast<const std::byte*>(in) + *position, bytes);
  *position += static_cast<Integer>(bytes);
  return MPI_SUCCESS;
}

template <class Integer>
int pack_size(const char* function, MPI_Count count, MPI_Datatype datatype, MPI_Comm handle, Integer* size) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  if (count < 0) return raise(call, comm, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(count));
  SKEIN_GET(const Datatype*, type, get_type(call, comm, datatype, type));
  *size = fit<Integer>(detail::saturating_product(count, type->size()));
  return MPI_SUCCESS;
}

int check_representation(const ApiCall& call, const char* name) {
  SKEIN_TRY(check_pointer(call, nullptr, name, "datarep"));
  if (std::strcmp(name, "external32") == 0) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_ARG, "data representation \"%s\": the only one is \"external32\"",
               name);
}

/// MPI_Aint and MPI_Count are the same type here, so one function serves both forms.
int pack_external(const char* function, const char* representation, const void* in, MPI_Count count,
                  MPI_Datatype datatype, void* out, std::int64_t size, std::int64_t* position) {
  ApiCall call(function);
  SKEIN_TRY(check_representation(call, representation));
  SKEIN_GET(Data, data, get_data(call, nullptr, in, count, datatype, data));
  const std::int64_t bytes = count * external32_size(*data.type);
  SKEIN_TRY(check_room(call, nullptr, *position, bytes, size));
  const int status = pack_external32(in, count, *data.type, static_cast<std::byte*>(out) + *position);
  *position += bytes;
  if (status == MPI_SUCCESS) return MPI_SUCCESS;
  return raise(call, nullptr, status,
               "a value does not fit its external32 form, which has 4 bytes for MPI_LONG");
}

int unpack_external(const char* function, const char* representation, const void* in, std::int64_t size,
                    std::int64_t* position, void* out, MPI_Count count, MPI_Datatype datatype) {
  ApiCall call(function);
  SKEIN_TRY(check_representation(call, representation));
  SKEIN_GET(Data, data, get_data(call, nullptr, out, count, datatype, data));
  const std::int64_t bytes = count * external32_size(*data.type);
  SKEIN_TRY(check_room(call, nullptr, *position, bytes, size));
  unpack_external32(out, count, *data.type, static_cast<const std::byte*>(in) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int pack_external_size(const char* function, const char* representation, MPI_Count count,
                       MPI_Datatype datatype, std::int64_t* size) {
  ApiCall call(function);
  SKEIN_TRY(check_representation(call, representation));
  if (count < 0)
    return raise(call, nullptr, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(count));
  SKEIN_GET(const Datatype*, type, get_type(call, nullptr, datatype, type));
  *size = detail::saturating_product(count, external32_size(*type));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_pack.inc"
