// SPDX-License-Identifier: Apache-2.0
// MPI_Pack, MPI_Unpack, their sizes, and the same for the "external32" representation.
#include <cstring>

#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/external32.hpp"
#include "runtime/vmpi/datatype/packer.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

/// `bytes` from `position` on must lie within the pack buffer.
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
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, handle, comm));
  Data data;
  SKEIN_TRY(get_data(call, comm, in, count, datatype, data));
  SKEIN_TRY(check_pointer(call, comm, position, "position"));
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
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, handle, comm));
  Data data;
  SKEIN_TRY(get_data(call, comm, out, count, datatype, data));
  SKEIN_TRY(check_pointer(call, comm, position, "position"));
  const auto bytes = static_cast<std::int64_t>(data.bytes);
  SKEIN_TRY(check_room(call, comm, *position, bytes, size));
  unpack(out, count, *data.type, static_cast<const std::byte*>(in) + *position, bytes);
  *position += static_cast<Integer>(bytes);
  return MPI_SUCCESS;
}

template <class Integer>
int pack_size(const char* function, MPI_Count count, MPI_Datatype datatype, MPI_Comm handle, Integer* size) {
  ApiCall call(function);
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, handle, comm));
  if (count < 0) return raise(call, comm, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(count));
  const Datatype* type = nullptr;
  SKEIN_TRY(get_type(call, comm, datatype, type));
  *size = fit<Integer>(detail::saturating_product(count, type->size()));
  return MPI_SUCCESS;
}

int check_representation(const ApiCall& call, const char* name) {
  SKEIN_TRY(check_pointer(call, nullptr, name, "datarep"));
  if (std::strcmp(name, "external32") == 0) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_ARG, "data representation \"%s\": the only one is \"external32\"",
               name);
}

/// MPI_Aint and MPI_Count are the same type here, so each function and its large form are one.
int pack_external(const char* function, const char* representation, const void* in, MPI_Count count,
                  MPI_Datatype datatype, void* out, std::int64_t size, std::int64_t* position) {
  ApiCall call(function);
  SKEIN_TRY(check_representation(call, representation));
  Data data;
  SKEIN_TRY(get_data(call, nullptr, in, count, datatype, data));
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
  Data data;
  SKEIN_TRY(get_data(call, nullptr, out, count, datatype, data));
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
  const Datatype* type = nullptr;
  SKEIN_TRY(get_type(call, nullptr, datatype, type));
  *size = detail::saturating_product(count, external32_size(*type));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Pack(const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf, int outsize, int* position,
             MPI_Comm comm) {
  return pack_to("MPI_Pack", inbuf, incount, datatype, outbuf, outsize, position, comm);
}
int MPI_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
               MPI_Count* position, MPI_Comm comm) {
  return pack_to("MPI_Pack_c", inbuf, incount, datatype, outbuf, outsize, position, comm);
}

int MPI_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
               MPI_Datatype datatype, MPI_Comm comm) {
  return unpack_from("MPI_Unpack", inbuf, insize, position, outbuf, outcount, datatype, comm);
}
int MPI_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
                 MPI_Datatype datatype, MPI_Comm comm) {
  return unpack_from("MPI_Unpack_c", inbuf, insize, position, outbuf, outcount, datatype, comm);
}

int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int* size) {
  return pack_size("MPI_Pack_size", incount, datatype, comm, size);
}
int MPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  return pack_size("MPI_Pack_size_c", incount, datatype, comm, size);
}

int MPI_Pack_external(const char* datarep, const void* inbuf, int incount, MPI_Datatype datatype,
                      void* outbuf, MPI_Aint outsize, MPI_Aint* position) {
  return pack_external("MPI_Pack_external", datarep, inbuf, incount, datatype, outbuf, outsize, position);
}
int MPI_Pack_external_c(const char* datarep, const void* inbuf, MPI_Count incount, MPI_Datatype datatype,
                        void* outbuf, MPI_Count outsize, MPI_Count* position) {
  return pack_external("MPI_Pack_external_c", datarep, inbuf, incount, datatype, outbuf, outsize, position);
}

int MPI_Unpack_external(const char datarep[], const void* inbuf, MPI_Aint insize, MPI_Aint* position,
                        void* outbuf, int outcount, MPI_Datatype datatype) {
  return unpack_external("MPI_Unpack_external", datarep, inbuf, insize, position, outbuf, outcount, datatype);
}
int MPI_Unpack_external_c(const char datarep[], const void* inbuf, MPI_Count insize, MPI_Count* position,
                          void* outbuf, MPI_Count outcount, MPI_Datatype datatype) {
  return unpack_external("MPI_Unpack_external_c", datarep, inbuf, insize, position, outbuf, outcount,
                         datatype);
}

int MPI_Pack_external_size(const char* datarep, int incount, MPI_Datatype datatype, MPI_Aint* size) {
  return pack_external_size("MPI_Pack_external_size", datarep, incount, datatype, size);
}
int MPI_Pack_external_size_c(const char* datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count* size) {
  return pack_external_size("MPI_Pack_external_size_c", datarep, incount, datatype, size);
}

}  // extern "C"
